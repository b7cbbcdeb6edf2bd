// The question of the deal check: which card, at what price, in which condition, and for which work.
import {queryOf} from './api.js';
import {nameOfModel} from './ask_names.js';
import {sentenceOf} from './ask_sentence.js';
import {cardPicker} from './card_picker.js';
import {h, show} from './dom.js';
import {number, typedNumber} from './format.js';
import {CURRENCIES, currencyOf, namedCurrency, questionOf, TASKS} from './question.js';
import {Pause} from './request.js';
import {t, word} from './text.js';

const CARD_HINT = 'rtx-3090'; // as names are typed in every language
const MODEL_HINT = 'llama-3.1-8b';
const PRICE_HINT = '650';
const OWN = ['currency', 'condition'];
const WORK = ['task', 'model', 'hours_per_month', 'months'];

function field(name, label, control, wrapped = control) {
    control.id = `d-${name}`;
    control.setAttribute('aria-describedby', `e-${name}`);
    return h(
        'div',
        {class: `field of-${name}`},
        h('label', {for: `d-${name}`}, label),
        wrapped,
        h('p', {class: 'error', id: `e-${name}`, hidden: true}),
    );
}

function input(name, value, hint, mode) {
    return h('input', {
        name,
        value,
        type: 'text',
        inputmode: mode,
        placeholder: hint,
        autocomplete: 'off',
        spellcheck: 'false',
        maxlength: 100,
    });
}

function priceField(values) {
    const price = input('price', values.price ?? '', PRICE_HINT, 'decimal');
    const currency = currencyOf(values);
    const select = h(
        'select',
        {name: 'currency', 'aria-label': t('deal.currency')},
        CURRENCIES.map((one) => h('option', {value: one, selected: one === currency}, one)),
    );
    return field('price', t('deal.price'), price, h('span', {class: 'joined'}, price, select));
}

function conditionField(values) {
    const checked = values.condition ?? 'any';
    return h(
        'fieldset',
        {class: 'field of-condition'},
        h('legend', {}, t('deal.condition')),
        h(
            'div',
            {class: 'segments'},
            ['used', 'new', 'any'].map((value) =>
                h(
                    'label',
                    {},
                    h('input', {type: 'radio', name: 'condition', value, checked: value === checked}),
                    h('span', {}, t(`deal.conditions.${value}`)),
                ),
            ),
        ),
        h('p', {class: 'error', id: 'e-condition', hidden: true}),
    );
}

function workFields(question) {
    const asked = question.task ?? 'learn'; // one that is no task is asked all the same: the server says what is wrong with it
    const tasks = h(
        'select',
        {name: 'task'},
        [...new Set([...TASKS, asked])].map((task) => h('option', {value: task, selected: task === asked}, word('tasks', task))),
    );
    return h(
        'div',
        {class: 'deal-work', id: 'deal-work', hidden: true},
        field('task', t('deal.task'), tasks),
        field('model', t('deal.model'), input('model', question.model ?? '', MODEL_HINT, 'text')),
        field('hours_per_month', t('deal.hours_per_month'), input('hours_per_month', question.hours_per_month ?? '', null, 'decimal')),
        field('months', t('deal.months'), input('months', question.months ?? '', null, 'numeric')),
    );
}

/** The form with what it does; onask(isNewEntry) is called when something changed. */
export class DealForm {
    constructor(query, onask) {
        const {gpu, price, currency, condition} = query;
        const values = {gpu, price, currency, condition};
        this.question = questionOf(query, '/deal');
        OWN.forEach((name) => delete this.question[name]); // these have fields of their own
        this.onask = onask;
        this.picker = cardPicker({
            name: 'gpu',
            id: 'd-gpu',
            value: values.gpu ?? '',
            hint: CARD_HINT,
            describedBy: 'e-gpu',
            currency: () => this.element?.elements.currency.value ?? currencyOf(values), // the name of an id is asked for at once
            onpick: () => this.ask(true),
        });
        this.use = h('p', {class: 'assumed'});
        this.work = workFields(this.question);
        this.general = h('p', {class: 'error', id: 'e-general', hidden: true});
        this.element = h(
            'form',
            {class: 'ask deal-form', method: 'get', action: '/deal', autocomplete: 'off'},
            h(
                'div',
                {class: 'inner'},
                h(
                    'div',
                    {class: 'deal-basics'},
                    h(
                        'div',
                        {class: 'field of-gpu'},
                        h('label', {for: 'd-gpu'}, t('deal.card')),
                        this.picker,
                        h('p', {class: 'error', id: 'e-gpu', hidden: true}),
                    ),
                    priceField(values),
                    conditionField(values),
                ),
                this.use,
                this.work,
                this.general,
            ),
        );
        this.showUse(null);
        this.listen();
    }

    listen() {
        const pause = new Pause();
        const later = () => pause.begin(() => this.ask(false));
        this.ask = (isNewEntry) => {
            pause.end();
            this.onask(isNewEntry);
        };
        this.element.addEventListener('input', (event) => {
            if (!event.isComposing) {
                later();
            }
        });
        this.element.addEventListener('compositionend', later);
        this.element.addEventListener('submit', (event) => {
            event.preventDefault();
            this.ask(true);
        });
    }

    /** What is asked, by parameter; what is the default is left out. */
    values() {
        const form = this.element;
        for (const name of WORK) {
            const value = form.elements[name].value.trim();
            this.question[name] = name === 'task' && value === 'learn' && !form.elements.model.value.trim() ? '' : value;
        }
        const price = form.elements.price.value.trim();
        const {currency, condition} = form.elements;
        const values = {
            gpu: this.picker.value,
            price: price === '' ? '' : (typedNumber(price) ?? price),
            condition: condition.value === 'any' ? '' : condition.value,
            ...this.question,
        };
        return {...values, currency: namedCurrency({...values, currency: currency.value})};
    }

    /** Sets a parameter of the question that has no field here, as prices. */
    set(name, value) {
        this.question[name] = value;
    }

    /** The work the answer is about, as buttons that lead to its fields; query: as the server read it, null: not yet. */
    showUse(query) {
        const open = (name) => {
            this.work.hidden = false;
            this.edit.setAttribute('aria-expanded', 'true');
            this.element.elements[name].focus();
        };
        const chip = (name, text) => h('button', {type: 'button', class: 'chip', onclick: () => open(name)}, text);
        const {gpu, price, ...question} = this.values();
        this.edit = h(
            'button',
            {
                type: 'button',
                class: 'link',
                'aria-expanded': String(!this.work.hidden),
                'aria-controls': 'deal-work',
                onclick: () => {
                    this.work.hidden = !this.work.hidden;
                    this.edit.setAttribute('aria-expanded', String(!this.work.hidden));
                },
            },
            t('deal.use_edit'),
        );
        const hadFocus = this.use.contains(document.activeElement);
        show(
            this.use,
            h('span', {class: 'meta'}, t('deal.use')),
            query === null
                ? null
                : [
                      chip('task', sentenceOf({...question, task: query.task}, nameOfModel)),
                      query.model ? null : chip('model', t('deal.no_model')),
                      chip('hours_per_month', t('deal.chips.hours_per_month', number(query.hours_per_month))),
                      chip('months', t('deal.chips.months', String(query.months))),
                  ],
            this.edit,
            h('a', {href: `/?${queryOf(question)}`}, t('deal.use_all')),
        );
        if (hadFocus) {
            this.edit.focus();
        }
    }

    /** The server's words at the fields they are about; names to choose from become buttons. */
    showErrors(problem) {
        for (const place of this.element.querySelectorAll('.error')) {
            place.hidden = true;
        }
        for (const control of this.element.querySelectorAll('[aria-invalid]')) {
            control.removeAttribute('aria-invalid');
        }
        const general = [];
        for (const error of problem?.errors ?? []) {
            const place = this.element.querySelector(`#e-${CSS.escape(error.parameter)}`);
            if (place === null) {
                general.push(`${error.parameter}${t('colon')}${error.detail}`);
                continue;
            }
            const names = error.parameter === 'gpu' ? [...problem.candidates, ...problem.suggestions] : [];
            show(place, error.detail, names.length > 0 ? h('span', {class: 'names'}, names.map((card) => this.candidate(card))) : null);
            place.hidden = false;
            this.element.querySelector(`#d-${CSS.escape(error.parameter)}`)?.setAttribute('aria-invalid', 'true');
            if (this.work.contains(place)) {
                this.work.hidden = false;
            }
        }
        if (problem !== null && general.length === 0 && problem.errors.length === 0) {
            general.push(problem.message);
        }
        show(this.general, general.join(t('semicolon')));
        this.general.hidden = general.length === 0;
    }

    candidate(card) {
        return h(
            'button',
            {
                type: 'button',
                class: 'pill',
                onclick: () => {
                    this.picker.value = card.id;
                    this.picker.focus();
                    this.ask(true);
                },
            },
            card.name,
        );
    }
}

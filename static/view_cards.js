// All cards: filters and order stand in the address; a question in the address tells of each card how it does that work.
import {Problem, queryOf, ROWS_MAX} from './api.js';
import {bySpeed, CardsTable, orders} from './cards_table.js';
import {csvAddress, judge, loadCards} from './cards_data.js';
import {h, show, styleSheet} from './dom.js';
import {makerName} from './facts.js';
import {filled, filterForm, filterInput, filterSelect} from './filters.js';
import {gib, isKnown} from './format.js';
import {CURRENCIES, currencyOf, isAsked, namedCurrency, questionOf, VENDORS, workWords} from './question.js';
import {run} from './request.js';
import {ALL_UP_TO} from './row_window.js';
import {addTexts, t, word} from './text.js';

addTexts('cards');

/** Its styles. */
export const styled = styleSheet('cards');

/** Filters of the address and of /gpus alike. */
const OF_SERVER = ['q', 'vendor', 'segment', 'architecture', 'min_memory_gib', 'max_price', 'condition', 'currency', 'sort'];
/** What the page leaves out itself. */
const OF_PAGE = ['priced', 'fits'];
const FIELDS = [...OF_SERVER, ...OF_PAGE];
/** Not in the address: it is so anyway. */
const USUAL = {sort: '-memory_gib', condition: 'any'};

/** The architectures of all cards by maker, once they are known. */
let architectures = null;

function box(values, name, label) {
    return h(
        'label',
        {class: 'tick'},
        h('input', {type: 'checkbox', name, value: 'yes', checked: values[name] === 'yes'}),
        label,
    );
}

function filtersOf(values, hasQuestion) {
    const pairs = (codes, words) => codes.map((code) => [code, words(code)]);
    const architecture = values.architecture ? [[values.architecture, values.architecture]] : [];
    return [
        filterInput(values, 'q', t('cards.find'), 'search'),
        filterSelect(values, 'vendor', pairs(VENDORS, makerName), t('all_of', t('vendor'))),
        filterSelect(values, 'segment', pairs(['consumer', 'workstation', 'datacenter'], (code) => word('segments', code)),
            t('all_of', t('segment'))),
        filterSelect(values, 'architecture', architecture, t('all_of', t('cards.architecture'))),
        filterInput(values, 'min_memory_gib', t('cards.min_memory'), 'decimal'),
        h(
            'span',
            {class: 'joined'},
            filterInput(values, 'max_price', t('cards.max_price'), 'decimal'),
            filterSelect({currency: currencyOf(values)}, 'currency', pairs(CURRENCIES, (code) => word('currencies', code)), null),
        ),
        filterSelect(values, 'condition', pairs(['new', 'used'], (code) => word('conditions', code)), t('cards.any_condition')),
        h('span', {class: 'order'}, filterSelect({...USUAL, ...values}, 'sort', orders(hasQuestion), null, t('cards.order'))),
        box(values, 'priced', t('cards.priced')),
        hasQuestion ? box(values, 'fits', t('cards.only_fits')) : null,
    ];
}

/** What of the form is not as usual; a box that is not ticked is not there. */
function askedBy(form) {
    const names = FIELDS.filter((name) => form.elements[name] && (form.elements[name].type !== 'checkbox' || form.elements[name].checked));
    return Object.fromEntries(Object.entries(filled(form, names)).filter(([name, value]) => USUAL[name] !== value));
}

function learnArchitectures(cards) {
    const of = (maker) => cards.filter(({vendor}) => vendor === maker).map(({architecture}) => architecture);
    architectures = VENDORS.map((maker) => [maker, [...new Set(of(maker))].sort()]);
}

/** Architectures as choices, under their makers. */
function offerArchitectures(select) {
    const chosen = select.value;
    select.replaceChildren(
        select.options[0],
        ...architectures
            .filter(([, names]) => names.length > 0)
            .map(([maker, names]) => h('optgroup', {label: makerName(maker)}, names.map((name) => h('option', {value: name}, name)))),
    );
    select.value = chosen;
    if (select.value !== chosen) { // as the address spells it
        select.append(h('option', {value: chosen, selected: true}, chosen));
    }
}

class View {
    constructor(place, query, page) {
        this.page = page;
        this.hasQuestion = isAsked(query);
        this.question = Object.fromEntries(Object.entries(questionOf(query)).filter(([name]) => !FIELDS.includes(name)));
        this.count = h('p', {class: 'why', role: 'status'});
        this.remark = h('p', {class: 'small'});
        this.failure = h('p', {class: 'error', role: 'alert'});
        this.empty = h('div');
        this.file = h('a', {class: 'file', download: 'gpus.csv'});
        this.form = filterForm(filtersOf(query, this.hasQuestion), () => this.load());
        this.form.classList.add('cards-filters');
        this.form.append(this.file);
        this.table = new CardsTable(page.left);
        this.shown = null;
        show(place, h('div', {class: 'page cards'},
            h('div', {class: 'lead'}, h('h1', {}, t('views.cards')), this.count, this.remark, this.form, this.failure),
            this.empty, h('div', {class: 'cards-box'}, this.table.table)));
        this.root = place.firstElementChild;
    }

    /** Asks for what the form says; the address says the same. */
    async load() {
        const asked = askedBy(this.form);
        this.page.remember({...this.question, ...asked, currency: namedCurrency({...this.question, ...asked})});
        const forServer = Object.fromEntries(Object.entries({sort: USUAL.sort, ...asked}).filter(([name]) => OF_SERVER.includes(name)));
        if (/^-?speed$/.test(forServer.sort)) {
            delete forServer.sort;
        }
        const problem = await run(async (signal) => {
            const [judgement, cards] = await Promise.all([
                this.judge({...this.question, ...asked}, signal),
                loadCards(forServer, signal, (first, total) => this.draw(first, total, asked, null)),
            ]);
            this.failure.textContent = judgement instanceof Problem ? judgement.message : '';
            this.draw(cards, cards.length, asked, judgement instanceof Problem ? null : judgement);
            this.file.href = csvAddress(forServer);
            this.file.textContent = cards.length > ROWS_MAX ? t('cards.csv_first', ROWS_MAX) : t('cards.csv', cards.length);
            this.file.hidden = cards.length === 0;
        });
        if (problem !== null) {
            const words = problem.errors.map(({detail}) => detail).join(t('semicolon')) || problem.message;
            this.failure.textContent = words;
            for (const field of this.form.elements) {
                field.toggleAttribute('aria-invalid', false);
            }
            problem.errors.forEach(({parameter}) => this.form.elements[parameter]?.setAttribute('aria-invalid', 'true'));
        }
    }

    /** What the question says, or the Problem it is refused with: the cards are shown all the same. */
    async judge(query, signal) {
        if (!this.hasQuestion) {
            return null;
        }
        return judge(query, signal).catch((error) => {
            if (error instanceof Problem && !error.isPassing) {
                return error;
            }
            throw error;
        });
    }

    draw(cards, total, asked, judgement) {
        for (const field of this.form.elements) {
            field.removeAttribute('aria-invalid');
        }
        const sort = asked.sort ?? USUAL.sort;
        let rows = asked.priced ? cards.filter(({price}) => isKnown(price)) : cards;
        if (judgement !== null) {
            this.page.showFreshness(judgement.catalogue);
            rows = asked.fits ? rows.filter(({id}) => judgement.fits.get(id)?.fits && !judgement.reasons.has(id)) : rows;
            rows = /^-?speed$/.test(sort) ? bySpeed(rows, judgement, sort.startsWith('-')) : rows;
        }
        this.count.textContent = t('cards.count', rows.length, total, Boolean(asked.priced), Boolean(asked.fits));
        show(this.remark, this.remarkOf(judgement, rows.length));
        this.table.table.hidden = rows.length === 0;
        show(this.empty, rows.length === 0 ? this.nothing(asked, total) : null);
        this.table.show(rows, {
            currency: this.form.elements.currency.value,
            judgement,
            sort,
            onsort: (order) => {
                this.form.elements.sort.value = order;
                this.load();
            },
        });
        const isAll = cards.length === total && Object.keys(asked).every((name) => [...OF_PAGE, 'sort', 'currency'].includes(name));
        if (isAll) {
            learnArchitectures(cards);
        }
        if (architectures !== null) {
            offerArchitectures(this.form.elements.architecture);
        }
    }

    remarkOf(judgement, count) {
        const question = questionOf({...this.question, ...askedBy(this.form)});
        const ask = h('a', {href: `/?${queryOf({...question, currency: namedCurrency(question)})}`}, t('cards.to_question'));
        return [
            judgement === null
                ? [h('span', {class: 'bars'}, `${t('cards.bars')} `), h('a', {href: '/'}, t('cards.ask'))]
                : h('span', {}, t('cards.speed_for', workWords(judgement.query), gib(judgement.needed_gib)), ' ', ask),
            count > ALL_UP_TO ? h('span', {class: 'long'}, ' ', t('cards.long')) : null,
        ];
    }

    /** No card is left: what was asked for, and the way back. */
    nothing(asked, total) {
        const onclear = () => {
            for (const field of this.form.elements) {
                if (field.type === 'checkbox') {
                    field.checked = false;
                } else if (field.name && field.name !== 'currency' && !Object.hasOwn(USUAL, field.name)) {
                    field.value = '';
                }
            }
            this.form.elements.condition.value = '';
            this.load().then(() => this.form.elements.q.focus());
        };
        return [
            h('p', {class: 'why'}, total > 0 ? t('cards.none_left', total) : asked.q ? t('cards.none_named', asked.q) : t('cards.none')),
            h('p', {}, h('button', {type: 'button', class: 'plain-button', onclick: onclear}, t('cards.clear'))),
        ];
    }
}

/** The table of cards; its filters stand in the address. */
export async function open(place, query, page) {
    const view = new View(place, query, page);
    await view.load();
    if (architectures === null && !page.left.aborted) { // for the field alone: nothing waits for it
        loadCards({sort: 'name'}).then((cards) => {
            learnArchitectures(cards);
            offerArchitectures(view.form.elements.architecture);
        }, () => {});
    }
}

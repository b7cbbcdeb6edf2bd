// What everyone knows: budget, new or used or rented, the machine, the card that is there already.
import {bind, errorPlace, select, textInput, write} from './ask_controls.js';
import {typedBudget} from './ask_money.js';
import {cardPicker} from './card_picker.js';
import {h, show} from './dom.js';
import {currencyWord, number} from './format.js';
import {CURRENCIES, DEFAULT_CURRENCY} from './question.js';
import {t, word} from './text.js';

const CONDITIONS = ['new', 'used', 'any', 'rent'];

/** The parameters that these fields show. */
export const BASICS = ['budget', 'currency', 'condition', 'rent', 'chassis', 'psu_watts', 'own'];

/* A control of two parts under one label; the label is that of the first. */
function joined(name, label, first, ...more) {
    first.id = `f-${name}`;
    first.setAttribute('aria-describedby', `e-${name}`);
    return h(
        'div',
        {class: 'field', 'data-field': name},
        h('label', {for: first.id}, label),
        h('span', {class: 'joined'}, first, more),
        errorPlace(name),
    );
}

function conditionField() {
    return h(
        'fieldset',
        {class: 'field', 'data-field': 'condition'},
        h('legend', {}, t('ask.buy_or_rent')),
        h(
            'div',
            {class: 'segments'},
            CONDITIONS.map((value) =>
                h('label', {}, h('input', {type: 'radio', name: 'condition', value, 'aria-describedby': 'e-condition'}),
                    h('span', {}, t(`ask.conditions.${value}`)))),
        ),
        errorPlace('condition'),
        errorPlace('rent'),
    );
}

function machineField() {
    const watts = textInput('psu_watts', 'numeric');
    const chassis = select('chassis', ['desktop', 'server'].map((value) => [value, t(`ask.machines.${value}`)]));
    watts.id = 'f-psu_watts';
    watts.setAttribute('aria-label', t('ask.watts'));
    watts.setAttribute('aria-describedby', 'e-psu_watts');
    watts.setAttribute('placeholder', t('ask.supply'));
    const unit = h('span', {class: 'suffix', 'aria-hidden': 'true'}, 'W');
    const element = joined('chassis', t('ask.machine'), chassis, h('span', {class: 'suffixed'}, watts, unit));
    element.append(errorPlace('psu_watts'));
    element.classList.add('machine');
    return element;
}

function ownField(state) {
    const currency = () => state.values.currency ?? DEFAULT_CURRENCY;
    const picker = cardPicker({name: 'own', id: 'f-own', hint: t('ask.no_card'), describedBy: 'e-own', currency});
    return h('div', {class: 'field', 'data-field': 'own'}, h('label', {for: 'f-own'}, t('ask.own')), picker);
}

const MACHINE = (values) => [word('ask.machines', values.chassis ?? 'desktop'), values.psu_watts ? `${values.psu_watts} W` : ''];

/* On phones each field is a button that says its value and opens it. */
const WORDS = {
    budget: ({budget, currency}) => {
        const amount = Number.isFinite(Number(budget)) ? number(Number(budget), 2) : budget;
        return budget ? t('ask.budget_word', amount, currencyWord(currency ?? DEFAULT_CURRENCY)) : t('ask.no_budget');
    },
    condition: (values) => word('ask.condition_words', values.rent ? 'rent' : (values.condition ?? 'any')),
    chassis: (values) => MACHINE(values).filter(Boolean).join(t('comma')),
    own: (values) => (values.own ? t('ask.own_word', values.own) : t('ask.no_card')),
};

/** Shows one field on a phone, where they are folded; focuses it. */
export function openField(place, name) {
    const found = place.querySelector(`[data-field="${CSS.escape(name)}"]`);
    found?.classList.add('open');
    (found?.querySelector('input:checked') ?? found?.querySelector('input, select'))?.focus();
}

function showWords(row, place, values) {
    show(row, Object.entries(WORDS).map(([name, wordsOf]) =>
        h('button', {type: 'button', class: 'chip', onclick: () => openField(place, name)}, wordsOf(values))));
}

function showValues(place, values, source) {
    const chosen = values.rent ? 'rent' : (values.condition ?? 'any');
    for (const radio of place.querySelectorAll('[name=condition]')) {
        radio.checked = radio.value === chosen;
    }
    const fallback = {currency: DEFAULT_CURRENCY, chassis: values.tier === 'unlimited' ? 'server' : 'desktop'};
    for (const name of ['budget', 'currency', 'chassis', 'psu_watts', 'own']) {
        write(place.querySelector(`[name=${name}]`), values[name] ?? fallback[name] ?? '', source);
    }
}

/** The four fields of a state: {element, words}; words is the row of buttons that phones show in their place. */
export function basicFields(state) {
    const words = h('div', {class: 'worded'});
    const element = h(
        'div',
        {class: 'basics foldable'},
        joined('budget', t('ask.budget'), textInput('budget', 'decimal', t('ask.no_limit')),
            select('currency', CURRENCIES.map((value) => [value, value]), {'aria-label': t('currency'), 'aria-describedby': 'e-currency'})),
        conditionField(),
        machineField(),
        ownField(state),
        errorPlace('own'), // may have many candidates: the whole row is theirs
    );
    element.firstChild.append(errorPlace('currency'));
    bind(element, state, (control) => {
        if (control.name === 'budget') {
            return typedBudget(control.value); // null: the server says what is wrong with it
        }
        const isRent = control.value === 'rent';
        return control.name === 'condition' ? {condition: isRent ? '' : control.value, rent: isRent ? 'yes' : ''} : null;
    });
    showValues(element, state.values);
    showWords(words, element, state.values);
    state.listen((values, how, source) => {
        showValues(element, values, source);
        showWords(words, element, values);
    });
    return {element, words};
}

// The line of what is set and what is assumed: every one a button that opens its field.
import {BASICS} from './ask_basics.js';
import {h, show} from './dom.js';
import {currencyWord, number} from './format.js';
import {DEFAULT_CURRENCY} from './question.js';
import {t, word} from './text.js';

const IN_SIGHT = [...BASICS, 'task', 'domain', 'model', 'users', 'prices'];

/* The defaults worth a word, in this order; most questions need no others. */
const ASSUMED = ['task', 'quant', 'batch', 'seq_len', 'context', 'checkpointing', 'hours_per_month', 'months', 'electricity',
    'vat_percent', 'os', 'framework', 'max_gpus'];

function chipText(name, value, currency, details) {
    const text = word('ask.chips', name);
    const said = Number(value) >= 1000 ? number(Number(value)) : String(value);
    return typeof text === 'function' ? text(said, currencyWord(currency)) : (details?.textOf(name, value) ?? `${name}=${value}`);
}

function isWorthAWord(name, query) {
    const value = query[name];
    const isNothing = value === null || value === undefined || value === '';
    return !isNothing && !(name === 'batch' && query.batch_fills === 'yes');
}

function assumedChips(query, assumptions, values, onopen) {
    return ASSUMED.filter((name) => Object.hasOwn(assumptions, name) && values[name] === undefined && isWorthAWord(name, query))
        .map((name) => h('button', {type: 'button', class: 'chip assumption', 'data-parameter': name, onclick: () => onopen(name)},
            chipText(name, query[name], query.currency)));
}

/* What is set and folded away is in sight here, and can be taken away. */
function setChips(values, details, onopen, onremove) {
    return Object.entries(values).filter(([name]) => !IN_SIGHT.includes(name)).map(([name, value]) => {
        const text = chipText(name, value, values.currency ?? DEFAULT_CURRENCY, details);
        const isKnown = details === null || details.has(name);
        return h(
            'span',
            {class: 'chosen', 'data-parameter': name},
            isKnown ? h('button', {type: 'button', class: 'chip', onclick: () => onopen(name)}, text) : h('span', {class: 'chip'}, text),
            h('button', {type: 'button', class: 'take', 'aria-label': t('ask.remove', text), onclick: () => onremove(name)}, '✕'),
        );
    });
}

/** Whether a parameter is set whose words are those of the folded fields. */
export function needsDetails(values) {
    return Object.keys(values).some((name) => !IN_SIGHT.includes(name) && typeof word('ask.chips', name) !== 'function');
}

/** Draws the line; view: {values, answer, details, isOpen}, actions: {open(name), remove(name), edit(), quote()}. */
export function showAssumed(place, {values, answer, details, isOpen}, actions) {
    const chosen = setChips(values, details, actions.open, actions.remove);
    const assumed = answer === null ? [] : assumedChips(answer.query, answer.assumptions, values, actions.open);
    show(
        place,
        chosen.length > 0 ? h('span', {class: 'small'}, t('ask.set')) : null,
        chosen,
        assumed.length > 0 ? h('span', {class: 'small assumption'}, t('ask.assumed')) : null,
        assumed,
        assumed.length > 0
            ? h('button', {type: 'button', class: 'chip folded', onclick: actions.edit}, t('ask.more_assumed', assumed.length))
            : null,
        h(
            'button',
            {type: 'button', class: 'link', id: 'edit', 'aria-expanded': String(isOpen), 'aria-controls': 'details', onclick: actions.edit},
            isOpen ? t('ask.close') : t('ask.edit'),
        ),
        h('button', {type: 'button', class: 'link', id: 'add-quote', onclick: actions.quote}, t('ask.quoted')),
    );
}

// The question as parameters: one object that every field shows and changes, and that the address holds.
import {currencyOf, DEFAULT_CURRENCY} from './question.js';

/** What the page knows of the address that is no parameter of /recommend. */
const PAGE_ONLY = ['rent', 'format'];

/* Of these the default is never written: the address holds what differs from it. */
const DEFAULTS = {condition: 'any'};
const OF_THE_FRAME = ['view', 'lang', 'compare'];
const AMOUNT = /^\d{1,3}(,\d{3})+(\.\d+)?$/;

/** A value as it is sent: digits of full width are digits, "1,500" is 1500. */
function plain(value) {
    const text = String(value ?? '').normalize('NFKC').trim();
    return AMOUNT.test(text) ? text.replaceAll(',', '') : text;
}

/** The parameters with their values as sent; the empty and the default ones left out. */
function canonical(values) {
    const isUsual = currencyOf({...values, currency: ''}) === DEFAULT_CURRENCY; // an address without a currency means it
    const defaults = {
        ...DEFAULTS,
        ...(isUsual ? {currency: DEFAULT_CURRENCY} : {}),
        ...(values.tier === 'unlimited' ? {} : {chassis: 'desktop'}),
    };
    const pairs = Object.entries(values).map(([name, value]) => [name, plain(value)]);
    return Object.fromEntries(pairs.filter(([name, value]) => value !== '' && value !== defaults[name]));
}

/** The parameters of the question that an address holds, all of them. */
export function valuesOfAddress(query) {
    return canonical(Object.fromEntries(Object.entries(query).filter(([name]) => !OF_THE_FRAME.includes(name))));
}

/** What the server is asked. */
export function asked(values) {
    return Object.fromEntries(Object.entries(values).filter(([name]) => !PAGE_ONLY.includes(name)));
}

/** Whether nothing is asked yet; a currency alone is no question. */
export function isEmpty(values) {
    return Object.keys(values).every((name) => name === 'currency');
}

function isSame(one, other) {
    const names = Object.keys(one);
    return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}

/**
 * The state of the question: values, and change(changes, how, source), which tells every listener. how is 'typing',
 * 'choice' or 'submit'; source is the part of the form that the change comes from.
 */
export function askState(start) {
    const listeners = [];
    const state = {
        values: canonical(start),
        listen: (listener) => listeners.push(listener),
        change(changes, how, source = null) {
            const next = {...state.values, ...changes};
            if (changes.budget) {
                delete next.tier; // the one excludes the other
            } else if (changes.tier) {
                delete next.budget;
            }
            const before = state.values;
            state.values = canonical(next);
            if (how === 'submit' || !isSame(before, state.values)) {
                for (const listener of listeners) {
                    listener(state.values, how, source, before);
                }
            }
        },
        /** Puts all values at once, as a change that is pressed in the answer does. */
        replace(values, how) {
            const gone = Object.keys(state.values).map((name) => [name, '']);
            state.change({...Object.fromEntries(gone), ...values}, how);
        },
    };
    return state;
}

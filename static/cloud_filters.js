// The filters above the tables of what can be rented: fields, the errors that the server names, and what is taken away.
import {cardPicker} from './card_picker.js';
import {h, show} from './dom.js';
import {country} from './format.js';
import {Pause} from './request.js';
import {t} from './text.js';

/** Filters of the address; `offers_in` is `region` of /cloud: a question has a `region` of its own. */
export const FILTERS = ['gpu', 'provider', 'offers_in', 'min_memory_gib', 'max_usd_per_hour', 'spot'];

/** The parameters of /cloud of these filters. Whether there is a spot price the page sees by itself. */
export function askedOf({gpu, provider, offers_in: region, min_memory_gib: memory, max_usd_per_hour: price}) {
    return {gpu, provider, region, min_memory_gib: memory, max_usd_per_hour: price};
}

/** The filter that a parameter of /cloud is. */
function filterOf(parameter) {
    return parameter === 'region' ? 'offers_in' : parameter;
}

function field(name, control) {
    return h('div', {class: 'field', 'data-of': name},
        h('label', {for: `c-${name}`}, t(`offers.${name}`)),
        control,
        h('div', {class: 'error', id: `c-${name}-error`, role: 'alert', hidden: true}));
}

function textField(name, value, mode) {
    return field(name, h('input', {id: `c-${name}`, name, type: 'text', inputmode: mode, value: value ?? '',
        autocomplete: 'off', 'aria-describedby': `c-${name}-error`}));
}

function choice(name, value, all) {
    return field(name, h('select', {id: `c-${name}`, name, 'aria-describedby': `c-${name}-error`},
        h('option', {value: ''}, t(`offers.${all}`)),
        value ? h('option', {value, selected: true}, value) : null));
}

function fields(values, hours) {
    return [
        field('gpu', cardPicker({name: 'gpu', id: 'c-gpu', value: values.gpu, hint: t('offers.gpu_hint'), describedBy: 'c-gpu-error'})),
        choice('provider', values.provider, 'all_providers'),
        choice('offers_in', values.offers_in, 'all_regions'),
        textField('min_memory_gib', values.min_memory_gib, 'decimal'),
        textField('max_usd_per_hour', values.max_usd_per_hour, 'decimal'),
        textField('hours_per_month', hours, 'decimal'),
        h('label', {class: 'check'}, h('input', {type: 'checkbox', name: 'spot', value: 'yes', checked: values.spot === 'yes'}),
            t('offers.spot')),
    ];
}

/** What stands in the form: the filters and hours_per_month, empty ones left out. */
export function valuesOf(form) {
    const pairs = [...FILTERS, 'hours_per_month'].map((name) => {
        const control = form.elements[name];
        return [name, control.type === 'checkbox' ? (control.checked ? control.value : '') : control.value.trim()];
    });
    return Object.fromEntries(pairs.filter(([, value]) => value !== ''));
}

/** The form. onask(isNewEntry) is called when a field has changed: after a pause in typing, at once for a choice. */
export function cloudForm(values, hours, onask) {
    const pause = new Pause();
    let isAsked = true; // a card's name is asked for when it is picked or the field is left: half of one is no card
    const now = (isNewEntry) => {
        pause.end();
        isAsked = true;
        onask(isNewEntry);
    };
    const form = h('form', {
        class: 'offer-filters',
        'aria-label': t('offers.filters'),
        novalidate: true,
        onsubmit: (event) => event.preventDefault(),
        onkeydown: (event) => { // without a button a form of several fields is not sent by Enter
            if (event.key === 'Enter' && !event.defaultPrevented && !event.isComposing && event.target.matches('[type=text]')) {
                now(true);
            }
        },
        oninput: ({target}) => {
            const picker = form.elements.gpu;
            if (target === picker || target.matches('select, [type=checkbox]') || (target === picker.input && picker.value === '')) {
                now(true);
            } else if (target === picker.input) {
                isAsked = false;
            } else {
                pause.begin(() => now(false));
            }
        },
        onfocusout: ({target}) => {
            if (target === form.elements.gpu.input && !isAsked) {
                now(true);
            }
        },
    }, fields(values, hours));
    return form;
}

/** Fills the choices from all offers there are, keeping what is chosen. */
export function offerChoices(form, offers) {
    const distinct = (name) => [...new Set(offers.map((offer) => offer[name]).filter((value) => value !== null))]
        .sort((a, b) => a.localeCompare(b));
    for (const [name, of] of [['provider', 'provider'], ['offers_in', 'region']]) {
        const select = form.elements[name];
        const chosen = select.value;
        const words = (value) => (of === 'region' && /^[a-z]{2}$/.test(value) ? `${country(value)}${t('comma')}${value}` : value);
        const values = distinct(of);
        if (chosen !== '' && !values.some((value) => value.toLowerCase() === chosen.toLowerCase())) {
            values.push(chosen); // the server says what is wrong with it
        }
        show(select, select.options[0],
            values.map((value) => h('option', {value, selected: value.toLowerCase() === chosen.toLowerCase()}, words(value))));
    }
}

/** Says each error at its field; the cards that an ambiguous name may mean are buttons. True: every error has found its field. */
export function showErrors(form, problem, onpick) {
    let first = null;
    for (const name of [...FILTERS, 'hours_per_month']) {
        const place = form.querySelector(`#c-${name}-error`);
        const control = form.querySelector(`#c-${name}`);
        const error = problem?.errors.find(({parameter}) => filterOf(parameter) === name);
        if (place !== null) {
            control.toggleAttribute('aria-invalid', false);
            place.hidden = error === undefined;
            show(place, error ? h('span', {class: 'said'}, error.detail) : null);
        }
        if (error !== undefined && place !== null) {
            control.setAttribute('aria-invalid', 'true');
            first ??= control;
            if (name === 'gpu') {
                place.append(...[...problem.candidates, ...problem.suggestions].map(({id, name: label}) =>
                    h('button', {type: 'button', class: 'pill', onclick: () => onpick(id)}, label)));
            }
        }
    }
    return first !== null;
}

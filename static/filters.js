// A row of filters above a table: they ask while one types.
import {h} from './dom.js';
import {Pause} from './request.js';
import {t} from './text.js';

/** A text field; its label is its placeholder too. mode is that of the keyboard to show. */
export function filterInput(values, name, label, mode) {
    return h('input', {
        name,
        type: mode === 'search' ? 'search' : 'text',
        inputmode: mode,
        'aria-label': label,
        placeholder: label,
        value: values[name] ?? '',
    });
}

/**
 * A choice among [value, label] pairs; empty names the choice of all, null when there is none. A value of the address
 * that is not among them is offered as it stands: the server judges it.
 */
export function filterSelect(values, name, options, empty, label = empty ?? t(name)) {
    const isStrange = (values[name] ?? '') !== '' && !options.some(([value]) => value === values[name]);
    return h(
        'select',
        {name, 'aria-label': label},
        empty === null ? [] : h('option', {value: ''}, empty),
        (isStrange ? [...options, [values[name], values[name]]] : options).map(([value, label]) =>
            h('option', {value, selected: values[name] === value}, label),
        ),
    );
}

/** The form; onchange is called after a pause in typing. */
export function filterForm(controls, onchange) {
    const pause = new Pause();
    const later = (event) => {
        pause.end();
        if (!event.isComposing) { // an input method has the text still in hand
            pause.begin(onchange);
        }
    };
    const keep = (event) => event.preventDefault();
    return h('form', {class: 'filters', oninput: later, oncompositionend: later, onsubmit: keep}, controls);
}

/** What is filled in, by the names given. */
export function filled(form, names) {
    const pairs = names.map((name) => [name, form.elements[name].value.trim()]);
    return Object.fromEntries(pairs.filter(([, value]) => value !== ''));
}

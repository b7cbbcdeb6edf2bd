// Fields of the question: each is named as a parameter of /recommend, shows its value and changes it.
import {h} from './dom.js';
import {Pause} from './request.js';

/** Where the server's words about a parameter stand. */
export function errorPlace(name) {
    return h('p', {class: 'error', id: `e-${name}`, hidden: true});
}

/** A labelled control with the place of its error. */
export function field(name, label, control, ...more) {
    control.id = `f-${name}`;
    control.setAttribute('aria-describedby', `e-${name}`);
    return h('div', {class: 'field', 'data-field': name}, h('label', {for: `f-${name}`}, label), control, more, errorPlace(name));
}

/** A text field of the question. */
export function textInput(name, mode, placeholder = null) {
    return h('input', {
        name,
        type: 'text',
        inputmode: mode,
        placeholder,
        autocomplete: 'off',
        autocapitalize: 'off',
        spellcheck: 'false',
        maxlength: 200,
    });
}

/** A choice among [value, label] pairs. */
export function select(name, options, more = {}) {
    return h('select', {name, ...more}, options.map(([value, label]) => h('option', {value}, label)));
}

/* A picker of cards is one control, its text field a part of it. */
function ownerOf(node) {
    return node.closest('card-picker') ?? node;
}

/**
 * Makes the named controls of a place change the state: while one types after a pause, at once where one chooses.
 * changesOf(control) gives what a control says where that is not its name with its value.
 */
export function bind(place, state, changesOf = () => null) {
    const pause = new Pause();
    let isComposing = false;
    const apply = (control, how) => {
        pause.end();
        const changes = changesOf(control) ?? (control.name ? {[control.name]: control.value} : null);
        if (changes !== null) {
            state.change(changes, how, control);
        }
    };
    const later = (control) => pause.begin(() => apply(control, 'typing'));
    place.addEventListener('compositionstart', () => {
        isComposing = true;
        pause.end();
    });
    place.addEventListener('compositionend', (event) => {
        isComposing = false;
        later(ownerOf(event.target));
    });
    place.addEventListener('input', (event) => {
        const target = ownerOf(event.target);
        if (target.matches('select, [type=radio], [type=checkbox]')) {
            apply(target, 'choice');
        } else if (!isComposing) {
            later(target);
        }
    });
    place.addEventListener('keydown', (event) => {
        if (event.key === 'Enter' && event.target.matches('input') && !isComposing && !event.isComposing && !event.defaultPrevented) {
            event.preventDefault();
            apply(ownerOf(event.target), 'submit');
        }
    });
}

/** Writes a value into a control unless that is what it says, or where the change comes from. */
export function write(control, value, source = null) {
    if (control !== source && control.value !== value) {
        control.value = value;
    }
}

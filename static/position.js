// Where the reader is on the page: how far down, at which element, and what is typed there but not asked yet.

const main = document.querySelector('#view');

/** Something that finds the element again after the view was drawn anew, maybe in another language. */
function traceOf(element) {
    const name = element.getAttribute('name');
    const value = element.type === 'radio' || element.type === 'checkbox' ? `[value="${CSS.escape(element.value)}"]` : '';
    const classes = [...element.classList].map((one) => `.${CSS.escape(one)}`).join('');
    const selector = element.id ? `#${CSS.escape(element.id)}`
        : name ? `[name="${CSS.escape(name)}"]${value}` : element.tagName.toLowerCase() + classes;
    return {selector, index: [...main.querySelectorAll(selector)].indexOf(element)};
}

function find({selector, index}) {
    return main.querySelectorAll(selector)[index] ?? null;
}

function controls() {
    return [...main.querySelectorAll('input:not([type=file], [type=password], [data-rebuilt]), select, textarea')]; // rebuilt: by its view
}

/** Writes into a control what the reader left in it, and the view hears of it. */
function write(control, {value, isChecked}) {
    if (control.value === value && (control.checked ?? false) === isChecked) {
        return;
    }
    if (control.type === 'radio' || control.type === 'checkbox') {
        control.checked = isChecked;
    } else {
        control.value = value;
    }
    control.dispatchEvent(new Event('input', {bubbles: true}));
    control.dispatchEvent(new Event('change', {bubbles: true}));
}

/** What is open of what opens and closes in place. */
function opened() {
    return [...main.querySelectorAll('details[open], button[aria-controls][aria-expanded=true]')].map(traceOf);
}

function reopen(trace) {
    const element = find(trace);
    if (element?.tagName === 'DETAILS') {
        element.open = true;
    } else if (element?.getAttribute('aria-expanded') === 'false') {
        element.click();
    }
}

/** The place now: enough to come back to it when the view has been drawn anew from the same address. */
export function position() {
    const element = main.contains(document.activeElement) && document.activeElement !== main ? document.activeElement : null;
    return {
        scroll: scrollY,
        height: main.offsetHeight,
        focus: element === null ? null : traceOf(element),
        selection: typeof element?.selectionStart === 'number' ? [element.selectionStart, element.selectionEnd] : null,
    };
}

/** The place now with all that is typed and open: for a change of language, where nothing may get lost. */
export function wholePosition() {
    const typed = controls().map((control) =>
        ({trace: traceOf(control), value: control.value, isChecked: control.checked ?? false}));
    return {...position(), typed, opened: opened()};
}

/** Keeps the page as high as it was, so that it can be as far down while its content comes; what comes moves nothing. */
export function holdHeight(height) {
    if (height > 0) {
        main.style.setProperty('min-height', `${height}px`);
        main.style.setProperty('overflow-anchor', 'none');
    } else {
        main.style.removeProperty('min-height');
        main.style.removeProperty('overflow-anchor');
    }
}

/** Fills in again what was typed and opens what was open, as far as the view has it by now: each once. */
export function refill(place) {
    place.opened = (place.opened ?? []).filter((trace) => find(trace) === null || reopen(trace));
    place.typed = (place.typed ?? []).filter((left) => {
        const control = find(left.trace);
        return control === null || write(control, left);
    });
}

/** Back to a place; false: what had the focus is not there, or takes none by itself. */
export function restore({scroll, focus, selection}) {
    const element = focus === null ? null : find(focus);
    element?.focus({preventScroll: true});
    if (selection !== null && typeof element?.selectionStart === 'number') {
        element.setSelectionRange(...selection);
    }
    scrollTo(0, scroll);
    return element !== null && element === document.activeElement;
}

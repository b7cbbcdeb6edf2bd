// The list below the question: rows of task x model with the memory that each needs.
import {get} from './api.js';
import {wordsOf} from './ask_models.js';
import {nameOfModel} from './ask_names.js';
import {matches, rowsOf} from './ask_rows.js';
import {sentenceOf, SPOKEN} from './ask_sentence.js';
import {h, show} from './dom.js';
import {number} from './format.js';
import {questionOf} from './question.js';
import {t, word} from './text.js';

const GONE = Object.fromEntries(SPOKEN.map((name) => [name, ''])); // these come from the row


const estimates = new Map(); // by the parameters asked

async function estimate(parameters, signal) {
    const key = JSON.stringify(parameters);
    if (!estimates.has(key)) {
        const {memory, query} = await get('/estimate', parameters, signal);
        estimates.set(key, {memory, query});
    }
    return estimates.get(key);
}

function marked(label, words) {
    const parts = [];
    let at = 0;
    for (const [start, end] of matches(label, words)) {
        parts.push(label.slice(at, start), h('b', {class: 'hit'}, label.slice(start, end)));
        at = end;
    }
    return [...parts, label.slice(at)];
}

function noteOf(parameters, query) {
    const {quant, context} = query;
    return parameters.task === 'inference' && context
        ? t('ask.run_note', quant, number(context))
        : word('ask.notes', parameters.task);
}

function memoryText({total_gib: total, is_floor: isFloor}) {
    const text = number(total, total < 10 ? 1 : 0);
    return t(isFloor ? 'ask.at_least' : 'ask.about', text);
}

function option(row, position, words, onpick) {
    const node = h(
        'li',
        {id: `suggestion-${position}`, role: 'option', 'aria-selected': 'false'},
        h('span', {class: 'label'}, marked(sentenceOf(row, nameOfModel), words)),
        h('span', {class: 'meta'}),
        h('span', {class: 'need small'}),
    );
    node.addEventListener('pointerdown', (event) => event.preventDefault()); // the focus stays in the field
    node.addEventListener('click', () => onpick(row));
    return node;
}

/* Fills in what each row needs, one request a row; a newer list stops them. */
function fill(rows, nodes, shared, signal) {
    return Promise.all(
        rows.map(async (row, at) => {
            const [note, need] = [nodes[at].querySelector('.meta'), nodes[at].querySelector('.need')];
            note.textContent = noteOf(row, {});
            try {
                const {memory, query} = await estimate({...shared, ...row}, signal);
                note.textContent = noteOf(row, query);
                need.textContent = memoryText(memory);
            } catch {
                need.textContent = signal.aborted ? '' : t('unknown');
            }
        }),
    );
}

function moves(list, key) {
    const last = list.rows.length - 1;
    return {
        ArrowDown: list.active < last ? list.active + 1 : 0,
        ArrowUp: list.active > 0 ? list.active - 1 : last,
        ...(list.active >= 0 ? {Home: 0, End: last} : {}),
    }[key];
}

function listen(list, {input, take}) {
    const keys = (event) => {
        if (!list.isOpen || event.isComposing) {
            return;
        }
        const target = moves(list, event.key);
        if (target !== undefined) {
            list.activate(target);
        } else if (event.key === 'Enter' && list.active >= 0) {
            const row = list.rows[list.active];
            list.close();
            take(row);
        } else if (event.key === 'Escape') {
            list.close();
        } else {
            return;
        }
        event.preventDefault();
        event.stopImmediatePropagation();
    };
    input.addEventListener('keydown', keys, {capture: true});
    input.addEventListener('blur', () => list.close());
}

/** The list of a question field: {update(result, index), close()}. */
export function suggestions(field) {
    const {input, listPlace, state} = field;
    const box = h('ul', {id: 'suggestions', role: 'listbox', 'aria-label': t('ask.suggestions')});
    show(listPlace, box, h('p', {class: 'meta', 'aria-hidden': 'true'}, t('ask.hint')));
    let controller = new AbortController();
    const list = {
        rows: [],
        active: -1,
        isOpen: false,
        activate(position) {
            box.children[list.active]?.setAttribute('aria-selected', 'false');
            list.active = position;
            box.children[position].setAttribute('aria-selected', 'true');
            box.children[position].scrollIntoView({block: 'nearest'});
            input.setAttribute('aria-activedescendant', `suggestion-${position}`);
        },
        show(isOpen) {
            list.isOpen = isOpen;
            list.active = -1;
            listPlace.hidden = !isOpen;
            input.setAttribute('aria-expanded', String(isOpen));
            input.removeAttribute('aria-activedescendant');
        },
        close() {
            controller.abort();
            list.show(false);
        },
        async update(result, index) {
            controller.abort();
            controller = new AbortController();
            list.rows = rowsOf(result, index);
            const words = wordsOf(input.value).map((one) => one.text);
            const pick = (row) => {
                list.close();
                field.take(row);
            };
            show(box, list.rows.map((row, position) => option(row, position, words, pick)));
            list.show(list.rows.length > 0 && document.activeElement === input);
            const shared = questionOf({...state.values, ...GONE}, '/estimate');
            const gpu = state.reference; // one card keeps the reply short: without it says how every card fits
            await fill(list.rows, [...box.children], {...shared, ...(gpu ? {gpu} : {})}, controller.signal);
        },
    };
    listen(list, field);
    return list;
}

// The cards chosen for comparison: a bar at the foot of every view, kept in the address and for the visit.
import {cardAddress, get, Problem, queryOf} from './api.js';
import {h, show, styleSheet} from './dom.js';
import {shortName} from './format.js';
import {questionOf} from './question.js';
import {addTexts, t} from './text.js';

addTexts('tray');

/** A comparison with more columns than this is not read. */
export const MOST = 6;

const STORE = 'compare';

const styled = styleSheet('compare_tray');

/** The chosen cards in the order of choice, {id, name}; a name is null until it is known. */
let chosen = null;
let tray = null;

function queryOfAddress() {
    return Object.fromEntries(new URLSearchParams(location.search));
}

function stored() {
    try {
        return JSON.parse(sessionStorage.getItem(STORE)) ?? [];
    } catch {
        return []; // written by nobody of us
    }
}

/** The cards of the address, or where it has none those of this visit: asked once, from then on kept here. */
function cards() {
    if (chosen === null) {
        const names = new Map(stored().map(({id, name}) => [id, name]));
        const ids = queryOfAddress().compare?.split(',').filter(Boolean) ?? [...names.keys()];
        chosen = [...new Set(ids)].slice(0, MOST).map((id) => ({id, name: names.get(id) ?? null}));
    }
    return chosen;
}

/** The ids of the chosen cards. */
export function chosenIds() {
    return cards().map(({id}) => id);
}

/** The view of the comparison names its cards itself. */
function keepInAddress() {
    const query = queryOfAddress();
    const compare = query.view === 'compare' ? '' : chosenIds().join(',');
    if ((query.compare ?? '') !== compare) {
        const text = queryOf({...query, compare});
        history.replaceState(history.state, '', `${location.pathname}${text ? `?${text}` : ''}${location.hash}`);
    }
}

function keep() {
    sessionStorage.setItem(STORE, JSON.stringify(cards()));
    keepInAddress();
    for (const box of document.querySelectorAll('[data-compare]')) {
        box.checked = chosenIds().includes(box.dataset.compare);
    }
    draw();
}

function say(text) {
    document.querySelector('#live').textContent = text;
    const said = tray?.querySelector('.said');
    if (said) {
        said.textContent = text;
    }
}

/** Takes these cards, {id, name}, instead of the chosen ones. */
export function choose(instead) {
    chosen = instead.slice(0, MOST).map(({id, name}) => ({id, name}));
    keep();
}

function add(id, name) {
    if (cards().length >= MOST) {
        keep(); // the box that was pressed is put back
        say(t('tray.full', MOST, shortName(name)));
        return;
    }
    choose([...cards(), {id, name}]);
    document.querySelector('#live').textContent = t('tray.added', shortName(name), cards().length, MOST);
}

/** Takes a card out and answers where it was. */
function remove(id) {
    const index = chosenIds().indexOf(id);
    choose(cards().filter((card) => card.id !== id));
    return index;
}

/** After a card has left the tray: the next one, the last one, or the view when there is none. */
function focusAfter(index) {
    const buttons = tray?.querySelectorAll('li button') ?? [];
    (buttons[Math.min(index, buttons.length - 1)] ?? document.querySelector('#view')).focus({preventScroll: true});
}

/**
 * A box that puts a card into the tray and takes it out.
 *
 * @param {string} id of the card
 * @param {string} name of the card, with or without its maker
 * @param {{label?: string}} [options] label: words beside the box; without them it is named for those who hear it
 * @returns {HTMLLabelElement}
 */
export function compareBox(id, name, {label} = {}) {
    const box = h('input', {
        type: 'checkbox',
        'data-compare': id,
        'aria-label': label === undefined ? t('tray.box', shortName(name)) : null,
        onchange: () => (box.checked ? add(id, name) : remove(id)),
    });
    box.checked = chosenIds().includes(id);
    return h('label', {class: 'compare-box'}, box, label);
}

function link() {
    const aim = () => {
        const query = queryOfAddress();
        anchor.href = `/?${queryOf({view: 'compare', gpus: chosenIds().join(','), ...questionOf(query)})}`;
    };
    const anchor = h(
        'a',
        {class: 'main-button', onpointerenter: aim, onpointerdown: aim, onfocus: aim, onclick: aim},
        t('tray.compare', cards().length),
    );
    aim(); // and again when it is used: the question may change meanwhile
    return anchor;
}

function nameOf({id, name}) {
    return name === null ? id : shortName(name);
}

function item(card) {
    return h(
        'li',
        {},
        h('a', {href: cardAddress(card.id)}, nameOf(card)),
        h(
            'button',
            {
                type: 'button',
                class: 'quiet',
                'aria-label': t('tray.remove', nameOf(card)),
                onclick: () => focusAfter(remove(card.id)),
            },
            '×',
        ),
    );
}

function draw() {
    if (cards().length === 0) {
        tray?.remove();
        tray = null;
        return;
    }
    if (tray === null) {
        tray = h('section', {class: 'tray'});
        styled.then(() => tray !== null && document.querySelector('#foot').before(tray));
    }
    tray.setAttribute('aria-label', t('tray.title'));
    const onclear = () => {
        choose([]);
        focusAfter(0);
        say(t('tray.cleared'));
    };
    show(
        tray,
        h('b', {}, t('tray.chosen', cards().length)),
        h('ul', {}, cards().map(item)),
        h('p', {class: 'said'}, cards().length < 2 ? t('tray.one_more') : ''),
        cards().length < 2 ? null : link(),
        h('button', {type: 'button', class: 'plain-button', onclick: onclear}, t('tray.clear')),
    );
}

/** A card by a name of the address: null when none is known so, as it is when the server is not there. */
async function lookUp(card) {
    try {
        const {id, name} = await get(`/gpus/${encodeURIComponent(card.id)}`);
        return {id, name};
    } catch (error) {
        return error instanceof Problem && !error.isPassing ? null : card;
    }
}

/** The names of cards that came by address; what no card is known as leaves the tray. */
async function learnNames() {
    const unnamed = cards().filter(({name}) => name === null);
    const found = await Promise.all(unnamed.map(lookUp));
    const answers = new Map(unnamed.map(({id}, index) => [id, found[index]]));
    const known = cards() // of now: it may have changed meanwhile
        .map((card) => (answers.has(card.id) ? answers.get(card.id) : card))
        .filter((card) => card !== null);
    choose([...new Map(known.map((card) => [card.id, card])).values()]);
}

/** Shows the tray below the view; the address of the view then names its cards. */
export function showTray() {
    keep();
    if (cards().some(({name}) => name === null)) {
        learnNames();
    }
}

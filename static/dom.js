// Elements without a framework: text is always text, never markup.
import {t} from './text.js';

const SVG = 'http://www.w3.org/2000/svg';

function fill(node, properties, children) {
    for (const [name, value] of Object.entries(properties ?? {})) {
        if (name.startsWith('on')) {
            node.addEventListener(name.slice(2), value);
        } else if (value === true) {
            node.setAttribute(name, '');
        } else if (value !== false && value !== null && value !== undefined) {
            node.setAttribute(name, value);
        }
    }
    node.append(
        ...children
            .flat(Infinity)
            .filter((child) => child !== null && child !== undefined && child !== false),
    );
    return node;
}

/** An HTML element; properties are attributes, on<event> a listener; null children are left out. */
export function h(tag, properties, ...children) {
    return fill(document.createElement(tag), properties, children);
}

/** The same for SVG. */
export function s(tag, properties, ...children) {
    return fill(document.createElementNS(SVG, tag), properties, children);
}

/** Whether there is as little room as on a phone, by the width at which the styles change. */
export function isNarrow() {
    return matchMedia('(max-width: 44.99rem)').matches;
}

/** Puts these children into a place instead of what is there; null ones are left out. */
export function show(place, ...children) {
    place.replaceChildren(...children.flat(Infinity).filter((child) => child));
}

/** One of a list of figures (dl): its name, its value, its unit where the value is known, and lines below it. */
export function figure(label, value, unit, ...notes) {
    return h('div', {class: 'figure'},
        h('dt', {}, label),
        h('dd', {},
            h('span', {class: 'value'}, value),
            unit ? [' ', h('span', {class: 'unit'}, unit)] : null,
            notes.filter(Boolean).map((note) => h('div', {class: 'note'}, note))));
}

const sheets = new Map(); // the promise of each, by its name

/** Ends when all styles that views have asked for so far are there. */
export function stylesReady() {
    return Promise.all(sheets.values());
}

/** Adds the styles of a view; the promise ends when they are there, or are not to be had: plain, but it works. */
export function styleSheet(name) {
    const link = h('link', {rel: 'stylesheet', href: new URL(`${name}.css`, import.meta.url).pathname});
    const ready = new Promise((resolve) => {
        link.addEventListener('load', resolve);
        link.addEventListener('error', resolve);
    });
    document.head.append(link);
    sheets.set(name, ready);
    return ready;
}

function classOf(column) {
    return [column.number ? 'number' : null, column.class].filter(Boolean).join(' ') || null;
}

/** A table from columns {head, unit, cell, number, class} and rows; head cells with `sort` are buttons. */
export function table(caption, columns, rows, rowProperties = () => ({})) {
    const heads = columns.map((column) =>
        h(
            'th',
            {
                scope: 'col',
                class: classOf(column),
                'aria-sort': column.sorted ?? null,
            },
            column.onsort
                ? h(
                      'button',
                      {type: 'button', class: 'sort', onclick: column.onsort},
                      column.head,
                      column.sorted ? (column.sorted === 'ascending' ? ' ↑' : ' ↓') : '',
                  )
                : column.head,
            column.unit ? h('span', {class: 'unit'}, column.unit) : null,
        ),
    );
    const body = rows.map((row) =>
        h(
            'tr',
            rowProperties(row),
            columns.map((column, index) =>
                h(
                    index === 0 ? 'th' : 'td',
                    {
                        scope: index === 0 ? 'row' : null,
                        class: classOf(column),
                        'data-head': [column.head, column.unit].filter(Boolean).join(t('comma')),
                    },
                    column.cell(row),
                ),
            ),
        ),
    );
    return h(
        'div',
        {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': caption},
        h(
            'table',
            {},
            h('caption', {class: 'hidden'}, caption),
            h('thead', {}, h('tr', {}, heads)),
            h('tbody', {}, body),
        ),
    );
}

/** A text in which none of the parts, names of cards and amounts, is broken over two lines. */
export function unbroken(text, parts) {
    return parts.filter(Boolean).reduce((nodes, part) => nodes.flatMap((node) => {
        const at = typeof node === 'string' ? node.indexOf(part) : -1;
        return at < 0 ? [node] : [node.slice(0, at), h('span', {class: 'unbroken'}, part), node.slice(at + part.length)];
    }), [text]);
}

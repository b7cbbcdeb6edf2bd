// The rows of prices being typed: what is in them, and what the server says of each while it is typed.
import {get, Problem, ROWS_MAX} from './api.js';
import {h, show} from './dom.js';
import './facts.js';
import {country, currencyWord, date, isKnown, money, number, shortName, typedNumber} from './format.js';
import {currencyOf} from './question.js';
import {t, word} from './text.js';

const FIELDS = ['gpu', 'condition', 'amount', 'currency', 'market', 'observed_on', 'source', 'note'];
const CONDITIONS = ['used', 'new', 'msrp'];
const MARKETS = ['us', 'eu', 'cn', 'de', 'fr', 'gr', 'gb', 'ch', 'hk', 'tw', 'jp', 'au', 'ru'];
const MARKET_OF = {USD: 'us', EUR: 'eu', CNY: 'cn'};
const DRAFT = 'prices'; // in the storage of the session: no secret, and a reload must not lose it
const WRONG_FACTOR = 4; // from here on a digit is likely wrong: the server holds such prices back
const ODD_FACTOR = 2;

let rows = restore();
let rowsMade = rows.length;

function restore() {
    try {
        const kept = JSON.parse(sessionStorage.getItem(DRAFT));
        return kept.rows.filter(isFilled).map((row, key) => ({...row, key}));
    } catch {
        return []; // nothing kept, or not by this program
    }
}

function lastSource() {
    try {
        return JSON.parse(sessionStorage.getItem(DRAFT)).source ?? '';
    } catch {
        return '';
    }
}

function save() {
    const source = rows.findLast((row) => row.source !== '')?.source ?? lastSource();
    const kept = rows.map((row) => Object.fromEntries(FIELDS.map((name) => [name, row[name]])));
    sessionStorage.setItem(DRAFT, JSON.stringify({rows: kept, source}));
}

/** The server's day: it counts in UTC. */
function today() {
    return new Date().toISOString().slice(0, 10);
}

/** A row after another one: what seldom changes within a sitting is the same. */
function blank(before) {
    const currency = before?.currency ?? currencyOf({});
    rowsMade += 1;
    return {
        key: rowsMade,
        gpu: '',
        amount: '',
        note: '',
        condition: before?.condition ?? 'used',
        currency,
        market: before?.market ?? MARKET_OF[currency],
        observed_on: before?.observed_on ?? today(),
        source: before?.source ?? lastSource(),
    };
}

function isFilled(row) {
    return [row.gpu, row.amount, row.note].some((text) => text.trim() !== '');
}

/** The rows in which something is typed. */
export function filledRows() {
    return rows.filter(isFilled);
}

/** A price as POST /prices takes it. What is no number goes as it is: the server says what is allowed. */
function priceOf(row) {
    const given = FIELDS.map((name) => [name, row[name].trim()]).filter(([, text]) => text !== '');
    const price = Object.fromEntries(given);
    const amount = typedNumber(row.amount);
    return amount === null ? price : {...price, amount};
}

/** What to send, and for which rows; done() takes those away that were not changed meanwhile. */
export function batch() {
    const sent = filledRows();
    const prices = sent.map(priceOf);
    const before = JSON.stringify(prices);
    return {
        sent,
        prices,
        done() {
            const isSame = JSON.stringify(sent.map(priceOf)) === before;
            const last = sent.at(-1);
            rows = isSame ? rows.filter((row) => !sent.includes(row)) : rows;
            rows = rows.length > 0 ? rows : [blank(last)];
            save();
        },
        /** After an undo: what was sent is there again to be mended, unless something else is typed already. */
        restore() {
            if (filledRows().length === 0) {
                rows = [...sent];
                save();
            }
        },
    };
}

const controlId = (row, name) => `r${row.key}-${name}`;

function focusCard(row) {
    document.querySelector(`#${controlId(row, 'gpu')}`).focus();
}

function field(row, name, label, control, more) {
    control.id = controlId(row, name);
    control.name = name;
    control.setAttribute('aria-describedby', `${control.id}-error`);
    return h(
        'div',
        {class: ['field', `of-${name}`].join(' ')},
        h('label', {for: control.id}, label),
        control,
        more,
        h('p', {class: 'error', id: `${control.id}-error`, hidden: true}),
    );
}

function input(row, name, properties) {
    const control = h('input', {type: 'text', autocomplete: 'off', spellcheck: 'false', ...properties});
    control.value = row[name];
    return control;
}

function select(row, name, values, wordOf) {
    return h(
        'select',
        {},
        values.map((value) => h('option', {value, selected: row[name] === value}, wordOf(value))),
    );
}

/** Where the answer of the server is shown while a row is typed. */
function sayPlan(row) {
    const place = document.querySelector(`#${controlId(row, 'plan')}`);
    const names = document.querySelector(`#${controlId(row, 'names')}`);
    if (place === null || names === null) {
        return; // another view is shown
    }
    const found = row.found;
    show(names, found?.candidates ? candidatesOf(row, found) : cardOf(found));
    if (!found?.card) {
        show(place, h('span', {class: 'note'}, '–'));
        return;
    }
    const price = found.card.price;
    show(
        place,
        isKnown(price)
            ? [
                  h('span', {class: 'amount'}, money(price.planning, price.currency)),
                  h(
                      'span',
                      {class: price.stale ? 'note stale' : 'note'},
                      [word('values', price.condition), date(price.observed_on)].join(t('comma')),
                  ),
                  difference(typedNumber(row.amount) / price.planning),
              ]
            : h('span', {class: 'note'}, t('entry.no_plan')),
    );
}

/** How the amount stands to the planning price; loud where a digit is likely wrong. */
function difference(ratio) {
    if (!(ratio > 0)) {
        return null;
    }
    const factor = Math.max(ratio, 1 / ratio);
    if (factor >= ODD_FACTOR) {
        const isWrong = factor >= WRONG_FACTOR * 0.98;
        return h(
            'span',
            {class: isWrong ? 'tag bad' : 'tag warn'},
            `${ratio < 1 ? '÷' : '×'} ${number(factor, 1)}`,
            isWrong ? ` ${t('entry.check')}` : null,
        );
    }
    const percent = Math.round((ratio - 1) * 100);
    const sign = percent > 0 ? '+' : '−';
    return h('span', {class: 'note'}, percent === 0 ? t('entry.same') : `${sign}${Math.abs(percent)} %`);
}

function cardOf(found) {
    return found?.card ? h('span', {class: 'note'}, `→ ${shortName(found.card.name)}`) : null;
}

function candidatesOf(row, found) {
    const pick = (id) => {
        row.gpu = id;
        document.querySelector(`#${controlId(row, 'gpu')}`).value = id;
        changed(row, 'gpu');
        look(row);
        document.querySelector(`#${controlId(row, 'amount')}`).focus();
    };
    return [
        h('p', {class: 'small'}, found.candidates.length > 0 ? t('which') : t('entry.is_unknown')),
        found.candidates.map((card) =>
            h('button', {type: 'button', class: 'pill', onclick: () => pick(card.id)}, shortName(card.name)),
        ),
    ];
}

/** Asks which card a name means and what it is planned with; an older answer never lands. */
async function look(row) {
    row.looking?.abort();
    const mine = new AbortController();
    row.looking = mine;
    const name = row.gpu.trim();
    if (name === '') {
        row.found = null;
        sayPlan(row);
        return;
    }
    try {
        const asked = {condition: row.condition === 'used' ? 'used' : 'new', currency: row.currency};
        const card = await get(`/gpus/${encodeURIComponent(name)}`, asked, mine.signal);
        row.found = {card};
    } catch (error) {
        if (mine.signal.aborted) {
            return;
        }
        // A server that is gone says so when the rows are sent; typing goes on without it.
        const isNamed = error instanceof Problem && [300, 404].includes(error.status);
        row.found = isNamed ? {candidates: [...error.candidates, ...error.suggestions]} : null;
    }
    sayPlan(row);
}

/** What is wrong with a row, at its fields. Kept with the row: it outlives a switch of the language. */
function sayErrors(row) {
    for (const name of FIELDS) {
        const control = document.querySelector(`#${controlId(row, name)}`);
        if (control === null) {
            return; // another view is shown
        }
        const place = document.querySelector(`#${control.id}-error`);
        const texts = row.errors?.[name] ?? [];
        show(place, texts.map((text) => h('span', {}, text)));
        place.hidden = texts.length === 0;
        if (place.hidden) {
            control.removeAttribute('aria-invalid');
        } else {
            control.setAttribute('aria-invalid', 'true');
        }
    }
}

/** Marks what is wrong, [{row, name, text}] by fields, and nothing else; the first field is focused. */
export function showErrors(errors) {
    for (const row of rows) {
        row.errors = {};
    }
    for (const {row, name, text} of errors) {
        const at = FIELDS.includes(name) ? name : 'gpu'; // of the row as a whole
        row.errors[at] = [...(row.errors[at] ?? []), text];
    }
    rows.forEach(sayErrors);
    document.querySelector('.entry [aria-invalid]')?.focus();
}

function controlsOf(row) {
    return [
        field(
            row,
            'gpu',
            t('columns.card'),
            input(row, 'gpu', {list: 'entry-cards', placeholder: t('own_hint'), maxlength: 200}),
            h('div', {id: controlId(row, 'names'), class: 'names'}),
        ),
        field(
            row,
            'condition',
            t('condition_column'),
            select(row, 'condition', CONDITIONS, (value) => word('values', value)),
        ),
        field(row, 'amount', t('amount'), input(row, 'amount', {inputmode: 'decimal', maxlength: 20})),
        field(row, 'currency', t('currency'), select(row, 'currency', Object.keys(MARKET_OF), currencyWord)),
        h(
            'div',
            {class: 'field of-plan'},
            h('span', {class: 'label'}, t('entry.planned')),
            h('output', {id: controlId(row, 'plan'), for: controlId(row, 'gpu'), class: 'plan'}),
        ),
        field(row, 'market', t('market'), select(row, 'market', MARKETS, country)),
        field(row, 'observed_on', t('day'), input(row, 'observed_on', {type: 'date', max: today()})),
        field(row, 'source', t('source'), input(row, 'source', {maxlength: 300})),
        field(row, 'note', t('columns.note'), input(row, 'note', {maxlength: 300})),
    ];
}

/** After a change: what follows from it. */
function changed(row, name) {
    if (name === 'currency' && Object.values(MARKET_OF).includes(row.market)) {
        row.market = MARKET_OF[row.currency];
        document.querySelector(`#${controlId(row, 'market')}`).value = row.market;
    }
    if (row.errors?.[name] !== undefined) {
        delete row.errors[name];
        sayErrors(row);
    }
    save();
    if (name === 'gpu') {
        row.looking?.abort();
        row.found = null; // asked for again once the name is whole: half a name is a name of nothing
    }
    sayPlan(row);
    if (['condition', 'currency'].includes(name)) {
        look(row);
    }
}

/** Goes on from a row: to what it still lacks, then to the next one, which is made where there is none. */
function goOn(row, from, add) {
    const missing = ['gpu', 'amount'].find((name) => row[name].trim() === '' && name !== from);
    if (missing !== undefined) {
        document.querySelector(`#${controlId(row, missing)}`).focus();
        return;
    }
    const place = rows.indexOf(row);
    if (place === rows.length - 1 && isFilled(row)) {
        add();
        return;
    }
    focusCard(rows[Math.min(place + 1, rows.length - 1)]);
}

function rowElement(row, {form, redraw, add, onchange}) {
    const index = rows.indexOf(row);
    const oninput = (event) => {
        if (FIELDS.includes(event.target.name)) {
            row[event.target.name] = event.target.value;
            changed(row, event.target.name);
            onchange();
        }
    };
    const onchosen = (event) => {
        if (event.target.name === 'gpu') {
            look(row);
        }
    };
    const remove = () => {
        rows = rows.filter((one) => one !== row);
        rows = rows.length > 0 ? rows : [blank(row)];
        save();
        redraw();
        onchange();
        focusCard(rows[Math.min(index, rows.length - 1)]);
    };
    const onkeydown = (event) => {
        if (event.key !== 'Enter' || event.isComposing || event.target.matches('button')) {
            return;
        }
        event.preventDefault();
        if (event.ctrlKey || event.metaKey) {
            form.requestSubmit();
        } else {
            goOn(row, event.target.name, add);
        }
    };
    return h(
        'fieldset',
        {class: 'entry', oninput, onkeydown, onchange: onchosen},
        h('legend', {class: 'hidden'}, t('entry.row', index + 1)),
        controlsOf(row),
        h(
            'button',
            {type: 'button', class: 'quiet remove', 'aria-label': t('entry.remove', index + 1), onclick: remove},
            '×',
        ),
    );
}

/** What draws the rows into a place of the form and adds one; onchange is called when one is changed. */
export function rowsIn(form, place, onchange) {
    rows = rows.length > 0 ? rows : [blank()];
    const on = {form, onchange};
    on.redraw = () => {
        show(place, rows.map((row) => rowElement(row, on)));
        rows.forEach(sayPlan);
        rows.forEach(sayErrors);
    };
    on.add = () => {
        rows.push(blank(rows.at(-1)));
        place.append(rowElement(rows.at(-1), on));
        sayPlan(rows.at(-1));
        focusCard(rows.at(-1));
    };
    rows.forEach(look);
    return on;
}

/** Cards to choose from while one types. */
export async function offerCards(list) {
    const cards = await get('/gpus', {limit: ROWS_MAX});
    show(list, cards.data.map((card) => h('option', {value: card.id}, card.name)));
}

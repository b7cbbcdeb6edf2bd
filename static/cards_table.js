// The table of all cards: its columns, what a question says in them, and the order.
import {cardAddress} from './api.js';
import {compareBox} from './compare_tray.js';
import {h, s} from './dom.js';
import {factValue} from './facts.js';
import {currencyWord, date, gib, isKnown, number, rough, shortName, speedUnit} from './format.js';
import {RowWindow} from './row_window.js';
import {sourced, sourcedPrice, speedNote} from './source_note.js';
import {t, word} from './text.js';

const STATUS_TAGS = {ending: 'tag warn', dropped: 'tag bad', none: 'tag bad', unofficial: 'tag warn'};

function unknown(text = t('unknown')) {
    return h('span', {class: 'note'}, text);
}

/** A bar from 0 on the scale of the column, beside its number. */
function bar(value, top) {
    return s(
        'svg',
        {class: 'length', height: 6, 'aria-hidden': 'true'},
        s('rect', {width: `${Math.max(0, Math.min(100, (100 * value) / top)).toFixed(2)}%`, height: 6}),
    );
}

function figure(value, top, digits = 0) {
    return [h('span', {class: 'amount'}, number(value, digits)), bar(value, top)];
}

function memoryCell(card) {
    const parts = card.memory_gib / card.memory_per_process_gib;
    return parts > 1
        ? [gib(card.memory_per_process_gib), h('span', {class: 'note'}, ` × ${number(parts)}`)]
        : gib(card.memory_gib);
}

function tensorCell(card, top) {
    if (!isKnown(card.tensor_fp16_tflops)) {
        return unknown(card.tensor_cores === 0 ? t('none') : t('unknown'));
    }
    return top === null ? number(card.tensor_fp16_tflops, 1) : figure(card.tensor_fp16_tflops, top, 1);
}

/** The vendor's stack of a card, and what is wrong with it. */
function softwareCell({support}) {
    const stack = {cuda: 'CUDA', rocm: 'ROCm', driver: null}[support?.framework] ?? null;
    const last = support?.cuda_last ?? support?.rocm_last;
    const words = [[stack, last].filter(isKnown).join(' '), word('statuses', support?.status ?? 'unknown_status')];
    const isFine = support?.status === 'supported';
    return h(
        'span',
        {class: STATUS_TAGS[support?.status] ?? (isFine ? null : 'note')},
        isFine && stack !== null ? stack : words.filter(Boolean).join(t('comma')),
    );
}

function staleSign(price) {
    return price.stale ? [h('span', {'aria-hidden': 'true'}, ' △'), h('span', {class: 'hidden'}, t('stale'))] : null;
}

function priceCell({price}) {
    return isKnown(price)
        ? [
              sourcedPrice(number(price.planning), price),
              h('span', {class: price.stale ? 'note month stale' : 'note month'}, date(price.observed_on?.slice(0, 7)), staleSign(price)),
          ]
        : unknown();
}

function seenCell({price}) {
    return isKnown(price)
        ? h(
              'span',
              {class: price.stale ? 'note stale' : 'note', title: price.stale ? t('stale') : null},
              `${word('condition_word', price.condition)} ${date(price.observed_on)}`,
              staleSign(price),
          )
        : '';
}

/** How fast the card does the work that is asked for, or why the answer leaves it out. */
function speedCell(card, judgement, top) {
    const speed = judgement.speeds.get(card.id);
    const fit = judgement.fits.get(card.id);
    const reason = judgement.reasons.get(card.id)?.[0];
    const why = reason
        ? h('span', {class: 'note', title: reason.text}, word('rejections', reason.code))
        : null;
    if (!speed || !fit?.fits) {
        return why ?? unknown(fit?.fits === false ? word('rejections', 'memory-too-small') : t('cards.no_speed'));
    }
    const range = t('cards.range', rough(speed.low), rough(speed.high));
    return [
        sourced([rough(speed.value), h('span', {class: 'hidden'}, `${t('comma')}${range}`)], () => speedNote(speed)),
        why ?? h('span', {class: 'lane'}, bar(speed.value, top), h('span', {class: 'note'}, `${rough(speed.low)}–${rough(speed.high)}`)),
    ];
}

/** The greatest speed of the cards that fit, so that the bars have one scale. */
function topSpeed(cards, judgement) {
    return Math.max(1e-9, ...cards.map(({id}) =>
        (judgement.fits.get(id)?.fits && !judgement.reasons.has(id) ? judgement.speeds.get(id)?.value ?? 0 : 0)));
}

/** The columns: name for the styles, head, unit, cell, sort: what the address calls the order by it. */
function columnsFor(cards, currency, judgement) {
    const top = judgement === null
        ? Math.max(1e-9, ...cards.map((card) => card.tensor_fp16_tflops ?? 0))
        : topSpeed(cards, judgement);
    const nameOf = (card) => h('a', {href: cardAddress(card.id), title: card.name}, shortName(card.name));
    return [
        {name: 'card', head: t('columns.card'), sort: 'name', cell: (card) => [compareBox(card.id, card.name), nameOf(card)]},
        {name: 'architecture', head: t('cards.architecture'), cell: (card) => card.architecture},
        {name: 'memory', head: t('memory'), unit: 'GiB', sort: 'memory_gib', isNumber: true, cell: memoryCell},
        {name: 'bandwidth', head: t('cards.bandwidth'), unit: 'GB/s', sort: 'memory_bandwidth_gb_s', isNumber: true,
            cell: (card) => factValue('memory_bandwidth_gb_s', card.memory_bandwidth_gb_s, 0)},
        {name: judgement === null ? 'lengths' : 'tensor', head: t('cards.fp16'), unit: 'TFLOPS', sort: 'tensor_fp16_tflops',
            isNumber: judgement !== null, cell: (card) => tensorCell(card, judgement === null ? top : null)},
        {name: 'power', head: t('cards.power'), unit: 'W', sort: 'tdp_watts', isNumber: true,
            cell: (card) => (isKnown(card.tdp_watts) ? number(card.tdp_watts) : unknown())},
        {name: 'cooling', head: t('cards.cooling'),
            cell: (card) => [word('values', card.cooling), card.slots].filter(isKnown).join(t('comma')) || unknown()},
        {name: 'software', head: t('cards.software'), cell: softwareCell},
        {name: 'price', head: t('columns.price'), unit: currencyWord(currency), sort: 'price', isNumber: true, cell: priceCell},
        {name: 'seen', head: t('cards.seen'), cell: seenCell},
        judgement === null ? null : {name: 'speed', head: t('columns.speed'), unit: judgement.unit ? speedUnit(judgement.unit) : null,
            sort: 'speed', cell: (card) => speedCell(card, judgement, top)},
    ].filter((column) => column !== null);
}

/** Names begin at A, prices at the cheapest; of all else the greatest is looked for. */
function firstOrder(field) {
    return ['name', 'price', 'tdp_watts', 'id'].includes(field) ? field : `-${field}`;
}

/** All orders as [value of the address, words]: a choice for those who do not see the heads. */
export function orders(isAsked) {
    const fields = ['name', 'memory_gib', 'memory_bandwidth_gb_s', 'tensor_fp16_tflops', 'fp32_tflops', 'tdp_watts', 'nvlink_gb_s',
        'release_date', 'price', 'id', ...(isAsked ? ['speed'] : [])];
    return fields.flatMap((field) => [firstOrder(field), turned(firstOrder(field))])
        .map((order) => [order, `${word('cards.orders', order.replace('-', ''))} ${arrow(order)}`]);
}

function turned(order) {
    return order.startsWith('-') ? order.slice(1) : `-${order}`;
}

function arrow(order) {
    return order.startsWith('-') ? '↓' : '↑';
}

function headCell(column, sort, onsort) {
    const isSorted = column.sort !== undefined && [column.sort, `-${column.sort}`].includes(sort);
    const words = [column.head, isSorted ? h('span', {'aria-hidden': 'true'}, ` ${arrow(sort)}`) : null];
    return h(
        'th',
        {
            scope: 'col',
            class: [`c-${column.name}`, column.isNumber ? 'number' : null].filter(Boolean).join(' '),
            'aria-sort': isSorted ? (sort.startsWith('-') ? 'descending' : 'ascending') : null,
        },
        column.sort === undefined
            ? column.head
            : h(
                  'button',
                  {
                      type: 'button',
                      class: 'sort',
                      'data-sort': column.sort,
                      onclick: () => onsort(isSorted ? turned(sort) : firstOrder(column.sort)),
                  },
                  words,
              ),
        column.unit ? h('span', {class: 'unit'}, column.unit) : null,
    );
}

/** By speed of the question: what fits it first, unknown last whichever way. All else is ordered by the server. */
export function bySpeed(cards, judgement, isDown) {
    const value = ({id}) => (judgement.fits.get(id)?.fits ? judgement.speeds.get(id)?.value ?? null : null);
    const group = (card) => (value(card) === null ? 2 : judgement.reasons.has(card.id) ? 1 : 0);
    return [...cards].sort((a, b) => group(a) - group(b) || (isDown ? -1 : 1) * (value(a) - value(b)));
}

/** The table; show(cards, …) fills it anew and keeps the focus on the head that was pressed. */
export class CardsTable {
    constructor(signal) {
        this.head = h('tr', {'aria-rowindex': 1});
        this.body = h('tbody');
        this.table = h('table', {class: 'cards-table'},
            h('caption', {class: 'hidden'}, t('views.cards')), h('thead', {}, this.head), this.body);
        this.columns = [];
        this.rows = new RowWindow(this.body, (card) => this.row(card), signal);
    }

    row(card) {
        return h('tr', {'data-gpu': card.id}, this.columns.map((column, index) => h(
            index === 0 ? 'th' : 'td',
            {scope: index === 0 ? 'row' : null, class: [`c-${column.name}`, column.isNumber ? 'number' : null].filter(Boolean).join(' ')},
            column.cell(card),
        )));
    }

    show(cards, {currency, judgement, sort, onsort}) {
        const focused = this.head.contains(document.activeElement) ? document.activeElement.dataset.sort : null;
        this.columns = columnsFor(cards, currency, judgement);
        this.table.classList.toggle('asked', judgement !== null);
        this.table.setAttribute('aria-rowcount', cards.length + 1);
        this.head.replaceChildren(...this.columns.map((column) => headCell(column, sort, onsort)));
        if (focused !== null) {
            this.head.querySelector(`[data-sort="${focused}"]`)?.focus({preventScroll: true});
        }
        this.rows.show(cards);
    }
}

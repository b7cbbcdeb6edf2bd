// Cards side by side: a column a card, the rows of /compare in groups, the best of each marked as the server marks it.
import {cardAddress} from './api.js';
import {h, s} from './dom.js';
import {factValue, featureNames} from './facts.js';
import {currencyWord, date, gib, isKnown, number, rough, shortName, speedUnit} from './format.js';
import {CURRENCIES} from './question.js';
import {priceNote, sourced, speedNote} from './source_note.js';
import {t, word} from './text.js';

/** Rows by group, in this order; a row that the server has and this list has not comes last, under a head of its own. */
const GROUPS = {
    answer: ['fits', 'speed', 'tokens_per_s_per_user', 'prefill_tokens_per_s', 'needed_gib', 'available_gib', 'headroom_gib',
        'job_hours', 'count', 'strategy', 'score'],
    money: ['price', 'price_new', 'price_used', 'cost', 'cost_per_month', 'energy'],
    silicon: ['architecture', 'release_date', 'memory_gib', 'memory_per_process_gib', 'memory_bandwidth_gb_s', 'ecc',
        'tensor_fp16_tflops', 'tensor_bf16_tflops', 'tensor_fp8_tflops', 'tensor_int8_tops', 'fp16_tflops', 'fp32_tflops'],
    machine: ['tdp_watts', 'power_connectors', 'slots', 'board_length_mm', 'form_factor', 'cooling', 'nvlink_gb_s', 'pcie_gen',
        'pcie_lanes', 'display_outputs'],
    software: ['support', 'support_pytorch', 'support_tensorflow', 'support_jax', 'support_llama_cpp', 'features'],
};
/** Shown in the row of the speed, as its range. */
const WITHIN = ['speed_low', 'speed_high'];
/** Of these nothing is said where no card has one: the question does not ask for it. */
const IF_ASKED = ['tokens_per_s_per_user', 'prefill_tokens_per_s', 'job_hours'];
const MONEY_CENTS_BELOW = 100;

function grouped(rows) {
    const shown = rows.filter(({field, values}) => !WITHIN.includes(field) && !(IF_ASKED.includes(field) && !values.some(isKnown)));
    const byField = new Map(shown.map((row) => [row.field, row]));
    const groups = Object.entries(GROUPS).map(([name, fields]) => [name, fields.map((field) => byField.get(field)).filter(Boolean)]);
    const others = shown.filter(({field}) => !Object.values(GROUPS).flat().includes(field));
    return [...groups, ['more', others]].filter(([, own]) => own.length > 0);
}

function unitOf({field, unit}) {
    if (CURRENCIES.includes(unit)) {
        return currencyWord(unit);
    }
    return isKnown(unit) && isSpeed(field) ? speedUnit(unit) : word('unit_words', unit);
}

function isSpeed(field) {
    return field === 'speed' || field.endsWith('_per_s') || field.endsWith('_per_user');
}

/** A value in words; what is unknown for want of tensor cores is none. */
function words({field, unit}, value, card) {
    if (!isKnown(value)) {
        return field.startsWith('tensor_') && card.tensor_cores === 0 ? t('none') : t('unknown');
    }
    if (field === 'features') {
        return featureNames(value.split(' '));
    }
    if (field === 'strategy') {
        return word('strategies', value);
    }
    if (unit === 'GiB') {
        return gib(value);
    }
    if (CURRENCIES.includes(unit)) {
        return number(value, Math.abs(value) < MONEY_CENTS_BELOW ? 2 : 0);
    }
    if (isSpeed(field)) {
        return rough(value);
    }
    return factValue(field, value);
}

function bar(row, index) {
    const top = Math.max(...row.values.map((value) => value ?? 0));
    const isDrawn = typeof row.values[index] === 'number' && row.unit !== null && top > 0 && row.values.some((value) => value !== top);
    return isDrawn
        ? s('svg', {class: 'length', height: 6, width: '100%', 'aria-hidden': 'true'},
            s('rect', {class: 'whole', width: '100%', height: 6}),
            s('rect', {class: 'part', width: `${Math.max(0, (100 * row.values[index]) / top).toFixed(2)}%`, height: 6}))
        : null;
}

function priceOf(row, card) {
    return {price: card.price, price_new: card.price_new, price_used: card.price_used}[row.field] ?? null;
}

/** What stands below a value: the day of a price, the range of a speed. */
function below(row, card, index, rows) {
    const price = priceOf(row, card);
    if (isKnown(price)) {
        return h('span', {class: price.stale ? 'note stale' : 'note'},
            row.field === 'price' ? `${word('condition_word', price.condition)} ` : null,
            date(price.observed_on),
            price.stale ? [h('span', {'aria-hidden': 'true'}, ' △ '), h('span', {class: 'flag'}, t('stale'))] : null);
    }
    const [low, high] = WITHIN.map((field) => rows.find((one) => one.field === field)?.values[index]);
    return row.field === 'speed' && isKnown(low)
        ? h('span', {class: 'note'}, t('compare.range', rough(low), rough(high)))
        : null;
}

/** A value with its source where it has one of its own; those of the facts stand below the table. */
function shownValue(row, card, index, rows) {
    const text = words(row, row.values[index], card);
    const price = priceOf(row, card);
    if (isKnown(price)) {
        return sourced(text, () => priceNote(price));
    }
    if (row.field === 'speed' && isKnown(row.values[index])) {
        const [low, high] = WITHIN.map((field) => rows.find((one) => one.field === field)?.values[index]);
        return sourced(text, () => speedNote({value: row.values[index], unit: row.unit, low, high}));
    }
    if (row.field === 'fits' && isKnown(row.values[index])) {
        const fits = row.values[index];
        return h('span', {class: fits ? 'yes' : 'no'}, h('span', {'aria-hidden': 'true'}, fits ? '✓ ' : '✕ '), text);
    }
    return text;
}

function cell(row, card, index, rows) {
    const isBest = row.best?.includes(index) ?? false;
    const isUnknown = !isKnown(row.values[index]);
    return h('td', {class: [isBest ? 'best' : null, isUnknown ? 'unknown' : null].filter(Boolean).join(' ') || null, 'data-column': index},
        h('span', {class: 'value'},
            shownValue(row, card, index, rows),
            isBest ? h('span', {class: 'dot', 'aria-hidden': 'true'}, ' ●') : null,
            isBest ? h('span', {class: 'hidden'}, ` ${t('compare.best')}`) : null),
        bar(row, index),
        below(row, card, index, rows));
}

/** The verdict on a card: every reason why it is left out, or that it is not. */
function verdict(card) {
    return card.rejected.length === 0
        ? h('span', {class: 'tag good'}, t('compare.passes'))
        : card.rejected.map(({code, text}) => h('span', {class: 'tag bad', title: text}, word('rejections', code)));
}

function headCell(card, index, onremove) {
    const name = shortName(card.name);
    return h('th', {scope: 'col', 'data-column': index, 'data-gpu': card.id},
        h('a', {href: cardAddress(card.id)}, name),
        h('button', {type: 'button', class: 'link', 'aria-label': t('compare.remove_card', name), onclick: () => onremove(card.id)},
            t('compare.remove')));
}

function verdictRow(gpus) {
    return h('tr', {'data-field': 'verdict'},
        h('th', {scope: 'row'}, t('compare.question')),
        gpus.map((card, index) => h('td', {'data-column': index}, verdict(card))));
}

/** Rows are as many values wide as there are cards; onlyDifferent leaves out those where all are the same. */
export function compareTable({gpus, rows}, {onremove, onlyDifferent}) {
    const differs = ({values}) => values.some((value) => value !== values[0]);
    const head = h('thead', {}, h('tr', {},
        h('td', {}, h('span', {class: 'hidden'}, t('compare.fact'))),
        gpus.map((card, index) => headCell(card, index, onremove))));
    const bodies = grouped(rows)
        .map(([name, own]) => [name, onlyDifferent ? own.filter(differs) : own])
        .filter(([, own]) => own.length > 0)
        .map(([name, own]) => h('tbody', {},
            h('tr', {class: 'group'}, h('th', {scope: 'rowgroup'}, word('compare.groups', name)),
                gpus.map((card, index) => h('td', {'data-column': index}))), // no wide cell: phones leave columns out
            name === 'answer' ? verdictRow(gpus) : null,
            own.map((row) => h('tr', {'data-field': row.field},
                h('th', {scope: 'row'}, row.label, unitOf(row) ? h('span', {class: 'unit'}, ` ${unitOf(row)}`) : null),
                gpus.map((card, index) => cell(row, card, index, rows))))));
    return h('table', {class: `compare-table cards-${gpus.length}`}, h('caption', {class: 'hidden'}, t('compare.title')), head, bodies);
}

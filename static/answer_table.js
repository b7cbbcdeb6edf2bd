// The alternatives: every card that fits in the order of rank, its memory and speed drawn on one scale for the column.
import {cardAddress, queryOf} from './api.js';
import {costNote} from './answer_figures.js';
import {h, show, table} from './dom.js';
import {currencyWord, gib, isKnown, number, rough, shortName, speedUnit} from './format.js';
import {memoryMark, rangeMark} from './marks.js';
import {questionOf} from './question.js';
import {sourced, sourcedPrice, speedNote} from './source_note.js';
import {language, t, word, worded} from './text.js';

const SHOWN_AT_FIRST = 8;

/** A unit that stands beside its number where the heads of the columns have no place. */
function unit(text) {
    return h('span', {class: 'unit beside'}, ` ${text}`);
}

function name({gpu, count}) {
    return [h('a', {href: cardAddress(gpu.id)}, (count > 1 ? `${count} × ` : '') + shortName(gpu.name))];
}

/** The month of a price: enough beside nine others, the note tells the day. */
function monthOf({basis, observed_on: day}) {
    return basis === 'quoted' || !isKnown(day) ? t('bases.quoted') : day.slice(0, 7);
}

function price(pick) {
    const {price: {total, planning, currency, condition}, count} = pick;
    return [
        number(total ?? planning * count), unit(currencyWord(currency)),
        h('div', {class: 'note'}, sourcedPrice([t(`condition_word.${condition}`), t('comma'), monthOf(pick.price)], pick.price)),
    ];
}

/** What the job takes on this card at the ends of the range: the overhead has none. */
function rangeOf(need, fit) {
    const overhead = need.overhead_gib ?? 0;
    const scale = (end) => (need.per_gpu_gib > overhead && isKnown(end)
        ? ((fit.needed_gib - overhead) * (end - overhead)) / (need.per_gpu_gib - overhead) + overhead : fit.needed_gib);
    return {low: scale(need.per_gpu_low_gib), high: scale(need.per_gpu_high_gib)};
}

function left({fit}) {
    return [h('span', {class: fit.tight ? 'stale' : null}, gib(fit.headroom_gib)), unit(t('answer.left_unit'))];
}

function memory(need, top) {
    return ({fit}) => {
        const {low, high} = rangeOf(need, fit);
        const said = t('answer.memory_of', gib(fit.needed_gib), gib(low), gib(high), gib(fit.available_gib));
        return memoryMark({needed: fit.needed_gib, low, high, has: fit.available_gib, isTight: fit.tight}, top, said);
    };
}

function speed({speed: facts}) {
    return isKnown(facts.value) ? [sourced(rough(facts.value), () => speedNote(facts)), unit(speedUnit(facts.unit))] : t('unknown');
}

function cost({cost: facts}) {
    return isKnown(facts.total) ? sourced(number(facts.total), () => costNote(facts)) : t('unknown');
}

function watts({gpu, count}) {
    return isKnown(gpu.tdp_watts) ? number(gpu.tdp_watts * count) : t('unknown');
}

function tag(kind, text) {
    return h('span', {class: `tag ${kind}`}, text);
}

function tags({labels, price: facts, fit, gpu, speed: {unproven}}) {
    const status = gpu.support?.status;
    return [
        (labels ?? []).map((label) => tag('good', word('labels', label))),
        facts.stale ? tag('warn', t('answer.stale_price')) : null,
        fit.tight ? tag('warn', t('tight')) : null,
        ['ending', 'dropped', 'unofficial', 'none'].includes(status) ? tag('warn', word('statuses', status)) : null,
        unproven ? tag('warn', t('answer.unproven')) : null,
        gpu.support?.framework === 'rocm' || gpu.vendor === 'amd' ? tag('', 'ROCm') : null,
        ['passive', 'blower'].includes(gpu.cooling) ? tag('', t(`answer.${gpu.cooling}`)) : null,
    ];
}

/** Boxes for comparison come when their module is there: the first answer does not wait for it. */
function box({gpu}) {
    const place = h('span', {class: 'box-place'});
    const add = ({compareBox}) => place.append(compareBox(gpu.id, gpu.name));
    worded(import('./compare_tray.js')).then(add, () => {}); // or the row is without
    return place;
}

function columnsOf(answer, picks) {
    const topMemory = 1.01 * Math.max(...picks.map((pick) => Math.max(pick.fit.available_gib, rangeOf(answer.need, pick.fit).high)));
    const topSpeed = 1.01 * Math.max(...picks.map((pick) => pick.speed.high ?? 0));
    const {currency} = picks[0].price;
    return [
        {head: t('columns.card'), class: 'col-card', cell: name},
        {head: t('columns.price'), unit: currencyWord(currency), number: true, class: 'col-price', cell: price},
        {head: t('answer.left'), unit: 'GiB', number: true, class: 'col-left', cell: left},
        {head: t('answer.has_memory'), unit: 'GiB', class: 'col-memory', cell: memory(answer.need, topMemory)},
        {head: t('columns.speed'), unit: speedUnit(picks[0].speed.unit), number: true, class: 'col-speed', cell: speed},
        {head: t('columns.range'), class: 'col-range', cell: ({speed: facts}) => (isKnown(facts.value)
            ? rangeMark(facts, topSpeed, t('answer.speed_of', rough(facts.low), rough(facts.high))) : t('unknown'))},
        {head: t('answer.over_months', answer.query.months), unit: currencyWord(currency), number: true, class: 'col-cost', cell: cost},
        {head: t('columns.watts'), number: true, class: 'col-watts', cell: watts},
        {head: t('columns.note'), class: 'col-note', cell: tags},
        {head: t('answer.box'), class: 'col-box', cell: box},
    ];
}

function fieldTable(answer, picks) {
    return table(t('alternatives'), columnsOf(answer, answer.picks), picks,
        (pick) => ({class: pick.rank === 1 ? 'pick' : null, 'data-gpu': pick.gpu.id}));
}

/** The section with the table; a long one shows its first rows until more are asked for. */
export function alternatives(answer, {query = {}}) {
    const {picks} = answer;
    const place = h('div', {class: 'field-table'}, fieldTable(answer, picks.slice(0, SHOWN_AT_FIRST)));
    const showAll = () => {
        show(place, fieldTable(answer, picks));
        more.remove();
        place.querySelectorAll('tbody a')[SHOWN_AT_FIRST]?.focus({preventScroll: true});
    };
    const more = picks.length > SHOWN_AT_FIRST
        ? h('button', {type: 'button', class: 'link', onclick: showAll}, t('answer.show', picks.length)) : null;
    const lang = language() === 'zh' ? 'zh' : '';
    const csv = `/recommend?${queryOf({...questionOf(query), limit: Math.max(answer.fitting, 1), format: 'csv', lang})}`;
    return h('section', {class: 'alternatives'},
        h('h2', {}, t('alternatives')),
        h('p', {class: 'small'}, t('answer.ranked')),
        place,
        h('p', {class: 'links'}, more, h('a', {href: csv, download: 'gpuwise.csv'}, t('answer.csv'))));
}

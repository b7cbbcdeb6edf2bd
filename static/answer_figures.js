// The six figures under the verdict, each with its unit and the note that says where it comes from.
import {isOfAnother, offerOf} from './answer_verdict.js';
import {figure, h} from './dom.js';
import {amount, currencyWord, date, gib, isKnown, money, number, rough, shortName, speedUnit} from './format.js';
import {sign} from './marks.js';
import {ageOf, priceNote, sourced, sourcedOffer, sourcedPrice, specNote, speedNote} from './source_note.js';
import {t, word} from './text.js';

function stale(text) {
    return [sign(), ` ${text}`];
}

/** When a price was seen, as a button with its note; a stale one says so with a sign and the word. */
function priceLine(price) {
    if (price.basis === 'quoted') {
        return sourced(t('quoted'), () => priceNote(price));
    }
    const seen = t(price.stale ? 'seen_stale' : 'seen', date(price.observed_on));
    return sourcedPrice(price.stale ? stale(seen) : seen, price);
}

function priceFigure(pick) {
    const {price, count} = pick;
    const isGrown = isKnown(price.amount) && Math.abs(price.planning - price.amount) > 0.5;
    return figure(
        t('figures.price', t(`condition_word.${price.condition}`)),
        amount(price.total ?? price.planning * count), currencyWord(price.currency),
        priceLine(price),
        count > 1 ? t('for_cards', count) : null,
        isGrown ? h('span', {class: 'stale'}, t('planned', money(price.planning * count, price.currency))) : null,
        isKnown(price.holds_up_to) ? t('answer.holds', money(price.holds_up_to, price.currency)) : null);
}

function memoryNote(need, fit, count) {
    const each = count > 1 ? ` ${t('answer.of_each', count)}` : '';
    return {
        head: `${gib(fit.needed_gib)} / ${gib(fit.available_gib)} GiB${each}`,
        rows: [
            [t('answer.needs'), `${gib(fit.needed_gib)} GiB`],
            need.per_gpu_low_gib < need.per_gpu_high_gib && count === 1
                ? [t('note_of.rows.range'), `${t('note_of.between', gib(need.low_gib), gib(need.high_gib))} GiB`] : null,
            [t('answer.has'), `${gib(fit.available_gib)} GiB${need.is_floor ? t('comma') + t('answer.as_sold') : ''}`],
            [t('note_of.rows.basis'), word('bases', need.basis)],
        ].filter(Boolean),
        warnings: fit.tight ? [t('answer.tight_note')] : [],
    };
}

function memoryFigure(answer, pick) {
    const {fit, count} = pick;
    return figure(
        t('figures.memory'), h('span', {class: 'unbroken'}, `${gib(fit.needed_gib)} / ${gib(fit.available_gib)}`), 'GiB',
        sourced(t('left', gib(fit.headroom_gib)), () => memoryNote(answer.need, fit, count), {class: fit.tight ? 'stale' : ''}),
        fit.tight ? h('span', {class: 'stale'}, stale(t('tight'))) : null,
        count > 1 ? t('answer.of_each', count) : null);
}

function speedFigure(speed) {
    if (!isKnown(speed.value)) {
        return figure(t('figures.speed'), t('unknown'), null);
    }
    return figure(t('figures.speed'), rough(speed.value), speedUnit(speed.unit),
        sourced(t('between', rough(speed.low), rough(speed.high), word('bases', speed.basis)), () => speedNote(speed)),
        speed.unproven ? h('span', {class: 'stale'}, stale(t('answer.unproven'))) : null);
}

/** The note of a cost: what is paid now and later, and what the card may bring at the end. */
export function costNote(cost) {
    const rows = ['purchase', 'energy', 'resale', 'resale_low', 'resale_mid', 'resale_high', 'per_month', 'per_hour'];
    return {
        head: `${money(cost.total, cost.currency)}${t('comma')}${t('answer.for_months', cost.months, cost.hours_per_month)}`,
        rows: rows.filter((name) => isKnown(cost[name])).map((name) => [t(`answer.${name}`), money(cost[name], cost.currency)]),
        warnings: [],
        source: isKnown(cost.resale) ? t('answer.estimate') : null,
    };
}

function costFigure({cost}) {
    const {currency} = cost;
    const note = isKnown(cost.resale_low)
        ? t('answer.resale_range', amount(cost.resale_low), amount(cost.resale_high))
        : isKnown(cost.resale) ? t('after_resale', money(cost.resale, currency))
            : t('answer.for_months', cost.months, cost.hours_per_month);
    return figure(t('figures.cost', cost.months), isKnown(cost.total) ? amount(cost.total) : t('unknown'),
        isKnown(cost.total) ? currencyWord(currency) : null, sourced(note, () => costNote(cost)));
}

function powerFigure({gpu, count}) {
    const isTold = isKnown(gpu.tdp_watts);
    const facts = () => {
        const note = specNote(t('figures.power'), isTold ? `${number(gpu.tdp_watts)} W` : t('unknown'), {source: gpu.source});
        note.rows = [
            isKnown(gpu.recommended_psu_watts) ? [t('answer.supply'), `${number(gpu.recommended_psu_watts)} W`] : null,
            isKnown(gpu.power_connectors) ? [t('answer.connectors'), gpu.power_connectors] : null,
        ].filter(Boolean);
        return note;
    };
    return figure(t('figures.power'), isTold ? number(gpu.tdp_watts * count) : t('unknown'), isTold ? 'W' : null,
        sourced(t('board_power', count), facts));
}

/** The newest stack that the card runs, as far as the catalogue says. */
function stackOf(gpu) {
    const support = gpu.support ?? {};
    if (isKnown(support.cuda_last)) {
        return t('answer.until', ['CUDA', support.cuda_last].join(' '));
    }
    if (isKnown(support.rocm_last)) {
        return t('answer.until', ['ROCm', support.rocm_last].join(' '));
    }
    if ((gpu.features ?? []).includes('cuda-13')) {
        return 'CUDA 13';
    }
    return {cuda: 'CUDA', rocm: 'ROCm'}[support.framework] ?? word('statuses', support.status ?? 'unknown_status');
}

function softwareFigure({gpu}) {
    const support = gpu.support ?? {};
    const status = word('statuses', support.status ?? 'unknown_status');
    const isEnding = ['ending', 'dropped', 'unofficial', 'none'].includes(support.status) || isKnown(support.cuda_last);
    const facts = () => {
        const note = specNote(t('figures.software'), stackOf(gpu), {observed_on: support.observed_on, note: support.note});
        const names = ['cuda_first', 'cuda_last', 'rocm_first', 'rocm_last', 'end_date', 'pytorch_note', 'rocm_note'];
        note.rows = [[t('answer.support.status'), status],
            ...names.filter((name) => isKnown(support[name])).map((name) => [t(`answer.support.${name}`),
                h('span', {class: name.endsWith('_note') ? 'source' : null}, name === 'end_date' ? date(support[name]) : support[name])]),
            ...note.rows];
        return note;
    };
    return figure(t('figures.software'), stackOf(gpu), null,
        sourced(isEnding ? stale(status) : status, facts, {class: isEnding ? 'stale' : ''}), gpu.architecture);
}

/** What renting costs over the months asked for, and buying beside it. */
function rentedFigure({query: {months}, picks: [pick]}, cost) {
    const isTold = isKnown(cost.per_month);
    return figure(t('figures.cost', months), isTold ? amount(cost.per_month * months) : t('unknown'),
        isTold ? currencyWord(cost.currency) : null,
        pick ? sourced(t('answer.bought', money(pick.cost.total, pick.cost.currency)), () => costNote(pick.cost)) : null);
}

function offerFigures(answer, offer) {
    const {cost, speed} = offer;
    const seen = t(offer.stale ? 'seen_stale' : 'seen', date(offer.observed_on));
    const needed = gib(answer.need.per_gpu_gib);
    return [
        figure(t('answer.hour'), amount(cost.per_hour), currencyWord(cost.currency),
            sourcedOffer(offer.stale ? stale(seen) : seen, offer)),
        figure(t('figures.memory'), `${needed} / ${gib(offer.memory_gib)}`, 'GiB', word('bases', answer.need.basis)),
        speedFigure(speed),
        figure(t('answer.month'), isKnown(cost.per_month) ? amount(cost.per_month) : t('unknown'),
            isKnown(cost.per_month) ? currencyWord(cost.currency) : null, t('answer.month_note', answer.query.hours_per_month)),
        rentedFigure(answer, cost),
        figure(t('answer.seen'), isKnown(offer.observed_on) ? date(offer.observed_on) : t('unknown'), null, ageOf(offer.observed_on)),
    ];
}

/** The figures of the pick, or of the offer when renting was asked for; null where there is nothing to tell. */
export function figures(answer, wantsRent) {
    const [pick] = answer.picks;
    const offer = wantsRent ? offerOf(answer) : undefined;
    if (offer !== undefined) {
        return h('dl', {class: 'figures'}, offerFigures(answer, offer));
    }
    if (pick === undefined) {
        return null;
    }
    const all = [priceFigure(pick), memoryFigure(answer, pick), speedFigure(pick.speed), costFigure(pick), powerFigure(pick),
        softwareFigure(pick)];
    return [
        isOfAnother(answer) ? h('h2', {class: 'of'}, t('answer.figures_of', shortName(pick.gpu.name))) : null,
        h('dl', {class: 'figures'}, all),
    ];
}

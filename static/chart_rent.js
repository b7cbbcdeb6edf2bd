// Rent or buy: what both cost in all, month by month, and when they are even.
import {axes, chartFigure, label, line, measurer, path} from './chart.js';
import {spread} from './chart_labels.js';
import {linearScale, monthTicks} from './chart_scale.js';
import {s} from './dom.js';
import {currencyWord, isKnown, money, number, shortName} from './format.js';
import {t} from './text.js';

const BEYOND = 1.3; // how far past the even point the chart goes
const MOST_MONTHS = 120; // an even point behind that is told, not drawn

/**
 * What the two lines are made of, all from the answer: buying begins with what is lost when the card is sold again, and
 * adds power; renting is by the hour of the pick's work. Low and high are of resale, and of the offers that do the work.
 */
function rentFacts(answer) {
    const [pick] = answer.picks;
    const rent = answer.rent_or_buy;
    const cost = pick?.cost;
    if (!rent || !isKnown(rent.rent_per_hour) || !cost || !isKnown(cost.total) || !isKnown(cost.resale) ||
        !(cost.hours_per_month > 0)) {
        return null;
    }
    const energy = cost.energy / cost.months;
    const rents = answer.cloud
        .filter((offer) => offer.kind === 'instance' && offer.does_work && isKnown(offer.cost?.per_hour) &&
            offer.cost.currency === rent.currency && offer.speed?.relative_low > 0)
        .map((offer) => (offer.cost.per_hour * pick.speed.relative_low) / offer.speed.relative_low);
    const [least, most] = [cost.resale_low ?? cost.resale, cost.resale_high ?? cost.resale];
    const buying = (resale) => (months) => cost.purchase - resale + energy * months;
    const renting = (perHour) => (months) => perHour * cost.hours_per_month * months;
    const known = [...rents, rent.rent_per_hour];
    return {
        pick,
        rent,
        cost,
        energy,
        buy: buying(cost.resale),
        buyLow: buying(Math.max(most, cost.resale)),
        buyHigh: buying(Math.min(least, cost.resale)),
        renting: renting(rent.rent_per_hour),
        rentLow: renting(Math.min(...known)),
        rentHigh: renting(Math.max(...known)),
    };
}

/** The last month of the chart: past the horizon, and past the even point where that is not too far. */
function lastMonth({rent, cost}) {
    const even = rent.break_even_months;
    const wanted = isKnown(even) && even * BEYOND <= MOST_MONTHS ? Math.max(cost.months, even * BEYOND) : cost.months;
    const step = wanted > 24 ? 12 : wanted > 6 ? 3 : 1;
    return Math.ceil(wanted / step) * step;
}

function evenWords({rent}) {
    const {break_even_months: months, break_even_hours: hours} = rent;
    if (!isKnown(months)) {
        return t('charts.rent.never');
    }
    return months <= 0 ? t('charts.rent.at_once') : t('charts.rent.even', number(months, months < 10 ? 1 : 0), number(hours));
}

/** A band between two lines over the months, cut at the top of the chart. */
function band(x, y, end, low, high, name) {
    const top = y.domain[1];
    const slope = (high(end) - high(0)) / end;
    const cut = high(end) > top && slope > 0 ? (top - high(0)) / slope : end;
    const above = cut < end ? [[x(cut), y(top)], [x(end), y(top)]] : [[x(end), y(high(end))]];
    return path([[x(0), y(low(0))], [x(0), y(high(0))], ...above, [x(end), y(Math.min(low(end), top))]], name, true);
}

function evenMark({rent, buy, renting}, x, y, bottom, measure) {
    const months = rent.break_even_months;
    if (!isKnown(months) || months <= 0 || months > x.domain[1]) {
        return null;
    }
    const [atX, atY] = [x(months), y(buy(months))];
    const words = t('charts.rent.even_mark', number(months, months < 10 ? 1 : 0));
    const length = measure(words, true);
    const end = Math.max(atX - 8, x.range[0] + 4 + length);
    const [lastX, lastY] = [x.range[1], y(renting(x.domain[1]))];
    // both lines are clear above to the left, below to the right, and above the end of the dearer one
    const where = end <= atX + 8 ? [end, atY - 10, 'accent halo end']
        : atX + 8 + length < lastX ? [atX + 8, atY + 20, 'accent halo'] : [lastX, Math.max(14, lastY - 8), 'accent halo end'];
    return [
        line(atX, atY, atX, bottom, 'c-limit'),
        s('circle', {cx: atX.toFixed(1), cy: atY.toFixed(1), r: 4.5, class: 'c-dot accent', 'data-even': months}),
        length < lastX - x.range[0] ? label(where[0], where[1], words, where[2]) : null,
        label(atX + 6, bottom - 8, t('charts.rent.hours', number(rent.break_even_hours)), 'meta halo'),
    ];
}

function draw(facts, {width, height}) {
    const {rent, energy} = facts;
    const measure = measurer();
    const currency = currencyWord(rent.currency);
    const names = [
        [t('charts.rent.rent'), t('charts.rent.per_hour', number(rent.rent_per_hour, 3), currency), facts.renting, 'strong'],
        [t('charts.rent.buy'), t('charts.rent.per_month', number(energy, energy < 100 ? 2 : 0), currency), facts.buy, 'accent'],
    ];
    const gutter = Math.max(...names.map(([name, small]) => Math.max(measure(name, true), measure(small)))) + 12;
    const end = lastMonth(facts);
    const bottom = height - 28;
    const top = Math.max(facts.renting(end), facts.buyHigh(end), facts.buy(end)) * 1.02;
    const y = linearScale([0, top], [bottom, 12], height > 200 ? 4 : 3);
    const left = Math.max(...y.ticks.map((tick) => measure(number(tick)))) + 12;
    const x = linearScale([0, end], [left, width - gutter], 5, false);
    x.ticks = monthTicks(end, width < 420 ? 4 : 6);
    const sayX = (months) => (months === 0 ? t('charts.rent.now') : months === x.ticks.at(-1) ? t('charts.rent.months', number(months))
        : number(months));
    const rows = spread(names.map(([, , at]) => y(at(end)) + 2), 32, [16, bottom - 16]);
    return {marks: [
        band(x, y, end, facts.rentLow, facts.rentHigh, 'c-band'),
        band(x, y, end, facts.buyLow, facts.buyHigh, 'c-band accent'),
        axes({x, y, sayX, sayY: (tick) => number(tick, 2)}),
        path([[x(0), y(0)], [x(end), y(facts.renting(end))]], 'c-line'),
        path([[x(0), y(0)], [x(0), y(facts.buy(0))], [x(end), y(facts.buy(end))]], 'c-line accent'),
        names.map(([name, small, , looks], index) => [
            label(x(end) + 8, rows[index], name, looks),
            label(x(end) + 8, rows[index] + 14, small, 'meta'),
        ]),
        evenMark(facts, x, y, bottom, measure),
    ]};
}

function tableOf(facts) {
    const {rent, cost} = facts;
    const even = rent.break_even_months;
    const end = lastMonth(facts);
    const isDrawn = isKnown(even) && even > 0 && even <= end;
    const months = [...new Set([...monthTicks(end, 6), cost.months, end, ...(isDrawn ? [even] : [])])].sort((one, other) => one - other);
    const unit = currencyWord(rent.currency);
    const column = (head, cell) => ({head, unit, number: true, cell: (at) => number(cell(at))});
    const ranged = (low, high) => (at) => `${number(low(at))}–${number(high(at))}`;
    return {
        columns: [
            {head: t('charts.rent.month'), cell: (at) => number(at, 1)},
            {head: t('charts.rent.hours_head'), number: true, cell: (at) => number(at * cost.hours_per_month)},
            column(t('charts.rent.buy'), facts.buy),
            {head: t('charts.rent.range'), unit, number: true, cell: ranged(facts.buyLow, facts.buyHigh)},
            column(t('charts.rent.rent'), facts.renting),
            {head: t('charts.rent.range'), unit, number: true, cell: ranged(facts.rentLow, facts.rentHigh)},
        ],
        rows: months,
    };
}

/** The chart of rent or buy for an answer of /recommend; null where there is nothing to rent or to buy. */
export function rentChart(answer) {
    const facts = rentFacts(answer);
    if (facts === null) {
        return null;
    }
    const {rent, cost, pick} = facts;
    const rented = rent.rented === null ? t('charts.rent.same_card')
        : t('charts.rent.rented', shortName(rent.rented.gpu.name), rent.rented.count, rent.rented.provider);
    const hint = t('charts.rent.hint', currencyWord(rent.currency), number(cost.hours_per_month), number(cost.months));
    return chartFigure({
        id: 'chart-rent',
        title: t('charts.rent.title'),
        hint: `${hint}${t('blank')}${rented}`,
        finding: `${evenWords(facts)}${t('blank')}${t('charts.rent.costs', money(rent.owning, rent.currency),
            money(rent.renting, rent.currency), number(cost.months))}`,
        height: (width) => (width < 420 ? 200 : 230),
        draw: (size) => draw(facts, size),
        table: () => tableOf(facts),
        file: `gpuwise-rent-or-buy-${pick.gpu.id}`,
    });
}

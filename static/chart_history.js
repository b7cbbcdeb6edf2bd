// What a card cost over time: every price that was seen, and what it may cost today where the last one is old.
import {axes, chartFigure, label, line, looks, measurer, path} from './chart.js';
import {spread} from './chart_labels.js';
import {linearScale, timeOf, timeScale} from './chart_scale.js';
import {h, s} from './dom.js';
import {currencyWord, date, isKnown, money, number} from './format.js';
import {t} from './text.js';

const DAY_MS = 86400e3;
const LONG_MS = 365 * DAY_MS; // a gap with nothing seen for so long is dashed
const KINDS = ['used', 'new']; // the first lies above
const ROW = 15;

/** The currency of the chart: the one the card was asked in, or the one most prices were seen in. */
function currencyOf(card) {
    const told = [card.price, card.price_used, card.price_new].filter(isKnown);
    const asked = told[0]?.currency;
    const counts = new Map();
    for (const {currency} of card.prices) {
        counts.set(currency, (counts.get(currency) ?? 0) + 1);
    }
    const usual = [...counts].sort((one, other) => other[1] - one[1])[0]?.[0];
    return asked && (counts.has(asked) || told.some((price) => price.exchange_rate)) ? asked : usual;
}

/** The prices that can be told in one currency; others only by a rate that the answer itself used. */
function historyFacts(card) {
    const currency = currencyOf(card);
    const rate = [card.price_used, card.price_new, card.price].map((price) => price?.exchange_rate)
        .find((one) => one && one.quote === currency) ?? null;
    const all = card.prices
        .map((price) => ({...price, at: timeOf(price.observed_on), value: price.currency === currency ? price.amount
            : rate?.base === price.currency ? price.amount * rate.rate : null}))
        .sort((one, other) => one.at - other.at);
    const seen = all.filter(({value}) => value !== null);
    const today = Object.fromEntries(KINDS.map((kind) => [kind, card[`price_${kind}`]]));
    return {
        currency,
        rate: seen.some((price) => price.currency !== currency) ? rate : null,
        seen: seen.filter(({condition}) => condition !== 'msrp'),
        launch: seen.find(({condition}) => condition === 'msrp') ?? null,
        left: all.length - seen.length,
        today: Object.fromEntries(Object.entries(today).filter(([, price]) => price?.currency === currency)),
        now: Date.parse(new Date().toISOString().slice(0, 10)),
    };
}

/** One point a month, the median of what was seen in it: the line is to show the way, the dots show all. */
function monthly(seen) {
    const months = new Map();
    for (const price of seen) {
        const key = price.observed_on.slice(0, 7);
        months.set(key, [...(months.get(key) ?? []), price]);
    }
    return [...months.values()].map((prices) => {
        const values = prices.map(({value}) => value).sort((one, other) => one - other);
        const middle = (values[(values.length - 1) >> 1] + values[values.length >> 1]) / 2;
        return {at: prices.reduce((sum, {at}) => sum + at, 0) / prices.length, value: middle};
    });
}

const accentOf = (kind) => (kind === 'used' ? 'accent' : '');

/** The line of one condition: whole where prices follow each other, dashed over a gap of a year. */
function lineOf(points, {x, y}, kind) {
    return points.slice(1).map((point, index) => {
        const before = points[index];
        return path([[x(before.at), y(before.value)], [x(point.at), y(point.value)]],
            looks('c-line', point.at - before.at > LONG_MS && 'dashed', accentOf(kind)));
    });
}

/** From the last price seen to what may be today, dashed, with the band between low and high. */
function towardsToday(last, price, now, {x, y}, kind) {
    if (!price || !last || now - last.at < DAY_MS) {
        return [];
    }
    const from = [x(last.at), y(last.value)];
    const band = isKnown(price.low) && isKnown(price.high)
        ? path([from, [x(now), y(price.high)], [x(now), y(price.low)]], looks('c-band', accentOf(kind)), true) : null;
    return [band, path([from, [x(now), y(price.planning)]], looks('c-line', 'dashed', accentOf(kind)))];
}

function scalesOf(facts, {width, height}, measure) {
    const {seen, launch, today, now} = facts;
    const later = Object.values(today).flatMap(({high, planning}) => [high, planning]);
    const values = [...seen.map(({value}) => value), launch?.value, ...later].filter(isKnown);
    const bottom = height - 26;
    const y = linearScale([0, Math.max(...values)], [bottom, 14], 4);
    const left = Math.max(...y.ticks.map((tick) => measure(number(tick)))) + 12;
    const gutter = Math.max(60, ...Object.entries(today).flatMap(([kind, price]) => todayWords(kind, price))
        .map((text) => measure(text, true))) + 12;
    const first = Math.min(...[...seen, launch].filter(Boolean).map(({at}) => at));
    const x = timeScale([first - (now - first) * 0.02, now], [left, width - gutter], width < 420 ? 4 : 7);
    return {x, y, bottom};
}

function todayWords(kind, price) {
    const range = isKnown(price.low) && isKnown(price.high) && price.low < price.high
        ? `${number(price.low)}–${number(price.high)}` : number(price.planning);
    return [t(`charts.history.today_${kind}`), range];
}

function draw(facts, {width, height}) {
    const {seen, launch, today, now} = facts;
    const measure = measurer();
    const scales = scalesOf(facts, {width, height}, measure);
    const {x, y, bottom} = scales;
    const kinds = KINDS.filter((kind) => seen.some(({condition}) => condition === kind)).reverse();
    const lines = new Map(kinds.map((kind) => [kind, monthly(seen.filter(({condition}) => condition === kind))]));
    const names = kinds.map((kind) => ({kind, last: lines.get(kind).at(-1), price: today[kind]}));
    const rows = spread(names.map(({last, price}) => y(price?.planning ?? last.value)), 2 * ROW + 2, [20, bottom - ROW]);
    const month = (at) => new Date(at).toISOString();
    const sayX = (at) => (month(at).slice(5, 7) === '01' ? month(at).slice(0, 4) : date(month(at).slice(0, 7)));
    return {marks: [
        axes({x, y, sayX, sayY: (tick) => number(tick, 2)}),
        launch ? line(x.range[0], y(launch.value), x.range[1], y(launch.value), 'c-limit') : null,
        names.map(({kind, last, price}) => towardsToday(last, price, now, scales, kind)),
        kinds.map((kind) => lineOf(lines.get(kind), scales, kind)),
        seen.map(({at, value, condition}) =>
            s('circle', {cx: x(at).toFixed(1), cy: y(value).toFixed(1), r: 2.5, class: looks('c-dot', accentOf(condition))})),
        launch ? label(x.range[0] + 6, y(launch.value) - 5, t('charts.history.launch', number(launch.value)), 'meta halo') : null,
        names.map(({kind, last, price}, index) => {
            const end = x.range[1] + 8;
            const strong = kind === 'used' ? 'accent' : 'strong';
            return price ? todayWords(kind, price)
                .map((text, row) => label(end, rows[index] + row * ROW, text, row === 0 ? strong : 'meta'))
                : label(Math.min(x(last.at) + 6, end), y(last.value) - 6, t(`charts.history.${kind}`), `${strong} halo`);
        }),
    ]};
}

function tableOf({seen, launch, today, currency}) {
    const rows = [launch, ...seen].filter(Boolean).map((price) => ({...price, day: date(price.observed_on)}));
    const later = Object.entries(today).map(([condition, price]) => ({
        condition,
        value: price.planning,
        day: t('charts.history.now'),
        source: isKnown(price.low) ? `${money(price.low, currency)}–${money(price.high, currency)}` : '',
    }));
    return {
        columns: [
            {head: t('charts.history.day'), cell: ({day}) => day},
            {head: t('charts.history.kind'), cell: ({condition}) => t(`charts.history.${condition}`)},
            {head: t('charts.history.amount'), unit: currencyWord(currency), number: true, cell: ({value}) => number(value, 2)},
            {head: t('charts.history.source'), cell: ({source}) => h('span', {class: 'source'}, source)},
        ],
        rows: [...rows, ...later].reverse(),
    };
}

function findingOf({seen, today, currency}) {
    const last = seen.at(-1);
    const price = today.used ?? today.new;
    return [
        t('charts.history.last', money(last.value, currency), t(`charts.history.${last.condition}`), date(last.observed_on)),
        price && isKnown(price.low) ? t('charts.history.may_be', money(price.low, currency), money(price.high, currency)) : null,
    ].filter(Boolean).join(t('blank'));
}

/** The prices of a card of /gpus/{id} over time; null where none was seen in a currency that can be told. */
export function historyChart(card) {
    const facts = historyFacts(card);
    if (facts.seen.length === 0) {
        return null;
    }
    const {rate, left, currency} = facts;
    return chartFigure({
        id: 'chart-history',
        title: t('charts.history.title'),
        hint: [t('charts.history.hint', currencyWord(currency)),
            rate ? t('charts.history.rate', currencyWord(rate.base), number(rate.rate, 4), date(rate.observed_on)) : null,
            left > 0 ? t('charts.history.left', number(left)) : null].filter(Boolean).join(t('blank')),
        finding: findingOf(facts),
        height: 220,
        draw: (size) => draw(facts, size),
        table: () => tableOf(facts),
        file: `gpuwise-prices-${card.id}`,
    });
}

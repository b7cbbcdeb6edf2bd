// How long the makers' software knows each generation of cards: bars from the first card to the end of support.
import {chartFigure, label, line, looks, measurer} from './chart.js';
import {timeOf, timeScale} from './chart_scale.js';
import {s} from './dom.js';
import {date, isKnown} from './format.js';
import {t, word} from './text.js';

const ROW = 24;
const BAR = 10;
const THIN = 3;
const TOP = 22;

/** Of several words for cards of one generation the ones that occur, the commonest first. */
function commonest(values) {
    const counts = new Map();
    for (const value of values) {
        counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    return [...counts].sort((one, other) => other[1] - one[1]).map(([value]) => value);
}

/** One generation: since when there are cards of it, until when the toolkit knows them, and the last version that does. */
function generation(architecture, cards) {
    const supports = cards.map(({support}) => support);
    const starts = cards.map(({release_date: day}) => timeOf(day)).filter((at) => at !== null);
    const [support] = supports;
    const ends = supports.map(({end_date: day}) => day);
    return {
        architecture,
        count: cards.length,
        start: starts.length > 0 ? Math.min(...starts) : null,
        first: cards.map(({release_date: day}) => day).filter(isKnown).sort()[0] ?? null,
        statuses: commonest(supports.map(({status}) => status)),
        toolkit: support.framework,
        last: support.cuda_last ?? support.rocm_last,
        end: ends.every(isKnown) ? commonest(ends)[0] : null,
        observed: support.observed_on,
    };
}

/** The generations of the card's maker, oldest first; the card's own frameworks that outlive the toolkit. */
function supportFacts(card, cards) {
    const groups = new Map();
    for (const one of cards.filter(({vendor, support}) => vendor === card.vendor && isKnown(support?.framework))) {
        groups.set(one.architecture, [...(groups.get(one.architecture) ?? []), one]);
    }
    const ofCard = ({support}) => ({statuses: [support.status], last: support.cuda_last ?? support.rocm_last, end: support.end_date});
    const rows = [...groups].map(([architecture, members]) => // of the card's own generation what is said of the card
        ({...generation(architecture, members), ...(architecture === card.architecture ? ofCard(card) : {})}))
        .filter(({start}) => start !== null).sort((one, other) => one.start - other.start);
    const own = rows.find(({architecture}) => architecture === card.architecture);
    const later = (card.software ?? []).filter(({os, end_date: end, framework}) =>
        os === 'linux' && isKnown(end) && framework !== own?.toolkit && timeOf(end) > (timeOf(own?.end) ?? Infinity));
    return {card, rows, own, later, now: Date.parse(new Date().toISOString().slice(0, 10))};
}

const toolkitName = (code) => word('charts.support.toolkits', code);

const statusWords = ({statuses}) => statuses
    .map((status) => (status === null ? t('unknown') : t(`charts.support.status.${status}`))).join(t('charts.support.or'));

/** What stands in the column at the right: the last version, or that no end is known. */
function lastWords({statuses, toolkit, last, end}) {
    if (isKnown(last)) {
        return `${toolkitName(toolkit)} ${last}`;
    }
    return isKnown(end) ? date(end) : statusWords({statuses});
}

function looksOf({statuses}) {
    return statuses.includes('dropped') || statuses.includes('none') ? 'bad' : statuses.includes('ending') ? 'warn' : 'meta';
}

/** A bar to the known end, to today where none is announced, dashed where support is over and nobody says since when. */
function barOf(row, isOwn, x, y, now) {
    const isOver = row.statuses.every((status) => status === 'dropped' || status === 'none');
    const from = x(row.start);
    const end = timeOf(row.end);
    if (isOver && end === null) {
        return line(from, y + BAR / 2, x(now), y + BAR / 2, 'c-limit');
    }
    const to = x(end === null ? now : end);
    const isPartly = row.statuses.length > 1 || row.statuses[0] === 'unofficial';
    const name = looks('c-bar', isOwn ? 'accent' : !isOver && 'going', isPartly && 'partly');
    const width = Math.max(1, to - from).toFixed(1);
    return [
        s('rect', {x: from.toFixed(1), y, width, height: BAR, 'data-row': row.architecture, class: name}),
        end === null ? s('path', {d: `M${to.toFixed(1)} ${y}l5 ${BAR / 2}l-5 ${BAR / 2}Z`, class: name}) : null,
    ];
}

function draw({rows, own, later, now}, {width, height}) {
    const measure = measurer();
    const names = rows.map(({architecture}) => measure(architecture, true));
    const left = Math.max(...names) + 12;
    const gutter = Math.max(...rows.map((row) => measure(lastWords(row), true)), measure(t('charts.support.last'))) + 14;
    const ends = [now, ...rows.map(({end}) => timeOf(end)), ...later.map(({end_date: end}) => timeOf(end))].filter(isKnown);
    const first = Math.min(...rows.map(({start}) => start));
    const right = Math.max(left + 40, width - gutter);
    const x = timeScale([first, Math.max(...ends)], [left, right], Math.max(2, Math.min(6, Math.floor((right - left) / 44))));
    const bottom = height - 22;
    const column = x.range[1] + 12;
    return {marks: [
        x.ticks.map((tick) => [
            line(x(tick), TOP, x(tick), bottom, 'c-grid'),
            label(x(tick), bottom + 16, String(new Date(tick).getUTCFullYear()), 'meta middle'),
        ]),
        label(x(now), 12, t('charts.support.today'), 'strong end'),
        label(column, 12, t('charts.support.last'), 'meta'),
        rows.map((row, index) => {
            const y = TOP + 8 + index * ROW;
            const isOwn = row === own;
            return [
                label(0, y + BAR, row.architecture, isOwn ? 'accent' : 'strong'),
                barOf(row, isOwn, x, y, now),
                isOwn ? later.map(({end_date: end}) => s('rect', {
                    x: x(timeOf(row.end)).toFixed(1),
                    y: y + (BAR - THIN) / 2,
                    width: (x(timeOf(end)) - x(timeOf(row.end))).toFixed(1),
                    height: THIN,
                    class: 'c-bar accent',
                })) : null,
                label(column, y + BAR, lastWords(row), isOwn ? 'accent' : looksOf(row)),
            ];
        }),
        line(x(now), TOP - 4, x(now), bottom, 'c-end'),
    ]};
}

function tableOf({rows}) {
    return {
        columns: [
            {head: t('charts.support.architecture'), cell: ({architecture}) => architecture},
            {head: t('charts.support.cards'), number: true, cell: ({count}) => String(count)},
            {head: t('charts.support.since'), cell: ({first}) => date(first)},
            {head: t('charts.support.status_head'), cell: statusWords},
            {head: t('charts.support.last'), cell: ({last, toolkit}) => (isKnown(last) ? `${toolkitName(toolkit)} ${last}` : '–')},
            {head: t('charts.support.until'), cell: ({end, statuses}) => (isKnown(end) ? date(end)
                : statuses.includes('dropped') ? t('unknown') : '–')},
            {head: t('charts.support.observed'), cell: ({observed}) => date(observed)},
        ],
        rows,
    };
}

/** The support of the generations of a card's maker; card of /gpus/{id}, cards of /gpus. Null where nothing is known. */
export function supportChart(card, cards) {
    const facts = supportFacts(card, cards);
    const {rows, own, later} = facts;
    if (!own) {
        return null;
    }
    const longer = later.map(({framework, last_version: last, end_date: end}) =>
        t('charts.support.thin', [toolkitName(framework), last].filter(isKnown).join(' '), date(end)));
    const until = isKnown(own.end) ? t('charts.support.ends', own.architecture, date(own.end), lastWords(own))
        : t('charts.support.goes_on', own.architecture, lastWords(own));
    return chartFigure({
        id: 'chart-support',
        title: t('charts.support.title'),
        hint: [t('charts.support.hint', toolkitName(own.toolkit)), ...longer].join(t('blank')),
        finding: [until, ...longer].join(t('blank')),
        height: TOP + 8 + rows.length * ROW + 24,
        draw: (size) => draw(facts, size),
        table: () => tableOf(facts),
        file: `gpuwise-support-${card.vendor}-${card.architecture.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`,
    });
}

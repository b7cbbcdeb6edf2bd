// Memory against the length of the context for one model on one card, each point an estimate of the server.
import {get, Problem, ROWS_MAX} from './api.js';
import {axes, chartFigure, label, line, measurer, path} from './chart.js';
import {spread} from './chart_labels.js';
import {doublingScale, linearScale} from './chart_scale.js';
import {h, s} from './dom.js';
import {gib, isKnown, number, shortName} from './format.js';
import {Turns} from './request.js';
import {t} from './text.js';

const LENGTHS = [2048, 4096, 8192, 16384, 32768, 65536, 131072];
const FORMATS = [{quant: 'bf16'}, {quant: 'q8_0'}, {quant: 'q4_k_m'}, {quant: 'q4_k_m', kv_dtype: 'q8_0'}];
const USUAL = 'llama-3.1-8b';
const AT_ONCE = 4; // requests in flight

/** Estimates by what was asked; a page asks for none twice. */
const known = new Map();
let models = null;

/** GiB needed and usable; null where the model takes no context of that length, or not these formats. */
async function estimate(query, signal) {
    const key = JSON.stringify(query);
    if (!known.has(key)) {
        const reply = await get('/estimate', {task: 'inference', ...query}, signal).catch((error) => {
            if (error instanceof Problem && !error.isPassing) {
                return null;
            }
            throw error;
        });
        const [fit] = reply?.fits ?? [];
        known.set(key, fit ? {needed: fit.needed_gib, has: fit.available_gib} : null);
    }
    return known.get(key);
}

/** All points of a model on a card: a list of {format, points: [{length, needed, has}]}. */
async function estimates(gpu, model, signal) {
    const asked = FORMATS.flatMap((format) => LENGTHS.map((context) => ({format, query: {gpu, model, ...format, context}})));
    const turns = new Turns(AT_ONCE);
    const found = await Promise.all(asked.map(({query}) => turns.take(() => estimate(query, signal))));
    return FORMATS.map((format) => ({
        format,
        points: asked.map((one, index) => ({format: one.format, length: one.query.context, ...found[index]}))
            .filter((point) => point.format === format && isKnown(point.needed)),
    })).filter(({points}) => points.length > 0);
}

const formatName = ({quant, kv_dtype: cache}) => (cache ? t('charts.context.cache', quant, cache) : quant);
const lengthName = (length) => `${length / 1024}k`;

/** The longest context that fits for a format; null: not even the shortest. */
const longest = ({points}) => points.filter(({needed, has}) => needed <= has).at(-1)?.length ?? null;

function draw({series, card}, {width, height}) {
    const measure = measurer();
    const bottom = height - 26;
    if (series.length === 0) {
        return {marks: []};
    }
    const usable = series[0].points[0].has;
    const most = Math.max(...series.flatMap(({points}) => points.map(({needed}) => needed)), usable);
    const gutter = Math.max(...series.map(({format}) => measure(formatName(format), true))) + 14;
    const y = linearScale([0, Math.min(most * 1.05, Math.max(usable * 2.5, series[0].points[0].needed * 1.2))], [bottom, 14], 4);
    const left = Math.max(...y.ticks.map((tick) => measure(number(tick)))) + 12;
    const x = doublingScale(LENGTHS, [left, width - gutter]);
    x.ticks = width < 420 ? LENGTHS.filter((_, index) => index % 2 === 0) : LENGTHS;
    const top = y.domain[1];
    const ends = series.map(({points}) => cut(points, top));
    const rows = spread(ends.map((points) => y(points.at(-1).needed) + 4), 14, [16, bottom]);
    const limit = y(usable);
    const words = t('charts.context.limit', shortName(card.name), gib(usable));
    return {marks: [
        s('rect', {x: left, y: y.range[1], width: x.range[1] - left, height: Math.max(0, limit - y.range[1]), class: 'c-room'}),
        axes({x, y, sayX: lengthName, sayY: (tick) => number(tick, 1)}),
        line(left, limit, x.range[1], limit, 'c-end'),
        series.map(({format}, index) => path(ends[index].map(({length, needed}) => [x(length), y(needed)]),
            format.quant === 'q4_k_m' ? 'c-line accent' : 'c-line')),
        series.map(({format}, index) =>
            label(x.range[1] + 8, rows[index], formatName(format), format.quant === 'q4_k_m' ? 'accent' : '')),
        label(left + 6, limit - 6, measure(words, true) < x.range[1] - left - 12 ? words : `${gib(usable)} GiB`, 'strong halo on-room'),
    ]};
}

/** The points below the top of the chart, and where the line leaves it. */
function cut(points, top) {
    const inside = points.filter(({needed}) => needed <= top);
    const [next] = points.slice(inside.length);
    if (!next || inside.length === 0) {
        return inside.length > 0 ? inside : [{...points[0], needed: top}];
    }
    const last = inside.at(-1);
    const share = (top - last.needed) / (next.needed - last.needed);
    return [...inside, {length: last.length * (next.length / last.length) ** share, needed: top}];
}

function tableOf({series}) {
    return {
        columns: [
            {head: t('charts.context.length'), cell: (length) => lengthName(length)},
            ...series.map(({format, points}) => ({
                head: formatName(format),
                unit: 'GiB',
                number: true,
                cell: (length) => {
                    const point = points.find((one) => one.length === length);
                    return point ? gib(point.needed) + (point.needed > point.has ? t('charts.context.too_much') : '') : '–';
                },
            })),
        ],
        rows: LENGTHS.filter((length) => series.some(({points}) => points.some((one) => one.length === length))),
    };
}

function findingOf({series, card}) {
    if (series.length === 0) {
        return t('charts.context.nothing');
    }
    return series.map((one) => {
        const length = longest(one);
        return length === null ? t('charts.context.none_fits', formatName(one.format), shortName(card.name))
            : t('charts.context.fits', formatName(one.format), lengthName(length), shortName(card.name));
    }).join(t('blank'));
}

/** The choice of a model; the list of all is fetched when somebody goes there. */
function modelSelect(onchange) {
    const select = h('select', {'aria-label': t('charts.context.model')}, h('option', {value: USUAL}, USUAL));
    const fill = async () => {
        models ??= get('/models', {kind: 'llm', sort: 'name', limit: ROWS_MAX});
        const {data} = await models.catch(() => {
            models = null;
            return {data: []};
        });
        const others = data.filter(({id}) => id !== select.value);
        select.append(...others.map(({id, name}) => h('option', {value: id}, name)));
    };
    select.addEventListener('focus', fill, {once: true});
    select.addEventListener('change', () => onchange(select.value));
    return select;
}

/**
 * Memory against context for a card of /gpus/{id}; comes at once and fills when the estimates are there. signal ends the
 * asking.
 */
export function contextChart(card, signal) {
    const state = {card, series: [], model: USUAL};
    const note = h('p', {class: 'small', role: 'status'});
    const fill = async (model) => {
        state.model = model;
        const series = await estimates(card.id, model, signal).catch(() => null); // the server is gone or busy
        if (state.model === model && !signal?.aborted) {
            state.series = series ?? [];
            const finding = series === null ? t('gone.busy') : findingOf(state);
            note.textContent = state.series.length === 0 ? finding : '';
            figure.redraw({finding, file: `gpuwise-memory-context-${card.id}-${model}`});
        }
    };
    const figure = chartFigure({
        id: 'chart-context',
        title: t('charts.context.title'),
        hint: t('charts.context.hint'),
        finding: t('charts.context.title'),
        height: 220,
        draw: (size) => draw(state, size),
        table: () => tableOf(state),
        file: `gpuwise-memory-context-${card.id}`,
        above: modelSelect(fill),
        below: note,
    });
    fill(USUAL);
    return figure;
}

// Price against speed of all cards that do the work: both logarithmic, since equal steps are equal ratios.
import {cardAddress} from './api.js';
import {axes, chartFigure, label, line, looks, measurer, path} from './chart.js';
import {pointMark, wordsOf} from './chart_points.js';
import {placeLabels} from './chart_labels.js';
import {logScale} from './chart_scale.js';
import {h, s, show} from './dom.js';
import {currencyWord, gib, isKnown, money, number, rough, shortName, speedUnit} from './format.js';
import {priceNote, sourced, speedNote} from './source_note.js';
import {t} from './text.js';

const TIGHT_GIB = 3; // with less to spare a dot is hollow
const PHONE = 600; // below this width only the first names are written
const MOST_ON_PHONES = 9;
const STRIP = 30; // for crosses: what does not fit has a price, but no speed

/** The range of what a pick costs, from that of one card's price: the computer around it and tax are in it alike. */
function priceRange(pick, hostPrice) {
    const {price, cost} = pick;
    const share = (cost.purchase - hostPrice) / price.planning;
    const at = (value) => (isKnown(value) ? value * share + hostPrice : cost.purchase);
    return [Math.min(at(price.low), cost.purchase), Math.max(at(price.high), cost.purchase)];
}

function pointOf(pick, query, budget) {
    const [low, high] = priceRange(pick, query.host_price ?? 0);
    return {
        id: pick.count > 1 ? `${pick.gpu.id}-x${pick.count}` : pick.gpu.id,
        pick,
        name: (pick.count > 1 ? `${pick.count} x ` : '') + shortName(pick.gpu.name),
        price: pick.cost.purchase,
        low,
        high,
        speed: pick.speed.value,
        isPareto: pick.pareto,
        isHollow: pick.fit.tight || pick.fit.headroom_gib < TIGHT_GIB,
        isOver: isKnown(budget) && pick.cost.purchase > budget,
    };
}

/** The picks that can be drawn, as points in the order of the server's rank; budget: the one of the question. */
function pointsOf(answer, budget) {
    return answer.picks
        .filter((pick) => pick.price !== null && pick.cost?.purchase > 0 && pick.speed?.value > 0)
        .map((pick) => pointOf(pick, answer.query, budget));
}

/** Of the picks that no other beats in price, speed and memory at once: each that is faster than all cheaper ones. */
function steps(points) {
    const best = [];
    const unbeaten = points.filter(({isPareto}) => isPareto);
    for (const point of unbeaten.sort((one, other) => one.price - other.price || other.speed - one.speed)) {
        if (best.length === 0 || point.speed > best.at(-1).speed) {
            best.push(point);
        }
    }
    return best;
}

/** The scales for a size of the drawing. */
function scalesOf(points, crosses, {budget, unit}, {width, height}, measure) {
    const prices = [...points.flatMap(({price, low, high}) => [price, low, high]), ...crosses.map(({price}) => price)]
        .concat(isKnown(budget) ? [budget] : []);
    const speeds = points.map(({speed}) => speed);
    const isWide = width >= PHONE;
    const bottom = height - 42;
    const yDomain = [Math.min(...speeds) / 1.25, Math.max(...speeds) * 1.3];
    const y = logScale(yDomain, [bottom - (crosses.length > 0 ? STRIP : 0), 24], 6);
    const left = Math.max(...y.ticks.map((tick) => measure(number(tick, 2)))) + 12;
    const x = logScale([Math.min(...prices) / 1.12, Math.max(...prices) * 1.12], [left, width - 8], isWide ? 8 : 5);
    return {x, y, left, bottom, isWide, unit};
}

/** What lies behind the points: budget, axes, their names. */
function ground({x, y, bottom, unit}, {budget, currency, crosses}) {
    const right = x.range[1];
    const at = isKnown(budget) ? x(budget) : right;
    const isNear = right - at < 80;
    const floor = {...y, range: [bottom, y.range[1]]};
    return [
        isKnown(budget) && at < right
            ? s('rect', {x: at, y: y.range[1], width: right - at, height: bottom - y.range[1], class: 'c-room'}) : null,
        axes({x, y: Object.assign((value) => y(value), floor), sayX: (tick) => number(tick, 2), sayY: (tick) => number(tick, 2)}),
        label(0, 12, t('charts.pareto.speed', unit), 'meta'),
        label(right, bottom + 36, t('charts.pareto.price', currencyWord(currency)), 'meta end'),
        isKnown(budget) ? [
            line(at, y.range[1], at, bottom, 'c-limit'),
            label(at + (isNear ? -6 : 6), y.range[0] - 8, t(isNear ? 'budget' : 'charts.pareto.over'), isNear ? 'meta end' : 'meta'),
        ] : null,
        crosses.length > 0 ? [
            line(x.range[0], y.range[0], right, y.range[0], 'c-grid'),
            label(x.range[0] + 4, y.range[0] + 12, t('charts.pareto.strip'), 'meta'),
        ] : null,
    ];
}

/** The corners of the stepped line: along at each card's speed until a faster one can be had. */
function stairs(points, {x, y}) {
    const best = steps(points);
    return best.flatMap(({price, speed}, index) =>
        [[x(price), y(speed)], [best[index + 1] ? x(best[index + 1].price) : x.range[1], y(speed)]]);
}

const segmentsOf = (places) =>
    places.slice(1).map(([x2, y2], index) => ({x1: places[index][0], y1: places[index][1], x2, y2}));

function rangesOf(points, {x, y}, pickId) {
    const within = (at) => Math.max(y.range[1], Math.min(y.range[0], at));
    return points.map((point) => {
        const at = y(point.speed);
        const isPick = point.id === pickId;
        const {low, high} = point.pick.speed;
        return {
            price: {x1: x(point.low), y1: at, x2: x(point.high), y2: at, isPick},
            speed: isKnown(low) && isKnown(high)
                ? {x1: x(point.price), y1: within(y(high)), x2: x(point.price), y2: within(y(low)), isPick} : null,
        };
    });
}

const drawn = ({x1, y1, x2, y2, isPick}) => line(x1, y1, x2, y2, isPick ? 'c-range accent' : 'c-range');

/**
 * The names that find a place: the pick, then those on the line, the other best ones, then by rank. The best ones may lie
 * on a range line where nothing else is free.
 */
function names(points, scales, options, {lines, ranges}, measure) {
    const onLine = new Set(steps(points).map(({id}) => id));
    const weight = (point) => (point.id === options.pickId ? 0 : onLine.has(point.id) ? 1 : point.isPareto ? 2 : 3);
    const order = points.map((point, index) => ({point, index}))
        .sort((one, other) => weight(one.point) - weight(other.point) || one.index - other.index)
        .map(({point}) => ({
            x: scales.x(point.price),
            y: scales.y(point.speed),
            r: point.id === options.pickId ? 9 : 4.5,
            text: point.name,
            isStrong: point.isPareto,
            point,
        }));
    const bounds = {left: scales.left, right: scales.x.range[1] + 8, top: scales.y.range[1] - 8, bottom: scales.y.range[0]};
    const most = scales.isWide ? Infinity : MOST_ON_PHONES;
    const all = {bounds, measure, marks: order};
    const best = placeLabels(order.filter(({isStrong}) => isStrong), {...all, lines: [...lines, ...ranges], most});
    const taken = () => best.map(({box}) => box);
    const left = order.filter((one) => one.isStrong && !best.some(({point}) => point === one));
    best.push(...placeLabels(left, {...all, lines, taken: taken(), most: most - best.length}));
    const others = order.filter(({isStrong}) => !isStrong);
    return [...best, ...placeLabels(others, {...all, lines: [...lines, ...ranges], taken: taken(), most: most - best.length})];
}

function draw(points, crosses, options, size) {
    const measure = measurer();
    const scales = scalesOf(points, crosses, options, size, measure);
    const {x, y, bottom} = scales;
    const stairsPlaces = stairs(points, scales);
    const ranges = rangesOf(points, scales, options.pickId);
    const seen = ranges.flatMap(({price, speed}, index) =>
        [options.hasRange || price.isPick ? price : null, points[index].id === options.pickId ? speed : null].filter(Boolean));
    const limit = isKnown(options.budget) ? [{x1: x(options.budget), x2: x(options.budget), y1: 0, y2: bottom}] : [];
    const labels = names(points, scales, options, {lines: [...segmentsOf(stairsPlaces), ...limit], ranges: seen}, measure);
    const labelled = new Set(labels.map(({point}) => point.point.id));
    const isBeyond = (at) => isKnown(options.budget) && at > x(options.budget);
    return {
        marks: [
            ground(scales, {...options, crosses}),
            seen.map(drawn),
            stairsPlaces.length > 0 ? path(stairsPlaces, 'c-line mute') : null,
            labels.map(({point, x: left, y: base}) => {
                const weight = point.point.id === options.pickId ? 'accent' : point.isStrong && 'strong';
                return label(left, base, point.text, looks('halo', weight, isBeyond(left) && 'on-room'));
            }),
        ],
        points: [
            ...points.map((point, index) => ({
                id: point.id,
                x: x(point.price),
                y: y(point.speed),
                r: 4.5,
                name: point.name,
                said: wordsOf(point),
                isLabelled: labelled.has(point.id),
                ranges: [ranges[index].price, ranges[index].speed].filter(Boolean).map((range) => drawn({...range, isPick: true})),
                mark: pointMark(x(point.price), y(point.speed),
                    {...point, isPick: point.id === options.pickId, isOnRoom: isBeyond(x(point.price))}),
            })),
            ...crosses.map((cross) => ({
                id: cross.id,
                x: x(cross.price),
                y: bottom - 9,
                r: 4,
                name: cross.name,
                said: [cross.name, money(cross.price, options.currency), cross.reason].join(t('comma')),
                mark: path([[-3.5, -3.5], [3.5, 3.5], [0, 0], [-3.5, 3.5], [3.5, -3.5]]
                    .map(([dx, dy]) => [x(cross.price) + dx, bottom - 9 + dy]), 'c-cross'),
            })),
        ],
    };
}

function tableOf(points, crosses, {currency, unit}) {
    const price = currencyWord(currency);
    const ofPoint = (cell) => (row) => (row.pick ? cell(row) : '');
    const range = (low, high, say) => `${say(low)}–${say(high)}`;
    const link = (row) => h('a', {href: cardAddress(row.pick?.gpu.id ?? row.id)}, row.name);
    const lowHigh = t('charts.pareto.low_high');
    const notes = (row) => [row.isPareto ? t('charts.pareto.unbeaten') : null, row.isOver ? t('charts.pareto.over') : null]
        .filter(Boolean).join(t('comma'));
    return {
        columns: [
            {head: t('charts.pareto.columns.card'), cell: link},
            {head: t('charts.pareto.columns.price'), unit: price, number: true, cell: (row) => number(row.price, 2)},
            {head: lowHigh, unit: price, number: true, cell: ofPoint(({low, high}) => range(low, high, (value) => number(value)))},
            {head: t('charts.pareto.seen'), cell: ofPoint(({pick}) => wordsOf.price(pick))},
            {head: t('charts.pareto.columns.speed'), unit, number: true, cell: ofPoint(({speed}) => rough(speed))},
            {head: lowHigh, unit, number: true, cell: ofPoint(({pick}) => range(pick.speed.low, pick.speed.high, rough))},
            {head: t('charts.pareto.columns.left'), unit: 'GiB', number: true, cell: ofPoint(({pick}) => gib(pick.fit.headroom_gib))},
            {head: t('charts.pareto.columns.note'), cell: (row) => (row.pick ? notes(row) : row.reason)},
        ],
        rows: [...[...points].sort((one, other) => one.price - other.price), ...crosses],
    };
}

/** The line below the chart: the chosen card, with links. */
function showChosen(place, points, crosses, id, options) {
    const row = points.find((point) => point.id === id) ?? crosses.find((cross) => cross.id === id);
    if (row === undefined) {
        return;
    }
    const gpu = row.pick?.gpu.id ?? row.id;
    const facts = row.pick ? wordsOf.parts(row) : [money(row.price, options.currency), row.reason];
    const notes = row.pick ? [() => priceNote(row.pick.price), () => speedNote(row.pick.speed)] : [];
    const against = options.pickGpu && options.pickGpu !== gpu ? `${options.pickGpu},${gpu}` : gpu;
    show(place, h('b', {}, row.name), facts.map((fact, index) => h('span', {}, notes[index] ? sourced(fact, notes[index]) : fact)),
        h('a', {href: cardAddress(gpu)}, t('views.card')),
        h('a', {href: `/?view=compare&gpus=${against}`}, t('views.compare')));
}

function legend(hasCrosses) {
    const sign = (name, node) => h('span', {}, s('svg', {width: 16, height: 12, 'aria-hidden': 'true'}, node), t(`charts.pareto.${name}`));
    const dot = (name) => s('circle', {cx: 8, cy: 6, r: 4.5, class: name});
    return h('p', {class: 'meta c-legend'},
        sign('fits', dot('c-dot')), sign('tight', dot('c-dot hollow')), sign('ranges', line(0, 6, 16, 6, 'c-range')),
        hasCrosses ? sign('unfit', path([[4, 2], [12, 10], [8, 6], [4, 10], [12, 2]], 'c-cross')) : null);
}

function findingOf(points, {pickId, currency, unit, budget}) {
    const pick = points.find(({id}) => id === pickId);
    return [
        pick ? t('charts.pareto.finding', pick.name, money(pick.price, currency), `${rough(pick.speed)} ${unit}`)
            : t('charts.pareto.no_pick'),
        t('charts.pareto.best', steps(points).length, points.length),
        isKnown(budget) ? t('charts.pareto.beyond', points.filter(({isOver}) => isOver).length) : null,
    ].filter(Boolean).join(t('blank'));
}

/**
 * The chart of an answer of /recommend; null where it has no pick to draw. options, all of them optional:
 *
 *     budget      of the question, where the answer was asked without; that of the answer otherwise
 *     pickId      the card to emphasise, null: none does it within the budget; unasked the first one
 *     hasRange    price ranges of all cards, not of the pick alone
 *     crosses     cards that do not fit: {id, name, price, reason}
 *     chosen      the id of the point that the line below tells of at first; onchoose(id) is told of another
 *                 one, and of '' when it is the usual one again
 *     isHeadless  without heading
 *     isSmall     beside an answer: lower, without the key to its marks
 */
export function paretoChart(answer, options = {}) {
    const budget = options.budget ?? answer.query.budget;
    const points = pointsOf(answer, budget);
    if (points.length === 0) {
        return null;
    }
    const crosses = options.crosses ?? [];
    const pick = options.pickId === null ? null : points.find((point) => point.pick.gpu.id === options.pickId) ?? points[0];
    const all = {
        hasRange: true,
        ...options,
        budget,
        currency: answer.query.currency,
        unit: speedUnit(points[0].pick.speed.unit),
        pickId: pick?.id,
        pickGpu: pick?.pick.gpu.id,
    };
    const chosen = h('p', {class: 'c-chosen'});
    let usual = null; // what is chosen where nobody has chosen
    return chartFigure({
        id: 'chart-pareto',
        title: t('charts.pareto.title'),
        hint: t('charts.pareto.hint'),
        finding: findingOf(points, all),
        height: (width) => (options.isSmall ? 300 : width < PHONE ? 380 : Math.round(Math.min(600, Math.max(420, width * 0.45)))),
        isChoice: true,
        chosen: options.chosen || pick?.id,
        onchoose: (id) => {
            showChosen(chosen, points, crosses, id, all);
            usual ??= options.chosen ? all.pickId : id;
            options.onchoose?.(id === usual ? '' : id);
        },
        draw: (size) => draw(points, crosses, all, size),
        below: [options.isSmall ? null : legend(crosses.length > 0), chosen],
        table: () => tableOf(points, crosses, all),
        file: `gpuwise-price-speed-${answer.query.model ?? answer.query.task ?? ''}`,
        isHeadless: options.isHeadless,
    });
}

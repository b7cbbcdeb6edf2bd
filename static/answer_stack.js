// The memory a job takes, as one stack of its parts on the scale of real cards, with its range and what is left.
import {chartFigure, label, line, measurer} from './chart.js';
import {h, s, show} from './dom.js';
import {gib, isKnown, shortName} from './format.js';
import {addTexts, t} from './text.js';

addTexts('answer');

const PARTS = ['weights_gib', 'copies_gib', 'kv_cache_gib', 'optimizer_gib', 'gradients_gib', 'activations_gib', 'overhead_gib'];
const NOBODYS = ['overhead_gib', 'spare', 'sharing', 'without_parts'];

/** Memory sizes that cards are sold with: a reader knows them, so they are the ticks of the scale. */
const SIZES = [4, 6, 8, 10, 12, 16, 20, 24, 32, 40, 48, 64, 80, 96, 128, 141, 192, 256, 288];
const TICKS = 3;

const SHARING = ['fsdp', 'tp', 'pp'];
const NOTICED = 0.05; // GiB: less is not told

const WIDE = 520; // from here the parts have their names below the bar
const BAR = {top: 22, height: 32};
const ROWS = [BAR.top + BAR.height + 18, BAR.top + BAR.height + 34, BAR.top + BAR.height + 50,
    BAR.top + BAR.height + 66];

/** Gradients and activations are both there at the fullest moment, or only the larger: whichever agrees with the total. */
function largerOfBoth(need, values, share) {
    const sum = (left) => PARTS.filter((name) => name !== left).reduce((all, name) => all + (values[name] ?? 0), 0);
    const told = (left) => (sum(left) - values.overhead_gib) * share + values.overhead_gib;
    const smaller = values.gradients_gib > values.activations_gib ? 'activations_gib' : 'gradients_gib';
    return Math.abs(told(null) - need.total_gib) < Math.abs(told(smaller) - need.total_gib) ? null : smaller;
}

/** The parts of one copy of the job; they sum up to what the server reckons with. */
function partsOf(need, fragmentation = 1) {
    if (!isKnown(need.weights_gib) || need.is_floor) {
        return [{name: need.is_floor ? 'least' : 'without_parts', value: need.total_gib ?? need.per_gpu_gib}];
    }
    const values = Object.fromEntries(PARTS.map((name) => [name, need[name] ?? 0]));
    const left = largerOfBoth(need, values, fragmentation);
    const parts = PARTS.filter((name) => name !== left && values[name] > 0).map((name) => ({name, value: values[name]}));
    const rest = need.total_gib - parts.reduce((sum, part) => sum + part.value, 0);
    if (rest < -NOTICED) { // a table that stays in main memory, or a step that is over before the peak
        const large = parts.find((part) => part.name === 'optimizer_gib' && part.value > -rest) ?? parts[0];
        large.value += rest;
    } else if (rest > NOTICED) {
        parts.push({name: 'spare', value: rest});
    }
    return parts;
}

/** All that is drawn. Cards that share one copy of the job count together; otherwise one card is the limit. */
function stackOf(answer, offer) {
    const {need} = answer;
    const pick = offer === undefined ? answer.picks[0] : undefined;
    const count = SHARING.includes(pick?.strategy) ? pick.count : 1;
    let parts = partsOf(need, answer.assumptions.memory_fragmentation);
    const total = need.per_gpu_gib * count;
    const again = count > 1 ? total - need.total_gib : 0;
    if (again > NOTICED) {
        parts.push({name: 'sharing', value: again});
    } else if (Math.abs(total - parts.reduce((sum, part) => sum + part.value, 0)) > 2 * NOTICED) {
        parts = [{name: 'without_parts', value: total}];
    }
    const size = pick?.gpu.memory_per_process_gib ?? pick?.gpu.memory_gib ?? offer?.memory_gib;
    const name = pick !== undefined ? shortName(pick.gpu.name) : offer?.accelerator;
    return {
        parts, total, count, pick, name, size,
        low: need.per_gpu_low_gib * count,
        high: need.per_gpu_high_gib * count,
        room: pick !== undefined ? pick.fit.available_gib * count : offer?.memory_gib,
        usable: need.is_floor ? 1 : answer.assumptions.usable_share_default, // a floor is compared with memory as sold
    };
}

function nameOfPart(name) {
    return name.endsWith('_gib') ? t(`parts.${name}`) : t(`answer.${name}`);
}

/** What stands at the end of the card; on phones its size is enough, the verdict has named it. */
function nameOfEnd(stack, width) {
    if (stack.count > 1 || !isKnown(stack.size)) {
        return stack.count > 1 ? t('answer.set_line', stack.count, stack.name) : stack.name;
    }
    return width < WIDE ? `${gib(stack.size)} GB` : t('answer.has_line', stack.name, gib(stack.size));
}

/** The class of a part: the strongest colour first, grey for what is nobody's choice. */
function colour(part, index) {
    return NOBODYS.includes(part.name) ? 'part-5' : `part-${Math.min(index + 1, 4)}`;
}

function bar(part, index) {
    return s('rect', {x: part.left.toFixed(1), y: BAR.top, height: BAR.height,
        width: Math.max(0.5, part.right - part.left - 1.5).toFixed(1), class: colour(part, index)});
}

function rangeMark(stack, x) {
    const middle = BAR.top + BAR.height / 2;
    const caps = [stack.low, stack.high].map((value) => line(x(value), middle - 6, x(value), middle + 6, 'c-end'));
    return stack.low < stack.high ? [line(x(stack.low), middle, x(stack.high), middle, 'c-end'), caps] : null;
}

/** The end of the card, at the right, with its name. */
function endMark(stack, x, width, measure) {
    if (!isKnown(stack.room)) {
        return {marks: [], from: Infinity, to: -Infinity};
    }
    const at = x(stack.room);
    const text = nameOfEnd(stack, width);
    const wide = measure(text, true);
    const isEnd = at >= wide;
    return {
        marks: [line(at, BAR.top - 5, at, BAR.top + BAR.height + 5, 's-end'),
            label(isEnd ? at : 0, 12, text, isEnd ? 'accent end' : 'accent')],
        from: isEnd ? at - wide : 0,
        to: isEnd ? at : wide,
    };
}

/** The sizes of cards nearest to the need, as far as their names do not meet. */
function sizeMarks(stack, x, width, end, measure) {
    const places = SIZES.filter((size) => size !== stack.size && stack.count === 1)
        .map((size) => ({size, value: size * stack.usable, text: width < WIDE ? String(size) : t('answer.class_line', size)}))
        .map((one) => ({...one, at: x(one.value), half: measure(one.text) / 2}))
        .filter((one) => one.at - one.half > 0 && one.at + one.half < width && one.value < (stack.room ?? Infinity))
        .sort((a, b) => Math.abs(a.value - stack.total) - Math.abs(b.value - stack.total));
    const taken = [];
    for (const one of places) {
        const isFree = taken.every((other) => Math.abs(other.at - one.at) > other.half + one.half + 10);
        if (taken.length < TICKS && isFree && (one.at + one.half + 10 < end.from || one.at - one.half - 10 > end.to)) {
            taken.push(one);
        }
    }
    return taken.map(({at, text}) => [line(at, BAR.top - 5, at, BAR.top + BAR.height + 5, 'c-end'), label(at, 12, text, 'meta middle')]);
}

function leftMark(stack, x, measure) {
    if (!isKnown(stack.room)) {
        return null;
    }
    const text = t('answer.room_left', gib(stack.room - stack.total));
    const from = x(Math.max(stack.total, stack.high));
    const to = x(stack.room);
    return to - from > measure(text, true) + 16
        ? label((from + to) / 2, BAR.top + BAR.height / 2 + 4, text, 'strong middle') : null;
}

function textOf(part) {
    const isSentence = part.name === 'least' || part.name === 'without_parts';
    return isSentence ? `${gib(part.value)} GiB${t('comma')}${nameOfPart(part.name)}` : `${gib(part.value)} ${nameOfPart(part.name)}`;
}

/** Where the name of a part may begin: under the part when it is as wide, else at either side of a leader from its middle. */
function beginnings(part, wide, width) {
    const isWide = part.right - part.left > wide;
    const starts = isWide ? [part.left] : [part.middle + 4, part.middle - 4 - wide];
    return ROWS.flatMap((_, row) => starts.map((start) => ({row, start, end: start + wide, at: isWide && row === 0 ? null : part.middle})))
        .filter(({start, end}) => start >= 0 && end <= width);
}

/** Whether two names meet, or the leader of one runs through the other. */
function meet(one, other) {
    const crosses = (low, high) => low.at !== null && low.row > high.row && low.at > high.start - 4 && low.at < high.end + 4;
    return (one.row === other.row && one.start < other.end + 12 && one.end + 12 > other.start)
        || crosses(one, other) || crosses(other, one);
}

/** The names of the parts below the bar, each as high as it can stand without meeting another; null when one finds no place. */
function partNames(parts, width, measure) {
    const choices = [...parts].sort((a, b) => b.value - a.value)
        .map((part) => ({text: textOf(part), places: beginnings(part, measure(textOf(part)), width)}));
    const place = (taken) => {
        if (taken.length === choices.length) {
            return taken;
        }
        const {text, places} = choices[taken.length];
        const free = places.filter((one) => taken.every((other) => !meet(one, other)));
        return free.reduce((found, one) => found ?? place([...taken, {...one, text}]), null); // a name may have to make way
    };
    return place([]);
}

function nameMarks(names) {
    return names.map(({row, start, at, text}) => [
        at === null ? null : line(at, BAR.top + BAR.height + 2, at, ROWS[row] + 1, 's-leader'),
        label(start, ROWS[row], text),
    ]);
}

function partList(stack) {
    return stack.parts.map((part, index) => h('li', {},
        s('svg', {width: 10, height: 10, 'aria-hidden': 'true'}, s('rect', {width: 10, height: 10, class: colour(part, index)})),
        h('span', {}, nameOfPart(part.name)),
        h('b', {}, `${gib(part.value)} GiB`)));
}

/** Places of all that is drawn at a width: the scale, the parts on it, their names or null where they need a list. */
function layoutOf(stack, width, measure) {
    const most = Math.max(stack.total, stack.high, stack.room ?? stack.high * 1.08);
    const x = (value) => (value / most) * (width - 1);
    let at = 0;
    const parts = stack.parts.map((part) => {
        const [left, right] = [x(at), x(at + part.value)];
        at += part.value;
        return {...part, left, right, middle: (left + right) / 2};
    });
    return {x, most, parts, names: width < WIDE ? null : partNames(parts, width, measure)};
}

function heightOf({names}) {
    return names === null ? BAR.top + BAR.height + 8 : ROWS[Math.max(...names.map(({row}) => row))] + 6;
}

function drawer(stack, list, measure) {
    return ({width}) => {
        const {x, most, parts, names} = layoutOf(stack, width, measure);
        const end = endMark(stack, x, width, measure);
        const room = s('rect', {x: 0, y: BAR.top, height: BAR.height, width: x(stack.room ?? most).toFixed(1), class: 'c-room'});
        list.hidden = names !== null;
        const marks = [room, parts.map(bar), sizeMarks(stack, x, width, end, measure), rangeMark(stack, x), end.marks,
            leftMark(stack, x, measure), names === null ? null : nameMarks(names)];
        return {marks: marks.flat(Infinity).filter(Boolean)};
    };
}

function tableOf(stack) {
    const rows = [
        ...stack.parts.map((part) => [nameOfPart(part.name), part.value]),
        [t('answer.total'), stack.total],
        ...(stack.low < stack.high ? [[t('answer.low'), stack.low], [t('answer.high'), stack.high]] : []),
        ...(isKnown(stack.room) ? [[t('answer.end', stack.name), stack.room]] : []),
    ];
    return {
        columns: [{head: t('answer.part'), cell: ([name]) => name},
            {head: 'GiB', number: true, cell: ([, value]) => gib(value)}],
        rows,
    };
}

function hintOf(answer, stack) {
    const {need} = answer;
    if (need.is_floor) {
        return t('floor', gib(need.per_gpu_gib));
    }
    const each = stack.count > 1
        ? t('answer.shared_by', stack.count, gib(need.per_gpu_gib), gib(stack.pick.fit.available_gib))
        : stack.pick?.count > 1 ? t('answer.copied_to', stack.pick.count) : '';
    const range = stack.low < stack.high ? ` · ${t('range', gib(stack.low), gib(stack.high))}` : '';
    return `${t('answer.finding_alone', gib(stack.total))}${range}${each ? `${t('stop')}${each}` : ''}`;
}

/** The memory of an answer as a chart: of its first pick, of a rented offer, or of the need alone. */
export function memoryChart(answer, offer) {
    const stack = stackOf(answer, offer);
    const measure = measurer();
    const list = h('ul', {class: 'legend'});
    show(list, partList(stack));
    return chartFigure({
        id: 'memory',
        title: t('memory'),
        hint: hintOf(answer, stack),
        finding: isKnown(stack.room) ? t('answer.finding', gib(stack.total), gib(stack.room), stack.name)
            : t('answer.finding_alone', gib(stack.total)),
        height: (width) => heightOf(layoutOf(stack, width, measure)),
        draw: drawer(stack, list, measure),
        table: () => tableOf(stack),
        file: 'gpuwise-memory',
        below: list,
    });
}

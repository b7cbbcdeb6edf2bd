// A chart: its heading with buttons (table, SVG, PNG), the drawing at the width it has, its points by the arrow keys,
// and the same data as a table. What is drawn is the business of chart_NAME.js.
import {h, s, show, styleSheet, table} from './dom.js';
import {loaded, run} from './request.js';
import {addTexts, t, textsReady} from './text.js';

addTexts('chart');

/** The styles and words of charts: they are awaited before one is shown. */
export const styled = styleSheet('chart').then(() => textsReady());

const NORMAL_PX = 16; // the root font size at which one unit of a drawing is one pixel
const WIDEST = 1216; // of a chart as wide as the page, until it is measured
const REACH = 28; // units from the pointer to the point that is meant
const NEXT = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1};

/** A function that measures a text of 12 units in the font of the page. */
export function measurer() {
    const context = document.createElement('canvas').getContext('2d');
    const family = getComputedStyle(document.documentElement).fontFamily;
    return (text, isStrong = false) => {
        context.font = `${isStrong ? 600 : 400} 12px ${family}`;
        return context.measureText(text).width;
    };
}

/** Class names, those that apply. */
export function looks(...names) {
    return names.filter(Boolean).join(' ');
}

/** A text in a drawing; more: class names such as strong, accent, meta, end (right-aligned), middle, halo. */
export function label(x, y, text, more = '') {
    return s('text', {x: x.toFixed(1), y: y.toFixed(1), class: looks('c-text', more)}, text);
}

/** A straight line in a drawing. */
export function line(x1, y1, x2, y2, name) {
    const at = {x1, y1, x2, y2};
    return s('line', {...Object.fromEntries(Object.entries(at).map(([key, value]) => [key, value.toFixed(1)])), class: name});
}

/** A line through places [x, y]. */
export function path(places, name, isClosed = false) {
    const steps = places.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`);
    return s('path', {d: steps.join('') + (isClosed ? 'Z' : ''), class: name});
}

/** The grid across with its numbers, the axis below with its ticks; say* write a tick's number. */
export function axes({x, y, sayX, sayY}) {
    const [left, right] = x.range;
    const [bottom] = y.range;
    return [
        y.ticks.map((tick) => [
            line(left, y(tick), right, y(tick), 'c-grid'),
            label(left - 8, y(tick) + 4, sayY(tick), 'meta end'),
        ]),
        line(left, bottom, right, bottom, 'c-axis'),
        x.ticks.map((tick) => [
            line(x(tick), bottom, x(tick), bottom + 4, 'c-axis'),
            label(x(tick), bottom + 18, sayX(tick), 'meta middle'),
        ]),
    ];
}

/** One chart in its place; see chartFigure. */
class Chart {
    constructor(parts) {
        this.parts = parts;
        this.chosen = parts.chosen ?? null;
        this.points = [];
        this.width = 0;
        this.svg = s('svg', {role: parts.isChoice ? 'group' : 'img', 'aria-label': parts.finding, class: 'c-drawing'});
        this.place = h('div', {class: 'c-place'}, this.svg);
        this.reserve(Math.min(document.documentElement.clientWidth, WIDEST));
        new ResizeObserver(() => this.measure()).observe(this.place);
        if (parts.isChoice) {
            this.listen();
        }
    }

    /** Sets the size of the drawing before there is one: nothing moves when it comes. */
    reserve(width) {
        const unit = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / NORMAL_PX;
        const {height} = this.parts;
        this.units = {width, height: typeof height === 'function' ? height(width) : height};
        this.svg.setAttribute('width', '100%');
        this.svg.setAttribute('height', this.units.height * unit);
    }

    measure() {
        const unit = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / NORMAL_PX;
        const width = Math.floor(this.place.clientWidth / unit);
        if (width > 0 && (width !== this.width || unit !== this.unit)) {
            this.width = width;
            this.unit = unit;
            this.reserve(width);
            this.svg.setAttribute('viewBox', `0 0 ${width} ${this.units.height}`);
            this.draw();
        }
    }

    draw() {
        if (this.width === 0) {
            return;
        }
        const hadFocus = this.svg.contains(document.activeElement);
        const drawn = this.parts.draw(this.units);
        this.points = (drawn.points ?? []).sort((one, other) => one.x - other.x || other.y - one.y);
        this.under = s('g', {class: 'c-over', 'aria-hidden': 'true'});
        this.over = s('g', {class: 'c-over', 'aria-hidden': 'true'});
        const list = this.points.length > 0 ? this.list() : null;
        show(this.svg, s('g', {'aria-hidden': 'true'}, drawn.marks), this.under, list, this.over);
        if (this.points.length > 0) {
            const chosen = this.points.find(({id}) => id === this.chosen) ?? this.points[0];
            this.choose(chosen, hadFocus);
        }
    }

    list() {
        return s('g', {role: 'listbox', 'aria-label': this.parts.title, 'aria-orientation': 'horizontal'},
            this.points.map((point) => {
                point.node = s('g', {role: 'option', 'aria-label': point.said, 'data-point': point.id, class: 'c-point'},
                    s('circle', {cx: point.x, cy: point.y, r: 12, class: 'c-hit'}), point.mark);
                point.node.addEventListener('focus', () => this.choose(point));
                return point.node;
            }));
    }

    /** Makes a point the one that the line below the chart tells of. */
    choose(point, withFocus = false) {
        this.chosen = point.id;
        for (const one of this.points) {
            one.node.setAttribute('tabindex', one === point ? 0 : -1);
            one.node.setAttribute('aria-selected', one === point);
        }
        this.showName(point);
        this.parts.onchoose?.(point.id);
        if (withFocus) {
            point.node.focus({preventScroll: true});
        }
    }

    /** The ranges of a point, a ring around it and, where it has no label of its own, its name. */
    showName(point) {
        const ring = s('circle', {cx: point.x, cy: point.y, r: point.r + 4, class: 'c-ring'});
        const isRight = point.x > this.width * 0.6;
        const x = point.x + (isRight ? -1 : 1) * (point.r + 9);
        const name = label(x, point.y - 9, point.name, isRight ? 'strong halo end' : 'strong halo');
        show(this.under, point.ranges ?? null);
        show(this.over, ring, point.isLabelled ? null : name);
    }

    nearest(event) {
        const box = this.svg.getBoundingClientRect();
        const x = (event.clientX - box.left) / this.unit;
        const y = (event.clientY - box.top) / this.unit;
        const by = this.points.map((point) => ({point, away: Math.hypot(point.x - x, point.y - y)}))
            .sort((one, other) => one.away - other.away);
        return by.length > 0 && by[0].away < REACH ? by[0].point : null;
    }

    listen() {
        this.svg.addEventListener('pointermove', (event) => {
            const point = this.nearest(event) ?? this.points.find(({id}) => id === this.chosen);
            if (point) {
                this.showName(point);
            }
        });
        this.svg.addEventListener('click', (event) => {
            const point = this.nearest(event);
            if (point) {
                this.choose(point, true);
            }
        });
        this.svg.addEventListener('keydown', (event) => {
            const at = this.points.findIndex(({id}) => id === this.chosen);
            const to = {Home: 0, End: this.points.length - 1}[event.key] ?? at + NEXT[event.key];
            if (this.points[to] && !event.ctrlKey && !event.metaKey && !event.altKey) {
                event.preventDefault();
                this.choose(this.points[to], true);
            }
        });
    }
}

function toolButtons(parts, chart, tablePlace) {
    const tool = (text, name, onclick, more = {}) =>
        h('button', {type: 'button', class: 'link', 'aria-label': name, onclick, ...more}, text);
    const ontable = (event) => {
        const isOpen = tablePlace.hidden;
        if (isOpen) {
            const {columns, rows} = typeof parts.table === 'function' ? parts.table() : parts.table;
            show(tablePlace, table(parts.title, columns, rows));
        }
        tablePlace.hidden = !isOpen;
        event.target.setAttribute('aria-expanded', isOpen);
    };
    const words = {title: parts.title, hint: parts.hint ?? '', finding: parts.finding};
    const save = (work) => run(async () => work(await loaded('chart_save', () => import('./chart_save.js'))), false);
    const file = () => (typeof parts.file === 'function' ? parts.file() : parts.file);
    return h('p', {class: 'c-tools'},
        tool(t('charts.table'), t('charts.table_of', parts.title), ontable, {'aria-expanded': 'false', 'aria-controls': tablePlace.id}),
        tool(t('charts.svg'), t('charts.svg_of', parts.title), () => save((saver) => saver.saveSvg(chart.svg, words, file()))),
        tool(t('charts.png'), t('charts.png_of', parts.title), () => save((saver) => saver.savePng(chart.svg, words, file()))));
}

/**
 * A chart as a section with id.
 *
 *     title, hint     its heading and the line below it
 *     finding         one sentence: what there is to see, for those who do not see it
 *     height          of the drawing in units (1/16 of the root font size: pixels on usual screens), or from the width
 *     draw            ({width, height}) -> {marks, points}: nodes, and {id, x, y, r, name, said, mark, ranges, isLabelled} to choose
 *     isChoice        there are points; chosen: the id of the first one, onchoose(id) is told
 *     table           {columns, rows} as for table() in dom.js, or a function that makes it
 *     file            the name of a saved drawing without its ending, or a function that makes it
 *     below           nodes below the drawing, as the line that onchoose fills
 *     isHeadless      the view has a heading of its own: the buttons stand below
 *
 * The section has redraw(changes) for when what is drawn, or the parts above, are others.
 */
export function chartFigure(parts) {
    const chart = new Chart(parts);
    const tablePlace = h('div', {id: `${parts.id}-table`, class: 'c-table', hidden: true});
    const tools = toolButtons(parts, chart, tablePlace);
    const head = h('div', {class: 'c-head'}, h('h2', {id: `${parts.id}-title`}, parts.title), tools);
    const hint = parts.hint ? h('p', {class: 'small c-hint'}, parts.hint) : null;
    const section = h('section', {class: 'chart', id: parts.id},
        parts.isHeadless ? null : [head, hint, parts.above], chart.place, parts.below, parts.isHeadless ? tools : null, tablePlace);
    section.redraw = (changes = {}) => {
        Object.assign(parts, changes);
        chart.chosen = changes.chosen ?? chart.chosen;
        chart.svg.setAttribute('aria-label', parts.finding);
        if (chart.width > 0) {
            chart.reserve(chart.width);
            chart.svg.setAttribute('viewBox', `0 0 ${chart.width} ${chart.units.height}`);
        }
        chart.draw();
        if (!tablePlace.hidden) {
            const {columns, rows} = typeof parts.table === 'function' ? parts.table() : parts.table;
            show(tablePlace, table(parts.title, columns, rows));
        }
    };
    return section;
}

// Small drawings within rows, in SVG. Lengths are attributes: the Content-Security-Policy allows no inline style.
import {h, s} from './dom.js';

function percent(value, whole) {
    return `${Math.max(0, Math.min(100, (100 * value) / whole)).toFixed(2)}%`;
}

function line(x1, y1, x2, y2, name) {
    return s('line', {x1, y1, x2, y2, class: name});
}

function mark(height, said, ...children) {
    return s('svg', {class: 'bar', width: '100%', height, role: 'img', 'aria-label': said}, children);
}

/** The memory needed with its range within what the card has, on the scale of the column; memory: {needed, low, high, has, isTight}. */
export function memoryMark({needed, low, high, has, isTight}, top, said) {
    const end = percent(has, top);
    return mark(16, said,
        s('rect', {x: 0, y: 4, height: 8, width: end, class: 'room'}),
        s('rect', {x: 0, y: 4, height: 8, width: percent(needed, top), class: isTight ? 'part-3' : 'part-1'}),
        low < high ? line(percent(low, top), 8, percent(high, top), 8, 'whisker') : null,
        line(end, 1, end, 15, 'limit'));
}

/** A value with its range on the scale of the column. */
export function rangeMark({value, low, high}, top, said) {
    const x = percent(value, top);
    return mark(16, said,
        line('0%', 15.5, '100%', 15.5, 'base'),
        line(percent(low, top), 8, percent(high, top), 8, 'whisker'),
        line(x, 3, x, 13, 'point'));
}

/** A triangle before what must not be missed, a circle before what is good to know; the words beside it say the same. */
export function sign(isNote = false) {
    const shape = isNote ? s('circle', {cx: 8, cy: 8, r: 6.4}) : s('path', {d: 'M8 1.9 14.9 14H1.1Z', 'stroke-linejoin': 'round'});
    const drawn = s('svg', {viewBox: '0 0 16 16', fill: 'none', stroke: 'currentColor', 'stroke-width': 1.4, 'stroke-linecap': 'round'},
        shape, s('path', {d: isNote ? 'M8 7.4v3.8M8 4.9v.1' : 'M8 6.2v3.6M8 11.8v.1'}));
    return h('span', {class: 'sign', 'aria-hidden': 'true'}, drawn);
}

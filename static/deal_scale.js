// The scale of a quoted price: what would be good, fair and poor, with what was seen and what is asked marked on it.
import {h, s, show} from './dom.js';
import {money} from './format.js';
import {t} from './text.js';

const BAND_TOP = 46;
const BAND_HEIGHT = 28;
const ROW = 40; // of a label of two lines below the band
const GAP = 12;

/** About how wide a text of 13 px is: Chinese characters are square. */
function widthOf(text) {
    return [...text].reduce((sum, letter) => sum + (letter > '\u2e80' ? 13 : 7.4), 0);
}

/** Below the band, labels that would touch go into another row. */
function rowsOf(marks, xOf, width) {
    const ends = [];
    return [...marks]
        .sort((a, b) => a.amount - b.amount)
        .map((mark) => {
            const half = Math.max(widthOf(mark.title), widthOf(mark.note)) / 2;
            const middle = Math.min(Math.max(xOf(mark.amount), half), width - half);
            let row = ends.findIndex((end) => end + GAP < middle - half);
            row = row === -1 ? ends.length : row;
            ends[row] = middle + half;
            return {...mark, middle, row};
        });
}

function bandsOf({fair, band, verdict}) {
    if (verdict === 'avoid') {
        return [{name: 'avoid', from: 0, to: Infinity}];
    }
    if (fair === null) {
        return [{name: 'open', from: 0, to: Infinity}];
    }
    return [
        {name: 'good', from: 0, to: fair},
        {name: 'fair', from: fair, to: fair * band},
        {name: 'poor', from: fair * band, to: Infinity},
    ];
}

function bandParts(scale, xOf, width) {
    return bandsOf(scale).map(({name, from, to}) => {
        const left = xOf(from);
        const right = Math.min(xOf(to), width);
        const word = name === 'open' ? '' : t(`deal.scale.${name}`);
        return [
            s('rect', {
                class: `band ${scale.verdict === 'unknown' ? 'open' : name}`,
                x: left + (from > 0 ? 1 : 0),
                y: BAND_TOP,
                width: Math.max(0, right - left - 1),
                height: BAND_HEIGHT,
            }),
            widthOf(word) + 16 < right - left
                ? s('text', {class: `word ${scale.verdict === 'unknown' ? 'open' : name}`, x: left + 8, y: BAND_TOP + 19}, word)
                : null,
        ];
    });
}

function labelOf(mark, middle, top) {
    return s(
        'g',
        {class: mark.kind},
        s('text', {class: 'title', x: middle, y: top}, mark.title),
        s('text', {class: 'note', x: middle, y: top + 16}, mark.note),
    );
}

/** The price asked, above the band: [lines, label]. */
function quotedMark({quoted, currency}, xOf, width) {
    const mark = {kind: 'quoted', title: money(quoted, currency), note: t('deal.scale.quoted')};
    const half = Math.max(widthOf(mark.title), widthOf(mark.note)) / 2;
    const x = xOf(quoted);
    const line = s('line', {class: 'quoted', x1: x, x2: x, y1: 36, y2: BAND_TOP + BAND_HEIGHT + 4});
    return [line, labelOf(mark, Math.min(Math.max(x, half), width - half), 14)];
}

/** A price below the band with its range: [lines, label]. */
function lowerMark(mark, xOf) {
    const x = xOf(mark.amount);
    const bottom = BAND_TOP + BAND_HEIGHT;
    const top = bottom + 10 + mark.row * ROW;
    const range = {class: 'range', x1: xOf(mark.low), x2: xOf(mark.high), y1: bottom + 4, y2: bottom + 4};
    const lines = [mark.high > mark.low ? s('line', range) : null, s('line', {x1: x, x2: x, y1: bottom - 6, y2: top})];
    return [lines, labelOf({...mark, kind: mark.stale ? 'stale' : null}, mark.middle, top + 14)];
}

function draw(place, scale, label) {
    const root = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16; // wide screens have larger text
    const width = place.clientWidth / root;
    const top = Math.max(scale.quoted, (scale.fair ?? 0) * scale.band * 1.15, ...scale.marks.map((mark) => mark.high)) * 1.08;
    const xOf = (amount) => Math.min(width, (amount / top) * width);
    const marks = rowsOf(scale.marks, xOf, width);
    const rows = Math.max(0, ...marks.map((mark) => mark.row + 1));
    const height = BAND_TOP + BAND_HEIGHT + 14 + rows * ROW;
    const drawn = [...marks.map((mark) => lowerMark(mark, xOf)), quotedMark(scale, xOf, width)];
    const size = {width: width * root, height: height * root, viewBox: `0 0 ${width} ${height}`};
    show(
        place,
        s(
            'svg',
            {role: 'img', 'aria-label': label, ...size},
            bandParts(scale, xOf, width),
            drawn.map(([lines]) => lines), // below all labels: these have a halo
            drawn.map(([, text]) => text),
        ),
    );
}

/**
 * The scale, drawn at the width it has. scale: quoted, currency, verdict, fair (null: none), band (how far above it is
 * fair), marks [{amount, low, high, title, note, stale}].
 */
export function dealScale(scale) {
    const place = h('div', {class: 'deal-scale'});
    const parts = [
        `${t('deal.scale.quoted')} ${money(scale.quoted, scale.currency)}`,
        ...scale.marks.map((mark) => `${mark.note} ${mark.title}`),
    ];
    const label = t('deal.scale.label', parts.join(t('semicolon')));
    let drawn = 0;
    new ResizeObserver(() => {
        if (place.clientWidth !== drawn && place.clientWidth > 0) {
            drawn = place.clientWidth;
            draw(place, scale, label);
        }
    }).observe(place);
    return place;
}

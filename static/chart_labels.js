// Where the names beside the marks of a chart go: each tries eight places and is left out rather than cross something.

const ASCENT = 9.5; // of 12 px text above its base line
const DESCENT = 3;
const GAP = 5; // between a mark and its name

/** The eight places in the order of trying: the sides first, then the diagonals. */
const PLACES = [[1, 0], [-1, 0], [0, -1], [0, 1], [1, -1], [-1, -1], [1, 1], [-1, 1]];

function boxAt(point, width, [dx, dy]) {
    const away = point.r + GAP;
    const isDiagonal = dx !== 0 && dy !== 0;
    const aside = isDiagonal ? away * 0.6 : away;
    const left = point.x + (dx > 0 ? aside : dx < 0 ? -aside - width : -width / 2);
    const base = point.y + (dy < 0 ? -away * (isDiagonal ? 0.7 : 1) : dy > 0 ? away * (isDiagonal ? 0.7 : 1) + ASCENT
        : (ASCENT - DESCENT) / 2 + 0.75);
    return {left, right: left + width, top: base - ASCENT, bottom: base + DESCENT, base};
}

function isInside(box, bounds) {
    return box.left >= bounds.left && box.right <= bounds.right && box.top >= bounds.top && box.bottom <= bounds.bottom;
}

/** Whether two boxes come nearer than `gap`. */
export function boxesMeet(one, other, gap = 0) {
    return one.left < other.right + gap && one.right + gap > other.left &&
        one.top < other.bottom + gap && one.bottom + gap > other.top;
}

function meetsCircle(box, {x, y, r}) {
    const dx = x - Math.max(box.left, Math.min(x, box.right));
    const dy = y - Math.max(box.top, Math.min(y, box.bottom));
    return dx * dx + dy * dy < r * r;
}

/** Whether the line from (x1, y1) to (x2, y2) crosses the box: the part of it inside all four sides is not empty. */
export function lineMeetsBox(line, box) {
    const dx = line.x2 - line.x1;
    const dy = line.y2 - line.y1;
    let from = 0;
    let to = 1;
    for (const [step, room] of [[-dx, line.x1 - box.left], [dx, box.right - line.x1],
        [-dy, line.y1 - box.top], [dy, box.bottom - line.y1]]) {
        if (step === 0 && room <= 0) {
            return false;
        }
        if (step < 0) {
            from = Math.max(from, room / step);
        } else if (step > 0) {
            to = Math.min(to, room / step);
        }
    }
    return from < to;
}

/**
 * Places names greedily, the first ones first: points {x, y, r, text, isStrong} in the order of their weight; `lines`
 * {x1, y1, x2, y2} and `marks` {x, y, r} (the points) are not to be crossed, nor are the boxes in `taken`;
 * measure(text, isStrong) is a width. At most `most`.
 * Returns {point, x, y, box} of those that found a place: x is the left end, y the base line.
 */
export function placeLabels(points, {lines = [], marks = points, taken = [], bounds, measure, most = Infinity}) {
    const placed = [];
    for (const point of points) {
        if (placed.length >= most) {
            break;
        }
        const width = measure(point.text, point.isStrong);
        const box = PLACES.map((place) => boxAt(point, width, place)).find((one) =>
            isInside(one, bounds) &&
            !marks.some((other) => meetsCircle(one, {...other, r: other.r + 1.5})) &&
            !lines.some((line) => lineMeetsBox(line, one)) &&
            ![...taken, ...placed.map((label) => label.box)].some((other) => boxesMeet(one, other, 2)));
        if (box) {
            placed.push({point, x: box.left, y: box.base, box});
        }
    }
    return placed;
}

/** Moves the base lines of labels in one column apart, so that none is nearer than `step`; keeps order and bounds. */
export function spread(places, step, [top, bottom]) {
    const order = places.map((at, index) => ({at, index})).sort((one, other) => one.at - other.at);
    for (const [index, one] of order.entries()) {
        one.at = Math.max(one.at, index === 0 ? top : order[index - 1].at + step);
    }
    for (let index = order.length - 1; index >= 0; index -= 1) {
        order[index].at = Math.min(order[index].at, index === order.length - 1 ? bottom : order[index + 1].at - step);
    }
    const moved = [];
    for (const one of order) {
        moved[one.index] = one.at;
    }
    return moved;
}

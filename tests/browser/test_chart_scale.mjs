// Scales and labels of charts, without a browser: ticks are round, places are right, names cross nothing.
import {boxesMeet, lineMeetsBox, placeLabels, spread} from '../../static/chart_labels.js';
import {doublingScale, linearScale, logScale, logTicks, niceEnds, timeOf, timeScale, timeTicks} from '../../static/chart_scale.js';
import {done, is, ok} from '../tap.mjs';

/* Linear. */
is(niceEnds([0, 1830], 4), [0, 2000], 'ends are moved out to round numbers');
is(niceEnds([0.013, 0.187], 5), [0, 0.2], 'below one too');
is(niceEnds([5, 5], 4), [5, 5], 'one value alone stays');
const money = linearScale([0, 1830], [300, 20], 4);
is(money.ticks, [0, 500, 1000, 1500, 2000], 'ticks are round');
is([money(0), money(2000), money(1000)], [300, 20, 160], 'places are in proportion, upside down where asked');
is(linearScale([0, 0], [10, 90])(0), 10, 'no extent is no division by zero');

/* Logarithmic: equal steps are equal ratios, 2 to 7 ticks of one or two digits, all inside. */
const speed = logScale([100, 10000], [0, 200]);
is([speed(100), Math.round(speed(1000)), speed(10000)], [0, 100, 200], 'a decade is a decade');
is(logTicks([430, 6200], 6), [500, 1000, 2000, 5000], 'round at about equal ratios');
is(logTicks([430, 6200], 9), [500, 700, 1000, 1500, 2000, 3000, 5000], 'more where there is room');
is(logTicks([0.02, 0.7], 5), [0.02, 0.05, 0.1, 0.2, 0.5], 'below one, exactly');
for (let low = 0.0013; low < 1e6; low *= 1.83) {
    for (const ratio of [1.05, 1.4, 2.1, 3, 8, 25, 90, 1200, 1e5]) {
        const found = logTicks([low, low * ratio], 6);
        const isGood = found.length >= (ratio < 1.2 ? 1 : 2) && found.length <= 6 &&
            found.every((value) => value >= low && value <= low * ratio) &&
            found.every((value, index) => index === 0 || value > found[index - 1]);
        if (!isGood) {
            ok(false, `ticks from ${low} times ${ratio}: ${found}`);
        }
    }
}
is(doublingScale([2, 4, 8, 16, 32, 64, 128], [0, 60])(16), 30, 'powers of two stand evenly');

/* Time. */
is(timeOf('2026'), Date.UTC(2026, 0), 'a year begins with its first day');
is(timeOf('2026-10'), Date.UTC(2026, 9), 'so does a month');
is(timeOf('2026-10-07'), Date.UTC(2026, 9, 7), 'a day is a day');
is(timeOf(null), null, 'unknown stays unknown');
const years = (ticks) => ticks.map((at) => new Date(at).toISOString().slice(0, 7));
is(years(timeTicks([timeOf('2020-09-24'), timeOf('2026-12-01')], 7)),
    ['2021-01', '2022-01', '2023-01', '2024-01', '2025-01', '2026-01'], 'years');
is(years(timeTicks([timeOf('2014-11-01'), timeOf('2026-12-01')], 5)), ['2016-01', '2019-01', '2022-01', '2025-01'],
    'every third year where there are many');
is(years(timeTicks([timeOf('2026-02-10'), timeOf('2026-12-01')], 5)), ['2026-04', '2026-07', '2026-10'], 'quarters');
is(timeScale([0, 100], [0, 50])(50), 25, 'and places');

/* Labels. */
const bounds = {left: 0, top: 0, right: 400, bottom: 200};
const measure = (text) => text.length * 7;
const name = (x, y, text, more = {}) => ({x, y, r: 4, text, ...more});
const place = (points, more = {}) => placeLabels(points, {bounds, measure, ...more});
ok(lineMeetsBox({x1: 0, y1: 5, x2: 10, y2: 5}, {left: 4, right: 6, top: 0, bottom: 9}), 'a line through a box is seen');
ok(!lineMeetsBox({x1: 0, y1: 10, x2: 10, y2: 10}, {left: 4, right: 6, top: 0, bottom: 9}), 'one below it is none');
ok(!lineMeetsBox({x1: 0, y1: 0, x2: 3, y2: 9}, {left: 4, right: 6, top: 0, bottom: 9}), 'nor one that ends before');
ok(place([name(100, 100, 'RTX')])[0].x > 104, 'to the right first');
const atEdge = place([name(390, 100, 'RTX')])[0];
ok(atEdge.box.right < 386, 'to the left where the right has no room');
ok(place([name(100, 100, 'RTX')], {lines: [{x1: 100, y1: 100, x2: 400, y2: 100}, {x1: 0, y1: 100, x2: 100, y2: 100}]})[0].y < 95,
    'above where lines run to both sides');
const narrow = {bounds: {left: 0, top: 90, right: 160, bottom: 110}}; // one row
is(place([name(100, 100, 'first'), name(40, 100, 'longer name'), name(130, 100, 'x')], narrow).map(({point}) => point.text),
    ['first', 'x'], 'left out rather than cross');
is(place([name(50, 20, 'one'), name(50, 90, 'two'), name(50, 160, 'three')], {most: 2}).map(({point}) => point.text),
    ['one', 'two'], 'the first ones, no more than asked');
let seed = 7;
const random = () => {
    seed = (seed * 16807) % 2147483647;
    return seed / 2147483647;
};
const crowd = Array.from({length: 60}, (_, index) => name(random() * 400, random() * 200, `card ${index}`));
const labels = place(crowd);
ok(labels.length > 5, `${labels.length} of 60 in a crowd`);
is(labels.filter((one, index) => labels.slice(index + 1).some((other) => boxesMeet(one.box, other.box))).length, 0,
    'no two names meet');
is(labels.filter(({box}) => crowd.some(({x, y}) => x > box.left && x < box.right && y > box.top && y < box.bottom)).length,
    0, 'no name lies on a mark');
is(spread([50, 52, 51, 190], 14, [10, 195]), [50, 78, 64, 190], 'labels in a column move apart in their order');
is(spread([190, 192], 14, [10, 195]), [181, 195], 'and stay within');
done();

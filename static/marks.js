// Small drawings in SVG. Lengths are attributes: the Content-Security-Policy allows no inline style.
import {h, s} from './dom.js';
import {gib, isKnown} from './format.js';
import {t} from './text.js';

const PARTS = [
    'weights_gib',
    'copies_gib',
    'kv_cache_gib',
    'optimizer_gib',
    'gradients_gib',
    'activations_gib',
    'overhead_gib',
];

const SHARING = ['fsdp', 'tp', 'pp'];

function percent(value, whole) {
    return `${Math.max(0, Math.min(100, (100 * value) / whole)).toFixed(2)}%`;
}

/** What is on the card at the fullest moment: gradients are made while activations are freed. */
function partsOf(need) {
    const later = need.gradients_gib > need.activations_gib ? 'activations_gib' : 'gradients_gib';
    return PARTS.filter((name) => need[name] > 0 && name !== later).map((name) => ({
        name,
        value: need[name],
    }));
}

function stackBars(parts, scale) {
    let at = 0;
    return parts.map((part, index) => {
        const bar = s('rect', {
            x: percent(at, scale),
            y: 8,
            height: 26,
            width: percent(part.value, scale),
            class: part.name === 'overhead_gib' ? 'part-5' : `part-${Math.min(index + 1, 4)}`,
        });
        at += part.value;
        return bar;
    });
}

/**
 * The memory needed, as one stack of its parts on the scale of what the cards have, with its range.
 * Cards that share one copy of the job count together; otherwise one card is the limit.
 */
export function memoryStack(need, pick) {
    const parts = partsOf(need);
    if (parts.length === 0) {
        return null;
    }
    const total = parts.reduce((sum, part) => sum + part.value, 0);
    const cards = SHARING.includes(pick?.strategy) ? pick.count : 1;
    const room = pick ? pick.fit.available_gib * cards : total;
    const scale = Math.max(total, need.high_gib ?? 0, room) * 1.02;
    const end = pick
        ? s('line', {
              x1: percent(room, scale),
              x2: percent(room, scale),
              y1: 2,
              y2: 40,
              class: 'limit',
          })
        : null;
    const range = isKnown(need.low_gib)
        ? s('line', {
              x1: percent(need.low_gib, scale),
              x2: percent(need.high_gib, scale),
              y1: 21,
              y2: 21,
              class: 'whisker',
          })
        : null;
    const label = `${t('needed')} ${gib(total)} GiB`;
    return h(
        'div',
        {},
        s(
            'svg',
            {class: 'stack', width: '100%', height: 42, role: 'img', 'aria-label': label},
            s('rect', {
                x: 0,
                y: 8,
                height: 26,
                width: percent(room, scale),
                class: 'room',
            }),
            stackBars(parts, scale),
            range,
            end,
        ),
        h(
            'ul',
            {class: 'legend'},
            parts.map((part, index) =>
                h(
                    'li',
                    {},
                    s(
                        'svg',
                        {width: 10, height: 10, 'aria-hidden': 'true'},
                        s('rect', {
                            width: 10,
                            height: 10,
                            class:
                                part.name === 'overhead_gib'
                                    ? 'part-5'
                                    : `part-${Math.min(index + 1, 4)}`,
                        }),
                    ),
                    h('span', {}, t(`parts.${part.name}`)),
                    h('b', {}, `${gib(part.value)} GiB`),
                ),
            ),
        ),
    );
}

/** Needed memory within what the card has. */
export function roomBar(fit) {
    const scale = Math.max(fit.available_gib, fit.needed_gib);
    return s(
        'svg',
        {class: 'bar', width: '100%', height: 10, 'aria-hidden': 'true'},
        s('rect', {x: 0, y: 1, height: 8, width: '100%', class: 'room'}),
        s('rect', {
            x: 0,
            y: 1,
            height: 8,
            width: percent(fit.needed_gib, scale),
            class: fit.headroom_gib < 3 ? 'part-3' : 'part-1',
        }),
    );
}

/** A value with its range on the scale of the column. */
export function rangeMark(speed, top) {
    const x = percent(speed.value, top);
    return s(
        'svg',
        {class: 'bar', width: '100%', height: 14, 'aria-hidden': 'true'},
        s('line', {
            x1: percent(speed.low, top),
            x2: percent(speed.high, top),
            y1: 7,
            y2: 7,
            class: 'whisker',
        }),
        s('line', {x1: x, x2: x, y1: 2, y2: 12, class: 'point'}),
    );
}

// What a chart of picks says of one of them, and the mark it makes.
import {looks} from './chart.js';
import {s} from './dom.js';
import {date, gib, isKnown, money, rough, speedUnit} from './format.js';
import {t, word} from './text.js';

/** Filled: fits; hollow: tight; the pick: a dot with a ring. */
export function pointMark(x, y, {isHollow, isPick, isOnRoom}) {
    const at = {cx: x.toFixed(1), cy: y.toFixed(1)};
    if (isPick) {
        const dot = s('circle', {...at, r: 5, class: isHollow ? 'c-dot accent hollow' : 'c-dot accent'});
        return [s('circle', {...at, r: 8.5, class: 'c-halo'}), dot];
    }
    return s('circle', {...at, r: 4.5, class: looks('c-dot', isHollow && 'hollow', isOnRoom && 'on-room')});
}

function priceWords({price}) {
    const seen = isKnown(price.observed_on) ? date(price.observed_on) : null;
    return [word('note_of.conditions', price.condition), price.basis === 'quoted' ? t('quoted') : seen, price.stale ? t('stale') : null]
        .filter(Boolean).join(t('comma'));
}

/** Price, speed and memory of a point, each with what it rests on. */
function partsOf({pick, price, isOver}) {
    const {speed, fit} = pick;
    return [
        [money(price, pick.price.currency), priceWords(pick)].filter(Boolean).join(t('comma')),
        [`${rough(speed.value)} ${speedUnit(speed.unit)}`,
            t('between', rough(speed.low), rough(speed.high), word('bases', speed.basis))].join(t('comma')),
        t('charts.pareto.memory', gib(fit.needed_gib), gib(fit.available_gib)),
        isOver ? t('charts.pareto.over') : null,
    ].filter(Boolean);
}

/** All of that in one line. */
export const wordsOf = Object.assign((point) => [point.name, ...partsOf(point)].join(t('semicolon')), {
    price: priceWords,
    parts: partsOf,
});

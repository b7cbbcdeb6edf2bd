// Scales of charts: from a value to a place, with round ticks. Linear, logarithmic, and of time.
import ticks, {tickIncrement} from './d3_ticks.js';

const YEAR_MS = 365.2425 * 86400e3;

/** Digits of a tick of a logarithmic scale within a decade, from fine to coarse. */
const LOG_DIGITS = [[1, 1.5, 2, 3, 4, 5, 6, 7, 8], [1, 1.5, 2, 3, 5, 7], [1, 2, 5], [1, 3], [1]];

/** Months between the ticks of a scale of time, from fine to coarse. */
const MONTHS = [1, 3, 6, 12, 24, 36, 60, 120];

/** The ends moved out to round numbers, so that the first and last tick are the ends. */
export function niceEnds([low, high], count) {
    let ends = [low, high];
    let step = 0;
    for (let next = tickIncrement(...ends, count); next !== step && Number.isFinite(next); next = tickIncrement(...ends, count)) {
        step = next; // of a step below one it is minus the inverse: whole numbers are exact
        const round = (value, towards) => (step > 0 ? towards(value / step) * step : towards(value * -step) / -step);
        ends = [round(ends[0], Math.floor), round(ends[1], Math.ceil)];
    }
    return ends;
}

function scaleOf(domain, range, along, roundTicks) {
    const [from, to] = domain.map(along);
    const span = to - from || 1;
    const place = (value) => range[0] + ((along(value) - from) / span) * (range[1] - range[0]);
    return Object.assign(place, {domain, range, ticks: roundTicks});
}

/** Months from 0 on in steps that people count in, at most `most` ticks. */
export function monthTicks(end, most) {
    const step = [1, 2, ...MONTHS.slice(1)].find((months) => Math.floor(end / months) + 1 <= most) ?? MONTHS.at(-1);
    return Array.from({length: Math.floor(end / step) + 1}, (_, index) => index * step);
}

/** A linear scale; isNice moves its ends to round numbers. Calls as scale(value); has domain, range and ticks. */
export function linearScale(domain, range, count = 5, isNice = true) {
    const ends = isNice ? niceEnds(domain, count) : domain;
    return scaleOf(ends, range, (value) => value, ticks(...ends, count));
}

/** Round numbers in [low, high] at about equal ratios: at least two where that is possible, at most `most`. */
export function logTicks([low, high], most) {
    const decades = [];
    for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power += 1) {
        decades.push(power);
    }
    for (const digits of LOG_DIGITS) {
        // by a positive or a negative power: 0.05 is 5 / 100, and no more
        const all = decades.flatMap((power) =>
            digits.map((digit) => (power < 0 ? digit / 10 ** -power : digit * 10 ** power)));
        const inside = all.filter((value) => value >= low && value <= high);
        if (inside.length <= most && inside.length >= 2) {
            return inside;
        }
        if (inside.length < 2) {
            break;
        }
    }
    const even = ticks(low, high, Math.max(2, most - 1)).filter((value) => value > 0);
    return even.length <= most ? even : even.filter((_, index) => index % Math.ceil(even.length / most) === 0);
}

/** A logarithmic scale of positive numbers: equal steps are equal ratios. */
export function logScale(domain, range, most = 6) {
    return scaleOf(domain, range, Math.log, logTicks(domain, most));
}

/** A logarithmic scale with given ticks, as powers of two. */
export function doublingScale(values, range) {
    return scaleOf([values[0], values.at(-1)], range, Math.log, values);
}

/** The moment of a day, month or year ("2026-10-07", "2026-10", "2026"), in milliseconds; null when not known. */
export function timeOf(text) {
    return text === null || text === undefined || text === '' ? null : Date.parse(`${text}-01-01`.slice(0, 10));
}

/** The beginnings of years, or of months where the time is short, at most `most` of them. */
export function timeTicks([from, to], most) {
    const first = new Date(from).getUTCFullYear();
    const last = new Date(to).getUTCFullYear();
    for (const months of MONTHS) {
        if ((to - from) / YEAR_MS > (most * months) / 12) {
            continue;
        }
        const found = [];
        for (let month = 0; month <= (last - first + 1) * 12; month += 1) {
            const at = Date.UTC(first, month);
            if ((first * 12 + month) % months === 0 && at >= from && at <= to) {
                found.push(at);
            }
        }
        if (found.length <= most) {
            return found;
        }
    }
    return [];
}

/** A scale of time in milliseconds; its ticks begin years or months. */
export function timeScale(domain, range, most = 6) {
    return scaleOf(domain, range, (value) => value, timeTicks(domain, most));
}

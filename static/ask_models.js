// Which model words mean: pure functions over the list of /models.

/* "1e9" and "-5" are words of their own, so that no part of them is taken for an amount. */
const UNREADABLE = /\d+(?:\.\d+)?e\d+(?![a-z0-9])|(?<![\p{L}\p{N}])[-−]\d+(?:[.,]\d+)*(?![a-z0-9])/u;
const READABLE = /[ahvltpbmw]\d{1,4}s?(?![a-z0-9])|[a-z]+(?:\.cpp)?|\d+(?:[.,]\d+)*[a-z]*|\p{Script=Han}|[$€¥]/u;
const WORD = new RegExp(`${UNREADABLE.source}|${READABLE.source}`, 'gu');

/* Words that begin a model's name and yet mean something else where they stand alone. */
const COMMON = new Set(['code', 'open', 'stable', 'z', 'sd', 'base']);

/** So many models are offered where words name several. */
export const MOST_OFFERED = 6;

/** The words of a text with their places; Latin in lower case and half width, each Chinese character alone. */
export function wordsOf(text) {
    const plain = Array.from(text, (one) => {
        const narrow = one.normalize('NFKC').toLowerCase().replace('￥', '¥');
        return narrow.length === one.length ? narrow : one;
    }).join('');
    return [...plain.replaceAll('_', ' ').matchAll(WORD)].map((found) => ({
        text: found[0],
        start: found.index,
        end: found.index + found[0].length,
    }));
}

function namesOf(model) {
    return [model.id, model.name].map((name) => wordsOf(name).map((word) => word.text));
}

/** The models with the words of their names, by the first word of each. */
export function indexOf(models) {
    const first = new Map();
    const entries = models.map((model) => {
        const names = namesOf(model);
        return {model, names, words: new Set(names.flat())};
    });
    for (const entry of entries) {
        for (const word of new Set(entry.names.map((name) => name[0]))) {
            first.set(word, [...(first.get(word) ?? []), entry]);
        }
    }
    return {first, entries, byId: new Map(models.map((model) => [model.id, model]))};
}

function isExact(entry, words) {
    return entry.names.some((name) => name.length === words.length && name.every((word, at) => word === words[at]));
}

/* The newer first: by the numbers of the name that are no sizes; then what has fewer words besides those said. */
function byAge(one, other) {
    const version = (entry) => Number(entry.names[0].find((word) => /^\d+(\.\d+)*$/.test(word)) ?? 0);
    return one.words.size - other.words.size > 2 || version(one) === version(other)
        ? one.words.size - other.words.size
        : version(other) - version(one);
}

function isOneSize(entries) {
    if (entries.length === 1) {
        return true;
    }
    const sizes = entries.map((entry) => entry.model.params_total);
    return Math.max(...sizes) < 1.2 * Math.min(...sizes);
}

/**
 * The model that the words from `at` on name: {length, model, others}; model is null where they fit several of
 * different size, others are the ones it may be; null: no model begins so.
 */
export function modelAt(index, words, at) {
    const starts = index.first.get(words[at].text) ?? [];
    for (let end = Math.min(at + 9, words.length); end > at; end -= 1) {
        const said = words.slice(at, end).map((word) => word.text);
        const fitting = starts.filter((entry) => said.every((word) => entry.words.has(word)));
        if (fitting.length === 0 || (said.length === 1 && COMMON.has(said[0]))) {
            continue;
        }
        const sorted = fitting.toSorted((a, b) => Number(isExact(b, said)) - Number(isExact(a, said)) || byAge(a, b));
        const isClear = isExact(sorted[0], said) || isOneSize(sorted);
        const names = sorted.map((entry) => entry.model);
        const isFull = isExact(sorted[0], said) && said.length > 2;
        return {
            length: said.length,
            model: isClear ? names[0] : null,
            others: isClear ? (isFull ? [] : names.slice(1, MOST_OFFERED).filter((one) => isAlike(one, names[0]))) : names,
        };
    }
    return null;
}

function isAlike(one, other) {
    return one.params_total < 1.2 * other.params_total && other.params_total < 1.2 * one.params_total;
}

/** Models whose names begin, word by word, with what is typed so far, the likeliest first. */
export function modelsLike(index, words, most) {
    if (words.length === 0) {
        return [];
    }
    const fits = (entry) => words.every((word) => [...entry.words].some((name) => name.startsWith(word)));
    const rank = (entry) => Number(entry.names.some((name) => name[0].startsWith(words[0])));
    return index.entries
        .filter(fits)
        .toSorted((a, b) => rank(b) - rank(a) || byAge(a, b))
        .slice(0, most)
        .map((entry) => entry.model);
}

// From words to parameters: what is understood, what else it may mean, and what is not understood. Pure functions.
import {indexOf, modelAt, MOST_OFFERED, wordsOf} from './ask_models.js';
import {DOMAINS, PATTERNS, QUANTS, TASKS, VOCABULARY} from './ask_vocabulary.js';

const LONGEST = 8;
const TEAMS = ['10', '20'];
const TRAININGS = ['train', 'finetune', 'lora', 'qlora'];

const joined = (words) => words.map((word) => word.text).join(' ');

/* Phrase → its meanings; the words as wordsOf() cuts them. */
const MEANINGS = new Map();
for (const [meaning, phrases] of Object.entries(VOCABULARY)) {
    for (const phrase of phrases.split('|')) {
        const key = joined(wordsOf(phrase));
        MEANINGS.set(key, [...(MEANINGS.get(key) ?? []), meaning]);
    }
}
for (const quant of QUANTS) {
    MEANINGS.set(joined(wordsOf(quant)), [`quant:${quant}`]);
}
const NUMBERS = PATTERNS.map(([pattern, meaningOf]) => [new RegExp(`^${pattern}(?= |$)`, 'u'), meaningOf]);

function phraseAt(words, at) {
    for (let length = Math.min(LONGEST, words.length - at); length > 0; length -= 1) {
        const meanings = MEANINGS.get(joined(words.slice(at, at + length)));
        if (meanings !== undefined) {
            return {length, meanings};
        }
    }
    return null;
}

function numberAt(words, at) {
    const rest = joined(words.slice(at, at + 16));
    let best = null;
    for (const [pattern, meaningOf] of NUMBERS) {
        const found = pattern.exec(rest);
        const length = found?.[0].split(' ').length ?? 0;
        if (length > (best?.length ?? 0)) {
            best = {length, parameters: meaningOf(...found.slice(1))};
        }
    }
    return best;
}

function longest(...readings) {
    return readings.reduce((best, one) => (one !== null && one.length > (best?.length ?? 0) ? one : best), null);
}

/** Cuts the words into readings; what has none is left over. Of equal lengths a model goes before a phrase, that before a number. */
function readingsOf(words, index) {
    const readings = [];
    for (let at = 0; at < words.length; ) {
        const found = longest(modelAt(index, words, at), phraseAt(words, at), numberAt(words, at)) ?? {length: 1, isUnknown: true};
        readings.push({...found, words: words.slice(at, at + found.length)});
        at += found.length;
    }
    return readings;
}

/* Other names of families are put as the names that /models knows. */
function renamed(words) {
    const result = [];
    for (let at = 0; at < words.length; ) {
        const phrase = phraseAt(words, at);
        const family = phrase?.meanings.find((meaning) => meaning.startsWith('family:'));
        if (family === undefined) {
            result.push(words[at]);
            at += 1;
            continue;
        }
        const {start} = words[at];
        const {end} = words[at + phrase.length - 1];
        result.push(...wordsOf(family.slice(7)).map((word) => ({...word, start, end})));
        at += phrase.length;
    }
    return result;
}

/** All that the readings say: of each kind a set, and the parameters as said, of which the first wins. */
function gather(readings) {
    const said = {task: new Set(), hint: new Set(), domain: new Set(), cards: new Set(), absent: new Set(), values: {}};
    for (const reading of readings) {
        for (const meaning of reading.meanings ?? []) {
            const [kind, value] = meaning.split(':');
            if (said[kind] instanceof Set) {
                said[kind].add(value);
            } else if (kind !== 'skip' && kind !== 'family') {
                said.values[kind] ??= value;
            }
        }
        const {card, ...parameters} = reading.parameters ?? {};
        if (card !== undefined) {
            said.cards.add(card);
        }
        for (const [name, value] of Object.entries(parameters)) {
            said.values[name] ??= value;
        }
    }
    return said;
}

/* "Two 3090s" are there already, unless other cards are named beside them. */
function ownCounted({cards}, values) {
    const {counted} = values;
    delete values.counted;
    if (counted !== undefined && (cards.size > 0 || values.own !== undefined)) {
        cards.add(counted);
        delete values.max_gpus;
    } else if (counted !== undefined) {
        values.own = counted;
    }
}

/* With one card named the money is its price, no budget; its currency stays that of the question. */
function quoteOf({cards}, values) {
    const {budget} = values;
    if (cards.size !== 1 || budget === undefined) {
        return null;
    }
    delete values.budget;
    return budget;
}

const SMALL = 1.2e9;
const KIND_DOMAINS = {diffusion: 'diffusion', speech: 'speech', llm: 'llm'};

/* Adapters are for language models; small encoders are trained whole. */
const isTunedInFull = ({kind, params_total: size}) => kind !== 'llm' && (size < SMALL || !['encoder', 'embedding'].includes(kind));

/* Several models of one kind are run for the same: that counts before it is said which of them it is. */
function sharedBy(models) {
    const domain = KIND_DOMAINS[models[0]?.kind];
    return domain !== undefined && models.every((model) => model.kind === models[0].kind) ? {task: 'inference', domain} : {};
}

/* Of several models those near the size that is said as well, if there are any: else the size stands for itself. */
function nearSize(models, size) {
    const said = Number.parseFloat(size) * (/m$/i.test(size) ? 1e6 : 1e9);
    return size === undefined ? models : models.filter(({params_total: total}) => total < 1.3 * said && said < 1.3 * total);
}

function taskOf(said, models) {
    const rule = TASKS.find((one) => said.task.has(one.said));
    if (rule === undefined) {
        return {or: []};
    }
    return rule.said === 'tune' && models.length > 0 && models.every(isTunedInFull) ? {task: 'finetune', or: ['lora']} : rule;
}

function domainOf(said, hasModel) {
    const first = (set) => DOMAINS.find((domain) => set.has(domain));
    const hint = first(said.hint);
    const named = first(said.domain);
    if (hint !== undefined && named !== undefined && DOMAINS.indexOf(hint) < DOMAINS.indexOf(named)) {
        return hasModel ? undefined : hint; // "draw pictures": the verb says more than the noun
    }
    return named ?? (hasModel ? undefined : hint);
}

/* Words for a number of bits or tokens mean another parameter in training than in running. */
function settle({tokens, pixels, ...values}, task) {
    const isTraining = TRAININGS.includes(task);
    const result = {...values, ...(pixels ? {resolution: pixels} : {})};
    if (tokens !== undefined) {
        result[isTraining ? 'seq_len' : 'context'] = tokens;
    }
    if (isTraining && values.quant === 'q4_k_m') {
        delete result.quant;
    }
    if (isTraining && values.quant === 'q8_0') {
        result.quant = 'int8';
    }
    return result;
}

function othersOf(rule, others, values) {
    return [
        ...rule.or.map((value) => ({parameter: 'task', value})),
        ...others.slice(0, MOST_OFFERED).map((model) => ({parameter: 'model', value: model.id})),
        ...(values.users === '5' ? TEAMS.map((value) => ({parameter: 'users', value})) : []),
    ];
}

/* Stretches of the text that had no reading, as they were typed. */
function unknownOf(text, readings) {
    const stretches = [];
    for (const {words, isUnknown} of readings) {
        const last = stretches.at(-1);
        if (isUnknown && last?.isOpen) {
            last.end = words[0].end;
        } else if (isUnknown) {
            stretches.push({start: words[0].start, end: words[0].end, isOpen: true});
        } else if (last) {
            last.isOpen = false;
        }
    }
    return stretches.map(({start, end}) => text.slice(start, end));
}

function isBegun(word) {
    return [...MEANINGS.keys()].some((phrase) => phrase.startsWith(word));
}

/**
 * What a text asks for: {parameters, others, unknown, which, cards, absent, price, readings}. others: [{parameter, value}]
 * it may mean as well; which: the words that name several models, others being those; cards: those named that are not owned;
 * price: what the only one is quoted at; absent: machines that are no cards; isShared: the field is that of all models it may be;
 * isTyping: the last word may not be complete.
 */
export function understand(text, index = indexOf([]), isTyping = false) {
    const readings = readingsOf(renamed(wordsOf(text)), index);
    const found = readings.find((reading) => reading.others !== undefined && reading.model !== null) ??
        readings.find((reading) => reading.others !== undefined);
    const said = gather(readings);
    const model = found?.model ?? null;
    const {model: size, ...values} = said.values;
    ownCounted(said, values);
    const price = quoteOf(said, values);
    const id = model?.id ?? size;
    const others = model === null ? nearSize(found?.others ?? [], size) : found.others;
    const rule = taskOf(said, model === null ? others : [model]);
    const shared = model === null && size === undefined ? sharedBy(others) : {};
    if (values.quant === 'q4_k_m' && rule.said === 'tune') {
        rule.or = ['lora', 'finetune'];
    }
    const domain = domainOf(said, id !== undefined);
    const named = Object.entries({task: rule.task ?? shared.task, domain: domain ?? shared.domain, model: id})
        .filter(([, value]) => value !== undefined);
    const isDrawing = model?.kind === 'diffusion' || [domain, shared.domain].includes('diffusion');
    if (values.pixels !== undefined && !isDrawing) {
        delete values.pixels;
        readings.filter((reading) => reading.parameters?.pixels).forEach((reading) => Object.assign(reading, {isUnknown: true}));
    }
    const parameters = settle({...Object.fromEntries(named), ...values}, rule.task);
    const last = readings.at(-1);
    if (isTyping && last?.isUnknown && !/\s$/.test(text) && (isBegun(last.words[0].text) || index.first.size === 0)) {
        last.isUnknown = false;
        last.isOpen = true;
    }
    return {
        parameters,
        others: othersOf(rule, others, values),
        which: others.length > 0 && model === null ? text.slice(found.words[0].start, found.words.at(-1).end) : null,
        unknown: unknownOf(text, readings),
        cards: [...said.cards],
        absent: [...said.absent],
        price,
        isShared: domain === undefined && shared.domain !== undefined,
        readings,
    };
}

// Which questions to suggest for the words typed so far: task x model. Pure functions.
import {modelsLike} from './ask_models.js';

const MOST_ROWS = 8;
const MOST_MODELS = 5;

/** The tasks to suggest where this one is said, the likeliest first. */
const NEAR = {
    qlora: ['qlora', 'lora', 'finetune', 'inference'],
    lora: ['lora', 'qlora', 'finetune', 'inference'],
    finetune: ['finetune', 'lora', 'qlora', 'inference'],
    train: ['train', 'finetune', 'inference'],
    inference: ['inference', 'qlora', 'lora', 'finetune'],
    learn: ['learn', 'inference', 'train'],
};
const ADAPTED = {llm: ['lora', 'qlora'], diffusion: ['lora']}; // kinds of models that adapters are made for

function kindOf(id, index) {
    return index.byId.get(id)?.kind ?? 'llm'; // a size is one of a language model
}

function tasksFor(model, task, index) {
    if (model === undefined) {
        return NEAR[task ?? 'learn'].filter((one) => !['lora', 'qlora'].includes(one) || one === task);
    }
    const adapters = ADAPTED[kindOf(model, index)] ?? [];
    return NEAR[task ?? 'inference'].filter((one) => !['lora', 'qlora'].includes(one) || adapters.includes(one) || one === task);
}

function modelsFor(result, index) {
    const {model} = result.parameters;
    const named = result.others.filter((other) => other.parameter === 'model').map((other) => other.value);
    if (model !== undefined) {
        return [model, ...named];
    }
    const typed = result.readings
        .filter((reading) => reading.isOpen || reading.isUnknown || reading.others !== undefined)
        .flatMap((reading) => reading.words.map((one) => one.text));
    const like = modelsLike(index, typed, MOST_MODELS).map((one) => one.id);
    return like.length > 0 ? like : named.slice(0, MOST_MODELS);
}

/** The parameters of each row: one model by all tasks near the one said, further models by the first. */
export function rowsOf(result, index) {
    const {task, domain, users} = result.parameters;
    const rest = {...(domain && !result.isShared ? {domain} : {}), ...(users ? {users} : {})};
    const found = modelsFor(result, index);
    if (result.cards.length > 0) {
        return []; // they are told below the field, where the list would hide them
    }
    if (found.length === 0 && task === undefined && domain === undefined) {
        return [];
    }
    const [first, ...others] = found.length > 0 ? found : [undefined];
    const rows = tasksFor(first, task, index).map((one) => ({task: one, model: first}));
    rows.push(...others.map((model) => ({task: tasksFor(model, task, index)[0], model})));
    return rows.slice(0, MOST_ROWS).map(({task: one, model}) => ({task: one, ...rest, ...(model ? {model} : {})}));
}

const kindOfSign = (sign) => (/\d/.test(sign) ? 'digit' : /[a-z]/.test(sign) ? 'letter' : 'other');

/* A word begins where another kind of sign does; each Chinese character is a word. */
function beginsWord(text, at) {
    const kind = kindOfSign(text[at]);
    return at === 0 || kind === 'other' || kindOfSign(text[at - 1]) !== kind;
}

/** The stretches [start, end] of a label that begin as a typed word does. */
export function matches(label, words) {
    const low = label.toLowerCase();
    const stretches = [];
    for (const typed of words.filter((one) => one.trim() !== '')) {
        for (let at = low.indexOf(typed); at >= 0; at = low.indexOf(typed, at + typed.length)) {
            if (beginsWord(low, at)) {
                stretches.push([at, at + typed.length]);
            }
        }
    }
    stretches.sort((a, b) => a[0] - b[0]);
    return stretches.filter(([start], at) => at === 0 || start >= stretches[at - 1][1]);
}

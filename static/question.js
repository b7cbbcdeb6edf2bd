// Which parameters of an address are the question, and which of them each path of the API takes.
import {language, t, word} from './text.js';

/** What a card may be for. */
export const TASKS = ['learn', 'train', 'finetune', 'lora', 'qlora', 'inference'];

/** The makers of cards. */
export const VENDORS = ['nvidia', 'amd', 'intel', 'huawei', 'moorethreads', 'cambricon', 'hygon'];

/** The work itself: all that memory and speed follow from. */
const WORK = [
    'task', 'domain', 'model', 'quant', 'kv_dtype', 'context', 'seq_len', 'batch', 'batch_fills', 'users', 'optimizer',
    'checkpointing', 'runtime', 'lora_rank', 'lora_targets', 'flash_attention', 'master_weights', 'resolution', 'backend',
    'strategy', 'train_tokens', 'samples', 'hours', 'os', 'framework', 'display',
];

/** What is asked of a card besides, and of what it costs. */
const LIMITS = [
    'max_gpus', 'min_memory_gib', 'min_tokens_per_s', 'budget', 'currency', 'condition', 'prefer', 'vendor', 'segment',
    'ecosystem', 'needs', 'chassis', 'psu_watts', 'max_slots', 'max_length_mm', 'power_plugs', 'pcie_gen', 'pcie_lanes',
    'hours_per_month', 'months', 'electricity', 'vat_percent', 'host_price', 'host_watts', 'power_limit_watts',
    'checkpoint_hours', 'spot_interruptions_per_day', 'region', 'prices',
];

const TAKEN = {
    '/recommend': [...WORK, ...LIMITS, 'own', 'tier'],
    '/deal': [...WORK, ...LIMITS, 'own'],
    '/compare': [...WORK, ...LIMITS],
    '/estimate': WORK,
};

/** These narrow a list of cards as they narrow an answer: alone they are no question. */
const FILTERS = ['min_memory_gib', 'currency', 'condition', 'vendor', 'segment'];

/** Of the parameters of an address those of the question that the path takes; all of the question without a path. */
export function questionOf(query, path = '/recommend') {
    return Object.fromEntries(
        TAKEN[path].filter((name) => (query[name] ?? '') !== '').map((name) => [name, query[name]]),
    );
}

/** Whether an address says what the cards are for. */
export function isAsked(query) {
    return Object.keys(questionOf(query)).some((name) => !FILTERS.includes(name));
}

/** The currencies of prices. */
export const CURRENCIES = ['USD', 'CNY', 'EUR'];

/** What the API counts in where nothing is said. */
export const DEFAULT_CURRENCY = 'USD';

/** Amounts of views that are in the currency of the address as well. */
const AMOUNTS = ['price', 'max_price'];

/** The currency of an address: the one it names; of a question, the API's default; else what the reader most likely pays in. */
export function currencyOf(query) {
    if (query.currency) {
        return query.currency;
    }
    const isCounted = isAsked(query) || AMOUNTS.some((name) => (query[name] ?? '') !== '');
    return !isCounted && language() === 'zh' ? 'CNY' : DEFAULT_CURRENCY;
}

/** What an address has to say of the currency: nothing where it is understood. */
export function namedCurrency(query) {
    return query.currency === currencyOf({...query, currency: ''}) ? '' : (query.currency ?? '');
}

/** [card, amount] of each quote in a value of the parameter. */
export function quotesOf(prices) {
    return (prices ?? '').split(',').filter(Boolean).map((one) => {
        const colon = one.lastIndexOf(':');
        return colon < 0 ? [one, ''] : [one.slice(0, colon), one.slice(colon + 1)];
    });
}

/** The work in a few words, from the question as the server understood it. */
export function workWords(query) {
    const about = query.model ?? (query.domain ? word('domains', query.domain) : null);
    return [word('tasks', query.task), about].filter((part) => part !== null).join(t('comma'));
}

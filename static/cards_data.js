// The cards that match, page by page, and what a question says of each.
import {get, queryOf, ROWS_MAX} from './api.js';
import {questionOf} from './question.js';
import {language} from './text.js';

const MOST_PICKS = 100;

/** All cards of a list, page by page; onfirst is called with the first page when more follow. */
export async function loadCards(filters, signal, onfirst = () => {}) {
    const cards = [];
    let cursor = '';
    do {
        const reply = await get('/gpus', {...filters, limit: ROWS_MAX, cursor}, signal);
        cards.push(...reply.data);
        if (cursor === '' && reply.page.next !== null) {
            onfirst([...cards], reply.total);
        }
        cursor = reply.page.next;
    } while (cursor !== null);
    return cards;
}

/** The same list as a file. */
export function csvAddress(filters) {
    return `/gpus?${queryOf({...filters, limit: ROWS_MAX, format: 'csv'})}`;
}

/**
 * What the question says: of each card by its id.
 *
 * @typedef {object} Judgement
 * @property {object} query the question as the server understood it
 * @property {number} needed_gib memory one card needs
 * @property {string} unit of all speeds
 * @property {object} catalogue
 * @property {Map<string, object>} fits of one card
 * @property {Map<string, object>} speeds of one card
 * @property {Map<string, object[]>} reasons why the answer leaves a card out
 */

let latest = {key: null, judgement: null};

/** Asks the question for every card; the same question once. */
export async function judge(query, signal) {
    const question = questionOf(query);
    const key = `${language()} ${queryOf(question)}`;
    if (latest.key !== key) {
        const [estimate, answer] = await Promise.all([
            get('/estimate', questionOf(query, '/estimate'), signal),
            get('/recommend', {...question, explain: 'all', limit: MOST_PICKS}, signal),
        ]);
        latest = {
            key,
            judgement: {
                query: answer.query,
                catalogue: answer.catalogue,
                needed_gib: estimate.memory.per_gpu_gib,
                unit: estimate.speed[0]?.unit ?? null,
                fits: new Map(estimate.fits.map((fit) => [fit.gpu.id, fit])),
                speeds: new Map(estimate.speed.map((speed) => [speed.gpu.id, speed])),
                reasons: new Map(answer.rejected.map(({gpu, reasons}) => [gpu.id, reasons])),
            },
        };
    }
    return latest.judgement;
}

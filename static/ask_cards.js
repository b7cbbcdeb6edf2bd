// The cards that a question names: where they are looked at, compared, rented, or their price is checked.
import {cardAddress, get, Problem, queryOf} from './api.js';
import {h} from './dom.js';
import {shortName} from './format.js';
import {questionOf} from './question.js';
import {addTexts, t, word} from './text.js';

addTexts('ask');

const MOST = 6;

const found = new Map(); // by name

/* The cards that a name may mean: one, or several alike, or none. */
async function cardsOf(name) {
    if (!found.has(name)) {
        const reply = await get(`/gpus/${encodeURIComponent(name)}`, {}).then((card) => [card], (problem) => {
            if (problem instanceof Problem && !problem.isPassing) {
                return problem.candidates;
            }
            throw problem;
        });
        found.set(name, reply.map((card) => ({id: card.id, name: card.name})));
    }
    return found.get(name);
}

const link = (label, href) => h('a', {href}, label);

/* Where a question leads that is about these cards. */
function ways(cards, isOne, {price, values}) {
    const ids = cards.map((card) => card.id);
    const compared = {view: 'compare', compare: ids.join(','), ...questionOf(values, '/compare')};
    const deal = {view: 'deal', gpu: ids[0], price, ...questionOf(values, '/deal')};
    return [
        isOne && price !== null ? link(t('ask.check_quote'), `/?${queryOf(deal)}`) : null,
        ids.length > 1 ? link(t('views.compare'), `/?${queryOf(compared)}`) : null,
        isOne && values.rent ? link(t('views.cloud'), `/?${queryOf({...questionOf(values), view: 'cloud', gpu: ids[0]})}`) : null,
    ].filter((one) => one !== null);
}

function named(cards) {
    return cards.flatMap((card, at) => [at > 0 ? t('enumeration') : '', link(shortName(card.name), cardAddress(card.id))]);
}

async function absence(names) {
    const replies = await Promise.all(names.map((q) => get('/gpus', {q, limit: 1})));
    return names.filter((name, at) => replies[at].data.length === 0).map((name) =>
        h('span', {class: 'reading'}, word('named.absent', name)));
}

/** What is to be told of the cards of a result of understand(): {nodes, unknown}; unknown: names that no card has. */
export async function cardNotes({cards, absent, price}, values) {
    const meant = await Promise.all(cards.map(cardsOf));
    const all = meant.flat().filter((card, at, every) => every.findIndex((one) => one.id === card.id) === at).slice(0, MOST);
    const several = cards.filter((name, at) => meant[at].length > 1);
    const isOne = all.length === 1;
    const nodes = await absence(absent);
    if (all.length > 0) {
        nodes.push(h('span', {class: 'reading named'}, t(all.length === 1 ? 'named.card' : 'named.cards'), named(all)));
        nodes.push(...ways(all, isOne, {price, values}).map((way) => h('span', {class: 'reading named'}, way)));
    }
    if (several.length > 0) {
        nodes.unshift(h('span', {class: 'reading'}, several.map((name) => t('named.several', name.toUpperCase())).join(' ')));
    }
    return {nodes, unknown: cards.filter((name, at) => meant[at].length === 0)};
}

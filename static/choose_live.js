// How to choose: the figures that age are asked of the API when the page is read, each with its day and source.
import {cardAddress, get, Problem, ROWS_MAX} from './api.js';
import {access, hourPrice, seen} from './cloud_tables.js';
import {h, table} from './dom.js';
import {factName, factValue} from './facts.js';
import {gib, isKnown, money, number, shortName} from './format.js';
import {questionOf} from './question.js';
import {Turns} from './request.js';
import {sourced, sourcedPrice, specNote, withAge} from './source_note.js';
import {t, word} from './text.js';

const AT_ONCE = 4; // requests in flight: the page has many small questions

/** What the figures are made from; one for a showing of the page. */
export class Asker {
    #turns = new Turns(AT_ONCE);
    #cards = null;

    constructor(currency, signal) {
        this.currency = currency;
        this.signal = signal;
    }

    /** A GET, in its turn. */
    get(path, parameters) {
        return this.#turns.take(() => get(path, parameters, this.signal));
    }

    /** Every card by its id. */
    cards() {
        this.#cards ??= this.get('/gpus', {limit: ROWS_MAX, currency: this.currency})
            .then((reply) => new Map(reply.data.map((card) => [card.id, card])));
        return this.#cards;
    }
}

function head(name) {
    return t(`choose.heads.${name}`);
}

function cardLink(card) {
    return h('a', {href: cardAddress(card.id)}, shortName(card.name));
}

function priceOf(price, total = price?.amount) {
    if (!isKnown(price)) {
        return h('span', {class: 'note'}, t('unknown'));
    }
    const words = [h('span', {class: 'unbroken'}, money(total, price.currency)),
        h('span', {class: 'note'}, `${t('comma')}${word('values', price.condition)}`)];
    return sourcedPrice(withAge(words, price), price);
}

/** Support in the words of the server: what ends, or that it is supported. */
function supportOf(card) {
    const ending = card.warnings.filter(({code}) => ['support-dropped', 'support-ending'].includes(code));
    return ending.length > 0 ? ending.map(({text}) => text).join(t('blank')) : word('statuses', card.support.status);
}

function hasFeature(card, feature) {
    return word('values', card.features.includes(feature) ? 'yes' : 'no');
}

/** Columns by the name of a fact that are no plain member of a card. */
const MADE = {
    price: {head: () => head('price'), cell: (card) => priceOf(card.price)},
    support: {head: () => head('status'), cell: supportOf},
    bf16: {head: () => word('features', 'bf16'), cell: (card) => hasFeature(card, 'bf16')},
    fp8: {head: () => word('features', 'fp8'), cell: (card) => hasFeature(card, 'fp8')},
};

/** A tensor rate that is not there is not unknown where there are no tensor cores. */
function factOf(name, card) {
    return name.startsWith('tensor_') && card.tensor_cores === 0 ? t('none') : factValue(name, card[name]);
}

function factColumn(name, rows) {
    return MADE[name]
        ? {head: MADE[name].head(), cell: MADE[name].cell, class: `of-${name}`}
        : {head: factName(name), number: rows.some((card) => typeof card[name] === 'number'), cell: (card) => factOf(name, card)};
}

async function cards({cards: ids, facts}, caption, asker) {
    const known = await asker.cards();
    const rows = ids.map((id) => known.get(id)).filter(isKnown);
    return table(caption, [{head: head('card'), cell: cardLink}, ...facts.map((name) => factColumn(name, rows))], rows);
}

/** The cheapest card that CUDA of today runs on, by memory. */
async function cheapest({memories}, caption, asker) {
    const found = await Promise.all(memories.map(async (memory) => {
        const reply = await asker.get('/gpus', {min_memory_gib: memory, supports: 'cuda-13', sort: 'price', limit: 1,
            currency: asker.currency});
        return {memory, card: reply.data[0]};
    }));
    return table(caption, [
        {head: head('at_least'), number: true, cell: ({memory}) => number(memory)},
        {head: head('cheapest'), cell: ({card}) => cardLink(card)},
        {head: head('price'), cell: ({card}) => priceOf(card.price), class: 'of-price'},
    ], found.filter(({card}) => isKnown(card?.price)));
}

/** Board power, and how the supply is counted. */
async function power(spec, caption, asker) {
    const [drawn, reply] = await Promise.all([
        cards(spec, caption, asker),
        asker.get('/recommend', {task: 'learn', limit: 1, explain: 'none'}),
    ]);
    const {psu_factor: factor, psu_base_watts: base} = reply.assumptions;
    return [drawn, h('p', {class: 'small'}, t('choose.supply', number(factor, 2), number(base)))];
}

/** Which framework runs on a card, by system. */
async function software({card: id, frameworks}, caption, asker) {
    const card = await asker.get(`/gpus/${id}`);
    const rows = frameworks
        .map((name) => ({name: word('choose.frameworks', name), of: card.software.filter((one) => one.framework === name)}))
        .filter((row) => row.of.length > 0);
    const cell = (row, os) => {
        const found = row.of.find((one) => one.os === os);
        if (!found) {
            return h('span', {class: 'note'}, t('unknown'));
        }
        const status = word('statuses', found.status);
        return sourced(status, () => specNote(row.name, status, found));
    };
    return table(caption, [
        {head: head('framework'), cell: (row) => row.name},
        ...['linux', 'windows', 'wsl'].map((os) => ({head: t(`choose.systems.${os}`), cell: (row) => cell(row, os)})),
    ], rows);
}

function rangeOf({min, max, currency}) {
    if (!isKnown(max)) {
        return t('choose.above', money(min, currency));
    }
    return min > 0 ? t('choose.from_to', number(min), money(max, currency)) : t('choose.up_to', money(max, currency));
}

async function tiers(spec, caption, asker) {
    const reply = await asker.get('/tiers', {currency: asker.currency, limit: 1});
    return table(caption, [
        {head: head('budget'), cell: (tier) => [tier.label, h('span', {class: 'second meta'}, rangeOf(tier))]},
        {head: head('first'), cell: ({picks: [pick]}) => (pick ? cardLink(pick.gpu) : t('choose.nothing'))},
        {head: head('price'), cell: ({picks: [pick]}) => (pick ? priceOf(pick.price, pick.price.total) : t('unknown')), class: 'of-price'},
    ], reply.tiers);
}

/** The plans of a notebook provider that have a price a month. */
async function plans({provider}, caption, asker) {
    const reply = await asker.get('/cloud', {kind: 'notebook', provider, limit: ROWS_MAX});
    return table(caption, [
        {head: head('plan'), cell: (row) => [row.instance_type, h('span', {class: 'second meta'}, row.accelerator)]},
        {head: head('month'), number: true, cell: (row) => money(row.price_usd_per_month, 'USD')},
        {head: head('session'), number: true, cell: (row) => number(row.session_limit_hours)},
        {head: head('china'), cell: access},
        {head: head('day'), cell: seen, class: 'of-seen'},
    ], reply.data.filter((row) => isKnown(row.price_usd_per_month)));
}

/** Each generation of TPUs at its cheapest. */
async function chips(spec, caption, asker) {
    const reply = await asker.get('/cloud', {kind: 'tpu', sort: 'usd_per_hour', limit: ROWS_MAX});
    const first = new Map(reply.data.toReversed().map((row) => [row.tpu, row]));
    const unit = t('offers.units.hour', t('currencies.USD'));
    return table(caption, [
        {head: t('offers.heads.generation'), cell: (row) => row.accelerator},
        {head: t('offers.heads.memory'), unit: 'GiB', number: true, cell: (row) => number(row.memory_gib)},
        {head: t('offers.heads.hour'), unit, number: true, cell: (row) => hourPrice(row.usd_per_hour)},
        {head: head('day'), cell: seen, class: 'of-seen'},
    ], reply.data.filter((row) => first.get(row.tpu) === row && isKnown(row.usd_per_hour)));
}

/** What the server thinks of an offer, in a word and its reasons. */
function verdictOf({verdict, reasons}) {
    return [t(`choose.verdicts.${verdict}`), ...reasons.map(({text}) => text)].join(t('blank'));
}

async function deal({gpu, price, currency}, caption, asker) {
    const reply = await asker.get('/deal', {gpu, price, currency});
    return h('p', {class: 'told'}, verdictOf(reply));
}

const MAKERS = {cards, cheapest, power, software, tiers, plans, chips, deal};

/** The figures of a rule under their caption; live: as choose_rules.js has it. */
export async function figuresOf(live, caption, asker) {
    return [h('h4', {}, caption), await MAKERS[live.kind](live, caption, asker)];
}

/** What an address of the page answers, in a line: what the work needs and the first pick, or whether an offer is good. */
export async function answerTo(href, asker) {
    const {view, ...query} = Object.fromEntries(new URL(href, location.origin).searchParams);
    if (view === 'deal') {
        return verdictOf(await asker.get('/deal', query));
    }
    if (view !== undefined) {
        return null;
    }
    const answer = await asker.get('/recommend', {...questionOf(query), limit: 1, explain: 'none'});
    const {per_gpu_gib: needed, is_floor: isFloor} = answer.need;
    const [pick] = answer.picks;
    const words = [isKnown(needed) ? t(isFloor ? 'choose.needs_floor' : 'choose.needs', gib(needed)) : null];
    if (pick) {
        const price = money(pick.price.total, pick.price.currency);
        const told = t('choose.pick', pick.count, word('values', pick.price.condition), shortName(pick.gpu.name), price);
        words.push(sourcedPrice(withAge(told, pick.price), pick.price));
    } else {
        words.push(t('choose.nothing'));
    }
    return words.filter(isKnown).flatMap((one, index) => (index === 0 ? [one] : [' · ', one]));
}

/** Puts what comes into its place; a refusal is said there, a server that is busy or lost is told to the caller. */
export async function fill(place, coming) {
    try {
        const made = await coming;
        place.replaceChildren(...[made].flat(Infinity).filter(isKnown));
        place.hidden = made === null;
    } catch (error) {
        if (!(error instanceof Problem) || error.isPassing) {
            throw error;
        }
        place.replaceChildren(h('span', {class: 'note'}, t('choose.no_answer')));
    }
    place.removeAttribute('aria-busy');
}

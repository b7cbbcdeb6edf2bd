// The verdict: what to do in one sentence, why in another, and what to press next.
import {queryOf} from './api.js';
import {copyButton} from './copy.js';
import {h, unbroken} from './dom.js';
import {gib, isKnown, money, shortName} from './format.js';
import {questionOf, quotesOf} from './question.js';
import {t} from './text.js';

const REASONS_SHOWN = 2;
const COMPARED = 3;

/** The sentence "Buy a used RTX 3090, about 704 USD" of a pick. */
function buySentence(pick) {
    const price = money(pick.price.total ?? pick.price.planning * pick.count, pick.price.currency);
    return t('buy', pick.count, t(`condition_word.${pick.price.condition}`), shortName(pick.gpu.name), price);
}

/** The cheapest offer that does the work, or undefined: the server lists the cheapest for the same work first. */
export function offerOf(answer) {
    const fitting = answer.cloud.filter((offer) => offer.does_work);
    return fitting.find((offer) => offer.kind === 'instance') ?? fitting[0];
}

/** The reasons in words; that it is the best of so many stands above the verdict already. */
function whyOf(pick) {
    const others = pick.reasons.filter((reason) => reason.code !== 'best-score');
    return (others.length > 0 ? others : pick.reasons).slice(0, REASONS_SHOWN).map((reason) => reason.text).join(t('blank'));
}

function rentVerdict(answer) {
    const offer = offerOf(answer);
    const [pick] = answer.picks;
    const instead = pick === undefined ? null
        : t('answer.buy_instead', buySentence(pick), money(pick.cost.total, pick.cost.currency), pick.cost.months);
    if (offer === undefined) {
        return {text: t('answer.rent_none'), why: instead};
    }
    const hour = offer.cost.per_hour === 0 ? t('answer.no_charge')
        : t('answer.an_hour', money(offer.cost.per_hour, offer.cost.currency));
    const month = money(offer.cost.per_month, offer.cost.currency);
    return {
        text: t('answer.rent', offer.count, offer.accelerator, offer.provider, hour),
        why: isKnown(offer.cost.per_month) && offer.cost.per_hour !== 0
            ? t('answer.rent_why', month, answer.query.hours_per_month) : '',
        more: instead,
    };
}

function nothingVerdict(answer) {
    const {budget, currency} = answer.query;
    const needed = gib(answer.need.per_gpu_gib);
    const canChange = answer.advice.some((advice) => isKnown(advice.change));
    return {
        text: t('answer.nothing', isKnown(budget) ? money(budget, currency) : null),
        why: canChange ? t('answer.nothing_why', needed) : t('answer.nothing_alone', needed),
    };
}

/** Where each card that was quoted stands: a sentence with a way to the view that judges the offer. */
function quotedLines(answer, asked) {
    return quotesOf(asked.prices).map(([name, amount]) => {
        const pick = answer.picks.find((each) => each.price.basis === 'quoted' && each.gpu.id === name)
            ?? answer.picks.find((each) => each.price.basis === 'quoted' && each.price.amount === Number(amount));
        const out = answer.rejected.find((each) => each.gpu.id === name);
        const called = shortName(pick?.gpu.name ?? out?.gpu.name ?? name);
        const words = pick !== undefined
            ? t('answer.quoted_rank', called, money(pick.price.amount, pick.price.currency), pick.rank, answer.fitting)
            : out !== undefined
                ? t('answer.quoted_out', called, out.reasons.map((reason) => reason.text).join(t('blank')))
                : t('answer.quoted_far', called, answer.picks.length, answer.fitting);
        const gpu = pick?.gpu.id ?? name;
        const target = queryOf({view: 'deal', ...questionOf(asked, '/deal'), gpu, price: amount, prices: ''});
        return h('p', {class: 'small quoted'}, words, ' ',
            h('a', {href: `/?${target}`}, t('answer.check_offer')));
    });
}

/** The imperative sentence and its reason: keep what is there, rent, buy the first pick, or nothing fits. */
function verdictOf(answer, wantsRent) {
    const [pick] = answer.picks;
    if (wantsRent) {
        return rentVerdict(answer);
    }
    const keep = answer.advice.find((advice) => advice.code === 'keep-own');
    if (keep !== undefined) {
        const isOwn = pick === undefined || pick.gpu.id === answer.query.own;
        return {text: keep.text, why: isOwn ? whyOf(pick ?? {reasons: []}) : t('otherwise', buySentence(pick))};
    }
    if (pick === undefined) {
        return nothingVerdict(answer);
    }
    const isRentCheaper = answer.rent_or_buy?.verdict === 'rent';
    return {text: buySentence(pick), why: whyOf(pick), rent: isRentCheaper ? answer.rent_or_buy.text : null};
}

const LONGEST = 16; // characters that never break: a longer name must, on a phone

/** The sentence of the verdict; the names of cards and the amounts in it are not broken over two lines. */
function whole(text, {query, picks: [pick]}) {
    const {budget, currency} = query;
    const parts = pick === undefined ? [] : [shortName(pick.gpu.name), money(pick.price.total, pick.price.currency)];
    return unbroken(text, [...parts, isKnown(budget) ? money(budget, currency) : ''].filter((part) => part.length <= LONGEST));
}

function compareLink(answer, query) {
    const ids = [...new Set(answer.picks.map((pick) => pick.gpu.id))].slice(0, COMPARED);
    const target = queryOf({view: 'compare', gpus: ids.join(','), ...questionOf(query)});
    return ids.length < 2 ? null : h('a', {class: 'plain-button', href: `/?${target}`}, t('answer.compare', ids.length));
}

/** Whether the verdict is to keep a card, and the figures below are of another one. */
export function isOfAnother(answer) {
    const [pick] = answer.picks;
    return pick !== undefined && pick.gpu.id !== answer.query.own && answer.advice.some(({code}) => code === 'keep-own');
}

/** The head of the answer; a sentence that has more parts than one keeps the first as the heading. */
export function verdict(answer, {rent, query = {}}) {
    const {text, why, more, rent: cheaper} = verdictOf(answer, rent);
    const [, first, rest] = text.match(/^(.+?(?:\.(?=\s)|。))\s*(.+)$/u) ?? [null, text, ''];
    return h('div', {class: 'verdict'},
        h('div', {},
            answer.picks.length > 0 && !rent ? h('p', {class: 'meta'}, t('best_of', answer.fitting)) : null,
            h('h1', {id: 'verdict', tabindex: -1}, whole(first.replace(/[.。]$/u, ''), answer)),
            h('p', {class: 'why'}, [rest, why].filter(Boolean).join(t('blank'))),
            more ? h('p', {class: 'small instead'}, h('b', {}, `${t('answer.instead_of_rent')}${t('colon')}`), more) : null,
            cheaper ? h('p', {class: 'small cheaper'}, cheaper) : null,
            quotedLines(answer, query)),
        h('div', {class: 'tools'}, copyButton(location.href, t('link')), compareLink(answer, query)));
}

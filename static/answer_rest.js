// What stands around the pick: what to know before buying, what would change the answer, what was ruled out, and what can
// be rented.
import {cardAddress, get} from './api.js';
import {h, show} from './dom.js';
import {date, isKnown, money, number, rough, shortName} from './format.js';
import {sign} from './marks.js';
import {questionOf} from './question.js';
import {run} from './request.js';
import {sourcedOffer} from './source_note.js';
import {t, word} from './text.js';
import {isNote, isOfAge, warningRows} from './warnings.js';

/** That renting is asked for is a word of the page: the API answers both at once. */
const TO_RENT = [{parameter: 'condition', value: ''}, {parameter: 'rent', value: 'yes'}];

/** The first sentence and the rest of a text of the server. */
function sentences(text) {
    const [, first, rest] = text.match(/^(.+?(?:[.!?](?=\s)|[。！？]))\s*(.+)$/su) ?? [null, text, ''];
    return [h('b', {}, first), rest ? `${t('blank')}${rest}` : null];
}

function warningWords(warning) {
    const isLight = isNote(warning);
    return [
        h('span', {class: 'hidden'}, t(isLight ? 'answer.note' : 'answer.caution')),
        isLight ? warning.text : sentences(warning.text),
        isOfAge(warning) ? [' ', h('a', {href: '/?view=prices'}, t('answer.today'))] : null,
    ];
}

/** What to know before buying, the weightiest first. */
export function beforeSection(pick) {
    const rows = warningRows(pick.warnings, warningWords);
    return h('section', {class: 'before'},
        h('h2', {}, t('before')),
        rows.length > 0 ? h('ul', {class: 'warnings'}, rows) : h('p', {class: 'small'}, t('no_warnings')));
}

/** "Allow two cards: 2 x …": what is done before the colon, what comes of it after. */
function parted(text) {
    const [, what, then] = text.match(/^(.+?)(?:: |：)(.+)$/su) ?? [null, text, ''];
    return [h('span', {class: 'what'}, what), then ? h('span', {class: 'then'}, then) : null];
}

/** A button when pressing it can change the question, otherwise a sentence. */
function adviceRow(advice, actions) {
    // a card's or an offer's name stands in the sentence already
    const gain = advice.gain_text && !advice.text.includes(advice.gain_text) ? h('b', {}, advice.gain_text) : null;
    const words = [h('span', {class: 'words'}, parted(advice.text)), gain];
    const changes = advice.code === 'rent-instead' ? TO_RENT : [advice.change, ...advice.also].filter(isKnown);
    if (changes.length === 0) {
        return h('p', {class: 'change'}, words);
    }
    const what = advice.code === 'rent-instead' ? t('answer.to_rent') : advice.text.split(/: |：/u)[0];
    const press = () => actions.change(changes, what);
    return h('button', {type: 'button', class: 'change', onclick: press}, words);
}

/** What would change the answer; where a change was pressed, the way back stands in its place. */
export function changeSection(answer, actions) {
    const told = actions.rent ? ['keep-own', 'rent-instead'] : ['keep-own']; // that is the verdict
    const rows = answer.advice.filter((advice) => !told.includes(advice.code))
        .map((advice) => adviceRow(advice, actions));
    const undo = actions.undo
        ? h('button', {type: 'button', class: 'change undo', onclick: actions.undo.run}, t('undo', actions.undo.what)) : null;
    return h('section', {class: 'changes'},
        h('h2', {}, t('change')),
        undo,
        rows.length > 0 ? rows : h('p', {class: 'small'}, t('no_change')));
}

function rejectedRow(one) {
    return h('li', {},
        h('a', {href: cardAddress(one.gpu.id)}, shortName(one.gpu.name)),
        t('colon'),
        one.reasons.map((reason) => reason.text).join(t('blank')));
}

/** Why cards were ruled out: how many for which reason, the nearest misses, and all of them when asked for. */
export function ruledOut(answer, {query = {}}) {
    const total = answer.rejected_total;
    if (total === 0) {
        return null;
    }
    const counts = Object.entries(answer.rejected_counts).filter(([, count]) => count > 0).sort((a, b) => b[1] - a[1]);
    const title = h('h3', {}, t('nearest'));
    const list = h('ul', {}, answer.rejected.map(rejectedRow));
    const problem = h('p', {class: 'error', role: 'alert'});
    const showAll = async () => {
        const failure = await run(async (signal) => {
            const {rejected} = await get('/recommend', {...questionOf(query), explain: 'all', limit: 1}, signal);
            title.textContent = t('ruled_out', total);
            show(list, rejected.map(rejectedRow));
            more.remove();
            list.querySelector('a')?.focus({preventScroll: true});
        });
        problem.textContent = failure?.message ?? '';
    };
    const more = answer.rejected.length < total
        ? h('button', {type: 'button', class: 'link', onclick: showAll}, t('answer.show', total)) : null;
    return h('details', {class: 'ruled-out'},
        h('summary', {},
            h('b', {}, t('ruled_out', total)),
            counts.map(([code, count]) => h('span', {class: 'count'}, `${number(count)} ${word('rejections', code)}`))),
        title, list, more, problem);
}

function hourly(offer) {
    if (offer.usd_per_hour === 0) {
        return t('free');
    }
    if (offer.spot) {
        return t('rent_spot', money(offer.spot_usd_per_hour, 'USD'));
    }
    if (isKnown(offer.usd_per_hour)) {
        return t('rent_hour', money(offer.usd_per_hour, 'USD'));
    }
    if (isKnown(offer.price_usd_per_month)) {
        return offer.price_usd_per_month === 0 ? t('free') : t('month', money(offer.price_usd_per_month, 'USD'));
    }
    return t('unknown');
}

/** Time and cost of the job, where its size was given. */
function jobText(offer) {
    const cost = isKnown(offer.cost.per_job) ? money(offer.cost.per_job, offer.cost.currency) : null;
    return offer.time && cost ? ` · ${t('rent_job', rough(offer.time.hours), cost)}` : '';
}

function cloudRow(offer) {
    const names = [offer.provider, offer.instance_type].filter(isKnown);
    const plan = names.filter((name) => !name.includes(offer.accelerator)).join(' ');
    const count = offer.kind === 'instance' && isKnown(offer.gpu_count) ? `${number(offer.gpu_count, 2)} × ` : '';
    const seen = t(offer.stale ? 'seen_stale' : 'seen', date(offer.observed_on));
    return h('li', {},
        h('b', {}, plan),
        h('span', {}, `${count}${offer.accelerator}`),
        h('span', {}, h('span', {class: 'hour'}, hourly(offer)), jobText(offer)),
        h('span', {class: 'note'}, sourcedOffer(seen, offer)),
        offer.warnings.map((warning) =>
            h('div', {class: 'small note', 'data-code': warning.code}, sign(), ' ', warning.text)));
}

/** What can be rented instead. */
export function renting(answer, isFirst) {
    const text = answer.rent_or_buy.verdict === 'unknown' ? null : answer.rent_or_buy.text;
    return h('section', {class: 'renting'},
        h('h2', {}, t(isFirst ? 'answer.rentals' : 'rent')),
        text ? h('p', {class: 'small'}, text) : null,
        h('ul', {class: 'plain'}, answer.cloud.map(cloudRow)));
}

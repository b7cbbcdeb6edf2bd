// Where a figure comes from: the figure is a button, and a small note tells its value, day, age, basis and source.
import {h} from './dom.js';
import {amount, country, currencyWord, date, isKnown, money, number, rough, speedUnit} from './format.js';
import {sign} from './marks.js';
import {t, word} from './text.js';

/**
 * What a note says.
 *
 * @typedef {object} SourceNote
 * @property {string} head the figure itself, with its unit: "704 USD, used"
 * @property {[string, string][]} rows further facts, each a label and its words; an unknown one is left out by the maker
 * @property {string[]} [warnings] sentences that must not be missed, the first of a stale price says so
 * @property {string | null} [source] where it was read, as the server names it
 */

const GAP = 8; // px between a note, its figure and the edge of the window
const LINGER_MS = 150; // so that the pointer can travel from the figure to its note
const DAY_MS = 86400000;

let shown = null; // {button, note, isPinned}: there is one note at a time
let closing = 0;
let made = 0;

/** The months between a day and today by the calendar, or null where it is not known to the month. */
function monthsSince(day, now) {
    if (!isKnown(day) || day.length < 7) {
        return null;
    }
    const [year, month, dayOfMonth = 1] = day.split('-').map(Number);
    const months = 12 * (now.getUTCFullYear() - year) + now.getUTCMonth() + 1 - month;
    return months - (now.getUTCDate() < dayOfMonth ? 1 : 0);
}

/** "37 months old", "12 days old"; null where the day is not known well enough. */
export function ageOf(day, now = new Date()) {
    const months = monthsSince(day, now);
    if (months === null) {
        return null;
    }
    if (months >= 2 || day.length < 10) {
        return t('note_of.months_old', Math.max(0, months));
    }
    return t('note_of.days_old', Math.max(0, Math.floor((now - new Date(`${day}T00:00:00Z`)) / DAY_MS)));
}

function known(rows) {
    return rows.filter(([, value]) => isKnown(value) && value !== '');
}

function rateOf(rate) {
    return isKnown(rate)
        ? `1 ${currencyWord(rate.base)} = ${number(rate.rate, 4)} ${currencyWord(rate.quote)}${t('comma')}${date(rate.observed_on)}`
        : null;
}

/** The note of a price: a member `price` of any answer, or an observation of /gpus/{id}. */
export function priceNote(price) {
    const value = price.amount ?? price.planning;
    const isGrown = isKnown(price.planning) && Math.abs(price.planning - value) > 0.5;
    const flags = ['stale', 'very_old', 'other_market', 'unverified'].filter((flag) => price[flag]);
    return {
        head: [money(value, price.currency), word('note_of.conditions', price.condition)].join(t('comma')),
        rows: known([
            ['planned', isGrown ? money(price.planning, price.currency) : null],
            ['range', price.low < price.high
                ? t('note_of.between', amount(price.low), money(price.high, price.currency)) : null],
            ['market', isKnown(price.market) ? country(price.market) : null],
            ['seen', isKnown(price.observed_on) ? date(price.observed_on) : null],
            ['age', ageOf(price.observed_on)],
            ['basis', isKnown(price.basis) ? word('bases', price.basis) : null],
            ['observations', price.observations > 1 ? t('note_of.median_of', price.observations) : null],
            ['rate', rateOf(price.exchange_rate)],
            ['remark', price.note],
        ]).map(([name, value]) => [t(`note_of.rows.${name}`), value]),
        warnings: flags.map((flag) => t(`note_of.flags.${flag}`)),
        source: price.source,
    };
}

/** The note of a speed: a member `speed` of any answer. */
export function speedNote(speed) {
    return {
        head: isKnown(speed.value) ? `${rough(speed.value)} ${speedUnit(speed.unit)}` : t('unknown'),
        rows: known([
            ['range', isKnown(speed.low) ? t('note_of.between', rough(speed.low), rough(speed.high)) : null],
            ['basis', isKnown(speed.basis) ? word('bases', speed.basis) : null],
            ['ranking', isKnown(speed.low) ? t('note_of.by_low_end', rough(speed.low)) : null],
            ['prefill', isKnown(speed.prefill_tokens_per_s)
                ? `${rough(speed.prefill_tokens_per_s)} ${speedUnit('tokens/s')}` : null],
            ['per_user', isKnown(speed.tokens_per_s_per_user)
                ? `${rough(speed.tokens_per_s_per_user)} ${speedUnit('tokens/s')}` : null],
            ['scaling', speed.scaling > 1 ? t('note_of.times_one', number(speed.scaling, 2)) : null],
        ]).map(([name, value]) => [t(`note_of.rows.${name}`), value]),
        warnings: speed.unproven ? [t('note_of.unproven')] : [],
        source: null,
    };
}

/** The note of an hour's price: an offer of /cloud or a member of `cloud` of /recommend. */
function offerNote(offer) {
    const usd = (value) => (isKnown(value) ? money(value, 'USD') : null);
    const isOther = isKnown(offer.price_per_hour) && offer.currency !== 'USD';
    return {
        head: [offer.provider, offer.instance_type, offer.accelerator].filter(isKnown).join(' · '),
        rows: known([
            ['hour', usd(offer.usd_per_hour)],
            ['spot', usd(offer.spot_usd_per_hour)],
            ['card_hour', offer.gpu_count > 1 ? usd(offer.usd_per_gpu_hour) : null],
            ['month', usd(offer.price_usd_per_month)],
            ['offered', isOther ? money(offer.price_per_hour, offer.currency) : null],
            ['region', offer.region],
            ['seen', isKnown(offer.observed_on) ? date(offer.observed_on) : null],
            ['age', ageOf(offer.observed_on)],
        ]).map(([name, value]) => [t(`note_of.rows.${name}`), value]),
        warnings: offer.stale ? [t('note_of.flags.stale_offer')] : [],
        source: [offer.source, offer.note].filter(isKnown).join(' · '),
    };
}

/** The note of any other fact, as a specification: facts {observed_on, basis, source, note}, each where it is known. */
export function specNote(label, value, {observed_on: day, basis, source, note} = {}) {
    return {
        head: `${label}${t('colon')}${value}`,
        rows: known([
            ['seen', isKnown(day) ? date(day) : null],
            ['age', ageOf(day)],
            ['basis', isKnown(basis) ? word('bases', basis) : null],
            ['remark', note],
        ]).map(([name, text]) => [t(`note_of.rows.${name}`), text]),
        source,
    };
}

function noteElement({head, rows, warnings = [], source}) {
    made += 1;
    return h('div', {class: 'source-note', id: `source-note-${made}`, popover: 'auto', role: 'tooltip'},
        h('b', {}, head),
        warnings.map((text) => h('p', {class: 'stale'}, sign(), ` ${text}`)),
        h('dl', {}, rows.map(([label, value]) => h('div', {}, h('dt', {}, label), h('dd', {}, value)))),
        source ? h('p', {}, `${t('note_of.rows.source')}${t('colon')}`, h('span', {class: 'source'}, source)) : null);
}

/** Under its figure, or above where there is no room; never beyond the edge of the window. */
function position() {
    const {button, note} = shown;
    const at = button.getBoundingClientRect();
    const {width, height} = note.getBoundingClientRect();
    const room = {width: document.documentElement.clientWidth, height: document.documentElement.clientHeight};
    const isBelow = at.bottom + GAP + height <= room.height || at.top - GAP - height < 0;
    const left = Math.max(GAP, Math.min(at.left, room.width - width - GAP));
    const top = isBelow ? at.bottom + GAP / 2 : at.top - GAP / 2 - height;
    note.style.setProperty('left', `${left}px`);
    note.style.setProperty('top', `${Math.max(GAP, Math.min(top, room.height - height - GAP))}px`);
}

function follow() {
    if (shown?.button.isConnected) {
        position();
    }
}

/** Whether the note of a figure is in sight: the browser closes one at Escape at once and tells so only later. */
function isInSight(button) {
    return shown?.button === button && shown.note.matches(':popover-open');
}

function forget(button, note) {
    note.remove();
    button.setAttribute('aria-expanded', 'false');
    button.removeAttribute('aria-describedby');
    if (shown?.note === note) {
        shown = null;
        removeEventListener('scroll', follow, true);
        removeEventListener('resize', follow);
    }
}

function openNote(button, facts, isPinned) {
    clearTimeout(closing);
    if (isInSight(button)) {
        shown.isPinned ||= isPinned;
        return;
    }
    closeNote();
    const note = noteElement(facts);
    button.after(note);
    button.popoverTargetElement = note; // so that pressing the figure is no press outside the note
    note.addEventListener('toggle', ({newState}) => {
        if (newState === 'closed' && note.isConnected) { // by Escape or a press elsewhere
            forget(button, note);
        }
    });
    note.addEventListener('pointerenter', () => clearTimeout(closing));
    note.addEventListener('pointerleave', closeSoon);
    note.showPopover();
    shown = {button, note, isPinned};
    button.setAttribute('aria-expanded', 'true');
    button.setAttribute('aria-describedby', note.id);
    position();
    addEventListener('scroll', follow, {capture: true, passive: true});
    addEventListener('resize', follow);
}

function closeNote() {
    if (shown !== null) {
        const {button, note} = shown;
        if (note.isConnected) {
            note.hidePopover();
        }
        forget(button, note);
    }
}

function closeSoon() {
    clearTimeout(closing);
    closing = setTimeout(() => {
        if (shown !== null && !shown.isPinned && document.activeElement !== shown.button) {
            closeNote();
        }
    }, LINGER_MS);
}

/**
 * A figure with its note: a button with a dotted underline. Hover and focus show the note, a press or tap keeps it until the
 * next one, Escape or a press elsewhere closes it. The note is made when it is asked for, so that tables may have hundreds.
 *
 * @param {Node | string | (Node | string | null)[]} children what is shown: the figure in words
 * @param {SourceNote | (() => SourceNote)} facts what the note says
 * @param {{class?: string}} [properties] further classes, as 'stale'
 * @returns {HTMLButtonElement}
 */
export function sourced(children, facts, properties = {}) {
    const facing = () => (typeof facts === 'function' ? facts() : facts);
    const button = h('button', {
        type: 'button',
        class: ['sourced', properties.class].filter(Boolean).join(' '),
        'aria-expanded': 'false',
        onpointerenter: ({pointerType}) => {
            if (pointerType === 'mouse') {
                openNote(button, facing(), false);
            }
        },
        onpointerleave: closeSoon,
        onfocus: () => {
            if (button.matches(':focus-visible')) {
                openNote(button, facing(), false);
            }
        },
        onblur: closeSoon,
        onclick: (event) => {
            event.preventDefault(); // the button toggles here, not the browser
            if (isInSight(button) && shown.isPinned) {
                closeNote();
            } else {
                openNote(button, facing(), true);
            }
        },
    }, children);
    return button;
}

/** What a price says, with its note; a stale one looks so. price: as for priceNote(). */
export function sourcedPrice(children, price) {
    return sourced(children, () => priceNote(price), {class: price.stale ? 'stale' : ''});
}

/** What an offer to rent says, with its note; a stale one looks so. look: a further class. */
export function sourcedOffer(children, offer, look = '') {
    return sourced(children, () => offerNote(offer), {class: offer.stale ? `${look} stale` : look});
}

/** The words of a price or an offer; of a stale one with a sign and the word. */
export function withAge(words, {stale}) {
    return stale ? [h('span', {'aria-hidden': 'true'}, '△ '), words, ` · ${t('stale')}`] : words;
}

// The deal check: is this card at this price a good buy for the work, and what is known where there is no verdict.
import {get, queryOf} from './api.js';
import {learnName} from './ask_names.js';
import {commandSection, copyButton} from './copy.js';
import {DealForm} from './deal_form.js';
import {dealScale} from './deal_scale.js';
import {figure, h, show, styleSheet, table, unbroken} from './dom.js';
import {currencyWord, date, gib, isKnown, money, number, rough, shortName, speedUnit, typedNumber} from './format.js';
import {Pause, run} from './request.js';
import {priceNote, sourced, speedNote} from './source_note.js';
import {addTexts, t} from './text.js';
import {warningRows} from './warnings.js';

addTexts('deal');

/** Its styles. */
export const styled = styleSheet('deal');

const PAUSE_MS = 300; // a price typed with the others on screen

/** Which words say the verdict. */
function kindOf(deal) {
    if (deal.verdict === 'unknown') {
        return isKnown(deal.fair_price) && deal.compared.some((one) => !one.fresh) ? 'stale' : 'unknown';
    }
    return deal.verdict === 'poor' && deal.fair_price?.amount === 0 ? 'gift' : deal.verdict;
}

function verdictPart(deal) {
    const price = money(deal.query.price, deal.query.currency);
    const fair = money(deal.fair_price?.amount, deal.query.currency);
    return h(
        'div',
        {class: 'verdict'},
        h(
            'div',
            {},
            h('p', {class: 'meta'}, `${shortName(deal.gpu.name)} · ${t('deal.verdict')}`),
            h('h1', {id: 'verdict', tabindex: -1, 'data-verdict': deal.verdict},
                unbroken(t(`deal.verdicts.${kindOf(deal)}`, price, fair), [price, fair])),
            deal.reasons.map((reason) => h('p', {class: 'why', 'data-code': reason.code}, reason.text)),
            deal.verdict === 'poor' ? h('p', {class: 'small'}, t('deal.means')) : null,
        ),
        copyButton(location.href, t('link')),
    );
}

function seenText(price) {
    const day = date(price.observed_on);
    return price.observations > 1 ? t('deal.median', price.observations, day) : t('deal.seen', day);
}

/** How the quote compares with what was seen, in words. */
function againstSeen(quoted, seen) {
    const percent = Math.round((quoted / seen - 1) * 100);
    return percent === 0 ? t('deal.same') : t(percent > 0 ? 'deal.above' : 'deal.below', number(Math.abs(percent)));
}

function seenFigure(label, price, quoted) {
    if (!isKnown(price)) {
        return figure(label, t('unknown'), null, t('deal.no_price'));
    }
    const words = [seenText(price), price.stale ? t('deal.old') : null].filter(Boolean).join(t('comma'));
    const note = h('span', {class: price.stale ? 'stale' : null}, words);
    const value = sourced(money(price.amount, price.currency), () => priceNote(price));
    return figure(label, value, null, note, againstSeen(quoted, price.amount));
}

function fairFigure(deal) {
    const fair = deal.fair_price;
    if (!isKnown(fair)) {
        const [value, note] = deal.verdict === 'avoid' ? [t('none'), t('deal.no_fair')] : [t('unknown'), t('deal.too_few')];
        return figure(t('deal.figures.fair'), value, null, note);
    }
    const name = shortName(fair.matches.gpu.name);
    return figure(
        t(deal.verdict === 'unknown' ? 'deal.figures.fair_by_old' : 'deal.figures.fair'),
        fair.amount > 0 ? money(fair.amount, fair.currency) : t('none'),
        null,
        fair.amount > 0 ? t('deal.as_good_as', name) : t('deal.gift_note'),
    );
}

function figures(deal, card) {
    const {offer, query} = deal;
    return h(
        'dl',
        {class: 'figures'},
        fairFigure(deal),
        seenFigure(t('deal.figures.seen_used'), card.price_used, query.price),
        seenFigure(t('deal.figures.seen_new'), card.price_new, query.price),
        offer === null
            ? figure(t('deal.figures.rank'), t('none'), null, t('deal.not_ranked'))
            : figure(t('deal.figures.rank'), number(offer.rank), null, t('deal.ranked')),
        offer === null
            ? figure(t('deal.figures.memory_as_sold'), gib(deal.gpu.memory_gib), 'GiB', t('deal.not_ranked'))
            : figure(
                  t('deal.figures.memory'),
                  `${gib(offer.fit.needed_gib)} / ${gib(offer.fit.available_gib)}`,
                  'GiB',
                  t('deal.left', gib(offer.fit.headroom_gib)),
              ),
        offer === null
            ? figure(t('deal.figures.cost', query.months), t('unknown'), null, t('deal.not_reckoned'))
            : figure(
                  t('deal.figures.cost', query.months),
                  money(offer.cost.total, query.currency),
                  null,
                  isKnown(offer.cost.resale) ? t('deal.resale', money(offer.cost.resale, query.currency)) : null,
              ),
    );
}

function seenMark(price, condition) {
    return {
        amount: price.amount,
        low: price.low ?? price.amount,
        high: price.high ?? price.amount,
        title: money(price.amount, price.currency),
        note: [t(`deal.scale.seen.${condition}`), date(price.observed_on?.slice(0, 7))].join(t('comma')),
        stale: price.stale,
    };
}

function scaleSection(deal, card) {
    const {currency, price} = deal.query;
    const fair = deal.fair_price?.amount ?? null;
    const band = deal.assumptions.deal_fair_band;
    const marks = ['used', 'new']
        .filter((condition) => isKnown(card[`price_${condition}`]))
        .map((condition) => seenMark(card[`price_${condition}`], condition));
    if (fair > 0) {
        marks.push({amount: fair, low: fair, high: fair, title: money(fair, currency), note: t('deal.scale.fair_price'), stale: false});
    }
    const limits =
        fair > 0
            ? t(deal.verdict === 'unknown' ? 'deal.scale.by_old' : 'deal.scale.limits', money(fair, currency), money(fair * band, currency))
            : null;
    return h(
        'section',
        {},
        h('h2', {}, t('deal.scale.title')),
        dealScale({quoted: price, currency, verdict: deal.verdict, fair, band, marks}),
        limits ? h('p', {class: 'small'}, limits) : null,
    );
}

/** What a better buy has over the offer, or lacks, in words made of its figures. */
function difference(pick, deal) {
    const memory = pick.gpu.memory_per_process_gib - deal.gpu.memory_per_process_gib;
    const price = pick.price.total - deal.query.price * (deal.offer?.count ?? 1);
    const times = deal.offer && isKnown(deal.offer.speed.value) ? pick.speed.value / deal.offer.speed.value : null;
    const {currency} = deal.query;
    return [
        memory !== 0 ? t(memory > 0 ? 'deal.more_memory' : 'deal.less_memory', gib(Math.abs(memory))) : null,
        Math.abs(price) >= 0.01 ? t(price > 0 ? 'deal.dearer' : 'deal.cheaper', money(Math.abs(price), currency)) : null,
        isKnown(times) ? t('deal.speed', number(times, 2)) : null,
    ]
        .filter(Boolean)
        .join(t('comma'));
}

function priceCell({price}) {
    return [
        sourced(money(price.total, price.currency), () => priceNote(price)),
        h(
            'div',
            {class: price.stale ? 'note stale' : 'note'},
            [t(`deal.condition_words.${price.condition}`), date(price.observed_on)].join(t('comma')),
        ),
    ];
}

function betterSection(deal) {
    const {better, offer, query} = deal;
    const none = offer?.rank === 1 ? 'deal.none_better' : 'deal.no_other';
    const unit = better.length > 0 ? speedUnit(better[0].speed.unit) : null;
    return h(
        'section',
        {},
        h('h2', {}, t('deal.better')),
        better.length === 0
            ? h('p', {class: 'small'}, t(none))
            : table(
                  t('deal.better'),
                  [
                      {
                          head: t('deal.columns.card'),
                          cell: (pick) => [
                              pick.count > 1 ? `${pick.count} × ` : '',
                              h('a', {href: `/?${queryOf({view: 'card', id: pick.gpu.id})}`}, shortName(pick.gpu.name)),
                          ],
                      },
                      {
                          head: t('deal.columns.price'),
                          number: true,
                          cell: (pick) => priceCell(pick),
                      },
                      {
                          head: t('deal.columns.speed'),
                          unit,
                          number: true,
                          cell: ({speed}) => sourced(rough(speed.value), () => speedNote(speed)),
                      },
                      {
                          head: t('deal.columns.cost', query.months),
                          number: true,
                          cell: (pick) => money(pick.cost.total, query.currency),
                      },
                      {head: t('deal.columns.why'), cell: (pick) => difference(pick, deal)},
                  ],
                  better,
              ),
    );
}

function warningsSection(deal) {
    return h(
        'section',
        {},
        h('h2', {}, t('deal.warnings')),
        deal.warnings.length === 0
            ? h('p', {class: 'small'}, t('deal.no_warnings'))
            : h('ul', {class: 'warnings'}, warningRows(deal.warnings)),
    );
}

/** The view of one visit: the form stays while answers come and go. */
class DealView {
    constructor(query, page) {
        this.page = page;
        this.pause = new Pause();
        this.form = new DealForm(query, (isNewEntry) => this.load(isNewEntry));
        this.head = h('div', {class: 'deal-answer'});
        this.answer = h('div', {class: 'deal-answer'});
        this.measured = h('section', {class: 'measured', hidden: true});
        this.command = h('div', {});
        this.place = h('div', {class: 'page deal'}, this.head, this.measured, this.answer, this.command);
        this.cards = new Map(); // with what was seen for them, by id and currency
        this.quotes = new Map(
            (query.prices ?? '')
                .split(',')
                .filter(Boolean)
                .map((pair) => pair.split(':')),
        );
    }

    async cardOf(id, currency, signal) {
        const key = `${id} ${currency}`;
        if (!this.cards.has(key)) {
            this.cards.set(key, await get(`/gpus/${encodeURIComponent(id)}`, {currency, task: 'inference'}, signal));
        }
        return this.cards.get(key);
    }

    async load(isNewEntry = false) {
        const values = this.form.values();
        this.page.remember(values, isNewEntry);
        if (values.gpu === '' || values.price === '') {
            this.showEmpty();
            return;
        }
        const problem = await run(async (signal) => {
            const [deal] = await Promise.all([get('/deal', values, signal), values.model ? learnName(values.model) : null]);
            const card = await this.cardOf(deal.gpu.id, deal.query.currency, signal);
            signal.throwIfAborted(); // models and cards may be there already
            this.form.showErrors(null);
            this.form.showUse(deal.query);
            this.page.showFreshness(deal.catalogue);
            this.show(deal, card, values);
            this.page.announce(this.head.querySelector('h1').textContent);
        });
        if (problem !== null) {
            this.form.showErrors(problem);
            this.page.announce(problem.errors.map((error) => error.detail).join(t('semicolon')) || problem.message);
            if (this.head.childElementCount === 0) {
                this.showEmpty();
            }
        }
    }

    showEmpty() {
        if (this.head.querySelector('#verdict') === null) {
            show(this.head, h('div', {}, h('h1', {}, t('deal.empty')), h('p', {class: 'why'}, t('deal.empty_why'))));
        }
    }

    show(deal, card, values) {
        show(this.head, verdictPart(deal), scaleSection(deal, card));
        show(this.answer, figures(deal, card), h('div', {class: 'columns'}, betterSection(deal), warningsSection(deal)));
        this.showMeasured(deal);
        show(this.command, commandSection('/deal', values));
    }

    /** The old prices among those compared, with a field for each: typed, it counts at once. */
    showMeasured(deal) {
        const names = new Map(deal.compared.map((one) => [one.gpu.id, one]));
        const rows = deal.compared.filter((one) => !one.fresh || this.quotes.has(one.gpu.id));
        const ids = rows.map((one) => one.gpu.id).join();
        if (ids === this.measuredIds && !this.measured.hidden) {
            return; // the fields stay as they are while one types in them
        }
        const typing = this.measured.contains(document.activeElement) ? document.activeElement.dataset.card : null;
        this.measuredIds = ids;
        this.measured.hidden = rows.length === 0;
        show(
            this.measured,
            h('h2', {}, t('deal.measured')),
            h('p', {class: 'small'}, t('deal.measured_why')),
            h(
                'ul',
                {class: 'plain'},
                rows.map((one) => this.measuredRow(names.get(one.gpu.id), deal.query.currency)),
            ),
        );
        if (typing !== null) {
            this.measured.querySelector(`[data-card="${CSS.escape(typing)}"]`)?.focus();
        }
    }

    measuredRow({gpu, price}, currency) {
        const name = shortName(gpu.name);
        const own = `quote-${gpu.id}`;
        const seen = price.basis === 'quoted' ? null : `${money(price.amount, price.currency)}${t('comma')}${seenText(price)}`;
        return h(
            'li',
            {},
            h('label', {for: own}, t('deal.today', name)),
            h('input', {
                id: own,
                'data-card': gpu.id,
                type: 'text',
                inputmode: 'decimal',
                autocomplete: 'off',
                maxlength: 20,
                value: this.quotes.get(gpu.id) ?? '',
                oninput: (event) => this.quote(gpu.id, event.target.value),
            }),
            h('span', {class: 'unit'}, currencyWord(currency)),
            seen ? sourced(seen, () => priceNote(price), {class: 'note stale'}) : null,
        );
    }

    quote(id, text) {
        const amount = typedNumber(text.trim());
        if (amount > 0) {
            this.quotes.set(id, String(amount));
        } else {
            this.quotes.delete(id);
        }
        this.form.set('prices', [...this.quotes].map((pair) => pair.join(':')).join());
        this.pause.begin(() => this.load(), PAUSE_MS);
    }
}

/** Shows the deal check with what the address says. */
export function open(place, query, page) {
    const view = new DealView(query, page);
    show(place, view.form.element, view.place);
    return view.load();
}

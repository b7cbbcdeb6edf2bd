// The answer: the pick and why, six figures, memory, warnings, what would change it, the rest of the field.
import {copyButton} from './copy.js';
import {h, show, table} from './dom.js';
import {currencyWord, date, gib, isKnown, money, number, rough, shortName, speedUnit} from './format.js';
import {memoryStack, rangeMark, roomBar} from './marks.js';
import {priceNote as priceFacts, sourced} from './source_note.js';
import {t, word} from './text.js';

const SHOWN_AT_FIRST = 8;

function priceNote(price) {
    if (price.basis === 'quoted') {
        return h('span', {class: 'note'}, t('quoted'));
    }
    const seen = t(price.stale ? 'seen_stale' : 'seen', date(price.observed_on));
    const text = price.observations > 1 ? t('median_of', price.observations, seen) : seen;
    return sourced(text, () => priceFacts(price), {class: price.stale ? 'note stale' : 'note'});
}

function figure(label, value, unit, ...notes) {
    return h(
        'div',
        {class: 'figure'},
        h('dt', {}, label),
        h(
            'dd',
            {},
            h('span', {class: 'value'}, value),
            unit ? h('span', {class: 'unit'}, ` ${unit}`) : null,
            notes.map((note) => h('div', {class: 'note'}, note)),
        ),
    );
}

function priceFigure(pick) {
    const {price, count} = pick;
    const differs = Math.abs(price.planning - price.amount) > 0.5;
    return figure(
        t('figures.price', t(`condition_word.${price.condition}`)),
        money(price.total, price.currency),
        null,
        priceNote(price),
        count > 1 ? t('for_cards', count) : null,
        differs
            ? h(
                  'span',
                  {class: 'stale'},
                  t('planned', money(price.planning * count, price.currency)),
              )
            : null,
    );
}

function costFigure(pick, query) {
    const {currency} = pick.price;
    return figure(
        t('figures.cost', query.months),
        money(pick.cost.total, currency),
        null,
        isKnown(pick.cost.resale) ? t('after_resale', money(pick.cost.resale, currency)) : null,
    );
}

function powerFigure(pick) {
    const watts = isKnown(pick.gpu.tdp_watts)
        ? number(pick.gpu.tdp_watts * pick.count)
        : t('unknown');
    return figure(t('figures.power'), watts, 'W', t('board_power', pick.count));
}

function figures(answer) {
    const pick = answer.picks[0];
    const {fit, speed} = pick;
    return h(
        'dl',
        {class: 'figures'},
        priceFigure(pick),
        figure(
            t('figures.memory'),
            `${gib(fit.needed_gib)} / ${gib(fit.available_gib)}`,
            'GiB',
            t('left', gib(fit.headroom_gib)),
        ),
        figure(
            t('figures.speed'),
            rough(speed.value),
            speedUnit(speed.unit),
            t('between', rough(speed.low), rough(speed.high), t(`bases.${speed.basis}`)),
        ),
        costFigure(pick, answer.query),
        powerFigure(pick),
        figure(
            t('figures.software'),
            word('statuses', pick.gpu.support?.status ?? 'unknown_status'),
            null,
            `${answer.query.framework} · ${pick.gpu.architecture}`,
        ),
    );
}

/** The reasons in words; that it is the best of so many stands above the verdict already. */
function whyOf(pick) {
    const others = pick.reasons.filter((reason) => reason.code !== 'best-score');
    return (others.length > 0 ? others : pick.reasons).map((reason) => reason.text).join(t('blank'));
}

function buySentence(pick) {
    const price = money(pick.price.total, pick.price.currency);
    const condition = t(`condition_word.${pick.price.condition}`);
    return t('buy', pick.count, condition, shortName(pick.gpu.name), price);
}

/** The imperative sentence and its reason: keep what is there, buy the first pick, or nothing fits. */
function verdictOf(answer) {
    const pick = answer.picks[0];
    const keep = answer.advice.find((advice) => advice.code === 'keep-own');
    if (keep !== undefined) {
        return {text: keep.text, why: pick ? t('otherwise', buySentence(pick)) : ''};
    }
    if (pick === undefined) {
        return {text: t('nothing_fits'), why: t('nothing_hint')};
    }
    return {text: buySentence(pick), why: whyOf(pick)};
}

function verdict(answer) {
    const {text, why} = verdictOf(answer);
    return [
        answer.picks.length > 0 ? h('p', {class: 'meta'}, t('best_of', answer.fitting)) : null,
        h('h1', {id: 'verdict', tabindex: -1}, text),
        h('p', {class: 'why'}, why),
    ];
}

function memorySection(answer) {
    const pick = answer.picks[0];
    const {need} = answer;
    const head = isKnown(need.weights_gib)
        ? [
              h('b', {}, `${gib(need.per_gpu_gib)} GiB `),
              t('needed'),
              ' · ',
              t('range', gib(need.low_gib), gib(need.high_gib)),
          ]
        : [t('floor', gib(pick?.fit.needed_gib ?? need.per_gpu_gib))];
    return h(
        'section',
        {},
        h('h2', {}, t('memory')),
        h('p', {class: 'small'}, head),
        memoryStack(need, pick),
    );
}

function warningSection(pick) {
    const rows = pick.warnings.map((warning) =>
        h(
            'li',
            {'data-code': warning.code},
            h('span', {class: 'sign', 'aria-hidden': 'true'}, '△'),
            h('span', {}, warning.text),
        ),
    );
    return h(
        'section',
        {},
        h('h2', {}, t('before')),
        rows.length > 0
            ? h('ul', {class: 'warnings'}, rows)
            : h('p', {class: 'small'}, t('no_warnings')),
    );
}

/** A button when pressing it can change the question, otherwise a sentence. */
function adviceRow(advice, actions) {
    const words = [
        h('span', {}, advice.text),
        // a card's or an offer's name stands in the sentence already
        advice.gain_text && !advice.text.includes(advice.gain_text)
            ? h('b', {}, advice.gain_text)
            : null,
    ];
    if (!isKnown(advice.change)) {
        return h('p', {class: 'change'}, words);
    }
    const press = () => actions.change([advice.change, ...advice.also], advice.text);
    return h('button', {type: 'button', class: 'change', onclick: press}, words);
}

function adviceSection(answer, actions) {
    const rows = answer.advice
        .filter((advice) => advice.code !== 'keep-own') // that is the verdict
        .map((advice) => adviceRow(advice, actions));
    const undo = actions.undo
        ? h(
              'button',
              {type: 'button', class: 'change undo', onclick: actions.undo.run},
              t('undo', actions.undo.what),
          )
        : null;
    return h(
        'section',
        {},
        h('h2', {}, t('change')),
        undo,
        rows.length > 0 ? rows : h('p', {class: 'small'}, t('no_change')),
    );
}

function tags(pick) {
    const labels = (pick.labels ?? []).map((label) =>
        h('span', {class: 'tag good'}, word('labels', label)),
    );
    const stale = pick.price.stale ? [h('span', {class: 'tag warn'}, t('stale'))] : [];
    const tight = pick.fit.tight ? h('span', {class: 'tag warn'}, t('tight')) : null;
    return [labels, stale, tight];
}

function alternativesTable(picks) {
    const top = Math.max(...picks.map((pick) => pick.speed.high));
    const {currency} = picks[0].price;
    return table(
        t('alternatives'),
        [
            {
                head: t('columns.card'),
                cell: (pick) => [
                    h(
                        'a',
                        {href: `/?view=card&id=${pick.gpu.id}`},
                        (pick.count > 1 ? `${pick.count} × ` : '') + shortName(pick.gpu.name),
                    ),
                ],
            },
            {
                head: t('columns.price'),
                unit: currencyWord(currency),
                number: true,
                cell: (pick) => [
                    number(pick.price.total),
                    h(
                        'div',
                        {},
                        h(
                            'span',
                            {class: 'note'},
                            t(`condition_word.${pick.price.condition}`) + t('comma'),
                        ),
                        priceNote(pick.price),
                    ),
                ],
            },
            {
                head: t('columns.memory'),
                unit: 'GiB',
                cell: (pick) => [
                    h(
                        'span',
                        {class: 'note'},
                        `${gib(pick.fit.needed_gib)} / ${gib(pick.fit.available_gib)}`,
                    ),
                    roomBar(pick.fit),
                ],
            },
            {
                head: t('columns.speed'),
                unit: speedUnit(picks[0].speed.unit),
                number: true,
                cell: (pick) => rough(pick.speed.value),
            },
            {head: t('columns.range'), cell: (pick) => rangeMark(pick.speed, top)},
            {
                head: t('columns.cost'),
                unit: currencyWord(currency),
                number: true,
                cell: (pick) => number(pick.cost.total),
            },
            {
                head: t('columns.watts'),
                number: true,
                cell: (pick) =>
                    isKnown(pick.gpu.tdp_watts)
                        ? number(pick.gpu.tdp_watts * pick.count)
                        : t('unknown'),
            },
            {head: t('columns.note'), cell: tags},
        ],
        picks,
        (pick) => ({class: pick.rank === 1 ? 'pick' : null, 'data-gpu': pick.gpu.id}),
    );
}

function alternatives(picks) {
    const place = h(
        'div',
        {class: 'field-table'},
        alternativesTable(picks.slice(0, SHOWN_AT_FIRST)),
    );
    const more = picks.length - SHOWN_AT_FIRST;
    const button =
        more > 0
            ? h(
                  'button',
                  {
                      type: 'button',
                      class: 'link',
                      onclick: () => {
                          show(place, alternativesTable(picks));
                          button.remove();
                      },
                  },
                  t('show_all', more),
              )
            : null;
    return h(
        'section',
        {class: 'wide'},
        h('h2', {}, t('alternatives')),
        h('p', {class: 'small'}, t('ranked')),
        place,
        button,
    );
}

function rejected(answer) {
    const counts = Object.entries(answer.rejected_counts)
        .filter(([, count]) => count > 0)
        .sort((a, b) => b[1] - a[1]);
    const total = answer.rejected_total;
    if (total === 0) {
        return null;
    }
    return h(
        'details',
        {class: 'ruled-out wide'},
        h(
            'summary',
            {},
            h('b', {}, t('ruled_out', total)),
            counts.map(([code, count]) =>
                h('span', {class: 'count'}, `${number(count)} ${word('rejections', code)}`),
            ),
        ),
        h('h3', {}, t('nearest')),
        h(
            'ul',
            {},
            answer.rejected.map((one) =>
                h(
                    'li',
                    {},
                    h('a', {href: `/?view=card&id=${one.gpu.id}`}, shortName(one.gpu.name)),
                    t('colon'),
                    one.reasons.map((reason) => reason.text).join(t('blank')),
                ),
            ),
        ),
    );
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
        const amount = money(offer.price_usd_per_month, 'USD');
        return offer.price_usd_per_month === 0 ? t('free') : t('month', amount);
    }
    return t('unknown');
}

/** Time and cost of the job, where its size was given. */
function jobText(offer) {
    const cost = isKnown(offer.cost.per_job) ? money(offer.cost.per_job, offer.cost.currency) : null;
    return offer.time && cost ? `· ${t('rent_job', rough(offer.time.hours), cost)} ` : '';
}

function cloudRow(offer) {
    const names = [offer.provider, offer.instance_type].filter(isKnown);
    const plan = names.filter((name) => !name.includes(offer.accelerator)).join(' ');
    const count = offer.kind === 'instance' ? `${number(offer.gpu_count, 2)} × ` : '';
    return h(
        'li',
        {},
        h('b', {}, plan),
        ` · ${count}${offer.accelerator} · ${hourly(offer)} ${jobText(offer)}`,
        h(
            'span',
            {class: offer.stale ? 'note stale' : 'note', title: offer.source},
            date(offer.observed_on),
        ),
        offer.warnings.map((warning) =>
            h('div', {class: 'small', 'data-code': warning.code}, `△ ${warning.text}`),
        ),
    );
}

function renting(answer) {
    const text = answer.rent_or_buy?.text;
    return h(
        'section',
        {class: 'wide'},
        h('h2', {}, t('rent')),
        text ? h('p', {}, text) : null,
        h('ul', {class: 'plain'}, answer.cloud.map(cloudRow)),
    );
}

function curlLine(command) {
    return h(
        'section',
        {class: 'wide'},
        h('h2', {}, t('curl')),
        h('div', {class: 'curl'}, h('code', {}, command), copyButton(command, t('copy'))),
    );
}

/** Shows the answer of /recommend. actions: change(changes, text), undo {what, run} or null, command. */
export function showAnswer(place, answer, actions) {
    const pick = answer.picks[0];
    show(
        place,
        h(
            'div',
            {class: 'verdict'},
            h('div', {}, verdict(answer)),
            copyButton(location.href, t('link')),
        ),
        pick ? figures(answer) : null,
        h(
            'div',
            {class: 'columns'},
            h('div', {}, memorySection(answer)),
            h('div', {}, pick ? warningSection(pick) : null),
            h('div', {}, adviceSection(answer, actions)),
        ),
        pick ? alternatives(answer.picks) : null,
        renting(answer),
        rejected(answer),
        curlLine(actions.command),
    );
}

// One card: what it is, what it runs, how long its software lasts, what it was seen for, and where all this comes from.
import {get, queryOf, ROWS_MAX} from './api.js';
import {cardPicker} from './card_picker.js';
import {runsSection} from './card_runs.js';
import {compareBox} from './compare_tray.js';
import {figure, h, isNarrow, show, styleSheet, table} from './dom.js';
import {factName, factValue, makerName} from './facts.js';
import {country, date, gib, isKnown, money, number, shortName} from './format.js';
import {CURRENCIES, currencyOf} from './question.js';
import {run, wordsOf} from './request.js';
import {priceNote, sourced, specNote} from './source_note.js';
import {addTexts, t, word, worded} from './text.js';
import {warningRows} from './warnings.js';

addTexts('card');

/** Its styles. */
export const styled = styleSheet('card');

const ENOUGH_POINTS = 4; // of prices over time
const GAP = '\u0000'; // where a sentence has an element for a word
const PRICES_SHOWN = 8;
const SOURCES_SHOWN = 6;
/** Everything that is known of a card, in the order people ask. */
const FACTS = [
    'architecture',
    'chip',
    'compute_capability',
    'gfx_target',
    'segment',
    'form_factor',
    'release_date',
    'discontinued',
    'launch_msrp_usd',
    'memory_gib',
    'memory_per_process_gib',
    'memory_usable_gib',
    'memory_type',
    'memory_bus_bits',
    'memory_bandwidth_gb_s',
    'ecc',
    'shader_cores',
    'tensor_cores',
    'boost_clock_mhz',
    'fp64_tflops',
    'fp32_tflops',
    'fp16_tflops',
    'tensor_tf32_tflops',
    'tensor_fp16_tflops',
    'tensor_fp16_acc16_tflops',
    'tensor_bf16_tflops',
    'tensor_fp8_tflops',
    'tensor_int8_tops',
    'tensor_fp4_tflops',
    'tdp_watts',
    'recommended_psu_watts',
    'power_connectors',
    'pcie_gen',
    'pcie_lanes',
    'nvlink_gb_s',
    'nvlink_max_gpus',
    'mig_max_instances',
    'cooling',
    'slots',
    'board_length_mm',
    'display_outputs',
    'gpus_on_board',
    'export_controlled_cn',
    'note',
];
const ONLY_IF_KNOWN = ['discontinued', 'note']; // null says nothing of them
const SYSTEMS = {linux: 'Linux', windows: 'Windows', wsl: 'WSL'};
const FRAMEWORKS = {
    pytorch: 'PyTorch',
    tensorflow: 'TensorFlow',
    jax: 'JAX',
    vllm: 'vLLM',
    directml: 'DirectML',
    'flash-attention-2': 'FlashAttention 2',
    'flash-attention-3': 'FlashAttention 3',
};

function stackName({framework}) {
    return {cuda: 'CUDA', rocm: 'ROCm'}[framework] ?? word('card.stacks', framework);
}

function supportSentence(support) {
    const stack = stackName(support);
    const last = support.cuda_last ?? support.rocm_last;
    const day = isKnown(support.end_date) ? date(support.end_date) : null;
    return t(`card.support_of.${support.status ?? 'unknown_status'}`, stack, last, day);
}

/** The price in a sentence, with its source. */
function priceSentence(price) {
    const condition = word('card.conditions', price.condition);
    const day = date(price.observed_on);
    const text = price.stale ? t('card.seen_long_ago', condition, GAP, day) : t('card.seen', condition, GAP, price.observations, day);
    const [before, after] = text.split(GAP);
    return [before, sourced(money(price.amount, price.currency), () => priceNote(price)), after];
}

/** What the card is, in sentences made of facts alone. */
function sentence(card) {
    const day = isKnown(card.release_date) ? date(card.release_date.slice(0, 7)) : null;
    const price = card.price;
    const facts = [
        t('card.memory_of', gib(card.memory_gib), word('values', card.segment), day),
        card.memory_per_process_gib < card.memory_gib ? t('card.one_process', gib(card.memory_per_process_gib)) : null,
        supportSentence(card.support),
    ];
    return [facts.filter(Boolean).join(t('blank')), t('blank'), isKnown(price) ? priceSentence(price) : t('card.not_seen')];
}

/** A figure of the card, which tells its source. */
function cardFigure(card, label, value, unit, note) {
    const facts = () => specNote(label, [value, unit].filter(Boolean).join(' '), {source: card.source, note: card.note});
    return figure(label, sourced(value, facts), unit, note);
}

function memoryFigure(card) {
    const isSplit = card.memory_per_process_gib < card.memory_gib;
    const note = isSplit
        ? t('card.one_process', gib(card.memory_per_process_gib))
        : isKnown(card.memory_usable_gib) && card.memory_usable_gib < card.memory_gib
          ? t('card.notes.usable', card.memory_type, gib(card.memory_usable_gib))
          : card.memory_type;
    return cardFigure(card, t('card.figures.memory'), gib(card.memory_gib), 'GiB', note);
}

function tensorFigure(card) {
    if (card.tensor_cores === 0) {
        const value = card.fp16_tflops;
        return cardFigure(card, t('card.figures.plain'), number(value, 1), isKnown(value) ? 'TFLOPS' : null, null);
    }
    const value = card.tensor_fp16_tflops;
    const hasBoth = isKnown(value) && value === card.tensor_bf16_tflops;
    const note = hasBoth ? t('card.notes.dense') : card.features.includes('bf16') ? null : t('card.notes.no_bf16');
    return cardFigure(card, t(hasBoth ? 'card.figures.tensor' : 'card.figures.fp16_tensor'),
        number(value, 1),
        isKnown(value) ? 'TFLOPS' : null,
        isKnown(value) ? note : null,
    );
}

function linkFigure(card) {
    const value = card.nvlink_gb_s;
    return cardFigure(card, card.vendor === 'nvidia' ? 'NVLink' : t('card.figures.link'),
        value === 0 ? t('none') : number(value, 1),
        value > 0 ? 'GB/s' : null,
        value > 0 && isKnown(card.nvlink_max_gpus) ? t('card.notes.bridge', card.nvlink_max_gpus) : null,
    );
}

function capabilityFigure(card) {
    const isCuda = isKnown(card.compute_capability) || card.vendor !== 'amd';
    const formats = [
        ['bf16', 'BF16'],
        ['fp8', 'FP8'],
    ].filter(([feature]) => card.features.includes(feature));
    const note = formats.length > 0 ? t('card.notes.formats', formats.map(([, name]) => name).join(t('comma'))) : t('card.notes.no_fp8');
    return cardFigure(card, t(isCuda ? 'card.figures.capability' : 'card.figures.target'),
        (isCuda ? card.compute_capability : card.gfx_target) ?? t(card.vendor === 'nvidia' || !isCuda ? 'unknown' : 'none'),
        null,
        note,
    );
}

function figures(card) {
    return h(
        'dl',
        {class: 'figures'},
        memoryFigure(card),
        cardFigure(card, t('card.figures.bandwidth'),
            number(card.memory_bandwidth_gb_s),
            isKnown(card.memory_bandwidth_gb_s) ? 'GB/s' : null,
            isKnown(card.memory_bus_bits) ? t('card.notes.bus', number(card.memory_bus_bits)) : null,
        ),
        tensorFigure(card),
        cardFigure(card, t('card.figures.power'),
            number(card.tdp_watts),
            isKnown(card.tdp_watts) ? 'W' : null,
            isKnown(card.recommended_psu_watts) ? t('card.notes.supply', number(card.recommended_psu_watts)) : null,
        ),
        linkFigure(card),
        capabilityFigure(card),
    );
}

function head(card) {
    const inVendor = {view: 'cards', vendor: card.vendor};
    return h(
        'div',
        {class: 'verdict'},
        h(
            'div',
            {},
            h(
                'nav',
                {class: 'small trail', 'aria-label': t('card.trail')},
                h('a', {href: '/?view=cards'}, t('views.cards')),
                ' / ',
                h('a', {href: `/?${queryOf(inVendor)}`}, makerName(card.vendor)),
                ` / ${card.architecture}`,
            ),
            h('h1', {tabindex: -1}, shortName(card.name)),
            h('p', {class: 'why'}, sentence(card)),
        ),
        h(
            'div',
            {class: 'actions'},
            compareBox(card.id, card.name, {label: t('card.compare')}),
            h('a', {class: 'plain-button', href: `/?${queryOf({view: 'deal', gpu: card.id})}`}, t('card.check')),
        ),
    );
}

function notesSection(card) {
    return h(
        'section',
        {class: 'notes'},
        h('h2', {}, t('card.notes_head')),
        card.warnings.length > 0
            ? h('ul', {class: 'warnings'}, warningRows(card.warnings))
            : h('p', {class: 'small'}, t('card.no_notes')),
        [
            [stackName(card.support), card.support.note],
            ['PyTorch', card.support.pytorch_note],
        ]
            .filter(([, note]) => isKnown(note))
            .map(([name, note]) => h('p', {class: 'source'}, `${name}${t('colon')}`, h('span', {lang: 'en'}, note))),
    );
}

/** A part of what one looks up: on phones folded under its head. */
function part(name, title, ...children) {
    return isNarrow()
        ? h('details', {class: `${name} fold`}, h('summary', {}, h('h2', {}, title)), children)
        : h('section', {class: name}, h('h2', {}, title), children);
}

function factsSection(card) {
    const isNvidia = card.vendor === 'nvidia';
    const names = FACTS.filter((name) => name !== (isNvidia ? 'gfx_target' : 'compute_capability')).filter(
        (name) => isKnown(card[name]) || !ONLY_IF_KNOWN.includes(name),
    );
    return part(
        'all',
        t('card.facts'),
        h(
            'dl',
            {class: 'facts'},
            names.map((name) =>
                h(
                    'div',
                    {class: name === 'note' ? 'wide' : null},
                    h('dt', {}, factName(name)),
                    h('dd', {class: isKnown(card[name]) ? (name === 'note' ? 'source' : null) : 'note'}, factValue(name, card[name], 3)),
                ),
            ),
        ),
    );
}

function pricesTable(prices) {
    return table(
        t('card.prices'),
        [
            {head: t('day'), cell: (price) => date(price.observed_on)},
            {head: t('condition_column'), cell: (price) => word('values', price.condition)},
            {head: t('amount'), number: true, cell: (price) => money(price.amount, price.currency)},
            {head: t('market'), cell: (price) => (isKnown(price.market) ? country(price.market) : t('unknown'))},
            {
                head: t('source'),
                cell: (price) => h('span', {class: 'source'}, [price.source, price.note].filter(isKnown).join(' · ')),
            },
        ],
        prices,
    );
}

function pricesSection(card) {
    const newest = [...card.prices].sort((a, b) => (a.observed_on < b.observed_on ? 1 : a.observed_on > b.observed_on ? -1 : 0));
    const place = h('div', {}, pricesTable(newest.slice(0, PRICES_SHOWN)));
    const all = h(
        'button',
        {
            type: 'button',
            class: 'plain-button',
            onclick: () => {
                show(place, pricesTable(newest));
                all.remove();
                place.querySelector('.scroll').focus();
            },
        },
        t('card.all_prices', newest.length),
    );
    return part(
        'prices-seen',
        t('card.prices'),
        newest.length > 0 ? place : h('p', {class: 'small'}, t('card.no_prices')),
        newest.length > PRICES_SHOWN ? all : null,
    );
}

/** Each framework with its word for every system. */
function softwareSection(card) {
    const systems = [...new Set(card.software.map((row) => row.os))];
    const frameworks = [...new Set(card.software.map((row) => row.framework))];
    const cell = (framework, os) => {
        const row = card.software.find((one) => one.framework === framework && one.os === os);
        const status = row === undefined || !isKnown(row.status) ? 'unknown_status' : row.status;
        const last = row?.last_version ? ` ${row.last_version}` : '';
        return h('span', {class: `status ${status}`}, word('statuses', status) + last);
    };
    return part(
        'software',
        t('card.software'),
        table(
            t('card.software'),
            [
                {head: t('card.framework'), cell: (framework) => FRAMEWORKS[framework] ?? word('values', framework)},
                ...systems.map((os) => ({head: SYSTEMS[os] ?? os, cell: (framework) => cell(framework, os)})),
            ],
            frameworks,
        ),
    );
}

function sourcesSection(card) {
    const rows = card.sources.map((source) => h('li', {class: 'source'}, source));
    return part(
        'all',
        t('card.sources'),
        h('ul', {class: 'plain'}, rows.slice(0, SOURCES_SHOWN)),
        rows.length > SOURCES_SHOWN
            ? h('details', {}, h('summary', {}, t('card.all_sources', rows.length)), h('ul', {class: 'plain'}, rows.slice(SOURCES_SHOWN)))
            : null,
    );
}

/** The card in the currency most of its prices were seen in: a line of them says more than two points in the reader's. */
async function inItsCurrency(card, currency, signal) {
    const counts = new Map(CURRENCIES.map((one) => [one, card.prices.filter((price) => price.currency === one).length]));
    const most = CURRENCIES.reduce((best, one) => (counts.get(one) > counts.get(best) ? one : best), currency);
    return counts.get(currency) >= ENOUGH_POINTS || most === currency
        ? card
        : get(`/gpus/${encodeURIComponent(card.id)}`, {currency: most, task: 'inference'}, signal);
}

/** What the charts need, asked for beside the card: drawn with the rest, nothing moves. A lost part costs its chart alone. */
async function chartParts(signal) {
    const parts = await Promise.allSettled([
        worded(import('./chart_support.js')),
        worded(import('./chart_history.js')),
        worded(import('./chart_context.js')),
        get('/gpus', {limit: ROWS_MAX}, signal),
    ]);
    const [support, history, context, cards] = parts.map((part) => part.value);
    return {
        support: (card) => (cards ? support?.supportChart(card, cards.data) : null),
        history: (card) => history?.historyChart(card),
        context: (card) => context?.contextChart(card, signal),
    };
}

function chartPlace(name, chart) {
    const none = [h('h2', {}, t(`card.charts.${name}`)), h('p', {class: 'small'}, t('card.no_chart'))];
    return h('div', {class: `chart-place of-${name}`}, chart ?? none);
}

function draw(place, card, dated, charts) {
    show(
        place,
        h(
            'div',
            {class: 'page card-view'},
            head(card),
            figures(card),
            h(
                'div',
                {class: 'card-parts'},
                chartPlace('support', charts.support(card)),
                h('div', {class: 'side'}, runsSection(card), notesSection(card)),
                chartPlace('history', charts.history(dated)),
                chartPlace('context', charts.context(card)),
            ),
            factsSection(card),
            card.software.length > 0 ? softwareSection(card) : null,
            pricesSection(card),
            sourcesSection(card),
        ),
    );
}

/** An address without a card, or with a name that no card has, which is what the problem says: asks which one. */
function askWhich(place, page, problem = null) {
    const onpick = ({id}) => {
        page.remember({id}, true);
        open(place, {id}, page);
    };
    const picker = cardPicker({name: 'id', id: 'card-which', label: t('card.which'), hint: '3090, a100, mi50', onpick});
    const pickTyped = (event) => {
        event.preventDefault();
        if (picker.value !== '') {
            onpick({id: picker.value});
        }
    };
    show(
        place,
        h(
            'div',
            {class: 'page'},
            h('div', {class: 'lead'}, h('h1', {}, t('views.card')), problem === null ? null : wordsOf(problem)),
            h('form', {onsubmit: pickTyped}, picker),
            h('p', {}, h('a', {href: '/?view=cards'}, t('card.to_cards'))),
        ),
    );
}

/** Shows the card that the address names. */
export async function open(place, query, page) {
    if (!query.id) {
        askWhich(place, page);
        return;
    }
    const currency = currencyOf(query);
    const problem = await run(async (signal) => {
        const asked = get(`/gpus/${encodeURIComponent(query.id)}`, {currency}, signal);
        const [card, charts] = await Promise.all([asked, chartParts(signal)]);
        const dated = await inItsCurrency(card, currency, signal);
        signal.throwIfAborted(); // a lost part of the charts stops nothing
        draw(place, card, dated, charts);
    });
    if (problem !== null) {
        askWhich(place, page, problem);
        page.announce(problem.message);
    }
}

// All cards with filters, and one card.
import {get} from './api.js';
import {h, show, table} from './dom.js';
import {filled, filterForm, filterInput, filterSelect} from './filters.js';
import {country, currencyWord, date, gib, isKnown, money, number, shortName} from './format.js';
import {t, word} from './text.js';

/** Filters of the address and of /gpus alike. */
export const CARD_FIELDS = [
    'q',
    'vendor',
    'segment',
    'min_memory_gib',
    'max_price',
    'currency',
    'sort',
];

function filtersOf(values) {
    const makers = [
        ['nvidia', 'NVIDIA'],
        ['amd', 'AMD'],
        ['intel', 'Intel'],
    ];
    const segments = ['consumer', 'workstation', 'datacenter'];
    const currencies = ['USD', 'CNY', 'EUR'];
    const named = segments.map((segment) => [segment, word('segments', segment)]);
    return [
        filterInput(values, 'q', t('find'), 'search'),
        filterSelect(values, 'vendor', makers, t('all_of', t('vendor'))),
        filterSelect(values, 'segment', named, t('all_of', t('segment'))),
        filterInput(values, 'min_memory_gib', t('min_memory'), 'decimal'),
        filterInput(values, 'max_price', t('max_price'), 'decimal'),
        filterSelect(
            values,
            'currency',
            currencies.map((one) => [one, one]),
            null,
        ),
        h('input', {type: 'hidden', name: 'sort', value: values.sort ?? '-memory_gib'}),
    ];
}

function sortColumn(field, sort, onsort) {
    const isDown = sort === `-${field}`;
    const isUp = sort === field;
    return {
        sorted: isDown ? 'descending' : isUp ? 'ascending' : undefined,
        onsort: () => onsort(isDown ? field : `-${field}`),
    };
}

function memoryCell(card) {
    const share =
        card.memory_per_process_gib < card.memory_gib
            ? ` (${gib(card.memory_per_process_gib)} × ${number(card.memory_gib / card.memory_per_process_gib)})`
            : '';
    return gib(card.memory_gib) + share;
}

function cardsTable(cards, currency, sort, onsort) {
    const priced = (card) =>
        isKnown(card.price)
            ? number(card.price.planning)
            : h('span', {class: 'note'}, t('unknown'));
    const seen = (card) =>
        isKnown(card.price)
            ? h(
                  'span',
                  {class: card.price.stale ? 'note stale' : 'note'},
                  t(`condition_word.${card.price.condition}`) +
                      t('comma') +
                      date(card.price.observed_on),
              )
            : '';
    return table(
        t('views.cards'),
        [
            {
                head: t('columns.card'),
                ...sortColumn('name', sort, onsort),
                cell: (card) => h('a', {href: `/?view=card&id=${card.id}`}, shortName(card.name)),
            },
            {head: t('architecture'), cell: (card) => card.architecture},
            {
                head: t('memory'),
                unit: 'GiB',
                number: true,
                ...sortColumn('memory_gib', sort, onsort),
                cell: memoryCell,
            },
            {
                head: t('bandwidth'),
                unit: 'GB/s',
                number: true,
                ...sortColumn('memory_bandwidth_gb_s', sort, onsort),
                cell: (card) => number(card.memory_bandwidth_gb_s),
            },
            {
                head: t('fp16'),
                unit: 'TFLOPS',
                number: true,
                ...sortColumn('tensor_fp16_tflops', sort, onsort),
                cell: (card) =>
                    isKnown(card.tensor_fp16_tflops)
                        ? number(card.tensor_fp16_tflops, 1)
                        : h(
                              'span',
                              {class: 'note'},
                              card.tensor_cores === 0 ? t('none') : t('unknown'),
                          ),
            },
            {
                head: t('columns.watts'),
                number: true,
                ...sortColumn('tdp_watts', sort, onsort),
                cell: (card) => number(card.tdp_watts),
            },
            {
                head: t('cooling'),
                cell: (card) =>
                    [word('values', card.cooling), card.slots].filter(isKnown).join(t('comma')),
            },
            {
                head: t('support'),
                cell: (card) =>
                    h(
                        'span',
                        {
                            class:
                                {
                                    ending: 'tag warn',
                                    dropped: 'tag bad',
                                    none: 'tag bad',
                                    unofficial: 'tag warn',
                                }[card.support?.status] ?? 'note',
                        },
                        card.support?.status ? word('statuses', card.support.status) : t('unknown'),
                    ),
            },
            {
                head: t('columns.price'),
                unit: currencyWord(currency),
                number: true,
                ...sortColumn('price', sort, onsort),
                cell: priced,
            },
            {head: t('price_seen'), cell: seen},
        ],
        cards,
        (card) => ({'data-gpu': card.id}),
    );
}

/** The list of cards; remember(values) keeps the filters in the address. */
export function cardsView(place, values, remember, guard) {
    const list = h('div', {class: 'wide'});
    const count = h('p', {class: 'why', role: 'status'});
    const form = filterForm(filtersOf(values), () => load());
    const onsort = (sort) => {
        form.elements.sort.value = sort;
        load();
    };
    const load = () =>
        guard(async (signal) => {
            const asked = filled(form, CARD_FIELDS);
            remember(asked);
            const reply = await get('/gpus', {...asked, limit: 500}, signal);
            count.textContent = t('cards_shown', reply.data.length, reply.total);
            show(
                list,
                reply.data.length > 0
                    ? cardsTable(reply.data, asked.currency ?? 'USD', asked.sort, onsort)
                    : h('p', {}, t('no_cards')),
            );
        });
    show(
        place,
        h(
            'div',
            {class: 'page'},
            h('div', {class: 'lead'}, h('h1', {}, t('titles.cards')), count, form),
            list,
        ),
    );
    return load();
}

const FACTS = [
    'architecture',
    'chip',
    'compute_capability',
    'gfx_target',
    'segment',
    'form_factor',
    'release_date',
    'memory_gib',
    'memory_per_process_gib',
    'memory_usable_gib',
    'memory_type',
    'memory_bandwidth_gb_s',
    'ecc',
    'fp32_tflops',
    'fp16_tflops',
    'tensor_fp16_tflops',
    'tensor_bf16_tflops',
    'tensor_fp8_tflops',
    'tensor_int8_tops',
    'tdp_watts',
    'recommended_psu_watts',
    'power_connectors',
    'pcie_gen',
    'pcie_lanes',
    'nvlink_gb_s',
    'mig_max_instances',
    'cooling',
    'slots',
    'board_length_mm',
    'display_outputs',
    'gpus_on_board',
    'launch_msrp_usd',
    'export_controlled_cn',
    'note',
];

function factRows(card) {
    return FACTS.map((name) =>
        h(
            'div',
            {},
            h('dt', {}, word('fact_names', name)),
            h(
                'dd',
                {class: isKnown(card[name]) ? null : 'note'},
                isKnown(card[name]) ? word('values', String(card[name])) : t('unknown'),
            ),
        ),
    );
}

function pricesTable(prices) {
    return table(
        t('prices'),
        [
            {head: t('day'), cell: (price) => date(price.observed_on)},
            {head: t('condition_column'), cell: (price) => word('values', price.condition)},
            {head: t('amount'), number: true, cell: (price) => money(price.amount, price.currency)},
            {
                head: t('market'),
                cell: (price) => (isKnown(price.market) ? country(price.market) : t('unknown')),
            },
            {head: t('source'), cell: (price) => h('span', {class: 'source'}, price.source)},
        ],
        prices,
    );
}

function supportRows(support) {
    return Object.entries(support)
        .filter(([, value]) => isKnown(value) && typeof value !== 'object')
        .map(([name, value]) =>
            h(
                'div',
                {},
                h('dt', {}, word('support_names', name)),
                h('dd', {}, word('values', word('statuses', String(value)))),
            ),
        );
}

/** One card with its facts, support, warnings, prices and sources. */
export async function cardView(place, id, signal) {
    const card = await get(`/gpus/${encodeURIComponent(id)}`, {}, signal);
    show(
        place,
        h(
            'div',
            {class: 'page'},
            h('p', {class: 'small'}, h('a', {href: '/?view=cards'}, `← ${t('back')}`)),
            h('h1', {}, card.name),
            card.warnings.length > 0
                ? h(
                      'section',
                      {},
                      h('h2', {}, t('warnings')),
                      h(
                          'ul',
                          {class: 'warnings'},
                          card.warnings.map((warning) =>
                              h(
                                  'li',
                                  {},
                                  h('span', {class: 'sign', 'aria-hidden': 'true'}, '△'),
                                  h('span', {}, warning.text),
                              ),
                          ),
                      ),
                  )
                : null,
            h(
                'div',
                {class: 'columns two'},
                h(
                    'section',
                    {},
                    h('h2', {}, t('facts')),
                    h('dl', {class: 'facts'}, factRows(card)),
                ),
                h(
                    'div',
                    {},
                    h(
                        'section',
                        {},
                        h('h2', {}, t('support')),
                        h('dl', {class: 'facts'}, supportRows(card.support)),
                    ),
                    h(
                        'section',
                        {},
                        h('h2', {}, t('prices')),
                        card.prices.length > 0
                            ? pricesTable(card.prices)
                            : h('p', {}, t('unknown')),
                    ),
                    h(
                        'section',
                        {},
                        h('h2', {}, t('sources')),
                        h(
                            'ul',
                            {},
                            card.sources.map((source) =>
                                h(
                                    'li',
                                    {class: 'source'},
                                    typeof source === 'string'
                                        ? source
                                        : `${source.source ?? source.text}`,
                                ),
                            ),
                        ),
                    ),
                ),
            ),
        ),
    );
    return card;
}

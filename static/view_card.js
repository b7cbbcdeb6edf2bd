// One card with its facts, support, warnings, prices and sources.
import {get} from './api.js';
import {h, show, table} from './dom.js';
import './facts.js';
import {country, date, isKnown, money} from './format.js';
import {run, showProblem} from './request.js';
import {t, word} from './text.js';

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

function draw(place, card) {
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
}

/** Shows the card that the address names. */
export async function open(place, query) {
    const problem = await run(async (signal) => {
        draw(place, await get(`/gpus/${encodeURIComponent(query.id ?? '')}`, {}, signal));
    });
    if (problem !== null) {
        showProblem(place, problem);
    }
}

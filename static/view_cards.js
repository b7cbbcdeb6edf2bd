// All cards with filters.
import {get} from './api.js';
import {h, show, table} from './dom.js';
import './facts.js';
import {filled, filterForm, filterInput, filterSelect} from './filters.js';
import {currencyWord, date, gib, isKnown, number, shortName} from './format.js';
import {runHere} from './request.js';
import {t, word} from './text.js';

/** Filters of the address and of /gpus alike. */
const FIELDS = [
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

/** The list of cards; its filters stand in the address. */
export function open(place, query, page) {
    const values = Object.fromEntries(FIELDS.map((field) => [field, query[field]]));
    const list = h('div', {class: 'wide'});
    const count = h('p', {class: 'why', role: 'status'});
    const form = filterForm(filtersOf(values), () => load());
    const onsort = (sort) => {
        form.elements.sort.value = sort;
        load();
    };
    const load = () =>
        runHere(place, page, async (signal) => {
            const asked = filled(form, FIELDS);
            page.remember(asked);
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

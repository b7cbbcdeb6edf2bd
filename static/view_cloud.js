// What can be rented: instances, notebook plans and TPUs, each row with its day.
import {get} from './api.js';
import {h, show, table} from './dom.js';
import {filled, filterForm, filterInput} from './filters.js';
import {currencyWord, date, isKnown, money, number} from './format.js';
import {runHere} from './request.js';
import {t} from './text.js';

/** Filters of the address and of /cloud alike. */
const FIELDS = ['provider', 'gpu', 'min_memory_gib', 'max_usd_per_hour'];

function seen(row) {
    return h(
        'span',
        {class: row.stale ? 'note stale' : 'note', title: row.source},
        date(row.observed_on),
        row.stale ? ` · ${t('stale')}` : '',
    );
}

function hourly(value) {
    return isKnown(value) ? number(value, 3) : h('span', {class: 'note'}, t('unknown'));
}

function hourColumn(text, field) {
    return {head: t(text), unit: currencyWord('USD'), number: true, cell: (row) => hourly(row[field])};
}

function instances(rows) {
    return table(
        t('instances'),
        [
            {
                head: t('accelerator'),
                cell: (row) => `${number(row.gpu_count, 3)} × ${row.accelerator}`,
            },
            {head: t('provider'), cell: (row) => row.provider},
            {head: t('instance'), cell: (row) => row.instance_type ?? ''},
            hourColumn('per_hour', 'usd_per_hour'),
            hourColumn('per_gpu', 'usd_per_gpu_hour'),
            hourColumn('spot', 'spot_usd_per_hour'),
            {head: t('price_seen'), cell: seen},
        ],
        rows,
    );
}

function notebooks(rows) {
    return table(
        t('notebooks'),
        [
            {head: t('plan'), cell: (row) => `${row.provider} ${row.instance_type ?? ''}`},
            {head: t('accelerator'), cell: (row) => row.accelerator},
            hourColumn('per_hour', 'usd_per_hour'),
            {
                head: t('per_month'),
                number: true,
                cell: (row) =>
                    isKnown(row.price_usd_per_month)
                        ? row.price_usd_per_month === 0
                            ? t('free')
                            : t('month', money(row.price_usd_per_month, 'USD'))
                        : '',
            },
            {head: t('china'), cell: (row) => row.mainland_china_access ?? t('unknown')},
            {head: t('price_seen'), cell: seen},
        ],
        rows,
    );
}

function tpus(rows) {
    return table(
        t('tpus'),
        [
            {head: t('accelerator'), cell: (row) => row.accelerator},
            {head: t('region_column'), cell: (row) => row.region ?? ''},
            hourColumn('per_hour', 'usd_per_hour'),
            hourColumn('spot', 'spot_usd_per_hour'),
            {head: t('price_seen'), cell: seen},
        ],
        rows,
    );
}

function filtersOf(values) {
    return [
        filterInput(values, 'gpu', t('find'), 'search'),
        filterInput(values, 'provider', t('provider'), 'text'),
        filterInput(values, 'min_memory_gib', t('min_memory'), 'decimal'),
        filterInput(
            values,
            'max_usd_per_hour',
            t('max_price') + t('comma') + currencyWord('USD'),
            'decimal',
        ),
    ];
}

/** The tables of what can be rented; their filters stand in the address. */
export function open(place, query, page) {
    const values = Object.fromEntries(FIELDS.map((field) => [field, query[field]]));
    const rented = h('section', {class: 'wide'});
    const plans = h('section', {});
    const chips = h('section', {});
    const load = () =>
        runHere(place, page, async (signal) => {
            const asked = filled(form, FIELDS);
            page.remember(asked);
            const [offers, books, units] = await Promise.all([
                get(
                    '/cloud',
                    {kind: 'instance', sort: 'usd_per_hour', limit: 100, ...asked},
                    signal,
                ),
                get('/cloud', {kind: 'notebook', limit: 100}, signal),
                get('/cloud', {kind: 'tpu', limit: 100}, signal),
            ]);
            show(
                rented,
                h(
                    'h2',
                    {},
                    `${t('instances')} · ${number(offers.data.length)} / ${number(offers.total)}`,
                ),
                instances(offers.data),
            );
            show(plans, h('h2', {}, t('notebooks')), notebooks(books.data));
            show(
                chips,
                h('h2', {}, t('tpus')),
                h('p', {class: 'small'}, t('per_chip')),
                tpus(units.data),
            );
        });
    const form = filterForm(filtersOf(values), load);
    show(
        place,
        h(
            'div',
            {class: 'page'},
            h(
                'div',
                {class: 'lead'},
                h('h1', {}, t('titles.cloud')),
                h('p', {class: 'why'}, t('cloud_hint')),
                form,
            ),
            rented,
            h('div', {class: 'columns two'}, plans, chips),
        ),
    );
    return load();
}

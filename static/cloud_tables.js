// The tables of what can be rented: their columns, what each cell says, and which heads sort.
import {cardAddress} from './api.js';
import {h, table} from './dom.js';
import {country, currencyWord, date, isKnown, number, shortName} from './format.js';
import {sourced, sourcedOffer, specNote, withAge} from './source_note.js';
import {addTexts, language, t} from './text.js';

addTexts('cloud');

/** The columns that /cloud sorts by, by the name of the column. */
const SORTS = {
    memory: 'memory_gib',
    provider: 'provider',
    region: 'region',
    hour: 'usd_per_hour',
    card_hour: 'usd_per_gpu_hour',
    spot: 'spot_usd_per_hour',
    seen: 'observed_on',
};

/** What is not known: a dash for the eye, the word for the ear. */
function unknown() {
    return h('span', {class: 'note'}, h('span', {'aria-hidden': 'true'}, '–'), h('span', {class: 'hidden'}, t('unknown')));
}

function decimals(value, least, most) {
    return value.toLocaleString(language() === 'zh' ? 'zh-CN' : 'en-US',
        {minimumFractionDigits: least, maximumFractionDigits: most});
}

/** A price of an hour without its unit: cents, and their tenths below one; nothing to pay is a word. */
export function hourPrice(value) {
    return !isKnown(value) ? unknown() : value === 0 ? t('offers.free') : decimals(value, 2, value < 1 ? 3 : 2);
}

/** A sum of a month without its unit: cents below a hundred. */
export function monthPrice(value) {
    return !isKnown(value) ? unknown() : value === 0 ? t('offers.free') : value < 100 ? decimals(value, 2, 2) : decimals(value, 0, 0);
}

/** What stands beside a number where the heads are not shown: its unit, or its name before it. */
export function narrow(text) {
    return h('span', {class: 'unit narrow'}, ` ${text} `);
}

/** The day of a price with its note; a stale one has a sign and the word. */
export function seen(row) {
    return sourcedOffer(withAge(date(row.observed_on), row), row, 'meta');
}

/** "8 × H100 SXM", leading to its card where that is known. */
export function accelerator(row) {
    const count = isKnown(row.gpu_count) && row.gpu_count !== 1 ? `${number(row.gpu_count, 3)} × ` : '';
    const text = `${count}${shortName(row.accelerator)}`;
    return isKnown(row.gpu) ? h('a', {href: cardAddress(row.gpu)}, text) : text;
}

/** A region as the provider calls it; two letters are a country. */
function region(row) {
    if (!isKnown(row.region)) {
        return null;
    }
    const name = /^[a-z]{2}$/.test(row.region) ? country(row.region) : row.region;
    return row.region === 'cn' ? h('span', {class: 'tag good'}, name) : name;
}

/** The second line of a rented card: the machine around it. */
function machine(row) {
    const facts = [
        row.instance_type,
        isKnown(row.vcpus) ? t('offers.vcpus', number(row.vcpus)) : null,
        isKnown(row.ram_gb) ? t('offers.ram', number(row.ram_gb)) : null,
        row.marketplace ? t('offers.private_owners') : null,
    ];
    return facts.filter(isKnown).join(' · ');
}

/** What so many hours cost: [amount in USD, whether by the spot price], or null. */
function monthOf(row, hours) {
    const byHour = row.usd_per_hour ?? row.spot_usd_per_hour;
    return isKnown(byHour) ? [byHour * hours, !isKnown(row.usd_per_hour)] : null;
}

function month(row, hours) {
    const found = monthOf(row, hours);
    if (found === null) {
        return unknown();
    }
    const [cost, isSpot] = found;
    return [monthPrice(cost), isSpot ? h('span', {class: 'note'}, ` ${t('offers.by_spot')}`) : null];
}

function column(name, cell, options = {}) {
    return {name, head: t(`offers.heads.${name}`), class: `of-${name}`, cell, ...options};
}

function priceColumn(name, field) {
    const unit = t('offers.units.hour', currencyWord('USD'));
    return column(name, (row) => [
        name === 'spot' && isKnown(row[field]) ? narrow(t('offers.by_spot')) : null,
        hourPrice(row[field]),
        row[field] > 0 ? narrow(unit) : null,
    ], {number: true, unit});
}

function monthColumn(hours, cell = (row) => month(row, hours)) {
    const unit = t('offers.units.at_hours', number(hours, 1), currencyWord('USD'));
    const isPriced = (row) => monthOf(row, hours) !== null || isKnown(row.price_usd_per_month);
    return column('month', (row) => [cell(row), isPriced(row) ? narrow(unit) : null], {number: true, unit});
}

function memoryColumn() {
    return column('memory', (row) => (isKnown(row.memory_gib) ? [number(row.memory_gib, 1), narrow('GiB')] : unknown()),
        {number: true, unit: 'GiB'});
}

function instanceColumns(hours) {
    return [
        column('accelerator', accelerator),
        memoryColumn(),
        column('provider', (row) => [
            h('span', {class: 'who'}, row.provider),
            machine(row) ? h('span', {class: 'meta second'}, machine(row)) : null,
        ]),
        column('region', (row) => region(row) ?? unknown()),
        priceColumn('hour', 'usd_per_hour'),
        priceColumn('card_hour', 'usd_per_gpu_hour'),
        priceColumn('spot', 'spot_usd_per_hour'),
        monthColumn(hours),
        column('seen', seen),
    ];
}

/** What a plan takes a month: its own price, or that of the hours; and whether it gives so many. */
function planMonth(row, hours) {
    const isShort = isKnown(row.hours_per_month) && row.hours_per_month < hours;
    const cost = row.price_usd_per_month ?? monthOf(row, hours)?.[0];
    return [
        monthPrice(cost),
        isShort ? h('span', {class: 'tag warn'}, t('offers.only_hours', number(row.hours_per_month))) : null,
    ];
}

function gives(row) {
    const facts = ['session_limit_hours', 'idle_timeout_minutes', 'hours_per_month', 'compute_units_included', 'cu_per_hour']
        .filter((name) => isKnown(row[name]))
        .map((name) => t(`offers.limits.${name}`, number(row[name], name === 'cu_per_hour' ? 2 : 0)));
    return [
        h('span', {}, accelerator(row), isKnown(row.memory_gib) ? h('span', {class: 'note'}, ` ${number(row.memory_gib, 1)} GiB`) : null),
        facts.length > 0 ? h('span', {class: 'second small'}, facts.join(t('semicolon'))) : null,
        isKnown(row.note) ? h('span', {class: 'second source'}, row.note) : null,
    ];
}

/** Whether mainland China reaches it, in a word; the note has what the source says. */
export function access(row) {
    const said = row.mainland_china_access;
    if (!isKnown(said)) {
        return h('span', {class: 'note'}, t('unknown'));
    }
    const kind = ['yes', 'needs', 'reachable'].find((one) => said.startsWith(one));
    const words = kind ? t(`offers.access.${kind}`) : said;
    return sourced(
        h('span', {class: `tag ${kind === 'needs' ? 'warn' : kind ? 'good' : ''}`}, words),
        () => specNote(t('offers.access_of'), words, {observed_on: row.observed_on, source: `${said} · ${row.source}`}),
    );
}

function notebookColumns(hours) {
    return [
        column('plan', (row) => [h('span', {class: 'who'}, row.provider),
            isKnown(row.instance_type) ? h('span', {class: 'meta second'}, row.instance_type) : null]),
        priceColumn('hour', 'usd_per_hour'),
        monthColumn(hours, (row) => planMonth(row, hours)),
        column('gives', gives),
        column('china', access),
        column('seen', seen),
    ];
}

function tpuColumns(hours) {
    return [
        column('generation', (row) => row.accelerator),
        memoryColumn(),
        column('region', (row) => region(row) ?? unknown()),
        priceColumn('hour', 'usd_per_hour'),
        priceColumn('spot', 'spot_usd_per_hour'),
        monthColumn(hours),
        column('seen', seen),
    ];
}

const COLUMNS = {instance: instanceColumns, notebook: notebookColumns, tpu: tpuColumns};

/** Which columns of a kind sort: [name, parameter of /cloud]. */
export function sortsOf(kind) {
    return COLUMNS[kind](0).filter(({name}) => name in SORTS).map(({name}) => [name, SORTS[name]]);
}

/**
 * The table of a kind of offers.
 *
 * @param {'instance' | 'notebook' | 'tpu'} kind
 * @param {object[]} rows of /cloud
 * @param {{hours: number, sort: string, onsort: function(string): void}} state sort: as /cloud takes it
 */
export function offersTable(kind, rows, {hours, sort, onsort}) {
    const columns = COLUMNS[kind](hours).map((one) => {
        const key = SORTS[one.name];
        if (key === undefined) {
            return one;
        }
        const sorted = sort === key ? 'ascending' : sort === `-${key}` ? 'descending' : null;
        return {...one, sorted, onsort: () => onsort(sorted === 'ascending' ? `-${key}` : key)};
    });
    return table(t(`offers.kinds.${kind}`), columns, rows, (row) => ({'data-kind': row.kind}));
}

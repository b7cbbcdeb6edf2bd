// What can be rented for the question in the address: the offers that do the work, as /recommend ranks them.
import {queryOf} from './api.js';
import {accelerator, hourPrice, monthPrice, narrow, seen} from './cloud_tables.js';
import {h, table} from './dom.js';
import {currencyWord, gib, isKnown, number, rough} from './format.js';
import {t} from './text.js';
import {warningRows} from './warnings.js';

/** The unit of work that offers are compared by: 'tokens', 'images', or null when none has it. */
function workOf(offers) {
    return ['tokens', 'images'].find((unit) => offers.some(({cost}) => isKnown(cost[`per_million_${unit}`]))) ?? null;
}

function workPrice(value, unit, currency) {
    return value === 0 ? t('offers.free')
        : [rough(value), narrow(`${currencyWord(currency)}${t('comma')}${t(`offers.heads.${unit}`)}`)];
}

function columnsOf(answer) {
    const {hours_per_month: hours, currency} = answer.query;
    const unit = workOf(answer.cloud);
    const unitOfMonth = t('offers.units.at_hours', number(hours, 1), currencyWord(currency));
    const head = (name) => t(`offers.heads.${name}`);
    return [
        {
            head: head('accelerator'),
            class: 'of-accelerator',
            cell: (offer) => [
                accelerator({...offer, gpu_count: offer.count}),
                isKnown(offer.memory_gib) ? h('span', {class: 'note'}, ` ${number(offer.memory_gib, 1)} GiB`) : null,
                offer.does_work ? null : h('span', {class: 'tag'}, t('offers.cannot')),
            ],
        },
        {
            head: head('provider'),
            class: 'of-provider',
            cell: (offer) => [
                h('span', {class: 'who'}, offer.provider),
                h('span', {class: 'meta second'},
                    [offer.instance_type, offer.spot ? t('offers.by_spot') : null].filter(isKnown).join(' · ')),
            ],
        },
        {
            head: head('hour'),
            unit: t('offers.units.hour', currencyWord(currency)),
            class: 'of-hour',
            number: true,
            cell: ({cost}) => [hourPrice(cost.per_hour), cost.per_hour > 0 ? narrow(t('offers.units.hour', currencyWord(currency))) : null],
        },
        unit === null ? null : {
            head: head(unit),
            unit: currencyWord(currency),
            class: 'of-work',
            number: true,
            cell: ({cost}) => workPrice(cost[`per_million_${unit}`], unit, currency),
        },
        {
            head: head('month'),
            unit: unitOfMonth,
            class: 'of-month',
            number: true,
            cell: ({cost}) => [monthPrice(cost.per_month), cost.per_month > 0 ? narrow(unitOfMonth) : null],
        },
        {head: head('seen'), class: 'of-seen', cell: seen},
    ].filter((column) => column !== null);
}

/** The warnings of all these rows, each sentence once, under their head; null when there is none. */
export function warningsOf(rows) {
    const warnings = new Map(rows.flatMap((row) => row.warnings).map((warning) => [warning.text, warning]));
    return warnings.size === 0 ? null : h('div', {class: 'know'},
        h('h3', {}, t('offers.know')),
        h('ul', {class: 'warnings'}, warningRows([...warnings.values()])));
}

/** The section of the question: what fits first, the rest of the tables after it. chart: of rent or buy, or null. */
export function questionSection(answer, question, chart) {
    const needed = answer.need.per_gpu_gib;
    const offers = [...answer.cloud].sort((a, b) => b.does_work - a.does_work);
    const isDone = offers.some((offer) => offer.does_work);
    const offered = h('div', {},
        h('div', {class: 'heading'},
            h('h2', {}, isKnown(needed) && isDone ? t('offers.holds', gib(needed)) : t('offers.for_question')),
            h('span', {class: 'links'}, h('a', {href: `/?${queryOf(question)}`}, t('offers.change')))),
        h('p', {class: 'small'}, isDone ? t('offers.does_work') : t('offers.nothing_does')),
        offers.length === 0 ? null
            : table(t('offers.for_question'), columnsOf(answer), offers,
                (offer) => ({class: offer === offers[0] && isDone ? 'pick' : null})),
        warningsOf(offers));
    return h('div', {class: chart === null ? 'one' : 'beside'}, chart, offered);
}

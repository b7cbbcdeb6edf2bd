// Price against speed for the question of the address, with the controls of the chart.
import {get, queryOf, ROWS_MAX} from './api.js';
import {paretoChart} from './chart_pareto.js';
import {h, show} from './dom.js';
import {filterSelect} from './filters.js';
import {gib, isKnown, shortName} from './format.js';
import {questionOf} from './question.js';
import {runHere} from './request.js';
import {t, word} from './text.js';

export {styled} from './chart.js';

const MOST = 100;
const MAKERS = [['nvidia', 'NVIDIA'], ['amd', 'AMD'], ['intel', 'Intel']];

/** Cards with too little memory and a known price, and the server's words for why. */
function crossesOf(answer, cards) {
    const prices = new Map(cards.filter(({price}) => isKnown(price)).map((card) => [card.id, card.price.planning]));
    return answer.rejected
        .filter(({gpu, reasons}) => prices.has(gpu.id) && reasons.some(({code}) => code === 'memory-too-small'))
        .map(({gpu, reasons}) => ({
            id: gpu.id,
            name: shortName(gpu.name),
            price: prices.get(gpu.id),
            reason: reasons.find(({code}) => code === 'memory-too-small').text,
        }));
}

/** Everything that the chart needs: without the budget dearer cards are seen too, with it there is the pick. */
async function load(query, signal) {
    const question = questionOf(query);
    const {budget, ...rest} = question;
    const {currency, condition, vendor} = rest;
    const isUnfit = query.unfit === 'yes';
    const [all, asked, cards] = await Promise.all([
        get('/recommend', {...rest, limit: MOST, explain: isUnfit ? 'all' : 'none'}, signal),
        budget ? get('/recommend', {...question, limit: 1, explain: 'none'}, signal) : null,
        isUnfit ? get('/gpus', {currency, condition, vendor, limit: ROWS_MAX}, signal) : null,
    ]);
    const {picks: [pick], query: {budget: limit}} = asked ?? all;
    return {all, pick, budget: limit, crosses: cards ? crossesOf(all, cards.data) : []};
}

function conditionSwitch(query) {
    const chosen = ['new', 'used'].includes(query.condition) ? query.condition : 'any';
    return h('div', {class: 'segments', role: 'group', 'aria-label': t('condition')},
        ['new', 'used', 'any'].map((value) => h('label', {},
            h('input', {type: 'radio', name: 'condition', value, checked: value === chosen}),
            h('span', {}, value === 'any' ? t('charts.pareto.cheapest') : t(`conditions.${value}`)))));
}

function check(name, isOn, text) {
    return h('label', {class: 'c-check'}, h('input', {type: 'checkbox', name, checked: isOn}), text);
}

/** The controls; each writes what is chosen into the address, since that is the question. */
function controls(query, change) {
    const form = h('form', {class: 'c-controls', onsubmit: (event) => event.preventDefault()},
        conditionSwitch(query), filterSelect(query, 'vendor', MAKERS, t('all_of', t('vendor'))),
        check('range', query.range !== 'no', t('charts.pareto.range')), check('unfit', query.unfit === 'yes', t('charts.pareto.unfit')));
    form.addEventListener('change', () => {
        const {condition, vendor, range, unfit} = form.elements;
        change({
            condition: condition.value === 'any' ? '' : condition.value,
            vendor: vendor.value,
            range: range.checked ? '' : 'no',
            unfit: unfit.checked ? 'yes' : '',
        });
    });
    return form;
}

/** The work in one line, as the server understood it. */
function workOf(answer) {
    const {task, model} = answer.query;
    const memory = answer.need?.memory_gib;
    const drawn = answer.picks.length < answer.fitting ? t('charts.pareto.first', answer.picks.length, answer.fitting) : null;
    return [[word('tasks', task), model].filter(Boolean).join(t('colon')), isKnown(memory) ? `${gib(memory)} GiB` : null, drawn]
        .filter(Boolean).join(t('comma'));
}

/** Shows the chart of the question in the address; what the controls change is asked anew in place. */
export function open(place, query, page) {
    let asked = {...query};
    const work = h('p', {class: 'small c-work'});
    const back = h('a', {class: 'plain-button'}, t('charts.pareto.change'));
    const drawing = h('div', {class: 'c-stage'});
    const remember = (changes) => {
        asked = {...asked, ...changes};
        const {condition, vendor, range, unfit, point} = asked;
        page.remember({condition, vendor, range, unfit, point});
        back.href = linkOf(asked);
    };
    const form = controls(asked, (changes) => {
        remember(changes);
        ask();
    });
    const ask = () => runHere(place, page, async (signal) => {
        const {all, pick, budget, crosses} = await load(asked, signal);
        page.showFreshness(all.catalogue);
        const chart = paretoChart(all, {
            budget,
            crosses,
            pickId: pick?.gpu.id ?? null,
            chosen: asked.point,
            onchoose: (point) => remember({point}),
            hasRange: asked.range !== 'no',
            isHeadless: true,
        });
        work.textContent = workOf(all);
        show(drawing, chart ?? h('p', {class: 'notice'}, t('charts.pareto.nothing')));
        page.announce(chart?.querySelector('.c-drawing').getAttribute('aria-label') ?? t('charts.pareto.nothing'));
    });
    back.href = linkOf(asked);
    const words = h('div', {}, h('h1', {}, t('charts.pareto.title')), h('p', {class: 'why'}, t('charts.pareto.hint')), work);
    const head = h('div', {class: 'c-lead'}, words, back);
    show(place, h('div', {class: 'page c-page'}, h('div', {class: 'lead'}, head, form), drawing));
    return ask();
}

const linkOf = (query) => {
    const text = queryOf(questionOf(query));
    return text ? `/?${text}` : '/';
};

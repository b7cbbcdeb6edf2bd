// The answer: what to do and why, six figures, memory, warnings, what would change it, the rest of the field.
import {figures} from './answer_figures.js';
import {beforeSection, changeSection, renting, ruledOut} from './answer_rest.js';
import {alternatives} from './answer_table.js';
import {offerOf, verdict} from './answer_verdict.js';
import {commandSection} from './copy.js';
import {h, show} from './dom.js';
import {addTexts} from './text.js';

addTexts('answer');

/* Charts and their words are loaded after the first answer stands; from then on they are drawn with it. */
const LOADERS = {
    memory: async () => (await import('./answer_stack.js')).memoryChart,
    money: async () => (await import('./chart_rent.js')).rentChart,
    field: async () => (await import('./chart_pareto.js')).paretoChart,
};
const drawers = {};

async function load(name) {
    const [drawer, {styled}] = await Promise.all([LOADERS[name](), import('./chart.js')]);
    await styled;
    drawers[name] = drawer;
}

/** A place of a chart, as high as the chart will be; it goes when the data cannot carry one. */
function chartPlace(name, ...facts) {
    const place = h('div', {class: `chart-place ${name}`});
    const draw = () => {
        const chart = drawers[name](...facts);
        place.classList.add('is-drawn');
        if (chart === null) {
            place.remove();
        } else {
            show(place, chart);
        }
    };
    if (drawers[name] === undefined) {
        load(name).then(() => {
            if (place.isConnected || place.parentNode !== null) {
                draw();
            }
        }, () => place.remove()); // without the module the answer stands all the same
    } else {
        draw();
    }
    return place;
}

/**
 * Shows the answer of /recommend.
 *
 * @param {Element} place
 * @param {object} answer the reply
 * @param {object} actions change(changes, what) asks with other parameters; undo {what, run} or null; sent: the parameters of
 *     the API; rent: the reader wants to rent; query: the parameters of the address
 */
export function showAnswer(place, answer, actions) {
    const wantsRent = actions.rent === true;
    const [pick] = answer.picks;
    const offer = wantsRent ? offerOf(answer) : undefined;
    const isNothing = pick === undefined && offer === undefined;
    const money = pick === undefined || answer.rent_or_buy?.verdict === 'unknown' ? null : chartPlace('money', answer);
    show(place,
        h('div', {class: 'head'}, verdict(answer, actions), figures(answer, wantsRent), isNothing ? changeSection(answer, actions) : null),
        chartPlace('memory', answer, offer),
        h('div', {class: 'beside'},
            pick && !wantsRent ? beforeSection(pick) : null,
            isNothing ? null : changeSection(answer, actions),
            money,
            pick ? chartPlace('field', answer, {isSmall: true}) : null),
        h('div', {class: 'rest'},
            wantsRent || isNothing ? renting(answer, true) : null,
            pick ? alternatives(answer, actions) : null,
            ruledOut(answer, actions),
            wantsRent || isNothing ? null : renting(answer, false),
            commandSection('/recommend', actions.sent)));
}

// The question with its answer below.
import {showAnswer} from './answer.js';
import {get} from './api.js';
import {askForm} from './ask_form.js';
import {asked, askState, isEmpty, valuesOfAddress} from './ask_state.js';
import {h, show} from './dom.js';
import {currencyOf} from './question.js';
import {loaded, run} from './request.js';

const MOST_PICKS = 20;

function focusVerdict() {
    document.querySelector('#verdict')?.focus();
}

function startOf(query) {
    return {...valuesOfAddress(query), currency: currencyOf(query)};
}

/* What a pressed change does: it applies at once, and can be undone. */
function changer(state, load) {
    const view = {undo: null, isPressed: false};
    const press = (values) => {
        view.isPressed = true;
        state.replace(values, 'choice');
        view.isPressed = false;
        return load('choice').then(focusVerdict);
    };
    view.change = (changes, what) => {
        const before = state.values;
        view.undo = {
            what,
            run: () => {
                view.undo = null;
                press(before);
            },
        };
        press({...before, ...Object.fromEntries(changes.map(({parameter, value}) => [parameter, value]))});
    };
    return view;
}

/** Shows the question of the address and asks it. */
export function open(view, query, page) {
    const state = askState(startOf(query));
    const form = askForm(state);
    const place = h('div', {class: 'page answer'});
    const begin = async (values, signal) => {
        const {showStart} = await loaded('ask_start', () => import('./ask_start.js'));
        page.showFreshness(await showStart(place, values, signal));
    };
    const load = async (how) => {
        const {values} = state;
        const problem = await run(async (signal) => {
            if (isEmpty(values)) {
                await begin(values, signal);
                form.showAnswered(null);
                return;
            }
            const answer = await get('/recommend', {limit: MOST_PICKS, ...asked(values)}, signal);
            state.reference = answer.assumptions.reference_gpu;
            form.showAnswered(answer);
            page.showFreshness(answer.catalogue);
            const {change, undo} = pressed;
            showAnswer(place, answer, {change, undo, sent: asked(values), rent: values.rent === 'yes', query: values});
            page.announce(document.querySelector('#verdict').textContent);
        });
        if (problem !== null) {
            await form.showErrors(problem, how === 'submit');
            page.announce(problem.message);
            if (place.childElementCount === 0) { // a bad address: no answer stands that could stay
                await run((signal) => begin(startOf({}), signal));
            }
        }
    };
    const pressed = changer(state, load);
    state.listen((values, how) => {
        if (page.left.aborted) {
            return; // words are read a while after they were typed
        }
        page.remember(isEmpty(values) ? {} : values, how === 'choice');
        if (!pressed.isPressed) {
            pressed.undo = null; // the question went on from there
            load(how);
        }
    });
    show(view, form.element, place);
    return load('open');
}

// The question with its answer below.
import {get, queryOf} from './api.js';
import {showAnswer} from './answer.js';
import {askForm, FIELDS, offerNames, setValues, showAssumed, showErrors, valuesOf} from './ask_form.js';
import {h, show} from './dom.js';
import {run} from './request.js';
import {language} from './text.js';

function command(values) {
    const query = queryOf({...values, lang: language() === 'zh' ? 'zh' : ''});
    return `curl '${location.origin}/recommend${query ? `?${query}` : ''}'`;
}

function focusVerdict() {
    document.querySelector('#verdict')?.focus();
}

/** Shows the question of the address and asks it. */
export function open(view, query, page) {
    const place = h('div', {class: 'page answer'});
    const form = askForm(
        Object.fromEntries(FIELDS.filter((name) => query[name] !== undefined).map((name) => [name, query[name]])),
        () => load(),
    );
    let undo = null;
    const change = (changes, what) => {
        const before = valuesOf(form);
        const after = changes.map(({parameter, value}) => [parameter, String(value)]);
        setValues(form, {...before, ...Object.fromEntries(after)});
        undo = {
            what,
            run: () => {
                undo = null;
                setValues(form, before);
                load(true).then(focusVerdict);
            },
        };
        load(true).then(focusVerdict);
    };
    const load = async (isNewEntry = false) => {
        const values = valuesOf(form);
        page.remember(values, isNewEntry);
        const problem = await run(async (signal) => {
            const answer = await get('/recommend', {...values, limit: 20}, signal);
            showErrors(form, null);
            showAssumed(form, answer.query);
            page.showFreshness(answer.catalogue);
            showAnswer(place, answer, {change, undo, command: command(values), query: values});
            page.announce(document.querySelector('#verdict').textContent);
        });
        if (problem !== null) {
            showErrors(form, problem, (parameter, id) => {
                setValues(form, {...valuesOf(form), [parameter]: id});
                load(true);
            });
            page.announce(problem.message);
        }
    };
    show(view, form, place);
    offerNames(form).catch(() => {}); // suggestions only: typing works without them
    return load();
}

// The page: the address says which view and which question; this file keeps the two equal.
import {get, queryOf} from './api.js';
import {askForm, FIELDS, offerNames, setValues, showAssumed, showErrors, valuesOf} from './ask.js';
import {showAnswer} from './answer.js';
import {CARD_FIELDS, cardsView, cardView} from './cards.js';
import {CLOUD_FIELDS, cloudView} from './cloud.js';
import {h, show} from './dom.js';
import {date} from './format.js';
import {openFrame, showFrame} from './frame.js';
import {cancel, run, showProblem} from './request.js';
import {language, t} from './text.js';

const view = document.querySelector('#view');
const live = document.querySelector('#live');

function address() {
    if (location.hash === '#prices') { // an address to say aloud
        const lang = new URLSearchParams(location.search).get('lang');
        history.replaceState({}, '', `/?${queryOf({view: 'prices', lang})}`);
    }
    const query = Object.fromEntries(new URLSearchParams(location.search));
    return {view: ['cards', 'card', 'cloud', 'prices'].includes(query.view) ? query.view : 'ask', query};
}

function remember(parameters, isNewEntry = false) {
    const query = queryOf({...parameters, lang: address().query.lang});
    const target = query ? `/?${query}` : '/';
    if (target !== location.pathname + location.search) {
        history[isNewEntry ? 'pushState' : 'replaceState']({}, '', target);
    }
}

function command(values) {
    const query = queryOf({...values, lang: language() === 'zh' ? 'zh' : ''});
    return `curl '${location.origin}/recommend${query ? `?${query}` : ''}'`;
}

function showFreshness(catalogue) {
    document.querySelector('#as-of').textContent = catalogue?.prices_as_of
        ? t('as_of', date(catalogue.prices_as_of))
        : '';
}

/** The question with its answer below. */
function askView(query) {
    const place = h('div', {class: 'page answer'});
    const form = askForm(
        Object.fromEntries(
            FIELDS.filter((name) => query[name] !== undefined).map((name) => [name, query[name]]),
        ),
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
        remember(values, isNewEntry);
        const problem = await run(async (signal) => {
            const answer = await get('/recommend', {...values, limit: 20}, signal);
            showErrors(form, null);
            showAssumed(form, answer.query);
            showFreshness(answer.catalogue);
            showAnswer(place, answer, {change, undo, command: command(values)});
            live.textContent = document.querySelector('#verdict').textContent;
        });
        if (problem !== null) {
            showErrors(form, problem, (parameter, id) => {
                setValues(form, {...valuesOf(form), [parameter]: id});
                load(true);
            });
            live.textContent = problem.message;
        }
    };
    show(view, form, place);
    offerNames(form).catch(() => {}); // suggestions only: typing works without them
    return load();
}

function focusVerdict() {
    document.querySelector('#verdict')?.focus();
}

async function guard(work) {
    const problem = await run(work);
    if (problem !== null) {
        live.textContent = problem.message;
        document
            .querySelector('.lead + *')
            ?.replaceChildren(
                h(
                    'p',
                    {class: 'error'},
                    problem.errors.map((error) => error.detail).join(t('semicolon')) || problem.message,
                ),
            );
    }
}

async function showView() {
    cancel();
    const {view: name, query} = address();
    showHeader(name);
    document.title =
        name === 'ask'
            ? 'gpuwise'
            : `gpuwise · ${t(`views.${name === 'card' ? 'cards' : name}`)}`;
    if (name === 'cards') {
        const values = Object.fromEntries(CARD_FIELDS.map((field) => [field, query[field]]));
        await cardsView(view, values, (asked) => remember({view: 'cards', ...asked}), guard);
    } else if (name === 'cloud') {
        const values = Object.fromEntries(CLOUD_FIELDS.map((field) => [field, query[field]]));
        await cloudView(view, values, (asked) => remember({view: 'cloud', ...asked}), guard);
    } else if (name === 'card') {
        const problem = await run((signal) => cardView(view, query.id ?? '', signal));
        if (problem !== null) {
            showProblem(view, problem);
        }
    } else if (name === 'prices') {
        await run(async (signal) => {
            const {pricesView} = await import('./prices.js'); // few need it: no other view loads it
            await pricesView(view, signal);
        });
    } else {
        await askView(query);
    }
}

function showHeader(name) {
    const current = name === 'card' ? 'cards' : name;
    show(
        document.querySelector('#views'),
        ['ask', 'cards', 'cloud'].map((one) =>
            h(
                'a',
                {
                    href: one === 'ask' ? '/' : `/?view=${one}`,
                    'aria-current': one === current ? 'page' : null,
                },
                t(`views.${one}`),
            ),
        ),
    );
    showFrame();
}

function listen() {
    addEventListener('popstate', showView);
    document.addEventListener('click', (event) => {
        const link = event.target.closest?.("a[href^='/?'], a[href='/']");
        if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0) {
            event.preventDefault();
            const lang = address().query.lang;
            const target = new URL(link.href);
            if (lang) {
                target.searchParams.set('lang', lang);
            }
            history.pushState({}, '', target);
            showView().then(() => {
                scrollTo(0, 0);
                view.focus({preventScroll: true});
            });
        }
    });
}

openFrame(address().query.lang, () => {
    history.replaceState({}, '', `/?${queryOf({...address().query, lang: language()})}`);
    showView();
});
listen();
showView();

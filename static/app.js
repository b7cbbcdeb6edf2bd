// The page: the address says which view and which question; this file keeps the two equal.
import {queryOf} from './api.js';
import {date} from './format.js';
import {openFrame, showFrame, showLinks, travelling} from './frame.js';
import {cancel, run, showProblem} from './request.js';
import {language, t} from './text.js';
import * as ask from './view_ask.js';

/*
 * The views by their name in the address. Each is a module view_NAME.js with
 *
 *     open(place, query, page)    shows it in place; query: the parameters of the address; page: below
 *
 * Only the question is there from the start: the others are loaded when they are asked for, each with its words
 * (text_NAME_en.js, text_NAME_zh.js) and its styles (NAME.css).
 */
const VIEWS = {
    ask: async () => ask,
    chart: () => import('./view_chart.js'),
    cards: () => import('./view_cards.js'),
    card: () => import('./view_card.js'),
    compare: () => import('./view_compare.js'),
    cloud: () => import('./view_cloud.js'),
    deal: () => import('./view_deal.js'),
    choose: () => import('./view_choose.js'),
    prices: () => import('./view_prices.js'),
};

const main = document.querySelector('#view');

function address() {
    if (location.hash === '#prices') { // an address to say aloud
        const lang = new URLSearchParams(location.search).get('lang');
        history.replaceState({}, '', `/?${queryOf({view: 'prices', lang})}`);
    }
    const query = Object.fromEntries(new URLSearchParams(location.search));
    return {name: Object.hasOwn(VIEWS, query.view) ? query.view : 'ask', query};
}

/** What a view may do outside its place. */
const page = {
    /**
     * Writes the parameters of the view that is shown into the address; isNewEntry: back leads to the ones before.
     * Parts of the question that the view says nothing of and has no field for stay there.
     */
    remember(parameters, isNewEntry = false) {
        const {name, query} = address();
        const isOurs = ([part]) => part === 'lang' || part === 'compare' ||
            (name !== 'ask' && main.querySelector(`[name="${part}"]`) === null);
        const kept = Object.fromEntries(Object.entries(travelling(query)).filter(isOurs));
        const text = queryOf({view: name === 'ask' ? '' : name, ...kept, ...parameters, lang: query.lang});
        const target = text ? `/?${text}` : '/';
        if (target !== location.pathname + location.search) {
            history[isNewEntry ? 'pushState' : 'replaceState']({}, '', target);
            showLinks(name, address().query);
        }
    },
    /** Says a sentence to those who do not see the page. */
    announce(text) {
        document.querySelector('#live').textContent = text;
    },
    /** The newest price's day, from the `catalogue` of an answer. */
    showFreshness(catalogue) {
        document.querySelector('#as-of').textContent = catalogue?.prices_as_of
            ? t('as_of', date(catalogue.prices_as_of))
            : '';
    },
};

/** The tray of cards to compare: loaded when there is something in it. */
async function showTray() {
    if (address().query.compare || sessionStorage.getItem('compare')) {
        (await import('./compare_tray.js')).showTray();
    }
}

async function showView() {
    cancel();
    const {name, query} = address();
    showFrame();
    showLinks(name, query);
    showTray().catch(() => {}); // by the notice of the view itself
    let view = null;
    const problem = await run(async () => {
        view = await VIEWS[name]();
    });
    if (view !== null && address().name === name) {
        document.title = name === 'ask' ? 'gpuwise' : `gpuwise · ${t(`views.${name}`)}`;
        await view.open(main, query, page);
    } else if (problem !== null) {
        showProblem(main, problem);
    }
}

/** Where a link leads: to another view the question comes along, to the question only the language and the chosen cards. */
function withQuestion(link) {
    const asked = Object.fromEntries(new URL(link.href).searchParams);
    const {compare, lang, ...question} = travelling(address().query);
    const text = queryOf({...(asked.view ? question : {}), compare, lang, ...asked});
    return text ? `/?${text}` : '/';
}

function listen() {
    addEventListener('popstate', showView);
    document.addEventListener('click', (event) => {
        const link = event.target.closest?.("a[href^='/?'], a[href='/']");
        if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0) {
            event.preventDefault();
            history.pushState({}, '', withQuestion(link));
            showView().then(() => {
                scrollTo(0, 0);
                main.focus({preventScroll: true});
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

// The page: the address says which view and which question; this file keeps the two equal.
import {get, queryOf} from './api.js';
import {h, show, stylesReady} from './dom.js';
import {date} from './format.js';
import {openFrame, showFrame, showLinks, travelling} from './frame.js';
import {holdHeight, position, refill, restore, wholePosition} from './position.js';
import {cancel, loaded, run, showProblem, showWhole, whenWaiting} from './request.js';
import {language, t, textsReady, worded} from './text.js';

/*
 * The views by their name in the address. Each is a module view_NAME.js with
 *
 *     styled                      the promise of its styles, where it has some of its own: it is opened when they are there
 *     open(place, query, page)    shows it in place; query: the parameters of the address; page: below
 *
 * Each is loaded when it is asked for, with its words (text_NAME_en.js, text_NAME_zh.js) and its styles (NAME.css): that of
 * the first address at once (early.js), the question, to which all views lead back, when the first view stands.
 */
const VIEWS = {
    ask: () => import('./view_ask.js'),
    chart: () => import('./view_chart.js'),
    cards: () => import('./view_cards.js'),
    card: () => import('./view_card.js'),
    compare: () => import('./view_compare.js'),
    cloud: () => import('./view_cloud.js'),
    deal: () => import('./view_deal.js'),
    choose: () => import('./view_choose.js'),
    prices: () => import('./view_prices.js'),
};

const KEPT_MAX = 50; // positions of a session
const SHORTEST = {budget: 1, min_memory_gib: 300, limit: 1, explain: 'none'}; // nothing fits it: an answer of a few lines
const HELD_MS = 1000; // as long the parts of a view that come late may take their place

const main = document.querySelector('#view');
const positions = new Map(JSON.parse(sessionStorage.getItem('positions') ?? '[]')); // by the key of the history's entry

let shown = null; // the address that is drawn
let visit = new AbortController(); // of the view that is shown: what an older one still does no longer counts
let newest = null; // the catalogue of the last answer that told one
let entry = ''; // the key of the history's entry that is shown

/** Takes the entry of the history as it is, with a key of its own. */
function enter() {
    entry = history.state?.key ?? '';
    if (entry === '') {
        entry = crypto.getRandomValues(new Uint32Array(2)).join('-');
        history.replaceState({key: entry}, '');
    }
}

function newEntry(target) {
    positions.set(entry, position());
    history.pushState({}, '', target);
    enter();
}

function address() {
    if (location.hash === '#prices') { // an address to say aloud
        const lang = new URLSearchParams(location.search).get('lang');
        history.replaceState(history.state, '', `/?${queryOf({view: 'prices', lang})}`);
    }
    const query = Object.fromEntries(new URLSearchParams(location.search));
    return {name: Object.hasOwn(VIEWS, query.view) ? query.view : 'ask', query};
}

/** What of the address the view draws: the tray of cards stands beside it. */
function drawn() {
    return queryOf({...address().query, compare: ''});
}

/** What a view may do outside its place; with it comes `left`, a signal that ends when the reader moves on. */
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
            if (isNewEntry) {
                newEntry(target);
            } else {
                history.replaceState(history.state, '', target);
            }
            shown = drawn();
            showLinks(name, address().query);
        }
    },
    /** Says a sentence to those who do not see the page. */
    announce(text) {
        document.querySelector('#live').textContent = text;
    },
    /** The newest price's day, from the `catalogue` of an answer. */
    showFreshness(catalogue) {
        newest = catalogue;
        document.querySelector('#as-of').textContent = catalogue?.prices_as_of
            ? t('as_of', date(catalogue.prices_as_of))
            : '';
    },
};

/** The tray of cards to compare: loaded when there is something in it. */
async function showTray() {
    if (address().query.compare || sessionStorage.getItem('compare')) {
        (await worded(import('./compare_tray.js'))).showTray();
    }
}

/** The day of the newest price, where no answer of the view has told it. */
async function showNewestPrice() {
    if (newest === null) {
        page.showFreshness((await get('/recommend', SHORTEST)).catalogue);
    }
}

/** Calls once when main gets other content, at the latest when the returned function is called. */
function onNextContent(call) {
    const once = () => {
        watch.disconnect();
        call();
        once.isDone = true;
    };
    const watch = new MutationObserver(once);
    watch.observe(main, {childList: true});
    return () => once.isDone || once();
}

/** While a view waits for the server and has nothing of its own on the page, its name stands there: not the view before. */
function holdName(name) {
    const before = main.firstElementChild;
    whenWaiting(() => {
        if (main.firstElementChild === before) {
            show(main, h('div', {class: 'page'}, h('div', {class: 'lead'}, h('h1', {}, t(`views.${name}`)))));
        }
    });
}

/** Draws the view of the address; onframe is called when it has something of its own on the page. */
async function showView(onframe = () => {}) {
    cancel();
    visit.abort();
    visit = new AbortController();
    const left = visit.signal;
    const {name, query} = address();
    shown = drawn();
    const framed = onNextContent(() => left.aborted || onframe());
    holdName(name);
    showFrame();
    page.showFreshness(newest);
    showLinks(name, query);
    showTray().catch(() => {}); // by the notice of the view itself
    let view = null;
    const problem = await run(async () => {
        view = await loaded(name, () => worded(VIEWS[name]()));
        await view.styled;
    }, false);
    if (left.aborted || (view === null && problem === null)) {
        return false;
    }
    try {
        await (view === null ? showProblem(main, problem) : view.open(main, query, {...page, left}));
    } finally {
        framed();
        await stylesReady(); // also those of drawings, which no view waits for
        if (!left.aborted) {
            showWhole();
            showNewestPrice().catch(() => {}); // a view without it is whole
            VIEWS.ask().catch(() => {}); // told to who goes there
        }
    }
    return !left.aborted;
}

/** Whether the reader has put the focus somewhere since the view was drawn. */
function isFocused() {
    return ![document.body, main, null].includes(document.activeElement);
}

function focusHeading() {
    const heading = main.querySelector('h1') ?? main;
    if (heading !== main && !heading.hasAttribute('tabindex')) {
        heading.setAttribute('tabindex', '-1');
    }
    heading.focus({preventScroll: true});
}

/** A view the reader went to: from its top, with the focus on its heading. */
async function goTo(target) {
    newEntry(target);
    const isShown = await showView(() => {
        scrollTo(0, 0);
        focusHeading();
    });
    if (isShown && !isFocused()) {
        focusHeading();
    }
}

/** Draws the view of the address again and leads back to a place in it. */
async function comeBack(place) {
    holdHeight(place.height);
    const isShown = await showView(() => {
        refill(place);
        scrollTo(0, place.scroll);
    });
    if (isShown) {
        refill(place);
        if (!isFocused() && !restore(place) && place.focus !== null) {
            focusHeading();
        }
        setTimeout(holdHeight, HELD_MS, 0);
    }
}

/** Back and forward. */
function followHistory() {
    const isSame = drawn() === shown;
    positions.set(entry, position());
    enter();
    const place = positions.get(entry) ?? {scroll: 0, height: 0, focus: null, selection: null};
    if (!isSame) {
        comeBack(place);
    } else if (location.hash === '') { // otherwise the browser leads to the part of the view
        restore(place);
    }
}

/** The title says what the view says: its verdict or its heading. With that nothing needs to hold its place any more. */
function showTitle() {
    const heading = main.querySelector('#verdict') ?? main.querySelector('h1');
    if (heading !== null && !main.classList.contains('is-coming')) {
        document.querySelector('#skeleton')?.remove();
    }
    const words = heading?.textContent.trim() || t(`views.${address().name}`);
    const title = words === 'gpuwise' ? words : `${words} · gpuwise`;
    if (document.title !== title) {
        document.title = title;
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
    history.scrollRestoration = 'manual';
    addEventListener('popstate', followHistory);
    addEventListener('pagehide', () => {
        positions.set(entry, position());
        sessionStorage.setItem('positions', JSON.stringify([...positions].slice(-KEPT_MAX)));
    });
    new MutationObserver(showTitle).observe(main, {childList: true, subtree: true, characterData: true});
    document.addEventListener('click', (event) => {
        const link = event.target.closest?.("a[href^='/?'], a[href='/']");
        const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
        if (link && isPlain && !event.defaultPrevented && !link.hasAttribute('download')) {
            event.preventDefault();
            goTo(withQuestion(link));
        }
    });
}

await textsReady();
openFrame(
    () => {
        const place = wholePosition();
        history.replaceState(history.state, '', `/?${queryOf({...address().query, lang: language()})}`);
        comeBack(place);
    },
    (work) => run(() => loaded('language', work), false),
);
enter();
listen();
main.classList.toggle('is-coming', address().name !== 'ask'); // a view comes as a whole, the question as soon as it can
if (positions.has(entry)) { // loaded again, or come back from another page
    comeBack(positions.get(entry));
} else {
    showView();
}

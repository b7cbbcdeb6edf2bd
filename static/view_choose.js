// How to choose: the rules by which gpuwise answers, each with figures of today and the questions it leads to.
import {answerTo, Asker, figuresOf, fill} from './choose_live.js';
import {GROUPS, RULES} from './choose_rules.js';
import {h, show, styleSheet} from './dom.js';
import {currencyOf, DEFAULT_CURRENCY} from './question.js';
import {run} from './request.js';
import {addTexts, t, word} from './text.js';

addTexts('choose');

/** Its styles. */
export const styled = styleSheet('choose');

/** A text of a rule, or null where it has none. */
function words(rule, name) {
    const found = word('choose.rules', rule.id)[name];
    return found ?? null;
}

/** Goes to a part of the page; its name stands in the address, so that back and a copied link lead there. */
function goTo(id, isNewEntry) {
    const part = document.getElementById(id);
    if (part !== null) {
        if (isNewEntry) {
            history.pushState({}, '', `#${id}`);
        }
        part.scrollIntoView();
        part.focus({preventScroll: true});
    }
}

function anchor(id, text) {
    return h('a', {href: `#${id}`, onclick: (event) => {
        event.preventDefault(); // by itself the browser would have the whole view drawn again
        goTo(id, true);
    }}, text);
}

function contents() {
    return h('nav', {class: 'contents', 'aria-labelledby': 'contents'},
        h('h2', {id: 'contents'}, t('choose.contents')),
        h('ol', {}, GROUPS.map(([group, rules]) => h('li', {},
            anchor(group, t(`choose.groups.${group}`)),
            h('ol', {}, rules.map((rule) => h('li', {}, anchor(rule.id, words(rule, 'head')))))))));
}

function corrections(rule) {
    const said = words(rule, 'said');
    return said === null ? null : h('div', {class: 'corrections'},
        h('h4', {}, t('choose.often_said')),
        h('dl', {}, Object.values(said).map(({claim, right}) => h('div', {},
            h('dt', {}, h('span', {class: 'sign', 'aria-hidden': 'true'}, '✗ '), claim),
            h('dd', {}, right)))));
}

/* An address of a question with the currency of the reader, where it names no money of its own. */
function inCurrency(href, currency) {
    const isOpen = href.startsWith('/?task=') && !/[?&](budget|currency)=/.test(href);
    return isOpen && currency !== DEFAULT_CURRENCY ? `${href}&currency=${currency}` : href;
}

/** The questions a rule leads to, each with a place for its answer. */
function questions(rule, todo, currency) {
    return h('div', {class: 'questions'},
        h('h4', {}, t('choose.ask')),
        h('ul', {class: 'plain'}, Object.entries(rule.asks).map(([name, address]) => {
            const href = inCurrency(address, currency);
            const place = h('span', {class: 'reply small', 'aria-busy': 'true'});
            todo.push((asker) => fill(place, answerTo(href, asker)));
            return h('li', {}, h('a', {href}, words(rule, 'asks')[name]), place);
        })));
}

function figures(rule, todo) {
    if (!rule.live) {
        return null;
    }
    const rows = (rule.live.cards ?? rule.live.memories ?? []).length;
    const place = h('div', {class: 'figures-now', 'aria-busy': 'true', 'data-rows': rows});
    place.style.setProperty('min-block-size', `${2.2 * rows + 4}rem`); // so that what follows stays where it is
    todo.push(async (asker) => {
        await fill(place, figuresOf(rule.live, words(rule, 'figures'), asker));
        place.style.removeProperty('min-block-size');
    });
    return place;
}

function ruleArticle(rule, todo, currency) {
    const own = [];
    const article = h('article',
        {id: rule.id, class: 'rule', tabindex: -1, 'data-article': rule.article, 'aria-labelledby': `${rule.id}-head`},
        h('h3', {id: `${rule.id}-head`}, anchor(rule.id, words(rule, 'head'))),
        h('p', {}, words(rule, 'text')),
        words(rule, 'more') ? h('p', {}, words(rule, 'more')) : null,
        corrections(rule),
        figures(rule, own),
        questions(rule, own, currency),
        words(rule, 'source') ? h('p', {class: 'source'}, `${t('source')}${t('colon')}${words(rule, 'source')}`) : null);
    todo.set(article, own);
    return article;
}

function isInSight(part) {
    const {top, bottom} = part.getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
}

/** Asks for the figures of all rules, of those in sight first; ends when these are there. */
function askFor(todo, currency) {
    const askThose = (articles, asker) => Promise.all(articles.flatMap((article) => todo.get(article)).map((task) => task(asker)));
    return new Promise((seen, fail) => {
        run(async (signal) => {
            const asker = new Asker(currency, signal);
            const articles = [...todo.keys()];
            const near = articles.filter(isInSight);
            await askThose(near, asker);
            seen();
            await askThose(articles.filter((article) => !near.includes(article)), asker);
        }).then(seen, fail);
    });
}

/** Shows the rules at once and fills in their figures as they come; the anchor of the address is gone to. */
export async function open(place, query) {
    const currency = currencyOf(query); // as where a question begins anew
    const todo = new Map(); // what each rule asks for, in reading order
    show(place, h('div', {class: 'page choose'},
        h('div', {class: 'lead'}, h('h1', {}, t('views.choose')), h('p', {class: 'why'}, t('choose.lead'))),
        contents(),
        h('div', {class: 'rules'}, GROUPS.map(([group, rules]) => h('section',
            {id: group, tabindex: -1, 'aria-labelledby': `${group}-head`},
            h('h2', {id: `${group}-head`}, t(`choose.groups.${group}`)),
            rules.map((rule) => ruleArticle(rule, todo, currency)))))));
    const wanted = decodeURIComponent(location.hash.slice(1));
    if ([...GROUPS.map(([group]) => group), ...RULES.map(({id}) => id)].includes(wanted)) {
        goTo(wanted, false);
    }
    await askFor(todo, currency);
}

// One request in flight: an older answer never lands on a newer question, and a lost server is waited for.
import {askAgain, cardAddress, Problem, queryOf, recall, Unreachable} from './api.js';
import {h, s, show} from './dom.js';
import {language, t} from './text.js';

const SLOW_MS = 400;
const RETRY_S = [2, 4, 8, 16, 32, 60];
const PAUSE_MS = 150;

let controller = new AbortController();
let visits = 0; // views the reader has left
let retries = 0;
let answeredAt = null; // what is shown now is of this time, in ms
let onwaiting = () => {};
const failed = new Set(); // names of what could not be loaded

function clock(ms) {
    return new Date(ms).toLocaleTimeString(language() === 'zh' ? 'zh-CN' : 'en-GB', {hour: '2-digit', minute: '2-digit'});
}

function hideNotice() {
    const notice = document.querySelector('#gone');
    const hadFocus = notice?.contains(document.activeElement);
    notice?.remove();
    if (hadFocus) {
        document.querySelector('main').focus({preventScroll: true});
    }
}

/** The notice with its sentence, which is said aloud once, the countdown, which is not, and the button. */
function noticeOf(isBusy) {
    const label = t(isBusy ? 'gone.busy' : 'gone.title');
    return h(
        'aside',
        {id: 'gone', class: 'notice', 'aria-label': label, 'data-busy': isBusy ? '' : null},
        s(
            'svg',
            {'aria-hidden': 'true', width: 18, height: 18, viewBox: '0 0 18 18', fill: 'none', stroke: 'currentColor', 'stroke-width': 1.6},
            s('path', {d: 'M9 2.2 16.4 15.5H1.6zM9 7v4.2M9 13v.6', 'stroke-linejoin': 'round'}),
        ),
        h('p', {}, h('span', {role: 'alert'}, h('b', {}, label), h('span', {class: 'said'})), h('span', {class: 'wait', role: 'timer'})),
        h('button', {type: 'button', class: 'plain-button'}, t('gone.now')),
    );
}

/** Shows why there is no answer; a notice that stands already is kept, with the focus in it. */
function showNotice(error) {
    const isBusy = error instanceof Problem;
    let notice = document.querySelector('#gone');
    if (notice === null || (notice.dataset.busy !== undefined) !== isBusy) {
        hideNotice();
        notice = noticeOf(isBusy);
        document.querySelector('main').before(notice);
    }
    const words = isBusy ? error.message : '';
    const said = [words, answeredAt === null ? '' : t('gone.answer_of', clock(answeredAt))].filter(Boolean);
    notice.querySelector('.said').textContent = said.map((one) => t('blank') + one).join('');
    showWhole();
    return notice;
}

/** Resolves when it is time to try again: after the wait, at a press, when the tab or the network is back, or when overtaken. */
function untilNextTry(error, signal) {
    const notice = showNotice(error);
    const told_s = error instanceof Problem ? error.wait_s : 0;
    const wait_s = told_s || RETRY_S[Math.min(retries, RETRY_S.length - 1)];
    const end = Date.now() + wait_s * 1000;
    const place = notice.querySelector('.wait');
    notice.querySelector('button').hidden = told_s > 0; // a server that says how long is not asked earlier
    const count = () => {
        place.textContent = t('blank') + t('gone.wait', Math.max(1, Math.ceil((end - Date.now()) / 1000)));
    };
    count();
    return new Promise((resolve) => {
        const timeIsUp = () => {
            retries += 1; // only a wait that was in vain makes the next one longer, no press and no other question
            leave();
        };
        const timers = [setInterval(count, 1000), setTimeout(timeIsUp, wait_s * 1000)];
        const watch = new AbortController();
        const leave = () => {
            timers.forEach(clearTimeout);
            watch.abort();
            place.textContent = t('blank') + t('gone.trying');
            resolve();
        };
        const here = {signal: watch.signal};
        signal.addEventListener('abort', leave, here);
        if (told_s === 0) {
            notice.querySelector('button').addEventListener('click', leave, here);
            addEventListener('online', leave, here);
            document.addEventListener('visibilitychange', () => document.hidden || leave(), here);
        }
    });
}

/** While the server is gone: what it answered to the same earlier. */
async function fromMemory(work, signal) {
    let oldest = Infinity;
    recall(signal, (time) => {
        oldest = Math.min(oldest, time);
    });
    try {
        await work(signal);
        answeredAt = oldest < Infinity ? oldest : answeredAt;
    } catch (error) {
        if (!(error instanceof Unreachable) && !signal.aborted) {
            throw error;
        }
    } finally {
        askAgain(signal);
    }
}

function isPassing(error) {
    return error instanceof Unreachable || (error instanceof Problem && error.isPassing);
}

/** The first view takes long: bars in its place, unless it has a heading already. */
function holdPlace() {
    const hasHeading = document.querySelector('main:not(.is-coming) h1') !== null;
    document.querySelector('#skeleton')?.toggleAttribute('hidden', hasHeading);
}

/** One attempt under the line that runs when it takes long; returns what it threw, or null. */
async function attempt(work, signal) {
    const line = document.querySelector('#progress');
    const slow = setTimeout(() => {
        line.hidden = false;
        holdPlace();
    }, SLOW_MS);
    try {
        await work(signal);
        return null;
    } catch (error) {
        return error;
    } finally {
        clearTimeout(slow);
        if (!signal.aborted) {
            line.hidden = true;
        }
    }
}

/** The first view stands, or there is a reason why it does not: what held its place goes, the foot comes. */
export function showWhole() {
    const reveal = () => {
        document.querySelector('#skeleton')?.remove();
        document.querySelector('main').classList.remove('is-coming');
        document.querySelector('#foot').hidden = false;
    };
    if (document.querySelector('.is-coming') === null) {
        reveal();
    } else { // drawings measure their place first
        requestAnimationFrame(() => requestAnimationFrame(reveal));
    }
}

/** Stops what is under way: the reader has moved on. */
export function cancel() {
    controller.abort();
    visits += 1;
    hideNotice();
    document.querySelector('#progress').hidden = true;
}

/**
 * The pause after which what is typed is asked: begin(call) calls when nothing more is typed for so long, end() takes it
 * back. What was typed into a view that the reader has left is not asked any more.
 */
export class Pause {
    #timer = 0;
    #visit = visits;

    begin(call, pause_ms = PAUSE_MS) {
        this.end();
        this.#timer = setTimeout(() => this.#visit === visits && call(), pause_ms);
    }

    end() {
        clearTimeout(this.#timer);
    }
}

/** Lets so many pieces of work run at once at most; the others wait for their turn. */
export class Turns {
    #free;
    #waiting = [];

    constructor(most) {
        this.#free = most;
    }

    /** What work() brings, when it is its turn. */
    async take(work) {
        if (this.#free === 0) {
            await new Promise((resolve) => this.#waiting.push(resolve)); // who leaves hands over its turn
        } else {
            this.#free -= 1;
        }
        try {
            return await work();
        } finally {
            const next = this.#waiting.shift();
            if (next) {
                next();
            } else {
                this.#free += 1;
            }
        }
    }
}

/** From now on call() is called when a question has to wait for the server. */
export function whenWaiting(call) {
    onwaiting = call;
}

/**
 * What load() brings: a module, or several; name: of what it is. Unreachable when it is not to be had now, and it can be
 * asked for again. A browser may remember that it could not load one: then, once, the whole page is loaded again.
 */
export async function loaded(name, load) {
    try {
        const modules = await load();
        sessionStorage.removeItem('reloaded');
        return modules;
    } catch (error) {
        if (!(error instanceof TypeError)) {
            throw error;
        }
        const isSecond = failed.has(name) && sessionStorage.getItem('reloaded') !== name;
        if (isSecond && (await fetch('/healthz').then((reply) => reply.ok, () => false))) {
            sessionStorage.setItem('reloaded', name);
            location.reload();
        }
        failed.add(name);
        throw new Unreachable(error.message);
    }
}

/**
 * Runs work(signal) until it has an answer; returns the Problem the server answered, or null. Whatever is newer wins.
 * A server that is gone or busy is asked again later; meanwhile what is shown stays, or with hasMemory what it answered
 * to the same earlier is shown.
 */
export async function run(work, hasMemory = true) {
    controller.abort();
    const mine = new AbortController();
    const {signal} = mine;
    controller = mine;
    for (let isFirst = true; ; isFirst = false) {
        const error = await attempt(work, signal);
        if (signal.aborted) {
            return null;
        }
        if (error === null || !isPassing(error)) {
            hideNotice();
            retries = 0;
            if (error === null) {
                answeredAt = Date.now();
            } else if (!(error instanceof Problem)) {
                throw error;
            }
            return error;
        }
        if (isFirst && hasMemory) {
            await fromMemory(work, signal);
        }
        if (isFirst && !signal.aborted) {
            onwaiting();
        }
        await untilNextTry(error, signal);
        if (signal.aborted) {
            return null;
        }
    }
}

/**
 * What load() brings, as loaded() has it, as {modules, isLate}. While it is not to be had the notice stands and it is asked
 * for again: isLate, and what was under way was given up for it. null: something newer was asked meanwhile.
 */
export async function obtained(name, load) {
    let modules = null;
    const bring = async () => {
        modules = await loaded(name, load);
    };
    try {
        await bring();
        return {modules, isLate: false};
    } catch (error) {
        if (!(error instanceof Unreachable)) {
            throw error;
        }
    }
    await run(bring, false);
    return modules === null ? null : {modules, isLate: true};
}

/** The address of this view with a card in place of the name that the fault is about; else that of the card. */
function addressOf(card, fault) {
    const query = Object.fromEntries(new URLSearchParams(location.search));
    const parameter = fault?.parameter ?? 'id';
    if (query[parameter] === undefined) {
        return cardAddress(card.id);
    }
    const names = query[parameter].split(',');
    names[Math.max(names.findIndex((name) => fault?.detail.includes(name)), 0)] = card.id;
    return `/?${queryOf({...query, [parameter]: names.join(',')})}`;
}

/** Links to the cards that a name may have meant. */
function candidateLinks(problem) {
    const cards = [...problem.candidates, ...problem.suggestions];
    const fault = problem.errors.find(({detail}) => cards.some(({id}) => detail.includes(id))) ?? problem.errors[0];
    const link = (card) => h('li', {}, h('a', {class: 'pill', href: addressOf(card, fault)}, card.name));
    return cards.length === 0 ? null : [h('p', {}, t('which')), h('ul', {class: 'pills'}, cards.map(link))];
}

/** All the server says of a question it cannot answer, with the cards to choose from. */
export function wordsOf(problem) {
    const isLed = problem.errors.length !== 1; // of one fault the sentence says the same as the fault
    const faults = problem.errors.map(({parameter, detail}) => h('li', {}, h('code', {}, parameter), t('colon'), detail));
    return [
        isLed ? h('p', {class: 'why'}, problem.message) : null,
        faults.length > 0 ? h('ul', {class: 'plain error'}, faults) : null,
        candidateLinks(problem),
    ];
}

/** The server's words where a view has no field for them. */
export function showProblem(place, problem) {
    show(place, h('div', {class: 'page'}, h('div', {class: 'lead'}, h('h1', {}, t('failed')), wordsOf(problem))));
}

/** Runs work(signal) for a view that stands already: a problem is told below its head (.lead), the head stays. */
export async function runHere(place, page, work) {
    const problem = await run(work);
    if (problem !== null) {
        page.announce([problem.message, ...problem.errors.map((error) => error.detail)].join(t('semicolon')));
        show(place.querySelector('.lead + *'), h('div', {class: 'lead'}, wordsOf(problem)));
    }
}

addEventListener('online', () => {
    retries = 0;
});

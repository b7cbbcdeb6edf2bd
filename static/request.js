// One request in flight: an older answer never lands on a newer question, and a lost server is waited for.
import {Problem} from './api.js';
import {h, show} from './dom.js';
import {t} from './text.js';

const SLOW_MS = 400;
const RETRY_S = [2, 4, 8, 16, 32, 60];

let controller = new AbortController();
let retryTimer = 0;
let retries = 0;
let answeredAt = null;

function hideNotice() {
    document.querySelector('#gone')?.remove();
    clearTimeout(retryTimer);
}

function showGone(work) {
    hideNotice();
    const again = h(
        'button',
        {type: 'button', class: 'plain-button', onclick: () => run(work)},
        t('again'),
    );
    document
        .querySelector('main')
        .prepend(
            h('p', {id: 'gone', class: 'notice', role: 'alert'}, t('gone', answeredAt), again),
        );
    const wait = RETRY_S[Math.min(retries, RETRY_S.length - 1)];
    retries += 1;
    retryTimer = setTimeout(() => run(work), wait * 1000);
}

/** Stops what is under way: the reader has moved on. */
export function cancel() {
    controller.abort();
    hideNotice();
}

/** Runs work(signal); returns the Problem the server answered, or null. Whatever is newer wins. */
export async function run(work) {
    controller.abort();
    clearTimeout(retryTimer);
    const mine = new AbortController();
    controller = mine;
    const line = document.querySelector('#progress');
    const slow = setTimeout(() => {
        line.hidden = false;
    }, SLOW_MS);
    try {
        await work(mine.signal);
        if (controller === mine) {
            hideNotice();
            retries = 0;
            answeredAt = new Date().toLocaleTimeString([], {hour: '2-digit', minute: '2-digit'});
        }
        return null;
    } catch (error) {
        if (mine.signal.aborted || controller !== mine) {
            return null;
        }
        if (error instanceof Problem && error.status < 500) {
            return error;
        }
        if (error instanceof Problem || error instanceof TypeError) {
            // fetch reports a lost server so
            showGone(work);
            return null;
        }
        throw error;
    } finally {
        clearTimeout(slow);
        if (controller === mine) {
            line.hidden = true;
        }
    }
}

/** The server's words where a view has no field for them. */
export function showProblem(place, problem) {
    const names = [...problem.candidates, ...problem.suggestions];
    show(
        place,
        h(
            'div',
            {class: 'page'},
            h('h1', {}, t('failed')),
            h('p', {class: 'why'}, problem.message),
            names.length > 0 ? h('p', {}, t('which')) : null,
            h(
                'ul',
                {class: 'plain'},
                names.map((card) =>
                    h('li', {}, h('a', {href: `/?view=card&id=${card.id}`}, card.name)),
                ),
            ),
        ),
    );
}

/** Runs work(signal) for a view that stands already: a problem is told below its head (.lead), the head stays. */
export async function runHere(place, page, work) {
    const problem = await run(work);
    if (problem !== null) {
        const words = problem.errors.map((error) => error.detail).join(t('semicolon')) || problem.message;
        page.announce(words);
        show(place.querySelector('.lead + *'), h('p', {class: 'error'}, words));
    }
}

addEventListener('online', () => {
    retries = 0;
});

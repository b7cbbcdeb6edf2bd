// What the holder of a token sends. The token lives in a variable of this module and nowhere else: unlike the storage
// of a session, which browsers write to disk so that they can open a tab again, it is gone with the page.
import {Problem} from './api.js';
import {language, t} from './text.js';

const WAIT_MS = 120_000; // a write waits for its turn; a file takes as long as it takes

let token = '';

/** Whether a token was pasted. */
export function hasToken() {
    return token !== '';
}

/** Keeps what was pasted; nothing: forgets it. What no header can carry becomes a token that the server refuses. */
export function setToken(text) {
    token = text.replace(/\s/g, '').replace(/[^!-~]/g, '?');
}

/** The JSON of an answer; throws Problem with all that the server said, or another error when it is gone. */
export async function send(method, path, {body, type, waits = true} = {}) {
    const headers = {Accept: 'application/json', 'Accept-Language': language()};
    if (token !== '') {
        headers.Authorization = `Bearer ${token}`;
    }
    if (type !== undefined) {
        headers['Content-Type'] = type;
    }
    const signal = waits ? AbortSignal.timeout(WAIT_MS) : undefined;
    const reply = await fetch(path, {method, headers, body, signal, cache: 'no-store'});
    const document = await reply.json();
    if (!reply.ok) {
        const wait_s = Number(reply.headers.get('Retry-After') ?? 0);
        throw Object.assign(new Problem(reply.status, document), {
            report: document,
            retryAt: wait_s > 0 ? new Date(Date.now() + wait_s * 1000) : null,
        });
    }
    return document;
}

/** What to say of a failure: the server's own words, or that it does not answer. */
export function wordsOf(error) {
    if (!(error instanceof Problem)) {
        return t('entry.gone');
    }
    const words = [error.message, ...error.errors.map((one) => `${one.parameter}${t('colon')}${one.detail}`)];
    if (error.retryAt !== null) {
        words.push(t('entry.retry', error.retryAt.toLocaleTimeString()));
    }
    return words.join(t('semicolon'));
}

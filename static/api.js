// Talks to the API of the same host, and to nothing else. Remembers what it was told, for when the server is gone.
import {language} from './text.js';

/** Rows of a list that the server gives at once at most. */
export const ROWS_MAX = 500;

const REMEMBERED_MAX = 60; // replies; the oldest goes first

const replies = new Map();
const recalling = new WeakMap();

/** A reply that is no success: status, the problem document if there was one, and how long to wait (0: not said). */
export class Problem extends Error {
    constructor(status, document, wait_s = 0) {
        super(document?.detail ?? document?.title ?? `HTTP ${status}`);
        this.status = status;
        this.errors = document?.errors ?? [];
        this.candidates = document?.candidates ?? [];
        this.suggestions = document?.suggestions ?? [];
        this.wait_s = wait_s;
    }

    /** Whether the same may be answered later: the server is busy or at fault, not the question. */
    get isPassing() {
        return this.status >= 500 || this.status === 429;
    }
}

/** No reply at all, or only a part of one: what fetch reports by a TypeError, told apart from faults of the page. */
export class Unreachable extends TypeError {}

/** A query string of what is filled in, in the order given. */
export function queryOf(parameters) {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(parameters)) {
        if (value !== '' && value !== null && value !== undefined) {
            query.set(name, value);
        }
    }
    return query.toString().replaceAll('%2C', ',').replaceAll('%3A', ':');
}

/** The address of the view of a card, by its id or any other name. */
export function cardAddress(id) {
    return `/?${queryOf({view: 'card', id})}`;
}

/** From now on a get() with this signal is answered from memory; told(time) hears how old each answer is. */
export function recall(signal, told) {
    recalling.set(signal, told);
}

/** A get() with this signal asks the server again. */
export function askAgain(signal) {
    recalling.delete(signal);
}

function remember(key, document) {
    replies.delete(key);
    replies.set(key, {document, at: Date.now()});
    if (replies.size > REMEMBERED_MAX) {
        replies.delete(replies.keys().next().value);
    }
}

function recalled(key, signal) {
    const known = replies.get(key);
    if (known === undefined) {
        throw new Unreachable();
    }
    recalling.get(signal)(known.at);
    return known.document;
}

/** Seconds of a Retry-After header, which holds seconds or a date. */
function waitOf(text) {
    const wait_s = /^\d+$/.test(text ?? '') ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
    return wait_s > 0 ? Math.ceil(wait_s) : 0;
}

/** The JSON of a GET, its words in the language of the page; throws Problem for an error status, Unreachable when the server is gone. */
export async function get(path, parameters = {}, signal = undefined) {
    const query = queryOf(parameters);
    const target = query ? `${path}?${query}` : path;
    const key = `${language()} ${target}`;
    if (recalling.has(signal)) {
        return recalled(key, signal);
    }
    const gone = (error) => {
        throw signal?.aborted ? error : new Unreachable(error.message);
    };
    const headers = {Accept: 'application/json', 'Accept-Language': language()};
    const reply = await fetch(target, {signal, headers}).catch(gone);
    if (!reply.ok) {
        const document = await reply.json().catch(() => null);
        throw new Problem(reply.status, document, waitOf(reply.headers.get('Retry-After')));
    }
    const document = await reply.json().catch(gone);
    remember(key, document);
    return document;
}

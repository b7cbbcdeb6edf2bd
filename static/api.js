// Talks to the API of the same host, and to nothing else.
import {language} from './text.js';

/** A reply that is no success: status, and the problem document if there was one. */
export class Problem extends Error {
    constructor(status, document) {
        super(document?.detail ?? document?.title ?? `HTTP ${status}`);
        this.status = status;
        this.errors = document?.errors ?? [];
        this.candidates = document?.candidates ?? [];
        this.suggestions = document?.suggestions ?? [];
    }
}

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

/** The JSON of a GET, its words in the language of the page; throws Problem for an error status, TypeError when the server is gone. */
export async function get(path, parameters = {}, signal = undefined) {
    const query = queryOf(parameters);
    const reply = await fetch(query ? `${path}?${query}` : path, {
        signal,
        headers: {Accept: 'application/json', 'Accept-Language': language()},
    });
    const document = await reply.json().catch(() => null);
    if (!reply.ok) {
        throw new Problem(reply.status, document);
    }
    return document;
}

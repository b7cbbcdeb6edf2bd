// Keeps every exchange with the program under test for the last test, which holds each reply to the contract
// (tests/api/recorded.mjs). Nothing is kept unless GPUWISE_EXCHANGES names a folder; tests/run.sh does.
//
//     watch(port);              // the program listens there: what any socket of this process says to it is kept
//     watchPage(page, url);     // the same for a page of the browser
//     keep({method, target, status, headers, body});
//
// Sockets are watched below fetch, node:http and raw bytes alike: what is written is read as requests, what comes as
// replies, in order. One line of JSON is kept for each, equal ones once, packed.

import {createHash} from 'node:crypto';
import {appendFileSync} from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import stream from 'node:stream';
import {constants, gunzipSync, gzipSync} from 'node:zlib';

const HEAD_END = '\r\n\r\n';
const LAST_CHUNK = '0\r\n\r\n';
const CHUNKED = Infinity; // a body whose length its end tells
const UNREADABLE = {method: '?', target: '?'}; // a request that is no HTTP
const folder = process.env.GPUWISE_EXCHANGES;
const test = path.basename(process.argv[1] ?? 'node');
const ports = new Set();
const kept = new Set();

export function keep(exchange) {
    if (folder === undefined) {
        return;
    }
    const {date, ...headers} = exchange.headers;
    const line = `${JSON.stringify({test, ...exchange, headers})}\n`;
    const hash = createHash('sha1').update(line).digest('base64');
    if (!kept.has(hash)) {
        kept.add(hash);
        appendFileSync(path.join(folder, `${test}-${process.pid}.jsonl.gz`), gzipSync(line, {level: constants.Z_BEST_SPEED}));
    }
}

function text(headers, body) {
    return (headers['content-encoding'] === 'gzip' && body.length > 0 ? gunzipSync(body) : body).toString('utf8');
}

/** The start line and headers at the beginning of the bytes; null: they are not complete. Names in lower case. */
function readHead(bytes) {
    const end = bytes.indexOf(HEAD_END);
    if (end < 0) {
        return null;
    }
    const [first, ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
    const headers = {};
    for (const line of lines) {
        const colon = line.indexOf(':');
        const name = line.slice(0, colon).toLowerCase();
        const value = line.slice(colon + 1).trim();
        headers[name] = name in headers ? `${headers[name]}, ${value}` : value;
    }
    return {first, headers, bytes: end + HEAD_END.length};
}

/** One connection: requests that were written and are not answered yet, and bytes that are not read yet. */
class Conversation {
    asked = [];
    skip = 0; // bytes of a body that are still to be written
    written = Buffer.alloc(0);
    come = Buffer.alloc(0);

    write(bytes) {
        this.written = Buffer.concat([this.written, bytes]);
        this.skipBody();
        for (let head = this.skip > 0 ? null : readHead(this.written); head !== null;
            head = this.skip > 0 ? null : readHead(this.written)) {
            const found = /^([A-Za-z]+) (\/\S*|\*) HTTP\/1\.[01]$/.exec(head.first);
            const given = head.headers['content-length'] ?? '0';
            this.asked.push(found === null ? UNREADABLE : {method: found[1], target: found[2]});
            this.written = this.written.subarray(head.bytes);
            this.skip = /chunked/i.test(head.headers['transfer-encoding'] ?? '') ? CHUNKED : /^\d{1,12}$/.test(given) ? Number(given) : 0;
            this.skipBody();
        }
    }

    /** Takes what there is of a body off the bytes written; the rest is still to be skipped. */
    skipBody() {
        if (this.skip === CHUNKED) {
            const end = this.written.indexOf(LAST_CHUNK);
            this.skip = end < 0 ? CHUNKED : 0;
            this.written = this.written.subarray(end < 0 ? Math.max(0, this.written.length - LAST_CHUNK.length) : end + LAST_CHUNK.length);
        } else {
            const skipped = Math.min(this.skip, this.written.length);
            this.skip -= skipped;
            this.written = this.written.subarray(skipped);
        }
    }

    read(bytes, isEnd) {
        this.come = Buffer.concat([this.come, bytes]);
        for (let head = readHead(this.come); head !== null; head = readHead(this.come)) {
            const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(head.first)?.[1]);
            if (status < 200) {
                this.come = this.come.subarray(head.bytes);
                continue;
            }
            const {method, target} = this.asked[0] ?? UNREADABLE;
            const isEmpty = method === 'HEAD' || status === 204 || status === 304;
            const given = head.headers['content-length'];
            const length = isEmpty ? 0 : given === undefined ? (isEnd ? this.come.length - head.bytes : Infinity) : Number(given);
            if (this.come.length < head.bytes + length) {
                return;
            }
            const body = this.come.subarray(head.bytes, head.bytes + length);
            this.asked.shift();
            this.come = this.come.subarray(head.bytes + length);
            keep({method, target, status, headers: head.headers, body: text(head.headers, body)});
        }
    }
}

const conversations = new WeakMap();

function conversationOf(socket) {
    if (!ports.has(socket.remotePort)) {
        return null;
    }
    if (!conversations.has(socket)) {
        conversations.set(socket, new Conversation());
    }
    return conversations.get(socket);
}

function listenIn() {
    const writeGeneric = net.Socket.prototype._writeGeneric;
    net.Socket.prototype._writeGeneric = function write(isSeveral, data, encoding, done) {
        const conversation = this.connecting ? null : conversationOf(this); // called again once connected
        const parts = isSeveral ? data : [{chunk: data, encoding}];
        parts.forEach(({chunk, encoding: form}) => conversation?.write(Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk, form)));
        return writeGeneric.call(this, isSeveral, data, encoding, done);
    };
    net.Socket.prototype.push = function push(chunk, encoding) {
        conversationOf(this)?.read(chunk ?? Buffer.alloc(0), chunk === null);
        return stream.Duplex.prototype.push.call(this, chunk, encoding);
    };
}

export function watch(port) {
    if (folder !== undefined && ports.size === 0) {
        listenIn();
    }
    ports.add(port);
}

export function watchPage(page, url) {
    if (folder === undefined) {
        return;
    }
    page.on('response', async (response) => {
        const target = response.url().slice(url.length);
        if (!response.url().startsWith(`${url}/`)) {
            return;
        }
        try {
            const body = response.status() === 304 ? '' : (await response.body()).toString('utf8');
            keep({method: response.request().method(), target: target.split('#')[0], status: response.status(),
                headers: response.headers(), body});
        } catch {
            // the page went on before the answer was whole
        }
    });
}

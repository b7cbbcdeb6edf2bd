// The API over sockets with the real program: every endpoint, its status codes, headers and errors.

import {createConnection} from 'node:net';
import {request as httpRequest} from 'node:http';
import {start} from '../server_under_test.mjs';
import {done, is, ok} from '../tap.mjs';

const server = await start();
const base = new URL(server.url);

/** One request; the body as text, and as JSON where it is. */
function send(target, {method = 'GET', headers = {}, body, to = base} = {}) {
    return new Promise((resolve, reject) => {
        const outgoing = httpRequest(
            {host: to.hostname, port: to.port, path: target, method, headers, agent: false},
            (reply) => {
                const parts = [];
                reply.on('data', (part) => parts.push(part));
                reply.on('end', () => {
                    const bytes = Buffer.concat(parts);
                    let json = null;
                    try {
                        json = JSON.parse(bytes.toString('utf8'));
                    } catch {
                        // not every reply is JSON
                    }
                    resolve({status: reply.statusCode, headers: reply.headers, bytes, json});
                });
                reply.on('error', reject);
            },
        );
        outgoing.on('error', reject);
        outgoing.end(body);
    });
}

/** Raw bytes to a new connection; what comes back until it closes or is idle for a while. */
function exchange(bytes) {
    return new Promise((resolve) => {
        const socket = createConnection(Number(base.port), base.hostname);
        let text = '';
        socket.setTimeout(3000, () => socket.destroy());
        socket.on('connect', () => socket.write(bytes));
        socket.on('data', (part) => {
            text += part.toString('latin1');
        });
        socket.on('error', () => {}); // the server may close while we still write
        socket.on('close', () => resolve(text));
    });
}

const ENDPOINTS = {
    '/recommend?budget=1000': ['catalogue', 'query', 'need', 'picks', 'rejected', 'rejected_counts',
        'advice', 'cloud', 'rent_or_buy'],
    '/estimate?model=llama-3.1-8b&task=inference&gpu=rtx-3090': ['memory', 'fits', 'speed'],
    '/gpus': ['data', 'page', 'total'],
    '/gpus/rtx-3090': ['id', 'memory_gib', 'support', 'price', 'prices', 'warnings', 'sources'],
    '/models': ['data', 'page', 'total'],
    '/models/llama-2-7b': ['id', 'params_total'],
    '/tiers': ['tiers'],
    '/cloud': ['data', 'page', 'total'],
};

for (const [target, keys] of Object.entries(ENDPOINTS)) {
    const reply = await send(target);
    is(reply.status, 200, `GET ${target}`);
    is(reply.headers['content-type'], 'application/json', 'is JSON');
    is(keys.filter((key) => !(key in (reply.json ?? {}))), [], `has ${keys.join(', ')}`);
    ok(/^"[^"]+"$/.test(reply.headers.etag), 'has a strong tag');
    is(reply.headers['cache-control'], 'no-cache', 'is revalidated');
    ok(/Accept\b.*Accept-Language/.test(reply.headers.vary), 'varies by what it was negotiated by');
    is(reply.headers['x-content-type-options'], 'nosniff', 'nosniff');
    ok(reply.headers['content-security-policy']?.startsWith("default-src 'none'"), 'has a policy');
    const again = await send(target, {headers: {'If-None-Match': `"x", W/${reply.headers.etag}`}});
    is([again.status, again.bytes.length, again.headers.etag], [304, 0, reply.headers.etag], 'then 304');
    const head = await send(target, {method: 'HEAD'});
    is([head.status, head.bytes.length, head.headers.etag], [200, 0, reply.headers.etag], 'HEAD');
    is(head.headers['content-length'], reply.headers['content-length'], 'HEAD tells the length');
    const zh = await send(target, {headers: {'Accept-Language': 'zh-CN,zh;q=0.9,en;q=0.1'}});
    is([zh.status, zh.headers['content-language']], [200, 'zh'], 'Chinese');
    ok(zh.headers.etag !== reply.headers.etag, 'under another tag');
    const unknown = await send(`${target}${target.includes('?') ? '&' : '?'}colour=red`);
    is([unknown.status, unknown.json?.errors?.[0]?.parameter], [400, 'colour'], 'an unknown parameter');
}

for (const target of ['/', '/healthz', '/readyz']) {
    const reply = await send(target);
    is(reply.status, 200, `GET ${target}`);
    is((await send(target, {method: 'HEAD'})).bytes.length, 0, 'HEAD has no body');
}

for (const target of ['/', '/recommend', '/gpus/rtx-3090', '/healthz']) {
    const options = await send(target, {method: 'OPTIONS'});
    is([options.status, options.headers.allow], [204, 'GET, HEAD, OPTIONS'], `OPTIONS ${target}`);
    for (const method of ['POST', 'DELETE', 'PUT', 'PATCH']) {
        const reply = await send(target, {method, headers: {'Content-Length': 0}});
        is([reply.status, reply.headers.allow], [405, 'GET, HEAD, OPTIONS'], `${method} ${target}: 405`);
    }
}

const PROBLEMS = [
    ['/nothing', 404],
    ['/gpus/', 404],
    ['/gpus/a100', 300],
    ['/gpus/voodoo-2', 404],
    ['/gpus/%zz', 400],
    ['/gpus/%00', 400],
    ['/gpus/%ff', 400],
    ['/models/nothing-like-it', 404],
    ['/recommend?budget=', 400],
    ['/recommend?budget=-5', 400],
    ['/recommend?budget=0', 400],
    ['/recommend?budget=NaN', 400],
    ['/recommend?budget=1e3', 400],
    ['/recommend?budget=1,000', 400],
    ['/recommend?budget=%EF%BC%91%EF%BC%90%EF%BC%90', 400],
    ['/recommend?budget=99999999999999999999', 400],
    ['/recommend?budget=1&budget=2', 400],
    ['/recommend?budget=%00', 400],
    ['/recommend?budget=%', 400],
    ['/recommend?%ff=1', 400],
    ['/recommend?=1', 400],
    ['/recommend?budget', 400],
    [`/recommend?model=${'a'.repeat(600)}`, 400],
    [`/recommend?model=${'a'.repeat(5000)}`, 414],
    ['/recommend?format=csv', 400],
];
for (const [target, status] of PROBLEMS) {
    const reply = await send(target);
    is([reply.status, reply.headers['content-type']], [status, 'application/problem+json'],
        `${target.slice(0, 60)}: ${status}`);
    ok(reply.json?.status === status && typeof reply.json.title === 'string' &&
        typeof reply.json.type === 'string', 'as a problem document');
}

const several = await send('/recommend?task=train&budget=abc&condition=broken&foo=1&own=a100');
is(several.json.errors.map((error) => error.parameter).sort(), ['budget', 'condition', 'foo', 'own'],
    'every bad parameter at once');
ok(several.json.errors.every((error) => error.detail.length > 10), 'each with what is allowed');
ok(several.json.candidates.length >= 2, 'an ambiguous card with its candidates');
const laptop = await send('/gpus/rtx-5070-laptop');
ok(laptop.json.suggestions.length >= 1, 'an unknown card with suggestions');

const refused = await send('/gpus', {headers: {Accept: 'text/html'}});
is([refused.status, refused.json?.available], [406, ['application/json']], '406 with the list');
is((await send('/gpus', {headers: {Accept: 'text/html,*/*;q=0.8'}})).status, 200, 'a browser gets JSON');

// pages: following Link visits every card once
let next = '/gpus?limit=60&sort=-price';
const seen = new Set();
let total = 0;
while (next) {
    const reply = await send(next);
    total = reply.json.total;
    reply.json.data.forEach((card) => seen.add(card.id));
    next = /^<([^>]+)>; rel="next"$/.exec(reply.headers.link ?? '')?.[1];
}
is(seen.size, total, 'the pages hold every card once');

// the page and its files
const page = await send('/');
const files = [...page.bytes.toString('utf8').matchAll(/"(\/static\/[^"]+)"/g)].map((found) => found[1]);
ok(files.length >= 2, 'the page names its files by hash');
for (const file of new Set(files)) {
    const reply = await send(file);
    is([reply.status, reply.headers['cache-control']], [200, 'public, max-age=31536000, immutable'], file);
}
is(page.headers['cache-control'], 'no-cache', 'the page itself is revalidated');
ok(!/unsafe|\*/.test(page.headers['content-security-policy']), 'its policy allows no inline script');

// what no client library would send; a short reply or none, and the next request is answered
const BROKEN = [
    'GET /recommend?budget=\0 HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET /recommend?budget=\xff\xfe HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'nonsense\r\n\r\n',
    'GET /recommend HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n',
    'POST /recommend HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n',
    'GET /rec',
];
for (const bytes of BROKEN) {
    const text = await exchange(Buffer.from(bytes, 'latin1'));
    ok(text === '' || /^HTTP\/1\.[01] (4\d\d|5\d\d)/.test(text),
        `${JSON.stringify(bytes.slice(0, 40))}: ${text.slice(0, 12) || 'closed'}`);
}
is((await send('/healthz')).status, 200, 'still alive');

const large = await send('/recommend', {method: 'POST', body: Buffer.alloc(10 * 1024 * 1024, 'x')})
    .catch((error) => ({status: error.code}));
ok([405, 413, 'ECONNRESET', 'EPIPE'].includes(large.status), `10 MB of body: ${large.status}`);
is((await send('/readyz')).status, 200, 'still ready');

const open = await start({flags: ['--cors-origin', 'https://lab.example']});
const shared = await send('/gpus?limit=1', {to: new URL(open.url), headers: {Origin: 'https://lab.example'}});
is([shared.status, shared.headers['access-control-allow-origin'], shared.headers['cross-origin-resource-policy']],
    [200, 'https://lab.example', 'cross-origin'], 'CORS when switched on');
is((await send('/gpus')).headers['access-control-allow-origin'], undefined, 'no CORS otherwise');
is(await open.stop(), [], 'the second server ended well');
is(await server.stop(), [], 'the server wrote nothing unexpected and ended well');
done();

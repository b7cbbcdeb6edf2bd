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
    '/deal?gpu=rtx-4080&price=800': ['catalogue', 'query', 'gpu', 'verdict', 'reasons', 'price', 'fair_price', 'ratio',
        'compared', 'offer', 'better', 'warnings'],
    '/compare?gpus=rtx-3090,rtx-4090': ['catalogue', 'query', 'gpus', 'rows'],
    '/estimate?model=llama-3.1-8b&task=inference&gpu=rtx-3090': ['memory', 'fits', 'speed'],
    '/gpus': ['data', 'page', 'total'],
    '/gpus/rtx-3090': ['id', 'memory_gib', 'support', 'price', 'prices', 'warnings', 'runs', 'sources'],
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
    ['/recommend?format=xml', 400],
];
for (const [target, status] of PROBLEMS) {
    const reply = await send(target);
    is([reply.status, reply.headers['content-type']], [status, 'application/problem+json'],
        `${target.slice(0, 60)}: ${status}`);
    ok(reply.json?.status === status && typeof reply.json.title === 'string' &&
        typeof reply.json.type === 'string', 'as a problem document');
}

// [target, status, what is named, in the order of the names]
const NAMED = [
    ['/recommend?task=inference&optimizer=adamw&quant=awq&framework=llama.cpp', 400, 'optimizer quant'],
    ['/recommend?task=train&quant=q4_k_m&model=resnet-50&domain=llm', 400, 'domain quant'],
    ['/recommend?prices=,', 400, 'prices'],
    ['/recommend?prices=a100:1,voodoo:2', 400, 'prices prices'],
    ['/recommend?budget=1e3&months=0&vat_percent=101&max_slots=x&limit=0', 400,
        'budget limit max_slots months vat_percent'],
    ['/deal?gpu=a100&price=1e3&explain=all', 400, 'explain gpu price'],
    ['/deal?model=zx', 400, 'gpu model price'],
    ['/compare?gpus=rtx-3090&own=rtx-3090', 400, 'gpus own'],
    ['/gpus/rtx-3090?runs=some&task=learn&quant=q9&context=0', 400, 'context quant runs task'],
    ['/gpus?sort=colour&limit=501&vendor=3dfx&cursor=-1&q=-&supports=x&max_price=0', 400,
        'cursor limit max_price q sort supports vendor'],
    ['/gpus?q=%E2%80%AEabc', 400, 'q'],
    ['/gpus?q=%ED%A0%80&vendor=%C0%AF&segment=%00', 400, 'q segment vendor'],
    ['/gpus/%zz?colour=%', 400, 'colour id'],
    ['/gpus/rtx-3090?currency=GBP&condition=mint&lang=de', 400, 'condition currency lang'],
    ['/cloud?provider=nosuch&region=nowhere&kind=car&sort=x&gpu=zx-81', 400, 'gpu kind provider region sort'],
    ['/models?kind=y&sort=x', 400, 'kind sort'],
    ['/tiers?currency=JPY&budget=5&limit=101', 400, 'budget currency limit'],
    ['/estimate?gpu=rtx-3090&gpus=4&strategy=single', 400, 'gpus'],
    ['/estimate?gpu=rtx-3090&strategy=tp', 400, 'strategy'],
    [`/gpus?${Array.from({length: 40}, (_, i) => `p${i}=1`).join('&')}`, 400, null],
    [`/gpus?${Array.from({length: 200}, (_, i) => `p${i}=1`).join('&')}`, 414, null],
    [`/gpus/${'a'.repeat(600)}`, 400, 'id'],
    [`/${'a'.repeat(4095)}`, 404, null],
    [`/${'a'.repeat(4096)}`, 414, null],
];
for (const [target, status, names] of NAMED) {
    const reply = await send(target);
    const named = (reply.json?.errors ?? []).map((error) => error.parameter).sort().join(' ');
    is([reply.status, names === null ? null : named], [status, names], target.slice(0, 80));
    ok((reply.json?.errors ?? []).every((error) => error.detail.length > 10), 'each with what is wrong');
}

// paths that look like a route and are none; what stands behind /gpus/ is a name, never a folder
const NO_ROUTES = ['/recommend/', '//recommend', '/./recommend', '/x/../recommend', '/RECOMMEND', '/recommend;x',
    '/%72ecommend', '/recommend%20', '/healthz/', '/static/', '/static/../index.html', '/models/', '/gpus/%2e%2e',
    '/gpus/../gpus', '/gpus//rtx-3090', '/gpus/rtx-3090/', '/gpus/rtx-3090;x'];
for (const target of NO_ROUTES) {
    const reply = await send(target);
    is([reply.status, reply.headers['content-type']], [404, 'application/problem+json'], `${target}: 404`);
}

// HEAD and OPTIONS wherever GET is, for errors too
for (const target of ['/gpus/a100', '/gpus?limit=x', '/nothing', '/gpus/voodoo-2']) {
    const [get, head] = [await send(target), await send(target, {method: 'HEAD'})];
    is([head.status, head.bytes.length, head.headers['content-length']],
        [get.status, 0, String(get.bytes.length)], `HEAD ${target}: ${get.status} and the length`);
}

// negotiation: [Accept, status]; [Accept-Language, language]; [If-None-Match with $ for the tag, status]
const ACCEPTS = [['application/*', 200], ['APPLICATION/JSON; charset=utf-8', 200], ['application/json;q=0.001', 200],
    ['text/html, */*;q=0.1', 200], ['*/*;q=0', 406], ['application/json;q=0', 406], ['*/*, application/json;q=0', 200],
    ['text/csv', 200], ['text/csv;q=0', 406], ['json', 406], ['x'.repeat(2000), 406]];
for (const [accept, status] of ACCEPTS) {
    is((await send('/gpus?limit=1', {headers: {Accept: accept}})).status, status, `Accept: ${accept.slice(0, 50)}`);
}
const LANGUAGES = [['zh-Hant-TW', 'zh'], ['fr, zh;q=0.1', 'zh'], ['en;q=0.2, zh;q=0.3', 'zh'], ['zh;q=0', 'en'],
    ['*', 'en'], ['fr', 'en'], [';;=,q', 'en']];
for (const [wanted, language] of LANGUAGES) {
    const reply = await send('/gpus?limit=1', {headers: {'Accept-Language': wanted}});
    is(reply.headers['content-language'], language, `Accept-Language: ${wanted}`);
}
const tag = (await send('/gpus?limit=1')).headers.etag;
const MATCHES = [['$', 304], ['W/$', 304], ['"x", W/"y", $', 304], ['*', 304], ['"x"', 200], ['""', 200],
    [tag.slice(0, -1), 200], [tag.slice(1, -1), 200], [`"${'x'.repeat(2000)}"`, 200]];
for (const [value, status] of MATCHES) {
    const reply = await send('/gpus?limit=1', {headers: {'If-None-Match': value.replace('$', tag)}});
    is(reply.status, status, `If-None-Match: ${value.slice(0, 40)}`);
}
is((await send('/gpus?limit=x', {headers: {'If-None-Match': '*'}})).status, 400, 'a problem is never unchanged');
is((await send('/gpus?limit=1', {headers: {'Content-Length': 5}, body: 'hello'})).status, 200,
    'a body on GET is not read');

const several = await send('/recommend?task=train&budget=abc&condition=broken&foo=1&own=a100');
is(several.json.errors.map((error) => error.parameter).sort(), ['budget', 'condition', 'foo', 'own'],
    'every bad parameter at once');
ok(several.json.errors.every((error) => error.detail.length > 10), 'each with what is allowed');
ok(several.json.candidates.length >= 2, 'an ambiguous card with its candidates');
const laptop = await send('/gpus/rtx-5070-laptop');
ok(laptop.json.suggestions.length >= 1, 'an unknown card with suggestions');

const refused = await send('/gpus', {headers: {Accept: 'image/png'}});
is([refused.status, refused.json?.available],
    [406, ['application/json', 'text/html', 'text/plain', 'text/csv']], '406 with the list');

// Every answer in four forms, by Accept and by format, both languages; HEAD has the length of each.
const FORMS = [['json', 'application/json'], ['html', 'text/html; charset=utf-8'], ['text', 'text/plain; charset=utf-8'],
    ['csv', 'text/csv; charset=utf-8; header=present']];
const FORMED = ['/recommend?budget=1000', '/deal?gpu=rtx-3090&price=700', '/compare?gpus=rtx-3090,k80',
    '/estimate?model=llama-3.1-8b', '/gpus?limit=3', '/gpus/rtx-3090', '/models?limit=3', '/models/gpt2', '/tiers',
    '/cloud?limit=3'];
for (const target of FORMED) {
    for (const [format, type] of FORMS) {
        const tags = new Set();
        for (const language of ['en', 'zh']) {
            const asked = `${target}${target.includes('?') ? '&' : '?'}format=${format}&lang=${language}`;
            const reply = await send(asked);
            const head = await send(asked, {method: 'HEAD'});
            is([reply.status, reply.headers['content-type'], reply.headers['content-language']],
                [200, type, language], `${asked}: ${type}`);
            is([head.status, head.headers['content-length'], head.headers.etag],
                [200, String(reply.bytes.length), reply.headers.etag], `HEAD ${asked}`);
            is((await send(asked, {headers: {'If-None-Match': reply.headers.etag}})).status, 304, `${asked}: unchanged`);
            tags.add(reply.headers.etag);
        }
        is((await send(target, {headers: {Accept: type.split(';')[0]}})).headers['content-type'], type,
            `${target} with Accept: ${type.split(';')[0]}`);
        is(tags.size, 2, `${target}: each language of ${format} has its own tag`);
    }
}
const twice = await send('/gpus?limit=1', {headers: {Accept: ['image/png', 'text/csv']}});
is(twice.headers['content-type'], 'text/csv; charset=utf-8; header=present', 'two lines of Accept are one list');

// pages: following Link visits every row once, in every order; what is unknown comes last
const SORTS = {
    '/gpus': ['id', 'name', 'release_date', 'memory_gib', 'memory_bandwidth_gb_s', 'fp32_tflops', 'tensor_fp16_tflops',
        'tdp_watts', 'nvlink_gb_s'],
    '/cloud': ['provider', 'instance_type', 'region', 'observed_on', 'usd_per_hour', 'spot_usd_per_hour',
        'usd_per_gpu_hour', 'gpu_count', 'memory_gib'],
    '/models': ['id', 'name', 'kind', 'params_total', 'params_active', 'context'],
};
/** Every row behind a list, page by page. */
async function rowsOf(target) {
    const rows = [];
    let next = target;
    let total = 0;
    while (next) {
        const reply = await send(next);
        total = reply.json.total;
        rows.push(...reply.json.data);
        next = /^<([^>]+)>; rel="next"/.exec(reply.headers.link ?? '')?.[1];
        if ((next === undefined) !== (reply.json.page.next === null)) {
            throw new Error(`${target}: Link and page.next disagree`);
        }
    }
    return {rows, total};
}
for (const [path, keys] of Object.entries(SORTS)) {
    const plain = await rowsOf(`${path}?limit=500`);
    const wanted = plain.rows.map((row) => JSON.stringify(row)).sort();
    is(wanted.length, plain.total, `${path} has ${plain.total} rows`);
    for (const key of keys.flatMap((name) => [name, `-${name}`])) {
        const {rows} = await rowsOf(`${path}?limit=${path === '/cloud' ? 193 : 37}&sort=${key}`);
        const values = rows.map((row) => row[key.replace('-', '')]);
        const known = values.filter((value) => value !== null);
        const sign = key.startsWith('-') ? -1 : 1;
        const inOrder = known.every((value, i) => i === 0 || (typeof value === 'string'
            ? Buffer.compare(Buffer.from(known[i - 1]), Buffer.from(value)) * sign <= 0 : (value - known[i - 1]) * sign >= 0));
        is(rows.map((row) => JSON.stringify(row)).sort(), wanted, `${path} by ${key}: every row once`);
        ok(inOrder && values.slice(known.length).every((value) => value === null), 'in order, unknown last');
    }
}
is((await rowsOf('/gpus?limit=60&sort=-price')).rows.length, (await send('/gpus')).json.total, 'by price too');

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
    [200, 'https://lab.example', 'same-origin'], 'CORS when switched on');
is((await send('/gpus')).headers['access-control-allow-origin'], undefined, 'no CORS otherwise');
is(await open.stop(), [], 'the second server ended well');
is(await server.stop(), [], 'the server wrote nothing unexpected and ended well');
done();

// HTTP over real sockets with the real program: HEAD, OPTIONS, codings and their tags, conditions, other origins,
// limits, pages of a list and tags while the catalogue and the day change. On kept and on closing connections.

import {spawnSync} from 'node:child_process';
import {existsSync, readdirSync} from 'node:fs';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {Agent, request as httpRequest} from 'node:http';
import net from 'node:net';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {gunzipSync} from 'node:zlib';
import {program, start} from '../server_under_test.mjs';
import {done, is, ok, skip} from '../tap.mjs';
import {until} from '../wait.mjs';

const kept = new Agent({keepAlive: true, maxSockets: 1});
const server = await start();
const GZIP = {'accept-encoding': 'gzip'};

/** One request, on a kept connection unless told otherwise. */
function send(target, {method = 'GET', headers = {}, body, to = server, agent = kept} = {}) {
    return new Promise((resolve, reject) => {
        const outgoing = httpRequest({host: '127.0.0.1', port: to.port, path: target, method, headers, agent}, (reply) => {
            const parts = [];
            reply.on('data', (part) => parts.push(part));
            reply.on('error', reject);
            reply.on('end', () => resolve({status: reply.statusCode, headers: reply.headers, bytes: Buffer.concat(parts),
                json: () => JSON.parse(Buffer.concat(parts).toString('utf8'))}));
        });
        outgoing.on('error', reject);
        outgoing.end(body);
    });
}

/** Raw bytes on a connection of their own; what comes until it closes. */
function exchange(bytes, port = server.port) {
    return new Promise((resolve) => {
        const socket = net.createConnection(port, '127.0.0.1', () => socket.write(bytes, 'latin1'));
        let text = '';
        socket.setEncoding('latin1');
        socket.setTimeout(10000, () => socket.destroy());
        socket.on('data', (part) => (text += part));
        socket.on('error', () => {}); // the server may close while we still write
        socket.on('close', () => resolve(text));
    });
}

/** The headers that belong to an answer, not to its connection or moment. */
function lasting({headers}) {
    const {date, connection, 'keep-alive': _, ...rest} = headers;
    return rest;
}

const page = await send('/');
const asset = /"(\/static\/[^"]+\.js)"/.exec(page.bytes.toString('utf8'))[1];
const PATHS = ['/', asset, '/recommend?budget=1000', '/deal?gpu=rtx-4080&price=800', '/compare?gpus=rtx-3090,rtx-4090',
    '/estimate?model=llama-3.1-8b&task=inference&gpu=rtx-3090', '/gpus', '/gpus?limit=1', '/gpus/rtx-3090', '/gpus/a100',
    '/gpus/nothing-like-it', '/models', '/models/llama-2-7b', '/tiers', '/cloud', '/openapi.json', '/docs', '/healthz', '/readyz',
    '/gpus?limit=0', '/nothing'];

async function testHead() {
    for (const agent of [kept, false]) {
        for (const target of PATHS) {
            for (const headers of [{}, GZIP]) {
                const whole = await send(target, {headers, agent});
                const head = await send(target, {method: 'HEAD', headers, agent});
                is([head.status, lasting(head), head.bytes.length], [whole.status, lasting(whole), 0],
                    `HEAD ${target} has the headers of GET${headers === GZIP ? ', compressed' : ''}${agent ? '' : ', closing'}`);
            }
        }
    }
}

async function testMethods() {
    for (const target of [...PATHS, '/metrics', '/prices', '/imports', '/imports/7'].filter((it) => it !== '/nothing')) {
        const options = await send(target, {method: 'OPTIONS'});
        const allow = options.headers.allow?.split(', ') ?? [];
        is([options.status, options.bytes.length, [target === '/prices' ? 'POST' : 'GET', 'OPTIONS'].every((it) => allow.includes(it)),
            allow.includes('GET') === allow.includes('HEAD')], [204, 0, true, true],
            `OPTIONS ${target}: ${allow}`);
        const refused = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH'].filter((method) => !allow.includes(method));
        const replies = await Promise.all(refused.map((method) => send(target, {method, agent: false})));
        is(replies.map(({status, headers}) => [status, headers.allow]), refused.map(() => [405, options.headers.allow]),
            `${refused} are 405 with the same Allow`);
    }
    const all = await exchange('OPTIONS * HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
    ok(/^HTTP\/1\.1 204 /.test(all) && /\r\nAllow: GET, HEAD, [A-Z, ]*OPTIONS\r\n/.test(all), 'OPTIONS * is for the whole server');
}

/** What every address does with conditions, media types it has not, and bodies it does not read. */
async function testMatrix() {
    const secret = spawnSync(program, ['token', '--db', server.db], {encoding: 'utf8'}).stdout.trim();
    const bearer = {authorization: `Bearer ${secret}`};
    const fixed = new Set(['/', asset, '/docs', '/healthz', '/readyz', '/metrics']); // of one type, whatever is accepted
    for (const target of [...PATHS, '/metrics', '/imports', '/imports/7']) {
        const headers = target.startsWith('/imports') ? bearer : {};
        const whole = await send(target, {headers});
        const {etag, vary = '', 'cache-control': cacheControl, 'content-language': language} = whole.headers;
        const isKept = whole.status === 200 && !['/healthz', '/readyz', '/metrics', '/imports'].includes(target);
        is([etag !== undefined, cacheControl === 'no-store'], [isKept, whole.status === 200 && !isKept || whole.status >= 500],
            `${target}: ${whole.status}, ${isKept ? 'has a strong tag' : 'has no tag'}, ${cacheControl}`);
        is([/^"[0-9a-f]{16}"$/.test(etag ?? '"0123456789abcdef"'), language === undefined || vary.includes('Accept-Language')],
            [true, true], 'the tag is strong, Vary names the language where there is one');
        is((await send(target, {headers: {...headers, 'if-none-match': etag ?? '*'}})).status, isKept ? 304 : whole.status,
            `${target}: ${isKept ? '304 to who has it' : 'no condition matches'}`);
        const picture = await send(target, {headers: {...headers, accept: 'image/png'}});
        const wanted = target === '/nothing' ? 404 : fixed.has(target) ? whole.status : 406;
        is([picture.status, wanted !== 406 || picture.json().available[0]], [wanted, wanted !== 406 || 'application/json'],
            `${target} as a picture: ${wanted}`);
    }
    for (const target of ['/estimate', '/prices', '/imports']) {
        const replies = await Promise.all(['text/html', undefined].map((type) => send(target, {method: 'POST', agent: false, body: 'x',
            headers: {...bearer, ...type && {'content-type': type}}})));
        const coded = await send(target, {method: 'POST', agent: false, body: 'x',
            headers: {...bearer, 'content-type': 'application/json', 'content-encoding': 'gzip'}});
        is([...replies, coded].map(({status, headers}) => [status, headers.accept !== undefined, headers['accept-encoding']]),
            [[415, true, undefined], [415, true, undefined], [415, false, 'identity']], `POST ${target}: 415 says what is taken`);
    }
}

async function testCodings() {
    for (const agent of [kept, false]) {
        for (const target of PATHS) {
            const plain = await send(target, {agent});
            const packed = await send(target, {headers: GZIP, agent});
            const isLarge = plain.status === 200 && plain.bytes.length >= 1024;
            is(packed.headers['content-encoding'], isLarge ? 'gzip' : undefined, `${target}: ${plain.status}, ${plain.bytes.length} bytes`);
            ok((isLarge ? gunzipSync(packed.bytes) : packed.bytes).equals(plain.bytes), 'the same answer');
            is(Number(packed.headers['content-length']), packed.bytes.length, `in ${packed.bytes.length}`);
            ok(!isLarge || (packed.headers.etag !== plain.headers.etag && packed.bytes.length < plain.bytes.length),
                'under another tag, and shorter');
            ok(plain.headers.etag === undefined || plain.headers.vary.includes('Accept-Encoding'), 'Vary says so');
        }
    }
    const old = await exchange('GET /recommend HTTP/1.0\r\nAccept-Encoding: gzip\r\n\r\n');
    ok(/\r\nContent-Encoding: gzip\r\n/.test(old) && gunzipSync(Buffer.from(old.slice(old.indexOf('\r\n\r\n') + 4), 'latin1')).length > 1024,
        'HTTP/1.0 too');
    const none = await send('/gpus', {headers: {'accept-encoding': 'identity;q=0, br'}, agent: false});
    is([none.status, none.json().available], [406, ['gzip', 'identity']], 'neither gzip nor identity: 406 with what there is');
}

async function testConditions() {
    for (const target of ['/', asset, '/recommend?budget=1000', '/gpus?limit=3', '/openapi.json']) {
        for (const headers of [{}, GZIP]) {
            const whole = await send(target, {headers});
            const {etag, vary, 'cache-control': cacheControl} = whole.headers;
            for (const [method, tags] of [['GET', etag], ['HEAD', `"x", W/${etag}`], ['GET', '*']]) {
                const reply = await send(target, {method, headers: {...headers, 'if-none-match': tags}});
                is([reply.status, reply.headers.etag, reply.headers.vary, reply.headers['cache-control'], reply.bytes.length],
                    [304, etag, vary, cacheControl, 0], `${method} ${target} with ${tags}: 304`);
                ok([undefined, String(whole.bytes.length)].includes(reply.headers['content-length']) &&
                    ['content-type', 'content-language', 'content-encoding', 'link'].every((name) => !(name in reply.headers)),
                'which tells nothing of a body but its length');
            }
            for (const tags of [etag.replace(/"$/, '-gzip"'), '"x"', etag.replaceAll('"', '')]) {
                is((await send(target, {headers: {...headers, 'if-none-match': tags}})).status, 200, `with ${tags}: 200`);
            }
        }
    }
    const swapped = await Promise.all(['/recommend?task=train&budget=1000&domain=llm', '/recommend?domain=llm&budget=1000&task=train']
        .map((target) => send(target)));
    is(swapped[0].headers.etag, swapped[1].headers.etag, 'parameters in another order have the same tag');
}

async function testOrigins() {
    const [origin, other] = ['https://lab.example', 'https://other.example'];
    const one = await start({flags: ['--cors-origin', origin]});
    for (const target of ['/recommend', '/healthz', '/gpus?limit=0', '/nothing', asset]) {
        for (let i = 0; i < 2; i++) { // the second time from the cache
            const replies = await Promise.all([origin, other, undefined].map((from) => send(target,
                {to: one, agent: false, headers: from === undefined ? {} : {origin: from}})));
            is(replies.map(({headers}) => [headers['access-control-allow-origin'], /\bOrigin$/.test(headers.vary)]),
                [[origin, true], [undefined, true], [undefined, true]], `${target}: for its own origin alone, and Vary says so`);
            ok(/ETag, Link/.test(replies[0].headers['access-control-expose-headers']) &&
                replies.every(({headers}) => headers['access-control-allow-credentials'] === undefined), 'no credentials');
        }
    }
    const preflight = (from, method, names, to = one, target = '/estimate') => send(target, {method: 'OPTIONS', to, agent: false,
        headers: {origin: from, 'access-control-request-method': method, ...names ? {'access-control-request-headers': names} : {}}});
    const good = await preflight(origin, 'POST', 'content-type,authorization');
    is([good.status, good.headers['access-control-allow-origin'], good.headers['access-control-allow-methods'], good.headers['access-control-max-age'],
        good.headers.vary], [204, origin, good.headers.allow, '600', 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers'],
    'a preflight is answered with the methods of the address');
    ok(/\bContent-Type\b/.test(good.headers['access-control-allow-headers']) && /\bAuthorization\b/.test(good.headers['access-control-allow-headers']),
        'and the headers that may be sent');
    const bad = await Promise.all([preflight(other, 'GET'), preflight(origin, 'DELETE'), preflight(origin, 'GET', 'x-mine')]);
    is(bad.map(({status, headers}) => [status, headers['access-control-allow-methods']]), bad.map(() => [204, undefined]),
        'another origin, method or header is not allowed');
    is(await one.stop(), [], 'and it ended well');
    const all = await start({flags: ['--cors-origin', '*']});
    const open = await send('/recommend', {to: all, agent: false, headers: {origin: other}});
    is([open.headers['access-control-allow-origin'], /Origin/.test(open.headers.vary)], ['*', false], '* is for all, and does not vary');
    is((await preflight(other, 'GET', 'accept', all, '/gpus')).headers['access-control-allow-origin'], '*', 'preflights too');
    is(await all.stop(), [], 'and it ended well');
}

async function testLimits() {
    for (let length = 3900; length < 8100; length += 31) { // over 8 KiB the library replies by itself
        const reply = await exchange(`GET /gpus?q=${'a'.repeat(length)} HTTP/1.1\r\nHost: h\r\nUser-Agent: test\r\nConnection: close\r\n\r\n`);
        const status = Number(reply.slice(9, 12));
        if (status !== (length <= 4088 ? 400 : 414)) {
            ok(false, `a target of ${length + 8} bytes: ${status}`);
        }
    }
    ok(true, 'targets of 3.9 to 8.1 KB are answered, 414 over 4096 bytes');
    for (let length = 3000; length < 7700; length += 31) {
        const status = Number((await exchange(`GET /healthz HTTP/1.1\r\nHost: h\r\nX: ${'a'.repeat(length)}\r\nConnection: close\r\n\r\n`)).slice(9, 12));
        if (status !== 200 && (status !== 431 || length < 5900)) {
            ok(false, `a header of ${length} bytes: ${status}`);
        }
    }
    ok(true, 'headers of 3 to 7.7 KB are answered, 431 over 6 KiB');
    const quote = await exchange('GET /gpus?q="3090" HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
    const same = await send('/gpus?q=%223090%22', {agent: false});
    ok(quote.startsWith(`HTTP/1.1 ${same.status} `) && quote.endsWith(same.bytes.toString('latin1')), 'a bare quotation mark is read as an encoded one');
    const lines = await exchange('GET /gpus/rtx-3090 HTTP/1.1\r\nHost: h\r\nAccept: text/x\r\nAccept: application/json\r\n' +
        'Accept-Language: de\r\nAccept-Language: zh\r\nAccept-Encoding: br\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n');
    ok(/^HTTP\/1\.1 200 /.test(lines) && /Content-Language: zh\r\n/.test(lines) && /Content-Encoding: gzip\r\n/.test(lines),
        'headers given in two lines are one list');
    const json = {'content-type': 'application/json'};
    const coded = await send('/estimate', {method: 'POST', headers: {...json, 'content-encoding': 'gzip'}, body: '{}', agent: false});
    is([coded.status, coded.headers['accept-encoding'], /gzip/.test(coded.json().detail)], [415, 'identity', true], 'a compressed body: 415');
    const typed = await send('/estimate', {method: 'POST', headers: {'content-type': 'text/csv'}, body: 'a', agent: false});
    is([typed.status, typed.headers.accept, typed.headers['accept-encoding']], [415, 'application/json', undefined], 'another media type: 415');
    is((await send('/estimate', {method: 'POST', headers: json, body: 'a'.repeat(1048577), agent: false})).status, 413, 'a byte over 1 MiB: 413');
}

const sqlite = (db, text) => spawnSync('sqlite3', [db, `pragma busy_timeout=5000; ${text}`], {encoding: 'utf8'});

/** Walks a list while rows before and behind the page come and go: those that stay are given once. */
async function testPages() {
    if (sqlite(':memory:', 'select 1').status !== 0) {
        skip('pages while the catalogue changes: there is no sqlite3');
        return;
    }
    const changing = await start();
    const revision = async () => (await send('/recommend', {to: changing, agent: false})).json().catalogue.revision;
    const name = (row) => JSON.stringify([row.provider, row.instance_type, row.region, row.accelerator, row.usd_per_hour, row.source]);
    const rowsOf = async (target) => (await send(target, {to: changing, agent: false})).json().data.map(name);
    const [own, gone] = ['Test zero', 'Test one'];
    const insert = (provider, price, type) => `insert into cloud_offers (provider, instance_type, accelerator, gpu_slug, gpu_count, currency,
        ondemand_per_hour_micros, ondemand_usd_per_hour_micros, observed_on, source) values ('${provider}', '${type}', 'RTX 3090',
        'nvidia-geforce-rtx-3090', 1, 'USD', ${price}, ${price}, '2026-11-29', 'test');`;
    sqlite(changing.db, Array.from({length: 40}, (_, i) => insert(gone, 1000 + i * 200000, `a${i}`)).join(''));
    for (const sort of ['usd_per_hour', '-usd_per_hour', 'provider', '-observed_on']) {
        const before = new Set(await rowsOf(`/cloud?sort=${sort}&limit=500`));
        const seen = [];
        let target = `/cloud?sort=${sort}&limit=37`;
        let pages = 0;
        for (; target !== undefined; pages++) {
            const reply = await send(target, {to: changing, agent: false});
            seen.push(...reply.json().data.map(name));
            target = /^<([^>]+)>; rel="next"/.exec(reply.headers.link ?? '')?.[1];
            if (pages < 4) {
                const old = await revision();
                sqlite(changing.db, `delete from cloud_offers where provider = '${gone}' and rowid % 4 = ${pages};` +
                    Array.from({length: 9}, (_, i) => insert(own, 500 + i * 900000, `${sort}${pages}${i}`)).join(''));
                await until(async () => (await revision()) !== old);
            }
        }
        const stayed = [...before].filter((row) => !row.includes('"Test '));
        const counts = new Map();
        seen.forEach((row) => counts.set(row, (counts.get(row) ?? 0) + 1));
        const wrong = stayed.filter((row) => counts.get(row) === undefined);
        is(wrong, [], `by ${sort}: of ${stayed.length} offers that stayed none was left out on ${pages} pages while others came and went`);
        const last = await revision();
        sqlite(changing.db, `delete from cloud_offers where provider = '${own}';` +
            Array.from({length: 40}, (_, i) => insert(gone, 1000 + i * 200000, `a${i}`)).join(''));
        await until(async () => (await revision()) !== last);
    }
    is((await send('/cloud?cursor=37', {to: changing, agent: false})).json().errors.map(({parameter}) => parameter), ['cursor'],
        'the number of a row is no cursor');
    is(await changing.stop(), [], 'and nothing odd on stderr');
}

/** The real server a second before and at midnight of the day on which a price turns stale. */
async function testMidnight() {
    const library = readdirSync('/usr/lib').map((name) => `/usr/lib/${name}/faketime/libfaketime.so.1`).find((name) => existsSync(name));
    if (library === undefined) {
        skip('the clock at midnight: there is no libfaketime');
        return;
    }
    const target = '/gpus/amd-radeon-rx-6600';
    const observed = (await send(target)).json().price.observed_on;
    const folder = await mkdtemp(path.join(tmpdir(), 'gpuwise-clock-'));
    const clock = path.join(folder, 'clock');
    const midnight = Date.parse(`${observed}T00:00:00Z`) + 181 * 86400000;
    const set = (time) => writeFile(clock, `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')}\n`);
    const races = path.join(folder, 'races'); // the library's own, for the thread sanitizer
    await writeFile(races, 'race:libfaketime.so.1\n');
    await set(midnight - 1000);
    const night = await start({env: {LD_PRELOAD: library, FAKETIME_TIMESTAMP_FILE: clock, FAKETIME_NO_CACHE: '1', FAKETIME_DONT_FAKE_MONOTONIC: '1',
        TZ: 'UTC', ASAN_OPTIONS: `${process.env.ASAN_OPTIONS ?? ''}:verify_asan_link_order=0`,
        TSAN_OPTIONS: `${process.env.TSAN_OPTIONS ?? ''}:suppressions=${races}:print_suppressions=0`}});
    const ask = (headers) => send(target, {to: night, agent: false, headers});
    for (const headers of [{}, GZIP]) {
        await set(midnight - 1000);
        const stale = (reply) => JSON.parse(headers === GZIP ? gunzipSync(reply.bytes) : reply.bytes).price.stale;
        const [before, again] = [await ask(headers), await ask(headers)];
        is([stale(before), again.headers.etag], [false, before.headers.etag], `a second before midnight of day 180 after ${observed}: not stale`);
        is((await ask({...headers, 'if-none-match': before.headers.etag})).status, 304, 'its tag holds');
        await set(midnight);
        const after = await ask({...headers, 'if-none-match': before.headers.etag});
        is([after.status, after.status === 200 && stale(after)], [200, true], 'a second later the old tag gives the new answer: stale');
        ok(after.headers.etag !== before.headers.etag, 'under another tag');
        is((await ask({...headers, 'if-none-match': after.headers.etag})).status, 304, 'which holds from then on');
        is(new Date(after.headers.date).getTime(), midnight, 'by the clock of the server');
    }
    is(await night.stop(), [], 'and it ended well');
    await rm(folder, {recursive: true, force: true});
}

await testHead();
await testMethods();
await testMatrix();
await testCodings();
await testConditions();
await testOrigins();
await testLimits();
await testPages();
await testMidnight();
kept.destroy();
is(await server.stop(), [], 'the server wrote nothing unexpected and ended well');
done();

// What the holder of a token does, over real sockets to the real program and its SQLite file: tokens on the command
// line, prices, files, undo, who is refused and how, and what happens to writes when clients leave, another program
// holds the database, or the server is told to stop.

import {spawn, spawnSync} from 'node:child_process';
import {readdir, readFile} from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import {program, start} from '../server_under_test.mjs';
import {done, is, ok, skip} from '../tap.mjs';
import {sleep, until} from '../wait.mjs';

const ARRIVE_MS = 1500; // a request is there after this, and its token looked at, on a busy machine too
const CARD = 'nvidia-geforce-rtx-3090';

function token(db, ...args) {
    const result = spawnSync(program, ['token', '--db', db, ...args], {encoding: 'utf8', timeout: 60000});
    return {code: result.status, out: result.stdout, err: result.stderr};
}

/** Runs SQL by the command line tool of SQLite. */
function sql(db, text) {
    const result = spawnSync('sqlite3', [db, text], {encoding: 'utf8', timeout: 60000});
    if (result.status !== 0) {
        throw new Error(`sqlite3: ${result.stderr}`);
    }
    return result.stdout.trim();
}

/** Holds the write lock of the database from another process until release() is called. */
async function lock(db) {
    const child = spawn('sqlite3', [db], {stdio: ['pipe', 'pipe', 'inherit']});
    let said = '';
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (text) => (said += text));
    child.stdin.write("PRAGMA busy_timeout = 10000;\nBEGIN IMMEDIATE;\nSELECT 'locked';\n");
    await until(() => said.includes('locked'));
    return {release: () => new Promise((resolve) => {
        child.once('close', resolve);
        child.stdin.end('ROLLBACK;\n');
    })};
}

/** A client with a token. */
function holder(server, secret) {
    const headers = {authorization: `Bearer ${secret}`};
    const send = async (method, target, more = {}) => {
        const reply = await fetch(`${server.url}${target}`, {method, ...more, headers: {...headers, ...more.headers}});
        const text = await reply.text();
        return {status: reply.status, headers: reply.headers, body: text === '' ? null : JSON.parse(text), text};
    };
    return {
        get: (target, more) => send('GET', target, more),
        undo: (id) => send('DELETE', `/imports/${id}`),
        post: (target, body, more = {}) => send('POST', target,
            {body: JSON.stringify(body), headers: {'content-type': 'application/json', ...more.headers}}),
        file: (target, body, type = 'text/csv') => send('POST', target, {body, headers: {'content-type': type}}),
    };
}

const price = (amount, more = {}) => ({gpu: 'rtx 3090', condition: 'used', currency: 'USD', amount, market: 'us',
    source: 'test', ...more});

/** Sends bytes, answers what comes within some time or until the other side ends. */
function raw(port, text, milliseconds = 5000) {
    return new Promise((resolve) => {
        const socket = net.connect(port, '127.0.0.1', () => socket.write(text, 'latin1'));
        let found = '';
        socket.setEncoding('latin1');
        socket.on('data', (piece) => {
            found += piece;
            if (/\r\n\r\n/.test(found)) {
                socket.destroy();
            }
        });
        socket.on('error', () => {});
        socket.on('close', () => resolve(found));
        setTimeout(() => socket.destroy(), milliseconds).unref();
    });
}

/** A price of the catalogue as everybody sees it. */
async function seen(server, source) {
    const reply = await fetch(`${server.url}/gpus/${CARD}`, {headers: {connection: 'close'}});
    return (await reply.json()).prices.filter((row) => row.source === source).map((row) => row.amount);
}

async function testTokens(server) {
    const made = token(server.db, '--name', 'lab');
    ok(made.code === 0 && made.err === '' && /^gpuwise_[0-9a-f]{12}_[A-Za-z0-9_-]{43}\n$/.test(made.out),
        'gpuwise token prints a token alone');
    const secret = made.out.trim();
    const [, id, hidden] = /^gpuwise_([0-9a-f]{12})_(.*)$/.exec(secret);
    is(sql(server.db, `SELECT name || ' ' || substr(hash, 1, 3) FROM tokens WHERE id = '${id}'`), 'lab $y$',
        'the database keeps a yescrypt hash');
    const file = Buffer.concat([await readFile(server.db), await readFile(`${server.db}-wal`).catch(() => Buffer.alloc(0))]);
    ok(file.includes(id) && !file.includes(hidden), 'and not the secret');
    is(token(server.db, '--name', 'lab').code, 1, 'a name is given once');
    is(token(server.db, '--name', 'a b').code, 2, 'and must be a name');
    is(token(server.db, '--name', 'x', '--list', 'yes').code, 2, 'one thing at a time');
    const second = token(server.db);
    ok(second.code === 0 && second.out !== made.out, 'without a name the token has its number');
    const list = token(server.db, '--list', 'yes').out;
    ok(list.includes('lab ') && !list.includes(hidden), 'the list shows names and no secret');
    const full = spawnSync('bash', ['-c', `"${program}" token --db "${server.db}" --name lost >/dev/full`],
        {encoding: 'utf8', timeout: 60000});
    ok(full.status === 2 && full.stderr.includes('it is revoked'), 'a token that nobody could read is revoked');
    return {secret, second: second.out.trim(), hidden};
}

async function testRefusals(server, secret) {
    for (const [name, headers, challenge] of [
        ['no token', {}, /^Bearer realm="gpuwise"$/],
        ['another scheme', {authorization: 'Basic bGFiOmxhYg=='}, /^Bearer realm="gpuwise"$/],
        ['not a token of ours', {authorization: 'Bearer abc'}, /error="invalid_token"/],
        ['a token that is not known', {authorization: `Bearer ${secret.slice(0, -1)}${secret.endsWith('A') ? 'Q' : 'A'}`},
            /error="invalid_token"/],
    ]) {
        const reply = await fetch(`${server.url}/imports`, {headers});
        ok(reply.status === 401 && challenge.test(reply.headers.get('www-authenticate')) &&
            (await reply.json()).type.startsWith('urn:gpuwise:problem:token-'), `${name}: 401 with its challenge`);
    }
    for (const headers of [{'x-forwarded-for': '192.0.2.7'}, {'x-forwarded-proto': 'https'}, {forwarded: 'for=192.0.2.7'},
        {'x-real-ip': '192.0.2.7'}, {'x-forwarded-host': 'gpus.example'}, {via: '1.1 proxy'}]) {
        const reply = await holder(server, secret).get('/imports', {headers});
        is(reply.status, 403, `${Object.keys(headers)[0]} of a proxy that nobody declared: 403`);
    }
    const expecting = (bearer) => `POST /imports HTTP/1.1\r\nHost: h\r\nContent-Type: text/csv\r\n${bearer}` +
        'Content-Length: 100000\r\nExpect: 100-continue\r\n\r\n';
    ok((await raw(server.port, expecting(''))).startsWith('HTTP/1.1 401'), 'without a token no body is waited for');
    ok((await raw(server.port, expecting(`Authorization: Bearer ${secret}\r\n`))).startsWith('HTTP/1.1 100'),
        'with one it is asked for');
    ok((await raw(server.port, `POST /imports HTTP/1.1\r\nHost: h\r\nContent-Length: 268435457\r\n\r\n`))
        .startsWith('HTTP/1.1 413'), 'a file over 256 MiB: 413');
    is((await fetch(`${server.url}/prices`)).status, 405, 'GET /prices: 405, whoever asks');
    is((await fetch(`${server.url}/imports`, {method: 'OPTIONS'})).headers.get('allow'), 'GET, HEAD, POST, OPTIONS',
        'OPTIONS needs no token');
}

async function testPrices(server, admin) {
    const added = await admin.post('/prices', price(691.25));
    ok(added.status === 201 && added.body.accepted === 1 && added.headers.get('cache-control') === 'no-store',
        'a price is added: 201');
    is(added.headers.get('location'), `/imports/${added.body.import_id}`, 'Location names the import');
    is(sql(server.db, `SELECT gpu_slug || amount_micros FROM gpu_prices WHERE import_id = ${added.body.import_id}`),
        `${CARD}691250000`, 'it is in the file');
    is(await seen(server, 'test'), [691.25], 'and in the catalogue');
    const again = await admin.post('/prices', price(691.25));
    ok(again.status === 200 && again.body.known === 1 && again.body.import_id === null, 'the same again: 200, known');
    const several = await admin.post('/prices', [price(691.25), price(700), price(710, {gpu: 'some new card'})]);
    ok(several.status === 201 && several.body.accepted === 2 && several.body.known === 1, 'a list: what is new is added');
    is(several.body.review.map(({code, parameter}) => [code, parameter]), [['unknown-name', '[2].gpu']],
        'an unknown name is kept, and told');
    const rows = () => sql(server.db, 'SELECT COUNT(*) FROM gpu_prices');
    const before = rows();
    const bad = await admin.post('/prices', [price(720), price(-1), price(1, {observed_on: '2100-01-01', market: 'mars'})]);
    is([bad.status, bad.body.errors.map(({parameter}) => parameter)], [400, ['[1].amount', '[2].market', '[2].observed_on']],
        'faults are named by their places');
    const held = await admin.post('/prices', [price(720), price(7)]);
    ok(held.status === 422 && held.body.review[0].parameter === '[1].amount' && held.body.review[0].code === 'outlier',
        'ten times off the median: 422');
    is((await admin.post('/prices?dry_run=yes', price(730))).body.outcome, 'would-add', 'a dry run says what would be');
    is((await admin.post('/prices?dry_run=yes', [price(730), price(7)])).body.outcome, 'would-refuse',
        '... also that one held back holds back all');
    const near = (await admin.post('/prices?dry_run=yes', price(900, {gpu: 'RTX 4900'}))).body;
    is([near.outcome, near.not_advising, near.review[0].effect], ['would-keep', 1, 'kept'],
        'of a card nobody knows: kept, advises nothing');
    ok(near.review[0].suggestions.some(({id}) => id === 'nvidia-geforce-rtx-4090'), 'with the nearest known cards');
    const rmb = (await admin.post('/prices?dry_run=yes', price(5000, {currency: 'RMB', market: 'cn'}))).body;
    is([rmb.outcome, rmb.review[0].code, rmb.review[0].suggestions[0].id], ['would-keep', 'no-exchange-rate', 'CNY'],
        'a currency without a rate: kept, with what is meant');
    const {market, ...placeless} = price(735);
    const assumed = (await admin.post('/prices?dry_run=yes', placeless)).body;
    is([market, assumed.markets_assumed], ['us', ['us']], 'without a market it is of that of its currency');
    is(rows(), before, 'and of all these nothing was added');
    is((await admin.post('/prices?accept_review=yes', price(7))).status, 201, 'who insists may');
}

async function testUndated(admin) {
    const csv = 'InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,GpuInfo,Price,SpotPrice,Region\n' +
        'x1,8,64,A10,1,,0.75,,somewhere\n';
    const bad = await admin.file('/imports?provider=lamda&dry_run=yes', csv);
    is([bad.status, bad.body.errors?.[0].parameter], [400, 'observed_on'], 'a body without dates: 400 names observed_on');
    const nobody = await admin.file('/imports?observed_on=2026-11-20&dry_run=yes', csv);
    is([nobody.status, nobody.body.errors?.[0].parameter], [400, 'provider'], '... and provider');
    const good = await admin.file('/imports?provider=lamda&observed_on=2026-11-20&dry_run=yes', csv);
    is([good.status, good.body.observed_on, good.body.providers],
        [200, {day: '2026-11-20', from: 'request'}, ['lamda']], 'the report says the day and the provider');
    is(good.body.review.map(({code, effect, suggestions}) => [code, effect, suggestions.map(({id}) => id)]),
        [['unknown-provider', 'added', ['Lambda']]], 'a new provider is told, with the nearest');
    const named = await admin.file('/imports?provider=lambda&file=x-2026-11-21.csv&dry_run=yes', csv);
    is([named.body.observed_on, named.body.providers], [{day: '2026-11-21', from: 'name'}, ['Lambda']], 'or the name of the file');
}

async function testImports(server, admin) {
    const csv = 'gpu_slug,condition,currency,amount,market,observed_on,source,note\n' +
        `${CARD},used,USD,640,us,2026-11-20,from a file,\n`;
    const dry = await admin.file('/imports?file=own.csv&dry_run=yes', csv);
    ok(dry.status === 200 && dry.body.dry_run && dry.body.accepted === 1 && dry.body.import_id === null, 'a dry run: 200');
    const added = await admin.file('/imports?file=own.csv', csv);
    ok(added.status === 201 && added.headers.get('location') === `/imports/${added.body.import_id}`, 'a file: 201');
    is(await seen(server, 'from a file'), [640], 'it is in the catalogue');
    is((await admin.file('/imports?file=own.csv', csv)).status, 200, 'the same file again: 200');
    const refused = await admin.file('/imports', csv.replace('2026-11-20', '2100-01-01'));
    ok(refused.status === 422 && refused.body.rejected[0].line === 2 && refused.body.rejected[0].code === 'future-date',
        'a file with a fault: 422 with its line');
    is((await admin.file('/imports', 'a,b\n1,2\n')).status, 422, 'a file of no known format: 422');
    await testUndated(admin);
    is((await admin.file('/imports', csv, 'text/html')).status, 415, 'another media type: 415');
    const page = await admin.get('/imports?limit=1');
    ok(page.body.data[0].id === added.body.import_id && page.body.data[0].who === 'lab' &&
        page.body.data[0].file === 'own.csv' && page.body.total > 1 && page.headers.get('link')?.includes('rel="next"'),
    'the log names who did what, newest first');
    const ids = [];
    for (let target = '/imports?limit=1'; target !== undefined;) {
        const reply = await admin.get(target);
        ids.push(...reply.body.data.map(({id}) => id));
        target = /<([^>]*)>/.exec(reply.headers.get('link') ?? '')?.[1];
    }
    is(ids.length, page.body.total, 'its pages hold all');
    is((await admin.get(`/imports/${added.body.import_id}`)).body, page.body.data[0], 'one alone is the same');
    const undone = await admin.undo(added.body.import_id);
    ok(undone.status === 200 && undone.body.rows_removed === 1 && undone.body.undone_at !== null, 'undone: 200');
    is(await seen(server, 'from a file'), [], 'it is out of the catalogue');
    is((await admin.undo(added.body.import_id)).status, 409, 'undone before: 409');
    is((await admin.undo(4711)).status, 404, 'no such import: 404');
    is((await admin.undo('x')).status, 404, 'no number: 404');
}

/** A file that takes several reads, received in a file that has no name. */
async function testLargeFile(server, admin) {
    const rows = Array.from({length: 10000}, (_, i) =>
        `${CARD},used,USD,${600 + i % 200}.${10 + i % 90},us,2026-11-${10 + i % 20},large file,number ${i}`);
    const csv = `gpu_slug,condition,currency,amount,market,observed_on,source,note\n${rows.join('\n')}\n`;
    const reply = await admin.file('/imports?file=large.csv', csv);
    is([reply.status, reply.body.accepted], [201, rows.length], `${(csv.length / 1048576).toFixed(1)} MiB are imported`);
    is((await admin.undo(reply.body.import_id)).body.rows_removed, rows.length, 'and undone');
    is((await readdir(path.dirname(server.db))).filter((name) => !name.startsWith('test.db')), [], 'no file is left');
}

/** Whoever has read that a write is done finds it done wherever he asks next. */
async function testOwnWrites(server, admin) {
    let late = 0;
    for (let i = 0; i < 15; i++) {
        await admin.post('/prices', price(650 + i, {source: `own ${i}`}));
        const found = await Promise.all([0, 1, 2, 3].map(() => seen(server, `own ${i}`)));
        late += found.filter((amounts) => amounts.length !== 1).length;
    }
    is(late, 0, 'a write is seen by every read after its answer, on whatever worker');
    const replies = await Promise.all(Array.from({length: 20}, (_, i) =>
        admin.post('/prices', price(660 + i, {source: `together ${i}`}))));
    is([replies.filter(({status}) => status === 201).length, new Set(replies.map(({body}) => body.import_id)).size], [20, 20],
        'writers at the same time are all served, each by an import of its own');
}

async function testLocked(server, admin) {
    let held = await lock(server.db);
    const waiting = admin.post('/prices', price(671));
    await sleep(300);
    await held.release();
    is((await waiting).status, 201, 'a write waits for another program');
    held = await lock(server.db);
    const leaving = net.connect(server.port, '127.0.0.1');
    const body = JSON.stringify(price(672, {source: 'left'}));
    leaving.write(`POST /prices HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${admin.secret}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    await sleep(ARRIVE_MS);
    leaving.destroy();
    await held.release();
    ok(await until(async () => (await seen(server, 'left')).length === 1), 'a write whose sender left is done');
    held = await lock(server.db);
    const crowd = await Promise.all(Array.from({length: 48}, (_, i) => admin.post('/prices', price(673, {source: `c${i}`}))));
    await held.release();
    is([...new Set(crowd.map(({status}) => status))], [503], 'locked for longer: 503, for those that wait and those that cannot');
    ok(crowd.every(({headers}) => headers.get('retry-after') !== null) &&
        crowd.some(({body: problem}) => problem.type.endsWith(':not-written')) &&
        crowd.some(({body: problem}) => problem.type.endsWith(':overloaded')), 'which say when to come again');
    ok(!crowd.some(({text}) => text.includes(server.db)), 'and name no file of the server');
    is((await admin.post('/prices', price(674))).status, 201, 'then all is well again');
    is(sql(server.db, "SELECT COUNT(*) FROM gpu_prices WHERE source = 'c0'"), '0', 'and what failed has left nothing');
}

async function testRevoked(server, secret) {
    const other = holder(server, secret);
    is((await other.get('/imports')).status, 200, 'another token is good');
    const [, id] = /^gpuwise_([0-9a-f]{12})_/.exec(secret);
    is(token(server.db, '--revoke', id).code, 0, 'until it is revoked');
    is((await other.get('/imports')).status, 401, 'then it is refused at once');
    is(token(server.db, '--revoke', id).code, 1, 'and cannot be revoked again');
}

/* A guess is given back every few seconds: what is asked after a refusal is asked long before the next one is due. */
async function testRateLimit(server, secret) {
    let failures = 0;
    const isLong = await until(async () => {
        const reply = await fetch(`${server.url}/imports`, {headers: {authorization: 'Bearer wrong'}});
        failures += reply.status === 401;
        return reply.status === 429 && Number(reply.headers.get('retry-after')) >= 4;
    });
    ok(isLong, '429 says when to try again');
    ok(failures > 5, `after ${failures} failures`);
    is((await holder(server, secret).get('/imports')).status, 429, 'and no token is looked at any more');
    is((await fetch(`${server.url}/healthz`)).status, 200, 'the rest is open');
}

async function testProxies() {
    const server = await start({flags: ['--trusted-proxy', '127.0.0.0/8']});
    const admin = holder(server, token(server.db).out.trim());
    is((await admin.get('/imports')).status, 403, 'a trusted proxy that does not say https: 403');
    is((await admin.get('/imports', {headers: {'x-forwarded-proto': 'http', 'x-forwarded-for': '192.0.2.7'}})).status, 403,
        'that says http: 403');
    const reply = await admin.get('/imports',
        {headers: {'x-forwarded-proto': 'https', 'x-forwarded-for': '10.9.9.9, 192.0.2.7'}});
    is(reply.status, 200, 'that says https: 200');
    ok(server.log.some((line) => line.includes('event=admin outcome=done') && line.includes('from=192.0.2.7 ')),
        'and the log names the address before it');
    is(await server.stop(), [], 'no fault');
    const plain = await start({flags: ['--admin-plain', 'yes']});
    is((await holder(plain, token(plain.db).out.trim()).get('/imports', {headers: {'x-forwarded-for': '192.0.2.7'}})).status,
        200, '--admin-plain yes takes tokens from everywhere');
    is(await plain.stop(), [], 'no fault');
}

async function testStop() {
    const server = await start();
    const admin = holder(server, token(server.db).out.trim());
    const held = await lock(server.db);
    const waiting = admin.post('/prices', price(681));
    await sleep(ARRIVE_MS);
    process.kill(server.pid, 'SIGTERM');
    await sleep(300);
    await held.release();
    const reply = await waiting;
    ok(reply.status === 201 && reply.headers.get('connection') === 'close', 'SIGTERM while a write is suspended: it is answered');
    is(await server.stop(), [], 'and the exit status is 0');

    const hasty = await start({flags: ['--stop-timeout', '0'], allow: [/event=write-failed/]});
    const other = holder(hasty, token(hasty.db).out.trim());
    const longer = await lock(hasty.db);
    const lost = other.post('/prices', price(682)).then(({status}) => status, () => 'closed');
    await sleep(300);
    process.kill(hasty.pid, 'SIGTERM');
    is(await lost, 'closed', 'past the stop timeout the connection ends');
    await longer.release();
    is(await hasty.stop(), [], 'and the exit status is 0 as well');
}

async function main() {
    if (spawnSync('sqlite3', ['--version']).status !== 0) {
        skip('no sqlite3 to look into the database');
        return;
    }
    const server = await start({flags: ['--workers', '2'], allow: [/event=write-failed/]});
    const {secret, second, hidden} = await testTokens(server);
    const admin = {...holder(server, secret), secret};
    await testRefusals(server, secret);
    await testPrices(server, admin);
    await testImports(server, admin);
    await testLargeFile(server, admin);
    await testOwnWrites(server, admin);
    await testLocked(server, admin);
    await testRevoked(server, second);
    await testRateLimit(server, secret);
    ok(server.log.some((line) => /event=admin outcome=done status=201 who=lab from=127\.0\.0\.1 method=POST path="\/prices" import=\d+ rows=1 /.test(line)),
        'the log names who, from where, what and how much');
    ok(!server.log.some((line) => line.includes(hidden) || line.includes('some new card')), 'and neither token nor body');
    is(await server.stop(), [], 'the server behaved');
    await testProxies();
    await testStop();
}

await main();
done();

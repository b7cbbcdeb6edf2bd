// The program as a process: start, refusal to start, stop, log, connections, and a database that changes under
// load. What one worker does with odd requests is tested in tests/server/.

import {spawn, spawnSync} from 'node:child_process';
import {chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile} from 'node:fs/promises';
import net from 'node:net';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {program, start} from '../server_under_test.mjs';
import {done, is, ok, skip} from '../tap.mjs';
import {sleep, until} from '../wait.mjs';

const MORE_LOOKS_MS = 1600; // the publisher looks twice a second
const MANY = 128; // PERFORMANCE: the number of ready connections at which the library's own loops stall
const folder = await mkdtemp(path.join(tmpdir(), 'gpuwise-server-'));

/** A connection that counts whole answers (all bodies have a Content-Length). */
async function connect(port) {
    const socket = net.connect(port, '127.0.0.1');
    const state = {answers: [], text: '', isClosed: false, wake: () => {}};
    socket.setEncoding('latin1');
    socket.on('data', (text) => {
        state.text += text;
        for (;;) {
            const end = state.text.indexOf('\r\n\r\n');
            const length = /\r\ncontent-length: (\d+)/i.exec(state.text.slice(0, end < 0 ? 0 : end + 2));
            const total = end + 4 + Number(length?.[1] ?? 0);
            if (end < 0 || state.text.length < total) {
                break;
            }
            state.answers.push({status: Number(state.text.slice(9, 12)), head: state.text.slice(0, end),
                body: state.text.slice(end + 4, total)});
            state.text = state.text.slice(total);
        }
        state.wake();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
        state.isClosed = true;
        state.wake();
    });
    await new Promise((resolve) => {
        socket.once('connect', resolve);
        socket.once('close', resolve);
    });

    /** Waits until so many answers are there or the connection is closed. */
    async function until(count, milliseconds = 20000) {
        const limit = Date.now() + milliseconds;
        while (state.answers.length < count && !state.isClosed && Date.now() < limit) {
            await Promise.race([sleep(limit - Date.now()), new Promise((resolve) => (state.wake = resolve))]);
        }
        return state.answers;
    }
    return {socket, state, until, write: (text) => socket.write(text, 'latin1'), end: () => socket.destroy()};
}

const get = (target) => `GET ${target} HTTP/1.1\r\nHost: h\r\n\r\n`;

/** Runs the program to its end; uid: as this user. */
function run(args, env = {}, uid = undefined) {
    const result = spawnSync(program, args, {cwd: folder, encoding: 'utf8', timeout: 60000, uid,
        env: {PATH: process.env.PATH, ASAN_OPTIONS: process.env.ASAN_OPTIONS ?? '', ...env}});
    return {code: result.status, out: result.stdout, err: result.stderr};
}

/** Name, size, times and number of every file in a folder. */
async function stateOf(directory) {
    const names = (await readdir(directory)).sort();
    return Promise.all(names.map(async (name) => {
        const {ino, size, mtimeMs, mode} = await stat(path.join(directory, name));
        return [name, ino, size, mtimeMs, mode];
    }));
}

async function testCommands() {
    is(run([]).code, 2, 'without a command: usage, exit 2');
    const help = run(['--help']);
    ok(help.code === 0 && help.out.includes('--listen HOST:PORT') && help.out.includes('GPUWISE_DB'),
        '--help prints the settings, exit 0');
    is(run(['serve', '--help']).code, 0, 'serve --help');
    is([run(['-h']), run(['imports', '-h'])], [help, help], '-h is --help');
    const version = run(['version']);
    ok(version.code === 0 && /^gpuwise \d+\.\d+\.\d+( \([\w.-]+\))?\n/.test(version.out),
        'version prints that of the program');
    is(version.out.split('\n').slice(1, -1).filter((line) => !/^\w+( [\d.]+(, built with [\d.]+)?| built with [\d.]+)$/.test(line)),
        [version.out.split('\n').at(-2)], 'and those of its libraries');
    ok(/^compiler (gcc|clang) \d/.test(version.out.split('\n').at(-2)), 'and of the compiler');
    is(run(['--version']).out, version.out, '--version says the same');
    for (const [args, line] of [
        [['serv'], 'gpuwise: unknown command "serv"; the nearest is serve\n'],
        [['serve', '--worker', '1'], 'gpuwise: unknown setting --worker; the nearest is --workers\n'],
        [['serve', '--workers', '1e2'],
            'gpuwise: --workers: "1e2" is not allowed; give a whole number from 0 to 256\n'],
        [['serve', '--port', '8080'], 'gpuwise: unknown setting --port; give --listen HOST:PORT\n'],
        ...[['imports'], ['undo', '1'], ['export', 'gpu_prices'], ['token', '--list'], ['token', '--revoke', 'lab']].map((args) =>
            [args, 'gpuwise: database gpuwise.db: there is none; --db FILE or GPUWISE_DB names another\n']),
        [['migrate', '--db='], 'gpuwise: --db: "" is not allowed; give a file name\n'],
        [['healthcheck', '--listen', '127.0.0.1:0'],
            'gpuwise: --listen: a health check needs the port, 0 names none\n'],
    ]) {
        const {code, err} = run(args);
        is([code, err], [2, line], `${args.join(' ')}: one line, exit 2`);
    }
    is(run(['serve'], {GPUWISE_ACCESS_LOG: 'on'}),
        {code: 2, out: '', err: 'gpuwise: GPUWISE_ACCESS_LOG: "on" is not allowed; give yes or no\n'},
        'a bad variable: one line, exit 2');
    is(await readdir(folder), [], 'nothing of this made a file');
}

async function testRefusals(server) {
    const other = path.join(folder, 'other.db');
    const second = run(['serve', '--listen', `127.0.0.1:${server.port}`, '--db', other]);
    is([second.code, second.err],
        [2, `gpuwise: cannot listen on 127.0.0.1:${server.port}: address already in use\n`],
        'a second server on the same address: one line, exit 2');
    const same = run(['serve', '--listen', '127.0.0.1:0', '--db', server.db]);
    ok(same.code === 2 && /^gpuwise: database .* is in use by another gpuwise server .*\n$/.test(same.err),
        'a second server on the same database: one line, exit 2');
    const foreign = path.join(folder, 'foreign.db');
    await writeFile(foreign, 'this is a text, long enough to be none of a database\n'.repeat(20));
    const bad = run(['serve', '--listen', '127.0.0.1:0', '--db', foreign]);
    ok(bad.code === 2 && bad.err.startsWith('gpuwise: ') && bad.err.split('\n').length === 2,
        `a file that is no database: one line, exit 2 (${bad.err.trim()})`);
    is(await readdir(folder), ['foreign.db'], 'nothing else was touched, no file made');
    await rm(foreign);
}

/** Databases and places that serve must refuse with one line and exit 2, leaving every file as it was. */
async function testUntouched() {
    const place = path.join(folder, 'place');
    const nobody = process.getuid() === 0 ? 65534 : undefined;
    const [good, half, newer, foreign, locked] = ['good', 'half', 'newer', 'foreign', 'locked'].map(
        (name) => path.join(place, `${name}.db`));
    await mkdir(place);
    is(run(['migrate', '--db', good]).code, 0, 'a good database to begin with');
    const bytes = await readFile(good);
    await writeFile(half, bytes.subarray(0, bytes.length / 2));
    bytes.writeUInt32BE(99, 60); // user_version in the header of a SQLite file
    await writeFile(newer, bytes);
    bytes.writeUInt32BE(1, 68); // application_id
    await writeFile(foreign, bytes);
    await copyFile(good, locked);
    await chmod(locked, 0o444);
    await chmod(half, 0o666); // or it is refused for that
    await chmod(folder, 0o755);
    await chmod(place, 0o777);
    const before = await stateOf(place);
    for (const [db, words] of [[half, 'is damaged'], [newer, 'was written by a newer gpuwise'],
        [foreign, 'is a database of another program'], [locked, 'cannot be written to'],
        [path.join(place, 'no', 'x.db'), 'No such file or directory'], [place, 'is a folder']]) {
        for (const command of ['serve', 'migrate']) {
            const {code, out, err} = run([command, '--listen=127.0.0.1:0', '--db', db], {}, nobody);
            ok(code === 2 && out === '' && err.split('\n').length === 2 && err.startsWith('gpuwise: ') &&
                err.includes(words), `${command}: ${err.trim().replace(folder, '')}`);
        }
    }
    await chmod(place, 0o555);
    const created = run(['serve', '--listen', '127.0.0.1:0', '--db', path.join(place, 'new.db')], {}, nobody);
    ok(created.code === 2 && /^gpuwise: .*Permission denied\n$/.test(created.err), 'a folder one may not write to');
    is(await stateOf(place), before, 'no file was made or changed');
    await rm(place, {recursive: true, force: true});
}

/** Two servers started together on one address: without a claim both would share the port. */
async function testStartedTogether() {
    const free = net.createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => free.once('listening', resolve));
    const {port} = free.address();
    await new Promise((resolve) => free.close(resolve));
    const pair = [0, 1].map((i) => spawn(program, ['serve', '--listen', `127.0.0.1:${port}`,
        '--db', path.join(folder, `pair${i}.db`)], {stdio: ['ignore', 'pipe', 'ignore']}));
    const ends = pair.map((child) => new Promise((resolve) => child.once('close', resolve)));
    const first = await Promise.race(ends);
    is(first, 2, 'of two servers started together on one address one is refused');
    await Promise.race(pair.map((child) => new Promise((resolve) => child.stdout.once('data', resolve))));
    is((await fetch(`http://127.0.0.1:${port}/readyz`)).status, 200, 'the other one serves');
    pair.forEach((child) => child.kill('SIGTERM'));
    is((await Promise.all(ends)).sort(), [0, 2], 'and ends with 0');
}

/** Nobody reads the log: requests go on. */
async function testStalledLog() {
    const child = spawn(program, ['serve', '--listen', '127.0.0.1:0', '--workers', '1',
        '--db', path.join(folder, 'stalled.db')], {stdio: ['ignore', 'pipe', 'pipe']});
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const line = await new Promise((resolve) => child.stdout.once('data', (data) => resolve(String(data))));
    const one = await connect(Number(/:(\d+)\n$/.exec(line)?.[1]));
    const count = 4000; // lines of over 100 bytes: more than pipe, buffer and node take together
    for (let i = 1; i <= count / 20; i++) {
        one.write(get('/healthz').repeat(20));
        await one.until(i * 20);
    }
    is(one.state.answers.length, count, 'with a log that nobody reads, every request is answered');
    one.end();
    child.kill('SIGTERM');
    is(await ended, 0, 'and the server ends with 0');
    child.stderr.destroy();
}

async function testHealthcheck(server) {
    is(run(['healthcheck', '--listen', `127.0.0.1:${server.port}`]), {code: 0, out: '', err: ''},
        'healthcheck of a ready server: exit 0');
    const free = net.createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => free.once('listening', resolve));
    const {port} = free.address();
    await new Promise((resolve) => free.close(resolve));
    is(run(['healthcheck', '--listen', `127.0.0.1:${port}`]).code, 1, 'healthcheck of nothing: exit 1');
}

async function testConnections(server) {
    const one = await connect(server.port);
    for (let i = 1; i <= 5; i++) {
        one.write(get('/tiers'));
        await one.until(i);
    }
    is(one.state.answers.map((answer) => answer.status), [200, 200, 200, 200, 200],
        'five requests, one after the other, on one connection');
    one.write(get('/healthz').repeat(20));
    ok((await one.until(25)).length === 25 && !one.state.isClosed, '20 pipelined requests are all answered');
    one.end();

    const all = await Promise.all(Array.from({length: MANY}, () => connect(server.port)));
    for (let round = 1; round <= 5; round++) {
        all.forEach((it) => it.write(get('/recommend?budget=1000')));
        await Promise.all(all.map((it) => it.until(round)));
    }
    is(all.reduce((sum, it) => sum + it.state.answers.filter((answer) => answer.status === 200).length, 0),
        MANY * 5, `${MANY} connections in lockstep, five rounds: all answered`);
    all.forEach((it) => it.end());
}

async function testCaching(server) {
    const path = '/gpus?limit=3';
    const [first, again, english, chinese] = await Promise.all([undefined, undefined, 'en', 'zh'].map(
        (language) => fetch(server.url + path, {headers: language ? {'accept-language': language} : {}})
            .then(async (reply) => ({body: await reply.text(), etag: reply.headers.get('etag')}))));
    is(again, first, 'the same request, the same bytes and ETag');
    ok(english.etag !== chinese.etag, 'another language, another ETag');
    const same = await fetch(server.url + path, {headers: {'if-none-match': first.etag, 'accept-language': 'en'}});
    is(same.status, 304, 'If-None-Match: 304');
    const one = await connect(server.port);
    one.write(`HEAD ${path} HTTP/1.1\r\nHost: h\r\n\r\n`);
    await until(() => one.state.text.includes('\r\n\r\n'));
    const length = Number(/content-length: (\d+)/i.exec(one.state.text)?.[1]);
    is([length, one.state.text.endsWith('\r\n\r\n')], [Buffer.byteLength(first.body), true],
        'HEAD tells the length of GET and has no body');
    one.end();
}

function checkLog(server) {
    const pair = '[a-z_]+=(?:"(?:[^"\\\\]|\\\\.)*"|[^\\s"=]+)';
    const line = new RegExp(`^ts=\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z level=(info|warning|error) event=[a-z-]+( ${pair})*$`);
    is(server.log.filter((it) => it !== '' && !line.test(it)), [], 'every line of the log is logfmt');
    const requests = server.log.filter((it) => it.includes(' event=request '));
    ok(requests.length >= 5 + 20 + MANY * 5, `there is one for each request (${requests.length})`);
    ok(requests.every((it) => / id=[0-9a-f]{8}-\d+-\d+ method=\S+ route=\S+ path="[^"]*" status=\d+ bytes=\d+ us=\d+ worker=\d+/.test(it)),
        'with id, method, route, path, status, bytes, time and worker');
    is(new Set(requests.map((it) => / id=(\S+)/.exec(it)[1])).size, requests.length, 'and no id is there twice');
}

/** SIGTERM with idle, half-sent and silent connections. */
async function testStop(server) {
    const idle = await Promise.all(Array.from({length: MANY}, () => connect(server.port)));
    idle.forEach((it) => it.write(get('/healthz')));
    await Promise.all(idle.map((it) => it.until(1)));
    const half = await connect(server.port);
    half.write('GET /readyz HTTP/1.1\r\nHost: h\r\n');
    await sleep(300);
    const stopped = server.stop();
    await sleep(300);
    half.write('\r\n');
    const [answer] = await half.until(1);
    is([answer?.status, /\r\nconnection: close/i.test(answer?.head ?? '')], [503, true],
        'while stopping, a half-sent /readyz is answered 503 and closed');
    is(await stopped, [], `exit 0 on SIGTERM with ${MANY + 1} open connections, nothing odd on stderr`);
    ok(await until(() => idle.every((it) => it.state.isClosed)), 'all of them are closed');
}

/** SIGTERM under load: whoever has an answer has a whole one, and nobody waits for the stop time-out. */
async function testStopUnderLoad() {
    const server = await start({flags: ['--stop-timeout', '600']}); // far longer than stop() waits
    let [whole, cut, isStopping] = [0, 0, false];
    const loops = Array.from({length: 32}, async (_, i) => {
        while (!isStopping) {
            const one = await connect(server.port);
            for (let k = 1; !one.state.isClosed; k++) {
                one.write(get(`/recommend?budget=${1000 + i}&limit=${1 + (k % 50)}`));
                await one.until(k);
                whole += one.state.answers.length === k ? 1 : 0;
            }
            cut += one.state.text === '' ? 0 : 1;
            await sleep(10);
        }
    });
    await sleep(1000);
    const stopped = server.stop();
    isStopping = true;
    is(await stopped, [], 'exit 0 on SIGTERM with requests in flight, nothing odd on stderr');
    await Promise.all(loops);
    ok(cut === 0 && whole > 32, `none of ${whole} answers was cut short (${cut})`);
}

async function testSecondSignal() {
    const server = await start({flags: ['--stop-timeout', '600']});
    const half = await connect(server.port);
    half.write('GET /readyz HTTP/1.1\r\nHost: h\r\n');
    await sleep(300);
    process.kill(server.pid, 'SIGINT');
    await sleep(500);
    is(await server.stop(), [], 'a second signal ends it, exit 0, without waiting for what is half sent');
    half.end();
}

async function testTimeouts() {
    const server = await start({flags: ['--idle-timeout', '1', '--request-timeout', '1', '--workers', '1']});
    const idle = await connect(server.port);
    const half = await connect(server.port);
    half.write('GET /readyz HTTP/1.1\r\n');
    const drip = setInterval(() => half.write('X: y\r\n'), 200);
    let good = 0;
    await until(async () => {
        good += (await fetch(`${server.url}/healthz`)).status === 200 ? 1 : -100;
        return idle.state.isClosed && half.state.isClosed;
    }, {every: 200});
    clearInterval(drip);
    ok(idle.state.isClosed, 'an idle connection is closed');
    ok(half.state.isClosed, 'a request that never ends is ended');
    ok(good > 0, 'while others are served');
    is(await server.stop(), [], 'and nothing odd on stderr');
}

/** A request line that never ends is ended after the time of a request, a silent connection is not. */
async function testHalfLine() {
    const server = await start({flags: ['--idle-timeout', '60', '--request-timeout', '1', '--workers', '1']});
    const [silent, half, second] = await Promise.all([0, 1, 2].map(() => connect(server.port)));
    half.write('GET /rea');
    second.write(get('/healthz'));
    await second.until(1);
    await sleep(300);
    second.write('GE');
    await until(() => half.state.isClosed && second.state.isClosed);
    ok(half.state.isClosed, 'a request line that never ends is ended');
    ok(second.state.isClosed, 'also when it is the second one');
    ok(!silent.state.isClosed, 'who says nothing may go on');
    silent.end();
    is(await server.stop(), [], 'and nothing odd on stderr');
}

/** Asks again and again on several connections until told to stop; answers how many and which failed. */
function load(server, target) {
    const result = {count: 0, failed: [], isRunning: true};
    const loops = Array.from({length: 4}, async () => {
        const one = await connect(server.port);
        for (let i = 1; result.isRunning; i++) {
            one.write(get(`${target}&limit=${1 + (i % 7)}`));
            const answers = await one.until(i);
            const answer = answers[i - 1];
            result.count++;
            if (answer?.status !== 200) {
                result.failed.push(answer?.head ?? 'closed');
                break;
            }
        }
        one.end();
    });
    result.stop = async () => {
        result.isRunning = false;
        await Promise.all(loops);
    };
    return result;
}

async function revision(server) {
    return (await (await fetch(`${server.url}/recommend`)).json()).catalogue.revision;
}

/** Waits until the revision is another one than before. */
function hasChanged(server, before) {
    return until(async () => (await revision(server)) !== before);
}

async function testChanges() {
    const sql = (db, text) => spawnSync('sqlite3', [db, text], {encoding: 'utf8'});
    if (sql(':memory:', 'select 1').status !== 0) {
        skip('a database that changes: there is no sqlite3');
        return;
    }
    const server = await start({db: path.join(folder, 'live.db')});
    const busy = load(server, '/recommend?budget=1000');
    const first = await revision(server);
    const insert = `pragma busy_timeout=5000; insert into gpu_prices
        (gpu_slug, condition, currency, amount_micros, observed_on, source)
        values ('rtx-3090-24gb', 'used', 'USD', 512345678, '2026-11-29', 'test')`;
    const inserted = sql(server.db, insert);
    const changed = await hasChanged(server, first);
    ok(inserted.status === 0 && changed, `a price another process wrote is served ${inserted.stderr}`);
    const second = await revision(server);
    const copy = path.join(folder, 'copy.db');
    is(run(['migrate', '--db', copy]), {code: 0, out: '', err: ''}, 'migrate makes a database');
    await rename(copy, server.db);
    ok(await hasChanged(server, second), 'a database put in its place is served');
    is(await revision(server), first, 'it holds the same facts as the first one: same revision');
    await busy.stop();
    is(busy.failed, [], `none of ${busy.count} requests under way failed`);

    const overwritten = path.join(folder, 'overwritten.db');
    is(run(['migrate', '--db', overwritten]).code, 0, 'another database');
    is(sql(overwritten, `${insert}; pragma wal_checkpoint(truncate)`).status, 0, 'with another price');
    const before = await revision(server);
    await copyFile(overwritten, server.db);
    ok(await hasChanged(server, before), 'a database copied over the open one is served');
    ok(server.log.some((it) => it.includes('event=reopened')), 'and the log says how that came');

    const third = await revision(server);
    const soFar = server.log.length; // a copy that is noticed while it is half there may have been told of
    const since = (event) => server.log.slice(soFar).filter((it) => it.includes(`event=${event}`));
    const rubbish = path.join(folder, 'rubbish.db');
    await writeFile(rubbish, 'no database '.repeat(1000));
    await copyFile(server.db, copy);
    await rename(rubbish, server.db);
    await until(() => since('reload-failed').length > 0);
    await sleep(MORE_LOOKS_MS);
    is(await revision(server), third, 'what is no database is not served: the last good one stays');
    is(since('reload-failed').length, 1, 'and that is said once');
    const half = path.join(folder, 'half.db');
    const bytes = await readFile(copy);
    await writeFile(half, bytes.subarray(0, bytes.length / 2));
    await rename(half, server.db);
    await until(() => since('reload-failed').length > 1);
    await rm(server.db);
    await until(() => since('reload-failed').length > 2);
    await sleep(MORE_LOOKS_MS);
    is(await revision(server), third, 'nor is a damaged one, and without any the last one stays too');
    const troubles = since('reload-failed');
    ok(troubles.length === 3 && troubles[1].includes('is damaged') && troubles[2].includes('has gone'),
        `each is said once (${troubles.length})`);
    await rename(copy, server.db);
    await until(() => since('reload-mended').length > 0);
    await sleep(MORE_LOOKS_MS);
    is(since('reload-mended').length, 1, 'when mended, that is said once');
    const fourth = await revision(server);
    ok(sql(server.db, insert).status === 0 && (await hasChanged(server, fourth)), 'and changes are served again');
    ok((await readdir(folder)).includes('live.db.lock'), 'a lock stands beside the database');
    is((await server.stop()).filter((it) => !/event=(reload-failed|reopened)/.test(it)), [], 'else nothing odd on stderr');
    ok(!(await readdir(folder)).includes('live.db.lock'), 'and is gone with the server');
}

/** The address is printed for who starts the program by hand, with port 0 too. */
async function testAnnouncement() {
    const child = spawn(program, ['serve', '--listen', '[::1]:0', '--db', path.join(folder, 'v6.db')],
        {stdio: ['ignore', 'pipe', 'ignore'], env: {...process.env, GPUWISE_WORKERS: '2'}});
    const ended = new Promise((resolve) => child.once('close', resolve));
    const line = await new Promise((resolve) => {
        child.stdout.once('data', (data) => resolve(String(data)));
        child.once('close', () => resolve('no IPv6'));
    });
    if (line === 'no IPv6') {
        skip('IPv6: not available here');
        return;
    }
    const url = /^listening on (http:\/\/\[::1\]:\d+)\n$/.exec(line)?.[1];
    is((await fetch(`${url}/readyz`)).status, 200, `an IPv6 address, printed and served: ${line.trim()}`);
    child.kill('SIGINT');
    is(await ended, 0, 'SIGINT ends it too');
}

await testCommands();
const server = await start({flags: ['--workers', '2']});
await testRefusals(server);
await testHealthcheck(server);
await testUntouched();
await testStartedTogether();
await testStalledLog();
await testConnections(server);
await testCaching(server);
await sleep(300); // request lines are written together, after a moment
checkLog(server);
await testStop(server);
await testStopUnderLoad();
await testSecondSignal();
await testTimeouts();
await testHalfLine();
await testAnnouncement();
await testChanges();
await rm(folder, {recursive: true, force: true});
done();

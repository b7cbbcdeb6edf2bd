// Prices posted while the database file is replaced, overwritten, unusable or gone: what is told as added is in the file
// that has the name, and everything else is a 503 that says so. Reading goes on.

import {execFileSync, spawn, spawnSync} from 'node:child_process';
import {copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {program, start, top} from '../server_under_test.mjs';
import {done, is, ok} from '../tap.mjs';
import {sleep} from '../wait.mjs';

const CARD = 'nvidia-geforce-rtx-3090';
const LOOK_MS = 1200; // more than two looks of the publisher
const GARBAGE = 'garbage that is no database at all\n';
const folder = await mkdtemp(path.join(tmpdir(), 'gpuwise-away-'));
const db = path.join(folder, 'gpuwise.db');
const copy = path.join(folder, 'copy.db');
const sqlite = (file, sql) => execFileSync('sqlite3', ['-cmd', '.timeout 30000', file, sql], {encoding: 'utf8'}).trim();
const count = (source) => Number(sqlite(db, `SELECT COUNT(*) FROM gpu_prices WHERE source = '${source}'`));

function run(...args) {
    const {status, stdout, stderr} = spawnSync(program, args, {cwd: folder, encoding: 'utf8', timeout: 60000});
    return {status, stdout, stderr};
}

const allow = [/event=(reload-failed|write-failed|reopened)/];
let server = await start({db, flags: ['--workers', '2'], allow});
const secret = run('token', '--db', db, '--name', 'lab').stdout.trim();
let amount = 600; // each price another, so that none is known already

async function post(source) {
    amount++;
    const reply = await fetch(`${server.url}/prices`, {
        method: 'POST',
        headers: {authorization: `Bearer ${secret}`, 'content-type': 'application/json'},
        body: JSON.stringify({gpu: CARD, condition: 'used', currency: 'USD', amount, market: 'us', source}),
    });
    return {status: reply.status, body: await reply.json()};
}

async function shown(source) {
    const card = await (await fetch(`${server.url}/gpus/${CARD}`)).json();
    return card.prices.filter((price) => price.source === source).length;
}

/** The command of README.md. */
const [restore] = /^cp -p build\/copy\.db gpuwise\.db\.new && mv .*$/m.exec(readFileSync(path.join(top, 'README.md'), 'utf8'));
const restoreCopy = () => execFileSync('sh', ['-c', restore.replace('build/', '')], {cwd: folder});

async function isRefused(what) {
    for (const when of ['at once', 'after a look']) {
        const {status, body} = await post('refused');
        ok(status === 503 && body.type === 'urn:gpuwise:problem:not-written' && /database file/.test(body.detail),
            `${what}, ${when}: 503 says it is the database`);
        await sleep(LOOK_MS);
    }
    is([(await fetch(`${server.url}/readyz`)).status, await shown('before')], [200, 1], `${what}: what was read is answered`);
    ok(!existsSync(`${db}-wal`) && !existsSync(`${db}-shm`), `${what}: no log of the old file stands beside it`);
}

async function isWritten(what) {
    const source = what.replaceAll(' ', '-');
    is([(await post(source)).status, count(source), count('refused'), await shown(source)], [201, 1, 0, 1],
        `${what}: a price posted at once is in the file and in the answers`);
}

is((await post('before')).status, 201, 'a price is added');
is(run('backup', 'copy.db', '--db', db).status, 0, 'a copy is made');
for (let i = 1; i <= 5; i++) {
    restoreCopy();
    await isWritten(`restore ${i}`);
}

writeFileSync(`${db}.new`, GARBAGE);
renameSync(`${db}.new`, db);
await isRefused('garbage under the name');
restoreCopy();
await isWritten('garbage replaced');

rmSync(db);
await isRefused('no file');
restoreCopy();
await isWritten('a file again');

rmSync(db);
mkdirSync(db);
await isRefused('a folder');
rmdirSync(db);
restoreCopy();
await isWritten('no folder');

const away = path.join(folder, 'away.db');
renameSync(db, away);
await isRefused('moved away');
renameSync(away, db);
await isWritten('moved back');
is(count('no-folder'), 1, 'and nothing it held is lost');

writeFileSync(db, GARBAGE); // as cp does
is([(await post('refused')).status, (await post('refused')).status], [503, 503], 'overwritten by garbage: refused');
copyFileSync(copy, db);
await sleep(LOOK_MS);
await isWritten('overwritten by a copy');

// Ended while another file stands there, and started on that.
writeFileSync(`${db}.new`, GARBAGE);
renameSync(`${db}.new`, db);
await sleep(LOOK_MS);
is(await server.stop(), [], 'the server behaved');
ok(!existsSync(`${db}-wal`) && !existsSync(`${db}-shm`), 'it leaves no log beside the file of another');
restoreCopy();
server = await start({db, allow});
is([await shown('before'), await shown('overwritten-by-a-copy')], [1, 0], 'it starts on the copy as it was made');
restoreCopy();
is(await server.stop(), [], 'ended right after a restore it behaves too');
ok(!existsSync(`${db}-wal`), 'and leaves no log');
is(run('check', '--db', db).status, 0, 'the database is good');

// Killed with a log that holds commits, because somebody was reading, and replaced before the next start.
server = await start({db, allow: [...allow, /ended with .*SIGKILL/]});
const reader = spawn('sqlite3', [db], {stdio: ['pipe', 'pipe', 'inherit']});
reader.stdin.write('BEGIN; SELECT COUNT(*) FROM gpu_prices;\n');
await new Promise((resolve) => reader.stdout.once('data', resolve));
is((await post('in-the-log')).status, 201, 'a price is added while somebody reads');
ok(statSync(`${db}-wal`).size > 0, 'it is in the log');
process.kill(server.pid, 'SIGKILL');
reader.kill('SIGKILL');
await server.stop();
await new Promise((resolve) => (reader.exitCode === null && reader.signalCode === null ? reader.once('exit', resolve) : resolve()));
copyFileSync(db, path.join(folder, 'plain.db'));
ok(statSync(`${db}-wal`).size > 0, 'a crash leaves the log');
restoreCopy();
const restarted = await start({db, allow: [/event=log-set-aside/]});
server = restarted;
is([count('in-the-log'), await shown('in-the-log'), await shown('before')], [0, 0, 1], 'it is not played into another file');
ok(existsSync(`${db}-wal.old`) && restarted.log.some((line) => line.includes('event=log-set-aside')), 'but kept and told');
process.kill(server.pid, 'SIGKILL');
await server.stop();
server = await start({db, allow});
is((await post('after-a-crash')).status, 201, 'a crash alone');
process.kill(server.pid, 'SIGKILL');
await server.stop();
server = await start({db});
is([await shown('after-a-crash'), await server.stop()], [1, []], 'loses nothing');
is(run('check', '--db', db).status, 0, 'the database is good after all');
await rm(folder, {recursive: true, force: true});
done();

// Backup of a database that a server reads and another program writes, and its restore under the running server, by the
// commands of README.md: the restored facts are read over HTTP.

import {execFileSync, spawn, spawnSync} from 'node:child_process';
import {existsSync, readFileSync} from 'node:fs';
import {mkdtemp, readdir, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {program, start, top} from '../server_under_test.mjs';
import {done, is, ok} from '../tap.mjs';
import {sleep, until} from '../wait.mjs';

const CARD = 'nvidia-geforce-rtx-3090';
const folder = await mkdtemp(path.join(tmpdir(), 'gpuwise-restore-'));
const db = path.join(folder, 'gpuwise.db');
const run = (...args) => {
    const {status, stdout, stderr} = spawnSync(program, args, {cwd: folder, encoding: 'utf8', timeout: 60000});
    return {status, stdout, stderr};
};
const sqlite = (file, sql) => execFileSync('sqlite3', ['-cmd', '.timeout 30000', file, sql], {encoding: 'utf8'}).trim();
const insert = (source) => `INSERT INTO gpu_prices (gpu_slug, condition, currency, amount_micros, market, observed_on, source) ` +
    `VALUES ('${CARD}', 'used', 'USD', 500000000, 'us', '2026-11-30', '${source}');`;
const count = (file, source) => Number(sqlite(file, `SELECT COUNT(*) FROM gpu_prices WHERE source = '${source}'`));

const server = await start({db, flags: ['--workers', '2']});

/** How many prices of this source the server shows of the card. */
async function shown(source) {
    const card = await (await fetch(`${server.url}/gpus/${CARD}`)).json();
    return card.prices.filter((price) => price.source === source).length;
}

sqlite(db, insert('kept'));
ok(await until(async () => await shown('kept') === 1), 'a price from elsewhere is served');

// Another program commits pairs of rows as fast as it can; several backups are made meanwhile.
const writer = spawn('sqlite3', ['-cmd', '.timeout 30000', db], {stdio: ['pipe', 'ignore', 'inherit']});
let isWriting = true;
const written = (async () => {
    while (isWriting) {
        const isTaken = writer.stdin.write(`BEGIN IMMEDIATE; ${insert('first')} ${insert('second')} COMMIT;\n`);
        await new Promise((resolve) => (isTaken ? setTimeout(resolve, 2) : writer.stdin.once('drain', resolve)));
    }
    await new Promise((resolve) => writer.once('close', resolve).stdin.end());
})();
await until(() => count(db, 'first') > 2);
const sizes = [];
for (let i = 0; i < 5; i++) {
    const backup = run('backup', `copy-${i}.db`, '--db', db);
    is([backup.status, backup.stdout, backup.stderr], [0, '', ''], `backup ${i} under write load`);
    await sleep(50);
}
isWriting = false;
await written;
for (let i = 0; i < 5; i++) {
    const check = run('check', '--db', `copy-${i}.db`);
    ok(check.status === 0 && !check.stdout.includes('FAULT') && /: good, 0 faults, \d+ warnings?\n$/.test(check.stdout),
        `copy ${i} is good`);
    const [first, second] = ['first', 'second'].map((source) => count(path.join(folder, `copy-${i}.db`), source));
    ok(first === second && first > 0, `and holds whole commits only (${first})`);
    sizes.push(first);
}
ok(sizes.every((size, i) => i === 0 || size >= sizes[i - 1]) && sizes[4] <= count(db, 'first'), 'each as many as the last, or more');
is((await readdir(folder)).filter((name) => name.includes('.part-')), [], 'no unfinished copy is left');
const check = run('check', '--db', db);
ok(check.status === 0 && check.stdout.includes('good'), 'the database in use is good too');
const strict = run('check', '--db', db, '--strict', 'yes');
ok(strict.status === 1 && /: not good, 0 faults, \d+ warnings\n$/.test(strict.stdout), 'and not, when warnings count');
is(run('check', '--db', 'nothing.db').status, 2, 'what is not there cannot be checked');
is(run('backup', 'copy-0.db', '--db', db).status, 2, 'a copy is not replaced unasked');
is(run('backup', 'copy-0.db', '--db', db, '--overwrite', 'yes').status, 0, 'but when asked');

// Restored as README.md says, with the names of this test.
sqlite(db, insert('lost'));
ok(await until(async () => await shown('lost') === 1), 'a later price is served');
const secretOf = (file, name) => run('token', '--db', file, '--name', name).stdout.trim();
const secrets = {copied: secretOf('copy-4.db', 'copied'), lost: secretOf(db, 'lost')};
const statusFor = async (secret) => (await fetch(`${server.url}/imports`, {headers: {authorization: `Bearer ${secret}`}})).status;
is([await statusFor(secrets.copied), await statusFor(secrets.lost)], [401, 200], 'tokens are those of the database in use');
const [command] = /^cp -p build\/copy\.db gpuwise\.db\.new && mv .*$/m.exec(readFileSync(path.join(top, 'README.md'), 'utf8'));
execFileSync('sh', ['-c', command.replace('build/copy.db', 'copy-4.db')], {cwd: folder});
is([await statusFor(secrets.copied), await statusFor(secrets.lost)], [200, 401], 'and at once those of the one restored');
ok(await until(async () => await shown('lost') === 0), 'after the restore it is not');
is([await shown('kept'), await shown('first')], [1, sizes[4]], 'what the copy held is served');
ok(!existsSync(`${db}.new`), 'the file has its name');
sqlite(db, insert('after'));
ok(await until(async () => await shown('after') === 1), 'and writes to the restored database are served');
is(run('check', '--db', db).status, 0, 'which is good');
is(await server.stop(), [], 'the server behaved');
await rm(folder, {recursive: true, force: true});
done();

// The commands import, imports, undo and export as processes: exit status, output, signals, and a server that runs on
// the same database. What becomes of rows is tested in tests/db/.

import {spawn, spawnSync} from 'node:child_process';
import {mkdtemp, readdir, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {program, start} from '../server_under_test.mjs';
import {done, is, ok, skip} from '../tap.mjs';
import {sleep, until} from '../wait.mjs';

const HEADER = 'gpu_slug,condition,currency,amount,market,observed_on,source,note\n';
const GOOD = `${HEADER}RTX 3090,used,USD,731.25,us,2026-11-20,shop,\n`;
const folder = await mkdtemp(path.join(tmpdir(), 'gpuwise-import-'));
const db = path.join(folder, 'test.db');

function run(...words) {
    const end = spawnSync(program, [...words, '--db', db], {cwd: folder, encoding: 'utf8', timeout: 120000});
    return {status: end.status, out: end.stdout, err: end.stderr};
}
function runInput(input, ...words) {
    const end = spawnSync(program, [...words, '--db', db], {cwd: folder, encoding: 'utf8', input, timeout: 120000});
    return {status: end.status, out: end.stdout, err: end.stderr};
}

try {
    await writeFile(path.join(folder, 'good.csv'), GOOD);
    await writeFile(path.join(folder, 'bad.csv'), `${GOOD}L4,new,USD,-1,us,2026-11-20,s,\nL4,new,USD,9,us,2199-01-01,s,\n`);

    // Reports and exit status.
    const tried = run('import', 'good.csv', '--dry-run', 'yes');
    is([tried.status, tried.err], [0, ''], 'a dry run says nothing on standard error, which is no terminal');
    is(tried.out, 'gpu_prices (gpuwise): 1 rows: 1 new, 0 known, 0 merged, 0 skipped, 0 held, 0 rejected\n' +
        'dry run: nothing was written\n', 'its report');
    is((await readdir(folder)).sort(), ['bad.csv', 'good.csv'], 'it makes no database');
    const made = run('token');
    is([made.status, made.err], [0, `gpuwise: made the new database ${db}\n`], 'a token makes one, and says so');
    is(run('import', '--dry-run', 'good.csv').out, tried.out, 'there it would be the same; a flag before the file');
    is(run('imports').out, '', 'it leaves no record');
    const elsewhere = spawnSync(program, ['import', 'good.csv'], {cwd: folder, encoding: 'utf8', timeout: 120000});
    is([elsewhere.status, elsewhere.stderr], [0, `gpuwise: made the new database ${path.join(folder, 'gpuwise.db')}\n`],
        'so does an import');
    await rm(path.join(folder, 'gpuwise.db'));
    const refused = run('import', 'bad.csv');
    is([refused.status, refused.err], [1, ''], 'a file with a bad row: exit status 1');
    is(refused.out.split('\n').slice(0, 2), ['rejected line 3, column amount: negative: "-1" is less than nothing',
        'rejected line 4, column observed_on: future-date: "2199-01-01" has not come yet'], 'which rows and why');
    const added = run('import', 'good.csv');
    ok(added.status === 0 && added.out.endsWith('import 1: undo it with gpuwise undo 1\n'), 'a good file is added');
    ok(run('import', 'good.csv').out.endsWith('unchanged: nothing to add\n'), 'and known afterwards');
    const piped = runInput(GOOD.replace('731.25', '700'), 'import', '-');
    ok(piped.status === 0 && piped.out.includes('1 new'), 'standard input is read as -');
    is(run('export', 'gpu_prices', '--own', 'yes').out, `${HEADER}nvidia-geforce-rtx-3090,used,USD,731.25,us,2026-11-20,shop,\n` +
        'nvidia-geforce-rtx-3090,used,USD,700,us,2026-11-20,shop,\n', 'export prints them');
    ok(/^ +2 .* gpu_prices +1 +\S+ +-\n +1 .* gpu_prices +1 +\S+ +good\.csv\n$/.test(run('imports').out), 'imports lists them');
    ok(run('undo', '2').out.startsWith('import 2 undone: 1 rows removed\nrows that a later file'), 'undo, and what it takes');
    const twice = run('undo', '2');
    ok(twice.status === 1 && /^gpuwise: import 2: was undone already, at 2/.test(twice.err), 'not twice');
    is(run('undo', 'two').status, 1, 'a number is asked for');
    is([run('export', 'gpu_price').status, run('import').status, run('import', 'none.csv').status], [2, 2, 2],
        'no such table, no file, no such file: exit status 2');
    const isFolder = run('import', folder);
    ok(isFolder.status === 2 && isFolder.err.includes('Is a directory'), 'a folder is no file');
    const foreign = runInput('a,b\n1,2\n', 'import', '-');
    ok(foreign.status === 1 && foreign.err.includes('a header of no format known'), 'a file of no format: exit status 1');

    // A server on the same file sees what is imported, and is not stopped by it.
    const server = await start({db});
    const seen = (wanted) => until(async () => {
        const card = await (await fetch(`${server.url}/gpus/nvidia-geforce-rtx-3090`)).json();
        return card.prices.some((price) => price.source === 'live') === wanted;
    }, {every: 200});
    const live = runInput(GOOD.replace('shop', 'live'), 'import', '-');
    ok(live.status === 0 && await seen(true), 'a running server answers with an imported price');
    run('undo', '3');
    ok(await seen(false), '... and without it once it is undone');
    is(await server.stop(), [], 'the server behaved');

    // Stopped half-way: nothing of it is there.
    if (process.platform === 'linux') {
        const before = run('export', 'gpu_prices').out;
        const child = spawn(program, ['import', '-', '--db', db], {cwd: folder, stdio: ['pipe', 'pipe', 'pipe']});
        let said = '';
        child.stderr.on('data', (text) => { said += text; });
        child.stdin.on('error', () => {});
        child.stdin.write(HEADER);
        for (let i = 0; i < 20000; i++) {
            child.stdin.write(`RTX 4090,new,USD,${1500 + i % 90}.${10 + i % 90},us,2026-11-20,shop ${i},\n`);
        }
        await sleep(1000);
        child.kill('SIGINT');
        const end = await new Promise((resolve) => child.once('close', (code, signal) => resolve({code, signal})));
        ok(end.signal === 'SIGINT' || end.code === 2, `SIGINT ends it: ${JSON.stringify(end)} ${said.trim()}`);
        is(run('export', 'gpu_prices').out === before, true, 'and no row of it is there');
        is((await readdir(folder)).filter((name) => !name.endsWith('.lock')).sort(), ['bad.csv', 'good.csv', 'test.db'],
            'nor any file');
    } else {
        skip('signals are tried on Linux');
    }
} finally {
    await rm(folder, {recursive: true, force: true});
}
done();

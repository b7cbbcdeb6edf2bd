// Runs the commands of README.md as written, on a copy of the tree, and compares answers and tables with the program.
//
//     node tests/readme/test_readme.mjs             the test
//     node tests/readme/test_readme.mjs --update    writes the answers and the settings into README.md
//
// Every ```sh block runs; a ```text block behind it is its answer. `make run` stays in the background. Targets that
// take minutes are only planned (make -n): they run elsewhere. Port 8080 is replaced by a free one.

import {execFileSync, spawn, spawnSync} from 'node:child_process';
import {cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:net';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {done, is, ok, skip} from '../tap.mjs';
import {sleep, until} from '../wait.mjs';

const BUILD_MS_MAX = 400000; // a whole build on a busy machine
const LONG_TARGETS = /^make (test|check|torture|bench|image|image-test|deps)$/m;
const top = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const readmePath = path.join(top, 'README.md');
const update = process.argv.includes('--update');
let readme = readFileSync(readmePath, 'utf8');

function copyTree() {
    const folder = mkdtempSync(path.join(tmpdir(), 'gpuwise-readme-'));
    const skipped = new Set(['.git', 'build', 'node_modules']);
    cpSync(top, folder, {recursive: true, preserveTimestamps: true, filter: (name) => !skipped.has(path.basename(name)) &&
        !/\.db(\W|$)/.test(path.basename(name))}); // databases that were left there are not the tree's
    const build = process.env.GPUWISE_BUILD ?? path.join(top, 'build');
    for (const part of ['gpuwise', 'libgpuwise.a', 'gen_embed', 'gen', 'handlers', 'db', 'server']) {
        if (existsSync(path.join(build, part))) { // what is built already need not be built again
            cpSync(path.join(build, part), path.join(folder, 'build', part), {recursive: true, preserveTimestamps: true});
        }
    }
    return folder;
}

function freePort() {
    return new Promise((resolve) => {
        const server = createServer().listen(0, '127.0.0.1', () => {
            const {port} = server.address();
            server.close(() => resolve(port));
        });
    });
}

async function answers(url, child) {
    const isReady = () => fetch(`${url}/readyz`).then((reply) => reply.ok, () => false);
    await until(async () => child.exitCode !== null || (await isReady()), {milliseconds: BUILD_MS_MAX, every: 200});
    return isReady();
}

const folder = copyTree();
const port = await freePort();
const environment = {...process.env, GPUWISE_LISTEN: `127.0.0.1:${port}`};
for (const name of ['MAKEFLAGS', 'MFLAGS', 'MAKELEVEL', 'MAKEOVERRIDES', 'BUILD', 'GPUWISE_BUILD', 'GPUWISE_DB']) {
    delete environment[name]; // what a make above this test has left
}
let server;
let recorder; // what curl gets is kept for the last test
let serverLog = '';
let askedPort = port;

/** Puts the recording proxy before the server. */
async function record() {
    recorder = spawn(process.execPath, [path.join(top, 'tests/recording_proxy.mjs'), port], {stdio: ['pipe', 'pipe', 'inherit']});
    askedPort = await new Promise((resolve) => recorder.stdout.once('data', (text) => resolve(Number(text))));
}

try {
    // Blocks in the order of the text; group 2 is the answer, if there is one.
    for (const [, command, , answer] of [...readme.matchAll(/^```sh\n([^]*?)^```\n(\n```text\n([^]*?)```\n)?/gm)]) {
        const name = command.trim().split('\n')[0];
        if (/^make run$/m.test(command)) {
            server = spawn('bash', ['-euc', command], {cwd: folder, env: environment, detached: true,
                stdio: ['ignore', 'pipe', 'pipe']});
            server.stdout.on('data', (text) => { serverLog += text; });
            server.stderr.on('data', (text) => { serverLog += text; });
            if (!ok(await answers(`http://127.0.0.1:${port}`, server), `${name} builds and serves`)) {
                console.log(serverLog.replace(/^/gm, '# '));
            }
            await record();
            continue;
        }
        const isLong = LONG_TARGETS.test(command);
        const run = spawnSync('bash', ['-euo', 'pipefail', '-c',
            isLong ? command.replace(/^make /gm, 'make -n ') : command.replaceAll(':8080', `:${askedPort}`)],
        {cwd: folder, env: environment, encoding: 'utf8', timeout: 60000});
        const hasRead = run.status === 23 && /\| head /.test(command); // curl's word for a reader that has seen enough
        if (!ok(run.status === 0 || hasRead, `${name} ${isLong ? 'is a target' : 'runs'}`)) {
            await sleep(300); // what the server has said of it comes in only now
            console.log(`status ${run.status} ${run.error ?? ''}\n${run.stdout}${run.stderr}\n${serverLog}`.replace(/^/gm, '# '));
        }
        if (answer === undefined) {
            continue;
        }
        const found = run.stdout.endsWith('\n') ? run.stdout : `${run.stdout}\n`;
        if (update) {
            readme = readme.replace(`${command}\`\`\`\n\n\`\`\`text\n${answer}\`\`\``, () => `${command}\`\`\`\n\n\`\`\`text\n${found}\`\`\``);
        } else if (/"rank"|^Which card to buy/.test(answer) && Date.now() > Date.parse('2027-03-01')) {
            skip('prices have aged since the answer was written down: node tests/readme/test_readme.mjs --update');
        } else {
            is(found, answer, 'and answers what README.md shows');
        }
    }

    // Figures: the tables that make accuracy and make fit have written.
    for (const file of ['score.txt', 'cross_validation.txt']) {
        const table = readFileSync(path.join(top, 'tests/accuracy', file), 'utf8');
        const [firstWord] = table.split(' ');
        const shown = new RegExp(`\`\`\`text\\n(${firstWord} [^]*?)\`\`\``);
        if (update) {
            readme = readme.replace(shown, () => `\`\`\`text\n${table}\`\`\``);
        } else {
            is(shown.exec(readme)?.[1], table, `README.md shows tests/accuracy/${file}`);
        }
    }

    // Settings: the rows of --help, which come from the table in server/config.c.
    const help = execFileSync(path.join(folder, 'build/gpuwise'), ['serve', '--help'], {encoding: 'utf8'});
    const rows = [...help.matchAll(/^ {2}(--\S+ \S+) +(.*)\n +(GPUWISE_\w+)(.*)$/gm)].map(([, flag, meaning, variable, rest]) =>
        `| \`${flag.replace('|', '\\|')}\` | \`${variable}\` | ${meaning}${rest.replace(', default', '; default')} |`);
    ok(rows.length > 3, '--help has settings');
    const table = /(\| flag \| variable \| meaning \|\n\| --- \| --- \| --- \|\n)((?:\|.*\n)*)/;
    if (update) {
        readme = readme.replace(table, (all, head) => `${head}${rows.join('\n')}\n`);
        writeFileSync(readmePath, readme);
    } else {
        is(table.exec(readme)?.[2].trim().split('\n'), rows, 'the table of settings is that of --help');
    }

    // The API: paths of the table and of the contract, which tests/handlers/test_contract.c holds equal to the routes.
    const routes = Object.keys(JSON.parse(readFileSync(path.join(top, 'static/openapi.json'), 'utf8')).paths).sort();
    const told = [...readme.matchAll(/`(?:GET|POST|DELETE) (\/[^` ]*)`/g)].map(([, route]) => route);
    is([...new Set(told)].sort(), routes, 'the table of paths is that of the contract');

    // Targets and files that are named are there; a * stands for the rest of a name, of one file at least.
    const isThere = (name) => (name.includes('*')
        ? readdirSync(path.join(top, path.dirname(name))).some((file) =>
            new RegExp(`^${path.basename(name).replaceAll('.', '[.]').replaceAll('*', '.*')}$`).test(file))
        : existsSync(path.join(top, name)));
    const targets = new Set([...readFileSync(path.join(top, 'Makefile'), 'utf8').matchAll(/^([a-z-]+):/gm)].map(([, name]) => name));
    is([...readme.matchAll(/\bmake ([a-z-]+)`/g)].map(([, name]) => name).filter((name) => !targets.has(name)), [],
        'every target that is named exists');
    is([...readme.matchAll(/`((?:server|handlers|db|static|migrations|tests)\/[^`<]*)`/g)].map(([, name]) => name)
        .filter((name) => !isThere(name)), [], 'every file that is named exists');
} finally {
    recorder?.stdin.end();
    if (server !== undefined && server.exitCode === null) {
        process.kill(-server.pid, 'SIGTERM');
        await new Promise((resolve) => server.once('close', resolve));
    }
    rmSync(folder, {recursive: true, force: true});
}
done();

// Starts the program under test on a free port of 127.0.0.1 with a new database, and stops it.
//
//     import {start} from '../server_under_test.mjs';
//     const server = await start();                 // or start({flags: ['--workers', '2'], allow: [/event=x/]})
//     await fetch(`${server.url}/readyz`);
//     const faults = await server.stop();           // [] when the server behaved
//
// The program is GPUWISE_PROGRAM, or build/gpuwise. A fault is a line on its stderr that is no logfmt event
// below level=warning (a sanitizer's report, a message of a library), or an exit status other than 0.

import {spawn} from 'node:child_process';
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {watch} from './record.mjs';

const START_MS_MAX = 60000; // a sanitized build on a busy machine
const STOP_MS_MAX = 30000;
const EVENT_LINE = /^(?=.*\bevent=)[a-z_]+=\S.*$/;
const TROUBLE_LINE = /\blevel=(error|warning|warn)\b/;

export const top = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
export const program = path.resolve(top, process.env.GPUWISE_PROGRAM ?? 'build/gpuwise');

/**
 * flags: more arguments of `serve`; env: more environment; db: a database to use, which is then not removed; port: not any;
 * allow: regular expressions of stderr lines that the test expects although they would be faults.
 */
export async function start({flags = [], env = {}, db, port = 0, allow = []} = {}) {
    const folder = await mkdtemp(path.join(tmpdir(), 'gpuwise-test-'));
    const file = db ?? path.join(folder, 'test.db');
    const child = spawn(program, ['serve', '--listen', `127.0.0.1:${port}`, '--db', file, ...flags],
        {cwd: folder, env: {...process.env, ...env}, stdio: ['ignore', 'ignore', 'pipe']});
    const log = [];
    const ended = new Promise((resolve) => {
        child.once('error', (error) => resolve({error: error.message}));
        child.once('close', (code, signal) => resolve({code, signal}));
    });
    const listening = new Promise((resolve) => {
        let rest = '';
        child.stderr.setEncoding('utf8');
        child.stderr.on('data', (text) => {
            const lines = (rest + text).split('\n');
            rest = lines.pop();
            for (const line of lines) {
                log.push(line);
                const found = /\bevent=listening\b.*\baddress="?([0-9.]+:\d+)/.exec(line);
                if (found !== null) {
                    resolve(found[1]);
                }
            }
        });
        child.stderr.on('end', () => rest !== '' && log.push(rest));
    });
    const address = await Promise.race([listening, ended, patience(START_MS_MAX)]);
    if (typeof address !== 'string') {
        child.kill('SIGKILL');
        await rm(folder, {recursive: true, force: true});
        throw new Error(`${program} did not start: ${JSON.stringify(address)}\n${log.join('\n')}`);
    }

    watch(Number(address.split(':')[1]));
    return {
        url: `http://${address}`,
        port: Number(address.split(':')[1]),
        pid: child.pid,
        db: file,
        log,
        /** Ends the server with SIGTERM; answers the list of its faults, best compared with []. */
        async stop() {
            child.kill('SIGTERM');
            const end = await Promise.race([ended, patience(STOP_MS_MAX)]);
            const faults = log.filter((line) => line !== '' && (!EVENT_LINE.test(line) || TROUBLE_LINE.test(line)) &&
                !allow.some((pattern) => pattern.test(line)));
            if (end === undefined) {
                child.kill('SIGKILL');
                faults.push(`did not end within ${STOP_MS_MAX} ms of SIGTERM`);
            } else if (end.code !== 0) {
                faults.push(`ended with ${JSON.stringify(end)} instead of exit status 0`);
            }
            await rm(folder, {recursive: true, force: true});
            return faults;
        },
    };
}

/** Resolves with undefined after so many milliseconds, and keeps no process alive for it. */
function patience(milliseconds) {
    return new Promise((resolve) => {
        setTimeout(resolve, milliseconds).unref();
    });
}

// The log as JSON: the same events and keys as logfmt, one object a line.

import {spawn} from 'node:child_process';
import {mkdtemp, rm} from 'node:fs/promises';
import net from 'node:net';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {program} from '../server_under_test.mjs';
import {done, is, ok} from '../tap.mjs';
import {until} from '../wait.mjs';

const folder = await mkdtemp(path.join(tmpdir(), 'gpuwise-log-'));
const child = spawn(program, ['serve', '--listen', '127.0.0.1:0', '--db', path.join(folder, 't.db'), '--workers', '1',
    '--log-format', 'json'], {stdio: ['ignore', 'ignore', 'pipe']});
const lines = [];
const ended = new Promise((resolve) => child.once('close', resolve));
const address = await new Promise((resolve) => {
    let rest = '';
    child.stderr.setEncoding('utf8').on('data', (text) => {
        const parts = (rest + text).split('\n');
        rest = parts.pop();
        lines.push(...parts);
        const listening = lines.map((line) => JSON.parse(line)).find(({event}) => event === 'listening');
        if (listening !== undefined) {
            resolve(listening.address);
        }
    });
    child.once('close', () => resolve(undefined));
});
await fetch(`http://${address}/gpus/rtx-3090?currency=USD`, {headers: {authorization: 'Bearer not-to-be-seen'}});
await fetch(`http://${address}/a%22b`);
for (const method of ['"A', 'A","event":"x', '\x01', 'G\x1b[2JT', 'G\xe9T', 'A\\']) {
    await new Promise((resolve) => {
        const socket = net.connect(address.split(':')[1], '127.0.0.1', () => socket.write(
            `${method} /odd HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`, 'latin1'));
        socket.on('error', () => {}).on('close', resolve).resume();
    });
}
await until(() => lines.filter((line) => line.includes('"request"')).length >= 8); // written together, ten times a second
child.kill('SIGTERM');
is(await ended, 0, 'it serves and ends');

const events = lines.map((line) => JSON.parse(line));
is(events.map(({event}) => event), ['listening', ...Array(8).fill('request'), 'stopping', 'stopped'],
    'an object for each event');
is(events.filter(({path}) => path === '/odd').map(({method}) => method), ['?A', 'A???event???x', '?', 'G???JT', 'G?T', 'A?'],
    'a method that is no word is written as one');
ok(events.every(({ts, level}) => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(ts) && level === 'info'), 'with its time and level');
const [, one, two] = events;
is(Object.keys(one), ['ts', 'level', 'event', 'id', 'method', 'route', 'path', 'status', 'bytes', 'us', 'worker'],
    'the keys of a request');
is([one.method, one.route, one.path, one.status, one.worker], ['GET', '/gpus/{id}', '/gpus/rtx-3090', 200, 0],
    'numbers are numbers, the route is its template');
is([two.route, two.path, two.status], ['none', '/a%22b', 404], 'no route');
ok(one.id !== two.id && one.id.split('-')[0] === two.id.split('-')[0], 'each request has its own id');
ok(typeof events[0].revision === 'string' && events[0].workers === 1, 'a revision is text whatever its digits');
ok(!lines.join('\n').includes('not-to-be-seen'), 'no secret is in the log');
await rm(folder, {recursive: true, force: true});
done();

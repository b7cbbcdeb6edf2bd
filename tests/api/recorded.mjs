// The last test: every reply that the tests before it got from the program, held to the contract. tests/record.mjs and
// tests/handlers/record.h keep them in the folder GPUWISE_EXCHANGES; with GPUWISE_EXCHANGES_COMPLETE=1 every test has
// run, and a success that no test has seen is a fault too.

import {createHash} from 'node:crypto';
import {createReadStream, readdirSync} from 'node:fs';
import path from 'node:path';
import {createInterface} from 'node:readline';
import {createGunzip} from 'node:zlib';
import {at, contract, judge, methodsOf, operationOf, step} from './contract.mjs';
import {done, is, ok, skip} from '../tap.mjs';

const FAULTS_SHOWN = 30;

/** Counts by "METHOD /path status", faults as text, and how many replies there were. */
class Record {
    counts = new Map();
    faults = [];
    faultCount = 0;
    total = 0;
    judged = new Set();

    take(exchange) {
        const {test, ...reply} = exchange;
        const operation = operationOf(reply.method, reply.target);
        const name = operation?.operation === undefined ? 'refused' : operation.name;
        const key = `${name} ${reply.status}`;
        const hash = createHash('sha1').update(JSON.stringify(reply)).digest('base64');
        this.total += 1;
        this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
        if (this.judged.has(hash)) {
            return;
        }
        this.judged.add(hash);
        const faults = judge(reply);
        this.faultCount += faults.length > 0 ? 1 : 0;
        if (faults.length > 0 && this.faults.length < FAULTS_SHOWN) {
            this.faults.push(`${test}: ${reply.method} ${reply.target.slice(0, 120)} ${reply.status}: ${faults.join('; ').slice(0, 400)}`);
        }
    }

    /** Successes that are declared and were never seen. */
    unseen() {
        return Object.keys(contract.paths).flatMap((template) => methodsOf(template).flatMap((method) =>
            Object.keys(at(step(step('#/paths', template), method.toLowerCase())).value.responses)
                .filter((status) => status < '300').map((status) => `${method} ${template} ${status}`)))
            .filter((key) => !this.counts.has(key));
    }
}

// What is planted is found: a right reply, and everything that can be wrong with it.
const RIGHT = {test: 'planted', method: 'GET', target: '/healthz', status: 200, body: '{"status":"alive"}',
    headers: {'content-type': 'application/json', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff'}};
const WRONG = {
    'a status that is not declared': {...RIGHT, status: 202},
    'an address that is not declared': {...RIGHT, target: '/health'},
    'a method that is not declared': {...RIGHT, method: 'PUT'},
    'a header that is not declared': {...RIGHT, headers: {...RIGHT.headers, 'x-powered-by': 'y'}},
    'a header with another value': {...RIGHT, headers: {...RIGHT.headers, 'cache-control': 'public'}},
    'a header that is missing': {...RIGHT, headers: {'content-type': 'application/json', 'cache-control': 'no-store'}},
    'a media type that is not declared': {...RIGHT, headers: {...RIGHT.headers, 'content-type': 'text/plain'}},
    'a body with another value': {...RIGHT, body: '{"status":"well"}'},
    'a body with a member more': {...RIGHT, body: '{"status":"alive","x":1}'},
    'a body without a member': {...RIGHT, body: '{}'},
    'a body that is no JSON': {...RIGHT, body: '{"status":"alive"'},
    'a body where there is none': {...RIGHT, method: 'HEAD'},
    'an Allow that leaves a method out': {...RIGHT, method: 'PUT', status: 405, body: '{"type":"urn:gpuwise:problem:method-not-allowed","title":"x","status":405}',
        headers: {...RIGHT.headers, 'content-type': 'application/problem+json', allow: 'GET, HEAD'}},
    'a parameter that is not declared': {...RIGHT, target: '/models/x?colour=red'},
};
const planted = new Record();
planted.take(RIGHT);
is(planted.faults, [], 'a right reply is right');
for (const [name, exchange] of Object.entries(WRONG)) {
    const before = planted.faultCount;
    planted.take(exchange);
    is(planted.faultCount, before + 1, `${name} is found`);
}
ok(planted.unseen().includes('GET /gpus 200') && !planted.unseen().includes('GET /healthz 200'), 'what was not seen is known');

const folder = process.env.GPUWISE_EXCHANGES;
if (folder === undefined) {
    skip('GPUWISE_EXCHANGES names no folder: nothing was kept');
} else {
    const record = new Record();
    for (const file of readdirSync(folder).filter((name) => /[.]jsonl([.]gz)?$/.test(name)).sort()) {
        const bytes = createReadStream(path.join(folder, file));
        const input = file.endsWith('.gz') ? bytes.pipe(createGunzip()) : bytes;
        for await (const line of createInterface({input, crlfDelay: Infinity})) {
            record.take(JSON.parse(line));
        }
    }
    for (const [key, count] of [...record.counts].sort()) {
        console.log(`# ${String(count).padStart(6)} ${key}`);
    }
    is(record.faults, [], `${record.total} replies, ${record.judged.size} different ones, keep the contract; ${record.faultCount} do not`);
    if (process.env.GPUWISE_EXCHANGES_COMPLETE === '1') {
        is(record.unseen(), [], 'every success that is declared was seen');
    } else {
        skip('not every test has run: what was not seen is not told');
    }
}
done();

// Long load: random questions, good and bad, over many connections for LOAD_SECONDS (600), while the server runs under
// the sanitizers. TAP. No answer may be a 5xx or broken JSON, memory must level out, and the server must stop cleanly.

import {readFileSync} from 'node:fs';
import {start} from '../server_under_test.mjs';
import {done, is, ok} from '../tap.mjs';

const SECONDS = Number(process.env.LOAD_SECONDS ?? 600);
const CLIENTS = 16;
const MEMORY_GROWTH_MAX = 1.5; // of the second half over the first: caches are full by then

const PATHS = ['/recommend', '/recommend', '/recommend', '/estimate', '/gpus', '/gpus/rtx-3090', '/models', '/tiers', '/cloud', '/nothing'];
const VALUES = {
    task: ['learn', 'train', 'finetune', 'lora', 'qlora', 'inference'],
    domain: ['general', 'nlp', 'llm', 'vision', 'video', 'medical-imaging', 'speech', 'diffusion', 'tabular'],
    model: ['llama-3.1-8b', '7b', '70b', 'bert-base-uncased', 'resnet-50', 'nothing'],
    quant: ['fp32', 'bf16', 'fp16', 'int8', 'nf4', 'q4_k_m', 'mxfp4'],
    gpu: ['rtx-3090', 'a100', 'rtx-4090', 'h100'],
    budget: ['0', '400', '1000', '5000', '1e9', 'NaN', '-1', '1,000'],
    currency: ['USD', 'EUR', 'CNY', 'ABC'],
    max_gpus: ['1', '2', '8', '9'],
    context: ['1', '4096', '131072', '99999999999999999999'],
    batch: ['1', '64', '0'],
    prefer: ['balanced', 'value', 'speed'],
    explain: ['none', 'near', 'all'],
    lang: ['en', 'zh'],
    q: ['rtx', '%FF', '%00', '%E4%B8%AD', '%'],
    limit: ['1', '100', '501'],
};

// A generator of our own (xorshift32), so that a seed repeats the run.
let state = Number(process.env.LOAD_SEED ?? Date.now() % 4294967295) | 1;
const first = state;
function pick(list) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return list[(state >>> 0) % list.length];
}

function question() {
    const count = pick([0, 1, 2, 3, 5, 8]);
    const pairs = Array.from({length: count}, () => pick(Object.keys(VALUES))).map((name) => `${name}=${pick(VALUES[name])}`);
    return `${pick(PATHS)}?${pairs.join('&')}`;
}

function residentKib(pid) {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]);
}

const server = await start({flags: ['--access-log', 'no']});
const end = Date.now() + SECONDS * 1000;
const wrong = [];
let count = 0;
const memory = [];

async function client() {
    while (Date.now() < end) {
        const target = question();
        try {
            const reply = await fetch(server.url + target, {redirect: 'manual', signal: AbortSignal.timeout(60000)});
            const text = await reply.text();
            if (reply.status >= 500) {
                wrong.push(`${reply.status} for ${target}`);
            }
            JSON.parse(text);
        } catch (error) {
            wrong.push(`${error.message} for ${target}`);
        }
        count += 1;
    }
}
const clock = setInterval(() => memory.push(residentKib(server.pid)), SECONDS * 1000 / 20);
await Promise.all(Array.from({length: CLIENTS}, client));
clearInterval(clock);

ok(count > SECONDS, `${count} questions in ${SECONDS} s (seed ${first})`);
is(wrong.slice(0, 10), [], 'every answer is whole JSON and none is a 5xx');
const half = Math.floor(memory.length / 2);
const before = Math.max(...memory.slice(0, half));
const after = Math.max(...memory.slice(half));
ok(after < before * MEMORY_GROWTH_MAX, `memory levels out: ${before} KiB, then ${after} KiB`);
is(await server.stop(), [], 'the server behaved');
done();

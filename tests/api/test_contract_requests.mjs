// Requests made from the contract: thousands of combinations of valid values are answered or refused as a combination,
// a value beyond the contract is refused by name, and every reply keeps the contract. The sequence is fixed;
//
//     SEED=1 RUNS=5000 node tests/api/test_contract_requests.mjs       asks others
//     SEED=... REPLAY=12:3:1 ...                                       asks again what failed, as a failure prints it

import fc from 'fast-check';
import {judge, parametersOf, questions} from './contract.mjs';
import {start} from '../server_under_test.mjs';
import {done, is, ok} from '../tap.mjs';

const SEED = Number(process.env.SEED ?? 20261130);
const RUNS = Number(process.env.RUNS ?? 60);
const MOST_PARAMETERS = 12;
const WORDS = {gpu: ['rtx-3090', 'k80', 'mi300x', 'rtx-5090', 'nvidia-tesla-t4'], own: ['rtx-2080-ti', 'rtx-3060-12gb'],
    model: ['7b', '500m', 'llama-3.1-8b', 'resnet-50', 'gpt2', 'deepseek-v3', 'whisper-large-v3'], id: ['rtx-4090', 'mi100', 'l4']};
const GPUS = ['rtx-3090', 'rtx-4090', 'k80', 'mi100', 'b580', 'a10', 'l40s', 'rtx-2060-12gb'];
// What only a value that does not keep its schema is told.
const BAD_VALUE = /^must be (one of|a (whole )?number|a country|card:amount|plugs|ignore)|^is (no parameter|empty|given)/;
const PROBLEM = 'application/problem+json'; // other forms say the same to people
const server = await start();

function decimal(minimum, maximum) {
    const low = Math.ceil(minimum * 100);
    const cents = fc.integer({min: low, max: Math.min(maximum * 100, Number.MAX_SAFE_INTEGER)});
    const small = fc.integer({min: low, max: Math.min(maximum * 100, low + 200000)});
    return fc.oneof(fc.constantFrom(minimum, maximum), small.map((value) => value / 100), cents.map((value) => value / 100));
}

function whole(minimum, maximum) {
    return fc.oneof(fc.constantFrom(minimum, maximum), fc.integer({min: minimum, max: Math.min(maximum, minimum + 5000)}),
        fc.integer({min: minimum, max: maximum}));
}

/** Values of a parameter that keep its schema. */
function valid({name, schema, example}) {
    if (name === 'prices') {
        return fc.uniqueArray(fc.constantFrom(...GPUS), {minLength: 1, maxLength: 8})
            .chain((gpus) => fc.tuple(...gpus.map((gpu) => decimal(0.01, 1e5).map((amount) => `${gpu}:${amount}`))))
            .map((pieces) => pieces.join(','));
    }
    if (schema.type === 'array') {
        return fc.uniqueArray(fc.constantFrom(...schema.items.enum ?? GPUS), {minLength: schema.minItems, maxLength: schema.maxItems ?? 9})
            .map((words) => words.join(','));
    }
    if (schema.enum !== undefined) {
        return fc.constantFrom(...schema.enum);
    }
    return schema.type === 'integer' ? whole(schema.minimum, schema.maximum)
        : schema.type === 'number' ? decimal(schema.minimum, schema.maximum) : fc.constantFrom(String(example), ...WORDS[name] ?? []);
}

/** Values that do not. */
function invalid({schema}) {
    const never = fc.constantFrom('', '\u00a7', '%', '-1');
    if (schema.type !== 'integer' && schema.type !== 'number') {
        return schema.enum === undefined && schema.items?.enum === undefined ? fc.constant('') : never;
    }
    const odd = fc.constantFrom('NaN', 'Infinity', '0x10', '1,000', ' 1', '1 ', '+1', '１', '1.', '.5', `${schema.maximum}0`, `-${schema.maximum}`);
    return fc.oneof(never, odd, schema.type === 'integer' ? fc.constant('1.5') : never);
}

/** Some of the parameters with values, the required ones always: {name: value}. */
function valuesOf(parameters) {
    const required = parameters.filter((one) => one.required);
    return fc.subarray(parameters.filter((one) => !one.required), {maxLength: Math.min(MOST_PARAMETERS, parameters.length - required.length)})
        .chain((chosen) => fc.record(Object.fromEntries([...required, ...chosen].map((one) => [one.name, valid(one)]))));
}

async function send(template, values, init) {
    const {path, ...rest} = values;
    const target = `${template.replace('{id}', encodeURIComponent(path ?? ''))}?${new URLSearchParams(rest)}`;
    const reply = await fetch(server.url + target, init);
    const body = await reply.text();
    const exchange = {method: init?.method ?? 'GET', target, status: reply.status, body, headers: Object.fromEntries(reply.headers)};
    const faults = judge(exchange);
    if (faults.length > 0) {
        throw new Error(`${exchange.method} ${target} ${reply.status}: ${faults.join('; ')}`);
    }
    return {...exchange, errors: reply.status === 400 && exchange.headers['content-type'] === PROBLEM ? JSON.parse(body).errors : []};
}

async function holds(name, arbitrary, predicate, runs = RUNS) {
    const found = await fc.check(fc.asyncProperty(arbitrary, predicate),
        {seed: SEED, numRuns: runs, path: process.env.REPLAY, endOnFailure: process.env.REPLAY !== undefined});
    ok(!found.failed, `${name}: ${found.numRuns} requests`);
    if (found.failed) {
        console.log(`# SEED=${found.seed} REPLAY=${found.counterexamplePath} ${JSON.stringify(found.counterexample)}\n# ${found.error}`.slice(0, 2000));
    }
}

for (const template of questions()) {
    const declared = parametersOf(template, 'GET').map(({value}) => value);
    const parameters = declared.filter((one) => one.in === 'query' && one.name !== 'cursor'); // good for one list only
    const paths = template.includes('{id}') ? fc.constantFrom(...template.startsWith('/models') ? WORDS.model.slice(2) : WORDS.id) : fc.constant('');
    let answered = 0;
    await holds(`${template}, valid values`, fc.tuple(valuesOf(parameters), paths), async ([values, path]) => {
        const reply = await send(template, {...values, path});
        answered += reply.status === 200 ? 1 : 0;
        const isCombination = reply.status === 400 && (reply.errors.length > 0 || 'format' in values) && reply.errors.every(({parameter, detail}) =>
            parameter in values && !BAD_VALUE.test(detail));
        if (reply.status !== 200 && !isCombination) {
            throw new Error(`${reply.target} ${reply.status}: ${reply.body.slice(0, 600)}`);
        }
    });
    ok(answered >= RUNS / 20, `${template}: ${answered} of them were answered with 200`);
    const bad = fc.constantFrom(...parameters).chain((one) => fc.tuple(valuesOf(parameters.filter(({name}) => name !== 'format')), fc.constant(one.name), invalid(one)));
    await holds(`${template}, one value beyond the contract`, fc.tuple(bad, paths), async ([[values, name, value], path]) => {
        const reply = await send(template, {...values, path, [name]: value});
        if (reply.status !== 400 || !reply.errors.some((error) => error.parameter === name)) {
            throw new Error(`${reply.target} ${reply.status}: ${name} is not named: ${reply.body.slice(0, 600)}`);
        }
    });
}

// A posted model of any sizes: understood, or refused by what is wrong with it.
const size = (most) => fc.oneof(fc.integer({min: 1, max: most}), fc.constantFrom(0, -1, 1.5, null, 'x', 1e300));
const config = fc.record({model_type: fc.constantFrom('llama', 'gpt2', 'bert', 'vit', 'mixtral', 'qwen2', 'nothing'),
    hidden_size: fc.oneof({weight: 3, arbitrary: fc.constantFrom(768, 2048, 4096)}, {weight: 1, arbitrary: size(65536)}),
    num_hidden_layers: fc.oneof({weight: 3, arbitrary: fc.constantFrom(12, 32)}, {weight: 1, arbitrary: size(400)}),
    num_attention_heads: fc.constantFrom(12, 16, 32), num_key_value_heads: fc.constantFrom(4, 8), intermediate_size: size(300000),
    vocab_size: fc.oneof({weight: 3, arbitrary: fc.constant(32000)}, {weight: 1, arbitrary: size(1000000)}), tie_word_embeddings: fc.boolean(),
    quantization_config: fc.anything({maxDepth: 2})}, {requiredKeys: ['model_type']});
const KNOWN = new Set(parametersOf('/estimate', 'POST').map(({value}) => value.name)); // what is wrong is in the body
const posted = new Map();
await holds('POST /estimate', config, async (body) => {
    const reply = await send('/estimate', {gpu: 'rtx-4090'}, {method: 'POST', body: JSON.stringify(body), headers: {'Content-Type': 'application/json'}});
    posted.set(reply.status, (posted.get(reply.status) ?? 0) + 1);
    if (reply.status !== 200 && !reply.errors.every((error) => error.parameter === 'body' || !KNOWN.has(error.parameter))) {
        throw new Error(`${reply.status}: ${reply.body.slice(0, 600)}`);
    }
}, 4 * RUNS);
ok(posted.has(200) && posted.has(400), `POST /estimate: ${JSON.stringify([...posted])}`);
is(await server.stop(), [], 'the server behaved');
done();

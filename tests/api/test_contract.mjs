// The contract against the running program: methods by OPTIONS and by refusal, every parameter with its example, its
// choices, the ends of its range and what lies beyond them, the names each address knows, defaults, and the examples.

import {spawnSync} from 'node:child_process';
import {contract, judge, methodsOf, parametersOf, questions} from './contract.mjs';
import {program, start} from '../server_under_test.mjs';
import {done, is, ok} from '../tap.mjs';

const server = await start();
// A question to which a parameter can be added, and what some parameters need beside them to mean anything.
const BASE = {'/deal': {gpu: 'rtx-4080', price: '800'}, '/compare': {gpus: 'rtx-3090,rtx-4090'},
    '/gpus/{id}': {}, '/models/{id}': {}};
const IDS = {'/gpus/{id}': '/gpus/rtx-3090', '/models/{id}': '/models/llama-2-7b'};
const INFERENCE = {task: 'inference', model: '7b'};
const TRAINING = {task: 'finetune', model: '7b'};
const ADAPTER = {task: 'lora', model: '7b'};
const NETWORK = {task: 'train', model: 'resnet-50'};
const BESIDE = {kv_dtype: INFERENCE, context: {task: 'inference', domain: 'llm'}, users: INFERENCE, backend: INFERENCE,
    min_tokens_per_s: INFERENCE, quant: INFERENCE, optimizer: TRAINING, checkpointing: TRAINING, seq_len: {task: 'train', domain: 'llm'},
    master_weights: TRAINING, train_tokens: TRAINING, lora_rank: ADAPTER, lora_targets: ADAPTER, runtime: INFERENCE,
    resolution: NETWORK, samples: NETWORK, spot_interruptions_per_day: {checkpoint_hours: '1'}, gpus: {gpu: 'rtx-4090'}};

/** A strategy is about several cards, and single about one. */
function more(template, name, value) {
    return template === '/estimate' && name === 'strategy' && value !== 'single' ? {gpus: '2'} : {};
}

function query(values) {
    return new URLSearchParams(values).toString().replaceAll('%2C', ',').replaceAll('%3A', ':');
}

async function ask(template, values, method = 'GET') {
    const target = `${IDS[template] ?? template}?${query(values)}`;
    const reply = await fetch(server.url + target, {method});
    const body = await reply.text();
    const errors = reply.status === 400 ? JSON.parse(body).errors : [];
    return {status: reply.status, target, errors, body, headers: Object.fromEntries(reply.headers)};
}

function textOf(value) {
    return Array.isArray(value) ? value.join(',') : String(value);
}

for (const template of Object.keys(contract.paths)) {
    const target = template.replace('{hash}/{name}', '0/x').replace('{id}', 'rtx-3090');
    const allow = (await fetch(server.url + target, {method: 'OPTIONS'})).headers.get('allow');
    is(allow.split(', ').sort(), methodsOf(template).sort(), `OPTIONS ${template}: the methods declared`);
    for (const method of ['POST', 'DELETE', 'PUT', 'PATCH'].filter((one) => !methodsOf(template).includes(one))) {
        const reply = await fetch(server.url + target, {method});
        is([reply.status, reply.headers.get('allow')], [405, allow], `${method} ${template}: refused`);
    }
}

const TEMPLATES = questions();
const inQuery = (template) => parametersOf(template, 'GET').map(({value}) => value).filter((one) => one.in === 'query');
const everyName = new Set(TEMPLATES.flatMap((template) => inQuery(template).map((one) => one.name)));

for (const template of TEMPLATES) {
    const parameters = inQuery(template);
    const known = new Set(parameters.map((one) => one.name));
    const unknown = [];
    for (const name of everyName) {
        const {errors} = await ask(template, {[name]: '\u00a7'});
        unknown.push(...errors.filter((error) => /^is no parameter/.test(error.detail)).map((error) => error.parameter));
    }
    is(unknown.sort(), [...everyName].filter((name) => !known.has(name)).sort(), `${template} knows the names declared and no other`);

    for (const {name, schema, example, required} of parameters) {
        const label = `${template} ${name}`;
        const beside = {...BASE[template], ...Object.fromEntries(Object.entries(BESIDE[name] ?? {}).filter(([other]) => known.has(other)))};
        const items = schema.items ?? schema;
        const next = name === 'cursor' ? JSON.parse((await ask(template, {limit: 5})).body).page.next : undefined; // of this list only
        const good = [next ?? textOf(example), ...(items.enum ?? []), ...['minimum', 'maximum'].filter((end) => end in schema).map((end) => schema[end])];
        const refused = [];
        for (const value of good) {
            const reply = await ask(template, {...beside, ...more(template, name, value), [name]: value});
            const faults = judge({method: 'GET', ...reply});
            if (reply.status !== 200 || faults.length > 0) {
                refused.push(`${value}: ${reply.errors.map((error) => `${error.parameter} ${error.detail}`)} ${faults}`);
            }
        }
        is(refused, [], `${label}: its example, choices and ends are taken`);
        const bad = schema.type === 'number' || schema.type === 'integer'
            ? [schema.minimum - 1, 2 * schema.maximum + 1, 'x', ''] : items.enum !== undefined ? ['x\u00a7', ''] : [''];
        for (const value of bad) {
            const reply = await ask(template, {...beside, [name]: value});
            const own = reply.errors.filter((error) => error.parameter === name);
            ok(reply.status === 400 && own.length === 1, `${label}=${value}: refused by name`);
            const range = / from (\S+) to ([^,\s]+),/.exec(own[0]?.detail);
            if (range !== null && value !== '') {
                is([/whole/.test(own[0].detail), Number(range[1]), Number(range[2])],
                    [schema.type === 'integer', schema.minimum, schema.maximum], `${label}: the range told is that declared`);
            }
            const words = / one of ([^:;]*)$/.exec(own[0]?.detail);
            if (words !== null && value !== '' && items.enum !== undefined) {
                is(words[1].split(', ').filter((word) => !word.includes(' ')).sort(), items.enum.filter((word) => !word.startsWith('-')).sort(), `${label}: the choices told are those declared`);
            }
        }
        if (required) {
            const {[name]: left, ...rest} = beside;
            ok((await ask(template, rest)).errors.some((error) => error.parameter === name), `${label}: cannot be left out`);
        }
        if (schema.default !== undefined) {
            const answer = JSON.parse((await ask(template, BASE[template] ?? {})).body);
            const found = answer.query?.[name] ?? answer.page?.[name];
            ok(found === undefined || found === schema.default, `${label}: the default is ${found}`);
        }
    }
}

// What is for the holder of a token, with one: the same of its parameters, and HEAD.
const secret = spawnSync(program, ['token', '--db', server.db], {encoding: 'utf8'}).stdout.trim();
const PRICE = contract.components.examples.price.value;
const BODIES = {'/prices': ['application/json', JSON.stringify(PRICE)],
    '/imports': ['text/csv', `gpu_slug,condition,currency,amount,market,observed_on,source,note\n${Object.values(PRICE)},\n`]};

async function askAsHolder(template, method, values, path = template) {
    const [type, body] = method === 'POST' ? BODIES[template] : [];
    const target = `${path}?${query(values)}`;
    const reply = await fetch(server.url + target, {method, body, headers: {Authorization: `Bearer ${secret}`, ...type && {'Content-Type': type}}});
    const text = await reply.text();
    const exchange = {method, target, status: reply.status, body: text, headers: Object.fromEntries(reply.headers)};
    return {...exchange, faults: judge(exchange), errors: reply.status === 400 ? JSON.parse(text).errors : []};
}

const entered = await askAsHolder('/prices', 'POST', {});
is([entered.status, entered.faults], [201, []], 'POST /prices as in the example: 201');
for (const path of ['/imports', entered.headers.location]) {
    const reply = await askAsHolder('/imports', 'HEAD', {}, path);
    is([reply.status, reply.faults], [200, []], `HEAD ${path}`);
}
for (const [template, method] of [['/prices', 'POST'], ['/imports', 'POST'], ['/imports', 'GET']]) {
    for (const {value: {name, schema, example}} of parametersOf(template, method).filter(({value}) => value.name !== 'format')) {
        const label = `${method} ${template} ${name}`;
        for (const value of [example, ...schema.enum ?? [], ...['minimum', 'maximum'].filter((end) => end in schema).map((end) => schema[end])]) {
            const {status, faults, body} = await askAsHolder(template, method, {[name]: value});
            ok([200, 201].includes(status) && faults.length === 0, `${label}=${value}: ${status} ${faults} ${status > 201 ? body : ''}`);
        }
        for (const value of ['', ...schema.enum !== undefined ? ['x'] : schema.type === 'integer' ? [schema.minimum - 1, 'x'] : []]) {
            const {status, errors} = await askAsHolder(template, method, {[name]: value});
            ok(status === 400 && errors.some((error) => error.parameter === name), `${label}=${value}: refused by name`);
        }
    }
    const {status, errors} = await askAsHolder(template, method, {colour: 'red'});
    is([status, errors[0]?.parameter], [400, 'colour'], `${method} ${template}: an unknown parameter`);
}
is((await askAsHolder('/imports/{id}', 'DELETE', {}, entered.headers.location)).faults, [], 'DELETE keeps the contract');

/** The names of an answer's members and the kinds of their values, however many rows it has. */
function shapeOf(value) {
    if (Array.isArray(value)) {
        return value.length === 0 ? [] : [shapeOf(value[0])];
    }
    return value === null || typeof value !== 'object' ? typeof value
        : Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOf(member)]));
}

for (const [name, {summary, value}] of Object.entries(contract.components.examples)) {
    const [, method, target] = /^(GET|PUT) (\/\S*)$/.exec(summary) ?? [];
    if (target !== undefined) {
        const reply = await fetch(server.url + target, {method});
        is(shapeOf(await reply.json()), shapeOf(value), `the example ${name} has the shape of the answer`);
    }
}
is(await server.stop(), [], 'the server behaved');
done();

// Every sentence of every answer in both languages: the same codes, Chinese that is Chinese, Content-Language that is true.
import {spawnSync} from 'node:child_process';
import net from 'node:net';

import {program, start} from '../server_under_test.mjs';
import {done, is, ok} from '../tap.mjs';

const server = await start();
const CONFIG = JSON.stringify({model_type: 'llama', hidden_size: 4096.5, num_hidden_layers: 32});

/** The reply to a target in a language, asked for by lang= or by Accept-Language. */
async function ask([target, options = {}], language, byHeader) {
    const address = byHeader ? target : `${target}${target.includes('?') ? '&' : '?'}lang=${language}`;
    const reply = await fetch(server.url + address,
        {...options, headers: {...options.headers, 'Accept-Language': byHeader ? language : 'fr'}});
    return {status: reply.status, language: reply.headers.get('content-language'), vary: reply.headers.get('vary'),
        json: await reply.json()};
}

/** Every sentence in a document as [path, text], and every code beside one. */
function sentencesIn(node, at = '') {
    if (node === null || typeof node !== 'object') {
        return [];
    }
    return Object.entries(node).flatMap(([name, value]) =>
        ['text', 'title', 'detail', 'label'].includes(name) && typeof value === 'string'
            ? [[`${at}${name}`, value]] : sentencesIn(value, `${at}${name}.`));
}
const codesIn = (node) => JSON.stringify(node, (name, value) =>
    (['text', 'title', 'detail', 'label', 'lang'].includes(name) ? undefined : value));

const hasHan = (text) => /\p{Script=Han}/u.test(text);
/* What is the same in both: names of frameworks as labels of a comparison; and what the JSON parser says. */
const SAME = /^(ECC|PyTorch|TensorFlow|JAX|llama\.cpp)$|^(body：)?不是 JSON：/;
/* Half-width marks beside Chinese; a blank beside a full-width mark; Chinese glued to Latin letters or digits. */
const UGLY = /\p{Script=Han}[,;:!?"']|[,;:!?"']\p{Script=Han}| [，。；：（）、]|[，。；：（）、] |\p{Script=Han}[A-Za-z0-9]|[A-Za-z0-9]\p{Script=Han}|\{\d\}/u;
/* Words of English prose, which no name, unit or value of a parameter is. */
const PROSE = /\b(the|is|are|of|with|for|must|no|not|known|takes?|needs?|given|than|only|more|it|its|you|your)\b/;

/* What is for the holder of a token: reports of files, prices and undoing. */
const secret = spawnSync(program, ['token', '--db', server.db], {encoding: 'utf8'}).stdout.trim();
const OWN = {headers: {authorization: `Bearer ${secret}`}};
const file = (body) => ({method: 'POST', headers: {...OWN.headers, 'content-type': 'text/csv'}, body});
const HEAD = 'gpu_slug,condition,currency,amount,market,observed_on,source,note\n';
const ADMIN = [['/imports'], ['/imports', {headers: {authorization: 'Bearer x'}}], ['/imports/7', OWN], ['/imports/x', OWN],
    ['/imports/7', {...OWN, method: 'DELETE'}], ['/imports', file('')], ['/imports', file('a,b\n')], ['/imports', file(`${HEAD}"a`)],
    ['/imports?observed_on=2999-01-01', file(HEAD)], ['/imports', file('gpu_slug,gpu_slug\n')], ['/imports', file('PK12')],
    ['/imports', file(HEAD.replace('note', 'nose'))], ['/imports', file('[1'.padEnd(9))], ['/imports', file('[1,2]')],
    ['/imports', file(`[{${Array.from({length: 200}, (_, i) => `"k${i}":1`)}}]`)], ['/imports', file('[1]'.padStart(9 << 20))],
    ['/imports', file(HEAD.replace(',source', ''))], ['/imports', file('\xff\xfe')],
    ['/imports?dry_run=yes', file(`${HEAD}no such card,new,USD,700,us,2026-11-20,s,\nL4,new,USD,99000,us,2026-11-20,s,\n` +
        'L4,new,USD,-1,us,2026-11-20,s,\nL4,old,USD,0,us,2026-13-01,s,\nL4,new,USD,x,us,2026-11-20,s,\nL4,new\n' +
        'L4,new,USD,700,us,2999-01-01,s,\nA100,new,USD,9000,us,2026-11-20,s,\n')]];
const POST = {method: 'POST', headers: {'Content-Type': 'application/json'}};
const TARGETS = [
    ['/recommend'], ['/recommend?budget=1000'], ['/recommend?explain=all&limit=100&tier=unlimited&max_gpus=8'],
    ['/recommend?task=inference&model=70b&budget=3000&max_gpus=4&condition=used&own=rtx-3090'],
    ['/recommend?task=train&domain=vision&budget=300&psu_watts=450&explain=all'],
    ['/recommend?task=qlora&model=llama-3.1-8b&os=windows&framework=pytorch&explain=all&needs=bf16,nvlink,mig,ecc'],
    ['/recommend?budget=100&region=cn&currency=CNY&hours_per_month=300&checkpoint_hours=1'],
    ['/recommend?chassis=server&vendor=amd&explain=all&max_length_mm=200&max_slots=1&power_plugs=1x8-pin'],
    ['/deal?gpu=rtx-3090&price=600'], ['/deal?gpu=rtx-3090&price=2000'], ['/deal?gpu=k80&price=50'],
    ['/deal?gpu=rtx-4080&price=800&prefer=speed'], ['/compare?gpus=rtx-3090,rtx-4090,k80'], ['/tiers'],
    ['/estimate?model=7b&gpu=rtx-3090'], ['/gpus/rtx-3090'], ['/gpus/k80'], ['/gpus/amd-instinct-mi300x'],
    ['/gpus?q=3090'], ['/cloud?limit=100'],
    // problems
    ['/nowhere'], ['/gpus/a100'], ['/gpus/rtx-9999'], ['/models/nothing'], ['/gpus/%ff'], ['/gpus', {method: 'PUT'}],
    ['/recommend?budget=1,5&condition=broken&foo=1&own=a100&a=%&b=&c&prices=x&region=china&needs=speed&model=nothing'],
    ['/recommend?budget=1&budget=2&%ff=1&model=9000000b&max_gpus=9&power_plugs=9&ecosystem=no&tier=none'],
    ['/recommend?task=train&quant=q4_k_m&kv_dtype=fp8&min_tokens_per_s=3&pcie_lanes=5&spot_interruptions_per_day=1'],
    ['/recommend?task=inference&optimizer=adamw&checkpointing=yes&lora_rank=8&lora_targets=all&master_weights=yes'],
    ['/recommend?model=gpt2&context=9999&runtime=vllm&framework=jax'], ['/compare?gpus=rtx-3090,,rtx-3090'],
    ['/compare'], ['/deal'], ['/deal?gpu=rtx-3090&price=600&own=rtx-3090'], ['/gpus?sort=size&limit=0&vendor=x'],
    ['/estimate?model=7b&gpus=2&strategy=single'], ['/estimate?model=7b&strategy=tp'], ['/gpus?q=%E2%80%8B'],
    ['/estimate', {...POST, body: ''}], ['/estimate', {...POST, body: '{'}], ['/estimate', {...POST, body: '[]'}],
    ['/estimate', {...POST, body: CONFIG}], ['/estimate', {...POST, headers: {'Content-Type': 'text/plain'}, body: '{}'}],
    ...ADMIN];
let count = 0;
for (const target of TARGETS) {
    const name = `${target[1]?.method ?? 'GET'} ${target[0].slice(0, 70)}`;
    const [en, zh, byHeader] = await Promise.all([ask(target, 'en', false), ask(target, 'zh', false), ask(target, 'zh', true)]);
    is([en.language, zh.language, byHeader.language], ['en', 'zh', 'zh'], `${name}: says its language`);
    is([zh.status, byHeader.status], [en.status, en.status], `${name}: the same status, ${en.status}`);
    ok(/Accept-Language/.test(zh.vary), `${name}: varies by language`);
    ok(codesIn(en.json) === codesIn(zh.json), `${name}: all but the sentences is the same`);
    is(sentencesIn(byHeader.json), sentencesIn(zh.json), `${name}: the header asks for the same`);
    const pairs = sentencesIn(zh.json).map(([path, text], i) => [path, text, sentencesIn(en.json)[i][1]]);
    count += pairs.length;
    is(pairs.filter(([, text, english]) => !SAME.test(text) && (!hasHan(text) || hasHan(english) || UGLY.test(text) ||
        PROSE.test(text))), [], `${name}: ${pairs.length} sentences in Chinese`);
}

/** The answer to raw bytes, as status, language and document. */
function raw(bytes) {
    return new Promise((resolve, reject) => {
        const socket = net.createConnection(server.port, '127.0.0.1', () => socket.write(bytes));
        let text = '';
        socket.setEncoding('utf8');
        socket.setTimeout(20000, () => socket.destroy(new Error(`no answer to ${bytes.slice(0, 60)}`)));
        socket.on('data', (part) => (text += part));
        socket.on('error', reject);
        socket.on('close', () => {
            const [head, body = ''] = text.split('\r\n\r\n');
            resolve({status: Number(head.split(' ')[1]), language: /^content-language: (.*)$/im.exec(head)?.[1], json: body.startsWith('{') ? JSON.parse(body) : {title: '', detail: text}});
        });
    });
}

/* What the transport refuses: the language of lang= where the query holds it, and of the header. */
const HOST = 'Host: localhost\r\n';
const long = 'x'.repeat(5000);
const REFUSED = [
    [400, 'Host twice', '/gpus', HOST + HOST], [400, 'a bad Host', '/gpus', 'Host: a b\r\n'],
    [400, 'no slash', 'gpus', HOST], [400, 'a fragment', '/gpus#x', HOST], [400, 'Origin twice', '/gpus', `${HOST}Origin: a\r\nOrigin: b\r\n`],
    [400, 'a bad name', '/gpus', `${HOST}X(: a\r\n`], [400, 'a bad value', '/gpus', `${HOST}X: a\u0001b\r\n`],
    [400, 'length and coding', '/gpus', `${HOST}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n`],
    [501, 'a coding', '/gpus', `${HOST}Transfer-Encoding: gzip\r\n`], [501, 'a method', '/gpus', HOST, 'BREW'],
    [406, 'no content coding', '/gpus', `${HOST}Accept-Encoding: identity;q=0\r\nConnection: close\r\n`],
    [413, 'a long body', '/estimate', `${HOST}Content-Type: application/json\r\nContent-Length: 99999999\r\n`, 'POST'],
    [414, 'a long target', `/gpus?q=${long}`, HOST], [414, 'many parameters', `/gpus?${'q&'.repeat(90)}`, HOST],
    [431, 'long headers', '/gpus', `${HOST}X: ${long}\r\nY: ${long.slice(0, 1300)}\r\n`],
    [431, 'longer headers', '/gpus', `${HOST}X: ${long}\r\nY: ${long.slice(0, 2000)}\r\n`],
];
for (const [status, name, target, headers, method = 'GET'] of REFUSED) {
    const refusals = await Promise.all(['en', 'zh-CN,en;q=0.5'].map((language) =>
        raw(`${method} ${target} HTTP/1.1\r\nAccept-Language: ${language}\r\n${headers}\r\n`)));
    is(refusals.map((one) => [one.status, one.language, one.json.status]), [[status, 'en', status], [status, 'zh', status]],
        `${name}: ${status} in both languages`);
    is([refusals[0].json, codesIn(refusals[1].json)], [refusals[0].json, codesIn(refusals[0].json)], `${name}: the same but for the words`);
    const words = refusals.map((one) => [one.json.title, one.json.detail]);
    ok(!words[0].some(hasHan) && words[1].every((text) => hasHan(text) && !UGLY.test(text) && !PROSE.test(text)),
        `${name}: ${words.flat().join(' / ')}`);
}
for (const [target, headers, language] of [['/gpus?lang=zh&b#', HOST, 'zh'], ['/gpus?lang=en&b#', `${HOST}Accept-Language: zh\r\n`, 'en'],
    [`/gpus?lang=zh&q=${long}`, HOST, 'zh'], [`/gpus?lang=zh&q=${long.slice(0, 1300)}&b=${long}x`, HOST, 'zh'],
    ['/gpus?long=zh&lang=fr#', `${HOST}Accept-Language: zh\r\n`, 'zh']]) {
    const refused = await raw(`GET ${target} HTTP/1.1\r\n${headers}\r\n`);
    is([refused.language, hasHan(refused.json.detail)], [language, language === 'zh'], `${target.slice(0, 30)}: refused in ${language}`);
}
ok(count > 1500, `${count} sentences in all`);
is(await server.stop(), [], 'the server ends without a fault');
done();

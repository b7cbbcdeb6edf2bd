// Every sentence of every answer in both languages: the same codes, Chinese that is Chinese, Content-Language that is true.
import {start} from '../server_under_test.mjs';
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
];
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

/* What the transport refuses, before a language is asked for, is English and says so. */
for (const [target, status] of [[`/gpus?q=${'x'.repeat(5000)}`, 414], [`/gpus?q=${'x'.repeat(7500)}`, 414]]) {
    const refused = await ask([target], 'zh', true);
    is([refused.status, refused.language, hasHan(refused.json.detail)], [status, 'en', false],
        `${target.length} bytes of target: refused in English`);
}
ok(count > 1500, `${count} sentences in all`);
is(await server.stop(), [], 'the server ends without a fault');
done();

// The words of a question, in both languages: what they mean, what else they may mean, what is not understood.
import {indexOf, modelsLike} from '../../static/ask_models.js';
import {typedBudget} from '../../static/ask_money.js';
import {sentenceOf, SPOKEN} from '../../static/ask_sentence.js';
import {understand} from '../../static/ask_words.js';
import {setLanguage, textsReady} from '../../static/text.js';
import {start} from '../server_under_test.mjs';
import {done, is, ok} from '../tap.mjs';

globalThis.document = {documentElement: {}}; // all that setLanguage() needs of a page
const server = await start();
const reply = await (await fetch(`${server.url}/models?limit=500`)).json();
const index = indexOf(reply.data);
const nameOf = (id) => index.byId.get(id)?.name ?? id;

/* Sentence; its parameters as the address writes them; what is not understood. */
const ASKED = [
    ['fine-tune a 7B model', 'task=qlora&model=7b'],
    ['Fine-tune Llama 3.1 8B with QLoRA', 'task=qlora&model=llama-3.1-8b'],
    ['fine-tune llama3.1-8b with LoRA', 'task=lora&model=llama-3.1-8b'],
    ['full fine-tuning of Qwen3 8B', 'task=finetune&model=qwen3-8b'],
    ['fine tune all weights of mistral 7b', 'task=finetune&model=mistral-7b-v0.3'],
    ['run Llama 3.1 70B for the team', 'task=inference&model=llama-3.1-70b&users=5'],
    ['run llama-3.1-70b for 20 users', 'task=inference&model=llama-3.1-70b&users=20'],
    ['serve qwen 32b to 8 people', 'task=inference&model=qwen3-32b&users=8'],
    ['host gpt-oss 20b', 'task=inference&model=gpt-oss-20b'],
    ['segment CT volumes', 'task=train&domain=medical-imaging'],
    ['segment CT volumes with nnU-Net', 'task=train&domain=medical-imaging&model=nnu-net-3d-fullres'],
    ['learn PyTorch', 'task=learn&framework=pytorch'],
    ['learn deep learning', 'task=learn'],
    ['get started with machine learning', 'task=learn'],
    ['draw with SDXL', 'task=inference&model=sdxl-base-unet'],
    ['draw pictures', 'task=inference&domain=diffusion'],
    ['train a LoRA for SDXL', 'task=lora&model=sdxl-base-unet'],
    ['fine-tune resnet-50 on my images', 'task=finetune&domain=vision&model=resnet-50'],
    ['transcribe meetings', 'task=inference&domain=speech'],
    ['transcribe meetings with whisper large v3', 'task=inference&domain=speech&model=whisper-large-v3'],
    ['translate texts', 'task=inference&domain=nlp'],
    ['detect objects', 'task=train', ['objects']],
    ['classify images', 'task=train&domain=vision'],
    ['train a network for images', 'task=train&domain=vision'],
    ['train resnet50 from scratch', 'task=train&model=resnet-50'],
    ['pretrain a 1.5B model', 'task=train&model=1.5b'],
    ['generate videos with Wan 2.1 T2V 14B', 'task=inference&model=wan2.1-t2v-14b'],
    ['kaggle', 'domain=tabular'],
    ['a local coding assistant', 'task=inference&domain=llm'],
    ['chat with deepseek r1', 'task=inference&model=deepseek-r1'],
    ['RAG over my documents', 'task=inference&domain=llm', ['over', 'documents']],
    ['llama 3.1 8b', 'model=llama-3.1-8b'],
    ['llama3.1:8b', 'model=llama-3.1-8b'],
    ['meta-llama/Llama-3.1-8B-Instruct', 'model=llama-3.1-8b'],
    ['llama 8b', 'model=llama-3.1-8b'],
    ['qwen2.5-0.5b', 'model=qwen2.5-0.5b'],
    ['yolo11n', 'model=yolo11n'],
    ['7b', 'model=7b'],
    ['13B', 'model=13b'],
    ['500M', 'model=500m'],
    ['a 70 billion parameter model', 'model=70b'],
    ['mixtral 8x7b', 'model=mixtral-8x7b'],
    ['run qwen3 14b, 32k context', 'task=inference&model=qwen3-14b&context=32768'],
    ['qlora llama 3.1 8b batch 4', 'task=qlora&model=llama-3.1-8b&batch=4'],
    ['lora llama 3.1 8b 4096 tokens', 'task=lora&model=llama-3.1-8b&seq_len=4096'],
    ['run llama 3.1 8b in 8-bit', 'task=inference&model=llama-3.1-8b&quant=q8_0'],
    ['run llama 3.1 8b fp16 with vllm', 'task=inference&model=llama-3.1-8b&quant=fp16&runtime=vllm'],
    ['run llama 3.1 8b q4_k_m in llama.cpp', 'task=inference&model=llama-3.1-8b&framework=llama.cpp&quant=q4_k_m'],
    ['fine-tune 7b under 1500 USD', 'task=qlora&model=7b&budget=1500&currency=USD'],
    ['fine-tune 7b, $1,500', 'task=qlora&model=7b&budget=1500&currency=USD'],
    ['run 13b budget 800 euros', 'task=inference&model=13b&budget=800&currency=EUR'],
    ['run 7b on a used card', 'task=inference&model=7b&condition=used'],
    ['rent something for training', 'task=train&rent=yes', ['something']],
    ['can my RTX 3080 run llama 3.1 8b', 'task=inference&model=llama-3.1-8b&own=rtx 3080'],
    ['run 13b on my 4090', 'task=inference&model=13b&own=4090'],
    ['train on 1000 images', 'task=train&domain=vision', ['1000']],
    ['learn tensorflow on windows', 'task=learn&framework=tensorflow&os=windows'],
    ['train on 2 cards', 'task=train&max_gpus=2'],
    ['学习 PyTorch', 'task=learn&framework=pytorch'],
    ['深度学习入门', 'task=learn'],
    ['微调 7B 模型', 'task=qlora&model=7b'],
    ['用 QLoRA 微调 Llama 3.1 8B', 'task=qlora&model=llama-3.1-8b'],
    ['全参数微调 Qwen3 8B', 'task=finetune&model=qwen3-8b'],
    ['用LoRA微调千问7B', 'task=lora&model=qwen-7b'],
    ['部署 Llama 3.1 70B', 'task=inference&model=llama-3.1-70b'],
    ['给团队部署 Llama 3.1 70B', 'task=inference&model=llama-3.1-70b&users=5'],
    ['部署 70B 模型，供 20 人使用', 'task=inference&model=70b&users=20'],
    ['分割 CT 影像', 'task=train&domain=medical-imaging'],
    ['医学影像分割', 'task=train&domain=medical-imaging'],
    ['会议录音转写', 'task=inference&domain=speech'],
    ['用 SDXL 画图', 'task=inference&model=sdxl-base-unet'],
    ['画图', 'task=inference&domain=diffusion'],
    ['训练图像分类网络', 'task=train&domain=vision'],
    ['训练 ResNet-50', 'task=train&model=resnet-50'],
    ['本地跑大模型', 'task=inference&domain=llm'],
    ['跑 70亿参数模型', 'task=inference&model=7b'],
    ['跑 130 亿参数的模型', 'task=inference&model=13b'],
    ['微调 7B，预算 8000 元', 'task=qlora&model=7b&budget=8000&currency=CNY'],
    ['1.5 万元以内训练', 'task=train&budget=15000&currency=CNY'],
    ['learn PyTorch under 1.500 €', 'task=learn&framework=pytorch&budget=1500&currency=EUR'],
    ['learn PyTorch with 999.50 euros', 'task=learn&framework=pytorch&budget=999.5&currency=EUR'],
    ['3万元买一台深度学习服务器', 'task=learn&budget=30000&currency=CNY'],
    ['whisper large-v3 语音转写服务器', 'task=inference&domain=speech&model=whisper-large-v3'],
    ['部署大模型服务', 'task=inference&domain=llm'],
    ['二手卡跑 7B', 'task=inference&model=7b&condition=used'],
    ['租用显卡训练', 'task=train&rent=yes'],
    ['我有 RTX 3080，想跑 7B', 'task=inference&model=7b&own=rtx 3080'],
    ['用 A100 微调 13B', 'task=qlora&model=13b&own=a100'],
    ['手上有一张 3090，想微调 7B', 'task=qlora&model=7b&own=3090'],
    ['微调７Ｂ模型', 'task=qlora&model=7b'],
    ['用 Whisper large-v3 做字幕', 'task=inference&model=whisper-large-v3'],
    ['表格数据训练', 'task=train&domain=tabular'],
    ['写代码助手', 'task=inference&domain=llm'],
    ['微调 Llama 3.1 8B，批量 4', 'task=qlora&model=llama-3.1-8b&batch=4'],
    ['used RTX 3090 for $900', 'condition=used&currency=USD'],
    ['租 RTX 4090 跑 LoRA', 'task=lora&rent=yes'],
    ['fine tune bert', 'task=finetune'],
    ['fine-tune BERT base', 'task=finetune&model=bert-base-uncased'],
    ['微调 BERT', 'task=finetune'],
    ['llama 3.3 70b lora on two 3090', 'task=lora&model=70b&own=3090&max_gpus=2', ['3.3']],
    ['I have two 3090s', 'own=3090&max_gpus=2'],
    ['两张 3090 跑 70B', 'task=inference&model=70b&own=3090&max_gpus=2'],
    ['双3090', 'own=3090&max_gpus=2'],
    ['run llama 70b on 4x3090', 'task=inference&model=llama-3.1-70b&own=3090&max_gpus=4'],
    ['stable diffusion at home under 400', 'task=inference&domain=diffusion&budget=400'],
    ['comfyui flux 1024', 'task=inference&domain=diffusion&resolution=1024'],
    ['train on 1024 images', 'task=train&domain=vision', ['1024']],
    ['五千左右', 'budget=5000'],
    ['预算五千左右学习', 'task=learn&budget=5000'],
    ['learn with 1e9 dollars', 'task=learn', ['1e9 dollars']],
    ['learn, budget -5', 'task=learn', ['-5']],
    ['run 8b Q4', 'task=inference&model=8b&quant=q4_k_m'],
    ['comfyui', 'task=inference&domain=diffusion'],
    ['论文复现，推荐哪个好', 'task=learn'],
    ['best cheap GPU worth it', 'prefer=value'],
    ['750w psu for a server', 'psu_watts=750'],
    ['折叠蛋白质', '', ['折叠蛋白质']],
    ['fold proteins', '', ['fold proteins']],
    ['train zorgon 9000', 'task=train', ['zorgon 9000']],
    ['run mamba 2.8b', 'task=inference&model=2.8b', ['mamba']],
    ['', ''],
];
const asAddress = (parameters) => Object.entries(parameters).map((pair) => pair.join('=')).sort().join('&');
const sorted = (address) => address.split('&').sort().join('&');
for (const [text, wanted, unknown = []] of ASKED) {
    const found = understand(text, index);
    is([asAddress(found.parameters), found.unknown], [sorted(wanted), unknown], `“${text}”`);
}

/* A card that is named is no unknown word: it, and what it is quoted at. */
for (const [text, cards, price, wanted] of [
    ['4090 vs 5090 for training', ['4090', '5090'], null, 'task=train'],
    ['4090和5090哪个好', ['4090', '5090'], null, ''],
    ['used 3090 for $900 good deal?', ['3090'], '900', 'condition=used&currency=USD'],
    ['二手 3090 卖 5000 值不值', ['3090'], '5000', 'condition=used'],
    ['3090 for 900', ['3090'], '900', ''],
    ['is P40 still ok', ['p40'], null, ''],
    ['is RTX 5070 Ti worth it', ['rtx 5070 ti'], null, ''],
    ['rent RTX 4090 for lora', ['rtx 4090'], null, 'task=lora&rent=yes'],
    ['7900 XTX vs 4090 under 1500 dollars', ['7900 xtx', '4090'], null, 'budget=1500&currency=USD'],
    ['two 4090 or one 5090', ['5090', '4090'], null, ''],
    ['RTX 3080 for 20 users', ['rtx 3080'], null, 'users=20'],
    ['train on my 4090', [], null, 'task=train&own=4090'],
]) {
    const found = understand(text, index);
    is([found.cards, found.price, asAddress(found.parameters), found.unknown], [cards, price, sorted(wanted), []], `“${text}” names cards`);
}
is(understand('Mac or PC?', index).absent, ['mac'], 'a Mac is understood, and is no card');

/* The field of the budget reads what the question reads. */
for (const [text, budget, currency] of [
    ['1500'], ['1500 USD', '1500', 'USD'], ['$1500', '1500', 'USD'], ['1500€', '1500', 'EUR'], ['1 500', '1500'], ['1.5k', '1500'],
    ['1万', '10000'], ['五千', '5000'], ['1.500 €', '1500', 'EUR'], ['1,5k', '1500'], ['两万元', '20000', 'CNY'], ['１５００', '1500'],
]) {
    is(typedBudget(text), {budget: budget ?? text, ...(currency ? {currency} : {})}, `${text} is an amount`);
}
is(['15OO', '-5', '1e9', '', 'cheap'].map(typedBudget), [null, null, null, null, null], 'what is none is left to the server');

/* Of several models only those near the size that is said. */
ok(understand('llama 3.3 70b lora', index).others.filter(({parameter}) => parameter === 'model').every(({value}) =>
    Math.abs(index.byId.get(value).params_total / 70e9 - 1) < 0.3), 'Llama of 70B is no Llama of 8B');

/* What may mean something else is offered, never taken in silence. */
const others = (text) => understand(text, index).others.map(({parameter, value}) => `${parameter}=${value}`);
is(others('fine-tune a 7B model'), ['task=lora', 'task=finetune'], 'fine-tuning is three methods');
is(others('用 LoRA 微调 7B'), [], 'with the method named it is one');
is(others('segment CT volumes'), ['task=inference'], 'segmenting is training or running');
ok(others('llama 8b').includes('model=llama-3-8b'), 'Llama 8B is two models');
is(others('run Llama 3.1 70B for the team'), ['users=10', 'users=20'], 'a team is five people, or more');
{
    const found = understand('run qwen', index);
    is([found.which, found.parameters.model], ['qwen', undefined], 'a family is no model');
    ok(found.others.length > 3 && found.others.every(({value}) => index.byId.get(value).name.startsWith('Qwen')), 'its models are offered');
}
is(understand('run fluffy', index, true).unknown, ['fluffy'], 'what begins no word is unknown while it is typed');
is(understand('fine-tu', index, true).unknown, [], 'what may become a word is not');
is(understand('fine-tu', index, false).unknown, ['tu'], 'until it is asked');

/* What is typed so far finds models. */
is(modelsLike(index, ['llama', '3.1', '8'], 3).map((model) => model.id), ['llama-3.1-8b'], 'the beginning of each word is enough');
ok(modelsLike(index, ['whis'], 9).length >= 5, 'the beginning of a family finds the family');
is(modelsLike(index, ['xyzzy'], 3), [], 'nothing is like nothing');

/* From parameters to a sentence and back: nothing is lost, in either language. */
const questions = [];
for (const task of [undefined, 'learn', 'train', 'finetune', 'lora', 'qlora', 'inference']) {
    for (const domain of [undefined, 'general', 'nlp', 'llm', 'vision', 'video', 'medical-imaging', 'speech', 'diffusion', 'tabular']) {
        for (const model of [undefined, '7b', '8b', '500m', '1.5b', 'llama-3.1-8b']) {
            for (const users of [undefined, '1', '5', '12']) {
                questions.push({task, domain, model, users});
            }
        }
    }
}
questions.push(...reply.data.map((model) => ({task: 'inference', model: model.id})), ...reply.data.map((model) => ({model: model.id})));
questions.push(...['pytorch', 'tensorflow', 'jax', 'llama.cpp'].flatMap((framework) =>
    ['learn', 'train', 'qlora', 'inference'].map((task) => ({task, model: 'llama-3.1-8b', framework}))));
for (const language of ['en', 'zh']) {
    await textsReady(language);
    setLanguage(language);
    const wrong = questions.map((question) => {
        const sentence = sentenceOf(question, nameOf);
        const {parameters, unknown} = understand(sentence, index);
        const same = SPOKEN.every((name) => parameters[name] === question[name]) && unknown.length === 0;
        return same ? null : `${sentence} ← ${asAddress(JSON.parse(JSON.stringify(question)))} → ${asAddress(parameters)} ${unknown}`;
    }).filter((one) => one !== null);
    is(wrong.slice(0, 20), [], `${language}: ${questions.length} sentences come back as the parameters they are made of`);
    is(sentenceOf({}), '', `${language}: no parameters, no words`);
}
is(await server.stop(), [], 'the server ends without a fault');
done();

// The question in a real browser: words, suggestions, fields, what is assumed, bad input, the address.
import {done, is, ok} from '../tap.mjs';
import {until} from '../wait.mjs';
import {browser, faults, open, part, scrollsSideways, server, WIDTHS} from './visit.mjs';

const paramsOf = (page) => Object.fromEntries(new URL(page.url()).searchParams);
const verdict = (page) => page.locator('#verdict').innerText();
const answered = (page) => page.waitForSelector('.curl code');
const asks = (page, part) => page.waitForFunction((text) => document.querySelector('.curl code')?.innerText.includes(text), part);
const type = async (page, words) => {
    await page.fill('#f-question', '');
    await page.locator('#f-question').pressSequentially(words);
};
const rows = (page) => page.locator('#suggestions [role=option]');

/** Counts the requests of a page whose path begins so. */
function counter(page, path) {
    const seen = [];
    page.on('request', (request) => {
        const url = new URL(request.url());
        if (url.pathname === path) {
            seen.push(url.search);
        }
    });
    return seen;
}

/* Nothing asked: examples and four budgets. An example asks, and back leads to them. */
for (const language of ['en', 'zh']) {
    const {page, said, close} = await open('/', {language});
    await page.waitForSelector('.tier');
    const reply = await (await fetch(`${server.url}/tiers?limit=1&currency=${language === 'zh' ? 'CNY' : 'USD'}&lang=${language}`)).json();
    is(await page.locator('.tier b').allInnerTexts(), reply.tiers.map((tier) => tier.label),
        `${language}: the tiers of the API, in its words`);
    const price = Math.round(reply.tiers[0].picks[0].price.total).toLocaleString('en-US');
    ok((await page.locator('.tier .price').first().innerText()).startsWith(price.slice(0, 3)), `${language}: with its prices`);
    ok((await page.locator('.examples .pill').count()) >= 5, `${language}: examples to try`);
    for (const theme of ['light', 'dark']) {
        await page.emulateMedia({colorScheme: theme});
        is(await faults(page), [], `${language} ${theme}: axe finds no fault at the start`);
    }
    for (const width of WIDTHS) {
        await page.setViewportSize({width, height: 800});
        ok(!(await scrollsSideways(page)), `${language} start ${width} px: no sideways scrolling`);
    }
    await page.locator('.examples .pill').first().click();
    await answered(page);
    is([paramsOf(page).task, paramsOf(page).model], ['qlora', '7b'], `${language}: an example is its parameters`);
    ok(!(await page.locator('.examples').isVisible()), `${language}: the examples make room`);
    ok((await page.locator('#reading .pill').count()) === 2, `${language}: what fine-tuning may mean as well is offered`);
    await page.goBack();
    await page.waitForSelector('.tier');
    is(await page.inputValue('#f-question'), '', `${language}: back leads to the start`);
    await page.locator('.tier').nth(1).click();
    await answered(page);
    is(paramsOf(page).tier, 'mid', `${language}: a tier is a question`);
    is(said, [], `${language}: the console stays empty`);
    await close();
}

/* Suggestions: the keys of a combobox; a chosen row is an entry of the history. */
{
    const {page, said, close} = await open('/?budget=1500');
    await answered(page);
    await type(page, 'fine llama 3.1 8');
    await page.waitForFunction(() => /GiB/.test(document.querySelector('#suggestions [role=option] .need')?.textContent ?? ''));
    const input = page.locator('#f-question');
    is(await input.getAttribute('aria-expanded'), 'true', 'typing opens the list');
    is(await input.getAttribute('aria-activedescendant'), null, 'and chooses nothing');
    const labels = await rows(page).locator('.label').allInnerTexts();
    ok(['QLoRA', 'LoRA', 'all weights', 'Run'].every((part) => labels.some((label) => label.includes(part))),
        `rows of task by model: ${labels}`);
    const marked = (await rows(page).first().locator('.hit').allInnerTexts()).join(' ');
    is(marked, 'Fine Llama 3.1 8', 'the matched letters are marked');
    const estimate = await (await fetch(`${server.url}/estimate?task=qlora&model=llama-3.1-8b&gpu=rtx-3090`)).json();
    is(await rows(page).first().locator('.need').innerText(), `about ${Math.round(estimate.memory.total_gib)} GiB`,
        'with the memory that /estimate says');
    is(await faults(page), [], 'axe finds no fault in the open list');
    const active = () => page.locator('#suggestions [aria-selected=true]').getAttribute('id');
    await page.keyboard.press('ArrowDown');
    is(await active(), 'suggestion-0', 'ArrowDown goes to the first');
    is(await input.getAttribute('aria-activedescendant'), 'suggestion-0', 'and is told');
    await page.keyboard.press('ArrowUp');
    is(await active(), `suggestion-${(await rows(page).count()) - 1}`, 'ArrowUp from there to the last');
    await page.keyboard.press('Home');
    is(await active(), 'suggestion-0', 'Home to the first');
    await page.keyboard.press('End');
    is(await active(), `suggestion-${(await rows(page).count()) - 1}`, 'End to the last');
    await page.keyboard.press('Escape');
    is(await input.getAttribute('aria-expanded'), 'false', 'Escape closes');
    is(await page.inputValue('#f-question'), 'fine llama 3.1 8', 'and keeps the words');
    await page.keyboard.press('ArrowDown');
    await page.waitForSelector('#suggestions [aria-selected=true]');
    await page.locator('#f-budget').focus();
    ok(!(await page.locator('#suggestions').isVisible()), 'leaving closes');
    is(await page.inputValue('#f-question'), 'fine llama 3.1 8', 'and picks nothing');
    ok(paramsOf(page).model === undefined, 'for nobody');
    await input.focus();
    await page.keyboard.press('ArrowDown');
    await page.waitForSelector('#suggestions [aria-selected=true]');
    await page.keyboard.press('Enter');
    await asks(page, 'model=llama-3.1-8b');
    is(await page.inputValue('#f-question'), 'Fine-tune Llama 3.1 8B with QLoRA', 'Enter takes the row, as a sentence');
    is([paramsOf(page).task, paramsOf(page).budget], ['qlora', '1500'], 'and keeps the rest of the question');
    await page.goBack();
    await page.waitForFunction(() => !location.search.includes('llama'));
    ok(true, 'back leads before the choice');
    await page.goForward();
    await asks(page, 'model=llama-3.1-8b');
    is(await page.inputValue('#f-question'), 'Fine-tune Llama 3.1 8B with QLoRA', 'forward restores the words');
    await page.reload();
    await page.waitForFunction(() => document.querySelector('#f-question')?.value === 'Fine-tune Llama 3.1 8B with QLoRA');
    ok(true, 'and so does a reload');
    is(said, [], 'the console stays empty');
    await close();
}

/* A row is taken by the pointer too. */
{
    const {page, close} = await open('/', {language: 'zh'});
    await page.waitForSelector('.tier');
    await type(page, '微调 qwen3 8');
    await page.waitForSelector('#suggestions [role=option]');
    await rows(page).first().click();
    await asks(page, 'model=qwen3-8b');
    is(await page.inputValue('#f-question'), '用 QLoRA 微调 Qwen3 8B', 'a pressed row is taken, in Chinese');
    await close();
}

/* Typing: few requests, no new entries, and an older answer never lands on a newer question. */
{
    const {page, said, close} = await open('/?task=train');
    await answered(page);
    const length = await page.evaluate(() => history.length);
    const requests = counter(page, '/recommend');
    let isFirst = true;
    await page.route('**/recommend*budget=700*', async (route) => {
        if (isFirst) {
            isFirst = false;
            await page.waitForFunction(() => document.querySelector('.curl code').innerText.includes('budget=900'));
        }
        await route.continue().catch(() => {});
    });
    await page.fill('#f-budget', '700');
    ok(await until(() => requests.some((search) => search.includes('budget=700'))), 'a pause in typing asks');
    await page.fill('#f-budget', '900');
    await asks(page, 'budget=900');
    const shown = await verdict(page);
    await page.waitForLoadState('networkidle');
    ok((await page.locator('.curl code').innerText()).includes('budget=900'), 'the older answer does not land');
    is(await verdict(page), shown, 'nor its verdict');
    requests.length = 0;
    await page.locator('#f-budget').pressSequentially('00', {delay: 1});
    await asks(page, 'budget=90000');
    is(requests.length, 1, 'keys in a row ask once');
    is(await page.evaluate(() => history.length), length, 'typing adds no entries');
    await page.check('[name=condition][value=new]');
    await asks(page, 'condition=new');
    is(await page.evaluate(() => history.length), length + 1, 'a choice does');
    is(said.filter((line) => !line.includes('net::ERR')), [], 'the console stays empty');
    await close();
}

/* An input method: nothing is asked between its start and its end, and its Enter is not ours. */
{
    const {page, close} = await open('/?budget=900', {language: 'zh'});
    await answered(page);
    const requests = counter(page, '/recommend');
    const estimates = counter(page, '/estimate');
    const session = await page.context().newCDPSession(page);
    await page.focus('#f-question');
    for (const text of ['w', 'we', 'wei', 'wei t', 'wei tiao']) {
        await session.send('Input.imeSetComposition', {text, selectionStart: text.length, selectionEnd: text.length});
    }
    await page.evaluate(() => new Promise((resolve) => {
        setTimeout(resolve, 400);
    }));
    is([requests.length, estimates.length], [0, 0], 'composing asks nothing');
    is(await page.inputValue('#f-question'), 'wei tiao', 'what is composed is in the field');
    await session.send('Input.insertText', {text: '微调 7B'});
    await asks(page, 'task=qlora');
    is(paramsOf(page).model, '7b', 'the composed words are asked');
    await close();
}

/* One word longer than the page breaks; nothing moves sideways. */
{
    const {page, close} = await open('/', {width: 320});
    await page.fill('#f-question', 'x'.repeat(300));
    await page.waitForSelector('.unknown');
    ok(!(await scrollsSideways(page)), 'a word of 300 letters does not make the page scroll sideways');
    await close();
}

/* What is not understood is said and guessed by nobody; what is ambiguous is offered. */
for (const [language, words, unknown] of [['en', 'run llama 3.1 8b frobnicate', 'frobnicate'], ['zh', '折叠蛋白质，训练', '折叠蛋白质']]) {
    const {page, said, close} = await open('/', {language});
    await page.waitForSelector('.tier');
    await type(page, words);
    await page.keyboard.press('Enter');
    await page.waitForSelector('.unknown');
    ok((await page.locator('.unknown').innerText()).includes(unknown), `${language}: ${unknown} is said to be unknown`);
    await answered(page);
    is(await faults(page), [], `${language}: axe finds no fault in the reading`);
    await page.click('#language');
    await page.waitForFunction((lang) => document.documentElement.lang !== lang, language === 'zh' ? 'zh-CN' : 'en');
    await page.waitForSelector('.unknown');
    is(await page.inputValue('#f-question'), words, `${language}: the other language keeps such words`);
    is(said, [], `${language}: the console stays empty`);
    await close();
}
{
    const {page, close} = await open('/');
    await page.waitForSelector('.tier');
    await type(page, 'run qwen');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#reading .pill');
    ok((await page.locator('#reading').innerText()).includes('“qwen”'), 'a family of models is asked back');
    ok(paramsOf(page).model === undefined, 'not guessed');
    const name = await page.locator('#reading .pill').first().innerText();
    await page.locator('#reading .pill').first().click();
    await asks(page, 'model=qwen');
    is(await page.inputValue('#f-question'), `Run ${name}`, 'a pressed name is taken');
    await type(page, 'fine-tune 7b under $1,500, used');
    await asks(page, 'budget=1500');
    is([await page.inputValue('#f-budget'), paramsOf(page).condition], ['1500', 'used'], 'words fill the fields they are about');
    await page.fill('#f-budget', '2000');
    await asks(page, 'budget=2000');
    await type(page, 'fine-tune 13b');
    await asks(page, 'model=13b');
    is(paramsOf(page).budget, '2000', 'a field that was changed since is not taken back with the words');
    is(paramsOf(page).condition, undefined, 'but what only the words said is');
    await close();
}

/* The language switch rebuilds the sentence and keeps all else. */
{
    const {page, said, close} = await open('/?task=qlora&model=llama-3.1-8b&budget=1500&hours_per_month=200&users=5');
    await answered(page);
    await page.click('#edit');
    await page.waitForSelector('#f-quant');
    await page.click('#language');
    await page.waitForFunction(() => document.querySelector('#f-question')?.value === '用 QLoRA 微调 Llama 3.1 8B，供 5 人用');
    await page.waitForSelector('#f-quant');
    is([await page.inputValue('#f-budget'), await page.inputValue('#f-hours_per_month')], ['1500', '200'],
        'the fields are kept, folded ones too');
    is(said, [], 'the console stays empty');
    await close();
}

/* Everyone's four fields. */
{
    const {page, said, close} = await open('/?task=train&domain=vision');
    await answered(page);
    await page.fill('#f-budget', '１,５００');
    await asks(page, 'budget=1500');
    await page.selectOption('[name=currency]', 'CNY');
    await asks(page, 'currency=CNY');
    await page.fill('#f-psu_watts', '850');
    await asks(page, 'psu_watts=850');
    await page.selectOption('#f-chassis', 'server');
    await asks(page, 'chassis=server');
    await page.selectOption('#f-chassis', 'desktop');
    await page.waitForFunction(() => !document.querySelector('.curl code').innerText.includes('chassis'));
    ok(true, 'a default is not written');
    await page.fill('#f-own', 'rtx 3080 10gb');
    await asks(page, 'own=');
    await page.check('[name=condition][value=rent]');
    await page.waitForURL(/rent=yes/);
    ok(!(await page.locator('.curl code').innerText()).includes('rent'), 'renting is the page’s own, the server is not asked for it');
    await page.reload();
    await answered(page);
    ok(await page.locator('[name=condition][value=rent]').isChecked(), 'and the address holds it');
    is(await page.inputValue('#f-budget'), '1500', 'with all else');
    is(said, [], 'the console stays empty');
    await close();
}

/* A quoted price ranks that card; it can be checked. */
{
    const {page, said, close} = await open('/?task=qlora&model=llama-3.1-8b');
    await answered(page);
    await page.click('#add-quote');
    await page.locator('.quote card-picker input').fill('rtx 3090');
    await page.locator('.quote .amount').fill('1');
    await asks(page, 'prices=');
    is(paramsOf(page).prices, 'rtx 3090:1', 'the quote is in the address');
    is(await page.locator('tr.pick').getAttribute('data-gpu'), 'nvidia-geforce-rtx-3090', 'for 1 USD it is the pick');
    const link = new URL(await page.locator('.quote .check').getAttribute('href'), server.url);
    is(['view', 'gpu', 'price', 'task', 'model', 'prices'].map((name) => link.searchParams.get(name)),
        ['deal', 'rtx 3090', '1', 'qlora', 'llama-3.1-8b', null],
        'the check carries the question');
    await page.reload();
    await answered(page);
    is(await page.locator('.quote .amount').inputValue(), '1', 'a reload keeps the quote');
    is(await faults(page), [], 'axe finds no fault in it');
    await page.locator('.quote .take').click();
    await page.waitForFunction(() => !location.search.includes('prices'));
    ok(!(await page.locator('.quotes').isVisible()), 'and it can be taken away');
    is(said, [], 'the console stays empty');
    await close();
}

/* What is assumed is a button that leads to its field; all parameters have one. */
for (const language of ['en', 'zh']) {
    const compare = 'nvidia-geforce-rtx-3090';
    const {page, said, close} = await open(`/?task=qlora&model=llama-3.1-8b&budget=1500&min_memory_gib=12&compare=${compare}`, {language});
    await answered(page);
    const chips = await page.locator('.assumption[data-parameter]').evaluateAll((nodes) => nodes.map((node) => node.dataset.parameter));
    const reply = await (await fetch(`${server.url}/recommend?task=qlora&model=llama-3.1-8b&budget=1500&limit=1`)).json();
    ok(chips.length > 5 && chips.every((name) => Object.hasOwn(reply.assumptions, name)),
        `${language}: only what the server assumed: ${chips}`);
    await page.locator('.assumption[data-parameter=batch]').click();
    await page.waitForFunction(() => document.activeElement?.id === 'f-batch');
    ok(true, `${language}: an assumption opens and focuses its field`);
    is(await page.getAttribute('#f-batch', 'placeholder'), String(reply.query.batch), `${language}: which shows the default`);
    const contract = await (await fetch(`${server.url}/openapi.json`)).json();
    const shared = contract.components.parameters;
    const names = contract.paths['/recommend'].parameters.map(({$ref, name}) => name ?? shared[$ref.split('/').at(-1)].name);
    const missing = await page.evaluate(
        (all) => all.filter((name) => document.querySelector(`form.ask [name=${name}], #f-${name}`) === null),
        names.filter((name) => !['lang', 'format', 'prices'].includes(name)),
    );
    is(missing, [], `${language}: every parameter of /recommend has a field`);
    for (const theme of ['light', 'dark']) {
        await page.emulateMedia({colorScheme: theme});
        is(await faults(page), [], `${language} ${theme}: axe finds no fault with all fields open`);
    }
    for (const width of WIDTHS) {
        await page.setViewportSize({width, height: 800});
        ok(!(await scrollsSideways(page)), `${language} all fields ${width} px: no sideways scrolling`);
    }
    await page.setViewportSize({width: 1280, height: 800});
    await page.fill('#f-batch', '4');
    await asks(page, 'batch=4');
    is(await page.locator('.chosen').evaluateAll((nodes) => nodes.map((node) => node.dataset.parameter)), ['min_memory_gib', 'batch'],
        `${language}: what is set and folded is in sight`);
    is(paramsOf(page).compare, compare, `${language}: the chosen cards stay in the address`);
    await page.locator('.chosen[data-parameter=batch] .take').click();
    await page.waitForFunction(() => !location.search.includes('batch'));
    is(await page.inputValue('#f-batch'), '', `${language}: and can be taken away`);
    await page.locator('[name=needs][value=fp8]').evaluate((box) => {
        box.closest('details').open = true;
    });
    await page.check('[name=needs][value=fp8]');
    await page.check('[name=needs][value=bf16]');
    await asks(page, 'needs=bf16,fp8');
    await page.click('#edit');
    ok(!(await page.locator('#f-batch').isVisible()), `${language}: the fields fold again`);
    is(said, [], `${language}: the console stays empty`);
    await close();
}

/* Bad input: all at once, in the server's words, at the fields; the last answer stays; focus only when asked. */
for (const language of ['en', 'zh']) {
    const {page, close} = await open('/?budget=1000&task=train', {language});
    await answered(page);
    const before = await verdict(page);
    await page.fill('#f-budget', '15OO');
    await page.waitForSelector('#e-budget:not([hidden])');
    const problem = await (await fetch(`${server.url}/recommend?budget=15OO&lang=${language}`)).json();
    is(await page.locator('#e-budget').innerText(), problem.errors[0].detail, `${language}: the server's words`);
    is(await page.getAttribute('#f-budget', 'aria-invalid'), 'true', `${language}: the field is marked`);
    is(await page.getAttribute('#f-budget', 'aria-describedby'), 'e-budget', `${language}: and described by them`);
    await page.fill('#f-own', 'a100');
    await page.waitForSelector('#e-own .pill');
    ok(await page.locator('#e-budget').isVisible(), `${language}: both stand at once`);
    is(await page.evaluate(() => document.activeElement.id), 'f-own', `${language}: typing keeps the focus`);
    is(await verdict(page), before, `${language}: the last good answer stays`);
    is(await page.locator('#e-own .pill').count(), 4, `${language}: the candidates are buttons`);
    is(await faults(page), [], `${language}: axe finds no fault in bad input`);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement.id === 'f-budget');
    ok(true, `${language}: Enter leads to the first`);
    await page.locator('#e-own .pill').first().click();
    await page.waitForSelector('#e-own', {state: 'hidden'});
    await page.fill('#f-budget', '1500');
    await page.waitForSelector('#e-budget', {state: 'hidden'});
    is(await page.getAttribute('#f-budget', 'aria-invalid'), null, `${language}: mended, unmarked`);
    await asks(page, 'own=nvidia-a100');
    await close();
}

/* A card in the question leads somewhere: to its view, to the check of its price, to the comparison, to where it is rented. */
const hrefs = (page) => page.locator('#reading .named a').evaluateAll((links) =>
    links.map((link) => Object.fromEntries(new URL(link.href).searchParams)));
const CARD = {3090: 'nvidia-geforce-rtx-3090', 4090: 'nvidia-geforce-rtx-4090', 5090: 'nvidia-geforce-rtx-5090'};
for (const [language, words, wanted] of [
    ['en', '4090 vs 5090 for training', [
        {view: 'card', id: CARD[4090]}, {view: 'card', id: CARD[5090]},
        {view: 'compare', compare: `${CARD[4090]},${CARD[5090]}`, task: 'train'},
    ]],
    ['zh', '4090和5090哪个好', [
        {view: 'card', id: CARD[4090]}, {view: 'card', id: CARD[5090]},
        {view: 'compare', compare: `${CARD[4090]},${CARD[5090]}`, currency: 'CNY'},
    ]],
    ['en', 'used 3090 for $900 good deal?', [
        {view: 'card', id: CARD[3090]}, {view: 'deal', gpu: CARD[3090], price: '900', condition: 'used'},
    ]],
    ['zh', '二手 3090 卖 5000 值不值', [
        {view: 'card', id: CARD[3090]}, {view: 'deal', gpu: CARD[3090], price: '5000', currency: 'CNY', condition: 'used'},
    ]],
    ['en', 'rent RTX 4090 for lora', [{view: 'card', id: CARD[4090]}, {task: 'lora', view: 'cloud', gpu: CARD[4090]}]],
    ['en', 'is P40 still ok', [{view: 'card', id: 'nvidia-tesla-p40'}]],
]) {
    const {page, said, close} = await open('/', {language});
    await page.waitForSelector('.tier');
    await page.fill('#f-question', words);
    await page.waitForSelector('#reading .named a');
    is(await hrefs(page), wanted, `${language}: “${words}” leads to its cards`);
    is(await page.locator('#reading .unknown').count(), 0, `${language}: nothing of it is unknown`);
    is(await faults(page), [], `${language}: axe finds no fault in the cards named`);
    await page.setViewportSize({width: 320, height: 800});
    ok(!(await scrollsSideways(page)), `${language}: no sideways scrolling`);
    await page.locator('#reading .named a').last().click();
    await page.waitForFunction((view) => new URL(location.href).searchParams.get('view') === view, wanted.at(-1).view);
    await page.waitForSelector('h1');
    is(said, [], `${language}: the console stays empty`);
    await close();
}

/* A card that a busy server cannot look up now is not called unknown, and is looked up when the words are read again. */
{
    const busy = {status: 503, contentType: 'application/problem+json', body: '{"status": 503}'};
    const {page, close} = await open('/', {isReal: false, before: (page) => page.route('**/gpus/*', (route) => route.fulfill(busy))});
    await page.waitForSelector('.tier');
    const refused = page.waitForResponse(/\/gpus\/.*4090/);
    await page.fill('#f-question', '4090 for training');
    await refused;
    await page.waitForURL(/task=train/);
    await page.waitForLoadState('networkidle');
    is(await page.locator('#reading .unknown').count(), 0, 'a card that a busy server cannot look up is not called unknown');
    await page.unroute('**/gpus/*');
    await page.fill('#f-question', '4090 to train');
    await page.waitForSelector('#reading .named a');
    is((await hrefs(page))[0], {view: 'card', id: CARD[4090]}, 'and is looked up when the words are read again');
    await close();
}

/* A name of several cards offers them, the ids of the server's sentence are not repeated above their names; Macs are told. */
for (const [language, mac] of [['en', 'Macs are not'], ['zh', '没有 Mac']]) {
    const {page, close} = await open('/?task=train&own=3080', {language});
    await page.waitForSelector('#e-own .pill');
    const problem = await (await fetch(`${server.url}/recommend?own=3080&lang=${language}`)).json();
    const text = await page.locator('#e-own span').innerText();
    ok(!text.includes('nvidia-'), `${language}: the error has no ids: ${text}`);
    ok(problem.detail.includes(text.split(/[.。]/)[0]), `${language}: but the server's words`);
    is(await page.locator('#e-own .pill').allInnerTexts(), problem.candidates.map((card) => card.name),
        `${language}: the names are buttons`);
    await page.fill('#f-question', language === 'en' ? 'Mac or PC?' : '用 Mac 还是 PC');
    await page.waitForFunction((words) => document.querySelector('#reading').innerText.includes(words), mac);
    ok(true, `${language}: Macs are not in the catalogue`);
    await close();
}

/* The field of the budget reads what the question reads, and the currency follows. */
{
    const {page, close} = await open('/?task=train', {});
    await answered(page);
    for (const [typed, budget, currency] of [['$1500', '1500', undefined], ['1.500 €', '1500', 'EUR'], ['1.5万元', '15000', 'CNY']]) {
        await page.fill('#f-budget', typed);
        await page.waitForFunction(([amount, code]) => {
            const query = new URL(location.href).searchParams;
            return query.get('budget') === amount && (query.get('currency') ?? undefined) === code;
        }, [budget, currency]);
        is(await page.inputValue('[name=currency]'), currency ?? 'USD', `${typed}: the currency follows`);
    }
    await close();
}

/* A family of models counts for what its models share, while it is asked which of them. */
{
    const {page, close} = await open('/', {});
    await page.waitForSelector('.tier');
    await page.fill('#f-question', 'stable diffusion at home under 400');
    await asks(page, 'domain=diffusion');
    const query = paramsOf(page);
    is([query.task, query.domain, query.budget], ['inference', 'diffusion', '400'], 'Stable Diffusion is drawn with');
    ok((await page.locator('#reading').innerText()).includes('Which one?'), 'and which one is asked');
    await close();
}

/* Nothing of an address is dropped: a folded field opens for its error, a stranger is told and can be taken away. */
{
    const {page, close} = await open('/?task=train&hours_per_month=-3&frob=1&model=llama');
    await page.waitForSelector('#e-hours_per_month:not([hidden])');
    ok(await page.locator('#f-hours_per_month').isVisible(), 'the folded field with the error opens');
    ok((await page.locator('.general').innerText()).startsWith('frob'), 'an error of no field stands above the answer');
    ok((await page.locator('#e-model .pill').count()) > 1, 'a name of several models offers them');
    await page.locator('#e-model .pill').first().click();
    await page.locator('.chosen[data-parameter=frob] .take').click();
    await page.fill('#f-hours_per_month', '30');
    await answered(page);
    is([paramsOf(page).frob, paramsOf(page).hours_per_month], [undefined, '30'], 'mended, it is answered');
    await close();
}

/* An address with words that are none of ours: the page is there, the word too, and it is said to be wrong. */
for (const [name, value] of [['task', 'dance'], ['task', 'constructor'], ['condition', 'broken'], ['chassis', 'shoe'], ['domain', 'toString']]) {
    const {page, said, close} = await open(`/?budget=900&${name}=${value}`);
    await part(`${name}=${value}`, async () => {
        await page.waitForSelector(`#e-${name}:not([hidden])`);
        ok((await page.locator(`#e-${name}`).innerText()).startsWith('must be one of'), `${name}=${value}: its field says what it may be`);
    });
    is(said.filter((line) => !line.includes('status of 400')), [], `${name}=${value}: no fault in the console`);
    await close();
}

/* Phones: the four fields are word buttons that open them. */
for (const language of ['en', 'zh']) {
    const {page, said, close} = await open('/?task=qlora&model=llama-3.1-8b&budget=1500', {language, width: 360});
    await answered(page);
    ok(!(await page.locator('#f-budget').isVisible()), `${language}: the fields are folded`);
    is(await page.locator('.worded .chip').count(), 4, `${language}: into words`);
    ok((await page.locator('.worded .chip').first().innerText()).includes('1,500'), `${language}: that say their values`);
    ok((await page.locator('#verdict').boundingBox()).y < 800, `${language}: the verdict is on the first screen`);
    const low = await page.locator('form.ask button:visible, form.ask input:visible').evaluateAll((nodes) =>
        nodes.filter((node) => Math.min(node.offsetHeight, node.offsetWidth) < 24).map((node) => node.outerHTML.slice(0, 80)));
    is(low, [], `${language}: every target is 24 px at least`);
    await page.locator('.worded .chip').first().click();
    is(await page.evaluate(() => document.activeElement.id), 'f-budget', `${language}: a word opens its field`);
    await page.fill('#f-budget', '900');
    await asks(page, 'budget=900');
    ok((await page.locator('.worded .chip').first().innerText()).includes('900'), `${language}: and follows it`);
    is(await faults(page), [], `${language}: axe finds no fault on a phone`);
    await page.setViewportSize({width: 640, height: 800});
    const fieldTops = () => page.locator('.basics > .field').evaluateAll((nodes) => nodes.map((node) => node.offsetTop));
    is(new Set(await fieldTops()).size, 2, `${language}: 640 px: two by two`);
    await page.setViewportSize({width: 900, height: 800});
    is(new Set(await fieldTops()).size, 1, `${language}: 900 px: one row`);
    is(said, [], `${language}: the console stays empty`);
    await close();
}

await browser.close();
is(await server.stop(), [], 'the server ends without a fault');
done();

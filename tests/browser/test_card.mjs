// One card in a real browser: what the page says of it is what /gpus/{id} says, in both languages and at every width.
import {done, is, ok} from '../tap.mjs';
import {until} from '../wait.mjs';
import {browser, byWeight, fitsEverywhere, open, server} from './visit.mjs';

const REFUSAL = /Failed to load resource/; // Chromium's own words of an answer that is no success
const CARDS = ['nvidia-geforce-rtx-3090', 'nvidia-tesla-k80', 'amd-radeon-rx-7900-xtx', 'nvidia-h20-96gb'];

async function ask(target, language = 'en') {
    const reply = await fetch(server.url + target, {headers: {'Accept-Language': language}});
    return reply.json();
}

const flat = (text) => text.replaceAll(/\s+/g, ' ').trim();
const all = async (page, selector) => (await page.locator(selector).allInnerTexts()).map(flat);
const said = (value, language, digits = 1) =>
    value.toLocaleString(language === 'zh' ? 'zh-CN' : 'en-US', {maximumFractionDigits: digits});

async function shown(page) {
    await page.waitForSelector('.card-view');
    await page.waitForFunction(() => [...document.querySelectorAll('.chart-place .chart')].every((one) => one.querySelector('svg')));
}

/** The figures of the head against the facts of the API. */
async function checkFigures(page, card, language, what) {
    const values = await all(page, '.figures .value');
    const wanted = {
        memory: [0, card.memory_gib],
        bandwidth: [1, card.memory_bandwidth_gb_s],
        tensor: [2, card.tensor_cores === 0 ? card.fp16_tflops : card.tensor_fp16_tflops],
        power: [3, card.tdp_watts],
        link: [4, card.nvlink_gb_s],
    };
    const unknown = language === 'zh' ? '未知' : 'unknown';
    const none = language === 'zh' ? '无' : 'none';
    for (const [name, [index, value]] of Object.entries(wanted)) {
        const text = value === null ? unknown : name === 'link' && value === 0 ? none : said(value, language);
        is(values[index], text, `${what}: ${name}`);
    }
    is(values[5], card.compute_capability ?? card.gfx_target ?? unknown, `${what}: what it compiles for`);
}

/** Each work with what fits, and how much it needs. */
async function checkRuns(page, card, language, what) {
    for (const runs of card.runs) {
        const work = `.work[data-task=${runs.task}][data-of=${runs.models_of}]`;
        await page.evaluate((selector) => document.querySelectorAll(`${selector} details`).forEach((one) => {
            one.open = true;
        }), work);
        const where = `${what}: ${runs.task}, ${runs.models_of}`;
        is(await all(page, `${work} li a`), runs.models.map((model) => flat(model.name)), `${where}: the models`);
        const needs = await all(page, `${work} .need`);
        const isSaid = ({needed_gib: needed, tight}, text) => {
            const figure = `${said(needed, language)} GiB`;
            return text.startsWith(figure) && (text.length > figure.length) === tight;
        };
        ok(runs.models.every(({formats: [format]}, index) => isSaid(format, needs[index])), `${where}: needs, and that they are tight`);
        ok(runs.note === null || (await all(page, work)).join().includes(flat(runs.note.text)), `${where}: what to beware of`);
    }
}

for (const language of ['en', 'zh']) {
    const currency = language === 'zh' ? 'CNY' : 'USD';
    for (const id of CARDS) {
        const card = await ask(`/gpus/${id}?currency=${currency}`, language);
        const {page, said: console, close} = await open(`/?view=card&id=${id}`, {language});
        await shown(page);
        const what = `${language} ${id}`;
        ok(card.name.endsWith((await all(page, 'h1'))[0]), `${what}: the name`);
        await checkFigures(page, card, language, what);
        await checkRuns(page, card, language, what);
        const inOrder = await byWeight(card.warnings, page.locator('.notes .warnings li'));
        const warnings = inOrder.map((warning) => flat(warning.text));
        is(await all(page, '.notes .warnings li > :last-child'), warnings, `${what}: the warnings`);
        const why = (await all(page, '.why'))[0];
        const price = card.price === null ? /No price|没有已知价格/ : said(card.price.amount, language, card.price.amount < 100 ? 2 : 0);
        ok(why.search(price) !== -1, `${what}: the sentence says its price`);
        if (card.prices.length > 8) {
            await page.locator('.prices-seen .plain-button').click();
        }
        is(await page.locator('.prices-seen tbody tr').count(), card.prices.length, `${what}: every price that was seen`);
        const sources = await all(page, '.prices-seen .source');
        ok(card.prices.every((price) => sources.some((text) => text.startsWith(flat(price.source)))), `${what}: each with its source`);
        is(console, [], `${what}: the console says nothing`);
        await close();
    }
}

/* A figure tells its source; the card goes into the tray, and its quote to the deal check. */
{
    const {page, said: console, close} = await open('/?view=card&id=3090&task=qlora&model=llama-3.1-8b');
    const card = await ask('/gpus/3090');
    await shown(page);
    await page.locator('.figures .sourced').first().focus();
    await page.keyboard.press('Enter');
    await page.waitForSelector('.source-note');
    ok((await all(page, '.source-note'))[0].includes(flat(card.source)), 'the memory tells where it was read');
    await page.keyboard.press('Escape');
    ok(await until(async () => (await page.locator('.source-note').count()) === 0), 'Escape closes the note');
    await page.locator('.card-view .compare-box input').focus();
    await page.keyboard.press('Space');
    ok(await until(() => page.url().includes(`compare=${card.id}`)), 'the card is in the tray');
    await page.locator('.card-view .actions a').click();
    await page.waitForSelector('.deal-form');
    const address = new URL(page.url()).searchParams;
    is(['view', 'gpu', 'task', 'model'].map((name) => address.get(name)), ['deal', card.id, 'qlora', 'llama-3.1-8b'],
        'a quote is checked for this card and the work in the address');
    is(await page.inputValue('#d-gpu'), 'RTX 3090', 'the field has its name');
    is(console, [], 'the console says nothing');
    await close();
}

/* What it runs leads to the question about it. */
{
    const {page, close} = await open('/?view=card&id=3090');
    const card = await ask('/gpus/3090');
    await shown(page);
    const link = new URL(await page.locator('.work[data-task=qlora] li a').first().getAttribute('href'), server.url).searchParams;
    const [model] = card.runs.find((runs) => runs.task === 'qlora').models;
    is([link.get('task'), link.get('model'), link.get('own')], ['qlora', model.id, card.id], 'a model leads to its question');
    await close();
}

/* The charts are there with their tables, and their room is kept: nothing moves. */
{
    const {page, close} = await open('/?view=card&id=3090', {theme: 'dark'});
    await page.waitForSelector('.chart-place');
    await shown(page);
    is(await page.locator('.chart-place svg[role=img]').count(), 3, 'support, prices and memory are drawn');
    const moved = await page.evaluate(async () => {
        const observer = new PerformanceObserver(() => {});
        observer.observe({type: 'layout-shift', buffered: true});
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        return observer.takeRecords().reduce((sum, entry) => sum + entry.value, 0);
    });
    ok(moved < 0.1, `nothing moves while it loads: ${moved.toFixed(3)}`);
    await close();
}

/* An address without a card asks which one. */
{
    const {page, said: console, close} = await open('/?view=card');
    await page.locator('.picker input').fill('3090');
    await page.waitForSelector('.picker [role=option]');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await shown(page);
    const id = new URL(page.url()).searchParams.get('id');
    is([(await all(page, 'h1'))[0], id], ['RTX 3090', CARDS[0]], 'the card picked is shown and in the address');
    is(console, [], 'the console says nothing');
    await close();
}

/* A name of several cards and a name of none. */
for (const language of ['en', 'zh']) {
    const {page, said: console, close} = await open('/?view=card&id=a100', {language});
    const problem = await ask('/gpus/a100', language);
    await page.waitForSelector('main h1');
    const names = await all(page, 'main ul a');
    is(names, problem.candidates.map((card) => card.name), `${language}: an ambiguous name offers its cards`);
    await page.locator('main ul a').first().click();
    await page.waitForSelector('.card-view');
    ok(problem.candidates[0].name.endsWith((await all(page, 'h1'))[0]), `${language}: one of them is shown`);
    is(console.filter((line) => !REFUSAL.test(line)), [], `${language}: the console says nothing else`);
    await close();
}

/* Every width, both themes; test_care.mjs shows the first card in both languages. */
for (const [language, id] of [['en', CARDS[0]], ['zh', CARDS[1]]]) {
    const {page, said: console, close} = await open(`/?view=card&id=${id}`, {language});
    await shown(page);
    await page.waitForLoadState('networkidle');
    await fitsEverywhere(page, `${language} ${id}`, language === 'zh');
    is(console, [], `${language} ${id}: the console says nothing`);
    await close();
}

/* A name that no card has: the server's words, the field for another name, and the way to all cards. */
for (const language of ['en', 'zh']) {
    const {page, said: console, close} = await open('/?view=card&id=nonsense', {language});
    await page.waitForSelector('main .why');
    const {detail} = await ask('/gpus/nonsense', language);
    is((await all(page, 'main .why'))[0], flat(detail), `${language}: a name that no card has is told in the server's words`);
    ok(await page.locator('main a[href*="view=cards"]').isVisible(), `${language}: a link leads to all cards`);
    await fitsEverywhere(page, `${language} nonsense`, language === 'zh');
    await page.locator('#card-which').fill('rtx 3090');
    await page.locator('#card-which').press('Escape');
    await page.locator('#card-which').press('Enter');
    await shown(page);
    ok((await all(page, 'main h1'))[0].includes('3090'), `${language}: another name leads to its card`);
    is(console.filter((line) => !REFUSAL.test(line)), [], `${language}: the console says nothing else`);
    await close();
}

await browser.close();
is(await server.stop(), [], 'the server ends without a fault');
done();

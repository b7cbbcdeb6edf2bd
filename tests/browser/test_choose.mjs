// How to choose: every advice of the articles in both languages, its figures those of the API, its questions answered.
import {GROUPS, RULES} from '../../static/choose_rules.js';
import {ENGLISH} from '../../static/text_choose_en.js';
import {CHINESE} from '../../static/text_choose_zh.js';
import {done, is, ok} from '../tap.mjs';
import {browser, fitsEverywhere, open, server} from './visit.mjs';

const ask = async (path) => (await fetch(server.url + path)).json();
/** The rules are there at once; their figures when nothing waits any more. */
const filled = async (page) => {
    await page.waitForSelector('main:not(.is-coming) .rule');
    await page.waitForFunction(() => document.querySelectorAll('.choose [aria-busy]').length === 0);
};

/* The rules: all of the articles, the same in both languages. */
{
    const wanted = Array.from({length: 21}, (_, index) => `A${index + 1}`);
    is(RULES.map(({article}) => article).sort((a, b) => a.slice(1) - b.slice(1)), wanted, 'every advice of the articles has its rule');
    const ids = [...GROUPS.map(([group]) => group), ...RULES.map(({id}) => id)];
    is(ids.length, new Set(ids).size, 'every part has an anchor of its own');
    const shape = (node) => (typeof node === 'object' ? Object.fromEntries(Object.keys(node).sort().map((key) => [key, shape(node[key])])) : '');
    for (const [language, {choose}] of [['en', ENGLISH], ['zh', CHINESE]]) {
        is(Object.keys(choose.groups), GROUPS.map(([group]) => group), `${language}: every group has its name`);
        is(Object.keys(choose.rules).sort(), RULES.map(({id}) => id).sort(), `${language}: every rule its words`);
        is(RULES.filter(({id, asks, live}) => {
            const words = choose.rules[id];
            return JSON.stringify(Object.keys(words.asks)) !== JSON.stringify(Object.keys(asks)) || Boolean(live) !== Boolean(words.figures);
        }).map(({id}) => id), [], `${language}: and its questions and figures theirs`);
    }
    is(shape(CHINESE.choose.rules), shape(ENGLISH.choose.rules), 'both languages say the same things');
    const corrected = Object.values(ENGLISH.choose.rules).flatMap(({said}) => Object.values(said ?? {}).map(({right}) => right)).join(' ');
    const values = ['312', '1,935', '2,039', '125', '112', '130', '10.6', '11.8', '2.6', 'R470', '165', '71', '123', '32 GiB', 'Volta', '7.5',
        '112.5', 'SXM2', 'CUDA 12', 'third'];
    is(values.filter((value) => !corrected.includes(value)), [], 'wrong claims have the right values beside them');
}

/* Every question it leads to has an answer, every card is in the catalogue. */
for (const {id, asks, live} of RULES) {
    for (const [name, href] of Object.entries(asks)) {
        const {view, ...query} = Object.fromEntries(new URL(href, server.url).searchParams);
        const path = {undefined: '/recommend', deal: '/deal', card: `/gpus/${query.id}`, cloud: '/cloud'}[view];
        const parameters = {card: '', cloud: query.tpu_sort ? `?sort=${query.tpu_sort}` : ''}[view] ?? `?${new URLSearchParams(query)}`;
        const [page, reply] = await Promise.all([fetch(server.url + href), fetch(server.url + path + parameters)]);
        const answer = await reply.json();
        ok(page.status === 200 && reply.status === 200, `${id} ${name}: ${href}`);
        ok(view !== undefined || answer.picks.length > 0, `${id} ${name}: has a pick`);
    }
    for (const card of [live?.card, live?.gpu, ...(live?.cards ?? [])].filter(Boolean)) {
        const reply = await fetch(`${server.url}/gpus/${card}`);
        is((await reply.json()).id, card, `${id}: ${card} is in the catalogue`);
    }
}

/* Both languages, both themes, every width. */
for (const language of ['en', 'zh']) {
    const {page, said, close} = await open('/?view=choose', {language});
    await filled(page);
    const articles = await page.locator('.rule').evaluateAll((rules) => rules.map((rule) => rule.dataset.article));
    is(articles, RULES.map(({article}) => article), `${language}: all rules, in their order`);
    is(await page.locator('.choose').innerText().then((text) => (text.match(/undefined|null|NaN|\[object/g) ?? [])), [],
        `${language}: and nothing that is no text`);
    is(await page.locator('.contents a').count(), GROUPS.length + RULES.length, `${language}: the contents lead to each`);
    await fitsEverywhere(page, language, language === 'zh');
    is(said, [], `${language}: the console stays empty`);
    await close();
}

/* Its figures are those of the API. */
{
    const {page, said, close} = await open('/?view=choose');
    await filled(page);
    const rowsOf = (id) => page.locator(`#${id} .figures-now tbody tr`).allInnerTexts();
    const memories = RULES.find(({id}) => id === 'memory-first').live.memories;
    const cheapest = await rowsOf('memory-first');
    is(cheapest.length, memories.length, 'a price for every memory');
    for (const [index, memory] of memories.entries()) {
        const card = (await ask(`/gpus?min_memory_gib=${memory}&supports=cuda-13&sort=price&limit=1`)).data[0];
        const price = card.price.amount.toLocaleString('en-US', {maximumFractionDigits: card.price.amount < 100 ? 2 : 0});
        ok(cheapest[index].includes(price) && card.name.endsWith(cheapest[index].split('\t')[1].trim()),
            `${memory} GiB: ${card.name}, ${price} USD`);
    }
    const qlora = await ask('/recommend?task=qlora&model=7b&limit=1');
    const told = await page.locator('#memory-first .questions li').first().innerText();
    ok(told.includes(`${qlora.need.per_gpu_gib.toFixed(1)} GiB`) && told.includes(qlora.picks[0].gpu.name.replace(/^NVIDIA GeForce /, '')),
        `a question is answered beside it: ${told.replace('\n', ': ')}`);
    const rates = await rowsOf('tensor-rates');
    const card = await ask('/gpus/nvidia-geforce-rtx-4090');
    ok(rates[0].includes(card.fp32_tflops.toFixed(1)) && rates[0].includes(card.tensor_fp16_tflops.toFixed(1)), `rates: ${rates[0]}`);
    const k80 = await ask('/gpus/nvidia-tesla-k80');
    ok((await rowsOf('support'))[0].includes(k80.warnings.find(({code}) => code === 'support-dropped').text), 'support in the words of the API');
    const tiers = (await ask('/tiers?limit=1')).tiers;
    const bands = await rowsOf('tiers');
    ok(tiers.every((tier, index) => bands[index].includes(tier.label)), 'every budget has its row');
    const verdict = (await ask('/deal?gpu=nvidia-geforce-rtx-4080&price=7000&currency=CNY')).reasons[0].text;
    ok((await page.locator('#patience .told').innerText()).includes(verdict), `the price is judged: ${verdict}`);
    const colab = (await ask('/cloud?provider=Google%20Colab&limit=500')).data.filter((plan) => plan.price_usd_per_month !== null);
    const plans = await rowsOf('notebooks');
    is(plans.length, colab.length, 'the plans of Colab');
    ok(colab.every((plan, index) => plans[index].includes(plan.instance_type)), 'with their names');
    ok(plans.some((plan) => plan.includes('needs a VPN')), 'and how they are reached from mainland China');
    const chips = await rowsOf('tpu');
    const cheap = (await ask('/cloud?kind=tpu&sort=usd_per_hour')).data[0];
    ok(chips[0].includes(cheap.usd_per_hour.toFixed(2)), `the cheapest TPU first: ${chips[0]}`);
    await page.locator('#memory-first .figures-now .sourced').first().click();
    await page.waitForSelector('.source-note');
    ok((await page.locator('.source-note').innerText()).includes('Source'), 'a price names its source');
    is(said, [], 'the console stays empty');
    await close();
}

/* A reader of Chinese sees yuan, as where a question begins anew; who named a currency, that. */
for (const [path, language, currency, named] of [['/?view=choose', 'zh', 'CNY', '元'], ['/?view=choose&currency=EUR', 'en', 'EUR', 'EUR']]) {
    const {page, said, close} = await open(path, {language});
    await filled(page);
    const prices = await page.locator('#memory-first .of-price .sourced').allInnerTexts();
    ok(prices.length > 0 && prices.every((price) => new RegExp(`\\d ${named}`).test(price)), `${path}, ${language}: ${prices[0]}`);
    const link = await page.locator('#memory-first .questions a').first().getAttribute('href');
    ok(link.endsWith(`&currency=${currency}`), `and its questions too: ${link}`);
    is(said, [], `${language}: the console stays empty`);
    await close();
}

/* Anchors stand in the address: contents, back, a copied link; by keyboard. */
{
    const {page, said, close} = await open('/?view=choose');
    await filled(page);
    await page.locator('.contents a[href="#support"]').focus();
    await page.keyboard.press('Enter');
    is(new URL(page.url()).hash, '#support', 'the contents write the address');
    ok(await page.evaluate(() => document.activeElement.id === 'support'), 'and take the focus along');
    const top = () => page.locator('#support').evaluate((part) => Math.round(part.getBoundingClientRect().top));
    ok(Math.abs(await top()) <= 40, `the rule stands at the top: ${await top()} px`);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    ok(await page.evaluate(() => document.querySelector('#support').contains(document.activeElement)), 'reading goes on from there');
    await page.goto(`${server.url}/?view=choose#mig`);
    await filled(page);
    ok(await page.evaluate(() => document.activeElement.id === 'mig'), 'a copied link leads to its rule');
    await page.locator('#mig .questions a').click();
    await page.waitForURL(/needs=mig/);
    await page.waitForSelector('#verdict');
    ok(true, 'a question leads to its answer');
    await page.goBack();
    await page.waitForSelector('#mig');
    is(new URL(page.url()).hash, '#mig', 'and back to the rule');
    is(said, [], 'the console stays empty');
    await close();
}

/* From anywhere: the foot leads here, and the page where nothing is asked yet. Figures that are refused do not take the rules away. */
{
    const {page, close} = await open('/?view=cloud');
    await page.locator('#foot a[href*="view=choose"]').click();
    await page.waitForSelector('.rule');
    ok(true, 'the foot leads here');
    await page.goto(server.url);
    await page.locator('main a[href="/?view=choose"]').click();
    await page.waitForSelector('.rule');
    ok(true, 'so does the page where nothing is asked yet');
    await page.route('**/tiers*', (route) => route.continue({url: `${server.url}/tiers?limit=0`})); // which it refuses
    await page.reload();
    await filled(page);
    is(await page.locator('#tiers .figures-now').innerText(), ENGLISH.choose.no_answer, 'a figure that is refused says so');
    is(await page.locator('.rule').count(), RULES.length, 'the rules stand');
    await close();
}

/* A busy server is asked again, and the figures come. */
{
    let refused = 0;
    const busy = {status: 503, headers: {'Retry-After': '1'}, contentType: 'application/problem+json', body: '{"status": 503}'};
    const before = (page) => page.route('**/tiers*', (route) => {
        refused += 1;
        return refused > 1 ? route.continue() : route.fulfill(busy);
    });
    const {page, close} = await open('/?view=choose', {isReal: false, before});
    await page.waitForSelector('#gone');
    ok(true, 'a busy server is told of');
    await page.waitForSelector('#tiers .figures-now tbody tr');
    await page.waitForSelector('#gone', {state: 'detached'});
    ok(true, 'and its figures come when it answers');
    await close();
}

await browser.close();
is(await server.stop(), [], 'the server ends without a fault');
done();

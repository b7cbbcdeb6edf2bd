// The deal check and its field for a card in a real browser: what the page says is what /deal says, in both languages,
// by keyboard alone, and where there is no verdict what is known is there all the same.
import {done, is, ok, skip} from '../tap.mjs';
import {until} from '../wait.mjs';
import {browser, byWeight, faults, fitsEverywhere, open, server} from './visit.mjs';

const REFUSAL = /Failed to load resource/; // Chromium's own words of an answer that is no success

async function ask(target, language = 'en') {
    const reply = await fetch(server.url + target, {headers: {'Accept-Language': language}});
    return reply.json();
}

const flat = (text) => text.replaceAll(/\s+/g, ' ').trim();
const textOf = async (page, selector) => flat(await page.locator(selector).first().innerText());
const amount = (value, language = 'en') =>
    value.toLocaleString(language === 'zh' ? 'zh-CN' : 'en-US', {maximumFractionDigits: value < 100 ? 2 : 0});
const focused = (page) => page.evaluate(() => document.activeElement.id || document.activeElement.name);
const picked = (page) => page.evaluate(() => document.querySelector('.deal-form').elements.gpu.value);

/** Waits for an answer whose verdict is drawn for this card and price. */
async function answered(page, name) {
    await page.waitForFunction((wanted) => document.querySelector('#verdict')?.closest('.verdict').textContent.includes(wanted), name);
}

/* The field finds cards by any name, as a combobox does, and never picks by itself. */
{
    const {page, said, close} = await open('/?view=deal');
    await page.waitForSelector('.deal-form');
    const wanted = await ask('/gpus?q=a100&limit=8');
    await page.focus('#d-gpu');
    await page.keyboard.type('a100');
    await page.waitForSelector('.picker [role=option]');
    const names = await page.locator('.picker .name').allInnerTexts();
    ok(wanted.data.length > 2 && names.length === wanted.data.length, 'the list has what the server found');
    ok(names.every((name, index) => wanted.data[index].name.endsWith(name)), 'by name, in the order of the server');
    const memories = await page.locator('.picker .memory').allInnerTexts();
    is(memories, wanted.data.map((card) => `${card.memory_gib} GiB`), 'with their memory');
    const prices = await page.locator('.picker .price').allInnerTexts();
    const isPriced = (text, {price}) => (price ? text.includes(amount(price.amount)) : text === 'no price');
    ok(prices.every((text, index) => isPriced(text, wanted.data[index])), 'and their price, or that there is none');
    const active = () => page.evaluate(() => document.querySelector('#d-gpu').getAttribute('aria-activedescendant'));
    const isOpen = () => page.evaluate(() => document.querySelector('#d-gpu').getAttribute('aria-expanded') === 'true');
    is(await active(), null, 'none is chosen before the reader chooses');
    const last = `d-gpu-list-${names.length - 1}`;
    for (const [key, wantedActive] of [['ArrowDown', 'd-gpu-list-0'], ['ArrowDown', 'd-gpu-list-1'], ['End', last],
        ['ArrowDown', 'd-gpu-list-0'], ['ArrowUp', last], ['Home', 'd-gpu-list-0']]) {
        await page.keyboard.press(key);
        is(await active(), wantedActive, `${key} leads to ${wantedActive}`);
    }
    is(await faults(page), [], 'axe finds nothing in the open list');
    await page.keyboard.press('Escape');
    is([await isOpen(), await page.inputValue('#d-gpu')], [false, 'a100'], 'Escape closes the list and keeps the text');
    await page.keyboard.press('ArrowDown');
    await until(isOpen);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    is([await isOpen(), await picked(page)], [false, 'a100'], 'leaving picks nothing');
    await page.focus('#d-gpu');
    await page.keyboard.press('ArrowDown');
    await until(isOpen);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    is(await picked(page), wanted.data[0].id, 'Enter picks: the form has the id');
    ok(wanted.data[0].name.endsWith(await page.inputValue('#d-gpu')), 'and the field the name');
    await page.fill('#d-gpu', '');
    await page.keyboard.type('a10');
    await page.waitForSelector('.picker [role=option]');
    await page.locator('.picker [role=option]').nth(1).click();
    const other = await ask('/gpus?q=a10&limit=8');
    is([await picked(page), await focused(page)], [other.data[1].id, 'd-gpu'], 'a press picks, too, and the focus stays');
    is(said, [], 'the console says nothing');
    await close();
}

/* Keys of an input method are not the list's, and half a word asks nothing. */
{
    const {page, close} = await open('/?view=deal', {language: 'zh'});
    const asked = [];
    page.on('request', (request) => asked.push(decodeURIComponent(new URL(request.url()).search)));
    await page.waitForSelector('.deal-form');
    await page.focus('#d-gpu');
    await page.evaluate(() => {
        const field = document.querySelector('#d-gpu');
        field.dispatchEvent(new CompositionEvent('compositionstart', {bubbles: true}));
        field.value = '3090x';
        field.dispatchEvent(new InputEvent('input', {bubbles: true, isComposing: true}));
        field.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', isComposing: true, bubbles: true, cancelable: true}));
    });
    await page.evaluate(() => {
        const field = document.querySelector('#d-gpu');
        field.value = '3090';
        field.dispatchEvent(new CompositionEvent('compositionend', {bubbles: true}));
    });
    await page.waitForSelector('.picker [role=option]');
    is(asked.filter((query) => query.includes('q=3090x')), [], 'what is being composed is not asked for');
    await close();
}

/* The verdict, its reasons, the figures, the better buys and the warnings are those of /deal. */
const QUESTIONS = [
    'gpu=rtx-4080&price=900',
    'gpu=rtx-3090&price=4000&currency=CNY&condition=used&task=qlora&model=llama-3.1-8b',
    'gpu=k80&price=60&condition=used',
    'gpu=rtx-5090&price=2500&condition=new&task=inference&model=llama-3.1-8b&hours_per_month=200',
];
const KINDS = new Set();
for (const language of ['en', 'zh']) {
    for (const question of QUESTIONS) {
        const deal = await ask(`/deal?${question}`, language);
        const currency = deal.query.currency;
        const card = await ask(`/gpus/${deal.gpu.id}?currency=${currency}`, language);
        const {page, said, close} = await open(`/?view=deal&${question}`, {language});
        await page.waitForSelector('#verdict');
        const all = flat(await page.locator('main').innerText());
        const what = `${language} ${question}`;
        KINDS.add(deal.verdict);
        is(await page.getAttribute('#verdict', 'data-verdict'), deal.verdict, `${what}: the verdict`);
        is(await page.locator('.verdict .why').allInnerTexts(), deal.reasons.map((reason) => reason.text), `${what}: why`);
        ok(deal.fair_price === null || deal.fair_price.amount === 0 || all.includes(amount(deal.fair_price.amount, language)),
            `${what}: the fair price`);
        const seen = [card.price_used, card.price_new].filter(Boolean);
        ok(seen.every((price) => all.includes(amount(price.amount, language))), `${what}: what was seen`);
        const rows = await page.locator('.deal-answer tbody th').allInnerTexts();
        const isNamed = (name, pick) => pick.gpu.name.endsWith(name.replace(/^\d+ × /, ''));
        is(rows.length, deal.better.length, `${what}: as many better buys`);
        ok(rows.every((name, index) => isNamed(name, deal.better[index])), `${what}: the better buys, best first`);
        const warnings = await page.locator('.warnings li > :last-child').allInnerTexts();
        const inOrder = await byWeight(deal.warnings, page.locator('.warnings li'));
        is(warnings.map(flat), inOrder.map(({text}) => flat(text)), `${what}: the warnings`);
        const figures = await page.locator('.deal-answer .figure .value').allInnerTexts();
        is(figures.length, 6, `${what}: six figures`);
        if (deal.offer !== null) {
            is(figures[3], String(deal.offer.rank), `${what}: its rank`);
            ok(figures[5].startsWith(amount(deal.offer.cost.total, language)), `${what}: its cost`);
        }
        const label = await page.getAttribute('.deal-scale svg', 'aria-label');
        ok(label.includes(amount(deal.query.price, language)), `${what}: the scale says the quote to those who do not see it`);
        ok((await page.locator('.curl code').innerText()).includes(`/deal?${question.split('&')[0]}`), `${what}: the command`);
        is(said, [], `${what}: the console says nothing`);
        await close();
    }
}
ok(KINDS.size > 1, `more than one verdict was looked at: ${[...KINDS].join(', ')}`);

/* The marks stand where the figures say, on one scale. */
{
    const {page, close} = await open('/?view=deal&gpu=rtx-4080&price=900');
    const deal = await ask('/deal?gpu=rtx-4080&price=900');
    await page.waitForSelector('.deal-scale svg');
    const [good, quoted] = await page.evaluate(() => [
        Number(document.querySelector('.deal-scale .band').getAttribute('width')) + 1,
        Number(document.querySelector('.deal-scale line.quoted').getAttribute('x1')),
    ]);
    const wanted = deal.query.price / deal.fair_price.amount;
    const found = quoted / good;
    ok(Math.abs(found - wanted) < 0.01, `the quote stands at ${wanted.toFixed(2)} of the fair price: ${found.toFixed(2)}`);
    await close();
}

/* Where old prices leave no verdict, a price typed for one of them counts at once. */
{
    const candidates = ['gpu=rtx-3090&price=700&condition=new', 'gpu=rtx-5090&price=2500&condition=new',
        'gpu=rtx-4090&price=1800&condition=new', 'gpu=rtx-3090&price=700&task=inference&model=70b&max_gpus=4'];
    let found = null;
    for (const question of candidates) {
        const deal = await ask(`/deal?${question}`);
        found ??= deal.verdict === 'unknown' && deal.compared.some((one) => !one.fresh) ? {question, deal} : null;
    }
    if (found === null) {
        skip('every question tried has a verdict');
    } else {
        const {page, said, close} = await open(`/?view=deal&${found.question}`);
        await page.waitForSelector('.measured input');
        const old = found.deal.compared.filter((one) => !one.fresh);
        is(await page.locator('.measured input').count(), old.length, 'every old price has a field');
        const before = await textOf(page, '.why');
        const first = old[0];
        await page.locator(`.measured input[data-card="${first.gpu.id}"]`).fill('1234.5');
        await page.waitForFunction((text) => document.querySelector('.why').textContent !== text, before);
        const deal = await ask(`/deal?${found.question}&prices=${first.gpu.id}:1234.5`);
        is(await textOf(page, '.why'), flat(deal.reasons[0].text), 'the answer counts with it');
        ok(page.url().includes(`prices=${first.gpu.id}:1234.5`), 'and the address holds it');
        is(await page.evaluate(() => document.activeElement.dataset.card), first.gpu.id, 'the focus stays where one types');
        is(said, [], 'the console says nothing');
        await close();
    }
}

/* Typing answers, the address holds the question, back leads to what was before. */
{
    const {page, said, close} = await open('/?view=deal&task=qlora&model=llama-3.1-8b&budget=2000');
    await page.waitForSelector('.deal-form');
    ok(/worth|good buy/.test(await textOf(page, 'h1')), 'before anything is named it says what it does');
    await page.fill('#d-gpu', 'rtx-4080');
    await page.fill('#d-price', '1,150');
    await answered(page, 'RTX 4080');
    const address = new URL(page.url()).searchParams;
    const names = ['gpu', 'price', 'task', 'model', 'budget'];
    is(names.map((name) => address.get(name)), ['rtx-4080', '1150', 'qlora', 'llama-3.1-8b', '2000'],
        'the address holds card, price and the question it came with');
    await page.locator('.of-condition label', {hasText: 'New'}).click();
    await until(() => page.url().includes('condition=new'));
    await page.locator('.deal-form .chip').first().click();
    is(await focused(page), 'd-task', 'a word of the use leads to its field');
    await page.selectOption('#d-task', 'inference');
    await until(() => page.url().includes('task=inference'));
    const deal = await ask(`/deal${new URL(page.url()).search.replace('view=deal&', '')}`);
    await page.waitForFunction((text) => document.querySelector('.why').textContent === text, deal.reasons[0].text);
    ok(true, 'and the answer follows');
    const link = new URL(await page.locator('.deal-form .assumed a').getAttribute('href'), server.url).searchParams;
    is([link.get('task'), link.get('model'), link.get('budget'), link.get('price')], ['inference', 'llama-3.1-8b', '2000', null],
        'the whole answer is asked with the same question');
    await page.goto(`${server.url}/?view=deal&gpu=rtx-3090&price=700`);
    await answered(page, 'RTX 3090');
    await page.goBack();
    await answered(page, 'RTX 4080');
    is([await page.inputValue('#d-gpu'), await page.inputValue('#d-price')], ['rtx-4080', '1150'], 'back fills the fields again');
    is(said, [], 'the console says nothing');
    await close();
}

/* What cannot be used is told at its field in the server's words; names to choose from are buttons. */
for (const language of ['en', 'zh']) {
    const {page, said, close} = await open('/?view=deal&gpu=a100&price=abc', {language});
    await page.waitForSelector('#e-gpu:not([hidden])');
    const problem = await ask('/deal?gpu=a100&price=abc', language);
    const detail = (name) => problem.errors.find((error) => error.parameter === name).detail;
    ok((await textOf(page, '#e-gpu')).startsWith(flat(detail('gpu'))), `${language}: the card's fault at the card`);
    is(await textOf(page, '#e-price'), flat(detail('price')), `${language}: the price's at the price`);
    is(await page.locator('[aria-invalid=true]').count(), 2, `${language}: both are marked`);
    is(await page.locator('#e-gpu button').allInnerTexts(), problem.candidates.map((card) => card.name), `${language}: the candidates`);
    is(await faults(page), [], `${language}: axe finds nothing`);
    await page.fill('#d-price', '9000');
    await page.waitForFunction(() => document.querySelector('#e-price').hidden);
    await page.locator('#e-gpu button').first().click();
    await page.waitForSelector('#verdict');
    const marked = await page.locator('[aria-invalid]').count();
    is([await picked(page), marked], [problem.candidates[0].id, 0], `${language}: one of them picked, all is well`);
    await page.fill('#d-price', 'much');
    await page.waitForSelector('#e-price:not([hidden])');
    ok(await page.locator('#verdict').isVisible(), `${language}: the last good answer stays`);
    is(said.filter((line) => !REFUSAL.test(line)), [], `${language}: the console says nothing else`);
    await close();
}

/* The server gone: the answer stays, and it is said. */
{
    const {page, close} = await open('/?view=deal&gpu=rtx-4080&price=900');
    await page.waitForSelector('#verdict');
    const verdict = await textOf(page, '#verdict');
    await page.route('**/deal?*', (route) => route.abort());
    await page.fill('#d-price', '950');
    await page.waitForSelector('#gone');
    is(await textOf(page, '#verdict'), verdict, 'the last answer stays');
    await page.unroute('**/deal?*');
    await page.locator('#gone button').click();
    await page.waitForFunction((text) => document.querySelector('#verdict').textContent !== text, verdict);
    ok(await page.evaluate(() => document.querySelector('#gone') === null), 'and is renewed when it is there again');
    await close();
}

/* Every width, both themes, both languages. */
for (const language of ['en', 'zh']) {
    const {page, said, close} = await open('/?view=deal&gpu=rtx-4080&price=900&condition=used', {language});
    await page.waitForSelector('.deal-scale svg');
    await fitsEverywhere(page, language, language === 'zh');
    is(said, [], `${language}: the console says nothing`);
    await close();
}

/* A task of the address that is none: no verdict about another one, the server's words at the field. */
for (const language of ['en', 'zh']) {
    const where = 'task=dance&gpu=rtx-3090&price=900';
    const {page, said, close} = await open(`/?view=deal&${where}`, {language});
    await page.waitForSelector('#e-task:visible');
    const {errors} = await ask(`/deal?${where}`, language);
    const {detail} = errors.find(({parameter}) => parameter === 'task');
    is(await textOf(page, '#e-task'), flat(detail), `${language}: what is no task is said at its field`);
    is(await page.locator('[data-verdict]').count(), 0, `${language}: and there is no verdict`);
    is(await page.locator('#d-task').inputValue(), 'dance', `${language}: the field shows what was asked`);
    is(await faults(page), [], `${language}: axe finds no fault in that`);
    await page.selectOption('#d-task', 'inference');
    await page.waitForSelector('[data-verdict]');
    ok(await page.locator('#e-task').isHidden(), `${language}: a task that is one has a verdict`);
    is(said.filter((line) => !REFUSAL.test(line)), [], `${language}: the console says nothing else`);
    await close();
}

await browser.close();
is(await server.stop(), [], 'the server ends without a fault');
done();

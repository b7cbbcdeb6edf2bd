// The answer on the page: every figure is the API's, each says where it comes from, and every kind of verdict stands.
import {done, is, ok} from '../tap.mjs';
import {browser, faults, fitsEverywhere, open, server} from './visit.mjs';

const LANGUAGES = ['en', 'zh'];
const LARGE = 'task=qlora&model=llama-3.1-8b&budget=1500';

async function ask(query, language = 'en') {
    const reply = await fetch(`${server.url}/recommend?${query}&limit=20`, {headers: {'Accept-Language': language}});
    return reply.json();
}

async function answered(page) {
    await page.waitForSelector('#verdict');
    await page.waitForSelector('#memory');
}

/** A page with the answer to a question, and the same answer of the API. */
async function visit(query, options = {}) {
    const visited = await open(`/?${query}`, options);
    await answered(visited.page);
    const parameters = new URLSearchParams(query);
    parameters.delete('rent');
    return {...visited, answer: await ask(parameters, options.language)};
}

/** The numbers in a text, without their grouping. */
function numbersIn(text) {
    return (text.match(/\d[\d,]*(?:\.\d+)?/g) ?? []).map((one) => Number(one.replaceAll(',', '')));
}

function near(shown, told, share = 0.006) {
    return shown !== undefined && Math.abs(shown - told) <= Math.max(Math.abs(told) * share, 0.051);
}

async function figuresOf(page) {
    return page.locator('.figure').evaluateAll((all) => all.map((one) => ({
        value: one.querySelector('.value').innerText,
        unit: one.querySelector('.unit')?.innerText.trim() ?? '',
        notes: [...one.querySelectorAll('.note')].map((note) => note.innerText),
    })));
}

/* The six figures, in both languages: numbers and units of the API, above the fold with the question. */
for (const language of LANGUAGES) {
    const {page, said, close, answer} = await visit(LARGE, {language});
    const [pick] = answer.picks;
    const [price, memory, speed, cost, power, software] = await figuresOf(page);
    ok(near(numbersIn(price.value)[0], pick.price.total), `${language}: the price is ${pick.price.total}: ${price.value}`);
    is(price.unit, language === 'zh' ? '美元' : 'USD', `${language}: with its currency`);
    ok(price.notes.some((note) => numbersIn(note).some((one) => near(one, pick.price.holds_up_to))),
        `${language}: and says up to which price the pick holds`);
    const [needs, has] = numbersIn(memory.value);
    ok(near(needs, pick.fit.needed_gib) && near(has, pick.fit.available_gib) && memory.unit === 'GiB',
        `${language}: memory needed and had: ${memory.value} ${memory.unit}`);
    ok(near(numbersIn(speed.value)[0], pick.speed.value) && speed.unit === (language === 'zh' ? '词元/秒' : 'tokens/s'),
        `${language}: the speed is ${pick.speed.value}: ${speed.value} ${speed.unit}`);
    const range = numbersIn(speed.notes[0]);
    ok(near(range[0], pick.speed.low) && near(range[1], pick.speed.high), `${language}: with its range: ${speed.notes[0]}`);
    ok(speed.notes[0].includes(language === 'zh' ? '估算' : 'estimated'), `${language}: and its basis`);
    ok(near(numbersIn(cost.value)[0], pick.cost.total), `${language}: the cost is ${pick.cost.total}: ${cost.value}`);
    const resale = numbersIn(cost.notes[0]);
    ok(near(resale[0], pick.cost.resale_low) && near(resale[1], pick.cost.resale_high), `${language}: with the range of the resale`);
    ok(near(numbersIn(power.value)[0], pick.gpu.tdp_watts) && power.unit === 'W', `${language}: the power is ${power.value} ${power.unit}`);
    ok(software.value.startsWith('CUDA') && software.notes.length > 0, `${language}: the software is ${software.value}`);
    const {bottom, wide} = await page.evaluate(() => {
        const why = document.querySelector('.why');
        return {
            bottom: document.querySelector('.figures').getBoundingClientRect().bottom,
            wide: why.getBoundingClientRect().width / Number.parseFloat(getComputedStyle(why).fontSize),
        };
    });
    ok(bottom < 800, `${language}: the figures stand above the fold of 1280 x 800: ${bottom}`);
    ok(wide < 44, `${language}: the reason is no wider than 68 characters: ${wide} em`);
    is(said, [], `${language}: the console stays empty`);
    await close();
}

/* Where a figure comes from: by pointer, by keyboard, by touch; Escape closes; a screen reader is told. */
for (const language of LANGUAGES) {
    const {page, said, close, answer} = await visit(LARGE, {language});
    const {price} = answer.picks[0];
    const button = page.locator('.figure .sourced').first();
    await button.hover();
    const note = page.locator('.source-note');
    await note.waitFor();
    const text = await note.innerText();
    ok(text.includes(price.source), `${language}: the note names the source`);
    ok(numbersIn(text).some((one) => near(one, price.amount)), `${language}: the value`);
    ok(text.includes(language === 'zh' ? '美国' : 'United States'), `${language}: the market`);
    ok((language === 'zh' ? /\d+ (个月|天)/ : /\d+ (months|days) old/).test(text), `${language}: the age`);
    is(await button.getAttribute('aria-describedby'), await note.getAttribute('id'), `${language}: it describes the figure`);
    is(await button.getAttribute('aria-expanded'), 'true', `${language}: which says that it is open`);
    is(await faults(page), [], `${language}: axe finds no fault in an open note`);
    await note.hover();
    await page.waitForTimeout(300);
    is(await note.count(), 1, `${language}: the pointer may travel into the note`);
    await page.mouse.move(2, 2);
    await note.waitFor({state: 'detached'});
    await page.locator('.tools a, .tools button').last().focus();
    await page.keyboard.press('Tab');
    await note.waitFor();
    await page.keyboard.press('Escape');
    await note.waitFor({state: 'detached'});
    is(await button.evaluate((node) => node === document.activeElement && node.getAttribute('aria-expanded')), 'false',
        `${language}: the keyboard opens it, Escape closes it and the focus stays`);
    await page.locator('.figure .sourced').nth(1).click();
    await page.locator('.figure .sourced').nth(2).hover();
    await page.waitForFunction(() => document.querySelectorAll('.figure .sourced')[2].getAttribute('aria-expanded') === 'true');
    is(await note.count(), 1, `${language}: one note at a time`);
    is(await page.locator('.sourced[aria-expanded=true]').count(), 1, `${language}: and one figure says so`);
    await page.keyboard.press('Escape');
    const inTable = page.locator('.alternatives .sourced').last();
    await inTable.click();
    await note.waitFor();
    const box = await note.boundingBox();
    ok(box.x >= 0 && box.x + box.width <= 1280 && box.y >= 0 && box.y + box.height <= 800, `${language}: a note stays in the window`);
    is(said, [], `${language}: the console stays empty`);
    await close();
}
{
    const context = await browser.newContext({viewport: {width: 360, height: 740}, hasTouch: true, isMobile: true, locale: 'zh-CN'});
    const page = await context.newPage();
    await page.goto(`${server.url}/?${LARGE}`);
    await answered(page);
    for (const index of [0, 3]) {
        const button = page.locator('.figure .sourced').nth(index);
        await button.scrollIntoViewIfNeeded();
        await button.tap();
        await page.locator('.source-note').waitFor();
        const {x, width} = await page.locator('.source-note').boundingBox();
        ok(x >= 0 && x + width <= 360, 'a tap opens a note within the width of a phone');
        await button.tap();
        await page.locator('.source-note').waitFor({state: 'detached'});
        ok(true, 'and the next one closes it');
    }
    await context.close();
}

/* A price that is old cannot be missed: sign and word at the figure, its age first of the warnings. */
for (const language of LANGUAGES) {
    const {page, said, close, answer} = await visit('task=train&domain=vision&budget=600&condition=new', {language});
    const [pick] = answer.picks;
    ok(pick.price.stale, `${language}: the price of the pick is stale`);
    const line = page.locator('.figure').first().locator('.sourced.stale');
    ok((await line.innerText()).includes(language === 'zh' ? '已过期' : 'stale'), `${language}: the figure says so in words`);
    is(await line.locator('svg').count(), 1, `${language}: and with a sign`);
    const first = page.locator('.warnings li').first();
    is(await first.getAttribute('data-code'), 'price-stale', `${language}: its age is the first warning`);
    ok((await first.innerText()).includes(pick.warnings[0].text.slice(-20)), `${language}: in the server's words`);
    ok((await first.locator('a').getAttribute('href')).includes('view=prices'), `${language}: today's price can be entered`);
    is(await page.locator('tr.pick .tag.warn').count() > 0, true, `${language}: the table marks it too`);
    is(await faults(page), [], `${language}: axe finds no fault`);
    is(said, [], `${language}: the console stays empty`);
    await close();
}

/* A change applies at once, the verdict has the focus and is said, and the way back stands there. */
for (const language of LANGUAGES) {
    const {page, said, close} = await visit('task=train&domain=vision&budget=600&condition=new', {language});
    const before = await page.locator('#verdict').innerText();
    const change = page.locator('button.change').first();
    const what = await change.locator('.what').innerText();
    await change.click();
    await page.waitForSelector('.change.undo');
    await page.waitForFunction(() => document.activeElement.id === 'verdict');
    const after = await page.locator('#verdict').innerText();
    ok(after !== before, `${language}: another verdict: ${after}`);
    await page.waitForFunction((text) => document.querySelector('#live').textContent.includes(text), after);
    ok((await page.locator('.change.undo').innerText()).includes(what), `${language}: the way back names it: ${what}`);
    await page.locator('.change.undo').click();
    await page.waitForFunction((text) => document.querySelector('#verdict').innerText === text, before);
    is(await page.locator('.change.undo').count(), 0, `${language}: and is gone when it was taken`);
    is(said, [], `${language}: the console stays empty`);
    await close();
}

/* Nothing fits: how much is lacking, what would do as buttons, what can be rented. */
for (const language of LANGUAGES) {
    const {page, said, close, answer} = await visit('task=qlora&model=llama-3.1-70b&budget=300', {language});
    is(answer.fitting, 0, `${language}: nothing fits`);
    ok((await page.locator('#verdict').innerText()).includes('300'), `${language}: the verdict names the budget`);
    ok(near(numbersIn(await page.locator('.why').innerText())[0], answer.need.per_gpu_gib), `${language}: and the memory it takes`);
    is(await page.locator('.figure').count(), 0, `${language}: there are no figures of a card`);
    is(await page.locator('.renting li').count(), answer.cloud.length, `${language}: all that can be rented`);
    is(await faults(page), [], `${language}: axe finds no fault`);
    await page.locator('.head button.change').last().click();
    await page.waitForURL(/rent=yes/);
    await page.waitForSelector('.figures');
    ok((await page.locator('#verdict').innerText()).includes(answer.cloud.find(({kind}) => kind === 'instance').accelerator),
        `${language}: the last of the buttons leads to renting`);
    await page.locator('.change.undo').click();
    await page.waitForSelector('.figures', {state: 'detached'});
    await page.locator('.head button.change').first().click();
    await page.waitForSelector('tr.pick');
    is(await page.locator('.figure').count(), 6, `${language}: the first brings a card`);
    is(said, [], `${language}: the console stays empty`);
    await close();
}

/* The table: the field in its order, on one scale; a row of it is what the API says. */
{
    const {page, said, close, answer} = await visit(LARGE);
    await page.waitForSelector('.compare-box');
    const first = await page.locator('.alternatives tbody tr').count();
    is(first, 8, 'the first eight are there');
    await page.locator('.alternatives .links button').click();
    is(await page.locator('.alternatives tbody tr').evaluateAll((rows) => rows.map((row) => row.dataset.gpu)),
        answer.picks.map((pick) => pick.gpu.id), 'then all, in the order of the API');
    const ends = await page.locator('.col-memory .limit')
        .evaluateAll((lines) => lines.map((line) => Number.parseFloat(line.getAttribute('x1'))));
    const shares = answer.picks.map((pick, index) => ends[index] / pick.fit.available_gib);
    ok(Math.max(...shares) / Math.min(...shares) < 1.01, 'the ends of all cards are on one scale');
    is(await page.locator('.alternatives .sourced').count(), 3 * answer.picks.length,
        'price, speed and cost of each say where they come from');
    const csv = await page.locator('.alternatives a[download]').getAttribute('href');
    const reply = await fetch(server.url + csv);
    ok(reply.headers.get('content-type').startsWith('text/csv'), `the same as CSV: ${csv}`);
    is((await reply.text()).trim().split('\r\n').length > answer.picks.length, true, 'with every card that fits');
    await page.locator('.compare-box input').nth(1).check();
    await page.waitForSelector('.tray');
    ok(page.url().includes(answer.picks[1].gpu.id), 'a box puts its card into the address');
    is(said, [], 'the console stays empty');
    await close();
}

/* What was ruled out: by reason, the nearest, and all of it when asked for. */
for (const language of LANGUAGES) {
    const {page, said, close, answer} = await visit(LARGE, {language});
    const out = page.locator('.ruled-out');
    const summary = await out.locator('summary').innerText();
    ok(numbersIn(summary).includes(answer.rejected_total), `${language}: ${answer.rejected_total} are ruled out`);
    for (const count of Object.values(answer.rejected_counts)) {
        ok(numbersIn(summary).includes(count), `${language}: ${count} of them for one reason`);
    }
    await out.locator('summary').click();
    is(await out.locator('li').count(), answer.rejected.length, `${language}: the nearest misses`);
    await out.locator('button').click();
    await page.waitForFunction((total) => document.querySelectorAll('.ruled-out li').length === total, answer.rejected_total);
    is(await out.locator('button').count(), 0, `${language}: all of them`);
    is(said, [], `${language}: the console stays empty`);
    await close();
}

/* The parts of memory sum up to the need, of one card and of several that share; the range and the room are the API's. */
for (const query of [LARGE, 'task=inference&model=llama-3.1-70b&budget=8000&max_gpus=4',
    'task=train&model=resnet-50&budget=1500&max_gpus=2',
    'task=finetune&model=llama-3.1-8b&budget=60000&max_gpus=8', 'task=inference&model=llama-3.1-8b&budget=900', 'task=learn&budget=900']) {
    const {page, said, close, answer} = await visit(query);
    const [pick] = answer.picks;
    const cards = ['fsdp', 'tp', 'pp'].includes(pick.strategy) ? pick.count : 1;
    await page.locator('#memory .c-tools button').first().click();
    const rows = await page.locator('#memory tbody tr')
        .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.innerText)));
    const at = rows.findIndex(([name]) => name === 'needed in all');
    const sum = rows.slice(0, at).reduce((all, [, value]) => all + numbersIn(value)[0], 0);
    const total = answer.need.per_gpu_gib * cards;
    ok(Math.abs(sum - total) <= 0.06 * at + 0.05, `${query}: ${at} parts sum up to ${total.toFixed(1)}: ${sum.toFixed(1)}`);
    ok(near(numbersIn(rows[at][1])[0], total), `${query}: which is told`);
    ok(near(numbersIn(rows.at(-1)[1])[0], pick.fit.available_gib * cards), `${query}: of ${pick.fit.available_gib * cards} usable`);
    is(rows.length - at - 1, answer.need.is_floor ? 1 : 3, `${query}: a floor has no range`);
    is(said, [], `${query}: the console stays empty`);
    await close();
}

/* The drawing can be kept, with its colours written in. */
{
    const {page, close} = await visit(LARGE, {theme: 'dark'});
    const coming = page.waitForEvent('download');
    await page.locator('#memory .c-tools button').nth(1).click();
    const file = await coming;
    const chunks = [];
    for await (const chunk of await file.createReadStream()) {
        chunks.push(chunk);
    }
    const text = Buffer.concat(chunks).toString();
    ok(file.suggestedFilename().endsWith('.svg'), 'an SVG file');
    ok(/<rect[^>]* fill="rgb\(139, 179, 244\)"/.test(text), 'with the colours of the theme');
    ok(!/class=|var\(/.test(text), 'and nothing that needs the page');
    await close();
}

/* Every width, both themes, both languages: no sideways scrolling, no fault. */
for (const language of LANGUAGES) {
    const {page, said, close} = await visit(LARGE, {language});
    await page.waitForLoadState('networkidle');
    await fitsEverywhere(page, language, language === 'zh');
    is(said, [], `${language}: the console stays empty`);
    await close();
}

/* A quoted card: where it stands, and the way to judge the offer. */
for (const language of LANGUAGES) {
    const {page, close, answer} = await visit('budget=1000&prices=nvidia-geforce-rtx-3090:990', {language});
    const quoted = answer.picks.find((pick) => pick.price.basis === 'quoted');
    const line = page.locator('.quoted');
    const said = numbersIn((await line.innerText()).replaceAll('3090', ''));
    ok(said.includes(quoted.rank) && said.includes(answer.fitting), `${language}: number ${quoted.rank} of ${answer.fitting}`);
    const link = await line.locator('a').getAttribute('href');
    ok(/view=deal/.test(link) && /gpu=nvidia-geforce-rtx-3090/.test(link) && /price=990/.test(link), `${language}: to the deal: ${link}`);
    await close();
}

/* A card that is there already: keep it, and what would be bought all the same is told as such. */
for (const language of LANGUAGES) {
    const {page, said, close, answer} = await visit('own=rtx-4090&budget=1500&task=inference&model=llama-3.1-8b', {language});
    ok(answer.advice.some(({code}) => code === 'keep-own'), `${language}: the API says to keep it`);
    const verdict = await page.locator('#verdict').innerText();
    ok(verdict.includes('RTX 4090') && !/[.。]$/.test(verdict), `${language}: so does the verdict: ${verdict}`);
    ok((await page.locator('.head .of').innerText()).includes('RTX 3080 Ti'), `${language}: the figures are of the card to buy`);
    is(said, [], `${language}: the console stays empty`);
    await close();
}

/* Renting was asked for: the verdict is the cheapest offer for the same work, buying stands below. */
for (const language of LANGUAGES) {
    const {page, said, close, answer} = await visit('task=inference&model=llama-3.1-8b&budget=1500&rent=yes', {language});
    const offer = answer.cloud.find((one) => one.does_work && one.kind === 'instance');
    const verdict = await page.locator('#verdict').innerText();
    ok(verdict.includes(offer.accelerator) && verdict.includes(offer.provider), `${language}: rent ${offer.accelerator}: ${verdict}`);
    ok(numbersIn(verdict).some((one) => near(one, offer.cost.per_hour)), `${language}: at its price`);
    const [hour, memory, speed, month, whole] = await figuresOf(page);
    ok(near(numbersIn(hour.value)[0], offer.cost.per_hour), `${language}: an hour: ${hour.value} ${hour.unit}`);
    ok(near(numbersIn(memory.value)[1], offer.memory_gib), `${language}: its memory: ${memory.value}`);
    ok(near(numbersIn(speed.value)[0], offer.speed.value), `${language}: its speed: ${speed.value}`);
    ok(near(numbersIn(month.value)[0], offer.cost.per_month), `${language}: a month: ${month.value}`);
    ok(near(numbersIn(whole.value)[0], offer.cost.per_month * answer.query.months), `${language}: over the months: ${whole.value}`);
    ok(numbersIn(await page.locator('.instead').innerText()).some((one) => near(one, answer.picks[0].cost.total)),
        `${language}: buying stands below with its cost`);
    is(await faults(page), [], `${language}: axe finds no fault`);
    is(said, [], `${language}: the console stays empty`);
    await close();
}

await browser.close();
is(await server.stop(), [], 'the server ends without a fault');
done();

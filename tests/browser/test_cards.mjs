// The table of all cards in a real browser: filters, order, boxes, the question's speed, the tray, and thousands of rows.
import {spawnSync} from 'node:child_process';
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';

import {watchPage} from '../record.mjs';
import {program, start} from '../server_under_test.mjs';
import {done, is, ok, skip} from '../tap.mjs';
import {until} from '../wait.mjs';
import {browser, faults, open, scrollsSideways, server, WIDTHS} from './visit.mjs';

const MANY = 3000;
const ROWS_MOST = 150; // in the page, of thousands
const QUESTION = 'task=qlora&model=llama-3.1-8b&budget=1500';

const ask = async (where, url = server.url) => (await fetch(`${url}${where}`)).json();
const idsOf = async (query) => (await ask(`/gpus?limit=500&${query}`)).data.map(({id}) => id);
const shown = (page) => page.locator('tr[data-gpu]').evaluateAll((rows) => rows.map((row) => row.dataset.gpu));
const sorted = (ids) => [...ids].sort();

/** Waits until the table shows just these cards, in this order unless told otherwise. */
async function shows(page, ids, what, inOrder = true) {
    const plain = (list) => JSON.stringify(inOrder ? list : sorted(list));
    const same = await until(async () => plain(await shown(page)) === plain(ids)).catch(() => false);
    ok(same !== false, `${what}: ${ids.length} cards${same === false ? `, not ${(await shown(page)).length}` : ''}`);
}

/* Every card, in both languages and themes, at every width. */
for (const language of ['en', 'zh']) {
    for (const theme of ['light', 'dark']) {
        const {page, said, close} = await open('/?view=cards', {language, theme});
        await page.waitForSelector('tr[data-gpu]');
        await shows(page, await idsOf('sort=-memory_gib'), `${language} ${theme}: every card, the most memory first`);
        const rows = language === 'en' && theme === 'light' ? MANY : 40;
        is(await faults(page, {rows}), [], `${language} ${theme}: axe finds no fault`);
        for (const width of WIDTHS) {
            await page.setViewportSize({width, height: 800});
            ok(!(await scrollsSideways(page)), `${language} ${theme} ${width} px: no sideways scrolling`);
            const heights = await page.locator('tr[data-gpu]').evaluateAll((rows) => [...new Set(rows.map((row) => row.offsetHeight))]);
            is(heights.length, 1, `${language} ${theme} ${width} px: rows of one height, ${heights}`);
        }
        is(said, [], `${language} ${theme}: the console stays empty`);
        await close();
    }
}

/* Order by the heads: buttons, aria-sort, the server's order, the focus stays. */
{
    const {page, said, close} = await open('/?view=cards');
    await page.waitForSelector('tr[data-gpu]');
    is(await page.locator('th[aria-sort]').getAttribute('aria-sort'), 'descending', 'the order of the beginning is told');
    for (const [field, first, then] of [['price', 'price', '-price'], ['tensor_fp16_tflops', '-tensor_fp16_tflops', 'tensor_fp16_tflops'],
        ['name', 'name', '-name']]) {
        for (const order of [first, then]) {
            await page.locator(`[data-sort="${field}"]`).focus();
            await page.keyboard.press('Enter');
            await shows(page, await idsOf(`sort=${order}`), `a press orders by ${order}`);
            is(await page.locator('th[aria-sort]').getAttribute('aria-sort'), order.startsWith('-') ? 'descending' : 'ascending',
                `${order}: told to those who do not see the arrow`);
            is(await page.evaluate(() => document.activeElement.dataset.sort), field, `${order}: the focus stays on the head`);
            ok(page.url().includes(`sort=${order}`), `${order}: in the address`);
        }
    }
    const aligned = await page.locator('td.number')
        .evaluateAll((cells) => [...new Set(cells.map((cell) => getComputedStyle(cell).textAlign))]);
    is(aligned, ['right'], 'numbers are at the right');
    is(said, [], 'the console stays empty');
    await close();
}

/* Every filter of the address gives what the server gives, and is in its field. */
{
    const {page, said, close} = await open('/');
    for (const query of ['q=4090', 'q=rtx3090ti', 'vendor=amd', 'segment=workstation', 'architecture=Turing', 'min_memory_gib=48',
        'max_price=500', 'max_price=3000&currency=CNY', 'condition=new&max_price=900', 'sort=-release_date',
            'vendor=nvidia&segment=consumer&sort=price']) {
        await page.goto(`${server.url}/?view=cards&${query}`);
        await shows(page, await idsOf(query.includes('sort=') ? query : `${query}&sort=-memory_gib`), query);
        const asked = Object.fromEntries(new URLSearchParams(query));
        const fields = await page.locator('.cards-filters').evaluate((form, names) =>
            Object.fromEntries(names.map((name) => [name, form.elements[name].value])), Object.keys(asked));
        is(fields, asked, `${query}: is in the fields`);
        const kept = Object.fromEntries(new URL(page.url()).searchParams);
        is(Object.entries(kept).sort(), Object.entries({view: 'cards', ...asked}).sort(), `${query}: and stays in the address`);
    }
    await page.goto(`${server.url}/?view=cards`);
    await page.waitForSelector('option[value="Ada Lovelace"]', {state: 'attached'});
    await page.fill('[name=q]', 'rtx 4090');
    await shows(page, await idsOf('q=rtx+4090&sort=-memory_gib'), 'typing any spelling filters');
    await page.fill('[name=q]', '');
    await page.selectOption('[name=architecture]', 'Ada Lovelace');
    await shows(page, await idsOf('architecture=Ada+Lovelace&sort=-memory_gib'), 'an architecture is chosen by name');
    const href = await page.locator('a.file').getAttribute('href');
    ok(href.includes('architecture=Ada+Lovelace') && href.includes('format=csv'),
        'the file holds the same cards');
    const file = await (await fetch(new URL(href, server.url))).text();
    is(file.trim().split('\n').length - 1, (await shown(page)).length, 'as many as are shown');
    is(said, [], 'the console stays empty');
    await close();
}

/* A card has its own view; back leads to the same rows. */
{
    const {page, said, close} = await open('/?view=cards&q=4090&compare=nvidia-l4');
    await page.locator('tr[data-gpu=nvidia-geforce-rtx-4090] th a').click();
    await page.waitForFunction(() => document.querySelector('h1').innerText.includes('4090'));
    ok(page.url().includes('compare=nvidia-l4'), 'a card is opened, what is chosen for comparison comes along');
    await page.goBack();
    await shows(page, await idsOf('q=4090&sort=-memory_gib'), 'back keeps the filter');
    is(said, [], 'the console stays empty');
    await close();
}

/* Prices: each with its day, a stale one marked; unknown is said. */
for (const language of ['en', 'zh']) {
    const {page, close} = await open('/?view=cards&priced=yes', {language});
    const cards = (await ask(`/gpus?limit=500&sort=-memory_gib&currency=${language === 'zh' ? 'CNY' : 'USD'}`)).data; // as the reader pays
    const priced = cards.filter(({price}) => price !== null);
    await shows(page, priced.map(({id}) => id), `${language}: only cards with a price`);
    ok(priced.length < cards.length && priced.some(({price}) => price.stale) && priced.some(({price}) => !price.stale),
        'there are cards without, with an old and with a fresh price');
    const rows = await page.locator('tr[data-gpu]').evaluateAll((all) => all.map((row) => ({
        id: row.dataset.gpu,
        amount: row.querySelector('.c-price .sourced').textContent.replaceAll(',', ''),
        seen: row.querySelector('.c-seen').textContent,
    })));
    const faultsOf = rows.filter(({id, amount, seen}) => {
        const {price} = priced.find((card) => card.id === id);
        const year = price.observed_on.slice(0, 4);
        return amount !== String(Math.round(price.planning)) || !seen.includes(year) || seen.includes('△') !== price.stale;
    });
    is(faultsOf, [], `${language}: amount, day and mark of every price are the server's`);
    await page.uncheck('[name=priced]');
    await page.waitForFunction((n) => document.querySelectorAll('tr[data-gpu]').length === n, cards.length);
    const without = cards.find(({price}) => price === null);
    is(await page.locator(`tr[data-gpu="${without.id}"] .c-price`).innerText(), language === 'zh' ? '未知' : 'unknown',
        `${language}: no price is said`);
    await page.locator(`tr[data-gpu="${priced[0].id}"] .sourced`).click();
    await page.waitForSelector('.source-note');
    ok((await page.locator('.source-note').innerText()).includes(priced[0].price.source.slice(0, 20)),
        `${language}: a price tells its source`);
    await close();
}

/* Nothing matches: said in words, with the way back; bad input: the server's words, the cards stay. */
for (const language of ['en', 'zh']) {
    const {page, said, close} = await open('/?view=cards&q=zzzz', {language});
    await page.waitForSelector('text=zzzz');
    is(await page.locator('tr[data-gpu]').count(), 0, `${language}: no card is called so`);
    ok(await page.locator('table').isHidden(), `${language}: nor is there a head without rows`);
    is(await faults(page), [], `${language}: axe finds no fault in that`);
    await page.locator('.cards .plain-button').click();
    await shows(page, await idsOf('sort=-memory_gib'), `${language}: one press clears the filters`);
    is(said, [], `${language}: the console stays empty`);
    await page.fill('[name=max_price]', 'x');
    await page.waitForSelector('[name=max_price][aria-invalid=true]');
    const words = (await (await fetch(`${server.url}/gpus?max_price=x&lang=${language}`)).json()).errors[0].detail;
    is(await page.locator('.lead .error').innerText(), words, `${language}: what is wrong is said in the server's words`);
    ok((await page.locator('tr[data-gpu]').count()) > 0, `${language}: the cards stay`);
    await close();
}

/* With a question: speed of each card that the memory is enough for, why others are left out, only what fits. */
for (const language of ['en', 'zh']) {
    const {page, said, close} = await open(`/?view=cards&${QUESTION}&sort=-speed`, {language});
    await page.waitForSelector('tbody[aria-busy=false] .c-speed');
    const {fits, speed} = await ask('/estimate?task=qlora&model=llama-3.1-8b');
    const answer = await ask(`/recommend?${QUESTION}&explain=all&limit=100`);
    const out = new Map(answer.rejected.map(({gpu, reasons}) => [gpu.id, reasons[0]]));
    const speeds = new Map(speed.map((one) => [one.gpu.id, one]));
    const fitting = fits.filter(({gpu, fits: isEnough}) => isEnough && !out.has(gpu.id)).map(({gpu}) => gpu.id);
    const wanted = fitting.sort((a, b) => speeds.get(b).value - speeds.get(a).value);
    ok(wanted.length > 5 && out.size > 5, 'the question leaves some cards and takes others');
    const rows = await page.locator('tr[data-gpu]').evaluateAll((all) => all.map((row) => [row.dataset.gpu,
        row.querySelector('.c-speed').textContent]));
    is(rows.slice(0, wanted.length).map(([id]) => speeds.get(id).value), wanted.map((id) => speeds.get(id).value),
        `${language}: the fastest that fits is first`);
    const three = (value) => value.toLocaleString('en-US', {maximumSignificantDigits: 3});
    is(rows.slice(0, wanted.length).filter(([id, text]) => ![speeds.get(id).value, speeds.get(id).low, speeds.get(id).high].every((value) =>
        text.includes(three(value)))), [], `${language}: each speed with its range`);
    const bars = await page.locator('tr[data-gpu] .c-speed rect').evaluateAll((all) => all
        .map((bar) => Number.parseFloat(bar.getAttribute('width'))));
    is(bars.map((width) => Math.round(width)), wanted.map((id) => Math.round((100 * speeds.get(id).value) / speeds.get(wanted[0]).value)),
        `${language}: bars from 0, as long as the speeds`);
    const titles = await page.locator('tr[data-gpu] .c-speed [title]').evaluateAll((all) => all
        .map((one) => [one.closest('tr').dataset.gpu, one.title]));
    ok(titles.length > 0 && titles.every(([id]) => out.has(id)), `${language}: ${titles.length} cards say why they are left out`);
    await page.check('[name=fits]');
    await shows(page, wanted, `${language}: only what fits`, false);
    ok(page.url().includes('fits=yes') && page.url().includes('model=llama-3.1-8b'), `${language}: box and question are in the address`);
    is(await faults(page), [], `${language}: axe finds no fault`);
    for (const width of WIDTHS) {
        await page.setViewportSize({width, height: 800});
        ok(!(await scrollsSideways(page)), `${language} ${width} px: no sideways scrolling with speeds`);
    }
    is(said, [], `${language}: the console stays empty`);
    await close();
}

/* The tray: at most six, in the address and in every view, and to the comparison with the question. */
for (const language of ['en', 'zh']) {
    const {page, said, close} = await open(`/?view=cards&${QUESTION}`, {language});
    await page.waitForSelector('tr[data-gpu] [data-compare]');
    const boxes = page.locator('[data-compare]');
    await boxes.nth(0).focus();
    await page.keyboard.press('Space');
    await page.waitForSelector('.tray');
    ok((await page.locator('.tray a.main-button').count()) === 0, `${language}: one card alone is not compared`);
    for (let index = 1; index < 6; index += 1) {
        await boxes.nth(index).check();
    }
    const chosen = (await shown(page)).slice(0, 6);
    await page.waitForURL((url) => url.searchParams.get('compare') === chosen.join(','));
    is(await page.locator('.tray li').count(), 6, `${language}: six cards are chosen, by their ids in the address`);
    const before = await page.locator('.tray').innerText();
    await boxes.nth(6).click();
    ok(!(await boxes.nth(6).isChecked()), `${language}: the seventh is not taken`);
    ok(/6/.test(await page.locator('.tray .said').innerText()) && (await page.locator('.tray').innerText()) !== before,
        `${language}: and it is said why`);
    ok((await page.locator('#live').innerText()).length > 10, `${language}: to those who do not see it too`);
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight)); // there no row is half below the tray
    is(await faults(page), [], `${language}: axe finds no fault in the tray`);
    await page.locator('#views a[href*="view=cloud"]').click();
    await page.waitForURL((url) => url.searchParams.get('view') === 'cloud' && url.searchParams.get('compare') === chosen.join(','));
    is(await page.locator('.tray li').count(), 6, `${language}: another view keeps them`);
    await page.reload();
    await page.waitForSelector('.tray li');
    is(await page.locator('.tray li').count(), 6, `${language}: a reload too`);
    await page.goBack();
    await page.waitForSelector('tr[data-gpu] [data-compare]');
    await page.locator('.tray li button').first().click();
    await page.waitForURL((url) => url.searchParams.get('compare') === chosen.slice(1).join(','));
    ok(!(await boxes.nth(0).isChecked()), `${language}: what leaves the tray is not ticked`);
    ok(await page.evaluate(() => document.activeElement.matches('.tray li:first-child button')),
        `${language}: the focus goes to the next card`);
    for (const width of WIDTHS) {
        await page.setViewportSize({width, height: 800});
        ok(!(await scrollsSideways(page)), `${language} ${width} px: no sideways scrolling with the tray`);
    }
    await page.setViewportSize({width: 1280, height: 800});
    await page.locator('.tray a.main-button').click();
    await page.waitForSelector('.compare-table');
    const address = new URL(page.url()).searchParams;
    is([address.get('gpus'), address.get('model')], [chosen.slice(1).join(','), 'llama-3.1-8b'],
        `${language}: on to the comparison, with the question`);
    await page.goBack();
    await page.waitForSelector('.tray .plain-button');
    await page.locator('.tray .plain-button').click();
    await page.waitForSelector('.tray', {state: 'detached'});
    ok(!page.url().includes('compare='), `${language}: cleared, and out of the address`);
    is(said, [], `${language}: the console stays empty`);
    await close();
}

/** A database with as many cards, by the command line of SQLite; null where there is none. */
async function manyCards(folder) {
    if (spawnSync('sqlite3', ['--version']).status !== 0) {
        return null;
    }
    const db = path.join(folder, 'many.db');
    is(spawnSync(program, ['migrate', '--db', db]).status, 0, 'a database is made');
    const {status, stderr} = spawnSync('sqlite3', [db, `
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${MANY} - (SELECT count(*) FROM gpus))
        INSERT INTO gpus (id, name, vendor, segment, form_factor, architecture, memory_gib, memory_per_process_gib, memory_bandwidth_gb_s,
            tensor_fp16_tflops, tensor_cores, tdp_watts, cooling, slots, gpus_on_board, source)
        SELECT printf('many-%04d', i), printf('NVIDIA Many %04d', i), 'nvidia', 'workstation', 'pcie',
            'Ampere', 4 + i % 90, 4 + i % 90, 100 + i,
            10 + i % 700, 100, 50 + i % 400, 'active', 2, 1, 'made for a test' FROM n`], {encoding: 'utf8'});
    is([status, stderr], [0, ''], 'with thousands of cards');
    return db;
}

/* Thousands of cards: few rows in the page, wherever one is; the last is reached by keyboard; filters and order answer. */
async function testMany(url) {
    const context = await browser.newContext({locale: 'en-US', viewport: {width: 1280, height: 800}});
    const page = await context.newPage();
    watchPage(page, url);
    const said = [];
    page.on('console', (message) => said.push(message.text()));
    page.on('pageerror', (error) => said.push(error.message));
    await page.goto(`${url}/?view=cards&sort=name`);
    const all = [];
    for (let cursor = ''; cursor !== null;) {
        const reply = await ask(`/gpus?limit=500&sort=name${cursor === '' ? '' : `&cursor=${cursor}`}`, url);
        all.push(...reply.data.map(({id}) => id));
        cursor = reply.page.next;
    }
    is(all.length, MANY, 'the server has them all, page by page');
    await page.waitForSelector(`table[aria-rowcount="${MANY + 1}"]`);
    const inPage = () => page.locator('tr[data-gpu]').evaluateAll((rows) => rows.map((row) => [row.dataset.gpu,
        Number(row.getAttribute('aria-rowindex'))]));
    const onScreen = () => page.evaluate(() => {
        const middle = document.elementFromPoint(200, innerHeight / 2)?.closest('tr[data-gpu]');
        return middle ? Number(middle.getAttribute('aria-rowindex')) : null;
    });
    const counts = [(await inPage()).length];
    const places = [];
    for (let step = 1; step <= 8; step += 1) {
        await page.evaluate((part) => scrollTo(0, part * (document.documentElement.scrollHeight - innerHeight)), step / 8);
        const from = Math.floor((MANY * step) / 8) - 60;
        await page.waitForFunction((least) => Number(document.elementFromPoint(200, innerHeight / 2)?.closest('tr[data-gpu]')
            ?.getAttribute('aria-rowindex')) >= least, from);
        places.push(await onScreen());
        const rows = await inPage();
        counts.push(rows.length);
        ok(rows.every(([id, index]) => all[index - 2] === id), `at ${step}/8 each row is the card of its place`);
    }
    ok(counts.every((count) => count > 20 && count <= ROWS_MOST), `rows in the page while scrolling: ${counts.join(', ')} of ${MANY}`);
    ok(places.every((place, index) => index === 0 || place > places[index - 1]), `rows on the screen: ${places.join(', ')}`);
    await page.evaluate(() => scrollTo(0, 0));
    await page.waitForSelector(`tr[data-gpu="${all[0]}"] th a`);
    await page.locator(`tr[data-gpu="${all[0]}"] th a`).focus();
    const at = () => page.evaluate(() => document.activeElement.closest('tr')?.dataset.gpu);
    await page.keyboard.press('End');
    is(await at(), all[MANY - 1], 'End goes to the last row');
    ok(await page.locator(`tr[data-gpu="${all[MANY - 1]}"]`).evaluate((row) => row.getBoundingClientRect().bottom <= innerHeight),
        'which is on the screen');
    for (const [key, index] of [['ArrowUp', MANY - 2], ['Home', 0], ['ArrowDown', 1]]) {
        await page.keyboard.press(key);
        is(await at(), all[index], `${key} goes to the row ${index + 1}`);
    }
    for (let press = 0; press < 60; press += 1) {
        await page.keyboard.press('Tab');
    }
    const reached = all.indexOf(await at());
    ok(reached > 20, `Tab goes on from row to row, to ${reached + 1}`);
    const held = await at();
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await page.waitForSelector(`tr[data-gpu="${all[MANY - 1]}"]`);
    is(await at(), held, 'a row with the focus stays when it is scrolled away');
    ok((await inPage()).length <= ROWS_MOST, 'and brings no others along');
    await page.fill('[name=q]', 'many 1234');
    await page.waitForFunction(() => document.querySelectorAll('tr[data-gpu]').length === 1);
    is(await shown(page), ['many-1234'], 'a filter answers');
    await page.fill('[name=q]', '');
    await page.waitForSelector(`table[aria-rowcount="${MANY + 1}"]`);
    await page.locator('[data-sort="memory_bandwidth_gb_s"]').click();
    const [most] = (await ask('/gpus?limit=1&sort=-memory_bandwidth_gb_s', url)).data;
    await page.waitForSelector(`tr[data-gpu="${most.id}"][aria-rowindex="2"]`);
    ok((await inPage()).length <= ROWS_MOST, 'so does another order');
    await page.goto(`${url}/?view=cards&${QUESTION}&fits=yes`);
    await page.waitForFunction(() => document.querySelectorAll('tr[data-gpu]').length > 0);
    ok((await inPage()).length <= ROWS_MOST, 'and a question');
    is(await faults(page), [], 'axe finds no fault in the window of rows');
    is(said, [], 'the console stays empty');
    await context.close();
}

const folder = await mkdtemp(path.join(tmpdir(), 'gpuwise-cards-'));
const db = await manyCards(folder);
if (db === null) {
    skip('thousands of cards: there is no sqlite3');
} else {
    const many = await start({db});
    await testMany(many.url);
    is(await many.stop(), [], 'the server of thousands ends without a fault');
}
await rm(folder, {recursive: true, force: true});
await browser.close();
is(await server.stop(), [], 'the server ends without a fault');
done();

// Today's prices in a real browser against the real program: what a holder of a token types reaches the database and
// the answers, what is wrong is said where it is, and nothing typed is lost.
import {spawnSync} from 'node:child_process';

import {program, start} from '../server_under_test.mjs';
import {done, is, ok, skip} from '../tap.mjs';
import {browser, faults, open, scrollsSideways, server, WIDTHS} from './visit.mjs';

const CARD = 'nvidia-geforce-rtx-3090';
const REFUSAL = /Failed to load resource: the server responded with a status of (400|401|404|422|429)/; // Chromium's own

function makeToken(db, name) {
    return spawnSync(program, ['token', '--db', db, '--name', name], {encoding: 'utf8', timeout: 60000}).stdout.trim();
}

const canLook = spawnSync('sqlite3', ['--version']).status === 0;

/** Holds what the database has of a source equal to lines, or to how many there are. */
function isStored(source, wanted, name) {
    if (!canLook) {
        skip('no sqlite3 to look into the database');
        return;
    }
    const query = `SELECT gpu_slug, condition, currency, amount_micros, market, observed_on, note FROM gpu_prices
        WHERE source = '${source}' ORDER BY amount_micros`;
    const result = spawnSync('sqlite3', [server.db, query], {encoding: 'utf8', timeout: 60000});
    const lines = result.stdout.split('\n').filter(Boolean);
    is(result.status === 0 ? (typeof wanted === 'number' ? lines.length : lines) : result.stderr, wanted, name);
}

async function ask(target, language = 'en', headers = {}) {
    const reply = await fetch(server.url + target, {headers: {'Accept-Language': language, ...headers}});
    return reply.json();
}

async function type(page, text) {
    await page.keyboard.type(text);
}

/** Sends by the keyboard and waits for what comes of it. */
async function send(page, selector) {
    await page.keyboard.press('Control+Enter');
    await page.waitForSelector(selector);
}

async function useToken(page, text) {
    await page.fill('#token', text);
    await page.keyboard.press('Enter');
    await page.waitForSelector('.token .good');
}

const focused = (page) => page.evaluate(() => document.activeElement.name || document.activeElement.id);
const cell = (page, row, name) => page.locator(`.entry:nth-child(${row}) [name=${name}]`);
const planOf = (page, row) => page.locator(`.entry:nth-child(${row}) .plan`);
const today = new Date().toISOString().slice(0, 10);
const secret = makeToken(server.db, 'lab');
const bearer = {Authorization: `Bearer ${secret}`};
const question = '/recommend?task=learn&condition=used&budget=400&limit=100';

/** Where the card stands in an answer, and at which price; null: it is not there. */
async function standing() {
    const found = (await ask(question)).picks.find((pick) => pick.gpu.id === CARD);
    return found === undefined ? null : found.price.planning;
}

/* The view is found from every page, loaded only then, and accepts the token without keeping it. */
{
    const {page, said, close} = await open('/');
    const loaded = [];
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
    await page.waitForSelector('#verdict');
    const before = await page.evaluate(() => performance.getEntriesByType('resource').map((entry) => entry.name));
    is(before.filter((name) => name.includes('prices')), [], 'the first view loads nothing of it');
    await page.locator('#foot a[href="/?view=prices"]').click();
    await page.waitForSelector('.entry');
    ok(loaded.some((name) => /^\/static\/[0-9a-f]{16}\/view_prices\.js$/.test(name)), 'the link loads it from its hashed address');
    ok(page.url().endsWith('/?view=prices'), 'the address names the view');
    await page.goto(`${server.url}/?lang=zh#prices`);
    await page.waitForSelector('.entry');
    ok(page.url().endsWith('/?view=prices&lang=zh'), '#prices leads there, too');
    is(await page.getAttribute('#token', 'type'), 'password', 'the token is not readable over a shoulder');
    is(await page.getAttribute('#token', 'autocomplete'), 'off', 'nor offered to be kept');
    await useToken(page, ` ${secret}\n`);
    is(await focused(page), 'gpu', 'then the first card is to be typed');
    const kept = await page.evaluate(() => JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie]));
    ok(!kept.includes('gpuwise_') && !page.url().includes('gpuwise_'), 'the token is in no storage and not in the address');
    await page.reload();
    await page.waitForSelector('#token');
    is(await page.inputValue('#token'), '', 'a reload forgets it');
    is(said, [], 'the console stays empty');
    await close();
}

for (const [language, theme, width] of [['en', 'light', 1280], ['zh', 'dark', 1280], ['zh', 'light', 320], ['en', 'dark', 320]]) {
    const {page, said, close} = await open('/?view=prices', {language, theme, width});
    const at = `${language} ${theme} ${width}`;
    const source = `shop ${at}`;
    const name = language === 'zh' ? 'zh' : 'en';
    await page.waitForSelector('.entry');
    is(await faults(page), [], `${at}: axe finds no fault before there is a token`);

    /* Without a token, and with a wrong one: the server's words at the field, what is typed stays. */
    await cell(page, 1, 'gpu').focus();
    await type(page, '3090');
    await page.keyboard.press('Enter');
    is(await focused(page), 'amount', `${at}: Enter leads to what is missing`);
    await type(page, '305');
    await cell(page, 1, 'source').fill(source);
    await send(page, '#token-error:not([hidden])');
    is(await page.locator('#token-error').innerText(), (await ask('/imports', name)).detail, `${at}: no token: the server's words`);
    is(await focused(page), 'token', `${at}: where it is to be pasted`);
    await page.fill('#token', `${secret.slice(0, -8)}AAAAAAAA`);
    await page.keyboard.press('Enter');
    const words = (await ask('/imports', name, {Authorization: 'Bearer x'})).detail;
    await page.waitForFunction((text) => document.querySelector('#token-error').innerText === text, words);
    ok(await page.inputValue('#token') !== '', `${at}: a wrong token: the server's words`);
    is(await cell(page, 1, 'amount').inputValue(), '305', `${at}: what was typed is still there`);
    await useToken(page, secret);

    /* Rows by the keyboard alone; the planning price shows a wrong digit before anything is sent. */
    const condition = {en: 'USD', zh: 'CNY'}[name];
    is(await cell(page, 1, 'currency').inputValue(), condition, `${at}: the currency of the reader`);
    is(await cell(page, 1, 'observed_on').inputValue(), today, `${at}: the day is today`);
    await cell(page, 1, 'currency').selectOption('USD');
    is(await cell(page, 1, 'market').inputValue(), 'us', `${at}: the market follows the currency`);
    await page.waitForFunction(() => /\d/.test(document.querySelector('.entry .plan .amount')?.innerText));
    const planning = (await ask(`/gpus/${CARD}?condition=used&currency=USD`)).price.planning;
    const shown = await planOf(page, 1).locator('.amount').innerText();
    is(Number(shown.replace(/[^\d]/g, '')), Math.round(planning), `${at}: the planning price stands beside the row`);
    await cell(page, 1, 'amount').fill(String(Math.round(planning * 10)));
    ok(await planOf(page, 1).locator('.tag.bad').isVisible(), `${at}: ten times as much is said at once`);
    is((await planOf(page, 1).locator('.tag').innerText()).slice(0, 4), '× 10', `${at}: as a factor`);
    await cell(page, 1, 'amount').fill(String(planning / 20));
    is((await planOf(page, 1).locator('.tag').innerText()).slice(0, 4), '÷ 20', `${at}: of too little as well`);
    await cell(page, 1, 'amount').fill('305');
    is(await planOf(page, 1).locator('.tag.bad').count(), 0, `${at}: and not where all is well`);
    await cell(page, 1, 'note').focus();
    await page.keyboard.press('Enter');
    is(await page.locator('.entry').count(), 2, `${at}: Enter adds a row`);
    is([await cell(page, 2, 'source').inputValue(), await cell(page, 2, 'currency').inputValue()], [source, 'USD'],
        `${at}: with what seldom changes`);
    await type(page, 'a100');
    await page.keyboard.press('Enter');
    await type(page, 'x');
    await page.keyboard.press('Enter');
    await type(page, '3090');
    await page.keyboard.press('Enter');
    await type(page, '３１１.5');
    await page.waitForSelector('.entry:nth-child(2) .pill');
    await send(page, '[aria-invalid]');
    const errorAt = (field) => page.locator(`.entry:nth-child(2) .of-${field} .error`).innerText();
    ok((await errorAt('gpu')).includes('a100-sxm4') && (await errorAt('amount')).includes('699.99'),
        `${at}: faults stand at their row and field in the server's words`);
    is(await page.locator('.entry [aria-invalid]').count(), 2, `${at}: and at no other`);
    is(await faults(page), [], `${at}: axe finds no fault in them`);
    for (const narrow of [...WIDTHS, width]) {
        await page.setViewportSize({width: narrow, height: 800});
        ok(!(await scrollsSideways(page)), `${at}: no sideways scrolling at ${narrow}`);
    }
    await page.locator('.entry:nth-child(2) .pill').last().click();
    is(await cell(page, 2, 'gpu').inputValue(), 'nvidia-a100-sxm4-80gb', `${at}: a candidate is taken by a press`);
    await type(page, '00'); // behind the x
    await page.locator('#language').click();
    await page.waitForFunction((lang) => document.documentElement.lang !== lang, language === 'zh' ? 'zh-CN' : 'en');
    await page.locator('#language').click();
    await page.waitForFunction((lang) => document.documentElement.lang === lang, language === 'zh' ? 'zh-CN' : 'en');
    is([await page.locator('.entry').count(), await cell(page, 3, 'amount').inputValue(), await page.locator('.token .good').count()],
        [3, '３１１.5', 1], `${at}: the other language keeps rows and token`);
    await page.locator('.entry:nth-child(2) .remove').click();
    is(await page.locator('.entry').count(), 2, `${at}: a row can be removed`);

    /* Sent: it is in the database and in the answers; undone: it is gone, and typed again. */
    const before = await standing();
    await send(page, '.result h2');
    isStored(source, ['305000000', '311500000'].map((micros) => `${CARD}|used|USD|${micros}|us|${today}|`),
        `${at}: the database has both rows`);
    const after = await standing();
    ok(after !== null && after !== before, `${at}: the recommendation plans with ${after}, before with ${before}`);
    is(await page.locator('.result li a').first().getAttribute('href'), `/?view=card&id=${CARD}`, `${at}: a link leads to the card`);
    is(await cell(page, 1, 'gpu').inputValue() + await cell(page, 1, 'source').inputValue(), source,
        `${at}: the next row is empty but for what seldom changes`);
    is(await faults(page), [], `${at}: axe finds no fault in what was added`);
    await page.locator('.result button').click();
    await page.waitForSelector('dialog[open]');
    is(await faults(page), [], `${at}: nor in the question before an undo`);
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog', {state: 'detached'});
    isStored(source, 2, `${at}: Escape undoes nothing`);
    await page.locator('.result button').click();
    await page.locator('dialog .danger').click();
    await page.waitForSelector('.result button', {state: 'detached'});
    isStored(source, 0, `${at}: an undo takes the rows out of the database`);
    is(await standing(), before, `${at}: and out of the answers`);
    is([await page.locator('.entry').count(), await cell(page, 2, 'amount').inputValue()], [2, '３１１.5'],
        `${at}: the rows can be mended and sent again`);

    /* Held back: sent only when the holder insists. */
    await cell(page, 1, 'amount').fill('12');
    await send(page, '.held:not([hidden]) button');
    ok((await page.locator('.entry:nth-child(1) .of-amount .error').innerText()).length > 20, `${at}: ten times off: said at the amount`);
    isStored(source, 0, `${at}: and nothing is added`);
    is(await faults(page), [], `${at}: axe finds no fault in that`);
    await page.locator('.held button').click();
    await page.waitForSelector('.result button');
    isStored(source, 2, `${at}: who insists may`);

    /* A name of no card is kept and told, without a link. */
    await cell(page, 1, 'gpu').fill(`card of ${at}`);
    await cell(page, 1, 'amount').fill('100');
    await send(page, `.result b:text("card of ${at}")`);
    is(await page.locator('.result a').count(), 0, `${at}: an unknown name is told and has no link`);

    /* A file: looked at first, then imported, then undone from the list. */
    const file = (amount) => ({name: `${width}.csv`, mimeType: 'text/csv', buffer: Buffer.from('gpu_slug,condition,currency,' +
        `amount,market,observed_on,source\n${CARD},used,USD,640,us,2026-11-20,file ${at}\nrtx-3090,used,USD,${amount},us,2026-11-21,file ${at}\n`)});
    await page.locator('.file-form button').click();
    is(await focused(page), 'file', `${at}: no file: the field is shown`);
    await page.locator('#file').setInputFiles(file(-1));
    await page.locator('.file-form button').click();
    await page.waitForSelector('.report-of-file tbody tr');
    ok(/3/.test(await page.locator('.report-of-file tbody th').innerText()), `${at}: a rejected row is told by its line`);
    is(await page.locator('.report-of-file button.main').count(), 0, `${at}: such a file cannot be imported`);
    await page.locator('#file').setInputFiles(file(650));
    for (const times of [1, 2]) {
        await page.locator('#language').click();
        await page.waitForFunction((lang) => document.documentElement.lang === lang,
            (language === 'zh') === (times === 2) ? 'zh-CN' : 'en');
    }
    await page.locator('.file-form button').click();
    await page.waitForSelector('.report-of-file button.main');
    is(await page.locator('.report-of-file .value').allInnerTexts(), ['2', '2', '0', '0', '0', '0'], `${at}: a dry run counts`);
    isStored(`file ${at}`, 0, `${at}: and adds nothing`);
    is(await faults(page), [], `${at}: axe finds no fault in the report`);
    ok(!(await scrollsSideways(page)), `${at}: nor does it scroll sideways`);
    await page.locator('.report-of-file button.main').click();
    await page.waitForFunction((file_) => document.querySelector('[data-import]').innerText.includes(file_), `${width}.csv`);
    isStored(`file ${at}`, 2, `${at}: the file is imported`);
    await page.locator('[data-import] button').first().click();
    await page.locator('dialog .danger').click();
    await page.waitForFunction(() => document.querySelector('[data-import]').querySelector('button') === null);
    isStored(`file ${at}`, 0, `${at}: and undone from the list`);

    /* A server that is gone: said, and all that was typed outlives even a reload. */
    await cell(page, 1, 'gpu').fill('4090');
    await cell(page, 1, 'amount').fill('1500');
    const calm = said.length;
    await page.route('**/prices', (route) => route.abort());
    await send(page, '.rows .notice:not([hidden])');
    is([await cell(page, 1, 'gpu').inputValue(), await cell(page, 1, 'amount').inputValue()], ['4090', '1500'],
        `${at}: a server that is gone loses nothing`);
    await page.unroute('**/prices');
    said.splice(calm); // what Chromium says of the lost request
    await page.reload();
    await page.waitForSelector('.entry');
    is([await cell(page, 1, 'amount').inputValue(), await cell(page, 1, 'source').inputValue()], ['1500', source],
        `${at}: nor does a reload`);
    await page.waitForSelector('.plan .amount');
    is(said.filter((line) => !REFUSAL.test(line)), [], `${at}: the console stays empty`);
    for (const {id, undone_at} of (await ask('/imports?limit=500', name, bearer)).data) {
        if (undone_at === null) { // the next round starts with the same prices
            await fetch(`${server.url}/imports/${id}`, {method: 'DELETE', headers: bearer});
        }
    }
    await useToken(page, secret);
    await page.locator('.token button').click();
    is([await focused(page), await page.locator('[data-import]:visible').count()], ['token', 0], `${at}: forgotten`);
    await close();
}

/* Over a proxy that is not trusted with it: the server's words. */
{
    const proxied = await start({flags: ['--trusted-proxy', '127.0.0.0/8']});
    const {page, close} = await open('/');
    await page.goto(`${proxied.url}/?view=prices`);
    await page.waitForSelector('#token');
    await page.fill('#token', secret);
    await page.keyboard.press('Enter');
    await page.waitForSelector('#token-error:not([hidden])');
    const refusal = await (await fetch(`${proxied.url}/imports`)).json();
    is([refusal.status, await page.locator('#token-error').innerText()], [403, refusal.detail], '403: the server says what to do');
    await close();
    is(await proxied.stop(), [], 'no fault');
}

/* Too many wrong tokens: when to try again. A guess is given back every few seconds, however slow this machine is: the
   page asks with a wrong token, which takes what was given back, until it is told to wait. */
{
    const {page, close} = await open('/?view=prices');
    await page.waitForSelector('.entry');
    await cell(page, 1, 'gpu').fill('4090');
    await page.fill('#token', `${secret.slice(0, -8)}AAAAAAAA`);
    for (let status = 0, tries = 0; status !== 429 && tries < 100; tries += 1) {
        const [answer] = await Promise.all([page.waitForResponse('**/imports*'), page.press('#token', 'Enter')]);
        status = answer.status();
        await page.waitForSelector('#token-error:not([hidden])'); // before that the page takes no other
    }
    await page.waitForFunction(() => /\d+ s.*\d:\d\d:\d\d/.test(document.querySelector('#token-error').innerText));
    ok(true, '429: how long to wait, and until when');
    is(await cell(page, 1, 'gpu').inputValue(), '4090', 'and nothing is lost');
    await close();
}

await browser.close();
is(await server.stop(), [], 'the server ends without a fault');
done();

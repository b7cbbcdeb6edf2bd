// What stands around every view: the head with its ways, switches and the newest price's day, and the foot.
import {readFileSync} from 'node:fs';

import {done, is, ok} from '../tap.mjs';
import {sleep} from '../wait.mjs';
import {browser, faults, open, scrollsSideways, server, WIDTHS} from './visit.mjs';

const VIEWS = ['ask', 'chart', 'cards', 'compare', 'cloud', 'deal'];
const QUESTION = 'task=qlora&model=llama-3.1-8b&budget=900&condition=used';

async function answered(page) {
    await page.waitForSelector('#verdict');
}

function parametersOf(address, ...names) {
    const query = new URL(address, server.url).searchParams;
    return names.map((name) => query.get(name));
}

/* The head at every width: at most two rows, every target large enough, no fault. */
for (const language of ['en', 'zh']) {
    for (const theme of ['light', 'dark']) {
        const at = `${language} ${theme}`;
        const {page, said, close} = await open(`/?${QUESTION}`, {language, theme});
        await answered(page);
        is(await page.locator('#views a[aria-current=page]').count(), 1, `${at}: one view is the current one`);
        is(await page.locator('#language').innerText(), language === 'zh' ? 'English' : '中文', `${at}: a language names itself`);
        ok(/\d/.test(await page.locator('#as-of').innerText()), `${at}: the day of the newest price`);
        ok((await page.locator('#theme').getAttribute('aria-label')).length > 1, `${at}: the theme button has a name`);
        for (const width of WIDTHS) {
            await page.setViewportSize({width, height: 800});
            ok(!(await scrollsSideways(page)), `${at} ${width}: no sideways scrolling`);
            const tops = await page.locator('#views a').evaluateAll((links) => links.map((link) => link.getBoundingClientRect().top));
            is(new Set(tops).size, 1, `${at} ${width}: the views stand in one row`);
            const small = await page.locator('.top a, .top button, .foot a').evaluateAll((all) =>
                all.filter((one) => Math.min(one.offsetHeight, one.offsetWidth) < 24).map((one) => one.textContent));
            is(small, [], `${at} ${width}: no target under 24 px`);
            ok((await page.locator('.top').boundingBox()).height <= (width < 900 ? 92 : 52), `${at} ${width}: the head is low`);
        }
        is(await faults(page), [], `${at}: axe finds no fault`);
        is(said, [], `${at}: the console stays empty`);
        await close();
    }
}

/* The question travels. */
{
    const {page, said, close} = await open(`/?${QUESTION}&lang=zh`);
    await answered(page);
    const links = await page.locator('#views a').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    is(links.map((link) => parametersOf(link, 'view')[0] ?? 'ask'), VIEWS, 'the ways in their order');
    for (const link of links) {
        is(parametersOf(link, 'task', 'model', 'budget', 'condition', 'lang'), ['qlora', 'llama-3.1-8b', '900', 'used', 'zh'],
            `${link} takes the question along`);
    }
    await page.fill('#f-budget', '700');
    await page.waitForURL(/budget=700/);
    is(parametersOf(await page.locator('#views a').nth(4).getAttribute('href'), 'budget'), ['700'], 'as it stands now');
    await page.locator('#views a').nth(2).click();
    await page.waitForSelector('tbody tr');
    await page.fill('[name=q]', '4090');
    await page.waitForURL(/q=4090/);
    is(parametersOf(page.url(), 'view', 'model', 'budget'), ['cards', 'llama-3.1-8b', '700'], 'a filter of another view keeps it');
    await page.locator('tr[data-gpu=nvidia-geforce-rtx-4090] a').first().click();
    await page.waitForURL(/view=card&/);
    is(parametersOf(page.url(), 'model', 'budget', 'q'), ['llama-3.1-8b', '700', null], 'so does a link in it, without the filter');
    await page.locator('#views a').first().click();
    await answered(page);
    is(await page.inputValue('#f-budget'), '700', 'and back at the question it is there');
    await page.locator('.brand').click();
    await page.waitForURL((url) => url.search === '?lang=zh');
    ok(true, 'the name leads to a fresh question in the same language');
    is(said, [], 'the console stays empty');
    await close();
}

/* The foot. */
for (const language of ['en', 'zh']) {
    const {page, close} = await open('/', {language});
    await answered(page);
    const links = await page.locator('#foot a').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    is(links.filter((link) => !link.startsWith('/gpus')), ['/?view=choose', '/docs', '/?view=prices'], `${language}: the ways of the foot`);
    const csv = await (await fetch(server.url + links[1])).text();
    const {total} = await (await fetch(`${server.url}/gpus?limit=1`)).json();
    is(csv.trim().split('\r\n').length, total + 1, `${language}: the CSV holds every card`);
    await close();
}

/* Every part of a question that the contract knows is one that travels. */
{
    const contract = JSON.parse(readFileSync(new URL('../../static/openapi.json', import.meta.url), 'utf8'));
    const resolve = (node) => (node.$ref === undefined ? node
        : resolve(node.$ref.split('/').slice(1).reduce((place, step) => place[step], contract)));
    const path = resolve(contract.paths['/recommend']);
    const asked = [...(path.parameters ?? []), ...(path.get.parameters ?? [])].map(resolve).filter((one) => one.in === 'query')
        .map((one) => one.name).filter((name) => !['limit', 'explain', 'lang', 'format'].includes(name));
    const {page, close} = await open('/');
    const travelling = await page.evaluate(async (names) => {
        const module = new URL('question.js', document.querySelector('script[type=module]').src).pathname;
        const {questionOf} = await import(module);
        return Object.keys(questionOf({...Object.fromEntries(names.map((name) => [name, '1'])), view: 'x', q: 'y'}));
    }, asked);
    is(travelling.sort(), asked.sort(), 'the question is what /recommend takes');
    await close();
}

/* Back and forward: fields, answer, scroll and focus as they were left. */
{
    const {page, said, close} = await open(`/?${QUESTION}`);
    await answered(page);
    const before = await page.locator('#verdict').innerText();
    const titleBefore = await page.title();
    ok(titleBefore.startsWith(before), `the title says the verdict: ${titleBefore}`);
    await page.locator('.curl button').focus();
    await page.evaluate(() => scrollTo(0, 400));
    await page.evaluate(() => document.querySelector('#views a[href*="view=cloud"]').click());
    await page.waitForFunction(() => document.querySelectorAll('h1').length === 1 && document.activeElement.tagName === 'H1');
    is(await page.evaluate(() => scrollY), 0, 'another view begins at its top, its heading has the focus');
    ok((await page.title()).startsWith(await page.locator('h1').innerText()), 'and the title says what it is');
    await page.goBack();
    await page.waitForFunction(() => document.activeElement.closest('.curl') !== null && scrollY === 400);
    is([await page.locator('#verdict').innerText(), await page.inputValue('#f-budget')], [before, '900'],
        'back: question, answer, scroll and focus are there');
    await page.goForward();
    await page.waitForFunction(() => document.activeElement.tagName === 'H1');
    await page.goBack();
    await answered(page);
    await page.waitForFunction(() => scrollY === 400);
    await page.reload();
    await answered(page);
    await page.waitForFunction(() => scrollY === 400);
    ok(true, 'a reload keeps the place');
    is(said, [], 'the console stays empty');
    await close();
}

/* The other language in place: what is typed, the scroll and the focus stay. */
for (const language of ['en', 'zh']) {
    const {page, said, close} = await open(`/?${QUESTION}`, {language, width: 720});
    await answered(page);
    await page.evaluate(() => scrollTo(0, 300));
    await page.locator('#f-budget').evaluate((field) => {
        field.focus({preventScroll: true});
        field.value = '1234'; // typed and not asked yet
        field.setSelectionRange(2, 3);
        document.querySelector('#language').click();
    });
    await page.waitForFunction((lang) => document.documentElement.lang === lang, language === 'zh' ? 'en' : 'zh-CN');
    await page.waitForURL(/budget=1234/);
    await page.waitForFunction(() => document.activeElement.id === 'f-budget');
    is(await page.evaluate(() => [document.activeElement.value, document.activeElement.selectionStart]), ['1234', 2],
        `${language}: text and cursor outlive the switch`);
    const scroll = await page.evaluate(() => scrollY);
    ok(Math.abs(scroll - 300) < 60, `${language}: so does the scroll, but for what the words above take: ${scroll}`);
    ok(page.url().includes(`lang=${language === 'zh' ? 'en' : 'zh'}`), `${language}: the address says the language`);
    await page.waitForLoadState('networkidle');
    const before = await page.evaluate(() => scrollY);
    await page.evaluate(() => document.querySelector('#theme').click());
    is([await page.inputValue('#f-budget'), await page.evaluate(() => scrollY)], ['1234', before], `${language}: nor does the theme move anything`);
    is(said, [], `${language}: the console stays empty`);
    await close();
}

/* What the reader has left neither comes back nor writes into the address. */
{
    const {page, said, close} = await open('/?view=cards');
    await page.waitForSelector('.cards tbody tr');
    await page.evaluate(() => { // typed and left before the pause is over
        document.querySelector('[name=q]').value = '4090';
        document.querySelector('[name=q]').dispatchEvent(new Event('input', {bubbles: true}));
        document.querySelector('#views a[href*="view=deal"]').click();
    });
    await page.waitForSelector('.deal-form');
    await sleep(500); // more than any pause in typing
    is(parametersOf(page.url(), 'view', 'q'), ['deal', null], 'what was typed into a view that was left is not asked');
    let release = null;
    const released = new Promise((resolve) => {
        release = resolve;
    });
    await page.route('**/cloud.css', (route) => released.then(() => route.continue()));
    await page.locator('#views a').nth(4).click();
    await page.waitForURL(/view=cloud/);
    await page.locator('#views a').nth(2).click();
    await page.waitForSelector('.cards tbody tr');
    const late = page.waitForResponse(/cloud\.css/);
    release();
    await late;
    await page.waitForLoadState('networkidle');
    is([await page.locator('.page.cards').count(), await page.locator('.page.cloud').count()], [1, 0], 'a late view does not come over the next');
    is(parametersOf(page.url(), 'view'), ['cards'], 'nor into its address');
    is(said, [], 'the console stays empty');
    await close();
}

/* A view whose module cannot be loaded is tried again. */
{
    const {page, close} = await open(`/?${QUESTION}`);
    await answered(page);
    const verdict = await page.locator('#verdict').innerText();
    await page.route('**/view_cloud.js', (route) => route.abort());
    const link = page.locator('#views a').nth(4);
    await link.click();
    await page.waitForSelector('#gone');
    is(await page.locator('main h1').innerText(), await link.innerText(), 'a view that is waited for has its name on the page');
    await page.goBack();
    await answered(page);
    is(await page.locator('#verdict').innerText(), verdict, 'back leads to the last answer');
    await link.click();
    await page.waitForSelector('#gone');
    await page.unroute('**/view_cloud.js');
    await page.locator('#gone button').click();
    await page.waitForSelector('.cloud table');
    is(await page.locator('#gone').count(), 0, 'a view that could not be loaded comes with the next try');
    await close();
}

/* The server is gone: what was answered before is still there, with its time; the countdown runs, the tab's return asks again. */
for (const language of ['en', 'zh']) {
    const {page, close} = await open(`/?${QUESTION}`, {language});
    await answered(page);
    const first = await page.locator('#verdict').innerText();
    await page.fill('#f-budget', '5000');
    await page.waitForFunction((old) => document.querySelector('#verdict').innerText !== old, first);
    await page.route('**/recommend*', (route) => route.abort());
    await page.fill('#f-budget', '900');
    await page.waitForSelector('#gone');
    await page.waitForFunction((old) => document.querySelector('#verdict').innerText === old, first);
    ok(true, `${language}: the same question has its earlier answer`);
    const words = await page.locator('#gone').innerText();
    ok(/\d\d:\d\d/.test(words) && /\d+ (s|秒)/.test(words), `${language}: with its time and a countdown: ${words.replaceAll('\n', ' ')}`);
    is(await faults(page), [], `${language}: axe finds no fault in the notice`);
    for (const width of WIDTHS) {
        await page.setViewportSize({width, height: 800});
        ok(!(await scrollsSideways(page)), `${language} ${width}: nor does it scroll sideways`);
    }
    await page.waitForFunction(() => /(in [48] s)|([48] 秒)/.test(document.querySelector('#gone').innerText));
    ok(true, `${language}: the waits grow`);
    await page.unroute('**/recommend*');
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await page.waitForSelector('#gone', {state: 'detached'});
    is(await page.inputValue('#f-budget'), '900', `${language}: nothing typed is lost`);
    await close();
}

/* A server that says how long to wait is not asked earlier. */
for (const status of [429, 503]) {
    const {page, close} = await open(`/?${QUESTION}`, {isReal: false});
    await answered(page);
    let asked = 0;
    await page.route('**/recommend*', (route) => {
        asked += 1;
        return asked > 1 ? route.continue() : route.fulfill({status, headers: {'Retry-After': '3'}, contentType: 'application/problem+json',
            body: JSON.stringify({type: 'urn:gpuwise:problem:overloaded', title: 'Busy', status, detail: 'Words of the server.'})});
    });
    await page.fill('#f-budget', '950');
    await page.waitForSelector('#gone');
    const words = await page.locator('#gone').innerText();
    ok(words.includes('Words of the server.') && /[23] s/.test(words), `${status}: the server's words and its wait: ${words}`);
    is(await page.locator('#gone button:visible').count(), 0, `${status}: there is nothing to press meanwhile`);
    await page.evaluate(() => dispatchEvent(new Event('online')));
    is(asked, 1, `${status}: the network's return does not ask earlier either`);
    await page.waitForSelector('#gone', {state: 'detached'});
    is(asked, 2, `${status}: then it is asked once more`);
    await close();
}

/* The first answer takes long: the line and the skeleton, which go with it. */
{
    const {page, close} = await open('/docs');
    let go = null;
    const held = new Promise((resolve) => {
        go = resolve;
    });
    await page.route('**/recommend*', (route) => held.then(() => route.continue()));
    await page.goto(`${server.url}/?${QUESTION}`, {waitUntil: 'commit'});
    await page.waitForSelector('#skeleton:not([hidden])');
    ok(await page.locator('#progress').isVisible(), 'the line runs');
    ok(!(await page.locator('#foot').isVisible()), 'the foot is not there before what stands above it');
    go();
    await answered(page);
    await page.waitForSelector('#progress', {state: 'hidden'});
    is(await page.locator('#skeleton').count(), 0, 'the skeleton goes for good');
    await close();
}
{
    const {page, close} = await open('/docs');
    let go = null;
    const held = new Promise((resolve) => {
        go = resolve;
    });
    await page.route('**/gpus*', (route) => held.then(() => route.continue()));
    await page.goto(`${server.url}/?view=cards`, {waitUntil: 'commit'});
    await page.waitForSelector('#skeleton:not([hidden])');
    ok(!(await page.locator('main').isVisible()), 'another view comes as a whole');
    go();
    await page.waitForSelector('main h1');
    await page.waitForSelector('#foot');
    is(await page.locator('#skeleton').count(), 0, 'in place of its skeleton');
    await close();
}

/* A question of another view that the server refuses: all its words, the cards it may have meant as links. */
for (const language of ['en', 'zh']) {
    const {page, close} = await open('/?view=card&id=a100&budget=900', {language});
    await page.waitForSelector('.pills a');
    const reply = await fetch(`${server.url}/gpus/a100`, {headers: {'Accept-Language': language}});
    const problem = await reply.json();
    ok((await page.locator('main').innerText()).includes(problem.detail), `${language}: the server's words`);
    is(await page.locator('.pills a').allInnerTexts(), problem.candidates.map((card) => card.name), `${language}: every candidate`);
    is(await faults(page), [], `${language}: axe finds no fault`);
    await page.locator('.pills a').last().click();
    await page.waitForURL((url) => url.searchParams.get('id') === problem.candidates.at(-1).id);
    is(parametersOf(page.url(), 'budget'), ['900'], `${language}: the one pressed is taken, the question stays`);
    await close();
}

/* On paper: light in either theme, without what one presses, with every figure; tables are not cut. */
{
    const {page, close} = await open(`/?${QUESTION}`, {theme: 'dark', width: 1280});
    await answered(page);
    await page.locator('#theme').click(); // light by choice ...
    await page.locator('#theme').click(); // ... and dark by choice
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await ground();
    await page.emulateMedia({media: 'print'});
    ok(await ground() !== dark && /25\d, 25\d, 25\d/.test(await ground()), `paper is light: ${await ground()}`);
    is(await page.locator('.top nav:visible, .top button:visible, .foot:visible, .plain-button:visible').count(), 0, 'nothing to press');
    is(await page.locator('.figure:visible').count(), 6, 'all figures');
    ok(await page.locator('#verdict').isVisible() && await page.locator('.sourced:visible').count() > 3, 'the verdict, and figures that are buttons');
    is(await page.locator('.scroll').evaluateAll((all) => all.filter((one) => getComputedStyle(one).overflowX !== 'visible').length), 0,
        'no table is cut');
    await close();
}

/* Colours of the reader, and no motion for those who want none. */
{
    const {page, close} = await open(`/?${QUESTION}`);
    await answered(page);
    await page.emulateMedia({forcedColors: 'active', reducedMotion: 'reduce'});
    const mark = await page.locator('#views a[aria-current]').evaluate((link) => getComputedStyle(link, '::after').borderBottomWidth);
    is(mark, '2px', 'forced colours: the current view is marked by a line, not by a colour');
    await page.evaluate(() => {
        document.querySelector('#progress').hidden = false;
    });
    is(await page.locator('#progress').evaluate((line) => getComputedStyle(line, '::after').animationName), 'none', 'the line stands still');
    is(await faults(page), [], 'axe finds no fault in forced colours');
    await close();
}

/* By the keyboard: the first stop leads past the head; every stop of the head can be seen. */
for (const language of ['en', 'zh']) {
    const {page, close} = await open(`/?${QUESTION}`, {language});
    await answered(page);
    await page.keyboard.press('Tab');
    const skip = await page.locator('#skip').boundingBox();
    ok(skip.width > 24 && skip.height > 24, `${language}: the first stop is a visible way past the head`);
    await page.keyboard.press('Enter');
    is(await page.evaluate(() => document.activeElement.id), 'view', `${language}: it leads to the content`);
    ok(await page.locator('#verdict').isVisible(), `${language}: which stays as it is`);
    for (const stop of ['.brand', '#views a', '#language', '#theme', '#foot a']) {
        await page.locator(stop).first().focus();
        await page.keyboard.press('Shift+Tab');
        await page.keyboard.press('Tab');
        is(await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle), 'solid', `${language}: ${stop} shows its focus`);
    }
    await close();
}

await browser.close();
is(await server.stop(), [], 'the server ends without a fault');
done();

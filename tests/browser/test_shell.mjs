// What stands around every view: the head with its ways, switches and the newest price's day, and the foot.
import {readFileSync} from 'node:fs';

import {done, is, ok} from '../tap.mjs';
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
    const source = encodeURIComponent(readFileSync(new URL('../../static/question.js', import.meta.url), 'utf8'));
    const {questionOf} = await import(`data:text/javascript,${source}`);
    const all = Object.fromEntries(asked.map((name) => [name, '1']));
    is(Object.keys(questionOf({...all, view: 'x', q: 'y'})).sort(), asked.sort(), 'the question is what /recommend takes');
}

await browser.close();
is(await server.stop(), [], 'the server ends without a fault');
done();

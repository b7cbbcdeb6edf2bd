// /docs in a real browser: the whole contract in both languages, nothing from outside, and a link without script.
import {contract} from '../api/contract.mjs';
import {done, is, ok} from '../tap.mjs';
import {browser, faults, open, scrollsSideways, server, WIDTHS} from './visit.mjs';

const shown = Object.entries(contract.paths).flatMap(([path, item]) =>
    ['get', 'post', 'put', 'patch', 'delete'].filter((method) => method in item)
        .map((method) => [item[method].operationId, `${method.toUpperCase()} ${path}`]));

// With everything open axe would take minutes.
const OPENED = ['getGpus', 'postEstimate', 'CloudChoice', 'ModelList', 'ParameterProblem'];

for (const language of ['en', 'zh']) {
    for (const theme of ['light', 'dark']) {
        const {page, said, close} = await open('/docs', {language, theme});
        await page.waitForSelector('#schemas');
        is(await page.locator('html').getAttribute('lang'), language === 'zh' ? 'zh-CN' : 'en', `${language}: <html lang>`);
        is(await page.locator('details:has(.method)').evaluateAll((parts) => parts.map((part) => part.id)),
            contract.tags.flatMap((tag) => shown.map(([id]) => id).filter((id) => Object.values(contract.paths)
                .some((item) => Object.values(item).some((one) => one.operationId === id && one.tags.includes(tag.name))))),
            `${language}: every operation`);
        is(await page.locator('#schemas details').count(), Object.keys(contract.components.schemas).length, `${language}: every part`);
        await page.locator('details').evaluateAll((parts, names) => parts.forEach((part) => { part.open = names.includes(part.id); }), OPENED);
        await page.waitForSelector(`#${OPENED.at(-1)} table`);
        is(await faults(page), [], `${language} ${theme}: axe finds no fault`);
        await page.locator('details').evaluateAll((parts) => parts.forEach((part) => { part.open = true; }));
        await page.waitForFunction(() => [...document.querySelectorAll('details')].every((part) => part.children.length > 1));
        for (const width of theme === 'light' ? WIDTHS : []) {
            await page.setViewportSize({width, height: 800});
            ok(!(await scrollsSideways(page)), `${language} ${theme} ${width} px: no sideways scrolling`);
        }
        is(said, [], `${language} ${theme}: the console stays empty, nothing is asked outside`);
        await close();
    }
}

{
    const {page, said, close} = await open('/docs#getDeal');
    await page.waitForSelector('#getDeal[open] table');
    const rows = await page.locator('#getDeal table').first().locator('tbody th').allInnerTexts();
    ok(rows.includes('budget') && rows.some((row) => /^price\s+required$/.test(row)), 'the address opens an operation, with its parameters');
    await page.locator('#getDeal a[href="#Deal"]').first().click();
    await page.waitForSelector('#Deal[open]');
    ok(await page.locator('#Deal').isVisible(), 'a link leads to the part of the answer');
    await page.locator('#language').click();
    await page.waitForFunction(() => document.documentElement.lang === 'zh-CN');
    ok(await page.locator('#schemas').isVisible(), 'and the language can be changed');
    is(said, [], 'the console stays empty');
    await close();
}

{
    const {page, said, close} = await open('/docs#postPrices');
    await page.waitForSelector('#postPrices[open] .curl');
    const commands = await page.locator('#postPrices .curl code').allInnerTexts();
    const example = contract.components.examples.price.value;
    is(JSON.parse(commands[0]), example, 'a body has its example');
    ok(commands[1].startsWith('curl -H "Authorization: Bearer $TOKEN" --json \'{') && commands[1].endsWith(`'${server.url}/prices'`),
        `and a command that sends it: ${commands[1]}`);
    const rows = await page.locator('#postPrices table tbody th').allInnerTexts();
    is(Object.keys(contract.components.schemas.PricePosted.properties).filter((name) =>
        !rows.includes(name) && !rows.includes(`${name}?`)), [], 'and every member');
    await page.locator('details:has(.method)').evaluateAll((parts) => parts.forEach((part) => { part.open = true; }));
    await page.waitForFunction((count) => [...document.querySelectorAll('details:has(.method)')]
        .filter((part) => part.querySelector('.curl') !== null).length === count, shown.length);
    const all = await page.locator('details:has(.method) .curl code').allInnerTexts();
    ok(all.some((one) => one.includes('--data-binary @FILE')) && all.some((one) => one.startsWith('curl -X DELETE')) &&
        all.every((one) => !one.includes('…')), 'each operation has its command');
    is(said, [], 'the console stays empty');
    await close();
}

{
    const {page, close} = await open('/docs', {script: false});
    const links = await page.locator('.notice a').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    is(links, ['/openapi.json', '/openapi.json'], 'without script a link is left in either language');
    await close();
}

/* The contract is not loaded where it is not shown. */
{
    const asked = [];
    const {page, close} = await open('/healthz');
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(`${server.url}/`);
    await page.waitForSelector('#verdict');
    is(asked.filter((path) => /openapi|docs/.test(path)), [], 'the first page loads neither the contract nor its page');
    await close();
}

await browser.close();
is(await server.stop(), [], 'the server behaved');
done();

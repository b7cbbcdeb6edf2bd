// Without JavaScript: the page's form leads to an answer that is a page itself, in both languages and themes.
import {done, is, ok} from '../tap.mjs';
import {browser, faults, open, server} from './visit.mjs';

const WIDTHS = [320, 720, 1280];

/* The form of the page, submitted as it stands but for the budget. */
for (const language of ['en', 'zh']) {
    const {page, said, close} = await open('/', {language, script: false});
    await page.fill('#p-budget', '800');
    await page.selectOption('#p-condition', 'used');
    await Promise.all([page.waitForNavigation(), page.click('button[type=submit]')]);
    const address = new URL(page.url());
    is(address.pathname, '/recommend', `${language}: the form leads to /recommend`);
    is(address.searchParams.get('model'), '', 'with its empty field');
    is(await page.locator('html').getAttribute('lang'), language === 'zh' ? 'zh-CN' : 'en', `${language}: <html lang>`);
    const answer = await (await fetch(`${server.url}/recommend?task=learn&budget=800&condition=used`)).json();
    ok(
        (await page.locator('main').innerText()).includes(answer.picks[0].gpu.name),
        `${language}: the answer names the pick, ${answer.picks[0].gpu.name}`,
    );
    const rows = await page.locator('table').first().locator('tbody tr').count();
    is(rows, answer.picks.length, `${language}: a row for each pick`);
    await Promise.all([
        page.waitForNavigation(),
        page.locator('table').first().locator('tbody a').first().click(),
    ]);
    is(await page.locator('h1').innerText(), answer.picks[0].gpu.name, `${language}: a click on the card shows it`);
    is(said, [], `${language}: nothing on the console, nothing from outside`);
    await close();
}

/* All fields of the form, and the ways beside it, both readable in either language. */
{
    const {page, said, close} = await open('/', {script: false, width: 320});
    const filled = {task: 'qlora', model: 'llama-3.1-8b', budget: '9000', currency: 'CNY', condition: 'used', chassis: 'desktop',
        psu_watts: '850', own: 'rtx-3060-12gb', prices: 'rtx-3090:4321'};
    const names = await page.locator('form [name]').evaluateAll((all) => all.map((one) => one.name));
    is(names, Object.keys(filled), 'the form asks for the basics, what one has and what one was quoted');
    for (const label of await page.locator('form label').allInnerTexts()) {
        ok(/[A-Za-z]/.test(label) && /\p{Script=Han}/u.test(label), `${label}: in both languages`);
    }
    for (const [name, value] of Object.entries(filled)) {
        const field = page.locator(`form [name=${name}]`);
        await ((await field.evaluate((one) => one.tagName)) === 'SELECT' ? field.selectOption(value) : field.fill(value));
    }
    const [reply] = await Promise.all([page.waitForNavigation(), page.click('button[type=submit]')]);
    is(reply.status(), 200, 'filled in as a whole it is answered');
    ok((await page.locator('main').innerText()).includes('4,321'), 'with the price that was quoted');
    await page.goBack();
    const ways = await page.locator('.ways a').evaluateAll((all) => all.map((one) => one.getAttribute('href')));
    is(ways, ['/gpus', '/cloud', '/tiers', '/docs'], 'the ways to the lists');
    for (const way of ways) {
        const page_ = await page.goto(server.url + way);
        ok(page_.status() === 200 && page_.headers()['content-type'].startsWith('text/html'), `${way} is a page`);
    }
    is(said, [], 'the console stays empty');
    await close();
}

/* A question that cannot be answered as it stands. */
{
    const {page, close} = await open('/', {script: false});
    await page.fill('#p-budget', '-5');
    const [reply] = await Promise.all([page.waitForNavigation(), page.click('button[type=submit]')]);
    is(reply.status(), 400, 'a bad budget is refused');
    ok((await page.locator('main').innerText()).includes('budget'), 'in words that name the field');
    await close();
}

/* Other forms and other pages are a click away. */
{
    const {page, close} = await open('/gpus?limit=10', {script: false});
    await Promise.all([page.waitForNavigation(), page.click('footer a:text("Next page")')]);
    ok(/cursor=/.test(page.url()), 'the next page of a list');
    await Promise.all([page.waitForNavigation(), page.click('footer a:text("中文")')]);
    is(await page.locator('html').getAttribute('lang'), 'zh-CN', 'the same in Chinese');
    await Promise.all([page.waitForNavigation(), page.click('footer a:text("JSON")')]);
    ok((await page.content()).includes('&quot;data&quot;') || (await page.content()).includes('"data"'), 'the same as JSON');
    await close();
}

/* axe and widths need scripts of their own; the answers have none. */
const PAGES = [
    '/recommend?budget=1000',
    '/recommend?task=train&model=llama-3.1-405b&budget=100',
    '/deal?gpu=rtx-3090&price=700',
    '/compare?gpus=rtx-3090,rtx-4090,mi210',
    '/estimate?model=llama-3.1-8b&gpu=rtx-3090',
    '/gpus?limit=30',
    '/gpus/rtx-3090',
    '/models?limit=30',
    '/models/gpt2',
    '/tiers',
    '/cloud?limit=30',
    '/gpus/a100',
    '/recommend?bugdet=1&batch=-1',
];
for (const [index, path] of PAGES.entries()) {
    const language = index % 2 === 0 ? 'en' : 'zh';
    const theme = index % 3 === 0 ? 'dark' : 'light';
    const {page, said, close} = await open(path, {language, theme});
    is(await faults(page), [], `${path}, ${language}, ${theme}: axe finds no fault`);
    is(await page.locator('script').count(), 0, `${path}: no script`);
    for (const width of WIDTHS) {
        await page.setViewportSize({width, height: 800});
        ok(
            await page.evaluate(
                () => document.documentElement.scrollWidth <= document.documentElement.clientWidth,
            ),
            `${path}: no sideways scrolling at ${width} px`,
        );
    }
    is(said.filter((line) => !line.includes('status of')), [], `${path}: the console stays empty`);
    await close();
}

await browser.close();
is(await server.stop(), [], 'the server ends without a fault');
done();

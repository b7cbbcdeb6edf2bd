// The page in a real browser: both languages, every view, no word on the console, no fault of axe.
import {done, is, ok} from '../tap.mjs';
import {browser, byWeight, faults, open, scrollsSideways, server, WIDTHS} from './visit.mjs';

async function answered(page) {
    await page.waitForSelector('#verdict');
}

/* The answer in both languages, both themes, at every width. */
for (const language of ['en', 'zh']) {
    for (const theme of ['light', 'dark']) {
        const {page, said, close} = await open('/?budget=1000', {language, theme});
        await answered(page);
        is(
            await page.locator('html').getAttribute('lang'),
            language === 'zh' ? 'zh-CN' : 'en',
            `${language}: <html lang>`,
        );
        ok(
            /\d/.test(await page.locator('#verdict').innerText()),
            `${language} ${theme}: the verdict names a card and a price`,
        );
        is(await page.locator('.figure').count(), 6, `${language} ${theme}: six figures`);
        is(await faults(page), [], `${language} ${theme}: axe finds no fault in the answer`);
        for (const width of WIDTHS) {
            await page.setViewportSize({width, height: 800});
            ok(
                !(await scrollsSideways(page)),
                `${language} ${theme} ${width} px: no sideways scrolling`,
            );
        }
        is(said, [], `${language} ${theme}: the console stays empty`);
        await close();
    }
}

/* What the answer shows is what the API says. */
{
    const {page, said, close} = await open('/?task=inference&model=llama-3.1-8b&budget=1500');
    await answered(page);
    const reply = await fetch(
        `${server.url}/recommend?task=inference&model=llama-3.1-8b&budget=1500&limit=20`,
    );
    const answer = await reply.json();
    const first = answer.picks[0];
    is(
        await page.locator('tr.pick').getAttribute('data-gpu'),
        first.gpu.id,
        'the marked row is the first pick',
    );
    const shown = await page
        .locator('.warnings li')
        .evaluateAll((rows) => rows.map((row) => row.dataset.code));
    is(
        shown,
        (await byWeight(first.warnings, page.locator('.warnings li'))).map((warning) => warning.code),
        'all its warnings are shown, in order',
    );
    const command = await page.locator('.curl code').innerText();
    ok(
        command === `curl '${server.url}/recommend?task=inference&model=llama-3.1-8b&budget=1500'`,
        `the command asks the same: ${command}`,
    );
    await page.waitForSelector('.chart-place.memory svg');
    ok((await page.locator('.chart-place.memory').count()) === 1, 'memory is drawn as one stack');
    is(said, [], 'the console stays empty');
    await close();
}

/* Typing asks; the address holds the question; a reload shows the same. */
{
    const {page, said, close} = await open('/');
    await answered(page);
    await page.fill('#f-budget', '400');
    await page.waitForURL(/budget=400/);
    await page.fill('#f-question', 'train a network');
    await page.waitForURL(/task=train/);
    await page.waitForFunction(() =>
        document.querySelector('.curl code').innerText.includes('task=train'),
    );
    const before = await page.locator('#verdict').innerText();
    await page.reload();
    await answered(page);
    is(await page.locator('#verdict').innerText(), before, 'the address holds the question');
    is(await page.inputValue('#f-budget'), '400', 'and fills the form');
    is(said, [], 'the console stays empty');
    await close();
}

/* Bad input: the server's words at the field, the last answer stays. */
{
    const {page, close} = await open('/?budget=1000');
    await answered(page);
    const before = await page.locator('#verdict').innerText();
    await page.fill('#f-budget', '1e3');
    await page.waitForSelector('#e-budget:not([hidden])');
    ok((await page.locator('#e-budget').innerText()).length > 10, 'the error stands at the field');
    is(
        await page.locator('#f-budget').getAttribute('aria-invalid'),
        'true',
        'and the field is marked',
    );
    is(await page.locator('#verdict').innerText(), before, 'the last good answer stays');
    await page.fill('#f-budget', '1000');
    await page.waitForSelector('#e-budget', {state: 'hidden'});
    await page.fill('#f-own', 'a100');
    await page.waitForSelector('#e-own .pill');
    ok(
        (await page.locator('#e-own .pill').count()) >= 2,
        'an ambiguous card offers its candidates',
    );
    await page.keyboard.press('Escape'); // the list of the field lies over them
    await page.locator('#e-own .pill').first().click();
    await page.waitForSelector('#e-own', {state: 'hidden'});
    ok(new URL(page.url()).searchParams.get('own').startsWith('nvidia-a100'), 'and takes the one pressed');
    await close();
}

/* A pressed change applies at once and can be undone. */
{
    const {page, said, close} = await open('/?task=train&domain=vision&budget=600&condition=new');
    await answered(page);
    const change = page.locator('.change').first();
    if ((await change.count()) > 0) {
        const address = page.url();
        await change.click();
        await page.waitForSelector('.change.undo');
        ok(page.url() !== address, 'the change is in the address');
        await page.locator('.change.undo').click();
        await page.waitForURL(address);
        ok(true, 'undo brings the question back');
    } else {
        ok(false, 'this question has at least one change to offer');
    }
    is(said, [], 'the console stays empty');
    await close();
}

/* Language and theme switch in place and keep the question. */
{
    const {page, said, close} = await open('/?budget=700');
    await answered(page);
    await page.click('#language');
    await page.waitForFunction(
        () =>
            document.documentElement.lang === 'zh-CN' &&
            document.querySelector('#verdict')?.innerText.includes('买'),
    );
    is(await page.inputValue('#f-budget'), '700', 'the other language keeps the question');
    await page.click('#theme');
    is(await page.locator('html').getAttribute('data-theme'), 'dark', 'the theme switches');
    await page.reload();
    await answered(page);
    is(await page.locator('html').getAttribute('data-theme'), 'dark', 'and is remembered');
    is(said, [], 'the console stays empty');
    await close();
}

/* A server that is gone: the last answer stays and says so. */
{
    const {page, close} = await open('/?budget=1000');
    await answered(page);
    const before = await page.locator('#verdict').innerText();
    await page.route('**/recommend*', (route) => route.abort());
    await page.fill('#f-budget', '900');
    await page.waitForSelector('#gone');
    is(await page.locator('#verdict').innerText(), before, 'the last answer stays');
    await page.unroute('**/recommend*');
    await page.locator('#gone button').click();
    await page.waitForSelector('#gone', {state: 'detached'});
    ok(true, 'and the next try clears the notice');
    await close();
}

await browser.close();
is(await server.stop(), [], 'the server ends without a fault');
done();

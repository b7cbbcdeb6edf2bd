// What a page shows when things are not as they should be: slow, late, gone, refused, half typed; and that nothing typed is lost.
import {start} from '../server_under_test.mjs';
import {done, is, ok} from '../tap.mjs';
import {until} from '../wait.mjs';
import {browser, open, part, server} from './visit.mjs';

const QUESTION = '/?task=qlora&model=llama-3.1-8b&budget=1500';
const RETRY_S = [2, 4, 8, 16, 32, 60, 60];
const PAUSE_MS = 150; // after the last key
const SLOW_MS = 400; // from here on the line is shown
const REFUSAL = /Failed to load resource/; // Chromium's own words of what it could not load

/** Views that ask the server as they open, and what shows that they have their answer. */
const VIEWS = [
    ['ask', QUESTION, '#verdict'],
    ['cards', '/?view=cards', 'tbody tr'],
    ['card', '/?view=card&id=nvidia-geforce-rtx-3090', '.card-parts'],
    ['chart', QUESTION.replace('/?', '/?view=chart&'), '[data-point]'],
    ['compare', '/?view=compare&gpus=rtx-3090,rtx-4090,mi210', 'main table'],
    ['cloud', '/?view=cloud', 'tbody tr'],
    ['deal', '/?view=deal&gpu=nvidia-geforce-rtx-3090&price=700', '#verdict[data-verdict]'],
];

const isAsked = (url) => /^\/(recommend|gpus|cloud|models|compare|deal|estimate|tiers)\b/.test(url.pathname);
const answered = (page) => page.waitForSelector('#verdict');
const verdictOf = (page) => page.locator('#verdict').innerText();

/** Goes to a view as a link of the page does, without loading the page again. */
async function go(page, path) {
    await page.evaluate((target) => {
        history.pushState({}, '', target);
        dispatchEvent(new PopStateEvent('popstate'));
    }, path);
}

/** Counts what the page asks of a path, and how much of it is settled; both can be read in the page. */
const counting = (page) => page.addInitScript(() => {
    const real = window.fetch;
    window.asked = [];
    window.settled = 0;
    window.fetch = (target, ...rest) => {
        const isQuestion = String(target).startsWith('/recommend');
        if (isQuestion) {
            window.asked.push(String(target));
        }
        return real(target, ...rest).finally(() => {
            window.settled += isQuestion;
        });
    };
});
const asked = (page) => page.evaluate(() => window.asked.length);
/** The page has asked so often and has dealt with every reply. */
const settled = (page, count) => until(async () => {
    const [begun, ended] = await page.evaluate(() => [window.asked.length, window.settled]);
    return begun === count && ended === count;
});

/* A slow answer: the line after a while and not before, the old answer as it was, then the new one. */
for (const language of ['en', 'zh']) {
    await part(`slow ${language}`, async () => {
        const {page, said, close} = await open(QUESTION, {language, before: (one) => one.clock.install()});
        await answered(page);
        const before = await verdictOf(page);
        let release;
        await page.route('**/recommend*', async (route) => {
            await new Promise((resolve) => {
                release = resolve;
            });
            await route.continue();
        });
        await page.clock.pauseAt(Date.now() + 60000);
        await page.fill('#f-budget', '300');
        await page.clock.runFor(PAUSE_MS);
        await until(() => release !== undefined);
        await page.clock.runFor(SLOW_MS - 20);
        ok(await page.locator('#progress').isHidden(), `${language}: no line for an answer that comes at once`);
        await page.clock.runFor(40);
        ok(await page.locator('#progress').isVisible(), `${language}: a line for one that does not`);
        is(await verdictOf(page), before, `${language}: meanwhile the old answer stands`);
        is(await page.locator('#verdict').evaluate((node) => getComputedStyle(node).opacity), '1', `${language}: undimmed`);
        release();
        await page.waitForFunction((old) => document.querySelector('#verdict').innerText !== old, before);
        await page.waitForSelector('#progress', {state: 'hidden'});
        is(said, [], `${language}: the console stays empty`);
        await close();
    });
}

/* The newest question wins, also where an older answer comes later. */
await part('newest', async () => {
    const {page, said, close} = await open('/', {before: counting});
    await answered(page);
    const held = [];
    await page.route(/\/recommend\?.*budget=300(&|$)/, (route) => held.push(route));
    await page.fill('#f-budget', '300');
    await until(() => held.length > 0);
    await page.fill('#f-budget', '2500');
    await page.waitForURL(/budget=2500/);
    const newest = await (await fetch(`${server.url}/recommend?budget=2500&limit=1`)).json();
    const name = newest.picks[0].gpu.name.split(' ').slice(-2).join(' ');
    await page.waitForFunction((text) => document.querySelector('#verdict').innerText.includes(text), name);
    const shown = await verdictOf(page);
    await Promise.all(held.map((route) => route.continue().catch(() => {}))); // the page has dropped it by now
    await settled(page, await asked(page));
    is(await verdictOf(page), shown, 'an older answer that comes later changes nothing');
    ok(/budget=2500/.test(page.url()), 'nor does the address');
    is(said, [], 'the console stays empty');
    await close();
});

/* The server is gone: every view says so, and has its answer once the server is back. */
for (const language of ['en', 'zh']) {
    await part(`gone ${language}`, async () => {
        const {page, close} = await open('/?view=prices', {language});
        await page.waitForSelector('h1');
        for (const [name, path, ready] of VIEWS) {
            await page.route(isAsked, (route) => route.abort());
            await go(page, path);
            await page.waitForSelector('#gone');
            const words = await page.locator('#gone').innerText();
            ok(language === 'zh' ? /没有响应/.test(words) : /does not answer/.test(words), `${language} ${name}: says that nobody answers`);
            await page.unroute(isAsked);
            await page.locator('#gone button').click();
            await page.waitForSelector(ready);
            await page.waitForSelector('#gone', {state: 'detached'});
            ok(true, `${language} ${name}: shows its answer once there is one`);
        }
        await close();
    });
}

/* Trying again: 2, 4, 8 … 60 seconds later, by a clock that the test moves; the last answer stays with its time. */
for (const language of ['en', 'zh']) {
    await part(`retries ${language}`, async () => {
        const before = async (page) => {
            await page.clock.install();
            await counting(page);
        };
        const {page, close} = await open(QUESTION, {language, before});
        await answered(page);
        const last = await verdictOf(page);
        let count = await asked(page);
        await settled(page, count);
        await page.route('**/recommend*', (route) => route.abort());
        await page.clock.pauseAt(Date.now() + 60000);
        await page.fill('#f-budget', '900');
        await page.clock.runFor(PAUSE_MS);
        count += 1;
        ok(await settled(page, count), `${language}: the question is asked once`);
        for (const wait of RETRY_S) {
            await page.waitForSelector('#gone');
            await page.clock.runFor(wait * 1000 - 100);
            is(await asked(page), count, `${language}: not again before ${wait} s`);
            await page.clock.runFor(200);
            count += 1;
            ok(await settled(page, count), `${language}: but then`);
        }
        is(await verdictOf(page), last, `${language}: the last answer stays`);
        ok(/\d{1,2}:\d\d/.test(await page.locator('#gone').innerText()), `${language}: with its time`);
        await page.unroute('**/recommend*');
        await page.clock.runFor(RETRY_S.at(-1) * 1000 + 100);
        await page.waitForSelector('#gone', {state: 'detached'});
        ok(/budget=900/.test((await page.evaluate(() => window.asked.at(-1)))), `${language}: what was asked is answered in the end`);
        await close();
    });
}

/* When the tab is seen again it tries at once. */
await part('tab', async () => {
    const before = async (page) => {
        await page.clock.install();
        await counting(page);
    };
    const {page, close} = await open(QUESTION, {before});
    await answered(page);
    await page.clock.pauseAt(Date.now() + 60000);
    await page.route('**/recommend*', (route) => route.abort());
    await page.fill('#f-budget', '900');
    await page.clock.runFor(PAUSE_MS);
    await page.waitForSelector('#gone');
    await page.unroute('**/recommend*');
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await page.waitForSelector('#gone', {state: 'detached'});
    ok(true, 'a tab that is looked at again asks at once');
    await close();
});

/* 429 and 503 say when to ask again, and are obeyed. */
async function refusal() {
    for (;;) {
        const reply = await fetch(`${server.url}/imports`, {headers: {authorization: 'Bearer wrong'}});
        const body = await reply.json();
        if (reply.status === 429) {
            return body;
        }
    }
}
const tooOften = await refusal();
const busy = {...tooOften, status: 503, type: 'urn:gpuwise:problem:overloaded'};
for (const [language, problem, wait] of [['en', tooOften, 7], ['zh', tooOften, 13], ['en', busy, 5], ['zh', busy, 11]]) {
    await part(`refused ${language} ${problem.status}`, async () => {
        const title = `${language} ${problem.status}, Retry-After: ${wait}`;
        const before = async (page) => {
            await page.clock.install();
            await counting(page);
        };
        const {page, close} = await open(QUESTION, {language, isReal: false, before});
        await answered(page);
        const last = await verdictOf(page);
        let count = await asked(page);
        await settled(page, count);
        const refuse = (route) => route.fulfill({status: problem.status, contentType: 'application/problem+json',
            headers: {'Retry-After': String(wait)}, body: JSON.stringify(problem)});
        await page.route('**/recommend*', refuse);
        await page.clock.pauseAt(Date.now() + 60000);
        await page.fill('#f-budget', '900');
        await page.clock.runFor(PAUSE_MS);
        count += 1;
        await settled(page, count);
        await page.waitForSelector('#gone');
        is(await verdictOf(page), last, `${title}: the last answer stays`);
        await page.unroute('**/recommend*');
        await page.clock.runFor(wait * 1000 - 100);
        is(await asked(page), count, `${title}: not asked again before`);
        await page.clock.runFor(200);
        ok(await settled(page, count + 1), `${title}: but then`);
        await page.waitForSelector('#gone', {state: 'detached'});
        await close();
    });
}

/* A server that is really stopped, and comes back at the same address. */
await part('stopped', async () => {
    const first = await start();
    const {page, close} = await open(QUESTION, {at: first});
    await answered(page);
    const last = await verdictOf(page);
    is(await first.stop(), [], 'a server ends under an open page');
    await page.fill('#f-budget', '900');
    await page.waitForSelector('#gone');
    is(await verdictOf(page), last, 'the page keeps the last answer');
    const second = await start({port: first.port});
    await page.waitForSelector('#gone', {state: 'detached'});
    await page.waitForFunction(() => location.search.includes('budget=900'));
    const reply = await page.evaluate(async () => (await fetch(`/recommend${location.search}`)).status);
    is(reply, 200, 'and goes on by itself once the server is back');
    await close();
    is(await second.stop(), [], 'the second server ends without a fault');
});

/* Gone before the first word is typed: what words are read with is not there yet. The notice, then what was typed is answered. */
for (const language of ['en', 'zh']) {
    await part(`gone before words ${language}`, async () => {
        const first = await start();
        const before = (one) => one.route('**/ask_suggest.js', (route) => route.abort());
        const {page, said, close} = await open('/', {language, at: first, before});
        await answered(page);
        await page.waitForLoadState('networkidle');
        await first.stop();
        await page.locator('#f-question').pressSequentially('run llama 3.1 8b');
        await page.waitForSelector('#gone');
        is(await page.inputValue('#f-question'), 'run llama 3.1 8b', `${language}: what is typed while nobody answers stays`);
        await page.unroute('**/ask_suggest.js');
        const second = await start({port: first.port});
        await page.waitForSelector('#gone', {state: 'detached'});
        ok(await until(() => new URL(page.url()).searchParams.get('model') === 'llama-3.1-8b', {milliseconds: 10000}),
            `${language}: and is answered once the server is back`);
        await page.waitForFunction(() => /llama/i.test(document.querySelector('.assumed, #verdict').closest('main').innerText));
        is(said.filter((line) => !REFUSAL.test(line)), [], `${language}: without a fault of the page`);
        await close();
        await second.stop();
    });
}

/* The folded fields are asked for while the server is gone: the notice, then they open and the question has its answer. */
await part('gone before details', async () => {
    const {page, said, close} = await open(QUESTION);
    await answered(page);
    const isLost = (url) => isAsked(url) || /\/(ask_details\.js|healthz)$/.test(url.pathname);
    await page.route(isLost, (route) => route.abort());
    await page.locator('#edit').click();
    await page.waitForSelector('#gone');
    await page.unrouteAll();
    await page.locator('#gone button').click();
    await page.waitForSelector('#f-context:visible');
    await page.waitForSelector('#gone', {state: 'detached'});
    await answered(page);
    is(said.filter((line) => !REFUSAL.test(line)), [], 'folded fields that could not be loaded open once they are there');
    await close();
});

/* Views chosen while the server is gone: each tries at once, none makes the wait longer, and all of the page is of the view chosen. */
for (const language of ['en', 'zh']) {
    await part(`clicks while gone ${language}`, async () => {
        const {page, said, close} = await open(QUESTION, {language, before: (one) => one.clock.install()});
        await answered(page);
        await page.clock.pauseAt(Date.now() + 60000);
        const isLost = (url) => isAsked(url) || /\/(view_|text_(cards|cloud|deal|compare)|healthz)/.test(url.pathname);
        await page.route(isLost, (route) => route.abort());
        for (const name of ['cards', 'cloud', 'deal', 'compare', 'cards']) {
            const link = page.locator(`#views a[href*="view=${name}"]`);
            const words = await link.innerText();
            const isTried = page.waitForRequest((request) => new URL(request.url()).pathname.endsWith(`/view_${name}.js`));
            await link.click();
            await isTried;
            await page.waitForFunction(() => /\d/.test(document.querySelector('#gone .wait')?.innerText));
            const wait = await page.locator('#gone .wait').innerText();
            is(wait.match(/\d+/)[0], '2', `${language} ${name}: the wait is as at first`);
            const seen = await page.evaluate(() => [new URLSearchParams(location.search).get('view'),
                document.querySelector('#views [aria-current]')?.innerText, document.querySelector('main h1').innerText, document.title]);
            is(seen, [name, words, seen[2], `${seen[2]} · gpuwise`], `${language} ${name}: address, tab and title are of the view chosen`);
            is(await page.locator('#verdict').count(), 0, `${language} ${name}: the view before is not left under its name`);
            is(await page.evaluate(() => document.activeElement.tagName), 'H1', `${language} ${name}: the focus is on its heading`);
        }
        await page.unrouteAll();
        await page.locator('#gone button').click();
        await page.waitForSelector('tbody tr');
        await page.waitForSelector('#gone', {state: 'detached'});
        is(said.filter((line) => !REFUSAL.test(line)), [], `${language}: without a fault of the page`);
        await close();
    });
}

/* An input method: nothing is asked while a word is being composed. */
for (const field of ['#f-question', '#f-budget']) {
    await part(`composing ${field}`, async () => {
        const before = async (page) => {
            await page.clock.install();
            await counting(page);
        };
        const {page, said, close} = await open('/', {language: 'zh', before});
        await answered(page);
        const requests = [];
        page.on('request', (request) => isAsked(new URL(request.url())) && requests.push(request.url()));
        await page.clock.pauseAt(Date.now() + 60000);
        await page.locator(field).focus();
        await page.locator(field).fill('');
        await page.clock.runFor(1000);
        await settled(page, await asked(page));
        requests.length = 0;
        const devtools = await page.context().newCDPSession(page);
        const [steps, word] = field === '#f-budget' ? [['8', '80', '800'], '800'] : [['w', 'wei', 'wei tiao'], '微调'];
        for (const text of steps) {
            await devtools.send('Input.imeSetComposition', {text, selectionStart: text.length, selectionEnd: text.length});
            await page.clock.runFor(PAUSE_MS * 3);
        }
        is(requests, [], `${field}: nothing is asked while a word is composed`);
        await devtools.send('Input.insertText', {text: word});
        await page.clock.runFor(PAUSE_MS * 3);
        ok(await until(() => requests.length > 0), `${field}: it is once the word stands`);
        is(await page.inputValue(field), word, `${field}: the word is in the field`);
        is(said, [], `${field}: the console stays empty`);
        await close();
    });
}

/* Language and theme change under the hands of a reader who has typed and not chosen. */
await part('switches', async () => {
    const {page, said, close} = await open('/');
    await answered(page);
    await page.fill('#f-budget', '700');
    await page.waitForURL(/budget=700/);
    await page.locator('#f-question').pressSequentially('qzx half a wor');
    await page.keyboard.press('Escape');
    await page.locator('#theme').click();
    is(await page.inputValue('#f-question'), 'qzx half a wor', 'the other theme keeps what is typed');
    const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await page.locator('#language').click();
    await page.waitForFunction(() => document.documentElement.lang === 'zh-CN');
    await page.waitForFunction(() => document.querySelector('#verdict')?.innerText.includes('买'));
    await until(async () => (await page.inputValue('#f-question')) !== '', {milliseconds: 10000});
    is(await page.inputValue('#f-question'), 'qzx half a wor', 'the other language too');
    is(await page.inputValue('#f-budget'), '700', 'with the budget');
    is(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), ground, 'and the theme');
    is(said, [], 'the console stays empty');
    await close();
});

/* The language changes before the words are read, and while nothing can be asked: the words stay, and are read then. */
await part('switch at once', async () => {
    const {page, close} = await open('/');
    await page.waitForSelector('.tier');
    await page.evaluate(() => {
        const input = document.querySelector('#f-question');
        input.value = 'run qwen3 32b';
        input.dispatchEvent(new Event('input', {bubbles: true}));
        document.querySelector('#language').click();
    });
    await page.waitForFunction(() => document.documentElement.lang === 'zh-CN');
    ok(await until(() => new URL(page.url()).searchParams.get('model') === 'qwen3-32b'), 'what was just typed is read in the other language');
    ok((await page.inputValue('#f-question')) !== '', 'and stands in the field');
    await page.goto(`${server.url}/?view=compare&gpus=rtx-3090,rtx-4090&lang=en`);
    await page.waitForSelector('main table');
    await page.locator('.compare .add input').fill('rtx 50');
    await page.locator('#language').click();
    await page.waitForFunction(() => document.querySelector('main h1')?.innerText.includes('对比'));
    is(await page.inputValue('.compare .add input'), 'rtx 50', 'a card half typed to compare stays');
    await close();
});

/* A browser that keeps nothing: the page works all the same, from view to view and in both languages. */
await part('no storage', async () => {
    const {page, said, close} = await open(QUESTION, {before: (one) => one.addInitScript(() => {
        for (const name of ['localStorage', 'sessionStorage']) {
            Object.defineProperty(window, name, {configurable: true, get() {
                throw new DOMException('denied', 'SecurityError');
            }});
        }
    })});
    await answered(page);
    await page.locator('#theme').click();
    await page.locator('#language').click();
    await page.waitForFunction(() => document.querySelector('#verdict')?.innerText.includes('买'));
    await page.locator('header a[href*="view=cards"]').click();
    await page.waitForSelector('tbody tr');
    await page.goBack();
    await answered(page);
    is(said, [], 'without storage the console stays empty');
    await close();
});

/* Back: the fields, the answer, the place on the page and the focus are as they were. */
for (const [language, width] of [['en', 1280], ['zh', 360]]) {
    await part(`back ${language} ${width}`, async () => {
        const {page, said, close} = await open(QUESTION, {language, width});
        await answered(page);
        await page.waitForLoadState('networkidle');
        const verdict = await verdictOf(page);
        const link = page.locator('main a[href*="view=card&id="]:visible').last();
        await link.scrollIntoViewIfNeeded();
        await page.evaluate(() => scrollBy(0, 40));
        await page.waitForFunction(() => scrollY > 0);
        const href = await link.getAttribute('href');
        await link.focus();
        const topOf = () => page.evaluate((target) => {
            const links = [...document.querySelectorAll(`main a[href="${target}"]`)].filter((one) => one.checkVisibility());
            return links.at(-1)?.getBoundingClientRect().top ?? null;
        }, href);
        const top = await topOf();
        await page.keyboard.press('Enter');
        await page.waitForSelector('.card-parts');
        is(await page.evaluate(() => scrollY), 0, `${language}: a new view starts at its top`);
        await page.goBack();
        await answered(page);
        is(await verdictOf(page), verdict, `${language}: back brings the answer`);
        is(await page.inputValue('#f-budget'), '1500', `${language}: and the fields`);
        const isThere = await until(async () => Math.abs((await topOf()) - top) < 3, {milliseconds: 10000});
        ok(isThere, `${language}: and the place on the page: ${await topOf()} px from the top, as ${top}`);
        const focused = () => page.evaluate(() => document.activeElement.getAttribute('href'));
        await until(async () => (await focused()) === href, {milliseconds: 10000});
        is(await focused(), href, `${language}: and the focus`);
        is(said, [], `${language}: the console stays empty`);
        await close();
    });
}

await browser.close();
is(await server.stop(), [], 'the server ends without a fault');
done();

// Every view for every reader: both languages and themes, 320 to 3840 px, zoom, wide spacing, forced colours, no motion, paper.
//
//     node tests/browser/test_care.mjs [NAME ...]       only the views named
import {readFileSync} from 'node:fs';

import {done, is, ok} from '../tap.mjs';
import {browser, faults, open, server} from './visit.mjs';

const WIDTHS = [320, 360, 720, 1280, 1920, 2560, 3840];
const ZOOMED = {width: 640, height: 400, deviceScaleFactor: 2, mobile: false}; // a window of 1280 px at 200 %
const JUDGE = readFileSync(new URL('judge.js', import.meta.url), 'utf8');
const PHONE = {width: 360, height: 800};
const DESK = {width: 1280, height: 800};

/** Name of the view in the titles, address, what shows that it is complete, what to press before it is judged. */
const VIEWS = [
    ['ask, empty', '/', '#verdict'],
    ['ask, answered', '/?task=qlora&model=llama-3.1-8b&budget=1500&own=rtx-3060-12gb&max_gpus=2', '#verdict'],
    ['ask, used', '/?task=inference&model=llama-3.1-70b&budget=3000&condition=used&max_gpus=2', '#verdict'],
    ['ask, rent', '/?task=qlora&model=llama-3.1-8b&budget=1500&rent=yes', '#verdict'],
    ['ask, nothing fits', '/?task=train&model=llama-3.1-70b&budget=300', '#verdict'],
    ['ask, bad input', '/?budget=1e3&own=a100&batch=-1', '#e-budget:not([hidden])'],
    ['chart', '/?view=chart&task=qlora&model=llama-3.1-8b&budget=1500', '[data-point]'],
    ['cards', '/?view=cards', 'tbody tr'],
    ['card', '/?view=card&id=nvidia-geforce-rtx-3090', '.card-parts'],
    ['compare', '/?view=compare&gpus=rtx-3090,rtx-4090,mi210&task=qlora&model=llama-3.1-8b', 'main table'],
    ['cloud', '/?view=cloud', 'table'],
    ['deal', '/?view=deal&gpu=nvidia-geforce-rtx-3090&price=700&task=qlora&model=llama-3.1-8b', '#verdict[data-verdict]'],
    ['deal, empty', '/?view=deal', 'h1'],
    ['choose', '/?view=choose', '.rule'],
    ['prices', '/?view=prices', 'h1'],
    ['docs', '/docs', 'details'],
    ['plain answer', '/recommend?task=qlora&model=llama-3.1-8b&budget=1500', 'h1'],
    ['plain, nothing fits', '/recommend?task=train&model=llama-3.1-405b&budget=100', 'h1'],
    ['plain problem', '/recommend?bugdet=1&batch=-1', 'h1'],
    ['plain cards', '/gpus?limit=30', 'h1'],
    ['plain card', '/gpus/rtx-3090', 'h1'],
    ['plain deal', '/deal?gpu=rtx-3090&price=700', 'h1'],
    ['plain compare', '/compare?gpus=rtx-3090,rtx-4090,mi210', 'h1'],
];
const asked = process.argv.slice(2);
const views = VIEWS.filter(([name]) => asked.length === 0 || asked.includes(name));

const judged = (page, what, ...values) => page.evaluate(([name, given]) => window.judge[name](...given), [what, values]);

/** Each theme: axe, what axe does not see in drawings, the focus. */
async function judgeColours(page, title) {
    for (const colorScheme of ['light', 'dark']) {
        await page.emulateMedia({colorScheme});
        is(await faults(page), [], `${title}, ${colorScheme}: axe finds no fault`);
        is(await judged(page, 'paleTexts'), [], `${title}, ${colorScheme}: words in drawings have contrast`);
        is(await judged(page, 'paleMarks'), [], `${title}, ${colorScheme}: marks in drawings have contrast`);
    }
    await page.keyboard.press('Tab'); // from here on the focus is a keyboard's
    is(await judged(page, 'unseenFocus'), [], `${title}: the focus is seen wherever it is`);
}

/** Each width, and the window at 200 %: nothing beside the page, nothing cut, nothing too small to hit. */
async function judgeWidths(page, title) {
    const devtools = await page.context().newCDPSession(page);
    for (const width of [...WIDTHS, 'zoomed']) {
        if (width === 'zoomed') {
            await devtools.send('Emulation.setDeviceMetricsOverride', ZOOMED);
        } else {
            await page.setViewportSize({width, height: 800});
        }
        await settled(page);
        is(await judged(page, 'fit'), {}, `${title}, ${width}: no sideways scrolling, no text cut, no small target`);
    }
    await devtools.send('Emulation.clearDeviceMetricsOverride');
    await devtools.detach();
    await page.setViewportSize(PHONE);
    await settled(page);
    is(await faults(page), [], `${title}, ${PHONE.width}: axe finds no fault`);
    await page.setViewportSize(DESK);
    for (const size of [DESK, PHONE]) {
        await page.setViewportSize(size);
        await judged(page, 'setSpacing', true);
        await settled(page);
        is(await judged(page, 'fit'), {}, `${title}, ${size.width}, wide spacing: no sideways scrolling, no text cut`);
        await judged(page, 'setSpacing', false);
    }
    await page.setViewportSize(DESK);
    await settled(page);
}

/** Drawings follow the width by an observer: two frames later they have. */
async function settled(page) {
    await page.evaluate(() => new Promise((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)));
    }));
}

async function judgeMedia(page, title) {
    await page.emulateMedia({colorScheme: 'light', forcedColors: 'active'});
    is(await judged(page, 'paleTexts'), [], `${title}, forced colours: words in drawings have contrast`);
    is(await judged(page, 'unseenFocus'), [], `${title}, forced colours: the focus is seen`);
    await page.emulateMedia({colorScheme: 'light', forcedColors: 'none', reducedMotion: 'reduce'});
    await page.evaluate(() => document.querySelector('#progress')?.removeAttribute('hidden'));
    is(await judged(page, 'motion'), [], `${title}: nothing moves for those who want no motion`);
    await page.evaluate(() => document.querySelector('#progress')?.setAttribute('hidden', ''));
    for (const colorScheme of ['light', 'dark']) {
        await page.emulateMedia({media: 'print', colorScheme, reducedMotion: null});
        is(await judged(page, 'paper'), [], `${title}, ${colorScheme}: on paper there is the heading and no control`);
    }
    await page.emulateMedia({media: null, colorScheme: 'light'});
}

async function judgeView([name, path, ready], language) {
    const title = `${language} ${name}`;
    const {page, said, close} = await open(path, {language});
    await page.waitForSelector(ready);
    await page.waitForLoadState('networkidle');
    await page.evaluate(JUDGE);
    await judgeColours(page, title);
    await judgeWidths(page, title);
    await judgeMedia(page, title);
    const isBadOnPurpose = name.includes('bad input') || name.includes('problem');
    is(said.filter((line) => !isBadOnPurpose || !line.includes('status of 400')), [], `${title}: the console stays empty`);
    await close();
}

/* Two at a time: a browser has a process for each page. */
const tasks = views.flatMap((view) => [[view, 'en'], [view, 'zh']]);
async function work() {
    for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) {
        await judgeView(...task).catch((error) => ok(false, `${task[1]} ${task[0][0]}: ${error.message.split('\n')[0]}`));
    }
}
ok(views.length > 0, `${views.length} views`);
await Promise.all([work(), work()]);

await browser.close();
is(await server.stop(), [], 'the server ends without a fault');
done();

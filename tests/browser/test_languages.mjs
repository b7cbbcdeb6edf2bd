// The page in Chinese says nothing of its own in English: what is Latin on it is a name, a unit or a fact of the answer.
import {readdirSync, readFileSync} from 'node:fs';

import {chromium} from 'playwright-core';

import {LATIN_TERMS} from '../latin_terms.mjs';
import {start} from '../server_under_test.mjs';
import {done, is, ok} from '../tap.mjs';

const BROWSER = process.env.CHROMIUM ?? '/usr/bin/chromium';
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync'];

/* Of the page's English texts those that are the same in Chinese are no fault; nor is the way back to English. */
const folder = new URL('../../static/', import.meta.url);
const textsOf = async (language) => {
    const suffix = `${language}.js`;
    const files = readdirSync(folder).filter((name) => name.startsWith('text_') && name.endsWith(`_${suffix}`))
        .sort((a, b) => (a.slice(0, -suffix.length) < b.slice(0, -suffix.length) ? -1 : 1));
    return Promise.all(files.map(async (name) => {
        const source = encodeURIComponent(readFileSync(new URL(name, folder), 'utf8'));
        return Object.values(await import(`data:text/javascript,${source}`))[0];
    }));
};
const [english, chinese] = [await textsOf('en'), await textsOf('zh')];
const [ENGLISH, CHINESE] = [Object.assign({}, ...english), Object.assign({}, ...chinese)];

const tops = english.flatMap(Object.keys);
is(tops.filter((name, index) => tops.indexOf(name) !== index), [], 'every text is in one file');
const leaves = (node) => Object.values(node).flatMap((value) => (typeof value === 'object' ? leaves(value) : [value]));
const ours = new Set(leaves(ENGLISH).filter((text) => typeof text === 'string' && /[A-Za-z]{2}/.test(text)));
for (const text of leaves(CHINESE)) {
    ours.delete(text);
}
/* Words of the contract that have a Chinese word, so that they are not shown as they are. */
for (const word of ['supported', 'ending', 'dropped', 'unofficial', 'consumer', 'workstation', 'datacenter', 'desktop',
    'measured', 'estimated', 'assumed', 'cited', 'pcie', 'msrp', 'us', 'cn', 'eu']) {
    ours.add(word);
}

const server = await start();
const browser = await chromium.launch({executablePath: BROWSER, args: FLAGS});

/** Every text and every spoken attribute on the page, with the element it is in. */
const collect = () => {
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const place = walker.currentNode.parentElement;
        if (!place.closest('script, noscript, datalist, code, .source, #language, option, [lang=en], a[href^="#"]')) {
            found.push(walker.currentNode.textContent.trim());
        }
    }
    for (const name of ['aria-label', 'placeholder', 'title', 'alt', 'data-head']) {
        for (const element of document.querySelectorAll(`[${name}]`)) {
            found.push(element.getAttribute(name).trim());
        }
    }
    return [...new Set(found)].filter((text) => text !== '');
};

/** What is wrong with a text, given all that the server said: '' when nothing is. */
function faultOf(text, facts) {
    const isFact = facts.includes(text);
    if (ours.has(text)) {
        return 'is said in English';
    }
    if (isFact) {
        return '';
    }
    const strange = (text.match(/[A-Za-z][A-Za-z0-9]+/g) ?? []).filter((word) => !LATIN_TERMS.has(word) && !facts.includes(word));
    if (strange.length > 0) {
        return `says ${strange.join(', ')}`;
    }
    return /\p{Script=Han}[,;:!?]|[,;:!?]\p{Script=Han}|\p{Script=Han}[,;:!?]? [,;:]/u.test(text) ? 'has a half-width mark' : '';
}

is(faultOf('Before you buy', 'x'), 'is said in English', 'a text of ours is found');
is(faultOf('比 Tesla 快', 'x'), 'says Tesla', 'a word of nobody too');
is(faultOf('比 Tesla 快', 'Tesla V100'), '', 'but no name');
is(faultOf('二手, 2026-10-01', 'x'), 'has a half-width mark', 'nor a comma');

const VIEWS = ['/', '/?task=qlora&model=llama-3.1-8b&needs=bf16&prices=rtx-3090:650&prefer=value', '/?budget=1000', '/?task=inference&model=llama-3.1-8b&budget=1500&condition=used&own=rtx-3080',
    '/?task=train&domain=vision&budget=100', '/?task=qlora&model=70b&budget=6000&max_gpus=2', '/?budget=1e3&own=a100',
    '/?view=cards&vendor=amd', '/?view=cards&task=qlora&model=llama-3.1-8b&budget=900&compare=nvidia-l4,nvidia-geforce-rtx-3090',
    '/?view=compare', '/?view=compare&gpus=k80,rtx-4090,huawei-ascend-910c&task=qlora&model=7b', '/?view=compare&gpus=a100,zzz',
    '/?view=cards&max_price=x', '/?view=cards&q=zzzz', '/?view=chart&unfit=yes', '/?view=cloud',
    '/?view=cloud&task=qlora&model=7b', '/?view=choose',
    '/?view=card&id=nvidia-geforce-rtx-3090', '/?view=card&id=nvidia-a100-sxm4-80gb', '/?view=card&id=amd-instinct-mi300x',
    '/?view=card&id=rtx-9999', '/?view=card&id=k80', '/?view=deal', '/?view=deal&gpu=rtx-4080&price=900',
    '/?view=deal&gpu=k80&price=60', '/?view=deal&gpu=rtx-3090&price=700&condition=new', '/?view=deal&gpu=a100&price=abc', '/?view=prices', '/docs'];
const viewOf = (address) => /view=\w+|^\/docs|e3&own/.exec(address)?.[0]; // one of the questions is refused
const ONE_OF_EACH = VIEWS.filter((view, index) => VIEWS.findIndex((other) => viewOf(other) === viewOf(view)) === index);
for (const [locale, stored, views] of [['zh-CN', null, VIEWS], ['en-US', 'zh', ONE_OF_EACH]]) { // of the browser, or chosen on the page
    const context = await browser.newContext({locale, viewport: {width: 1280, height: 900}});
    const page = await context.newPage();
    const languages = new Set();
    const replies = [];
    page.on('response', (reply) => {
        const path = new URL(reply.url()).pathname;
        if (/^\/(recommend|gpus|cloud|models|deal|compare|estimate)/.test(path)) {
            languages.add(reply.headers()['content-language']);
        }
        if (/^\/(recommend|gpus|cloud|models|deal|tiers|compare|estimate|openapi)/.test(path)) {
            replies.push(reply.text().catch(() => '')); // of a request that a newer one has overtaken
        }
    });
    if (stored !== null) {
        await page.addInitScript((name) => localStorage.setItem('lang', name), stored);
    }
    for (const view of views) {
        await page.goto(server.url + view);
        await page.waitForLoadState('networkidle');
        const found = await page.evaluate(collect);
        const facts = (await Promise.all(replies)).join(' ').replaceAll('\\"', '"') + decodeURIComponent(view);
        ok(found.some((text) => /\p{Script=Han}/u.test(text)), `${locale} ${view}: ${found.length} texts`);
        is(found.map((text) => [text, faultOf(text, facts)]).filter(([, fault]) => fault !== ''), [],
            `${locale} ${view}: nothing of ours in English`);
    }
    is([...languages], ['zh'], `${locale}: every answer was asked for in Chinese, problems too`);
    await context.close();
}
await browser.close();
is(await server.stop(), [], 'the server ends without a fault');
done();

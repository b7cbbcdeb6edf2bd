// For the tests of pages: the server, a browser, and pages of it that remember what the console says.
import axe from 'axe-core';
import {chromium} from 'playwright-core';

import {watchPage} from '../record.mjs';
import {start} from '../server_under_test.mjs';
import {is, ok} from '../tap.mjs';

const BROWSER = process.env.CHROMIUM ?? '/usr/bin/chromium';
const FLAGS = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
];

const AXE_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

export const WIDTHS = [320, 720, 1280, 1920];
export const server = await start();
export const browser = await chromium.launch({executablePath: BROWSER, args: FLAGS});

/**
 * A fresh page in a language; what the console says is collected. at: another server; isReal: false where the test makes
 * up replies, which are then not held to the contract; before: called with the page before it goes anywhere.
 */
export async function open(
    path,
    {language = 'en', width = 1280, theme = 'light', script = true, at = server, isReal = true, before = () => {}} = {},
) {
    const context = await browser.newContext({
        locale: language === 'zh' ? 'zh-CN' : 'en-US',
        viewport: {width, height: 800},
        colorScheme: theme,
        javaScriptEnabled: script,
    });
    const page = await context.newPage();
    if (isReal) {
        watchPage(page, at.url);
    }
    const said = [];
    page.on('console', (message) => said.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => said.push(`error: ${error.message}`));
    page.on('request', (request) => {
        if (!request.url().startsWith(at.url)) {
            said.push(`outside request: ${request.url()}`);
        }
    });
    await before(page);
    await page.goto(at.url + path);
    return {page, said, close: () => context.close()};
}

/**
 * What axe finds against all of WCAG 2.0 to 2.2 A and AA and against its best practices. Of a long table it is shown so
 * many rows: the others are made by the same function, and axe takes seconds for thousands of cells.
 */
export async function faults(page, {rows = 40} = {}) {
    await page.waitForFunction(() => document.querySelector('.is-coming') === null); // a view not yet whole is not shown
    if (!(await page.evaluate(() => 'axe' in window))) {
        await page.evaluate(axe.source);
    }
    return page.evaluate(async ([tags, most]) => {
        const beyond = document.querySelectorAll(`tbody > tr:nth-child(n + ${most + 1})`);
        const {violations} = await window.axe.run(beyond.length > 0 ? {exclude: [...beyond]} : document,
            {runOnly: tags, resultTypes: ['violations']});
        return violations.map((one) => `${one.id}: ${one.nodes[0].html.slice(0, 120)}`);
    }, [AXE_TAGS, rows]);
}

export async function scrollsSideways(page) {
    return page.evaluate(async () => {
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))); // drawings take their new width
        return document.documentElement.scrollWidth > document.documentElement.clientWidth;
    });
}

/**
 * Every width, the themes by turns: nothing beside the page, no fault. isOther: the other theme at each width, so that two
 * languages see all of both.
 */
export async function fitsEverywhere(page, what, isOther = false) {
    for (const [index, width] of WIDTHS.entries()) {
        const theme = (index % 2 === 1) === isOther ? 'light' : 'dark';
        await page.emulateMedia({colorScheme: theme});
        await page.setViewportSize({width, height: 800});
        ok(!(await scrollsSideways(page)), `${what} ${theme} ${width} px: no sideways scrolling`);
        is(await faults(page), [], `${what} ${theme} ${width} px: axe finds no fault`);
    }
}

/** A part of a test that can fail alone: what is waited for in vain ends the part, not the test. */
export async function part(name, work) {
    await work().catch((error) => ok(false, `${name}: ${error.message.split('\n').slice(0, 4).join(' | ')}`));
}

/**
 * The warnings of the API in the order of the page: the age of the price first, then what the page marks as weighty, last
 * what it marks as good to know; rows: its list items.
 */
export async function byWeight(warnings, rows) {
    const light = await rows.evaluateAll((all) => all.filter((one) => one.classList.contains('info')).map((one) => one.dataset.code));
    const weight = ({code}) => (code === 'price-stale' ? 0 : light.includes(code) ? 2 : 1);
    return [0, 1, 2].flatMap((one) => warnings.filter((warning) => weight(warning) === one));
}

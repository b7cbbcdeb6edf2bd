// One sitting from the question to the shop and to a colleague, in both languages, as a person goes through it.
import {execFileSync} from 'node:child_process';

import {done, is, ok} from '../tap.mjs';
import {browser, open, part, server} from './visit.mjs';

const SITTINGS = [
    {language: 'en', words: 'fine-tune a 7B model', budget: '1500', currency: null, quote: '700', buys: /^(Buy|Keep|Rent)/},
    {language: 'zh', words: '微调 7B 模型', budget: '10000', currency: 'CNY', quote: '5000', buys: /^(买|留|租)/},
];

const verdictOf = (page) => page.locator('#verdict').innerText();
const lastWords = (name) => name.split(' ').slice(-2).join(' ');

/** The address of the API that answers the same as the page at its address. */
function apiOf(page, language) {
    const query = new URL(page.url()).searchParams;
    for (const name of ['view', 'compare', 'lang', 'rent', 'format']) {
        query.delete(name);
    }
    return [`${server.url}/recommend?${query}`, {headers: {'Accept-Language': language}}];
}

async function copied(page, button) {
    await page.evaluate(() => navigator.clipboard.writeText(''));
    await button.click();
    await page.waitForFunction(async () => (await navigator.clipboard.readText()) !== '');
    return page.evaluate(() => navigator.clipboard.readText());
}

/** Types the words and the budget; the verdict is that of the API. */
async function ask(page, {language, words, budget, currency, buys}) {
    await page.locator('#f-question').click();
    await page.keyboard.type(words);
    await page.waitForURL(/task=[a-z]+/);
    await page.waitForURL(/model=7b/i);
    await page.keyboard.press('Escape');
    await page.fill('#f-budget', budget);
    await page.waitForURL(new RegExp(`budget=${budget}`));
    is(new URL(page.url()).searchParams.get('currency'), currency, `${language}: money is that of the reader`);
    const answer = await (await fetch(...apiOf(page, language))).json();
    const name = lastWords(answer.picks[0].gpu.name);
    await page.waitForFunction((text) => document.querySelector('#verdict')?.innerText.includes(text), name);
    ok(buys.test(await verdictOf(page)), `${language}: ${await verdictOf(page)}`);
    is(await page.inputValue('#f-question'), words, `${language}: the words stay as they were typed`);
    is(await page.locator('.figure').count(), 6, `${language}: six figures`);
    return answer;
}

async function openNote(page, language) {
    const figure = page.locator('.figures .sourced').first();
    await figure.click();
    const note = page.locator(':popover-open');
    await note.waitFor();
    ok(/\d/.test(await note.innerText()), `${language}: a figure tells where it comes from`);
    await page.keyboard.press('Escape');
    await note.waitFor({state: 'detached'});
    ok(true, `${language}: and Escape puts that away`);
}

async function changeAndUndo(page, language) {
    const [before, address] = [await verdictOf(page), page.url()];
    await page.locator('button.change:not(.undo)').first().click();
    await page.locator('.change.undo').waitFor();
    ok(page.url() !== address, `${language}: a change that is pressed is in the address`);
    is(await page.evaluate(() => document.activeElement.id), 'verdict', `${language}: the verdict has the focus`);
    await page.locator('.change.undo').click();
    await page.waitForURL(address);
    await page.locator('.change.undo').waitFor({state: 'detached'});
    is(await verdictOf(page), before, `${language}: undone, the verdict is the old one`);
}

/** Three cards of the answer to the tray, side by side, and one of them in full. */
async function compare(page, language) {
    const boxes = page.locator('main [data-compare]');
    const ids = await boxes.evaluateAll((list) => [...new Set(list.map((box) => box.dataset.compare))].slice(0, 3));
    for (const id of ids) {
        await page.locator(`main [data-compare="${id}"]`).first().check();
    }
    await page.waitForURL(new RegExp(`compare=${ids.join('(,|%2C)')}`));
    await page.locator('.tray a[href*="view=compare"]').click();
    await page.waitForURL(/view=compare/);
    const names = await Promise.all(ids.map(async (id) => (await (await fetch(`${server.url}/gpus/${id}`)).json()).name));
    const table = page.locator('.compare-table'); // the answer and its tables stay in sight until it is here
    await table.waitFor();
    const heads = await table.locator('thead').innerText();
    is(names.filter((name) => !heads.includes(lastWords(name))), [], `${language}: the three stand side by side`);
    await page.locator(`main table a[href*="view=card"][href*="${ids[1]}"]`).first().click();
    await page.waitForURL(/view=card&/);
    await page.locator('.facts').first().waitFor();
    ok((await page.locator('h1').innerText()).includes(lastWords(names[1])), `${language}: one of them in full: ${names[1]}`);
    return {id: ids[1], name: names[1]};
}

/** Somebody offers that card: is the price a good one? */
async function checkQuote(page, {language, quote, currency}, {id, name}) {
    await page.locator('#views a[href*="view=deal"]').click();
    const card = page.locator('#d-gpu');
    await card.fill(name);
    await page.locator('#d-gpu[aria-expanded=true]').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.fill('#d-price', quote);
    await page.waitForURL(new RegExp(`gpu=${id}`));
    await page.waitForURL(new RegExp(`price=${quote}`));
    const verdict = page.locator('#verdict[data-verdict]');
    await verdict.waitFor();
    const query = new URL(page.url()).searchParams;
    is(query.get('currency') ?? 'USD', currency ?? 'USD', `${language}: in the money of the reader`);
    query.delete('view');
    query.delete('compare');
    const deal = await (await fetch(`${server.url}/deal?${query}`)).json();
    await page.waitForFunction((kind) => document.querySelector('#verdict')?.dataset.verdict === kind, deal.verdict);
    ok((await verdict.innerText()).length > 5, `${language}: the quote is judged: ${await verdict.innerText()}`);
}

/** The link is opened by somebody else; the command is run in a shell. */
async function share(page, {language, words}) {
    await page.locator('#views a').first().click();
    await page.locator('.figures').waitFor();
    const verdict = await verdictOf(page);
    const link = await copied(page, page.locator('.verdict .tools button, .verdict > button').first());
    is(link, page.url(), `${language}: the link is the address`);
    const other = await open(link.slice(server.url.length), {language});
    await other.page.waitForSelector('.figures');
    is(await verdictOf(other.page), verdict, `${language}: somebody else opens it and reads the same verdict`);
    is(await other.page.inputValue('#f-budget'), await page.inputValue('#f-budget'), `${language}: with the same budget`);
    ok(/7B/i.test(await other.page.inputValue('#f-question')), `${language}: and the same question: ${words}`);
    is(other.said, [], `${language}: with nothing on the console`);
    await other.close();
    const command = await copied(page, page.locator('.curl button'));
    ok(command.startsWith(`curl '${server.url}/recommend?`), `${language}: ${command}`);
    const answer = JSON.parse(execFileSync('sh', ['-c', `${command} --silent`], {encoding: 'utf8'}));
    ok(verdict.includes(lastWords(answer.picks[0].gpu.name)), `${language}: the command picks ${answer.picks[0].gpu.name} too`);
    is(answer.query.lang, language, `${language}: in the same language`);
}

for (const sitting of SITTINGS) {
    await part(`sitting ${sitting.language}`, async () => {
        const {language} = sitting;
        const {page, said, close} = await open('/', {language});
        await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
        await ask(page, sitting);
        await openNote(page, language);
        await changeAndUndo(page, language);
        const card = await compare(page, language);
        await checkQuote(page, sitting, card);
        await share(page, sitting);
        is(said, [], `${language}: the console stays empty all along`);
        await close();
    });
}

/* Without script the same question has the same first pick. */
for (const language of ['en', 'zh']) {
    await part(`no script ${language}`, async () => {
        const {page, said, close} = await open('/', {language, script: false});
        await page.selectOption('#p-task', 'qlora');
        await page.fill('#p-model', '7b');
        await page.fill('#p-budget', '1500');
        await Promise.all([page.waitForNavigation(), page.locator('main button[type=submit]').click()]);
        const plain = await page.locator('main').innerText();
        is(said, [], `${language}: without script the form answers, and nothing is on the console`);
        await close();
        const full = await open('/?task=qlora&model=7b&budget=1500', {language});
        await full.page.waitForSelector('.figures');
        const [pick] = (await (await fetch(`${server.url}/recommend?task=qlora&model=7b&budget=1500`)).json()).picks;
        const name = lastWords(pick.gpu.name);
        ok(plain.includes(name) && (await verdictOf(full.page)).includes(name), `${language}: with and without script the pick is ${name}`);
        await full.close();
    });
}

await browser.close();
is(await server.stop(), [], 'the server ends without a fault');
done();

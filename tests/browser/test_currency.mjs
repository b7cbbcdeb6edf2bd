// The currency of an address, in every view by one rule: the one it names, the API's where it asks, else the reader's.
import {done, is} from '../tap.mjs';
import {browser, open, server} from './visit.mjs';

const CARD = 'nvidia-geforce-rtx-3090';
const OTHER = 'nvidia-geforce-rtx-4090';

/* What a reader of each language asks the API in: path of the page, path of the API, a reader of English, of Chinese. */
const CASES = [
    ['/', '/tiers', 'USD', 'CNY'],
    ['/?currency=EUR', '/tiers', 'EUR', 'EUR'],
    ['/?task=qlora&model=7b', '/recommend', 'USD', 'USD'],
    [`/?view=card&id=${CARD}`, `/gpus/${CARD}`, 'USD', 'CNY'],
    [`/?view=card&id=${CARD}&task=qlora&model=7b`, `/gpus/${CARD}`, 'USD', 'USD'],
    ['/?view=cards', '/gpus', 'USD', 'CNY'],
    ['/?view=cards&vendor=amd', '/gpus', 'USD', 'CNY'],
    ['/?view=cards&max_price=500', '/gpus', 'USD', 'USD'],
    [`/?view=compare&gpus=${CARD},${OTHER}`, '/compare', 'USD', 'CNY'],
    [`/?view=compare&gpus=${CARD},${OTHER}&task=qlora&model=7b`, '/compare', 'USD', 'USD'],
    [`/?view=deal&gpu=${CARD}&price=500`, '/deal', 'USD', 'USD'],
];

/** The currency in which a page asks a path first; nothing said is what the contract says of it. */
async function askedIn(path, api, language) {
    let asked = null;
    const isFirst = (request) => new URL(request.url()).pathname === api && !new URL(request.url()).searchParams.has('q');
    const {page, close} = await open(path, {language, before: (one) => {
        asked = one.waitForRequest(isFirst);
    }});
    const currency = new URL((await asked).url()).searchParams.get('currency') ?? 'USD';
    await page.locator('h1').first().waitFor();
    await close();
    return currency;
}

for (const [path, api, ...wanted] of CASES) {
    const found = [];
    for (const language of ['en', 'zh']) {
        found.push(await askedIn(path, api, language));
    }
    is(found, wanted, `${path} asks ${api} in ${wanted.join(', to a reader of Chinese in ')}`);
}

/* What differs from the rule stands in the address, and only that. */
{
    const {page, close} = await open('/?view=cards', {language: 'zh'});
    const named = () => page.evaluate(() => new URLSearchParams(location.search).get('currency'));
    const currency = page.locator('select[name=currency]');
    is(await currency.inputValue(), 'CNY', 'a reader of Chinese filters in yuan');
    is(await named(), null, 'which the address need not say');
    await currency.selectOption('USD');
    await page.waitForFunction(() => location.search.includes('currency=USD'));
    await currency.selectOption('CNY');
    await page.waitForFunction(() => !location.search.includes('currency='));
    await page.locator('[name=max_price]').fill('3000');
    await page.waitForFunction(() => location.search.includes('max_price=3000'));
    is(await named(), 'CNY', 'an amount without a currency would be one of the API: it is named');
    await page.reload();
    is(await currency.inputValue(), 'CNY', 'and outlives a reload');
    await close();
}
await browser.close();
is(await server.stop(), [], 'the server ends without a fault');
done();

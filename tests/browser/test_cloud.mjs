// What can be rented: the tables show what /cloud says in its order, filters and orders stand in the address.
import {done, is, ok} from '../tap.mjs';
import {browser, faults, fitsEverywhere, open, server} from './visit.mjs';

const ask = async (path) => (await fetch(server.url + path)).json();
const everyRow = async (query) => {
    const rows = [];
    let next = '';
    do {
        const reply = await ask(`/cloud?limit=500&${query}${next && `&cursor=${next}`}`);
        rows.push(...reply.data);
        next = reply.page.next;
    } while (next);
    return rows;
};
const answered = (page) => page.waitForFunction(() => document.querySelectorAll('main:not(.is-coming) .offers .heading').length === 3);
/** The texts of a column of a kind, without the units that only phones show. */
const cells = (page, kind, column) => page.locator(`.offers.${kind} tbody .of-${column}`).evaluateAll((found) => found.map((cell) => {
    const copy = cell.cloneNode(true);
    copy.querySelectorAll('.narrow, .hidden').forEach((one) => one.remove());
    return copy.textContent.trim();
}));
const priceText = (value) => (value === null ? '–' : value === 0 ? 'free' : value.toLocaleString('en-US',
    {minimumFractionDigits: 2, maximumFractionDigits: value < 1 ? 3 : 2}));
const nameText = ({gpu_count: count, accelerator}) => (count === null || count === 1 ? '' : `${Number(count.toFixed(3))} × `) +
    accelerator.replace(/^(NVIDIA|AMD|Intel) /, '').replace(/^(GeForce|Radeon|Instinct) (?=R?[XTG])/, '');

/* Both languages, both themes, every width, with a question; test_care.mjs judges the offers without one. */
for (const language of ['en', 'zh']) {
    const {page, said, close} = await open('/?view=cloud&task=qlora&model=7b', {language});
    await answered(page);
    await fitsEverywhere(page, language, language === 'zh');
    is(said, [], `${language}: the console stays empty`);
    await close();
}

/* What the tables show is what the API says, and a month is hours times price. */
{
    const {page, said, close} = await open('/?view=cloud&hours_per_month=120');
    await answered(page);
    const offers = (await ask('/cloud?kind=instance&sort=usd_per_hour&limit=25')).data;
    is(await cells(page, 'instance', 'accelerator'), offers.map(nameText), 'the cheapest cards first, as /cloud sorts them');
    is(await cells(page, 'instance', 'hour'), offers.map((row) => priceText(row.usd_per_hour)), 'with their prices');
    is(await cells(page, 'instance', 'card_hour'), offers.map((row) => priceText(row.usd_per_gpu_hour)), 'those of one card');
    is(await cells(page, 'instance', 'month'), offers.map((row) => {
        const month = 120 * row.usd_per_hour;
        return month.toLocaleString('en-US', {minimumFractionDigits: month < 100 ? 2 : 0, maximumFractionDigits: month < 100 ? 2 : 0});
    }), 'and 120 times them for a month');
    const says = await page.locator('.offers.instance > .meta').innerText();
    ok(says.includes('120 h'), `which the page says: ${says}`);
    const plans = await everyRow('kind=notebook');
    const gives = await cells(page, 'notebook', 'gives');
    is(gives.length, plans.length, 'every notebook plan is listed');
    ok(plans.every((plan, index) => plan.session_limit_hours === null ||
        gives[index].includes(`a session ends after ${plan.session_limit_hours} h`)), 'with the end of a session where it is known');
    ok(plans.every((plan, index) => plan.note === null || gives[index].includes(plan.note)), 'and what else limits it');
    const access = await cells(page, 'notebook', 'china');
    ok(plans.every((plan, index) => (plan.mainland_china_access === null) === (access[index] === 'unknown')),
        'access from mainland China is said, unknown where it is not known');
    ok(plans.some((plan) => plan.mainland_china_access?.startsWith('needs a VPN')) && access.includes('needs a VPN'),
        'a VPN that is needed too');
    const chips = await everyRow('kind=tpu');
    is(await cells(page, 'tpu', 'generation'), chips.map((row) => row.accelerator), 'every TPU is listed');
    is(await cells(page, 'tpu', 'spot'), chips.map((row) => priceText(row.spot_usd_per_hour)), 'with its spot price');
    ok((await page.locator('.offers.tpu .warnings').innerText()).includes(chips[0].warnings[0].text), 'and what the API warns of');
    is(said, [], 'the console stays empty');
    await close();
}

/* A price tells its day, its age and its source. */
{
    const {page, said, close} = await open('/?view=cloud');
    await answered(page);
    const offer = (await ask('/cloud?kind=instance&sort=usd_per_hour&limit=1')).data[0];
    const day = page.locator('.offers.instance tbody .of-seen button').first();
    const shown = await day.innerText();
    is([shown.includes('△'), shown.includes('stale')], [offer.stale, offer.stale], `a stale price has a sign and a word: ${shown}`);
    await day.click();
    await page.waitForSelector('.source-note');
    ok((await page.locator('.source-note').innerText()).includes(offer.source), 'its note names the source');
    await page.keyboard.press('Escape');
    await page.waitForSelector('.source-note', {state: 'detached'});
    ok(true, 'and Escape closes it');
    is(said, [], 'the console stays empty');
    await close();
}

/* Every head that sorts does, by keyboard; the order is the server's and stands in the address. */
{
    const {page, said, close} = await open('/?view=cloud', {width: 1920});
    await answered(page);
    const heads = page.locator('.offers.instance thead th:has(button)');
    const columns = await heads.evaluateAll((found) => found.map((head) => head.className.match(/of-(\w+)/)[1]));
    const keys = {memory: 'memory_gib', provider: 'provider', region: 'region', hour: 'usd_per_hour', card_hour: 'usd_per_gpu_hour',
        spot: 'spot_usd_per_hour', seen: 'observed_on'};
    is(columns, Object.keys(keys), 'these heads are buttons');
    for (const column of columns) {
        for (const [way, sort] of [['ascending', keys[column]], ['descending', `-${keys[column]}`]]) {
            const head = page.locator(`.offers.instance thead th.of-${column}`);
            if (await head.getAttribute('aria-sort') !== way) {
                await head.locator('button').focus();
                await page.keyboard.press('Enter');
                await page.waitForSelector(`.offers.instance thead th.of-${column}[aria-sort=${way}]`);
            }
            const wanted = (await ask(`/cloud?kind=instance&sort=${sort}&limit=25`)).data;
            is((await cells(page, 'instance', 'accelerator')).map((name, index) => name === nameText(wanted[index])).indexOf(false), -1,
                `${column}, ${way}: the rows are those of /cloud?sort=${sort}`);
            is(new URL(page.url()).searchParams.get('sort') ?? 'usd_per_hour', sort, 'the address says so');
        }
        is(await page.evaluate(() => document.activeElement.closest('th')?.className.match(/of-(\w+)/)[1]), column, 'the focus stays on the head');
    }
    is(await page.locator('.offers.instance [aria-sort]').count(), 1, 'one head is sorted');
    await page.locator('.offers.tpu thead th.of-memory button').click();
    await page.waitForURL(/tpu_sort=memory_gib/);
    await page.waitForSelector('.offers.tpu thead th.of-memory[aria-sort=ascending]'); // the rows come later than the address
    is(await cells(page, 'tpu', 'memory'), (await everyRow('kind=tpu&sort=memory_gib')).map((row) => String(row.memory_gib)),
        'a table of its own has an order of its own');
    await page.reload();
    await answered(page);
    is(await page.locator('.offers.tpu th.of-memory').getAttribute('aria-sort'), 'ascending', 'and a reload keeps it');
    await page.goBack();
    await page.waitForFunction(() => document.querySelector('.offers.tpu') && !document.querySelector('.offers.tpu [aria-sort]'));
    ok(true, 'back takes it away');
    is(said, [], 'the console stays empty');
    await close();
}

/* Filters: each by the server, all in the address. */
{
    const {page, said, close} = await open('/?view=cloud');
    await answered(page);
    const shows = async (query, what) => {
        const wanted = await ask(`/cloud?kind=instance&sort=usd_per_hour&limit=25&${query}`);
        await page.waitForFunction((total) => document.querySelector('.offers.instance h2 .note')?.textContent.endsWith(total), `${wanted.total}`);
        is(await cells(page, 'instance', 'accelerator'), wanted.data.map(nameText), `${what}: ${wanted.total} offers`);
        return wanted;
    };
    await page.fill('#c-gpu', '4090');
    await page.keyboard.press('Enter');
    await page.waitForURL(/gpu=4090/);
    await shows('gpu=4090', 'a card by an alias');
    await page.fill('#c-gpu', '');
    await page.waitForURL((url) => !url.searchParams.has('gpu'));
    await page.waitForFunction(() => document.querySelectorAll('#c-provider option').length > 20);
    await page.selectOption('#c-provider', 'AutoDL');
    await page.waitForURL(/provider=AutoDL/);
    await shows('provider=AutoDL', 'a provider');
    await page.selectOption('#c-offers_in', 'cn');
    await page.waitForURL(/offers_in=cn/);
    await page.selectOption('#c-provider', '');
    const chinese = await shows('region=cn', 'a region');
    ok(chinese.data.length > 0 && (await cells(page, 'instance', 'region')).every((text) => text === 'China'), 'which is named as a country');
    await page.selectOption('#c-offers_in', '');
    await page.fill('#c-min_memory_gib', '80');
    await shows('min_memory_gib=80', 'memory');
    await page.fill('#c-max_usd_per_hour', '2');
    await page.waitForURL(/max_usd_per_hour=2/);
    await shows('min_memory_gib=80&max_usd_per_hour=2', 'and a price');
    await page.reload();
    await answered(page);
    is(await page.inputValue('#c-max_usd_per_hour'), '2', 'a reload keeps them');
    await page.goto(`${server.url}/?view=cloud&spot=yes&sort=spot_usd_per_hour&rows=1000`);
    await answered(page);
    const spot = (await everyRow('kind=instance&sort=spot_usd_per_hour')).filter((row) => row.spot_usd_per_hour !== null);
    is(await cells(page, 'instance', 'spot'), spot.map((row) => priceText(row.spot_usd_per_hour)), 'all with a spot price, over all pages');
    is(said, [], 'the console stays empty');
    await close();
}

/* More rows, past the most that a page of the API has. */
{
    const {page, said, close} = await open('/?view=cloud');
    await answered(page);
    const every = await everyRow('kind=instance&sort=usd_per_hour');
    await page.locator('.offers.instance .more').click();
    await page.waitForFunction(() => document.querySelectorAll('.offers.instance tbody tr').length === 125);
    is(new URL(page.url()).searchParams.get('rows'), '125', 'a hundred more, in the address too');
    await page.goto(`${server.url}/?view=cloud&rows=5000`);
    await answered(page);
    is(await cells(page, 'instance', 'hour'), every.map((row) => priceText(row.usd_per_hour)), `all ${every.length}, following the cursors`);
    is(await page.locator('.offers.instance .more').count(), 0, 'and no more to show');
    is(said, [], 'the console stays empty');
    await close();
}

/* The question of the address: what does the work stands first, as the answer ranks it. */
for (const language of ['en', 'zh']) {
    const {page, said, close} = await open('/?view=cloud&task=qlora&model=7b&currency=CNY&hours_per_month=60', {language});
    await answered(page);
    const answer = await ask('/recommend?task=qlora&model=7b&currency=CNY&hours_per_month=60' + (language === 'zh' ? '&lang=zh' : ''));
    const rows = page.locator('.for-question tbody tr');
    const doing = answer.cloud.filter((offer) => offer.does_work);
    is(await rows.count(), answer.cloud.length, `${language}: the offers of the answer`);
    is((await rows.locator('.who').allInnerTexts()).slice(0, doing.length), doing.map((offer) => offer.provider), `${language}: in its order`);
    ok((await page.locator('.for-question h2').last().innerText()).includes(answer.need.per_gpu_gib.toFixed(1)), `${language}: the head says what it needs`);
    const second = doing.findIndex((offer) => offer.cost.per_month > 0 && offer.cost.per_month < 1000);
    ok((await rows.nth(second).locator('.of-month').innerText()).startsWith(doing[second].cost.per_month.toFixed(doing[second].cost.per_month < 100 ? 2 : 0)),
        `${language}: a month costs what the answer says`);
    is(await page.locator('.cloud .why').innerText(), answer.rent_or_buy.text, `${language}: rent or buy, in the words of the answer`);
    ok(await page.evaluate(() => document.querySelector('.for-question').compareDocumentPosition(
        document.querySelector('.offers.instance')) & Node.DOCUMENT_POSITION_FOLLOWING), `${language}: before all offers`);
    const link = page.locator('.for-question .links a').first();
    is(new URL(await link.evaluate((one) => one.href)).searchParams.get('model'), '7b', `${language}: and it leads back to the question`);
    is(said, [], `${language}: the console stays empty`);
    await close();
}

/* An ambiguous name, an unknown one, a number that is none: the server's words at the field; the tables stay. */
{
    const {page, close} = await open('/?view=cloud');
    await answered(page);
    const before = await cells(page, 'instance', 'hour');
    await page.fill('#c-gpu', 'a100');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#c-gpu-error .pill');
    is(await page.locator('#c-gpu').getAttribute('aria-invalid'), 'true', 'an ambiguous card is marked');
    is(await cells(page, 'instance', 'hour'), before, 'the tables stay');
    const {candidates} = await ask('/cloud?gpu=a100');
    is(await page.locator('#c-gpu-error .pill').allInnerTexts(), candidates.map(({name}) => name), 'its candidates are buttons');
    await page.locator('#c-gpu-error .pill').nth(1).click();
    await page.waitForSelector('#c-gpu-error', {state: 'hidden'});
    is(new URL(page.url()).searchParams.get('gpu'), candidates[1].id, 'the one pressed is asked for');
    await page.fill('#c-min_memory_gib', 'much');
    await page.waitForSelector('#c-min_memory_gib-error:not([hidden])');
    ok((await page.locator('#c-min_memory_gib-error').innerText()).length > 5, 'a number that is none is told at its field');
    await close();
}

/* Nothing fits: each filter can be taken away. */
for (const language of ['en', 'zh']) {
    const {page, said, close} = await open('/?view=cloud&min_memory_gib=80&max_usd_per_hour=0.01', {language});
    await answered(page);
    is(await page.locator('.offers.tpu .nothing').count(), 1, `${language}: no TPU is said so`);
    is(await page.locator('.offers.instance tbody tr').count(), 0, `${language}: and no card`);
    is(await faults(page), [], `${language}: axe finds no fault in that`);
    is(await page.locator('.offers.instance .nothing .pill').count(), 3, `${language}: two filters, and both, can be taken away`);
    await page.locator('.offers.instance .nothing .pill').nth(1).click();
    await page.waitForSelector('.offers.instance tbody tr');
    ok(!page.url().includes('max_usd_per_hour'), `${language}: one press does`);
    is(said, [], `${language}: the console stays empty`);
    await close();
}

/* The tables lead out: to a card, to their CSV. */
{
    const {page, said, close} = await open('/?view=cloud&provider=AutoDL');
    await answered(page);
    const links = await page.locator('.offers .links a').evaluateAll((found) => found.map((link) => link.getAttribute('href')));
    for (const link of links) {
        const reply = await fetch(server.url + link);
        is([reply.status, reply.headers.get('content-type').split(';')[0]], [200, 'text/csv'], link);
    }
    const {total} = await ask('/cloud?kind=instance&provider=AutoDL');
    is((await (await fetch(server.url + links[0])).text()).trim().split('\n').length, total + 1, 'the CSV has the rows of the table');
    await page.locator('.jumps a').nth(2).click();
    ok(await page.evaluate(() => document.activeElement.id === 'offers-tpu'), 'a link above leads to a table');
    await page.locator('.offers.instance tbody th a').first().click();
    await page.waitForURL(/view=card&id=/);
    ok(true, 'and a card to its view');
    is(said, [], 'the console stays empty');
    await close();
}

await browser.close();
is(await server.stop(), [], 'the server ends without a fault');
done();

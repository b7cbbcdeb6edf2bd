// Cards side by side in a real browser: every row and mark against the numbers of the API, adding, removing, names that are no card.
import {done, is, ok} from '../tap.mjs';
import {until} from '../wait.mjs';
import {browser, byWeight, faults, open, scrollsSideways, server, WIDTHS} from './visit.mjs';

const CARDS = ['nvidia-geforce-rtx-3090', 'amd-radeon-rx-7900-xtx', 'nvidia-geforce-rtx-4090', 'nvidia-tesla-k80'];
const QUESTION = 'task=qlora&model=llama-3.1-8b&budget=1500';

/* More of these is better, less of those: what the marks must be, told without the server's. */
const MORE = ['memory_gib', 'memory_per_process_gib', 'memory_bandwidth_gb_s', 'tensor_fp16_tflops', 'tensor_bf16_tflops',
    'tensor_fp8_tflops', 'tensor_int8_tops', 'fp16_tflops', 'fp32_tflops', 'nvlink_gb_s', 'available_gib', 'headroom_gib', 'speed',
        'score'];
const LESS = ['price', 'price_new', 'price_used', 'cost', 'cost_per_month', 'energy', 'tdp_watts', 'board_length_mm'];

const ask = async (where) => (await fetch(server.url + where)).json();

/** The places of the best of a row, or none where fewer than two differ. */
function bestOf(values, isMore) {
    const known = values.filter((value) => value !== null);
    const best = isMore ? Math.max(...known) : Math.min(...known);
    return known.every((value) => value === best) ? [] : values.flatMap((value, index) => (value === best ? [index] : []));
}

const marks = (page) => page.locator('.compare-table tr[data-field]').evaluateAll((rows) => Object.fromEntries(rows.map((row) => [
    row.dataset.field, [...row.querySelectorAll('td')].flatMap((cell, index) => (cell.matches('.best') ? [index] : [])),
])));

const columns = (page) => page.locator('.compare-table thead th').evaluateAll((heads) => heads.map((head) => head.dataset.gpu));

async function compares(page, ids, what) {
    const same = await until(async () => JSON.stringify(await columns(page)) === JSON.stringify(ids));
    ok(same, `${what}: ${ids.join(', ')}`);
}

/* Rows, marks, bars and days are those of the API, in both languages and themes, at every width. */
for (const language of ['en', 'zh']) {
    for (const theme of ['light', 'dark']) {
        const {page, said, close} = await open(`/?view=compare&gpus=${CARDS.join(',')}&${QUESTION}`, {language, theme});
        await page.waitForSelector('.compare-table');
        const {gpus, rows} = await ask(`/compare?gpus=${CARDS.join(',')}&${QUESTION}&lang=${language}`);
        const byField = Object.fromEntries(rows.map((row) => [row.field, row]));
        const found = await marks(page);
        const wanted = (fields, isMore) => fields.filter((field) => found[field]).map((field) => [field, bestOf(byField[field].values,
            isMore)]);
        for (const [fields, isMore] of [[MORE, true], [LESS, false]]) {
            const pairs = wanted(fields, isMore);
            ok(pairs.length >= fields.length - 1 && pairs.some(([, best]) => best.length > 0), `${language}: ${pairs.length} rows to mark`);
            is(pairs.map(([field]) => [field, found[field]]), pairs,
                `${language} ${theme}: the best of each row is marked, none where all are equal`);
        }
        const labels = await page.locator('.compare-table tr[data-field] th')
            .evaluateAll((heads) => heads.map((head) => head.firstChild.textContent));
        const theirs = new Set(rows.map(({label}) => label));
        is(labels.slice(1).filter((label) => !theirs.has(label)), [], `${language}: rows are called as the server calls them`);
        const verdicts = await page.locator('tr[data-field=verdict] td')
            .evaluateAll((cells) => cells.map((cell) => cell.querySelectorAll('.tag.bad').length));
        is(verdicts, gpus.map(({rejected}) => rejected.length), `${language}: a card has as many reasons against it as the answer has`);
        for (const gpu of gpus) {
            const rows = page.locator(`[data-warnings="${gpu.id}"] li`);
            const codes = await rows.evaluateAll((all) => all.map((one) => one.dataset.code));
            const inOrder = [...gpu.rejected, ...await byWeight(gpu.warnings, rows)];
            is(codes, inOrder.map(({code}) => code), `${language} ${gpu.id}: reasons and warnings, in order`);
        }
        const stale = await page.locator('tr[data-field=price] td')
            .evaluateAll((cells) => cells.map((cell) => cell.querySelector('.stale') !== null));
        is(stale, gpus.map(({price}) => price?.stale ?? false), `${language}: stale prices are marked`);
        ok(stale.includes(true) && stale.includes(false), 'there is a stale and a fresh price');
        const bars = await page.locator('tr[data-field=memory_bandwidth_gb_s] .part')
            .evaluateAll((all) => all.map((bar) => Math.round(Number.parseFloat(bar.getAttribute('width')))));
        const {values} = byField.memory_bandwidth_gb_s;
        is(bars, values.map((value) => Math.round((100 * value) / Math.max(...values))), `${language}: bars from 0`);
        ok((await page.locator('tr[data-field=tensor_fp8_tflops] td').first().innerText()).length > 1, `${language}: unknown is said`);
        is(await page.locator('.compare-table td.best').evaluateAll((cells) => cells.filter((cell) => !cell.textContent.includes('●') ||
            Number(getComputedStyle(cell.querySelector('.value')).fontWeight) < 600).length), 0,
                `${language}: a mark is a sign and weight, not colour alone`);
        is(await faults(page), [], `${language} ${theme}: axe finds no fault`);
        for (const width of WIDTHS) {
            await page.setViewportSize({width, height: 800});
            ok(!(await scrollsSideways(page)), `${language} ${theme} ${width} px: no sideways scrolling`);
        }
        is(said, [], `${language} ${theme}: the console stays empty`);
        await close();
    }
}

/* All equal: no mark; only rows that differ. */
{
    const {page, said, close} = await open(`/?view=compare&gpus=nvidia-geforce-rtx-3090,nvidia-geforce-rtx-4090&${QUESTION}`);
    await page.waitForSelector('.compare-table');
    is((await marks(page)).memory_gib, [], 'equal memory is not marked');
    const all = await page.locator('tr[data-field]').count();
    await page.check('.compare .tick input');
    await page.waitForSelector('tr[data-field=memory_gib]', {state: 'detached'});
    ok((await page.locator('tr[data-field]').count()) < all && (await page.locator('tr[data-field=speed]').count()) === 1,
        'rows that do not differ can be left out');
    await page.waitForURL(/differ=yes/);
    await page.reload();
    await page.waitForSelector('.compare-table');
    is(await page.locator('tr[data-field=memory_gib]').count(), 0, 'that is kept in the address');
    is(await page.locator('.tools a').getAttribute('href'), `/?${QUESTION}`, 'a link leads back to the question');
    is(said, [], 'the console stays empty');
    await close();
}

/* Adding by any name, removing by keyboard, back; the cards come from the tray when the address names none. */
for (const language of ['en', 'zh']) {
    const {page, said, close} = await open('/?view=compare', {language});
    await page.waitForSelector('.compare a[href*="view=cards"]');
    is(await faults(page), [], `${language}: axe finds no fault without cards`);
    const third = (await ask('/gpus?q=7900+xtx&limit=1')).data[0].id; // the first of the list
    const add = async (name) => {
        await page.fill('card-picker input', name);
        await page.keyboard.press('Escape');
        await page.locator('.add button[type=submit]').click();
    };
    await add('rtx 4090');
    await page.waitForFunction(() => document.querySelector('.result').innerText.includes('4090'));
    await add('3090');
    await compares(page, ['nvidia-geforce-rtx-4090', 'nvidia-geforce-rtx-3090'], `${language}: two names make a comparison`);
    await page.fill('card-picker input', '7900 xtx');
    await page.waitForSelector('card-picker [role=option]');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await compares(page, ['nvidia-geforce-rtx-4090', 'nvidia-geforce-rtx-3090', third], `${language}: a suggestion is taken by keyboard`);
    ok(page.url().includes(`gpus=nvidia-geforce-rtx-4090,nvidia-geforce-rtx-3090,${third}`), `${language}: the address names them`);
    await add('nvidia-geforce-rtx-3090');
    await page.waitForSelector('.failure .error');
    ok((await page.locator('.failure').innerText()).includes('3090'), `${language}: a card that is there already is told`);
    await page.locator('thead button').nth(1).focus();
    await page.keyboard.press('Enter');
    await compares(page, ['nvidia-geforce-rtx-4090', third], `${language}: a press removes a card`);
    await until(() => page.evaluate(() => document.activeElement.closest('thead') !== null));
    is(await page.evaluate(() => document.activeElement.closest('th')?.dataset.gpu), third, `${language}: the focus goes to the next`);
    await page.goBack();
    await compares(page, ['nvidia-geforce-rtx-4090', 'nvidia-geforce-rtx-3090', third], `${language}: back brings it back`);
    await page.locator('#views a[href*="view=cards"]').click();
    await page.waitForSelector('.tray li');
    is(await page.locator('.tray li').count(), 3, `${language}: the tray holds the same cards`);
    await page.locator('#views a[href*="view=compare"]').click();
    await compares(page, ['nvidia-geforce-rtx-4090', 'nvidia-geforce-rtx-3090', third], `${language}: and gives them back`);
    is(said, [], `${language}: the console stays empty`);
    await close();
}

/* Names that mean several cards or none: the server's words, the cards it means as buttons. */
for (const language of ['en', 'zh']) {
    const {page, close} = await open(`/?view=compare&gpus=a100,rtx-3090,zzz&${QUESTION}`, {language});
    await page.waitForSelector('.failure .pill');
    const {errors, candidates} = await ask(`/compare?gpus=a100,rtx-3090,zzz&lang=${language}`);
    is(await page.locator('.failure .error').allInnerTexts(), errors.map(({detail}) => detail),
        `${language}: all that is wrong, in the server's words`);
    const pills = await page.locator('.failure .pill').allInnerTexts();
    is(pills.slice(0, candidates.length), candidates.map(({name}) => name), `${language}: each card that is meant is a button`);
    is(await faults(page), [], `${language}: axe finds no fault in that`);
    await page.locator('.failure .pill').first().click();
    await page.waitForFunction((n) => document.querySelectorAll('.failure .error').length === n, 1);
    await page.locator('.failure .pill').last().click();
    await compares(page, [candidates[0].id, 'nvidia-geforce-rtx-3090'],
        `${language}: one press takes it, another leaves out what is no card`);
    ok(page.url().includes('model=llama-3.1-8b'), `${language}: the question is still there`);
    await page.goto(`${server.url}/?view=compare&gpus=a,b,c,d,e,f,g,h,i`);
    await page.waitForSelector('.failure .error');
    const nine = await ask(`/compare?gpus=a,b,c,d,e,f,g,h,i&lang=${language}`);
    is(await page.locator('.failure .error').allInnerTexts(), nine.errors.map(({detail}) => detail),
        `${language}: too many names, in its words too`);
    await close();
}

/* Six are the most; phones show three columns and let one choose which. */
{
    const six = [...CARDS, 'nvidia-geforce-rtx-4080', 'nvidia-geforce-rtx-3060-12gb'];
    const {page, said, close} = await open(`/?view=compare&gpus=${six.join(',')}`, {width: 360});
    await compares(page, six, 'six cards');
    const visible = () => page.locator('thead th')
        .evaluateAll((heads) => heads.filter((head) => head.offsetWidth > 0).map((head) => head.dataset.gpu));
    is(await visible(), six.slice(0, 3), 'a phone shows three');
    await page.locator('.chooser button').nth(4).click();
    is(await visible(), [six[1], six[2], six[4]], 'another takes the place of the first');
    await page.locator('.chooser button').nth(1).click();
    is(await visible(), [six[2], six[4]], 'and one can be put away');
    is(await faults(page), [], 'axe finds no fault on a phone');
    ok(!(await scrollsSideways(page)), 'nor does it scroll sideways');
    await page.fill('card-picker input', 'rtx 3080 ti');
    await page.keyboard.press('Escape');
    await page.locator('.add button[type=submit]').click();
    await page.waitForSelector('.failure .error');
    ok((await page.locator('.failure').innerText()).includes('6'), 'a seventh is not taken, and it is said why');
    is(await columns(page), six, 'the six stay');
    await page.setViewportSize({width: 1280, height: 800});
    is(await visible(), six, 'a wide screen shows all');
    is(said, [], 'the console stays empty');
    await close();
}

/* Which path takes which parameter of the question is what the contract says. */
{
    const {page, close} = await open('/');
    const contract = await ask('/openapi.json');
    const own = {'/recommend': ['limit', 'explain'], '/deal': ['gpu', 'price'], '/compare': ['gpus'], '/estimate': ['gpu', 'gpus']};
    for (const [path, others] of Object.entries(own)) {
        const {parameters = [], get} = contract.paths[path];
        const names = [...parameters, ...(get.parameters ?? [])]
            .map((one) => (one.$ref ? contract.components.parameters[one.$ref.split('/').at(-1)] : one))
            .filter((one) => one.in === 'query').map(({name}) => name).filter((name) => ![...others, 'lang', 'format'].includes(name));
        const taken = await page.evaluate(async ([where, all]) => {
            const {questionOf} = await import(new URL('question.js', document.querySelector('script[type=module]').src));
            return Object.keys(questionOf(Object.fromEntries(all.map((name) => [name, 'x'])), where));
        }, [path, [...names, 'strange']]);
        is(taken.sort(), names.sort(), `${path}: the page gives it its own parameters and no other`);
    }
    await close();
}

/* Seven cards of an address: it is said that they are too many, and each can be left out. */
for (const language of ['en', 'zh']) {
    const cards = (await ask('/gpus?limit=7')).data;
    const {page, said, close} = await open(`/?view=compare&gpus=${cards.map(({id}) => id).join(',')}`, {language});
    await page.waitForSelector('.failure .pill');
    const words = await page.locator('.failure .error').innerText();
    ok(words.includes('7') && words.includes('6'), `${language}: seven are more than six, and that is said: ${words}`);
    is(await page.locator('main table').count(), 0, `${language}: they are not shown`);
    is(await page.locator('.failure .pill').count(), 7, `${language}: each has a button that leaves it out`);
    is(await faults(page), [], `${language}: axe finds no fault in that`);
    await page.locator('.failure .pill').first().click();
    await compares(page, cards.slice(1).map(({id}) => id), `${language}: without the first they are six`);
    await page.goto(`${server.url}/?view=compare&gpus=${'x'.repeat(3000)}`);
    await page.waitForSelector('.failure .error');
    const refusal = await page.locator('.failure .error').innerText();
    ok(/512/.test(refusal) && !/path|路径/.test(refusal), `${language}: a name of 3000 letters is too long: ${refusal}`);
    is(said.filter((line) => !/Failed to load resource/.test(line)), [], `${language}: the console says nothing else`);
    await close();
}

/* A comparison that somebody sent is looked at: the reader's own tray stays, until a press. */
{
    const {page, said, close} = await open('/?view=cards&compare=nvidia-tesla-k80');
    await page.waitForSelector('.tray li');
    const tray = () => page.evaluate(() => JSON.parse(sessionStorage.getItem('compare')).map(({id}) => id));
    await page.goto(`${server.url}/?view=compare&gpus=${CARDS.slice(0, 3).join(',')}`);
    await compares(page, CARDS.slice(0, 3), 'a comparison that somebody sent');
    await page.waitForSelector('.tray li', {state: 'attached'}); // beside the comparison it is not shown
    is(await tray(), ['nvidia-tesla-k80'], 'does not touch the tray');
    await page.locator('thead button').first().click();
    await compares(page, CARDS.slice(1, 3), 'a press takes a card out');
    is(await tray(), CARDS.slice(1, 3), 'and makes the comparison the reader\'s own');
    is(said, [], 'the console stays empty');
    await close();
}

/* A name of the address that a busy server cannot look up now stays in the tray; one that no card has leaves it. */
{
    const busy = {status: 429, headers: {'Retry-After': '1'}, contentType: 'application/problem+json', body: '{"status": 429}'};
    const before = (page) => page.route('**/gpus/nvidia-tesla-k80*', (route) => route.fulfill(busy));
    const {page, close} = await open('/?view=cards&compare=nvidia-tesla-k80,rtx-3090,rtx-9999x', {isReal: false, before});
    await page.waitForFunction(() => JSON.parse(sessionStorage.getItem('compare') ?? '[]').some(({name}) => name?.includes('3090')));
    const tray = await page.evaluate(() => JSON.parse(sessionStorage.getItem('compare')).map(({id}) => id));
    is(tray, ['nvidia-tesla-k80', 'nvidia-geforce-rtx-3090'], 'what cannot be looked up now stays, what is no card goes');
    await close();
}

await browser.close();
is(await server.stop(), [], 'the server ends without a fault');
done();

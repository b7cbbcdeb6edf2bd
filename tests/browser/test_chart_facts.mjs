// Rent or buy, prices over time, software support, memory and context: each drawn from replies of the API, and read off
// the page again by its own axes.
import {until} from '../wait.mjs';
import {done, is, ok} from '../tap.mjs';
import {ask, axesOf, drawing, mount, saved, tableOf} from './chart_reading.mjs';
import {browser, faults, open, scrollsSideways, server, WIDTHS} from './visit.mjs';

const near = (found, wanted, slack) => Math.abs(found - wanted) <= slack;
const months = (at) => Date.parse(at) / (30.44 * 86400e3);
const visit = (options) => open('/?view=prices', options);

/* Rent or buy: the lines cross where the API says that both cost the same. */
for (const [language, question] of [['en', 'task=qlora&model=llama-3.1-8b&hours_per_month=200&months=36&budget=1500'],
    ['zh', 'task=inference&model=llama-3.1-8b&currency=CNY&budget=9000&hours_per_month=300'],
    ['en', 'task=lora&model=7b&budget=2000&hours_per_month=4'], ['en', 'task=learn&budget=800&hours_per_month=730']]) {
    const answer = await ask(`/recommend?${question}`, language);
    const {rent_or_buy: rent, picks: [{cost}]} = answer;
    const {page, said, close} = await visit({language});
    ok(await mount(page, 'chart_rent.js', 'rentChart', answer), `${question}: there is a chart`);
    const drawn = await drawing(page, '#chart-rent');
    const read = axesOf(drawn);
    const [renting, buying] = ['c-line', 'c-line accent'].map((name) => drawn.leaves.find((one) => one.name === name).places);
    const at = ([x, y]) => [read.x(x), read.y(y)];
    const [, [, start], [end, paid]] = buying.map(at);
    const [, [, rented]] = renting.map(at);
    const slack = Math.max(paid, rented) * 0.004;
    ok(near(start, cost.purchase - cost.resale, slack), 'buying begins with what selling does not bring back');
    ok(near(paid, cost.purchase - cost.resale + (cost.energy / cost.months) * end, slack), 'and adds the power');
    ok(near(rented, rent.rent_per_hour * cost.hours_per_month * end, slack), 'renting is by the hour');
    const even = rent.break_even_months;
    const dot = drawn.leaves.find(({kind}) => kind === 'circle');
    is(dot !== undefined, even !== null && even > 0 && even <= end, 'the crossing is there when it is not too far');
    if (dot) {
        ok(near(read.x(dot.cx), even, end * 0.004), `at ${even} months, as the API has it`);
        const crossing = start / (rented / end - (paid - start) / end);
        ok(near(crossing, even, end * 0.02), 'where the two lines do cross');
    }
    const hours = Math.round(rent.break_even_hours).toLocaleString('en-US');
    ok(even === null || even <= 0 || drawn.label.includes(hours), `${hours} hours are in the sentence`);
    const rows = await tableOf(page, '#chart-rent');
    ok(rows.length >= 4 && rows.every((row) => row.every((cell) => /\d/.test(cell))), 'the table is full of numbers');
    const horizon = rows.find(([month]) => Number(month) === cost.months);
    is(horizon[2], cost.total.toLocaleString('en-US', {maximumFractionDigits: 0}), 'over the horizon buying costs what the API says');
    is(await faults(page), [], 'no fault of access');
    is(said, [], 'the console says nothing');
    await close();
}
{
    const {page, close} = await visit();
    const answer = await ask('/recommend?task=qlora&model=llama-3.1-8b&budget=1500');
    const without = {...answer, rent_or_buy: {...answer.rent_or_buy, rent_per_hour: null, rented: null, verdict: 'unknown'}};
    ok(!await mount(page, 'chart_rent.js', 'rentChart', without), 'nothing to rent, no chart');
    ok(!await mount(page, 'chart_rent.js', 'rentChart', {...answer, picks: []}), 'nothing to buy, no chart');
    await close();
}

/* Prices over time: a dot for every price in the currency, the launch price, the range of today. */
for (const [id, currency, language] of [['nvidia-geforce-rtx-3090', 'USD', 'en'], ['nvidia-geforce-rtx-4060-ti-16gb', 'CNY', 'zh'],
    ['amd-radeon-rx-7900-xtx', 'EUR', 'en']]) {
    const card = await ask(`/gpus/${id}?currency=${currency}`, language);
    const {page, said, close} = await visit({language});
    ok(await mount(page, 'chart_history.js', 'historyChart', card), `${id} in ${currency}: there is a chart`);
    const drawn = await drawing(page, '#chart-history');
    const read = axesOf(drawn);
    const rate = [card.price_used, card.price_new, card.price].map((price) => price?.exchange_rate).find(Boolean) ?? null;
    const value = (price) => (price.currency === currency ? price.amount : price.currency === rate?.base ? price.amount * rate.rate : null);
    const wanted = card.prices.filter((price) => price.condition !== 'msrp' && value(price) !== null);
    const dots = drawn.leaves.filter(({kind}) => kind === 'circle');
    is(dots.length, wanted.length, 'a dot for every price that can be told in it');
    const most = Math.max(...wanted.map(value));
    const found = dots.map(({cy}) => read.y(cy)).sort((a, b) => a - b);
    is(wanted.map(value).sort((a, b) => a - b).filter((price, index) => !near(price, found[index], most * 0.006)), [], 'at what it was');
    const days = dots.map(({cx, name}) => [cx, name]).sort(([a], [b]) => a - b);
    const order = [...wanted].sort((a, b) => (a.observed_on < b.observed_on ? -1 : 1));
    const span = (index) => months(order[index].observed_on.padEnd(10, '-01').slice(0, 10)) - months(order[0].observed_on);
    const scale = order.length > 1 ? (days.at(-1)[0] - days[0][0]) / span(order.length - 1) : 1;
    is(order.filter((_, index) => !near(days[index][0] - days[0][0], span(index) * scale, 1.5)).length, 0, 'on its day');
    const launch = card.prices.find((price) => price.condition === 'msrp' && value(price) !== null);
    is(drawn.leaves.filter(({name}) => name === 'c-limit').length, launch ? 1 : 0, 'the price at launch is a line where one is known');
    const today = ['used', 'new'].map((kind) => card[`price_${kind}`]).filter((price) => price?.currency === currency);
    const edge = drawn.leaves.find(({name}) => name === 'c-axis').x2;
    const ends = (name) => drawn.leaves.filter((one) => one.kind === 'path' && one.name.includes(name)).flatMap(({places}) => places)
        .filter(([x]) => Math.abs(x - edge) < 0.2).map(([, y]) => read.y(y));
    const isAmong = (found, price) => found.some((one) => near(one, price, most * 0.006));
    ok(today.every(({planning}) => isAmong(ends('dashed'), planning)), 'behind the last one it is dashed, to what is reckoned with today');
    ok(today.every(({low, high}) => isAmong(ends('c-band'), low) && isAmong(ends('c-band'), high)), 'with the band from low to high');
    is(ends('dashed').length, today.length, 'and nothing else goes on to today');
    const solid = drawn.leaves.filter(({kind, name}) => kind === 'path' && /c-line/.test(name) && !/dashed/.test(name));
    ok(solid.every(({places}) => places.at(-1)[0] <= days.at(-1)[0] + 0.2), 'no whole line goes on behind the last price');
    const rows = await tableOf(page, '#chart-history');
    ok(rows.length >= wanted.length, 'the table has them all');
    is(await faults(page), [], 'no fault of access');
    is(said, [], 'the console says nothing');
    await close();
}
{
    const {page, close} = await visit();
    const card = await ask('/gpus/nvidia-geforce-rtx-3090');
    ok(!await mount(page, 'chart_history.js', 'historyChart', {...card, prices: [], price: null, price_used: null, price_new: null}),
        'no price, no chart');
    await close();
}

/* Software support: a row for every generation of the maker, bars that end where the API says so. */
const cards = (await ask('/gpus?limit=500')).data;
for (const [id, language] of [['nvidia-tesla-v100-pcie-16gb', 'en'], ['amd-radeon-rx-7900-xtx', 'zh'], ['intel-arc-a770-16gb', 'en']]) {
    const card = await ask(`/gpus/${id}`, language);
    const {page, said, close} = await visit({language});
    ok(await mount(page, 'chart_support.js', 'supportChart', card, cards), `${id}: there is a chart`);
    const drawn = await drawing(page, '#chart-support');
    const own = cards.filter(({vendor, support}) => vendor === card.vendor && support?.framework);
    const wanted = [...new Set(own.map(({architecture}) => architecture))];
    const names = drawn.leaves.filter(({kind, x}) => kind === 'text' && x === 0).map(({text}) => text);
    is([...names].sort(), [...wanted].sort(), 'the generations of its maker, and of no other');
    is(drawn.leaves.filter(({kind, name, x}) => kind === 'text' && x === 0 && /accent/.test(name)).map(({text}) => text),
        [card.architecture], 'its own stands out');
    const today = drawn.leaves.find(({name}) => name === 'c-end').x1;
    const bars = drawn.leaves.filter(({row}) => row !== null);
    const ended = own.filter(({support}) => support.end_date !== null);
    const isEnded = (row) => ended.some(({architecture}) => architecture === row);
    is(bars.filter(({row, x, width}) => (x + width < today - 1) !== isEnded(row)).map(({row}) => row), [],
         'a bar that ends before today is one with a day of its end');
    const lasts = new Set(own.map(({support}) => support.cuda_last ?? support.rocm_last).filter(Boolean));
    ok([...lasts].every((version) => drawn.leaves.some(({text}) => text.endsWith(` ${version}`))), `last versions: ${[...lasts]}`);
    const rows = await tableOf(page, '#chart-support');
    is(rows.length, wanted.length, 'the table has a row for each');
    is(await faults(page), [], 'no fault of access');
    is(said, [], 'the console says nothing');
    await close();
}
{
    const {page, close} = await visit();
    const card = await ask('/gpus/nvidia-tesla-v100-pcie-16gb');
    await mount(page, 'chart_support.js', 'supportChart', card, cards);
    const drawn = await drawing(page, '#chart-support');
    const years = drawn.leaves.filter(({kind, text}) => kind === 'text' && /^20\d\d$/.test(text));
    const yearAt = (x) => Number(years[0].text) + ((x - years[0].x) / (years.at(-1).x - years[0].x)) * (years.at(-1).text - years[0].text);
    const bar = drawn.leaves.find(({row}) => row === 'Volta');
    const first = cards.filter(({architecture}) => architecture === 'Volta').map(({release_date: day}) => day).filter(Boolean).sort()[0];
    const yearOf = (day) => Number(day.slice(0, 4)) + (Number(day.slice(5, 7) || 1) - 1) / 12;
    ok(near(yearAt(bar.x), yearOf(first), 0.12), `the bar begins with the first card, ${first}`);
    ok(near(yearAt(bar.x + bar.width), yearOf(card.support.end_date), 0.12), `and ends ${card.support.end_date}`);
    ok(!await mount(page, 'chart_support.js', 'supportChart', {...card, architecture: 'Unheard'}, cards), 'unknown generation, no chart');
    await close();
}

/* A server that is busy says nothing of the model: the chart says so too, and draws when it is asked again. */
{
    const busy = {status: 503, contentType: 'application/problem+json', body: '{"status": 503}'};
    const {page, close} = await open('/?view=card&id=nvidia-geforce-rtx-3090', {isReal: false,
        before: (page) => page.route('**/estimate*', (route) => route.fulfill(busy))});
    const note = page.locator('#chart-context > [role=status]');
    await page.waitForFunction(() => document.querySelector('#chart-context > [role=status]')?.textContent !== '');
    is(await note.innerText(), 'gpuwise cannot answer now.', 'context: a busy server is told of');
    await page.unroute('**/estimate*');
    await page.focus('#chart-context select');
    await page.waitForFunction(() => document.querySelectorAll('#chart-context option').length > 5);
    await page.selectOption('#chart-context select', 'qwen3-8b');
    await page.waitForSelector('#chart-context path.c-line');
    is(await note.innerText(), '', 'context: and it is drawn when the server answers');
    await close();
}

/* Memory and context: every point is an estimate of the API. */
for (const language of ['en', 'zh']) {
    const {page, said, close} = await visit({language});
    const card = await ask('/gpus/nvidia-geforce-rtx-3090', language);
    const asked = [];
    page.on('request', (request) => request.url().includes('/estimate') && asked.push(request.url()));
    ok(await mount(page, 'chart_context.js', 'contextChart', card), `context, ${language}`);
    await page.waitForSelector('#chart-context path.c-line');
    const estimate = async (more) => ask(`/estimate?gpu=${card.id}&task=inference&model=llama-3.1-8b&${more}`);
    const rows = await tableOf(page, '#chart-context');
    is(rows.map(([length]) => length), ['2k', '4k', '8k', '16k', '32k', '64k', '128k'], 'from 2k to 128k');
    const formats = ['quant=bf16', 'quant=q8_0', 'quant=q4_k_m', 'quant=q4_k_m&kv_dtype=q8_0'];
    const wrong = [];
    for (const [at, length] of [[0, 2048], [3, 16384], [6, 131072]]) {
        for (const [index, format] of formats.entries()) {
            const {fits: [fit]} = await estimate(`${format}&context=${length}`);
            if (Number.parseFloat(rows[at][index + 1]) !== Number(fit.needed_gib.toFixed(1)) ||
                /[^\d.]/.test(rows[at][index + 1]) !== (fit.needed_gib > fit.available_gib)) {
                wrong.push(`${format} ${length}: ${rows[at][index + 1]}, not ${fit.needed_gib}`);
            }
        }
    }
    is(wrong, [], 'the numbers are those of the API, too much is said');
    const drawn = await drawing(page, '#chart-context');
    const read = axesOf({leaves: drawn.leaves.filter(({name}) => name.includes('meta'))
        .concat([{kind: 'text', name: 'meta middle', text: '1', x: 0}, {kind: 'text', name: 'meta middle', text: '2', x: 1}])});
    const {fits: [{available_gib: usable}]} = await estimate('quant=bf16&context=2048');
    ok(near(read.y(drawn.leaves.find(({name}) => name === 'c-end').y1), usable, 0.3), 'the line is the usable memory of the card');
    const lines = drawn.leaves.filter(({kind, name}) => kind === 'path' && /^c-line/.test(name));
    is(lines.length, formats.length, 'a line for every format');
    const {fits: [{needed_gib: bf16}]} = await estimate('quant=bf16&context=8192');
    ok(near(read.y(lines[0].places[2][1]), bf16, 0.3), 'that goes through its estimates');
    const before = asked.length;
    is(before, 28, 'one request a point');
    await page.focus('#chart-context select');
    ok(await until(() => page.locator('#chart-context option').count().then((count) => count > 20)), 'other models can be chosen');
    await page.selectOption('#chart-context select', 'qwen3-8b').catch(() => page.selectOption('#chart-context select', {index: 5}));
    ok(await until(() => asked.length > before), 'they are estimated when asked for');
    await page.selectOption('#chart-context select', 'llama-3.1-8b');
    ok(await until(async () => (await drawing(page, '#chart-context')).leaves.some(({kind, name, places}) => kind === 'path' &&
        name === 'c-line' && Math.abs(places[0][1] - lines[0].places[0][1]) < 0.2)), 'the first comes back');
    ok(!asked.slice(28).some((url) => url.includes('model=llama-3.1-8b')), 'without being asked again');
    is(await faults(page), [], 'no fault of access');
    is(said.filter((line) => !/status of 400/.test(line)), [], 'the console says nothing'); // a model takes no longer context
    await close();
}

/* All four, both themes, every width; files stand alone. */
for (const theme of ['light', 'dark']) {
    const {page, close} = await visit({theme, language: theme === 'light' ? 'en' : 'zh'});
    const card = await ask('/gpus/nvidia-geforce-rtx-3090');
    const answer = await ask('/recommend?task=qlora&model=llama-3.1-8b&budget=1500');
    for (const [module, name, id, ...args] of [['chart_rent.js', 'rentChart', '#chart-rent', answer],
        ['chart_history.js', 'historyChart', '#chart-history', card], ['chart_support.js', 'supportChart', '#chart-support', card, cards],
        ['chart_context.js', 'contextChart', '#chart-context', card]]) {
        await mount(page, module, name, ...args);
        await page.waitForSelector(`${id} .c-drawing text`);
        is(await faults(page), [], `${id}, ${theme}: no fault of access`);
        for (const width of WIDTHS) {
            await page.setViewportSize({width, height: 800});
            await page.waitForFunction(() => {
                const svg = document.querySelector('.c-drawing');
                return Math.abs(svg.viewBox.baseVal.width - svg.getBoundingClientRect().width) <= 1;
            });
            const outside = await page.evaluate(() => {
                const frame = document.querySelector('.c-drawing').getBoundingClientRect();
                return [...document.querySelectorAll('.c-drawing text')].filter((text) => {
                    const box = text.getBoundingClientRect();
                    return box.left < frame.left - 6 || box.right > frame.right + 6;
                }).map((text) => text.textContent);
            });
            is(outside, [], `every word is inside at ${width}`);
            ok(!await scrollsSideways(page), 'and nothing scrolls sideways');
        }
        const {name: file, bytes} = await saved(page, id, 2);
        const text = bytes.toString('utf8');
        ok(/^gpuwise-[a-z0-9.-]+\.svg$/.test(file), `saved as ${file}`);
        ok(/^<svg /.test(text) && !/class=|var\(|style=|currentColor/.test(text), 'that stands alone');
    }
    await close();
}
await browser.close();
is(await server.stop(), [], 'the server stops without a fault');
done();

// Price against speed in a real browser: what is drawn is what the API says, in both languages and themes, by pointer
// and by keys, as a table and as a file.
import {until} from '../wait.mjs';
import {done, is, ok} from '../tap.mjs';
import {ask, axesOf, drawing, saved, tableOf} from './chart_reading.mjs';
import {browser, faults, open, scrollsSideways, server, WIDTHS} from './visit.mjs';

const WORK = 'task=qlora&model=llama-3.1-8b&psu_watts=850';
const BUDGET = 1500;
const VIEW = `/?view=chart&${WORK}&budget=${BUDGET}`;
const CHART = '#chart-pareto';
const near = (found, wanted, share = 0.004) => Math.abs(found / wanted - 1) < share;

const all = await ask(`/recommend?${WORK}&limit=100`);
const [pick] = (await ask(`/recommend?${WORK}&budget=${BUDGET}&limit=1`)).picks;
const idOf = ({gpu, count}) => (count > 1 ? `${gpu.id}-x${count}` : gpu.id);
const picks = new Map(all.picks.map((one) => [idOf(one), one]));

const visit = async (path, options) => {
    const visited = await open(path, options);
    await visited.page.waitForSelector(`${CHART} .c-point`);
    return visited;
};

/* What is drawn. */
{
    const {page, said, close} = await visit(VIEW);
    const drawn = await drawing(page, CHART);
    const dots = drawn.leaves.filter(({kind, name, point}) => kind === 'circle' && point !== null && name.startsWith('c-dot'));
    const read = axesOf(drawn, {isLog: true});
    is(dots.map(({point}) => point).sort(), [...picks.keys()].sort(), 'every pick of the API is a point, dearer ones too');
    const isPlaced = ({point, cx, cy}) =>
        near(read.x(cx), picks.get(point).cost.purchase) && near(read.y(cy), picks.get(point).speed.value);
    is(dots.filter((dot) => !isPlaced(dot)).map(({point}) => point), [], 'each at its price and speed by the axes');
    is(dots.filter(({point, name}) => /hollow/.test(name) !== (picks.get(point).fit.tight || picks.get(point).fit.headroom_gib < 3))
        .map(({point}) => point), [], 'hollow where under 3 GiB are left');

    const stairs = drawn.leaves.find(({kind, name}) => kind === 'path' && name === 'c-line mute').places;
    const corners = stairs.filter((_, index) => index % 2 === 0);
    const members = corners.map(([x, y]) => dots.find(({cx, cy}) => Math.hypot(cx - x, cy - y) < 0.2)?.point);
    const wanted = [];
    for (const one of all.picks.filter(({pareto}) => pareto).sort((a, b) => a.cost.purchase - b.cost.purchase)) {
        if (wanted.length === 0 || one.speed.value > picks.get(wanted.at(-1)).speed.value) {
            wanted.push(idOf(one));
        }
    }
    ok(wanted.length > 3, `${wanted.length} cards make the line`);
    is(members, wanted, 'the line goes through the picks that the API calls pareto, each faster than all cheaper ones');
    const bold = drawn.leaves.filter(({kind, name}) => kind === 'text' && /\b(strong|accent)\b/.test(name)).map(({text}) => text);
    const isBest = (name) => all.picks.some((one) => one.pareto && one.gpu.name.endsWith(name));
    is(bold.filter((name) => !isBest(name)), [], 'bold names are of such picks');

    const limit = drawn.leaves.find(({name}) => name === 'c-limit');
    ok(near(read.x(limit.x1), BUDGET), 'the dashed line is the budget');
    const room = drawn.leaves.find(({name}) => name === 'c-room');
    ok(Math.abs(room.x - limit.x1) < 0.1 && Math.abs(room.x + room.width - drawn.width) < 10, 'the room beyond it is shaded');
    const chosen = dots.find(({name}) => /accent/.test(name));
    is(chosen.point, idOf(pick), 'the pick within the budget is the one emphasised');
    ok(drawn.label.includes(pick.gpu.name.replace(/^NVIDIA (GeForce )?/, '')), `the drawing says so: ${drawn.label}`);
    const whiskers = drawn.leaves.filter(({name}) => name.startsWith('c-range'));
    const upright = whiskers.find(({x1, x2, name}) => x1 === x2 && /accent/.test(name));
    ok(near(read.y(upright.y1), pick.speed.high) && near(read.y(upright.y2), pick.speed.low), 'with the range of its speed');
    const lying = whiskers.filter(({y1, y2}) => y1 === y2);
    is(lying.length, dots.length, 'each has a range of its price');
    is(lying.filter(({x1, x2, y1}) => !all.picks.some(({price, cost, speed}) => near(read.y(y1), speed.value) &&
        near(read.x(x1), Math.min(price.low, cost.purchase)) && near(read.x(x2), Math.max(price.high, cost.purchase)))).length, 0,
    'from low to high of the API');
    is(said, [], 'the console says nothing');
    await close();
}

/* The names cross nothing: measured on the page itself. */
for (const width of [360, 1280, 1920]) {
    const {page, close} = await visit(VIEW, {width});
    const crossed = await page.evaluate(() => {
        const boxes = [...document.querySelectorAll('.c-drawing .halo')].filter((one) => !one.closest('.c-over')).map((text) =>
            ({name: text.textContent, box: text.getBoundingClientRect()}));
        const dots = [...document.querySelectorAll('.c-drawing .c-dot')].map((dot) => dot.getBoundingClientRect());
        const meet = (one, other) => one.left < other.right - 1 && one.right > other.left + 1 && one.top + 2 < other.bottom - 2 &&
            one.bottom - 3 > other.top + 2;
        return {count: boxes.length, crossed: boxes.filter(({box}, index) => dots.some((dot) => meet(box, dot)) ||
            boxes.slice(index + 1).some((other) => meet(box, other.box))).map(({name}) => name)};
    });
    is(crossed.crossed, [], `no name crosses a point or a name at ${width}`);
    ok(width > 600 ? crossed.count > 15 : crossed.count > 3 && crossed.count <= 9, `${crossed.count} names`);
    await close();
}

/* By the keys, and the line below. */
for (const language of ['en', 'zh']) {
    const {page, said, close} = await visit(VIEW, {language});
    const focused = () => page.evaluate(() => document.activeElement.dataset?.point ?? null);
    const line = () => page.textContent('.c-chosen');
    await page.focus('.c-point[tabindex="0"]');
    is(await focused(), idOf(pick), `${language}: one stop of the Tab key, at the pick`);
    const order = [...picks].sort(([, a], [, b]) => a.cost.purchase - b.cost.purchase).map(([id]) => id);
    await page.keyboard.press('Home');
    is(await focused(), order[0], 'Home goes to the cheapest');
    const walked = [await focused()];
    for (let step = 1; step < order.length; step += 1) {
        await page.keyboard.press('ArrowRight');
        walked.push(await focused());
    }
    is(walked.map((id) => picks.get(id).cost.purchase), order.map((id) => picks.get(id).cost.purchase), 'the arrow keys go by price');
    await page.keyboard.press('ArrowRight');
    is(await focused(), walked.at(-1), 'the last one is the last');
    const last = picks.get(walked.at(-1));
    ok((await line()).includes(Math.round(last.cost.purchase).toLocaleString('en-US')), 'the line below says its price');
    ok((await line()).includes(language === 'zh' ? '超预算' : 'over budget'), 'and that it is over the budget');
    is(await page.getAttribute('.c-chosen a >> nth=0', 'href'), `/?view=card&id=${last.gpu.id}`, 'with a link to the card');
    ok((await page.getAttribute('.c-chosen a >> nth=1', 'href')).includes(`${pick.gpu.id},${last.gpu.id}`), 'and to the comparison');
    const option = await page.getAttribute(`[data-point="${walked.at(-1)}"]`, 'aria-label');
    ok(option.includes(language === 'zh' ? '词元/秒' : 'tokens/s') && option.includes('GiB'), 'spoken with speed and memory');
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    is(await focused(), walked.at(-2), 'and back');
    is(await page.getAttribute(`[data-point="${walked.at(-2)}"]`, 'aria-selected'), 'true', 'what has the focus is chosen');
    is(said, [], 'the console says nothing');
    await close();
}

/* By the pointer: the nearest point within reach. */
{
    const {page, close} = await visit(VIEW);
    const target = [...picks].find(([id, one]) => id !== idOf(pick) && one.rank > 10)[0];
    const box = await page.locator(`[data-point="${target}"] .c-hit`).boundingBox();
    await page.mouse.move(box.x + box.width / 2 + 2, box.y + box.height / 2 + 1);
    is(await page.locator('.c-over .c-ring').count(), 1, 'a point under the pointer has a ring');
    await page.mouse.click(box.x + box.width / 2 + 1, box.y + box.height / 2);
    is(await page.getAttribute('.c-point[aria-selected=true]', 'data-point'), target, 'a press chooses it');
    ok(page.url().includes(`point=${target}`) && page.url().includes(`budget=${BUDGET}`), 'it is in the address');
    await page.reload();
    await page.waitForSelector(`${CHART} .c-point`);
    is(await page.getAttribute('.c-point[aria-selected=true]', 'data-point'), target, 'and there again');
    await close();
}

/* The table is the drawing. */
for (const [language, more] of [['en', ''], ['zh', '&currency=CNY']]) {
    const {page, close} = await visit(VIEW.replace(`${BUDGET}`, language === 'zh' ? '9000' : `${BUDGET}`) + more, {language});
    const reply = language === 'zh' ? await ask(`/recommend?${WORK}&limit=100&currency=CNY`) : all;
    const rows = await tableOf(page, CHART);
    is(rows.length, reply.picks.length, `${language}: a row for every point`);
    const prices = rows.map(([, price]) => Number(price.replaceAll(',', '')));
    const wanted = reply.picks.map(({cost}) => cost.purchase).sort((a, b) => a - b);
    is(prices.map((price) => price.toFixed(0)), wanted.map((price) => price.toFixed(0)),
        'with the prices of the API in the currency of the reader');
    is(rows.filter((row) => row.some((cell) => /undefined|NaN|null/.test(cell))), [], 'and nothing that is no value');
    const drawn = await drawing(page, CHART);
    const ticks = drawn.leaves.filter(({kind, name, text}) => kind === 'text' && name.includes('middle') && /^[\d,.]+$/.test(text))
        .map(({text}) => text.replaceAll(',', '').replace(/0+$/, ''));
    ok(ticks.length >= 3 && ticks.length <= 8 && ticks.every((text) => text.length <= 2), `ticks are round: ${ticks}`);
    await close();
}

/* The controls are the question. */
{
    const {page, said, close} = await visit(VIEW);
    const points = () => page.evaluate(() => [...document.querySelectorAll('.c-point')].map((one) => one.dataset.point).sort());
    const isEqual = async (wanted) => JSON.stringify(await points()) === JSON.stringify(wanted);
    const settles = async (wanted) => ok(await until(() => isEqual(wanted)), 'the chart follows');
    const idsOf = (reply) => reply.picks.map(idOf).sort();
    await page.check('.c-controls [value=new]');
    await settles(idsOf(await ask(`/recommend?${WORK}&limit=100&condition=new`)));
    ok(page.url().includes('condition=new') && page.url().includes(`budget=${BUDGET}`), 'new only: it is in the address');
    await page.selectOption('.c-controls [name=vendor]', 'amd');
    await settles(idsOf(await ask(`/recommend?${WORK}&limit=100&condition=new&vendor=amd`)));
    const back = await page.getAttribute('.c-lead a', 'href');
    is(Object.fromEntries(new URL(back, server.url).searchParams), {task: 'qlora', model: 'llama-3.1-8b', budget: '1500', condition: 'new',
        vendor: 'amd', psu_watts: '850'}, 'the way back is the question as it stands');
    await page.check('.c-controls [value=any]');
    await page.selectOption('.c-controls [name=vendor]', '');
    await settles(idsOf(all));
    const lying = () => page.locator('.c-drawing line.c-range').count();
    const before = await lying();
    await page.uncheck('.c-controls [name=range]');
    ok(await until(async () => await lying() < before), 'price ranges go');
    ok(page.url().includes('range=no'), 'and the address says so');
    await page.check('.c-controls [name=unfit]');
    const rejected = (await ask(`/recommend?${WORK}&limit=100&explain=all`)).rejected
        .filter(({reasons}) => reasons.some(({code}) => code === 'memory-too-small')).map(({gpu}) => gpu.id);
    const priced = new Map((await ask('/gpus?limit=500')).data.filter(({price}) => price).map(({id, price}) => [id, price]));
    await settles([...idsOf(all), ...rejected.filter((id) => priced.has(id))].sort());
    ok(await page.locator('.c-cross').count() > 10, 'what does not fit is a cross');
    const address = page.url();
    await page.reload();
    await page.waitForSelector(`${CHART} .c-cross`);
    is(page.url(), address, 'the address holds everything');
    is(said, [], 'the console says nothing');
    await close();
}

/* Several cards at once: the pick is a set, and opening the view adds nothing to the address. */
{
    const several = 'task=inference&model=llama-3.1-70b&quant=q4_k_m&max_gpus=4';
    const {page, close} = await visit(`/?view=chart&${several}&budget=6000`);
    const [best] = (await ask(`/recommend?${several}&budget=6000&limit=1`)).picks;
    ok(best.count > 1, `${best.count} cards are the pick`);
    is(await page.getAttribute('.c-point[aria-selected=true]', 'data-point'), idOf(best), 'the set is emphasised');
    ok(!page.url().includes('point='), 'the address is as it was');
    await page.focus('.c-point[tabindex="0"]');
    await page.keyboard.press('ArrowLeft');
    ok(page.url().includes('point='), 'another point is kept there');
    await page.keyboard.press('ArrowRight');
    ok(!page.url().includes('point='), 'the pick needs no word');
    await close();
}

/* No card within the budget, no card at all, a bad question. */
{
    const {page, close} = await visit(`/?view=chart&${WORK}&budget=50`);
    is(await page.locator('.c-drawing .c-dot.accent').count(), 0, 'no pick, nothing emphasised');
    ok((await drawing(page, CHART)).label.includes('within the budget'), 'and it is said');
    await close();
    const none = await open('/?view=chart&task=inference&model=llama-3.1-405b&quant=bf16&chassis=desktop');
    await none.page.waitForSelector('main .notice');
    ok((await none.page.textContent('main .notice')).length > 10, 'nothing to draw is said');
    await none.close();
    const bad = await open('/?view=chart&task=qlora&model=no-such-model');
    await bad.page.waitForSelector('main .error');
    const {detail} = await ask('/recommend?task=qlora&model=no-such-model');
    is(await bad.page.textContent('main .error'), detail, 'a bad question is told in the words of the server');
    ok(await bad.page.locator('.c-lead a').isVisible(), 'and can be changed');
    await bad.close();
}

/* Files: SVG with its colours, PNG. */
for (const theme of ['light', 'dark']) {
    const {page, close} = await visit(VIEW, {theme});
    const svg = await saved(page, CHART, 2);
    const text = svg.bytes.toString('utf8');
    is(svg.name, 'gpuwise-price-speed-llama-3.1-8b.svg', `${theme}: the name of the file says what it is`);
    ok(!/class=|var\(|style=|currentColor|aria-|data-/.test(text), 'the file stands alone: no class, no variable, no style');
    const parsed = await page.evaluate((source) => {
        const document_ = new DOMParser().parseFromString(source, 'image/svg+xml');
        const leaves = [...document_.querySelectorAll('text, circle, line, path, rect')];
        return {
            fault: document_.querySelector('parsererror')?.textContent ?? null,
            bare: leaves.filter((one) => !one.hasAttribute('fill')).length,
            ground: document_.querySelector('rect').getAttribute('fill'),
            title: document_.querySelector('title').textContent,
            points: document_.querySelectorAll('circle').length,
            texts: [...document_.querySelectorAll('text')].map((one) => one.textContent),
        };
    }, text);
    is([parsed.fault, parsed.bare], [null, 0], 'it parses, and every leaf has its colour');
    is(parsed.ground, theme === 'light' ? 'rgb(253, 253, 251)' : 'rgb(22, 22, 20)', 'on the ground of the theme');
    is(parsed.points, picks.size + 1, 'with every point');
    ok(parsed.title.length > 5 && parsed.texts.includes('RTX 5080'), 'with its title and its names');
    const png = await saved(page, CHART, 3);
    is(png.name, svg.name.replace('svg', 'png'), 'the picture too');
    is(png.bytes.subarray(0, 8).toString('hex'), '89504e470d0a1a0a', 'is a PNG');
    const [width, height] = /width="(\d+)" height="(\d+)"/.exec(text).slice(1).map(Number);
    is([png.bytes.readUInt32BE(16), png.bytes.readUInt32BE(20)], [width * 2, height * 2], 'twice as sharp');
    await close();
}

/* Everywhere: no fault of access, no sideways scrolling, text of 12 px that grows with the root, nothing that jumps. */
for (const language of ['en', 'zh']) {
    for (const theme of ['light', 'dark']) {
        const {page, said, close} = await visit(`${VIEW}&unfit=yes`, {language, theme});
        is(await faults(page), [], `${language}, ${theme}: no fault of access`);
        await page.click(`${CHART} .c-tools button:first-child`);
        await page.waitForSelector(`${CHART} .c-table table`);
        is(await faults(page), [], 'nor with the table');
        for (const width of WIDTHS) {
            await page.setViewportSize({width, height: 800});
            await page.waitForFunction(() => {
                const svg = document.querySelector('.c-drawing');
                return Math.abs(svg.viewBox.baseVal.width - svg.getBoundingClientRect().width) <= 1;
            });
            ok(!await scrollsSideways(page), `${width} px wide`);
        }
        is(said, [], 'the console says nothing');
        await close();
    }
}
{
    const {page, close} = await visit(VIEW, {width: 3840});
    const size = await page.evaluate(() => {
        const text = document.querySelector('.c-drawing text');
        const {a} = text.getScreenCTM();
        const sizeOf = (node) => Number.parseFloat(getComputedStyle(node).fontSize);
        return [a * sizeOf(text), (12 / 16) * sizeOf(document.documentElement)];
    });
    ok(Math.abs(size[0] - size[1]) < 0.2 && size[1] > 15, `at 3840 px text is as large as the small text of the page: ${size}`);
    await close();
}
{
    const {page, close} = await open(VIEW);
    await page.waitForSelector(`${CHART} .c-point`);
    const shift = await page.evaluate(() => new Promise((resolve) => {
        new PerformanceObserver((list) => resolve(list.getEntries().filter(({sources}) =>
            sources.some(({node}) => node?.closest?.('.chart'))).reduce((sum, {value}) => sum + value, 0)))
            .observe({type: 'layout-shift', buffered: true});
        setTimeout(() => resolve(0), 500); // no entry at all: nothing has moved
    }));
    is(shift, 0, 'nothing of the chart jumps');
    await page.emulateMedia({forcedColors: 'active'});
    const colours = await page.evaluate(() => {
        const style = (selector) => getComputedStyle(document.querySelector(selector));
        return [style('.c-drawing text').fill, style('.c-dot').fill, style('body').color];
    });
    is(colours[0], colours[2], 'with forced colours texts have the colour of text');
    ok(colours[1] !== 'rgba(0, 0, 0, 0)', 'and points are seen');
    await page.emulateMedia({media: 'print', forcedColors: 'none'});
    await page.setViewportSize({width: 700, height: 900});
    ok(await page.evaluate(() => document.querySelector('.c-drawing').getBoundingClientRect().right <= innerWidth), 'on paper it fits');
    ok(await page.locator('.c-tools').isHidden(), 'without its buttons');
    await close();
}
await browser.close();
is(await server.stop(), [], 'the server stops without a fault');
done();

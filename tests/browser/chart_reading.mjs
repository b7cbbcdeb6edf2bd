// For the tests of charts: reads values off a drawing by its own axes, and mounts a chart with replies of the API.
import {server} from './visit.mjs';

/** A reply of the API. */
export async function ask(target, language = 'en') {
    const reply = await fetch(server.url + target, {headers: {'Accept-Language': language, Accept: 'application/json'}});
    return reply.json();
}

/** Everything in the first drawing inside the selector: leaves with their attributes, texts with what they say. */
export function drawing(page, selector) {
    return page.evaluate((inside) => {
        const svg = document.querySelector(`${inside} svg.c-drawing`);
        const box = svg.viewBox.baseVal;
        const nodes = [...svg.querySelectorAll('text, line, rect, path, circle')].filter((node) => !node.closest('.c-over'));
        const leaves = nodes.map((node) => ({
            kind: node.localName,
            name: node.getAttribute('class') ?? '',
            text: node.textContent,
            point: node.closest('[data-point]')?.dataset.point ?? null,
            row: node.dataset.row ?? null,
            ...Object.fromEntries(['x', 'y', 'x1', 'x2', 'y1', 'y2', 'cx', 'cy', 'r', 'width', 'height']
                .filter((key) => node.hasAttribute(key)).map((key) => [key, Number(node.getAttribute(key))])),
            places: (node.getAttribute('d') ?? '').match(/-?[\d.]+ -?[\d.]+/g)?.map((pair) => pair.split(' ').map(Number)) ?? [],
        }));
        return {width: box.width, height: box.height, label: svg.getAttribute('aria-label'), leaves};
    }, selector);
}

const numberOf = (text) => Number(text.replaceAll(',', ''));

/** What the axes say: {x, y} from a place to a value, by two of their ticks; isLog tells the kind of scale. */
export function axesOf({leaves}, {isLog = false} = {}) {
    const ticks = leaves.filter(({kind, name, text}) => kind === 'text' && /\bmeta\b/.test(name) && /^[\d,.]+$/.test(text));
    const between = (list, axis) => {
        const along = isLog ? Math.log : (value) => value;
        const back = isLog ? Math.exp : (value) => value;
        const [first, last] = [list[0], list.at(-1)];
        const [from, to] = [along(numberOf(first.text)), along(numberOf(last.text))];
        return (at) => back(from + ((at - first[axis]) / (last[axis] - first[axis])) * (to - from));
    };
    return {
        x: between(ticks.filter(({name}) => name.includes('middle')), 'x'),
        // a tick's number stands 4 below its line
        y: between(ticks.filter(({name}) => name.includes('end')).map((tick) => ({...tick, y: tick.y - 4})), 'y'),
    };
}

/** Puts a chart of a module of the page alone into the page; args are replies of the API. */
export async function mount(page, module, name, ...args) {
    await page.waitForSelector('main h1');
    return page.evaluate(async ([file, maker, facts]) => {
        const base = document.querySelector('script[type=module]').src.replace('app.js', '');
        const [{h}, {styled}, made] = await Promise.all(['dom.js', 'chart.js', file].map((one) => import(base + one)));
        await styled;
        const chart = made[maker](...facts);
        document.querySelector('main').replaceChildren(h('div', {class: 'page'}, h('h1', {}, document.title), chart ?? ''));
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        return chart !== null;
    }, [module, name, args]);
}

/** A table behind a chart, opened, as rows of texts. */
export async function tableOf(page, selector) {
    await page.click(`${selector} .c-tools button:first-child`);
    await page.waitForSelector(`${selector} .c-table table`);
    return page.evaluate((inside) => [...document.querySelectorAll(`${inside} .c-table tbody tr`)]
        .map((row) => [...row.children].map((cell) => cell.textContent)), selector);
}

/** The file that a button hands over: {name, text or bytes}. */
export async function saved(page, selector, index) {
    const [download] = await Promise.all([page.waitForEvent('download'), page.click(`${selector} .c-tools button:nth-child(${index})`)]);
    const stream = await download.createReadStream();
    const parts = [];
    for await (const part of stream) {
        parts.push(part);
    }
    return {name: download.suggestedFilename(), bytes: Buffer.concat(parts)};
}

// What a visit costs: bytes of the first answer, nothing of it twice, no waterfall of modules, nothing that moves.
import {readdirSync, readFileSync} from 'node:fs';

import {done, is, ok} from '../tap.mjs';
import {browser, open, server} from './visit.mjs';

const BYTES_MAX = 150000;
const SHIFT_MAX = 0.01;
const QUESTION = 'task=qlora&model=llama-3.1-8b&budget=1500';
const FOLDER = new URL('../../static/', import.meta.url);

/** Every module that a module loads with it, itself included; what it imports on demand is none of them. */
function closure(name, found = new Set()) {
    if (!found.has(name)) {
        found.add(name);
        const source = readFileSync(new URL(name, FOLDER), 'utf8');
        for (const [, next] of source.matchAll(/^(?:import|export)\b[^;]*?from '\.\/([\w.]+)';/gms)) {
            closure(next, found);
        }
    }
    return found;
}

/* All modules of a page are named in it, so that none waits for another. */
for (const [page, script] of [['index.html', 'app.js'], ['docs.html', 'docs.js']]) {
    const html = readFileSync(new URL(page, FOLDER), 'utf8');
    const named = [...html.matchAll(/rel="modulepreload" href="([\w.]+)"/g)].map((match) => match[1]);
    is(named.sort(), [...closure(script)].filter((name) => name !== script).sort(), `${page} preloads what ${script} imports, no more`);
}

/* So are the files of the view that is asked for: its modules, the styles and words that those load. */
{
    const early = readFileSync(new URL('early.js', FOLDER), 'utf8');
    const named = new Function(`${early.match(/^const FILES_OF_VIEW = \{.*?^\};$/ms)[0]} return FILES_OF_VIEW;`)();
    const views = [...readFileSync(new URL('app.js', FOLDER), 'utf8').matchAll(/import\('\.\/view_(\w+)\.js'\)/g)].map(([, name]) => name);
    is(Object.keys(named).sort(), views.sort(), 'the files of every view are named');
    const always = closure('app.js');
    const drawings = {card: ['chart_support.js', 'chart_history.js', 'chart_context.js']}; // without one the view stands all the same
    for (const view of views) {
        const asked = [`view_${view}.js`, ...(drawings[view] ?? [])];
        const modules = [...new Set(asked.flatMap((name) => [...closure(name)]))].filter((name) => !always.has(name));
        const source = modules.map((name) => readFileSync(new URL(name, FOLDER), 'utf8')).join('\n');
        const namedIn = (call) => [...new Set([...source.matchAll(call)].map(([, name]) => name))];
        const styles = namedIn(/^(?:export )?const styled = styleSheet\('(\w+)'\)/gm).map((name) => `${name}.css`);
        const words = namedIn(/^addTexts\('(\w+)'\)/gm).map((name) => `text_${name}`);
        is([...named[view]].sort(), [...modules, ...styles, ...words].sort(), `${view}: all its files are asked for at once, no more`);
    }
}

/** The responses of a visit as they came over the wire. */
async function record(page) {
    const session = await page.context().newCDPSession(page);
    const seen = new Map();
    await session.send('Network.enable');
    session.on('Network.responseReceived', ({requestId, response}) =>
        seen.set(requestId, {url: new URL(response.url), headers: response.headers, isCached: response.fromDiskCache, bytes: 0}));
    session.on('Network.requestServedFromCache', ({requestId}) => seen.set(requestId, {isCached: true, bytes: 0}));
    session.on('Network.loadingFinished', ({requestId, encodedDataLength}) => {
        const one = seen.get(requestId);
        if (one !== undefined) {
            one.bytes = encodedDataLength;
        }
    });
    return () => [...seen.values()];
}

async function answered(page) {
    await page.waitForSelector('#verdict');
    await page.waitForFunction(() => document.querySelector('.chart-place:not(.is-drawn)') === null);
    await page.waitForLoadState('networkidle');
}

/* A first visit and a second one, as a browser makes them: both with its cache. */
const FIRST = [360, 1280, 1920].flatMap((width) => ['en', 'zh'].map((language) => ({language, width, path: `/?${QUESTION}`})));
for (const {language, width, path} of [{language: 'en', path: '/'}, {language: 'zh', path: '/'}, ...FIRST]) {
    const at = `${language} ${path} ${width ?? ''}`;
    const {page, close} = await open('/healthz', {language, width});
    const first = await record(page);
    await page.goto(server.url + path);
    await answered(page);
    const all = first();
    const bytes = all.reduce((sum, one) => sum + one.bytes, 0);
    for (const one of all.sort((a, b) => b.bytes - a.bytes)) {
        console.log(`# ${one.bytes} ${one.url?.pathname}`);
    }
    ok(all.length > 10 && bytes > 20000, `${at}: ${all.length} replies are counted`);
    ok(bytes <= BYTES_MAX, `${at}: with its charts ${bytes} bytes, at most ${BYTES_MAX}`);
    const other = language === 'en' ? /_zh\.js$/ : /_en\.js$/;
    is(all.filter((one) => other.test(one.url?.pathname)).length, 0, `${at}: no words of the other language`);
    is(all.filter((one) => one.url?.pathname === '/models' && one.bytes > 3000).length, 0, `${at}: not all models for the name of one`);
    const files = all.filter((one) => one.url?.pathname.startsWith('/static/'));
    ok(files.length > 5 && files.every((one) => /immutable/.test(one.headers['Cache-Control'])), `${at}: files are kept for ever`);
    const plain = all.filter((one) => one.bytes > 2000 && one.headers['Content-Encoding'] !== 'gzip').map((one) => one.url.pathname);
    is(plain, [], `${at}: what is large comes compressed`);
    await page.goto('about:blank');
    const second = await record(page);
    await page.goto(server.url + path);
    await answered(page);
    const again = second().filter((one) => one.url?.pathname.startsWith('/static/') && !one.isCached && one.bytes > 0);
    is(again.map((one) => one.url.pathname), [], `${at}: a second visit fetches no file again`);
    await close();
}

/* Nothing moves while a view loads. */
const card = (await (await fetch(`${server.url}/recommend?limit=1`)).json()).picks[0].gpu.id;
const VIEWS = [`/?${QUESTION}`, `/?view=chart&${QUESTION}`, '/?view=cards', `/?view=card&id=${card}`, `/?view=compare&gpus=${card},rtx-3090`,
    '/?view=cloud', `/?view=deal&gpu=${card}&price=500`, '/?view=choose', '/?view=prices', '/docs'];
const isThere = (path) => {
    const name = new URL(path, server.url).searchParams.get('view');
    return name === null || readdirSync(FOLDER).includes(`view_${name}.js`);
};
for (const path of VIEWS.filter(isThere)) {
    for (const width of [360, 1280, 1920]) {
        const {page, said, close} = await open('/healthz', {width, language: width === 1280 ? 'zh' : 'en'});
        await page.addInitScript(() => {
            globalThis.shifts = [];
            new PerformanceObserver((list) => {
                for (const {value, hadRecentInput, sources} of list.getEntries()) {
                    if (!hadRecentInput) {
                        const moved = sources.map(({node}) => `${node?.nodeName}.${node?.className ?? ''}#${node?.id ?? ''}`);
                        globalThis.shifts.push({value, moved});
                    }
                }
            }).observe({type: 'layout-shift', buffered: true});
        });
        await page.goto(server.url + path);
        await page.waitForSelector('#foot a', {state: 'attached'});
        await page.waitForLoadState('networkidle');
        await page.evaluate(() => new Promise((resolve) => {
            requestAnimationFrame(() => requestAnimationFrame(resolve));
        }));
        const shifts = await page.evaluate(() => globalThis.shifts);
        ok(await page.locator('#foot').isVisible(), `${path} ${width}: it is whole`);
        is(said.filter((line) => !line.includes('favicon')), [], `${path} ${width}: the console stays empty`);
        const sum = shifts.reduce((total, {value}) => total + value, 0);
        if (!ok(sum < SHIFT_MAX, `${path} ${width}: nothing moves, ${sum.toFixed(4)}`)) {
            console.log(`# ${JSON.stringify(shifts).slice(0, 600)}`);
        }
        await close();
    }
}

await browser.close();
is(await server.stop(), [], 'the server ends without a fault');
done();

// The whole page without a mouse: every stop in order, seen and not a trap, and everything that can be pressed, by keys.
import {done, is, ok} from '../tap.mjs';
import {until} from '../wait.mjs';
import {browser, open, part, server} from './visit.mjs';

const QUESTION = '/?task=qlora&model=llama-3.1-8b&budget=1500';
const CARDS = ['nvidia-geforce-rtx-3090', 'nvidia-geforce-rtx-4090', 'amd-radeon-rx-7900-xtx'];

/** Address and what shows that the view is complete. */
const VIEWS = [
    [QUESTION, '#verdict'],
    ['/?view=cards&q=rtx', 'tbody tr'],
    ['/?view=card&id=nvidia-geforce-rtx-3090', '.facts'],
    [QUESTION.replace('/?', '/?view=chart&'), '[data-point]'],
    ['/?view=compare&gpus=rtx-3090,rtx-4090,mi210', 'main table'],
    ['/?view=cloud', 'tbody tr'],
    ['/?view=deal&gpu=nvidia-geforce-rtx-3090&price=700', '#verdict[data-verdict]'],
    ['/?view=prices', 'h1'],
    ['/docs', 'details'],
    ['/recommend?budget=1000', 'h1'],
];

const focused = (page) => page.evaluate(() => {
    const {id, localName, className, textContent} = document.activeElement;
    return {id, localName, className: String(className?.baseVal ?? className), text: textContent.trim().slice(0, 40)};
});
const press = async (page, ...keys) => {
    for (const key of keys) {
        await page.keyboard.press(key);
    }
};
const MOST_STOPS = 1500; // the table of all cards has three in a row
/** Tab until the focus is on what a selector means; false: it never comes there. */
async function tabTo(page, selector) {
    for (let count = 0; count < MOST_STOPS; count += 1) {
        await page.keyboard.press('Tab');
        if (await page.evaluate((wanted) => document.activeElement.matches(wanted), selector)) {
            return true;
        }
    }
    return false;
}

/** Where the focus is: whether it went back in the document, whether it is seen, and what lies over it. */
const stop = () => {
    const at = document.activeElement;
    if (at === document.body) {
        return null;
    }
    const name = `${at.localName}#${at.id}.${at.getAttribute('class')} ${at.textContent.trim().slice(0, 30)}`;
    const isBefore = window.lastStop?.isConnected && window.lastStop !== at && // a date is several stops
        (window.lastStop.compareDocumentPosition(at) & Node.DOCUMENT_POSITION_PRECEDING) !== 0;
    window.firstStop ??= at;
    window.lastStop = at;
    const box = (at.closest('label') ?? at).getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + Math.min(box.height / 2, innerHeight / 3)];
    const isInside = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
    const over = document.elementFromPoint(x, y);
    const isCovered = over !== null && !at.contains(over) && !over.contains(at) && over.closest('[popover]') === null &&
        over.closest('label') !== at.closest('label');
    return {name, isBefore, fault: !isInside ? 'out of sight' : isCovered ? `under ${over.localName}.${over.className}` : ''};
};

/* Tab through each view and back: in the order of the document, everything in sight, and no trap. */
for (const [path, ready] of VIEWS) {
    for (const language of ['en', 'zh']) {
        await part(`stops ${language} ${path}`, async () => {
            const {page, said, close} = await open(path, {language});
            await page.waitForSelector(ready);
            await page.waitForLoadState('networkidle');
            const stops = [];
            const most = 4 * await page.locator('a[href], button, input, select, textarea, summary, [tabindex]').count();
            let isOut = false;
            while (!isOut && stops.length <= most) {
                await page.keyboard.press('Tab');
                const found = await page.evaluate(stop);
                isOut = found === null;
                if (!isOut) {
                    stops.push(found);
                }
            }
            ok(isOut && stops.length > 0, `${language} ${path}: ${stops.length} stops and out at the end`);
            is(stops.filter(({fault}) => fault !== '').map(({name, fault}) => `${name}: ${fault}`).slice(0, 5), [],
                `${language} ${path}: each stop is in sight`);
            is(stops.filter(({isBefore}) => isBefore).map(({name}) => name).slice(0, 5), [],
                `${language} ${path}: in the order of reading`);
            let back = 0;
            do {
                await page.keyboard.press('Shift+Tab');
                back += 1;
            } while (back <= most && await page.evaluate(() => document.activeElement !== window.firstStop));
            ok(back <= most, `${language} ${path}: and back to the first`);
            is(said, [], `${language} ${path}: the console stays empty`);
            await close();
        });
    }
}

/* The first stop leads past the head. */
for (const language of ['en', 'zh']) {
    await part(`skip ${language}`, async () => {
        const {page, close} = await open(QUESTION, {language});
        await page.waitForSelector('#verdict');
        await page.keyboard.press('Tab');
        const first = page.locator(':focus');
        ok(/#/.test(await first.getAttribute('href')), `${language}: the first stop skips the head`);
        ok(await first.evaluate((link) => {
            const box = link.getBoundingClientRect();
            return box.width > 24 && box.height >= 24 && box.top >= 0 && box.left >= 0;
        }), `${language}: and is seen while it has the focus`);
        ok((language === 'zh') === /\p{Script=Han}/u.test(await first.innerText()), `${language}: in this language`);
        await page.keyboard.press('Enter');
        ok(await page.evaluate(() => document.activeElement.closest('main') !== null), `${language}: it leads to the main part`);
        await page.keyboard.press('Tab');
        ok(await page.evaluate(() => document.activeElement.closest('main') !== null), `${language}: from where Tab goes on`);
        ok(!/view=|recommend/.test(await page.evaluate(() => location.hash)), `${language}: the question stays`);
        await page.waitForSelector('#verdict');
        await close();
    });
}

/* The question: a combobox. */
for (const [language, text] of [['en', 'fine-tune llama 8b'], ['zh', '微调 llama 8b']]) {
    await part(`combobox ${language}`, async () => {
        const {page, said, close} = await open('/', {language});
        await page.waitForSelector('#verdict');
        const field = page.locator('#f-question');
        const state = () => field.evaluate((node) => {
            const active = document.getElementById(node.getAttribute('aria-activedescendant') ?? '');
            const options = [...document.getElementById(node.getAttribute('aria-controls'))?.querySelectorAll('[role=option]') ?? []];
            return {isOpen: node.getAttribute('aria-expanded'), at: options.indexOf(active), count: options.length,
                chosen: options.filter((one) => one.getAttribute('aria-selected') === 'true').length};
        });
        const opened = () => page.waitForSelector('#f-question[aria-expanded=true]');
        is(await field.getAttribute('role'), 'combobox', `${language}: the question is a combobox`);
        ok(await tabTo(page, '#f-question'), `${language}: Tab reaches it`);
        await page.keyboard.type(text);
        await opened();
        await page.waitForFunction(() => document.querySelectorAll('[role=option]').length > 1);
        const {count, at} = await state();
        ok(count >= 3 && at === -1, `${language}: ${count} suggestions, none chosen for the reader`);
        await press(page, 'ArrowDown', 'ArrowDown');
        is([(await state()).at, (await state()).chosen], [1, 1], `${language}: arrows choose`);
        await press(page, 'End');
        is((await state()).at, count - 1, `${language}: End the last`);
        await press(page, 'Home');
        is((await state()).at, 0, `${language}: Home the first`);
        await press(page, 'ArrowUp');
        is((await state()).at, count - 1, `${language}: up from the first to the last`);
        await press(page, 'Escape');
        is([(await state()).isOpen, await field.inputValue()], ['false', text], `${language}: Escape closes and keeps the text`);
        await press(page, 'ArrowDown');
        await opened();
        ok(true, `${language}: an arrow opens again`);
        await press(page, 'Tab');
        is(await field.inputValue(), text, `${language}: leaving the field picks nothing`);
        await press(page, 'Shift+Tab', 'ArrowDown');
        await opened();
        if ((await state()).at < 0) {
            await press(page, 'ArrowDown');
        }
        await press(page, 'Enter');
        await page.waitForURL(/task=.*model=|model=.*task=/);
        await page.waitForSelector('#f-question[aria-expanded=false]');
        is((await focused(page)).id, 'f-question', `${language}: Enter takes it, the focus stays`);
        is(said, [], `${language}: the console stays empty`);
        await close();
    });
}

/* A note of a figure: shown by the focus, closed by Escape, the focus stays where it was. */
for (const language of ['en', 'zh']) {
    await part(`note ${language}`, async () => {
        const {page, said, close} = await open(QUESTION, {language});
        await page.waitForSelector('#verdict');
        ok(await tabTo(page, '.figures .sourced'), `${language}: Tab reaches a figure that has a source`);
        await page.waitForSelector(':popover-open');
        const note = await page.locator(':popover-open').innerText();
        ok(/\d/.test(note) && note.length > 30, `${language}: its note is shown`);
        ok(await page.evaluate(() => {
            const box = document.querySelector(':popover-open').getBoundingClientRect();
            return box.left >= 0 && box.right <= innerWidth && box.top >= 0 && box.bottom <= innerHeight;
        }), `${language}: within the window`);
        await press(page, 'Escape');
        await page.waitForFunction(() => document.querySelector(':popover-open') === null);
        ok(await page.evaluate(() => document.activeElement.matches('.sourced')), `${language}: Escape closes it, the focus stays`);
        await press(page, 'Enter');
        await page.waitForSelector(':popover-open');
        const isThere = await page.evaluate(() => {
            document.querySelector(':popover-open').hidePopover();
            document.activeElement.click(); // before the browser tells that the note was closed
            return new Promise((resolve) => {
                requestAnimationFrame(() => requestAnimationFrame(() => resolve(document.querySelector(':popover-open') !== null)));
            });
        });
        ok(isThere, `${language}: Enter opens it again, however soon`);
        await press(page, 'Tab');
        ok(await page.evaluate(() => document.activeElement !== document.body), `${language}: and Tab goes on`);
        is(said, [], `${language}: the console stays empty`);
        await close();
    });
}

/* A change: Enter applies it, the verdict has the focus and is said, its place holds the way back. */
for (const language of ['en', 'zh']) {
    await part(`change ${language}`, async () => {
        const {page, said, close} = await open(QUESTION, {language});
        await page.waitForSelector('#verdict');
        const address = page.url();
        ok(await tabTo(page, 'button.change'), `${language}: Tab reaches a change`);
        await press(page, 'Enter');
        await page.waitForSelector('.change.undo');
        await page.waitForFunction(() => document.activeElement.id === 'verdict');
        const verdict = await page.locator('#verdict').innerText();
        const isSaid = await until(async () => (await page.locator('[aria-live]').allInnerTexts()).join(' ').includes(verdict));
        ok(isSaid, `${language}: the new verdict has the focus and is said`);
        ok(await tabTo(page, '.change.undo'), `${language}: Tab reaches the way back`);
        await press(page, 'Enter');
        await page.waitForURL(address);
        await page.waitForSelector('.change.undo', {state: 'detached'});
        await page.waitForFunction(() => document.activeElement.id === 'verdict');
        ok(true, `${language}: Enter goes it`);
        is(said, [], `${language}: the console stays empty`);
        await close();
    });
}

/* A table: Enter on a head sorts it, the focus stays on that head. */
for (const language of ['en', 'zh']) {
    await part(`sort ${language}`, async () => {
        const {page, said, close} = await open('/?view=cards', {language});
        await page.waitForSelector('tbody tr');
        const firstRow = () => page.locator('tbody tr').first().innerText();
        ok(await tabTo(page, 'th .sort'), `${language}: Tab reaches a head that sorts`);
        const seen = new Set();
        for (const turn of [1, 2]) {
            const before = await firstRow();
            await press(page, 'Enter');
            await page.waitForFunction((old) => document.querySelector('tbody tr')?.innerText !== old, before);
            const head = await page.evaluate(() => document.activeElement.closest('th')?.getAttribute('aria-sort'));
            ok(['ascending', 'descending'].includes(head), `${language}: turn ${turn}, the focus stays on the head, which says ${head}`);
            seen.add(head);
        }
        is(seen.size, 2, `${language}: the second turn is the other way round`);
        is(said, [], `${language}: the console stays empty`);
        await close();
    });
}

/* Cards into the tray by Space, to the comparison by Enter, and out again. */
for (const language of ['en', 'zh']) {
    await part(`tray ${language}`, async () => {
        const {page, said, close} = await open('/?view=cards', {language});
        await page.waitForSelector('tbody tr');
        await page.waitForLoadState('networkidle'); // all rows are there
        for (const id of CARDS) {
            await page.locator(`[data-compare="${id}"]`).first().focus();
            await press(page, 'Space');
        }
        const inAddress = () => page.evaluate(() => new URLSearchParams(location.search).get('compare'));
        await until(async () => (await inAddress()) === CARDS.join(','), {milliseconds: 10000});
        is(await inAddress(), CARDS.join(','), `${language}: Space takes cards, the address holds them`);
        ok(await tabTo(page, '.tray a[href*="view=compare"], .tray a.main-button'), `${language}: Tab reaches the comparison`);
        await press(page, 'Enter');
        await page.waitForURL(/view=compare/);
        await page.waitForFunction((count) => document.querySelectorAll('main table thead th').length >= count, CARDS.length);
        ok(await until(() => page.evaluate(() => document.activeElement.closest('main') !== null)),
            `${language}: the focus goes to the new view`);
        await page.goBack();
        await page.waitForSelector('.tray');
        await page.waitForSelector('tbody tr[data-gpu]');
        await page.waitForLoadState('networkidle');
        ok(await tabTo(page, '.tray li button'), `${language}: back, Tab reaches a card in the tray`);
        await press(page, 'Enter');
        await page.waitForFunction((count) => document.querySelectorAll('.tray li').length === count, CARDS.length - 1);
        ok(await page.evaluate(() => document.activeElement.closest('.tray') !== null), `${language}: Enter takes it out, the focus stays there`);
        is(said, [], `${language}: the console stays empty`);
        await close();
    });
}

/* The points of the chart: arrows go from one to the next, the line below says which. */
for (const language of ['en', 'zh']) {
    await part(`chart ${language}`, async () => {
        const {page, said, close} = await open(QUESTION.replace('/?', '/?view=chart&'), {language});
        await page.waitForSelector('[data-point]');
        ok(await tabTo(page, '[data-point]'), `${language}: Tab reaches the points, which are one stop`);
        const at = () => page.evaluate(() => {
            const box = document.activeElement.querySelector('circle').getBoundingClientRect();
            return {id: document.activeElement.dataset.point, x: box.left + box.width / 2, text: document.querySelector('main').innerText};
        });
        await press(page, 'Home');
        const places = [await at()];
        for (let turn = 0; turn < 4; turn += 1) {
            await press(page, 'ArrowRight');
            places.push(await at());
        }
        is(new Set(places.map(({id}) => id)).size, places.length, `${language}: each arrow leads to another card`);
        ok(places.every(({x}, index) => index === 0 || x >= places[index - 1].x - 0.5), `${language}: from left to right`);
        ok(places.every(({text}, index) => index === 0 || text !== places[index - 1].text), `${language}: the words below follow`);
        await press(page, 'ArrowLeft');
        is((await at()).id, places.at(-2).id, `${language}: and back`);
        await press(page, 'End');
        ok((await at()).x >= places.at(-1).x - 0.5, `${language}: End is the last`);
        is(await page.evaluate(() => document.querySelectorAll('[data-point][tabindex="0"]').length >= 1), true, `${language}: one is the stop`);
        is(said, [], `${language}: the console stays empty`);
        await close();
    });
}

/* The switches of the head. */
await part('switches', async () => {
    const {page, said, close} = await open(QUESTION);
    await page.waitForSelector('#verdict');
    ok(await tabTo(page, '#theme'), 'Tab reaches the theme');
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const before = await ground();
    await press(page, 'Enter');
    ok((await ground()) !== before, 'Enter changes it');
    is((await focused(page)).id, 'theme', 'the focus stays');
    await page.locator('#language').focus();
    await press(page, 'Space');
    await page.waitForFunction(() => document.documentElement.lang === 'zh-CN');
    await page.waitForFunction(() => document.querySelector('#verdict')?.innerText.includes('买'));
    is((await focused(page)).id, 'language', 'and on the language');
    is(said, [], 'the console stays empty');
    await close();
});

await browser.close();
is(await server.stop(), [], 'the server ends without a fault');
done();

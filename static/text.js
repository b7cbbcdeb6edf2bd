// Which language the page speaks. The words of answers come from the server in the same language.

const TEXT = {en: {}, zh: {}};
const EVERY_VIEW = ''; // the part whose words are always there

const parts = new Set([EVERY_VIEW]); // whose words the page has use for so far
const loading = new Map(); // the promise of each file

let current = globalThis.document?.documentElement.lang?.startsWith('zh') ? 'zh' : 'en'; // early.js has found out

/** The language of the page: en or zh. */
export function language() {
    return current;
}

function load(part, name) {
    const file = `./${['text', part, name].filter(Boolean).join('_')}.js`;
    if (!loading.has(file)) {
        loading.set(file, import(file).then(({ENGLISH, CHINESE}) => Object.assign(TEXT[name], ENGLISH ?? CHINESE)));
        loading.get(file).catch(() => loading.delete(file));
    }
    return loading.get(file);
}

/** Ends when all words are there that modules have asked for so far, in the language of the page or in another. */
export function textsReady(name = current) {
    return Promise.all([...parts].map((part) => load(part, name)));
}

/** A module that is loaded on demand, when its words are there too. */
export async function worded(importing) {
    const module = await importing;
    await textsReady();
    return module;
}

/** Speaks a language from now on; its words are there: textsReady(name) has ended. */
export function setLanguage(name) {
    current = name === 'zh' ? 'zh' : 'en';
    document.documentElement.lang = current === 'zh' ? 'zh-CN' : 'en';
}

/** Asks for the words of text_PART_en.js or text_PART_zh.js; who loads the module waits for them by textsReady(). */
export function addTexts(part) {
    parts.add(part);
    load(part, current).catch(() => {}); // told to who waits
}

/** The text at a dotted path; called with arguments where it is a sentence with gaps. */
export function t(path, ...values) {
    const found = path.split('.').reduce((node, step) => node?.[step], TEXT[current]);
    if (found === undefined) {
        throw new Error(`no text for ${path}`);
    }
    return typeof found === 'function' ? found(...values) : found;
}

/** The word for a code of the server in the table at a dotted path, or the code itself where the page has no word for it. */
export function word(table, code) {
    const words = table.split('.').reduce((node, step) => node?.[step], TEXT[current]);
    return Object.hasOwn(words ?? {}, code) ? words[code] : code;
}

// Which language the page speaks. The words of answers come from the server in the same language.
import {ENGLISH} from './text_en.js';
import {CHINESE} from './text_zh.js';

const TEXT = {en: ENGLISH, zh: CHINESE};

let current = 'en';

export function language() {
    return current;
}

export function setLanguage(name) {
    current = name === 'zh' ? 'zh' : 'en';
    document.documentElement.lang = current === 'zh' ? 'zh-CN' : 'en';
}

/** Adds the words of a view that is loaded when it is asked for. */
export function addTexts(english, chinese) {
    Object.assign(ENGLISH, english);
    Object.assign(CHINESE, chinese);
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
    return words?.[code] ?? code;
}

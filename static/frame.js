// What every page has around its content: the language and theme switches, and the foot.
import {h, show} from './dom.js';
import {language, setLanguage, t} from './text.js';

function isDark() {
    const chosen = document.documentElement.dataset.theme;
    return chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
}

/** Writes the words of the frame in the language of the page. */
export function showFrame() {
    const switcher = document.querySelector('#language');
    switcher.textContent = t('other_language');
    switcher.lang = language() === 'zh' ? 'en' : 'zh-CN';
    document.querySelector('#theme').textContent = isDark() ? t('theme_light') : t('theme_dark');
    show(
        document.querySelector('#foot'),
        h('span', {}, t('foot')),
        h('a', {href: '/?view=prices'}, t('views.prices')),
    );
}

/** Takes the language of the address, of the last visit or of the browser, and makes the switches work. */
export function openFrame(asked, onlanguage) {
    setLanguage(
        asked ??
            localStorage.getItem('lang') ??
            (navigator.language.startsWith('zh') ? 'zh' : 'en'),
    );
    document.querySelector('#language').addEventListener('click', () => {
        setLanguage(language() === 'zh' ? 'en' : 'zh');
        localStorage.setItem('lang', language());
        onlanguage();
    });
    document.querySelector('#theme').addEventListener('click', () => {
        document.documentElement.dataset.theme = isDark() ? 'light' : 'dark';
        localStorage.setItem('theme', document.documentElement.dataset.theme);
        showFrame();
    });
}

// What every page has around its content: the way from view to view, the language and theme switches, and the foot.
import {queryOf, ROWS_MAX} from './api.js';
import {h, show} from './dom.js';
import {questionOf} from './question.js';
import {language, setLanguage, t, textsReady} from './text.js';

const IN_HEAD = ['ask', 'chart', 'cards', 'compare', 'cloud', 'deal'];

function isDark() {
    const chosen = document.documentElement.dataset.theme;
    return chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
}

/** What stays in the address when the reader goes to another view: the question, the chosen cards and the language. */
export function travelling({compare, lang, ...query}) {
    return {...questionOf(query), compare, lang};
}

function addressOf(view, query) {
    const text = queryOf({view: view === 'ask' ? '' : view, ...travelling(query)});
    return text ? `/?${text}` : '/';
}

/** Shows links anew; the one that has the focus keeps it. */
function renew(place, ...links) {
    const focused = [...place.children].indexOf(document.activeElement);
    show(place, ...links);
    place.children[focused]?.focus({preventScroll: true});
}

/** The links of head and foot take the question of the address with them; name is the view that is shown. */
export function showLinks(name, query) {
    const current = name === 'card' ? 'cards' : name;
    const link = (view) => {
        const isCurrent = view === current ? 'page' : null;
        return h('a', {href: addressOf(view, query), 'aria-current': isCurrent}, t(`views.${view}`));
    };
    renew(document.querySelector('#views'), IN_HEAD.map(link));
    const csv = `/gpus?${queryOf({format: 'csv', lang: language() === 'zh' ? 'zh' : '', limit: ROWS_MAX})}`;
    const ways = [
        link('choose'),
        h('a', {href: csv, download: 'gpuwise-cards.csv'}, t('all_csv')),
        h('a', {href: '/docs'}, t('api')),
        link('prices'),
    ];
    renew(document.querySelector('#foot'), ways, h('span', {}, t('foot')));
}

/** Writes the words of the switches in the language of the page. */
export function showFrame() {
    const switcher = document.querySelector('#language');
    switcher.textContent = t('other_language');
    switcher.lang = language() === 'zh' ? 'en' : 'zh-CN';
    const theme = document.querySelector('#theme');
    theme.title = isDark() ? t('theme_light') : t('theme_dark');
    theme.setAttribute('aria-label', theme.title);
    document.querySelector('#views').setAttribute('aria-label', t('ways'));
    document.querySelector('#skip').textContent = t('skip');
}

/** Makes the switches work. attempt(work) does the work, here loading the words, or says why not and does it later. */
export function openFrame(onlanguage, attempt = (work) => work()) {
    document.querySelector('#language').addEventListener('click', async () => {
        const next = language() === 'zh' ? 'en' : 'zh';
        let isThere = false;
        await attempt(async () => {
            await textsReady(next);
            isThere = true;
        });
        if (isThere && language() !== next) {
            setLanguage(next);
            localStorage.setItem('lang', next);
            onlanguage();
        }
    });
    document.querySelector('#theme').addEventListener('click', () => {
        document.documentElement.dataset.theme = isDark() ? 'light' : 'dark';
        localStorage.setItem('theme', document.documentElement.dataset.theme);
        showFrame();
    });
}

// The texts of the program and of the page: every one used, complete in both languages, called with what it names.
import {readdirSync, readFileSync} from 'node:fs';

import {LATIN_TERMS, NOT_CHINESE, OF_WORDS} from '../latin_terms.mjs';
import {done, is, ok} from '../tap.mjs';

const root = new URL('../../', import.meta.url);
const read = (path) => readFileSync(new URL(path, root), 'utf8');
const list = (folder, ending) =>
    readdirSync(new URL(folder, root))
        .filter((name) => name.endsWith(ending))
        .map((name) => `${folder}/${name}`);

/** The bytes between an opening bracket at `from` and its own closing one; strings are skipped. */
function inside(text, from) {
    let depth = 0;
    for (let i = from; i < text.length; i += 1) {
        if (text[i] === '"') {
            for (i += 1; text[i] !== '"'; i += 1) {
                i += text[i] === '\\' ? 1 : 0;
            }
        } else if ('([{'.includes(text[i])) {
            depth += 1;
        } else if (')]}'.includes(text[i])) {
            depth -= 1;
            if (depth === 0) {
                return text.slice(from + 1, i);
            }
        }
    }
    throw new Error(`no end of ${text.slice(from, from + 60)}`);
}

/** The parts of an argument list between its own commas. */
function partsOf(text) {
    const parts = [''];
    for (let i = 0, depth = 0, isString = false; i < text.length; i += 1) {
        if (text[i] === '"' && text[i - 1] !== '\\') {
            isString = !isString;
        }
        depth += isString ? 0 : Number('([{'.includes(text[i])) - Number(')]}'.includes(text[i]));
        if (text[i] === ',' && depth === 0 && !isString) {
            parts.push('');
        } else {
            parts[parts.length - 1] += text[i];
        }
    }
    return parts.map((part) => part.trim());
}

const hasHan = (text) => /\p{Script=Han}/u.test(text);
const idsIn = (text, kind) => text.match(new RegExp(`\\b${kind}_[A-Z0-9_]+\\b`, 'g')) ?? [];

/* The program's texts. A wording is handed over by SAY(id, arguments...) or by a function that takes the id and makes
 * the arguments itself; anything else is a text without arguments. This stands in for gcc's format attribute. */
const MAKERS = {params_in_complain_choice: 1, params_in_complain_count: 1, complain_of_most: 1, fail_at: 3, fact_fault_by: 1,
    refuse_by_number: 1};

const table = read('handlers/engine/text_table.c');
const gaps = {};
for (const match of table.matchAll(/\[(TEXT_[A-Z0-9_]+)\] = /g)) {
    const english = partsOf(inside(table, match.index + match[0].length))[0];
    gaps[match[1]] = new Set(english.match(/\{\d\}/g) ?? []).size;
}

/** Every use of a text in a source, as [id, how many arguments it is given]. */
function usesIn(source) {
    const uses = [];
    let rest = source.replace(/\/\*[^]*?\*\/|[!=]= TEXT_\w+/g, '');
    for (const [name, count] of [['SAY', null], ...Object.entries(MAKERS)]) {
        const call = new RegExp(`\\b${name}\\(`, 'g');
        const ranges = [...rest.matchAll(call)].map((match) => match.index + match[0].length - 1);
        for (const from of ranges.reverse()) {
            const whole = inside(rest, from);
            const parts = partsOf(whole);
            const ids = idsIn(count === null ? parts[0] : whole, 'TEXT');
            uses.push(...ids.map((id) => [id, count ?? parts.length - 1]));
            if (ids.length > 0) {
                rest = rest.slice(0, from) + rest.slice(from + whole.length + 2);
            }
        }
    }
    return [...uses, ...idsIn(rest, 'TEXT').map((id) => [id, 0])];
}

is(usesIn('f(SAY(is_x ? TEXT_A : TEXT_B, g(a, b), "c, d")); return TEXT_C;'),
    [['TEXT_A', 2], ['TEXT_B', 2], ['TEXT_C', 0]], 'uses are read off a source');

const sources = ['handlers', 'handlers/engine', 'server', 'db'].flatMap((folder) => list(folder, '.c'))
    .concat('server/http_checks.h').filter((path) => path !== 'handlers/engine/text_table.c');
const used = new Map();
const wrong = [];
for (const path of sources) {
    for (const [id, count] of usesIn(read(path))) {
        if (id !== 'TEXT_COUNT' && id in gaps) {
            used.set(id, path);
            if (gaps[id] !== count) {
                wrong.push(`${path}: ${id} names ${gaps[id]} arguments, it is given ${count}`);
            }
        }
    }
}
ok(Object.keys(gaps).length > 100, `${Object.keys(gaps).length} texts`);
is(wrong, [], 'every text is given the arguments it names');
const inBodies = read('tests/handlers/test_problem.c'); // holds bodies that are written out equal to the table
is(Object.keys(gaps).filter((id) => !used.has(id) && !inBodies.includes(id)), [], 'no text of the program is unused');

const messages = [...read('handlers/engine/message_table.c').matchAll(/\[(MESSAGE_[A-Z0-9_]+)\] =/g)]
    .map((match) => match[1]);
const engine = sources.filter((path) => !path.endsWith('message_table.c')).map(read).join('\n');
ok(messages.length > 70, `${messages.length} codes`);
is(messages.filter((code) => !new RegExp(`\\b${code}\\b`).test(engine)), [], 'no code of an answer is unused');

/* No sentence of the program in a handler or in the transport: whoever answers takes it from the table. */
const SENTENCE = /"[^"]*[a-z] [^"]*"/;
const sentences = ['handlers', 'server'].flatMap((folder) => list(folder, '.c')).flatMap((path) =>
    [...read(path).matchAll(/(?:complaints_add|problem_reply\w*|params_in_complain\w*|http_checks_refuse|mhd_reply_refuse)\(/g)]
        .filter((match) => SENTENCE.test(inside(read(path), match.index + match[0].length - 1)))
        .map((match) => `${path}: ${match[0]}`));
is(sentences, [], 'nobody complains in words of their own');

const TABLES = ['handlers/engine/text_table.c', 'handlers/engine/message_table.c', 'handlers/engine/message.c', // units
    'handlers/problem.c', // its bodies without memory
    'handlers/report_words.c', // words of answers that are laid out for people
    'handlers/engine/names_split.c', 'handlers/engine/names_told.c']; // words that people write beside a name
is(['handlers', 'handlers/engine', 'server', 'db'].flatMap((folder) => [...list(folder, '.c'), ...list(folder, '.h')])
    .filter((path) => hasHan(read(path).replace(/\/\*[^]*?\*\//g, '')) && !TABLES.includes(path)), [],
'no Chinese stands outside the tables');

/* The page's texts. */
const load = (path) => import(`data:text/javascript,${encodeURIComponent(read(path))}`);
const together = async (ending) => // with those of views that bring their own
    Object.assign({}, ...(await Promise.all(list('static', ending).map(load))).flatMap(Object.values));
const ENGLISH = await together('_en.js');
const CHINESE = await together('_zh.js');

/** Every leaf of a table by its dotted path. */
const leaves = (node, at = '') =>
    Object.entries(node).flatMap(([name, value]) =>
        typeof value === 'object' ? leaves(value, `${at}${name}.`) : [[at + name, value]]);
const chinese = new Map(leaves(CHINESE));
const english = new Map(leaves(ENGLISH));
is([...chinese.keys()].sort(), [...english.keys()].sort(), 'both languages of the page have the same texts');

/** What a text says with arguments that can be told apart. */
const said = (value) =>
    typeof value === 'function' ? value(...['7001', '7002', '7003', '7004'].slice(0, value.length)) : value;
const named = (value) => [...new Set(said(value).match(/700\d/g) ?? [])].sort().join(' ');
const pairs = [...english].filter(([path]) => chinese.has(path))
    .map(([path, value]) => [path, value, chinese.get(path)]);
is(pairs.filter(([, en, zh]) => en.length * (typeof en === 'function') !== zh.length * (typeof zh === 'function') ||
    named(en) !== named(zh)).map(([path]) => path), [], 'with the same gaps');
is(pairs.filter(([path, en, zh]) => !/(^|\.)blank$/.test(path) && (said(en).trim() === '' || said(zh).trim() === '')), [],
    'none is empty');

const strange = (text) => (text.match(/[A-Za-z][A-Za-z0-9]*/g) ?? []).filter((word) => !LATIN_TERMS.has(word));
const HALF_MARK = /[,;:!?"'()](?=$|\s|\p{Script=Han})|(?<=^|\s|\p{Script=Han})[,;:!?"'()]/u;
const UNSPACED = /\p{Script=Han}[A-Za-z0-9]|[A-Za-z0-9]\p{Script=Han}| [，。；：（）、]|[，。；：（）、] /u;
const faultsOf = (text) => [
    strange(text).length > 0 && `says ${strange(text)}`,
    HALF_MARK.test(text) && 'has a half-width mark',
    UNSPACED.test(text) && 'lacks or has a blank too many',
    text.includes('您') && 'says 您',
].filter(Boolean);
const faults = pairs.filter(([path]) => !path.startsWith('currencies.') && !OF_WORDS.has(path))
    .flatMap(([path, , zh]) =>
        [...faultsOf(said(zh)), !hasHan(said(zh)) && !NOT_CHINESE.test(path) && 'holds no Chinese'].filter(Boolean)
            .map((fault) => `${path} ${fault}: ${said(zh)}`));
is(faults, [], 'the Chinese of the page is Chinese');
is(pairs.filter(([path, en]) => path !== 'other_language' && hasHan(said(en))), [], 'and its English English');

/* The words of answers that are laid out, and of all tables together: what is the same in English is so in Chinese. */
const rowsOf = (path, row) => [...read(path).matchAll(row)].map(([, id, en, zh]) => [id, en, zh]);
const laidOut = rowsOf('handlers/report_words.c', /\{"([^"]*)",\s*\{"([^"]*)",\s*"([^"]*)"\}\}/g);
const answered = rowsOf('handlers/engine/text_table.c', /\[(TEXT_\w+)\] =\s*\{\s*"([^"]*)",\s*"([^"]*)"\}/g);
ok(laidOut.length > 200, `${laidOut.length} words of laid-out answers`);
const MARKS = ['gap', 'comma', 'list', 'other_language'];
is(laidOut.filter(([id, en, zh]) => en !== zh && !MARKS.includes(id) && faultsOf(zh).length > 0)
    .map(([id, , zh]) => `${id} ${faultsOf(zh)}: ${zh}`), [], 'are as Chinese as those of the page');
const users = [...sources.filter((path) => path !== 'handlers/report_words.c'), 'migrations/gpus.csv',
    'migrations/models.csv'].map(read).join('\n');
is(laidOut.map(([id]) => id.replace(/^verdict-/, '')).filter((id) =>
    !users.includes(`"${id}"`) && !new RegExp(`\\b${id}\\b`).test(users)), [], 'none of them is unused');
const APART = [' ', ', ', 'cards', 'none', 'no limit', 'value', 'note', 'status', 'parameters']; // two meanings in English
const meanings = new Map();
for (const [, en, zh] of [...laidOut, ...answered, ...pairs.filter(([, one]) => typeof one === 'string')]) {
    const key = en.toLowerCase().replace(/, (gib|gb\/s|w|mm|usd|tflops|tops)$/, '');
    meanings.set(key, (meanings.get(key) ?? new Set()).add(zh.replace(/（(GiB|GB\/s|W|毫米|美元|TFLOPS|TOPS)）$/, '')));
}
is([...meanings].filter(([en, zh]) => zh.size > 1 && !APART.includes(en)).map(([en, zh]) => [en, ...zh]), [],
    'one word of English is one word of Chinese in every table');

/* Who uses them: a text by its whole path, t('a.b'), or, where it stands in no table, in the first argument of one that
 * takes a path; a table by word('a', code); one of its texts by t(`a.${name}`), when a script with this call or the
 * contract has such a name. A name alone is no use of a text: 'own' is a parameter as well. */
const scripts = list('static', '.js').filter((path) => !path.includes('text_')).map((path) => [path, read(path)]);
const codes = new Set([...read('static/openapi.json').matchAll(/"enum": \[([^\]]*)\]/g)]
    .flatMap(([, names]) => names.match(/[\w.-]+/g) ?? []));
const LABELED = String.raw`\bt\([^(),]*|\bfilterSelect\([^()]*, `; // its label is the text of the parameter's own name
const isNamedIn = (text, name) => codes.has(name) || new RegExp(`'${name}'|\\b${name}[:,}]| ${name} }`).test(text);
const isUsed = (path) => {
    const steps = path.split('.');
    if (steps.length === 1) {
        return scripts.some(([, text]) => new RegExp(`(?:${LABELED})'${path}'`).test(text));
    }
    const tables = steps.slice(1).map((_, index) => steps.slice(0, index + 1).join('.'));
    return scripts.some(([, text]) => [path, ...tables].some((one) => text.includes(`'${one}'`)) ||
        [...text.matchAll(/`([a-z_.]+\.[a-z_]*)\$\{/g)].some(([, begin]) =>
            path.startsWith(begin) && isNamedIn(text, path.slice(begin.length).split('.')[0])));
};
is([...english.keys()].filter((path) => !isUsed(path)), [], 'no text of the page is unused');

const classes = new Set(list('static', '.css').map(read).join('\n').match(/\.[a-z][a-z-]*/g));
const isClass = (literal) => literal.split(' ').every((word) => classes.has(`.${word}`));

/* Words in the scripts themselves: a literal that is a sentence, or a word with a capital, is shown to somebody. */
const NO_WORDS = [/^(NVIDIA|AMD|Intel|CUDA( 13)?|ROCm|USD|CNY|EUR|GiB|TFLOPS|GB\/s|W|UTC|Google Colab)$/, // names and units
    /^(Linux|Windows|WSL|PyTorch|TensorFlow|JAX|DirectML|FlashAttention [23]|NVLink|BF16|FP8)$/,
    /^(Accept|Accept-Language|Content-Type|Retry-After|Bearer |GET|POST|DELETE)$/, // of HTTP
    /^(Enter|Escape|NFKC|Arrow(Right|Left|Up|Down)?|Home|End|SELECT|DETAILS)$/, // a key, a form of Unicode, a tag
    /^[a-z]+(-[a-z]+)+( [a-z]+(-[a-z]+)+)*$/, // ids
    /^(no text for |HTTP )/]; // faults of ours, never shown
const TYPED = 'static/ask_vocabulary.js'; // what people may type in either language: it is read, never shown
const OF_CODE = /\/\/.*|\/\*[^]*?\*\/|class: (?:'[^']*'|`[^`]*`)|querySelector(All)?\('[^']*'\)/g; // remarks, classes, selectors
const shown = scripts.filter(([path]) => path !== TYPED).flatMap(([path, text]) =>
    [...text.replace(OF_CODE, '').matchAll(/(?:'([^'\n]*)'|`([^`]*)`)/g)]
        .map(([, plain, template]) => plain ?? template.replace(/\$\{[^}]*\}/g, ''))
        .filter((literal) => /^[A-Z][A-Za-z]+/.test(literal) || /[A-Za-z]{2,} [A-Za-z]{2,}/.test(literal))
        .filter((literal) => !isClass(literal))
        .filter((literal) => !NO_WORDS.some((pattern) => pattern.test(literal)))
        .map((literal) => `${path}: ${literal}`));
is(shown, [], 'no script says anything in words of its own');
for (const [path, wanted] of [['index', 'gpuwise gpuwise'], ['docs', 'gpuwise · API gpuwise']]) {
    const html = read(`static/${path}.html`);
    const words = html.replace(/<noscript>[^]*<\/noscript>/, '').replace(/<[^>]*>/g, ' ').trim().split(/\s+/);
    is(words.join(' '), wanted, `${path}.html itself says only its name`);
    ok(/<noscript>[^]*lang="zh-(CN|Hans)"[^]*\p{Script=Han}/u.test(html), 'without JavaScript it speaks both languages');
}
done();

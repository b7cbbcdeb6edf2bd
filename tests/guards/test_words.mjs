// Every text that a module of the page asks for by name is there once the module is loaded: in a file of words that it, or
// what it imports, brings along, in both languages.
import {readdirSync, readFileSync} from 'node:fs';

import {done, is, ok} from '../tap.mjs';

const FOLDER = new URL('../../static/', import.meta.url);
const IMPORT = /^(?:import|export)\b[^;]*?'\.\/(\w+\.js)';/gm;
const DYNAMIC = /\bimport\('\.\/(\w+\.js)'\)/g;
const ASKED = /\b(t|word)\(\s*'([^']+)'/g;
const CHOSEN = /\bt\([^()'`]*\?\s*'([^']+)'\s*:\s*'([^']+)'/g;
const PREFIX = /\b(?:t|word)\(\s*`([\w.]+)\.\$\{/g;

const files = readdirSync(FOLDER).filter((name) => name.endsWith('.js'));
const source = new Map(files.map((name) => [name, readFileSync(new URL(name, FOLDER), 'utf8')]));

/** All that is there when a module runs. */
function closure(name, found = new Set()) {
    if (!found.has(name)) {
        found.add(name);
        for (const [, next] of source.get(name).matchAll(IMPORT)) {
            closure(next, found);
        }
    }
    return found;
}

async function wordsOf(names) {
    const all = {};
    for (const name of names) {
        const module = await import(`data:text/javascript,${encodeURIComponent(source.get(name))}`);
        Object.assign(all, Object.values(module)[0]);
    }
    return all;
}

/** Paths of texts that a module names: whole ones, and those whose last step is a code. */
function askedBy(name) {
    const text = source.get(name);
    return [
        ...[...text.matchAll(ASKED)].map(([, , path]) => path),
        ...[...text.matchAll(CHOSEN)].flatMap(([, one, other]) => [one, other]),
        ...[...text.matchAll(PREFIX)].map(([, path]) => path),
    ];
}

/* What is loaded by itself: the page, the description of the API, and all that is loaded when it is asked for. */
const entries = new Set(['app.js', 'docs.js']);
for (const text of source.values()) {
    for (const [, name] of text.matchAll(DYNAMIC)) {
        entries.add(name);
    }
}

let count = 0;
const first = [...closure('app.js')];
for (const entry of [...entries].filter((name) => source.has(name)).sort()) {
    /* The words of the first load are there for all views; those of the API's page are its own. */
    const modules = [...closure(entry)];
    const loaded = [...new Set(entry === 'docs.js' ? modules : [...first, ...modules])];
    for (const language of ['en', 'zh']) {
        const parts = loaded.flatMap((name) => [...source.get(name).matchAll(/\baddTexts\('(\w+)'\)/g)].map(([, part]) => `${part}_`));
        const words = await wordsOf(['', ...new Set(parts)].map((part) => `text_${part}${language}.js`));
        const lost = modules.filter((one) => !one.startsWith('text')).flatMap((name) => {
            const paths = askedBy(name);
            count += paths.length;
            return paths.filter((path) => path.split('.').reduce((node, step) => node?.[step], words) === undefined)
                .map((path) => `${name}: ${path}`);
        });
        is([...new Set(lost)], [], `${language}: ${entry} and what it imports have their words`);
    }
}
ok(count > 500, `${count} texts are asked for by name`);
done();

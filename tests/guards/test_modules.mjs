// The modules of the page: each is reached from a page, says what it is for, and exports only what another takes.
import {readdirSync, readFileSync} from 'node:fs';

import {done, is, ok} from '../tap.mjs';

const root = new URL('../../', import.meta.url);
const read = (path) => readFileSync(new URL(path, root), 'utf8');
const names = (folder, end) => readdirSync(new URL(folder, root)).filter((name) => name.endsWith(end));

const VENDORED = ['d3_ticks.js'];
const LINES_MAX = 500;
const COLUMNS_MAX = 140;

const sources = new Map(names('static/', '.js').map((name) => [name, read(`static/${name}`)]));
const tests = ['tests/browser/', 'tests/guards/']
    .flatMap((folder) => [...names(folder, '.mjs'), ...names(folder, '.js')].map((name) => read(folder + name)));

/** What a text imports by name, as [module, names]. */
function importsOf(text) {
    const quoted = [...text.matchAll(/(?:import|export)\s+\{([^}]*)\}\s+from\s+'[^']*?(\w+\.js)'/g)]
        .map(([, list, module]) => [module, list.split(',').map((name) => name.trim().split(' as ')[0])]);
    return quoted;
}

/** The modules a text loads, at once or when they are needed. */
function loadsOf(text) {
    const modules = [...text.matchAll(/(?:from |import |import\()'\.\/(\w+\.js)'/g)].map(([, module]) => module);
    const words = [...text.matchAll(/^addTexts\('(\w+)'\)/gm)].flatMap(([, part]) => [`text_${part}_en.js`, `text_${part}_zh.js`]);
    return [...modules, ...words];
}

const pages = ['index.html', 'docs.html'].map((name) => read(`static/${name}`));
const reached = new Set(['text_en.js', 'text_zh.js']); // the words that are always there
pages.forEach((text) => [...text.matchAll(/<script[^>]* src="(?:\w+\/)*(\w+\.js)"/g)].forEach(([, name]) => reached.add(name)));
for (const name of reached) { // grows on the way
    loadsOf(sources.get(name)).forEach((module) => reached.add(module));
}
is([...sources.keys()].filter((name) => !reached.has(name)), [], 'every module is reached from a page');

const taken = new Map([...sources.keys()].map((name) => [name, new Set()]));
for (const text of [...sources.values(), ...tests]) {
    importsOf(text).forEach(([module, list]) => list.forEach((name) => taken.get(module)?.add(name)));
}
const exportsOf = (text) => [...text.matchAll(/^export (?:async )?(?:function|class|const|let) (\w+)/gm)].map(([, member]) => member);
const missing = [...sources].flatMap(([name, text]) => importsOf(text).flatMap(([module, list]) =>
    list.filter((member) => member !== '' && !exportsOf(sources.get(module)).includes(member)).map((member) => `${name}: ${member} of ${module}`)));
is(missing, [], 'what a module takes is there');
for (const [name, text] of sources) {
    const others = [...sources].filter(([other]) => other !== name).map(([, other]) => other).concat(tests);
    const isTaken = (member) => taken.get(name).has(member)
        || others.some((other) => other.includes(name) && new RegExp(`\\b${member}\\b`).test(other)) // taken from import()
        || (name.startsWith('text_') && ['ENGLISH', 'CHINESE'].includes(member)) // by addTexts()
        || (name.startsWith('view_') && ['open', 'styled'].includes(member)); // by the router
    const members = exportsOf(text);
    if (!VENDORED.includes(name)) {
        is(members.filter((member) => !isTaken(member)), [], `${name}: what it exports is taken`);
        ok(/^(\/\/ |\/\*)/.test(text), `${name}: it says what it is for`);
        const lines = text.split('\n');
        is(lines.filter((line) => line.length > COLUMNS_MAX), [], `${name}: no line is too long`);
        ok(lines.length <= LINES_MAX, `${name}: it is not too long`);
    }
    if (name.startsWith('view_')) {
        ok(members.includes('open'), `${name}: a view opens`);
    }
}
done();

// The styles of the page: whole, what is for paper in one place of a sheet, and nothing for what no page has.
import {readdirSync, readFileSync} from 'node:fs';

import {done, is, ok} from '../tap.mjs';

const root = new URL('../../', import.meta.url);
const read = (path) => readFileSync(new URL(path, root), 'utf8');
const list = (ending) => readdirSync(new URL('static', root)).filter((name) => name.endsWith(ending)).map((name) => `static/${name}`);

/** The rules of a sheet without remarks and strings, in which a bracket is no bracket. */
const bare = (sheet) => sheet.replace(/\/\*[^]*?\*\//g, '').replace(/"[^"]*"|'[^']*'/g, '""');

/** The lines on which a block ends that never began, and how many blocks never end. */
function unbalanced(sheet) {
    let depth = 0;
    const lines = [];
    bare(sheet).split('\n').forEach((line, index) => {
        for (const mark of line.match(/[{}]/g) ?? []) {
            depth += mark === '{' ? 1 : -1;
            if (depth < 0) {
                lines.push(index + 1);
                depth = 0;
            }
        }
    });
    return depth > 0 ? [...lines, `${depth} open`] : lines;
}

/** Classes and ids that a sheet has rules for: those of selectors, not of values. */
const namesOf = (sheet) => new Set(bare(sheet).replace(/\{[^{}]*\}/g, '{}').match(/(?<=[.#])[a-zA-Z_][\w-]*/g) ?? []);

/* Every word of a literal of the scripts, every class and id of the pages; "of-" of `of-${name}` begins names that are
 * words of the scripts, too, or numbers. */
const scripts = list('.js').filter((path) => !path.includes('/text_')).map(read).join('\n');
const pages = [...list('.html').map(read), read('handlers/report_html.c').replaceAll('\\"', '"')].join('\n');
const templates = [...scripts.matchAll(/`([^`]*)`/g)].map(([, text]) => text);
const words = new Set([...scripts.matchAll(/'([^'\n]*)'/g), ...pages.matchAll(/(?:class|id)="([^"]*)"|"class", "([^"]*)"/g)]
    .flatMap(([, one, other]) => (one ?? other).split(/\s+/))
    .concat(templates.flatMap((text) => text.replace(/\$\{[^}]*\}/g, ' ').split(/\s+/))));
const begins = templates.flatMap((text) => [...text.matchAll(/(?:^|[\s}])([\w-]+-)\$\{/g)].map(([, begin]) => begin));
const isUsed = (name) => words.has(name) || begins.some((begin) => name.startsWith(begin) &&
    (words.has(name.slice(begin.length)) || /^\d+$/.test(name.slice(begin.length)) || scripts.includes(` ${name.slice(begin.length)}: `)));

is(unbalanced('a { b: c; }\n}\n@media d { e { f: "}"; }'), [2, '1 open'], 'a block too many or too few is seen');
is([...namesOf('.a-b:not(.c) { d: .5em; } /* .e */ @media f { #g .h { i: url("j.k"); } }')], ['a-b', 'c', 'g', 'h'], 'names are read off');
ok(!isUsed('no-such-class') && isUsed('brand'), 'what no page has is told from what one has');

for (const path of list('.css')) {
    const sheet = read(path);
    is(unbalanced(sheet), [], `${path} is whole`);
    is([...namesOf(sheet)].filter((name) => !isUsed(name)), [], 'has rules for nothing that no page has');
    ok((bare(sheet).match(/@media print/g) ?? []).length <= 1, 'and what is for paper in one place');
}
done();

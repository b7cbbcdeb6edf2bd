// Files of others that the page carries are theirs to the byte, with their licence at the head, and named in LICENSE.
import {readFileSync} from 'node:fs';

import {done, is, ok} from '../tap.mjs';

const root = new URL('../../', import.meta.url);
const read = (path) => readFileSync(new URL(path, root), 'utf8');

const VENDORED = [{file: 'static/d3_ticks.js', package: 'd3-array', source: 'src/ticks.js', licence: 'LICENSE'}];

/** A file's text as the lines of a comment. */
const commented = (text) => text.trimEnd().split('\n').map((line) => ` * ${line}`.trimEnd()).join('\n');

const pinned = JSON.parse(read('tests/package.json')).devDependencies;
for (const one of VENDORED) {
    const folder = `tests/node_modules/${one.package}`;
    const text = read(one.file);
    const source = read(`${folder}/${one.source}`);
    const {version, license} = JSON.parse(read(`${folder}/package.json`));
    is(version, pinned[one.package], `${one.package} is installed as it is pinned`);
    ok(text.endsWith(` */\n${source}`), `${one.file} is ${one.source} of ${one.package}, unchanged`);
    const head = text.slice(0, text.length - source.length);
    ok(head.startsWith('/*\n') && head.indexOf('*/') === head.length - 3, 'before it stands one comment');
    ok(head.includes(commented(read(`${folder}/${one.licence}`))), 'with the whole licence');
    ok(head.includes(`${one.package} ${version}`), 'and the version');
    const notice = read('LICENSE');
    ok(notice.includes(one.file) && notice.includes(`${one.package} ${version}`) && notice.includes(license),
        'LICENSE names it');
}
done();

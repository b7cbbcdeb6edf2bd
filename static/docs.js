// Shows the contract of the API, /openapi.json, to be read. Its own words are English; those of the frame follow the
// reader.
import {copyBox} from './copy.js';
import {h, show, table} from './dom.js';
import {openFrame, showFrame, showLinks} from './frame.js';
import {addTexts, t, textsReady} from './text.js';

addTexts('docs');

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const QUIET = ['head', 'options'];
const view = document.querySelector('#view');

/** Text of the contract: paragraphs, with `code` and **stress**. */
function words(text) {
    return (text ?? '').split('\n\n').filter(Boolean).map((paragraph) =>
        h('p', {class: 'words', lang: 'en'}, inline(paragraph)));
}

function inline(text) {
    return (text ?? '').split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) =>
        part.startsWith('`') ? h('code', {}, part.slice(1, -1))
            : part.startsWith('**') ? h('b', {}, part.slice(2, -2)) : part);
}

function resolver(contract) {
    return function resolve(node) {
        return node?.$ref === undefined ? node
            : resolve(node.$ref.split('/').slice(1).reduce((place, step) => place?.[step], contract));
    };
}

function nameOf(reference) {
    return reference.$ref.split('/').pop();
}

/** A schema in a few words, parts of answers as links. */
function form(schema) {
    if (schema === undefined) {
        return '';
    }
    if (schema.$ref !== undefined) {
        return h('a', {href: `#${nameOf(schema)}`}, nameOf(schema));
    }
    if (schema.const !== undefined) {
        return h('code', {}, String(schema.const));
    }
    if (schema.enum !== undefined) {
        return schema.enum.map((word, i) => [i > 0 ? ' · ' : '', h('code', {}, String(word))]);
    }
    const choices = schema.oneOf ?? schema.anyOf;
    if (choices !== undefined) {
        return choices.map((choice, i) => (choice.type === 'null' ? [' ', t('docs.or_null')] : [i > 0 ? ' · ' : '', form(choice)]));
    }
    const types = [schema.type].flat().filter((type) => type !== 'null' && type !== undefined);
    const ends = schema.minimum !== undefined && schema.maximum !== undefined
        ? t('comma') + t('docs.from_to', schema.minimum, schema.maximum) : '';
    const main = types.includes('array') && schema.items !== undefined && types.length === 1
        ? gaps('docs.of', form(schema.items)) : types.join(' · ');
    return [main, ends, [schema.type].flat().includes('null') ? [' ', t('docs.or_null')] : null,
        types.includes('object') && schema.properties !== undefined ? memberList(schema) : null];
}

/** A sentence with one gap that holds elements. */
function gaps(path, content) {
    const [before, after] = t(path, '\u0000').split('\u0000');
    return [before, content, after];
}

function members(schema, label) {
    const required = new Set(schema.required ?? []);
    return table(label, [
        {head: t('docs.member'), cell: ([name]) => h('code', {}, required.has(name) ? name : `${name}?`)},
        {head: t('docs.value'), cell: ([, member]) => form(member)},
        {head: t('docs.meaning'), cell: ([, member]) => h('span', {lang: 'en'}, inline(member.description))},
    ], Object.entries(schema.properties));
}

/** Members of an object that stands inside another, in short. */
function memberList(schema) {
    return h('ul', {class: 'plain'}, Object.entries(schema.properties).map(([name, member]) =>
        h('li', {}, h('code', {}, name), ' ', form(member), ' ', h('span', {lang: 'en'}, inline(member.description)))));
}

/** A part that opens; what is in it is made when it is opened first, or the page would hold thousands of rows. */
function opening(id, summary, make) {
    const part = h('details', {id}, h('summary', {}, summary));
    part.addEventListener('toggle', () => part.append(...[make()].flat(Infinity).filter(Boolean)), {once: true});
    return part;
}

function schemaPart(name, schema) {
    const bases = (schema.allOf ?? []).filter((part) => part.$ref !== undefined);
    const own = [schema, ...(schema.allOf ?? [])].filter((part) => part.properties !== undefined);
    return opening(name, h('code', {}, name), () => [
        words(schema.description),
        bases.length > 0 ? h('p', {class: 'words'}, gaps('docs.with', bases.map((base, i) => [i > 0 ? ', ' : '', form(base)]))) : null,
        own.map((part, i) => members(part, i === 0 ? name : `${name} ${i + 1}`)),
        own.length === 0 && bases.length === 0 ? h('p', {class: 'words'}, form(schema)) : null,
    ]);
}

function shown(value) {
    return Array.isArray(value) ? value.join(',') : String(value);
}

function parameterTable(parameters, label) {
    return table(`${t('docs.parameters')}, ${label}`, [
        {head: t('docs.parameter'), cell: (one) => [h('code', {}, one.name),
            one.required ? h('span', {class: 'unit'}, ` ${t('docs.required')}`) : null]},
        {head: t('docs.value'), cell: (one) => [form(one.schema),
            one.schema.default === undefined ? null : t('comma') + t('docs.unasked', shown(one.schema.default))]},
        {head: t('docs.meaning'), cell: (one) => [h('span', {lang: 'en'}, inline(one.description)),
            one.example === undefined ? null : [' ', h('span', {class: 'unit'}, t('docs.as', `${one.name}=${shown(one.example)}`))]]},
    ], parameters);
}

function contentOf(response) {
    return Object.entries(response.content ?? {}).map(([type, media], i) => [i > 0 ? ', ' : '', h('code', {}, type), ' ',
        media.schema?.$ref === undefined ? null : form(media.schema)]);
}

/** The objects a body may be, each with its members: of one schema, or of those it is a choice or a list of. */
function bodyParts(schema, resolve) {
    const plain = resolve(schema ?? {});
    const parts = [...(plain.anyOf ?? plain.oneOf ?? []), ...(plain.items === undefined ? [] : [plain.items])];
    const found = plain.properties === undefined ? [] : [plain];
    return [...new Set([...found, ...parts.flatMap((part) => bodyParts(part, resolve))])];
}

/** A body's types, its members and an example to copy. */
function bodyPart(body, resolve, label) {
    const media = body.content['application/json'];
    const [example] = Object.values(media?.examples ?? {}).map(resolve);
    return [h('h3', {}, t('docs.body')), h('p', {class: 'words'}, contentOf(body)), words(body.description),
        bodyParts(media?.schema, resolve).map((part) => members(part, `${t('docs.body')}, ${label}`)),
        example === undefined ? null : copyBox(JSON.stringify(example.value, null, 1))];
}

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** The operation as a command, with what it cannot do without. */
function commandOf(path, method, item, resolve) {
    const operation = item[method];
    const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(resolve)
        .filter((one) => one.required);
    const asked = parameters.filter((one) => one.in === 'query').map((one) =>
        `${one.name}=${encodeURIComponent(shown(one.example ?? one.schema.default ?? '…'))}`).join('&');
    const target = parameters.filter((one) => one.in === 'path').reduce((all, one) =>
        all.replace(`{${one.name}}`, shown(one.example ?? one.name.toUpperCase())), path);
    const types = Object.keys(operation.requestBody?.content ?? {});
    const [example] = Object.values(operation.requestBody?.content['application/json']?.examples ?? {}).map(resolve);
    return ['curl', method === 'delete' ? '-X DELETE' : '',
        operation.security === undefined || operation.security.length === 0 ? '' : '-H "Authorization: Bearer $TOKEN"',
        types.includes('text/csv') ? `-H ${quoted(['Content-Type', 'text/csv'].join(': '))} --data-binary @FILE`
            : example === undefined ? '' : `--json ${quoted(JSON.stringify(example.value))}`,
        quoted(`${location.origin}${target}${asked === '' ? '' : `?${asked}`}`)].filter(Boolean).join(' ');
}

function responseTable(responses, resolve, label) {
    const rows = Object.entries(responses).map(([status, response]) => [status, resolve(response)]);
    return table(`${t('docs.answers')}, ${label}`, [
        {head: t('docs.status'), cell: ([status]) => status},
        {head: t('docs.meaning'), cell: ([, response]) => h('span', {lang: 'en'}, inline(response.description))},
        {head: t('docs.kind'), cell: ([, response]) => contentOf(response)},
        {head: t('docs.headers'), cell: ([, response]) => h('span', {class: 'source'}, Object.keys(response.headers ?? {}).join(', '))},
    ], rows);
}

function operationPart(path, method, item, resolve) {
    const operation = item[method];
    const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(resolve);
    const label = `${method.toUpperCase()} ${path}`;
    const quiet = method === 'get' ? QUIET.filter((one) => one in item).map((one) => one.toUpperCase()).join(', ') : '';
    const summary = [h('span', {class: 'method'}, method.toUpperCase()), ' ', h('code', {}, path),
        h('span', {class: 'small', lang: 'en'}, operation.summary)];
    return opening(operation.operationId, summary, () => [
        words(operation.description),
        quiet === '' ? null : h('p', {class: 'words'}, t('docs.also', quiet)),
        parameters.length === 0 ? null : [h('h3', {}, t('docs.parameters')), parameterTable(parameters, label)],
        operation.requestBody === undefined ? null : bodyPart(resolve(operation.requestBody), resolve, label),
        h('h3', {}, t('docs.command')), copyBox(commandOf(path, method, item, resolve)),
        h('h3', {}, t('docs.answers')), responseTable(operation.responses, resolve, label),
    ]);
}

/** [path, method, item] of everything but HEAD and OPTIONS, in the order of the contract. */
function operationsOf(contract) {
    return Object.entries(contract.paths).flatMap(([path, item]) =>
        METHODS.filter((method) => method in item).map((method) => [path, method, item]));
}

function showContract(contract) {
    const resolve = resolver(contract);
    const operations = operationsOf(contract);
    const sections = contract.tags.map((tag) => h('section', {},
        h('h2', {lang: 'en'}, tag.description),
        operations.filter(([, method, item]) => item[method].tags.includes(tag.name))
            .map(([path, method, item]) => operationPart(path, method, item, resolve))));
    const contents = h('nav', {'aria-label': t('docs.operations')}, h('ul', {class: 'contents'},
        operations.map(([path, method, item]) => h('li', {}, h('a', {href: `#${item[method].operationId}`},
            `${method.toUpperCase()} ${path}`))),
        h('li', {}, h('a', {href: '#schemas'}, t('docs.schemas')))));
    show(view,
        h('div', {class: 'lead'}, h('h1', {}, t('docs.title')),
            h('p', {class: 'why'}, gaps('docs.lead', h('a', {href: '/openapi.json'}, '/openapi.json')))),
        h('div', {class: 'docs'}, contents,
            h('div', {}, words(contract.info.description), sections,
                h('section', {id: 'schemas'}, h('h2', {}, t('docs.schemas')),
                    Object.entries(contract.components.schemas).map(([name, schema]) => schemaPart(name, schema))))));
}

/** Opens what the address names. */
function follow() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target !== null) {
        if ('open' in target) {
            target.open = true;
        }
        target.scrollIntoView();
    }
}

function showAll(contract) {
    document.title = `gpuwise · ${t('docs.api')}`;
    showLinks('docs', {lang: new URLSearchParams(location.search).get('lang')});
    showFrame();
    showContract(contract);
    follow();
}

async function open() {
    let contract = null;
    await textsReady();
    openFrame(() => contract !== null && showAll(contract));
    try {
        const reply = await fetch('/openapi.json');
        contract = await reply.json();
        showAll(contract);
        addEventListener('hashchange', follow);
    } catch (error) {
        showFrame();
        show(view, h('p', {class: 'error'}, t('failed'), ' ', error.message, ' ', h('a', {href: '/openapi.json'}, '/openapi.json')));
    }
}

open();

// The contract, static/openapi.json, as something that judges replies.
//
//     import {contract, judge, operationOf} from './contract.mjs';
//     judge({method: 'GET', target: '/gpus?limit=1', status: 200, headers: {...}, body: '...'})   // [] or faults
//
// A reply is right when its operation declares its status, and the declared response its headers, its media type and
// its body. An address or a method that is not declared must be refused as such.

import {readFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import Ajv2020 from 'ajv/dist/2020.js';

const ERRORS_SHOWN = 4;
const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options'];
// Of HTTP itself, not of the answer; Content-Type is judged by `content`.
const FRAMING = new Set(['date', 'connection', 'keep-alive', 'content-length', 'content-type', 'transfer-encoding']);
const LIBRARY_HEADERS = new Set(['date', 'connection', 'content-length']);
// What an address or method that is not declared may be answered with.
const REFUSALS = {400: 'BadRequest', 404: 'NoFile', 405: 'MethodNotAllowed', 413: 'TooLarge', 414: 'TargetTooLong',
    431: 'HeadersTooLarge', 500: 'Internal', 501: 'NotSupported', 503: 'Unavailable'};

export const contractPath = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../static/openapi.json');
export const contract = JSON.parse(readFileSync(contractPath, 'utf8'));

const ajv = new Ajv2020({strict: true, strictTypes: false, strictRequired: false, allowUnionTypes: true, allErrors: true});
ajv.addVocabulary(['openapi', 'info', 'servers', 'security', 'tags', 'paths', 'components']);
ajv.addSchema(contract, 'contract');

/** What stands at a JSON pointer, references followed; with the pointer at which it was found. */
export function at(pointer) {
    const value = pointer.split('/').slice(1)
        .reduce((node, step) => node?.[step.replaceAll('~1', '/').replaceAll('~0', '~')], contract);
    return value?.$ref === undefined ? {value, pointer} : at(value.$ref);
}

/** The pointer of a member. */
export function step(pointer, name) {
    return `${pointer}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

const validators = new Map();
/** The faults of a value by the schema at a pointer. */
export function faultsOf(pointer, value) {
    if (!validators.has(pointer)) {
        const encoded = pointer.split('/').map(encodeURIComponent).join('/').replace('%23', '#');
        validators.set(pointer, ajv.compile({$ref: `contract${encoded}`}));
    }
    const validate = validators.get(pointer);
    return validate(value) ? [] : validate.errors.slice(0, ERRORS_SHOWN)
        .map((error) => `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`);
}

/** Paths with the longest fixed part first; as in the program whatever stands behind it is the name. */
const PATHS = Object.keys(contract.paths).map((template) => ({template, prefix: template.split('{')[0]}))
    .sort((a, b) => b.prefix.length - a.prefix.length);

/** The path of a target, also of one with scheme and host. */
function pathOf(target) {
    return target.replace(/^https?:\/\/[^/?]*/, '').split('?')[0];
}

/** {path, method, operation, pointer, name}; operation undefined: the address has no such method; null: no address. */
export function operationOf(method, target) {
    const asked = pathOf(target);
    const found = PATHS.find(({template, prefix}) => (template === prefix ? asked === prefix
        : asked.startsWith(prefix) && asked.length > prefix.length));
    const verb = method.toLowerCase();
    return found === undefined ? null : {path: found.template, method: verb, name: `${method} ${found.template}`,
        operation: contract.paths[found.template][verb], pointer: step(step('#/paths', found.template), verb)};
}

/** The methods that a path declares, upper case. */
export function methodsOf(template) {
    return METHODS.filter((method) => method in contract.paths[template]).map((method) => method.toUpperCase());
}

/** The addresses whose GET anybody may ask with parameters. */
export function questions() {
    return Object.keys(contract.paths).filter((template) => {
        const {get} = contract.paths[template];
        return get !== undefined && get.security === undefined &&
            parametersOf(template, 'GET').some(({value}) => value.in === 'query');
    });
}

/** The parameters of an operation, those of its path among them. */
export function parametersOf(template, method) {
    const item = step('#/paths', template);
    return [item, step(item, method.toLowerCase())].flatMap((pointer) => (at(pointer).value?.parameters ?? [])
        .map((_, i) => at(step(step(pointer, 'parameters'), i))));
}

function judgeHeaders(headers, response) {
    const declared = new Map(Object.keys(response.value.headers ?? {}).map((name) => [name.toLowerCase(),
        at(step(step(response.pointer, 'headers'), name))]));
    const faults = [];
    for (const [name, text] of Object.entries(headers)) {
        const header = declared.get(name.toLowerCase());
        if (header === undefined) {
            faults.push(...FRAMING.has(name.toLowerCase()) ? [] : [`header ${name} is not declared`]);
            continue;
        }
        const value = header.value.schema.type === 'integer' ? Number(text) : text;
        faults.push(...faultsOf(step(header.pointer, 'schema'), value).map((fault) => `header ${name}: ${text} ${fault}`));
    }
    const given = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
    for (const [name, header] of declared) {
        faults.push(...header.value.required && !given.has(name) ? [`header ${name} is missing`] : []);
    }
    return faults;
}

function judgeBody({method, status, headers, body}, response) {
    const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
    if (method === 'HEAD' || status === 204 || status === 304) {
        return body === '' ? [] : ['has a body'];
    }
    const media = type?.split(';')[0].trim();
    const content = response.value.content ?? {};
    if (media === undefined || !(media in content)) {
        return [`media type ${type} is not declared`];
    }
    const schema = step(step(step(response.pointer, 'content'), media), 'schema');
    if (!/[/+]json$/.test(media)) {
        return faultsOf(schema, body);
    }
    try {
        return faultsOf(schema, JSON.parse(body)).map((fault) => `body${fault}`);
    } catch (error) {
        return [`body: ${error.message}`];
    }
}

/** The response that the contract has for a reply; null: none. */
function responseOf(operation, method, status, target) {
    if (method === 'OPTIONS' && target === '*' && status === 204) { // the service as a whole
        return at('#/components/responses/Options');
    }
    if (operation?.operation !== undefined) {
        return status in operation.operation.responses ? at(step(step(operation.pointer, 'responses'), status)) : null;
    }
    const isRefusal = status in REFUSALS && (operation === null ? status !== 405 : status !== 404);
    return isRefusal ? at(step('#/components/responses', REFUSALS[status])) : null;
}

/** The short page of the HTTP library for what is no HTTP: the one reply that is not ours. */
function isOfLibrary({status, headers, body}) {
    return [400, 431, 505].includes(status) && Object.keys(headers).every((name) => LIBRARY_HEADERS.has(name)) &&
        /<html>/.test(body);
}

/** What is wrong with a reply; [] when it keeps the contract. */
export function judge(exchange) {
    const {method, target, status, headers} = exchange;
    if (isOfLibrary(exchange)) {
        return [];
    }
    const operation = operationOf(method, target);
    const response = responseOf(operation, method, status, target);
    if (response === null) {
        return [`status ${status} is not declared`];
    }
    const faults = [...judgeHeaders(headers, response), ...judgeBody(exchange, response)];
    const allow = Object.entries(headers).find(([name]) => name.toLowerCase() === 'allow')?.[1];
    if (operation !== null && allow !== undefined && allow.split(', ').sort().join() !== methodsOf(operation.path).sort().join()) {
        faults.push(`Allow is ${allow}, declared are ${methodsOf(operation.path).join(', ')}`);
    }
    if (operation?.operation !== undefined && status < 300 && method !== 'OPTIONS') {
        const known = new Set(parametersOf(operation.path, method).map(({value}) => value.name));
        const names = known.size === 0 ? [] : [...new URLSearchParams(target.split('?')[1] ?? '').keys()];
        faults.push(...names.filter((name) => !known.has(name)).map((name) => `parameter ${name} is not declared`));
    }
    return faults;
}

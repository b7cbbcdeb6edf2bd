// static/openapi.json by the recommended rules of Redocly, every warning a fault. Nothing is fetched.

import {createConfig, lintFromString} from '@redocly/openapi-core';
import {contract, contractPath} from './contract.mjs';
import {done, is, ok} from '../tap.mjs';

const config = await createConfig({extends: ['recommended']});

async function problems(document) {
    const found = await lintFromString({source: JSON.stringify(document), absoluteRef: contractPath, config});
    return found.map(({severity, ruleId, message, location}) => `${severity} ${ruleId}: ${message} at ${location[0]?.pointer}`);
}

is(await problems(contract), [], 'the linter finds nothing');

// It finds what it should: each change is one fault.
const PLANTED = {
    'struct': (document) => delete document.info.title,
    'no-unresolved-refs': (document) => delete document.components.schemas.Pick,
    'no-unused-components': (document) => { document.components.schemas.Unused = {type: 'string'}; },
    'operation-operationId-unique': (document) => { document.paths['/gpus'].get.operationId = 'getModels'; },
    'no-invalid-media-type-examples': (document) => { document.components.examples.alive.value.status = 'dead'; },
    'path-parameters-defined': (document) => { document.paths['/gpus/{id}'].parameters.shift(); },
};
for (const [rule, plant] of Object.entries(PLANTED)) {
    const copy = structuredClone(contract);
    plant(copy);
    ok((await problems(copy)).some((problem) => problem.includes(` ${rule}: `)), `a fault is found by ${rule}`);
}
done();

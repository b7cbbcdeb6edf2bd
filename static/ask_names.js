// The models of the catalogue: all of them, asked for when the first words are read; until then the one of the address.
import {get, ROWS_MAX} from './api.js';
import {indexOf} from './ask_models.js';


const FEW = 20; // models that are found by the id of one

let known = indexOf([]);
let asked = null;

async function load() {
    const models = [];
    for (let cursor = ''; cursor !== null; ) {
        const reply = await get('/models', {limit: ROWS_MAX, cursor});
        models.push(...reply.data);
        cursor = reply.page.next ?? null;
    }
    known = indexOf(models);
    return known;
}

/** All models, as indexOf() has them; without names where they are not to be had: the next question asks again. */
export async function models() {
    asked ??= load();
    try {
        return await asked;
    } catch {
        asked = null;
        return known;
    }
}

/** The name of a model, or its id as long as the names are not there. */
export function nameOfModel(id) {
    return known.byId.get(id)?.name ?? id;
}

/** Gets the name of one model, if it is one, without all the others. */
export async function learnName(id) {
    if (asked !== null) {
        await models();
    } else if (!isNamed(id)) {
        const {data} = await get('/models', {q: id, limit: FEW}).catch(() => ({data: []}));
        known = isNamed(id) ? known : indexOf([...known.byId.values(), ...data.filter((model) => model.id === id)]);
    }
}

/** Whether the name of this model is there already. */
export function isNamed(id) {
    return known.byId.has(id);
}

// Waiting in tests: for what is to come, as long as a sanitized build on a busy machine may need, and no longer.

const PATIENCE_MS = 60000;
const LOOK_MS = 20;

export function sleep(milliseconds) {
    return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Asks until the condition holds; false: it never did. */
export async function until(condition, {milliseconds = PATIENCE_MS, every = LOOK_MS} = {}) {
    for (const end = Date.now() + milliseconds; Date.now() < end; await sleep(every)) {
        if (await condition()) {
            return true;
        }
    }
    return false;
}

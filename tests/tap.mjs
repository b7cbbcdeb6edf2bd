// Test Anything Protocol for the tests in JavaScript: ok() and is() as often as needed, done() last.

let count = 0;
let failed = 0;

export function ok(isGood, name) {
    count += 1;
    failed += isGood ? 0 : 1;
    console.log(`${isGood ? 'ok' : 'not ok'} ${count} - ${name}`);
    return isGood;
}

/** Equal as JSON; prints both when not. */
export function is(found, wanted, name) {
    const isGood = JSON.stringify(found) === JSON.stringify(wanted);
    ok(isGood, name);
    if (!isGood) {
        console.log(
            `# found ${JSON.stringify(found)?.slice(0, 2000)}\n# wanted ${JSON.stringify(wanted)}`,
        );
    }
    return isGood;
}

export function skip(why) {
    count += 1;
    console.log(`ok ${count} # SKIP ${why}`);
}

/** Prints the plan and sets the exit status. */
export function done() {
    console.log(`1..${count}`);
    process.exitCode = failed === 0 ? 0 : 1;
}

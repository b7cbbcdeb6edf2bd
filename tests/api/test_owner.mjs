// Commands run by root on the database of another user: what is made there, and what is warned of.

import {spawnSync} from 'node:child_process';
import {chownSync, chmodSync, statSync} from 'node:fs';
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {program} from '../server_under_test.mjs';
import {done, is, ok, skip} from '../tap.mjs';

const USER = 4711; // nobody's
const folder = await mkdtemp(path.join(tmpdir(), 'gpuwise-owner-'));
const db = path.join(folder, 'gpuwise.db');

function run(args, more = {}) {
    const {status, stdout, stderr, error} = spawnSync(program, [...args, '--db', db],
        {cwd: folder, encoding: 'utf8', timeout: 60000, ...more});
    return {status, stdout, stderr: error?.code === 'EACCES' ? undefined : stderr};
}

ok(!run(['migrate']).stderr.includes('warning'), 'nothing is warned of in a folder of one\'s own');
if (process.geteuid() !== 0) {
    skip('only root makes files for others');
} else {
    await rm(db);
    chownSync(folder, USER, USER);
    chmodSync(folder, 0o755);
    const warning = /^gpuwise: warning: \S+ belongs to root, not to user 4711: .* run gpuwise as the server's user\n$/m;
    for (const command of [['migrate'], ['token'], ['token', '--list', 'yes']]) {
        const {status, stderr} = run(command);
        ok(status === 0 && warning.test(stderr), `${command.join(' ')} by root in the folder of another: a warning`);
    }
    chownSync(db, USER, USER);
    const made = run(['token', '--name', 'lab']);
    is([made.status, made.stderr], [0, ''], 'root may use what belongs to the owner of the folder');
    is(statSync(db).uid, USER, 'which stays theirs');
    chmodSync(db, 0o644);
    is(run(['backup', 'copy.db']).status, 0, 'root makes a copy');
    const copy = statSync(path.join(folder, 'copy.db'));
    is([copy.uid, copy.gid, copy.mode & 0o777], [USER, USER, 0o640], 'it is the owner\'s, and not everybody\'s');
    chmodSync(db, 0o666);
    chmodSync(folder, 0o777);
    const {stderr} = run(['token', '--list', 'yes'], {uid: 4712, gid: 4712});
    if (stderr === undefined) {
        skip('another user may not run the program here');
    } else {
        ok(/belongs to user 4711, not to user 4712/.test(stderr), 'and another user is warned too');
    }
}
await rm(folder, {recursive: true, force: true});
done();

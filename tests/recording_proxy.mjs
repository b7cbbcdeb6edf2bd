// For clients whose sockets are not ours (curl, Python): hands every request on to the program under test, so that
// tests/record.mjs keeps the replies. Bytes pass as they are; what comes within a moment is passed on at once, because
// a client behind `| head` would fail where the second half of an answer comes later.
//
//     node tests/recording_proxy.mjs PORT       prints the port it listens on; ends with its standard input

import net from 'node:net';
import {watch} from './record.mjs';

const MOMENT_MS = 10;
const port = Number(process.argv[2]);
watch(port);
const proxy = net.createServer((client) => {
    const server = net.connect(port, '127.0.0.1');
    let come = [];
    const pass = () => {
        client.write(Buffer.concat(come));
        come = [];
    };
    client.pipe(server);
    server.on('data', (bytes) => {
        if (come.length === 0) {
            setTimeout(pass, MOMENT_MS);
        }
        come.push(bytes);
    });
    server.on('end', () => {
        pass();
        client.end();
    });
    client.on('error', () => server.destroy());
    server.on('error', () => client.destroy());
}).listen(0, '127.0.0.1', () => console.log(proxy.address().port));
process.stdin.resume().on('end', () => process.exit());

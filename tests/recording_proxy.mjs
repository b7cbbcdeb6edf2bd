// For clients whose sockets are not ours (curl, Python): hands every request on to the program under test, so that
// tests/record.mjs keeps the replies. Bytes pass as they are.
//
//     node tests/recording_proxy.mjs PORT       prints the port it listens on; ends with its standard input

import net from 'node:net';
import {watch} from './record.mjs';

const port = Number(process.argv[2]);
watch(port);
const proxy = net.createServer((client) => {
    const server = net.connect(port, '127.0.0.1');
    client.pipe(server).pipe(client);
    client.on('error', () => server.destroy());
    server.on('error', () => client.destroy());
}).listen(0, '127.0.0.1', () => console.log(proxy.address().port));
process.stdin.resume().on('end', () => process.exit());

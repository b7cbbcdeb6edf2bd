// /metrics of a running server: the text format read strictly, and the counts of what was just asked.

import net from 'node:net';
import {spawnSync} from 'node:child_process';
import {writeFile} from 'node:fs/promises';
import path from 'node:path';
import {program, start} from '../server_under_test.mjs';
import {done, is, ok, skip} from '../tap.mjs';
import {until} from '../wait.mjs';

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*",?)*)\})? (\S+)$/;
const UNITS = /_(seconds|bytes|ratio|info|total|fds)$/;

/** What a strict reader finds wrong, and the samples by series. */
function read(text) {
    const faults = [];
    const families = new Map();
    const series = new Map();
    let family;
    ok(text.endsWith('\n') && !text.includes('\r') && !text.includes('\n\n'), 'lines end with one line feed each');
    for (const line of text.split('\n').slice(0, -1)) {
        const comment = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line);
        if (comment !== null) {
            const [, kind, name, rest] = comment;
            if (kind === 'HELP') {
                if (families.has(name) || !NAME.test(name) || !/^[A-Z].*\.$/.test(rest)) {
                    faults.push(line);
                }
                family = {name, samples: 0};
                families.set(name, family);
            } else if (family?.name !== name || family.type !== undefined || !/^(counter|gauge|histogram)$/.test(rest)) {
                faults.push(line);
            } else {
                family.type = rest;
            }
            continue;
        }
        const sample = SAMPLE.exec(line);
        const suffixes = family?.type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
        if (sample === null || !suffixes.some((suffix) => sample[1] === family.name + suffix) || series.has(line.replace(/ \S+$/, ''))) {
            faults.push(line);
            continue;
        }
        const value = Number(sample[3]);
        if (!Number.isFinite(value) || (family.type !== 'gauge' && value < 0)) {
            faults.push(line);
        }
        family.samples += 1;
        series.set(line.replace(/ \S+$/, ''), value);
    }
    for (const {name, type} of families.values()) { // what promtool's linter asks for
        if ((type === 'counter') !== name.endsWith('_total') || /_(count|sum|bucket)$/.test(name) || /_(ms|milliseconds|kb|minutes)\b/.test(name)) {
            faults.push(`name of ${name}`);
        }
    }
    return {faults, families, series};
}

/** Buckets of every histogram: rising, the last is +Inf and equals the count. */
function histogramFaults({families, series}) {
    const faults = [];
    for (const {name} of [...families.values()].filter(({type}) => type === 'histogram')) {
        const groups = new Map();
        for (const [key, value] of series) {
            const found = new RegExp(`^${name}_bucket\\{(.*),le="([^"]*)"\\}$`).exec(key);
            if (found !== null) {
                groups.set(found[1], [...(groups.get(found[1]) ?? []), [Number(found[2].replace('+Inf', 'Infinity')), value]]);
            }
        }
        for (const [labels, buckets] of groups) {
            const isRising = buckets.every(([bound, count], i) => i === 0 || (bound > buckets[i - 1][0] && count >= buckets[i - 1][1]));
            if (!isRising || buckets.at(-1)[0] !== Infinity || buckets.at(-1)[1] !== series.get(`${name}_count{${labels}}`) ||
                series.get(`${name}_sum{${labels}}`) === undefined) {
                faults.push(labels);
            }
        }
        ok(groups.size > 10, `${name} has a histogram for each route`);
    }
    return faults;
}

const server = await start({flags: ['--workers', '2']});
const scrape = async (init) => (await fetch(`${server.url}/metrics`, init));
const counts = async () => read(await (await scrape()).text());
const rise = (before, after, key) => after.series.get(key) - (before.series.get(key) ?? 0);
const requests = (route, method, status) => `gpuwise_http_requests_total{route="${route}",method="${method}",status="${status}"}`;

/** Sends raw bytes and reads until the server closes. */
function raw(bytes) {
    return new Promise((resolve) => {
        const socket = net.connect(server.port, '127.0.0.1', () => socket.write(bytes));
        let text = '';
        socket.on('data', (part) => { text += part; });
        socket.on('close', () => resolve(text));
        socket.on('error', () => {});
    });
}

const first = await scrape({headers: {accept: 'application/openmetrics-text; version=1.0.0, text/plain;version=0.0.4;q=0.5'}});
is([first.status, first.headers.get('content-type'), first.headers.get('cache-control'), first.headers.get('etag')],
    [200, 'text/plain; version=0.0.4; charset=utf-8', 'no-store', null], 'the text format, never stored');
const firstText = await first.text();
const before = read(firstText);
is(before.faults, [], 'a strict reader finds nothing wrong');
is(histogramFaults(before), [], 'histograms hold together');
const bare = [...before.families.values()].filter(({name, type}) => type !== 'counter' && !UNITS.test(name)).map(({name}) => name).sort();
is(bare, ['gpuwise_catalogue_rows', 'gpuwise_catalogue_unknown_prices', 'gpuwise_http_connections', 'gpuwise_http_requests_in_flight',
    'gpuwise_import_rows', 'gpuwise_imports', 'gpuwise_workers'], 'every other gauge names its unit');

for (let i = 0; i < 5; i++) {
    await (await fetch(`${server.url}/gpus?limit=3`)).text();
}
const {headers} = await fetch(`${server.url}/gpus?limit=3`);
await fetch(`${server.url}/gpus?limit=3`, {headers: {'if-none-match': headers.get('etag')}});
await fetch(`${server.url}/gpus/${encodeURIComponent('rtx 3090')}`);
await fetch(`${server.url}/gpus/nothing-like-it`);
await fetch(`${server.url}/nothing-like-it`);
await fetch(`${server.url}/gpus`, {method: 'HEAD'});
await fetch(`${server.url}/gpus`, {method: 'OPTIONS'});
await fetch(`${server.url}/gpus`, {method: 'DELETE'});
await raw('GET /gpus HTTP/1.1\r\n\r\n'); // no Host
await raw(`GET /${'x'.repeat(5000)} HTTP/1.1\r\nHost: h\r\n\r\n`);
const after = await counts();
is(after.faults, [], 'still nothing wrong');
is(histogramFaults(after), [], 'histograms still hold together');
is([rise(before, after, requests('/gpus', 'GET', '2xx')), rise(before, after, requests('/gpus', 'GET', '3xx')),
    rise(before, after, requests('/gpus', 'HEAD', '2xx')), rise(before, after, requests('/gpus', 'OPTIONS', '2xx')),
    rise(before, after, requests('/gpus', 'DELETE', '4xx')), rise(before, after, requests('/gpus/{id}', 'GET', '2xx')),
    rise(before, after, requests('/gpus/{id}', 'GET', '4xx')), rise(before, after, requests('/metrics', 'GET', '2xx'))],
[6, 1, 1, 1, 1, 1, 1, 1], 'each request is counted once, under its route, method and class of status');
ok(rise(before, after, requests('none', 'GET', '4xx')) >= 2, 'what has no route is counted too');
is([rise(before, after, 'gpuwise_http_refused_total{reason="malformed"}') +
    rise(before, after, 'gpuwise_http_refused_total{reason="target-too-long"}') +
    rise(before, after, 'gpuwise_http_refused_total{reason="library"}')], [2], 'refusals of the transport, by reason');
ok(rise(before, after, 'gpuwise_response_cache_requests_total{result="hit"}') +
    rise(before, after, 'gpuwise_response_cache_requests_total{result="miss"}') >= 7 &&
    rise(before, after, 'gpuwise_response_cache_requests_total{result="miss"}') >= 1, 'found ready or made');
const length = Number(headers.get('content-length'));
ok(rise(before, after, 'gpuwise_http_response_body_bytes_total{route="/gpus"}') >= 6 * (length || 1), 'bytes of bodies');
is(after.series.get('gpuwise_http_requests_in_flight'), 1, 'only the scrape is in flight');
ok(after.series.get('gpuwise_http_connections') >= 1 && after.series.get('gpuwise_workers') === 2, 'connections and workers');
is([...before.series].filter(([key, value]) => /_(total|bucket|sum|count)(\{|$)/.test(key) && !(after.series.get(key) >= value))
    .map(([key]) => key), [], 'no counter has fallen');
is([...after.series.keys()].filter((key) => key.includes('nothing-like-it') || key.includes('3090')), [],
    'no label holds what a client sent');

const revision = [...after.series.keys()].find((key) => key.startsWith('gpuwise_catalogue_info'));
const list = await (await fetch(`${server.url}/recommend?limit=1`)).json();
is(revision, `gpuwise_catalogue_info{revision="${list.catalogue.revision}"}`, 'the revision is that of the answers');
is(after.series.get('gpuwise_catalogue_rows{table="gpus"}'), (await (await fetch(`${server.url}/gpus`)).json()).total,
    'rows of the table of cards');

// An import by the command, and its undoing: the server notices both.
const command = (...args) => spawnSync(program, [...args, '--db', server.db], {encoding: 'utf8', timeout: 60000});
async function counted(key, value) {
    await until(async () => (await counts()).series.get(key) === value, {every: 200});
    return (await counts()).series;
}
const file = path.join(path.dirname(server.db), 'prices.csv');
await writeFile(file, 'gpu_slug,condition,currency,amount,market,observed_on,source,note\n' +
    'nvidia-geforce-rtx-3090,used,USD,640.5,us,2026-11-30,a test,\n');
const importing = command('import', file);
ok(importing.status === 0, `a file is imported${importing.status === 0 ? '' : `: ${importing.stdout}${importing.stderr}`}`);
const standing = 'gpuwise_imports{table="gpu_prices",state="standing"}';
const imported = await counted(standing, 1);
is([imported.get(standing), imported.get('gpuwise_imports{table="gpu_prices",state="undone"}'),
    imported.get('gpuwise_import_rows{table="gpu_prices"}')], [1, 0, 1], 'it stands, with its row');
ok(imported.get('gpuwise_catalogue_reloads_total') >= 1 && imported.get('gpuwise_catalogue_reload_failures_total') === 0 &&
    imported.get('gpuwise_catalogue_rows{table="gpu_prices"}') === after.series.get('gpuwise_catalogue_rows{table="gpu_prices"}') + 1 &&
    imported.get('gpuwise_price_age_seconds{condition="used"}') < after.series.get('gpuwise_price_age_seconds{condition="used"}'),
'and the facts were loaded again, younger than before');
is(command('undo', '1').status, 0, 'it is undone');
const undone = await counted(standing, 0);
is([undone.get(standing), undone.get('gpuwise_imports{table="gpu_prices",state="undone"}')], [0, 1], 'which is counted, too');
const promtool = spawnSync('promtool', ['check', 'metrics'], {input: firstText, encoding: 'utf8'});
if (promtool.error === undefined) {
    is([promtool.status, promtool.stdout + promtool.stderr], [0, ''], 'promtool finds nothing');
} else {
    skip('promtool is not installed');
}
is(await server.stop(), [], 'the server behaved');
done();

import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { Worker } from 'node:worker_threads';
import { readConfig } from '../../server/config.ts';
import { startStation } from '../../server/station.ts';
import { Tracks, type StoredPoint } from '../../server/telemetry/tracks.ts';
import type { IngestOrder } from './ingest-client.worker.ts';
import type { BenchReport } from './run.ts';

const DEVICES = 1_000;
const RECORDS = 60;
/** Records of a black box packet. */
const BOX = 100;
const BEGIN = Date.UTC(2026, 5, 1, 12);

/** A way in, and what is inserted beside it: the same rows in the same order, so many to a transaction. */
interface Way {
  readonly way: IngestOrder['way'];
  readonly name: string;
  /** Of each device. */
  readonly records: number;
  readonly order: (records: number) => Iterable<Row>;
  /** Undefined: as many as the station itself wrote at once. */
  readonly batch?: number;
}
type Row = readonly [device: number, second: number];

const WAYS: readonly Way[] = [
  { way: 'http', name: 'over HTTP, 500 in a post', records: RECORDS, order: bySecond, batch: 500 },
  { way: 'wialon-blackbox', name: 'over Wialon IPS, #B# of 100', records: RECORDS * 2, order: byBox, batch: 100 },
  // A transaction for each would be no rival.
  { way: 'wialon-single', name: 'over Wialon IPS, #D# one by one', records: RECORDS, order: bySecond },
];
/** Devices that send one by one, besides all of them: what a record then takes is mostly its way and the disk. */
const FEWER = [200, 1];
/** Some ways only, by the beginnings of their names: `WAYPOST_BENCH_WAYS=wialon-blackbox`. */
const ONLY = process.env['WAYPOST_BENCH_WAYS']?.split(',');
/** What the station groups at most: a baseline that nobody who answers each batch could have. */
const LARGEST_GROUP = 8_000;

/**
 * Records acknowledged by a whole station, events worked out beside it, against raw inserts of the same rows in the same order into the same table by the same process: a prepared
 * statement, a transaction and a sync for each batch that is sent. By the clock, and by the processor's time of all threads of the station, without that of those who send.
 */
export default async function bench(report: BenchReport): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'waypost-bench-ingest-'));
  const wialonPort = await freePort();
  const station = await startStation({ ...readConfig(['--data', directory, '--port', '0'], {}), wialonPort, adminPassword: 'bench bench', logLevel: 'ERROR' } as never, { passwordCost: { memoryCost: 8, timeCost: 1 } });
  const atStart = process.memoryUsage().rss;
  const token = station.accounts.grantControl();
  const devices = Array.from({ length: DEVICES }, (_, index) => index + 1);
  for (let first = 0; first < DEVICES; first += 100) await Promise.all(devices.slice(first, first + 100).map((glonassId) => post(station.address, token, '/cars', { name: `Bench ${glonassId}`, glonassId })));

  for (const [index, each] of WAYS.entries()) {
    if (ONLY && !ONLY.some((beginning) => each.way.startsWith(beginning))) continue;
    const begin = BEGIN + index * 86_400_000;
    const order = { address: station.address, token, wialonPort, devices, records: each.records, begin, way: each.way };
    // Before and after: others on the machine come and go.
    const before = each.batch === undefined ? undefined : insertRaw(directory, each, each.batch, begin);
    const large = insertRaw(directory, each, LARGEST_GROUP, begin);
    const measured = await run(order);
    const batch = each.batch ?? meanGroup(directory, begin, begin + each.records * 1000);
    const after = insertRaw(directory, each, batch, begin);
    const other = before ?? insertRaw(directory, each, batch, begin);
    const raw = { wall: (other.wall + after.wall) / 2, processor: (other.processor + after.processor) / 2 };
    report.ratio(`acknowledged ${each.name}, by the clock`, measured.wall * 1000, raw.wall * 1000, 'µs', `${Math.round(1000 / measured.wall).toLocaleString('en')} records/s, against raw transactions of ${batch}`);
    report.ratio('  by the processor, all threads', measured.processor * 1000, raw.processor * 1000, 'µs', `the event loop's ${(measured.loop * 1000).toFixed(1)} of it; against raw transactions of ${LARGEST_GROUP.toLocaleString('en')} ${(measured.processor / large.processor).toFixed(2)} ×, by the clock ${(measured.wall / large.wall).toFixed(2)} ×`);
    if (each.way === 'wialon-single') {
      for (const [turn, count] of FEWER.entries()) {
        const few = await run({ ...order, devices: devices.slice(0, count), begin: begin + (turn + 1) * 3_600_000 });
        const alone = insertRaw(directory, { ...each, records: 1 }, 1, begin);
        report.ratio(`  ${count === 1 ? 'one device alone waits for an answer' : `${count} devices at once, each waits for an answer`}, against a raw transaction of one row`, few.wall * count, alone.wall, 'ms', `${Math.round(1000 / few.wall).toLocaleString('en')} records/s`);
      }
    }
  }
  report.line(`memory of the process, with those who send and the raw inserts: ${megabytes(atStart)} when the station had started, ${megabytes(process.memoryUsage().rss)} afterwards`);
  await station.stop();
  rmSync(directory, { recursive: true, force: true });
}

/** ms for a record */
interface Measure {
  readonly wall: number;
  readonly processor: number;
}

async function run(order: IngestOrder): Promise<Measure & { readonly loop: number }> {
  const client = new Worker(new URL('./ingest-client.worker.ts', import.meta.url), { workerData: order });
  const said = () => new Promise<unknown>((resolve, reject) => client.once('message', resolve).once('error', reject));
  await said();
  const [began, all, loop] = [performance.now(), process.cpuUsage(), process.threadCpuUsage()];
  const done = said();
  client.postMessage('go');
  const { used } = (await done) as { used: number };
  const records = order.devices.length * order.records;
  const measure = { wall: (performance.now() - began) / records, processor: (sum(process.cpuUsage(all)) - used) / 1000 / records, loop: sum(process.threadCpuUsage(loop)) / 1000 / records };
  await client.terminate();
  return measure;
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}

function sum({ user, system }: { user: number; system: number }): number {
  return user + system;
}

function* bySecond(records: number): Generator<Row> {
  for (let second = 0; second < records; second++) for (let device = 1; device <= DEVICES; device++) yield [device, second];
}

/** The first box of every device, then the second. */
function* byBox(records: number): Generator<Row> {
  for (let first = 0; first < records; first += BOX) for (let device = 1; device <= DEVICES; device++) for (let second = first; second < Math.min(records, first + BOX); second++) yield [device, second];
}

/** How many rows of a stretch of time the station wrote in one transaction, in the mean: those of one have the same time of storing. */
function meanGroup(directory: string, from: number, till: number): number {
  const { db } = new Tracks(directory, { onlyReads: true });
  const { rows, groups } = db.prepare('SELECT count(*) AS rows, count(DISTINCT storedAt) AS groups FROM tracks WHERE time >= ? AND time < ?').get(from, till) as { rows: number; groups: number };
  db.close();
  return Math.max(1, Math.round(rows / groups));
}

function insertRaw(directory: string, { order, records }: Way, batch: number, begin: number): Measure {
  const folder = mkdtempSync(join(directory, 'raw-'));
  const tracks = new Tracks(folder);
  const log = openSync(`${tracks.file}-wal`, 'r+');
  const points = Array.from(order(records), ([vehicle, second]): StoredPoint => {
    const time = begin + second * 1000;
    return { vehicle, time, storedAt: time, lat: 47 + vehicle / 5000 + second / 20_000, lon: 9.5 + second / 50_000, speed: 42, direction: 80, height: 430, gpsCount: 9, glonassCount: null, inputs: 0, marks: 0, extra: '{"adc":[],"params":{"unit_status":3}}', speedDerived: 0, engine: null };
  });
  const [began, used] = [performance.now(), process.cpuUsage()];
  for (let first = 0; first < points.length; first += batch) {
    tracks.db.exec('BEGIN IMMEDIATE');
    for (let at = first; at < Math.min(points.length, first + batch); at++) tracks.insert(points[at]!);
    tracks.db.exec('COMMIT');
    fdatasyncSync(log);
  }
  const measure = { wall: (performance.now() - began) / points.length, processor: sum(process.cpuUsage(used)) / 1000 / points.length };
  closeSync(log);
  tracks.db.close();
  return measure;
}

async function post(address: string, token: string, path: string, body: object): Promise<void> {
  const response = await fetch(address + path, { method: 'POST', headers: { 'authorization': `Bearer ${token}`, 'content-type': 'application/json' }, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(await response.text());
  await response.arrayBuffer();
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

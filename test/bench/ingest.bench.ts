import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import { readConfig } from '../../server/config.ts';
import { startStation } from '../../server/station.ts';
import { Tracks } from '../../server/telemetry/tracks.ts';
import type { IngestOrder } from './ingest-client.worker.ts';
import type { BenchReport } from './run.ts';

const DEVICES = 1_000;
const RECORDS = 60;
const BEGIN = Date.UTC(2026, 5, 1, 12);

/** Records acknowledged by a whole station (events worked out among it), over HTTP and Wialon IPS, beside raw inserts of as many rows into the same table by the same process. */
export default async function bench(report: BenchReport): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'waypost-bench-ingest-'));
  const wialonPort = await freePort();
  const station = await startStation({ ...readConfig(['--data', directory, '--port', '0'], {}), wialonPort, adminPassword: 'bench bench', logLevel: 'ERROR' } as never, { passwordCost: { memoryCost: 8, timeCost: 1 } });
  const token = station.accounts.grantControl();
  const devices = Array.from({ length: DEVICES }, (_, index) => index + 1);
  for (let first = 0; first < DEVICES; first += 100) await Promise.all(devices.slice(first, first + 100).map((glonassId) => post(station.address, token, '/cars', { name: `Bench ${glonassId}`, glonassId })));

  const order = { address: station.address, token, wialonPort, devices, records: RECORDS, begin: BEGIN };
  const measured: [string, Measure][] = [];
  const raw: Measure[] = [];
  for (const [index, [way, name]] of ([['http', 'over HTTP, 500 in a post'], ['wialon-single', 'over Wialon IPS, #D# one by one'], ['wialon-blackbox', 'over Wialon IPS, #B# of 100']] as const).entries()) {
    raw.push(insertRaw(directory, index));
    const records = way === 'wialon-blackbox' ? RECORDS * 2 : RECORDS;
    measured.push([name, await run({ ...order, way, records, begin: BEGIN + index * 86_400_000 }, DEVICES * records)]);
  }
  raw.push(insertRaw(directory, 9));
  const mean = (part: keyof Measure) => raw.reduce((sum, each) => sum + each[part], 0) / raw.length;
  const baseline = { wall: mean('wall'), processor: mean('processor') };
  // By the processor's time of the station's thread: the clock on the wall also measures what else the machine does.
  for (const [name, { wall, processor }] of measured) {
    report.ratio(`a record acknowledged ${name}`, processor * 1000, baseline.processor * 1000, 'µs of processor', `on the wall ${(wall / baseline.wall).toFixed(2)} ×, ${Math.round(1000 / wall).toLocaleString('en')} records/s`);
  }
  report.line(`memory of the process afterwards: ${Math.round(process.memoryUsage().rss / 1e6)} MB`);
  await station.stop();
  rmSync(directory, { recursive: true, force: true });
}

/** ms for a record */
interface Measure {
  readonly wall: number;
  /** of this thread */
  readonly processor: number;
}

/** Ends a measure of so many records that begins now. */
function stopwatch(): (records: number) => Measure {
  const began = performance.now();
  const used = process.threadCpuUsage();
  return (records) => {
    const { user, system } = process.threadCpuUsage(used);
    return { wall: (performance.now() - began) / records, processor: (user + system) / 1000 / records };
  };
}

async function run(order: IngestOrder, records: number): Promise<Measure> {
  const client = new Worker(new URL('./ingest-client.worker.ts', import.meta.url), { workerData: order });
  const said = () => new Promise<void>((resolve, reject) => client.once('message', () => resolve()).once('error', reject));
  await said();
  const stop = stopwatch();
  const done = said();
  client.postMessage('go');
  await done;
  const measure = stop(records);
  await client.terminate();
  return measure;
}

/** A row: the station's own table and statement, a transaction and a sync for each second of the fleet. */
function insertRaw(directory: string, round: number): Measure {
  const folder = mkdtempSync(join(directory, 'raw-'));
  const tracks = new Tracks(folder);
  const log = openSync(`${tracks.file}-wal`, 'r+');
  const stop = stopwatch();
  for (let second = 0; second < RECORDS; second++) {
    tracks.db.exec('BEGIN IMMEDIATE');
    for (let vehicle = 1; vehicle <= DEVICES; vehicle++) {
      const time = BEGIN + round * 86_400_000 + second * 1000;
      tracks.insert({ vehicle, time, storedAt: time, lat: 47 + vehicle / 5000 + second / 20_000, lon: 9.5 + second / 50_000, speed: 42, direction: 80, height: 430, gpsCount: 9, glonassCount: null, inputs: 0, marks: 0, extra: '{"adc":[],"params":{"unit_status":3}}', speedDerived: 0, engine: null });
    }
    tracks.db.exec('COMMIT');
    fdatasyncSync(log);
  }
  const each = stop(RECORDS * DEVICES);
  closeSync(log);
  tracks.db.close();
  return each;
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

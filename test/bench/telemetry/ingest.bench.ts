import { fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { readConfig } from '../../../server/config/index.ts';
import { startStation } from '../../../server/station.ts';
import type { StoredPoint } from '../../../server/tracking/telemetry/tracks/stored-point.ts';
import { Tracks } from '../../../server/tracking/telemetry/tracks/tracks.ts';
import type { IngestOrder } from './ingest-senders.ts';
import type { BenchReport } from '../run.ts';
import { freePort } from '../../support/free-ports.ts';

const DEVICES = 1_000;
/** Records of a black box. */
const BOX = 100;
const BEGIN = Date.UTC(2026, 5, 1, 12);
/**
 * Others on the machine come and go: of everything the median of so many rounds counts, in each of which all
 * is measured once.
 */
const ROUNDS = Number(process.env['WAYPOST_BENCH_ROUNDS'] ?? 3);

/** A protocol, and its reference: a raw insert of the same rows in the same order, in equal transactions. */
interface Way extends Pick<IngestOrder, 'over' | 'atOnce'> {
  /** Its name in `WAYPOST_BENCH_WAYS`. */
  readonly short: string;
  readonly name: string;
  readonly devices: number;
  /** Of each device. */
  readonly records: number;
  readonly order: (way: Way) => Iterable<Row>;
  /** Undefined: as many as the station itself wrote at once; a transaction for each would be no rival. */
  readonly batch?: number;
}
type Row = readonly [device: number, second: number];

const WAYS: readonly Way[] = [
  {
    short: 'http',
    over: 'http',
    atOnce: 500,
    name: 'over HTTP, 500 in a post',
    devices: DEVICES,
    records: 60,
    order: bySecond,
    batch: 500,
  },
  {
    short: 'wialon-blackbox',
    over: 'wialon',
    atOnce: BOX,
    name: `over Wialon IPS, #B# of ${BOX}`,
    devices: DEVICES,
    records: 120,
    order: byBox,
    batch: BOX,
  },
  {
    short: 'wialon-single',
    over: 'wialon',
    atOnce: 1,
    name: 'over Wialon IPS, #D# one by one, 1,000 devices',
    devices: DEVICES,
    records: 60,
    order: bySecond,
  },
  {
    short: 'wialon-single',
    over: 'wialon',
    atOnce: 1,
    name: 'over Wialon IPS, #D# one by one, 200 devices',
    devices: 200,
    records: 150,
    order: bySecond,
  },
  {
    short: 'wialon-single',
    over: 'wialon',
    atOnce: 1,
    name: 'over Wialon IPS, #D# one by one, one device alone',
    devices: 1,
    records: 500,
    order: bySecond,
  },
];
/** Some ways only, by the beginnings of their names: `WAYPOST_BENCH_WAYS=wialon-blackbox`. */
const ONLY = process.env['WAYPOST_BENCH_WAYS']?.split(',');
/** What the station groups at most: a baseline that nobody who answers each batch could have. */
const LARGEST_GROUP = 8_000;

/**
 * Records acknowledged by a whole station, events worked out beside it, against raw inserts of the same rows
 * in the same order into the same table by the same process: a prepared statement, a transaction and a sync
 * for each batch that is sent. By the clock, and by the processor's time of all threads of the station. Those
 * who send are another process.
 *
 * Beside single records stands the *floor*: a bare server in the station's place that answers each line with
 * a constant one, to the same senders. What a station cannot do without is the floor and the raw inserts.
 */
export default async function bench(report: BenchReport): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'waypost-bench-ingest-'));
  const wialonPort = await freePort();
  const station = await startStation(
    {
      ...readConfig(['--data', directory, '--port', '0'], {}),
      wialonPort,
      adminPassword: 'bench bench',
      logLevel: 'ERROR',
    } as never,
    { passwordCost: { memoryCost: 8, timeCost: 1 } },
  );
  const memory = { start: process.memoryUsage.rss(), most: 0 };
  const watch = setInterval(() => (memory.most = Math.max(memory.most, process.memoryUsage.rss())), 250);
  const token = station.accounts.grantControl();
  const devices = Array.from({ length: DEVICES }, (_, index) => index + 1);
  for (let first = 0; first < DEVICES; first += 100)
    await Promise.all(
      devices
        .slice(first, first + 100)
        .map((glonassId) => post(station.address, token, '/cars', { name: `Bench ${glonassId}`, glonassId })),
    );
  const floor = await startFloor();

  for (const [place, way] of WAYS.entries()) {
    if (ONLY && !ONLY.some((beginning) => way.short.startsWith(beginning))) continue;
    const rounds: { whole: Measure; raw: Measure; large: Measure; floor: Measure | undefined; batch: number }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const begin = BEGIN + (place * ROUNDS + round) * 3_600_000;
      const order = {
        address: station.address,
        token,
        wialonPort,
        devices: devices.slice(0, way.devices),
        records: way.records,
        begin,
        over: way.over,
        atOnce: way.atOnce,
      };
      const bare =
        way.over === 'wialon' && way.atOnce === 1 ? await send({ ...order, wialonPort: floor.port }) : undefined;
      const whole = await send(order);
      const batch = way.batch ?? meanGroup(directory, begin, begin + way.records * 1000);
      rounds.push({
        whole,
        raw: insertRaw(directory, way, batch, begin),
        large: insertRaw(directory, way, LARGEST_GROUP, begin),
        floor: bare,
        batch,
      });
    }
    const middle = (pick: (round: (typeof rounds)[number]) => number) => median(rounds.map(pick)) * 1000;
    const [wall, raw, processor] = [
      middle(({ whole }) => whole.wall),
      middle((each) => each.raw.wall),
      middle(({ whole }) => whole.processor),
    ];
    report.ratio(
      `acknowledged ${way.name}, by the clock`,
      wall,
      raw,
      'µs',
      `${Math.round(1e6 / wall).toLocaleString('en')} records/s, against raw transactions of ${Math.round(median(rounds.map(({ batch }) => batch)))}`,
    );
    report.ratio(
      '  by the processor, all threads',
      processor,
      middle((each) => each.raw.processor),
      'µs',
      `the event loop's ${middle(({ whole }) => whole.loop).toFixed(1)} of it`,
    );
    if (way.batch !== undefined)
      report.ratio(
        `  against raw transactions of ${LARGEST_GROUP.toLocaleString('en')}, by the clock`,
        wall,
        middle(({ large }) => large.wall),
        'µs',
        `by the processor ${(processor / middle(({ large }) => large.processor)).toFixed(2)} ×`,
      );
    if (rounds[0]!.floor === undefined) continue;
    const [bare, bareProcessor] = [middle((each) => each.floor!.wall), middle((each) => each.floor!.processor)];
    report.ratio(
      '  against the floor and raw inserts together, by the clock',
      wall,
      bare + raw,
      'µs',
      `the floor alone ${bare.toPrecision(3)}`,
    );
    report.ratio(
      '    by the processor, all threads',
      processor,
      bareProcessor + middle((each) => each.raw.processor),
      'µs',
      `the floor alone ${bareProcessor.toPrecision(3)}`,
    );
  }
  clearInterval(watch);
  report.line(
    `memory of the process, with the raw inserts: ${megabytes(memory.start)} when the station had started, at most ${megabytes(memory.most)}, ${megabytes(process.memoryUsage.rss())} at the end`,
  );
  floor.close();
  await station.stop();
  rmSync(directory, { recursive: true, force: true });
}

/** ms for a record */
interface Measure {
  readonly wall: number;
  readonly processor: number;
  /** The event loop's part of the processor's time. */
  readonly loop: number;
}

/** From when all who send are connected until the last one is answered. */
async function send(order: IngestOrder): Promise<Measure> {
  const senders = fork(new URL('./ingest-senders.ts', import.meta.url));
  const said = () =>
    Promise.race([
      once(senders, 'message'),
      once(senders, 'exit').then(() => Promise.reject(new Error('Those who send failed.'))),
    ]);
  senders.send(order);
  await said();
  const done = said();
  const measure = measureFrom();
  senders.send('go');
  await done;
  return measure(order.devices.length * order.records);
}

/** Returns how to end the measure, with the number of records. */
function measureFrom(): (records: number) => Measure {
  const [began, all, loop] = [performance.now(), process.cpuUsage(), process.threadCpuUsage()];
  return (records) => ({
    wall: (performance.now() - began) / records,
    processor: sum(process.cpuUsage(all)) / 1000 / records,
    loop: sum(process.threadCpuUsage(loop)) / 1000 / records,
  });
}

/**
 * Reads lines of Wialon IPS and answers each as if all were well: as little as a server of Node's sockets can
 * do.
 */
async function startFloor(): Promise<{ readonly port: number; close(): void }> {
  const [loggedIn, stored] = [Buffer.from('#AL#1\r\n'), Buffer.from('#AD#1\r\n')];
  const server: Server = createServer({ noDelay: true }, (socket) => {
    let rest = '';
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      const lines = (rest + bytes.toString('latin1')).split('\r\n');
      rest = lines.pop()!;
      for (const line of lines) socket.write(line.startsWith('#L#') ? loggedIn : stored);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() };
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}

function sum({ user, system }: { user: number; system: number }): number {
  return user + system;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

function* bySecond({ devices, records }: Way): Generator<Row> {
  for (let second = 0; second < records; second++)
    for (let device = 1; device <= devices; device++) yield [device, second];
}

/** The first box of every device, then the second. */
function* byBox({ devices, records }: Way): Generator<Row> {
  for (let first = 0; first < records; first += BOX)
    for (let device = 1; device <= devices; device++)
      for (let second = first; second < Math.min(records, first + BOX); second++) yield [device, second];
}

/**
 * How many rows of a stretch of time the station wrote in one transaction, in the mean: those of one have the
 * same time of storing.
 */
function meanGroup(directory: string, from: number, until: number): number {
  const { db } = new Tracks(directory, { onlyReads: true });
  const { rows, groups } = db
    .prepare('SELECT count(*) AS rows, count(DISTINCT storedAt) AS groups FROM tracks WHERE time >= ? AND time < ?')
    .get(from, until) as { rows: number; groups: number };
  db.close();
  return Math.max(1, Math.round(rows / groups));
}

function insertRaw(directory: string, way: Way, batch: number, begin: number): Measure {
  const folder = mkdtempSync(join(directory, 'raw-'));
  const tracks = new Tracks(folder);
  const log = openSync(`${tracks.file}-wal`, 'r+');
  const points = Array.from(way.order(way), ([vehicle, second]): StoredPoint => {
    const time = begin + second * 1000;
    return {
      vehicle,
      time,
      storedAt: time,
      lat: 47 + vehicle / 5000 + second / 20_000,
      lon: 9.5 + second / 50_000,
      speed: 42,
      direction: 80,
      height: 430,
      gpsCount: 9,
      glonassCount: null,
      inputs: 0,
      marks: 0,
      extra: '{"adc":[],"params":{"unit_status":3}}',
      speedDerived: 0,
      engine: null,
    };
  });
  const measure = measureFrom();
  for (let first = 0; first < points.length; first += batch) {
    tracks.db.exec('BEGIN IMMEDIATE');
    for (let at = first; at < Math.min(points.length, first + batch); at++) tracks.add(points[at]!);
    tracks.db.exec('COMMIT');
    fdatasyncSync(log);
  }
  const measured = measure(points.length);
  closeSync(log);
  tracks.db.close();
  return measured;
}

async function post(address: string, token: string, path: string, body: object): Promise<void> {
  const response = await fetch(address + path, {
    method: 'POST',
    headers: { 'authorization': `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
  await response.arrayBuffer();
}

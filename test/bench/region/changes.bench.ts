import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { TestStation } from '../../stations/harness/test-station.ts';
import { freePorts } from '../../support/free-ports.ts';
import { HAS_NATS, NatsServers } from '../../support/nats-servers.ts';
import { percentile, processorSeconds, residentOf } from '../processes.ts';
import type { BenchReport } from '../run.ts';
import { consolesOpened, observing } from '../sync/consoles.ts';
import { publishBare, readBare } from './bare-stream.ts';
import { fill, newestTasks, withStations, type Start } from '../sync/stations.ts';

/** Records that a fresh station has to read; the list of the issue names a million. */
const RECORDS = Number(process.env['WAYPOST_BENCH_RECORDS'] ?? 1_000_000);
const CONSOLES = Number(process.env['WAYPOST_BENCH_CONSOLES'] ?? 200);
const VEHICLES = Number(process.env['WAYPOST_BENCH_VEHICLES'] ?? 2_000);
/** Some only: `WAYPOST_BENCH_PARTS=live,consoles`. */
const PARTS = process.env['WAYPOST_BENCH_PARTS']?.split(',');

interface Region {
  readonly report: BenchReport;
  readonly start: Start;
  readonly servers: NatsServers;
  readonly environment: NodeJS.ProcessEnv;
}

/** Changes and consoles of a region, beside one station alone and beside JetStream alone. */
export default async function bench(report: BenchReport): Promise<void> {
  if (!HAS_NATS) return report.line('There is no nats-server on this machine.');
  for (const [name, part] of Object.entries({ live, fresh, consoles, stations })) {
    if (PARTS && !PARTS.includes(name)) continue;
    const servers = await NatsServers.start();
    try {
      const environment = { WAYPOST_NATS_SERVERS: servers.addresses.join(',') };
      await withStations((start) => part({ report, start, servers, environment }));
    } finally {
      await servers.close();
    }
  }
}

async function inRegion(...members: TestStation[]): Promise<void> {
  for (;;) {
    const all = await Promise.all(
      members.map((station) => station.ask<{ state: string; digest: string }>('GET', '/sync/state')),
    );
    if (all.every(({ state, digest }) => state === 'synced' && digest === all[0]!.digest)) return;
    await pause(100);
  }
}

const EDITS = 400;
const EDITS_PER_SECOND = 20;

/** From the request of a write at one station to the record in a console of another one. */
async function live({ report, start, environment }: Region): Promise<void> {
  const here = await start(1, (directory) => fill(directory, 2_000, 200), environment);
  const there = await start(2, undefined, environment);
  await inRegion(here, there);
  const [{ id }] = (await newestTasks(here)) as [{ id: string }];
  const [near, far] = [await observing(here), await observing(there)];
  const began = performance.now();
  for (let edit = 0; edit < EDITS; edit++) {
    const title = `Edit ${edit}.`;
    const sent = performance.now();
    near.expect(title, sent);
    far.expect(title, sent);
    await here.ask('POST', `/news/${id}/update`, { title });
    await pause(Math.max(0, began + ((edit + 1) * 1000) / EDITS_PER_SECOND - performance.now()));
  }
  const missing = await Promise.all([near.rest(), far.rest()]);
  if (missing.some((count) => count > EDITS / 10)) throw new Error(`Edits did not arrive: ${missing.join()}`);
  for (const [what, share] of [
    ['median', 0.5],
    ['p99', 0.99],
  ] as const)
    report.ratio(
      `from a write to a console of another station, ${what}`,
      percentile(far.delays, share),
      percentile(near.delays, share),
      'ms',
      'against a console of the same station',
    );
  near.close();
  far.close();
}

/** A station with nothing joins a region with years of records. */
async function fresh({ report, start, servers, environment }: Region): Promise<void> {
  const full = await start(1, (directory) => fill(directory, RECORDS, 2_000), environment);
  const from = performance.now();
  await inRegion(full);
  const publishing = (performance.now() - from) / 1000;
  const stream = await readBare(servers);
  const { messages } = stream;
  const bare = await publishBare(servers, Math.round(stream.bytes / messages));
  const empty = new TestStation(2, environment);
  try {
    const began = performance.now();
    await empty.start();
    await inRegion(full, empty);
    const took = (performance.now() - began) / 1000;
    const count = messages.toLocaleString('en');
    report.ratio(
      'records that a station publishes',
      messages / publishing,
      bare,
      'records/s',
      `against JetStream alone with entries of that size; ${count} records in ${publishing.toFixed(0)} s`,
    );
    report.ratio(
      'records that a fresh station takes in',
      messages / took,
      stream.rate,
      'records/s',
      `against reading the stream alone; ${took.toFixed(0)} s with its start, ${(stream.bytes / messages).toFixed(0)} bytes each in the stream`,
    );
    report.line(
      `processor of the fresh station: ${((processorSeconds(empty.pid) / messages) * 1e6).toFixed(0)} us a record; it holds ${Math.round(residentOf(empty.pid) / 1e6)} MB`,
    );
  } finally {
    await empty.end('SIGKILL');
    rmSync(empty.directory, { recursive: true, force: true });
  }
}

/** Consoles come back at the same moment: to one station alone, and to two console servers. */
async function consoles({ report, start, environment }: Region): Promise<void> {
  const [port] = await freePorts(1);
  const region = { ...environment, WAYPOST_TRUSTED_PROXIES: '127.0.0.1' };
  const station = await start(1, (directory) => fill(directory, 2_000, VEHICLES), {
    ...{ ...region, WAYPOST_PORT: String(port) },
  });
  await inRegion(station);
  const servers = [0, 0].map(
    (number) =>
      new TestStation(number, {
        ...{ ...region, WAYPOST_ROLE: 'consoles', WAYPOST_CONSOLES_STATIONS: `1=${station.address}` },
      }),
  );
  try {
    for (const server of servers) await server.start();
    for (const { address } of servers) while ((await fetch(`${address}/ready`)).status !== 200) await pause(100);
    const order = { tokens: [station.token], vehicles: 0 };
    for (const count of [CONSOLES / 4, CONSOLES / 2, CONSOLES]) {
      const times = async (at: readonly TestStation[]) => {
        const before = at.reduce((sum, { pid }) => sum + processorSeconds(pid), 0);
        const opened = await Promise.all(
          at.map(({ address }) => consolesOpened({ ...order, address, consoles: count / at.length })),
        );
        const used = at.reduce((sum, { pid }) => sum + processorSeconds(pid), 0) - before;
        return {
          slowest: Math.max(...opened.flatMap(({ filled }) => filled)) / 1000,
          used: (used / count) * 1000,
          bytes: opened.reduce((sum, { bytes }) => sum + bytes, 0) / count,
          memory: at.reduce((sum, { pid }) => sum + residentOf(pid), 0) / 1e6,
        };
      };
      const alone = await times([station]);
      const shared = await times(servers);
      report.ratio(
        `${count} consoles that come at once to two console servers`,
        shared.slowest,
        alone.slowest,
        's',
        `until the replica of the last one is complete, against one station; ${VEHICLES.toLocaleString('en')} vehicles`,
      );
      report.line(
        `  each console: ${Math.round(shared.used)} ms of processor (station ${Math.round(alone.used)} ms), ${Math.round(shared.bytes / 1000)} kB; the two servers hold ${Math.round(shared.memory)} MB, the station ${Math.round(alone.memory)} MB`,
      );
    }
  } finally {
    for (const server of servers) {
      await server.end('SIGKILL');
      rmSync(server.directory, { recursive: true, force: true });
    }
  }
}

const SIZES = [2, 4, 8];
/** ms. */
const IDLE = 20_000;
const WRITES = 200;

/** What a station more costs: all others read each change, and hear of each other. */
async function stations({ report, start, servers, environment }: Region): Promise<void> {
  const all: TestStation[] = [];
  for (const count of SIZES) {
    while (all.length < count)
      all.push(
        await start(
          all.length + 1,
          all.length === 0 ? (directory) => fill(directory, 2_000, 200) : undefined,
          environment,
        ),
      );
    await inRegion(...all);
    const used = () => [
      all.reduce((sum, { pid }) => sum + processorSeconds(pid), 0),
      servers.pids.reduce((sum, pid) => sum + processorSeconds(pid), 0),
    ];
    const idleFrom = used();
    await pause(IDLE);
    const [stationIdle, serverIdle] = used().map((seconds, at) => ((seconds - idleFrom[at]!) / IDLE) * 1e6);
    const [{ id }] = (await newestTasks(all[0]!)) as [{ id: string }];
    const from = used();
    for (let write = 0; write < WRITES; write++)
      await all[0]!.ask('POST', `/news/${id}/update`, { title: `Write ${write} of ${count}` });
    await inRegion(...all);
    const [stationUsed, serverUsed] = used().map((seconds, at) => ((seconds - from[at]!) / WRITES) * 1e6);
    const memory = all.reduce((sum, { pid }) => sum + residentOf(pid), 0) / count / 1e6;
    report.line(
      `${count} stations: each idle ${Math.round(stationIdle! / count)} ms of processor a second, the server ${Math.round(serverIdle!)} ms; a write takes ${Math.round(stationUsed! / count)} us at each, ${Math.round(serverUsed!)} us at the server; ${Math.round(memory)} MB each`,
    );
  }
}

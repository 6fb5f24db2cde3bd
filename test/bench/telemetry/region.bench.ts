import { fork } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { GatewayProcess } from '../../stations/region/gateway-process.ts';
import type { TestStation } from '../../stations/harness/test-station.ts';
import { freePorts } from '../../support/free-ports.ts';
import { HAS_NATS, NatsServers } from '../../support/nats-servers.ts';
import { publishBare } from '../region/bare-stream.ts';
import { processorSeconds, residentOf } from '../processes.ts';
import type { BenchReport } from '../run.ts';
import { fill, withStations } from '../sync/stations.ts';
import type { IngestOrder } from './ingest-senders.ts';

const VEHICLES = 400;
/** Records of each vehicle in a round, one packet each. */
const RECORDS = 60;
const RECORDS_OF_ALL = VEHICLES * RECORDS;
/** Bytes of an entry of the stream. */
const BARE_BYTES = 250;
const GATEWAYS = [1, 2, 4];
const BEGIN = Date.UTC(2026, 5, 1, 12);
/** Vehicles at which the memory of a station is read. */
const SIZES = [0, 10_000, 50_000];

/** Positions a second that others manage in the same run. */
interface Baselines {
  /** One station that the trackers report to. */
  readonly embedded: number;
  /** JetStream alone, with entries of that size. */
  readonly bare: number;
}

interface Round {
  readonly baselines: Baselines;
  readonly gateways: readonly GatewayProcess[];
  readonly servers: NatsServers;
  readonly station: TestStation;
  readonly begin: number;
}

/** What a position costs on its way through a region, and a vehicle at a station; the sizing of regions rests on it. */
export default async function bench(report: BenchReport): Promise<void> {
  if (!HAS_NATS) return report.line('There is no nats-server on this machine.');
  const embedded = await alone(report);
  await positions(report, embedded);
  for (const vehicles of SIZES)
    await withStations(async (start) => {
      const station = await start(1, (directory) => fill(directory, 0, vehicles));
      await pause(5_000);
      const memory = Math.round(residentOf(station.pid) / 1e6);
      report.line(`a station with ${vehicles.toLocaleString('en')} vehicles holds ${memory} MB`);
    });
}

/** The same devices at the port of one station, which is in no region. Resolves with positions a second. */
async function alone(report: BenchReport): Promise<number> {
  let rate = 0;
  const [port] = (await freePorts(1)) as [number];
  await withStations(async (start) => {
    const environment = { WAYPOST_WIALON_PORT: String(port) };
    const station = await start(1, (directory) => fill(directory, 0, VEHICLES), environment);
    const before = processorSeconds(station.pid);
    rate = RECORDS_OF_ALL / (await send([port], BEGIN));
    while (countStored(station) < RECORDS_OF_ALL) await pause(50);
    const used = ((processorSeconds(station.pid) - before) / RECORDS_OF_ALL) * 1e6;
    report.line(
      `one station alone: ${Math.round(rate).toLocaleString('en')}/s answered, ${Math.round(used)} us of processor each with events`,
    );
  });
  return rate;
}

async function positions(report: BenchReport, embedded: number): Promise<void> {
  const servers = await NatsServers.start();
  const environment = { WAYPOST_NATS_SERVERS: servers.addresses.join(',') };
  const gateways = (await freePorts(Math.max(...GATEWAYS))).map((port) => new GatewayProcess(port, environment));
  try {
    await withStations(async (start) => {
      const station = await start(1, (directory) => fill(directory, 0, VEHICLES), environment);
      for (;;) {
        if ((await station.ask<{ state: string }>('GET', '/sync/state')).state === 'synced') break;
        await pause(50);
      }
      await Promise.all(gateways.map((gateway) => gateway.start()));
      let stored = 0;
      const baselines = { embedded, bare: await publishBare(servers, BARE_BYTES) };
      for (const [at, count] of GATEWAYS.entries())
        stored = await round(report, stored, {
          gateways: gateways.slice(0, count),
          ...{ servers, station, baselines },
          begin: BEGIN + at * 3_600_000,
        });
      const bytes = servers.storedBytes();
      report.line(`a position takes ${Math.round(bytes / stored)} bytes in the stream, with what each vehicle takes`);
      await station.end();
      const kept = statSync(join(station.directory, 'tracks.db')).size / stored;
      report.line(`a position takes ${Math.round(kept)} bytes in tracks.db, with all else that is in it`);
      report.line(`a gateway holds ${Math.round(residentOf(gateways[0]!.pid) / 1e6)} MB`);
    });
  } finally {
    await Promise.all(gateways.map((gateway) => gateway.end('SIGKILL')));
    await servers.close();
  }
}

/** Returns how many records the station has now. */
async function round(report: BenchReport, before: number, round: Round): Promise<number> {
  const { gateways, servers, station, begin, baselines } = round;
  const ports = gateways.map(({ port }) => port);
  const pids = { gateways: gateways.map(({ pid }) => pid), servers: servers.pids, station: [station.pid] };
  const used = () => Object.values(pids).map((each) => each.reduce((sum, pid) => sum + processorSeconds(pid), 0));
  const usedBefore = used();
  const rate = RECORDS_OF_ALL / (await send(ports, begin));
  while (countStored(station) < before + RECORDS_OF_ALL) await pause(50);
  const [gateway, server, kept] = used().map((seconds, at) => ((seconds - usedBefore[at]!) / RECORDS_OF_ALL) * 1e6);
  const { embedded, bare } = baselines;
  const name = `positions by ${gateways.length} gateways, one packet each`;
  report.ratio(name, rate, bare, 'positions/s', 'against publishing to JetStream alone');
  report.ratio('  the same', rate, embedded, 'positions/s', 'against one station alone');
  report.line(
    `  processor of a position: gateways ${Math.round(gateway!)} us, server ${Math.round(server!)} us, station ${Math.round(kept!)} us with its events`,
  );
  const busiest = Math.max(gateway! / gateways.length, server!, kept!);
  report.line(
    `  with a core for each program that is busy, this comes to ${Math.round(1e6 / busiest).toLocaleString('en')}/s`,
  );
  return before + RECORDS_OF_ALL;
}

/** All vehicles send as fast as they are answered, each to one of the ports. Resolves with seconds. */
async function send(ports: readonly number[], begin: number): Promise<number> {
  const senders = ports.map(() => fork(new URL('ingest-senders.ts', import.meta.url).pathname));
  for (const [at, sender] of senders.entries()) {
    const devices = Array.from({ length: VEHICLES }, (_, index) => index + 1).filter(
      (device) => device % ports.length === at,
    );
    const order: IngestOrder = {
      ...{ over: 'wialon', address: '', token: '', atOnce: 1 },
      ...{ wialonPort: ports[at]!, devices, records: RECORDS, begin },
    };
    const ready = once(sender, 'message');
    sender.send(order);
    await ready;
  }
  const began = performance.now();
  await Promise.all(
    senders.map(async (sender) => {
      const done = once(sender, 'message');
      sender.send('go');
      await done;
    }),
  );
  return (performance.now() - began) / 1000;
}

function countStored(station: TestStation): number {
  const db = new DatabaseSync(join(station.directory, 'tracks.db'), { readOnly: true, timeout: 5000 });
  try {
    const { count } = db
      .prepare('SELECT (SELECT count(*) FROM tracks) + (SELECT count(*) FROM moving) AS count')
      .get() as { count: number };
    return count;
  } finally {
    db.close();
  }
}

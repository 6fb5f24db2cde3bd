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
import { processorSeconds, residentOf } from '../processes.ts';
import type { BenchReport } from '../run.ts';
import { fill, withStations } from '../sync/stations.ts';
import type { IngestOrder } from './ingest-senders.ts';

const VEHICLES = 400;
/** Records of each vehicle in a round, one packet each. */
const RECORDS = 60;
const GATEWAYS = [1, 2, 4];
const BEGIN = Date.UTC(2026, 5, 1, 12);
/** Vehicles at which the memory of a station is read. */
const SIZES = [0, 10_000, 50_000];

interface Round {
  readonly gateways: readonly GatewayProcess[];
  readonly servers: NatsServers;
  readonly station: TestStation;
  readonly begin: number;
}

/** What a position costs on its way through a region, and a vehicle at a station; the sizing of regions rests on it. */
export default async function bench(report: BenchReport): Promise<void> {
  if (!HAS_NATS) return report.line('There is no nats-server on this machine.');
  await positions(report);
  for (const vehicles of SIZES)
    await withStations(async (start) => {
      const station = await start(1, (directory) => fill(directory, 0, vehicles));
      await pause(5_000);
      const memory = Math.round(residentOf(station.pid) / 1e6);
      report.line(`a station with ${vehicles.toLocaleString('en')} vehicles holds ${memory} MB`);
    });
}

async function positions(report: BenchReport): Promise<void> {
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
      for (const [at, count] of GATEWAYS.entries())
        stored = await round(report, stored, {
          gateways: gateways.slice(0, count),
          servers,
          station,
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

/** All vehicles send as fast as they are answered. Returns how many records the station has now. */
async function round(report: BenchReport, before: number, round: Round): Promise<number> {
  const { gateways, servers, station, begin } = round;
  const senders = gateways.map(() => fork(new URL('ingest-senders.ts', import.meta.url).pathname));
  for (const [at, sender] of senders.entries()) {
    const devices = Array.from({ length: VEHICLES }, (_, index) => index + 1).filter(
      (device) => device % gateways.length === at,
    );
    const order: IngestOrder = {
      over: 'wialon',
      address: '',
      token: '',
      wialonPort: gateways[at]!.port,
      atOnce: 1,
      devices,
      records: RECORDS,
      begin,
    };
    const ready = once(sender, 'message');
    sender.send(order);
    await ready;
  }
  const pids = { gateways: gateways.map(({ pid }) => pid), servers: servers.pids, station: [station.pid] };
  const used = () => Object.values(pids).map((each) => each.reduce((sum, pid) => sum + processorSeconds(pid), 0));
  const usedBefore = used();
  const began = performance.now();
  await Promise.all(
    senders.map(async (sender) => {
      const done = once(sender, 'message');
      sender.send('go');
      await done;
    }),
  );
  const answered = (performance.now() - began) / 1000;
  const records = VEHICLES * RECORDS;
  while (countStored(station) < before + records) await pause(50);
  const [gateway, server, kept] = used().map((seconds, at) => ((seconds - usedBefore[at]!) / records) * 1e6);
  report.line(
    `${records.toLocaleString('en')} positions, one packet each, by ${gateways.length} gateways: ${Math.round(records / answered).toLocaleString('en')}/s answered`,
  );
  report.line(
    `  processor of a position: gateways ${Math.round(gateway!)} us, server ${Math.round(server!)} us, station ${Math.round(kept!)} us with its events`,
  );
  return before + records;
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

import { cpSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { millisecondsOf, type Stamp } from '../../../shared/merge/stamps.ts';
import { PARTITIONS, partitionOf } from '../../../server/replication/nats/index.ts';
import { numbers, SEED } from '../../support/chance.ts';
import { freePorts } from '../../support/free-ports.ts';
import { times } from '../../support/long.ts';
import { HAS_NATS, NatsServers } from '../../support/nats-servers.ts';
import { storedTrack } from '../harness/driving.ts';
import { TestStation } from '../harness/test-station.ts';
import { GatewayProcess } from './gateway-process.ts';
import { wialonRecord, WialonDevice, type DeviceRecord } from './wialon-device.ts';
import { WorkerProcess } from './worker-process.ts';

const VEHICLES = times(6, 40);
/** Whether silence counts, too: a station looks for it every 15 s. */
const WITH_SILENCE = times(0, 1) === 1;
const KILLS = times(2, 60);
/** Records that all devices together get confirmed between two kills. */
const BETWEEN = 150;
/** ms of a device's clock between two records; and of ours. */
const STEP = 10_000;
const PAUSE = 60;
/** ms before now at which the clocks of devices begin: they run faster than ours, for as long as the test lasts. */
const AGO = 20 * 86_400_000;
/** ms: many records and processes share the machine with other tests. */
const PATIENCE = 120_000;
/** ms that a record may take while all devices are replayed. */
const A_RECORD = 200;

/** Drives for 40 records and stands for 25; two of twenty records change places, as after a gap in the network. */
function stopAndGo(from: number, vehicle: number): (at: number) => DeviceRecord {
  return (sent) => {
    const at = sent % 20 === 5 ? sent + 10 : sent % 20 === 15 ? sent - 10 : sent;
    const phase = (at + 7 * vehicle) % 65;
    const driven = Math.floor((at + 7 * vehicle) / 65) * 40 + Math.min(phase, 40);
    return wialonRecord({ time: from + at * STEP, north: driven * 100, speed: phase < 40 ? 36 : 0 });
  };
}

interface StoredEvent extends Readonly<Record<string, unknown>> {
  readonly vehicleId: number;
  readonly bySilence: boolean;
  readonly hlc: { readonly base: string };
}

function storedEvents(station: TestStation): StoredEvent[] {
  const sql = new DatabaseSync(join(station.directory, 'station.db'), { readOnly: true });
  try {
    return sql
      .prepare('SELECT data FROM "station.events.0" WHERE deleted = 0 ORDER BY key')
      .all()
      .map(({ data }) => JSON.parse(data as string) as StoredEvent)
      .filter(({ bySilence }) => WITH_SILENCE || !bySilence);
  } finally {
    sql.close();
  }
}

/** The events of a station, without what says when and why they were stored. */
function eventsOf(station: TestStation): string[] {
  return storedEvents(station).map(({ hlc: _hlc, revisedAt: _revisedAt, reason: _reason, ...event }) =>
    JSON.stringify(event),
  );
}

/** When the station said that it computes events of partitions in place of workers. */
async function partitionsTakenOver(station: TestStation) {
  const path = '/log/app?logger=region&message=No%20event%20worker&limit=1000';
  const entries = await station.ask<{ time: number; message: string }[]>('GET', path);
  return entries.map(({ time, message }) => ({
    at: time,
    partitions: /partitions ([\d, ]+) any more/.exec(message)![1]!.split(', ').map(Number),
  }));
}

// Debian's nats-server: `node .ci/prepare.mjs` tries to get it; skipped where it cannot be had.
describe.skipIf(!HAS_NATS)('workers of events in a region', () => {
  const TITLE = `through kills of workers, the events are those of a station that had every record in order, each once (WAYPOST_SEED=${SEED})`;
  test(TITLE, { timeout: 240_000 + KILLS * 30_000 }, async () => {
    const chance = numbers(SEED);
    const servers = await NatsServers.start();
    onTestFinished(() => servers.close());
    const [gatewayPort, cleanPort] = (await freePorts(2)) as [number, number];
    const region = { WAYPOST_NATS_SERVERS: servers.addresses.join(',') };

    // Both stations begin with the same records; the second one is in no region.
    const first = new TestStation(1);
    const station = new TestStation(1, region);
    const clean = new TestStation(1, { WAYPOST_WIALON_PORT: String(cleanPort) });
    const workers = [new WorkerProcess(region), new WorkerProcess(region)];
    const gateway = new GatewayProcess(gatewayPort, region);
    onTestFinished(async () => {
      await Promise.all([first, station, clean, gateway].map((each) => each.end('SIGKILL')));
      await Promise.all(workers.map((worker) => worker.lose()));
    });
    /** Has a device send what another one sent, in the order of its times. */
    const replayInOrder = async (confirmed: readonly number[], record: (at: number) => DeviceRecord, imei: string) => {
      const sent = confirmed.map((time, at) => ({ time, line: record(at).line })).sort((a, b) => a.time - b.time);
      const device = new WialonDevice(imei, [cleanPort], (at) => sent[Math.min(at, sent.length - 1)]!, 0, 0);
      await expect
        .poll(() => device.confirmed.length, { interval: 20, timeout: PATIENCE + sent.length * A_RECORD })
        .toBeGreaterThanOrEqual(sent.length);
      await device.stop();
    };
    await first.start();
    const vehicles: { id: number; imei: string }[] = [];
    for (let at = 0; at < VEHICLES; at++) {
      const imei = `86700000000000${at}`.slice(-15);
      const { id } = await first.ask<{ id: number }>('POST', '/cars', {
        name: `Van ${at}`,
        glonassId: 100 + at,
        devimei: imei,
      });
      vehicles.push({ id, imei });
    }
    await first.ask('POST', '/geozones', {
      name: 'Depot',
      geometry: { type: 'Point', coordinates: [14.5, 35.05] },
      radius: 400,
    });
    await first.end();
    for (const other of [station, clean]) cpSync(first.directory, other.directory, { recursive: true });

    await Promise.all([station.start(), gateway.start()]);
    await Promise.all(workers.map((worker) => worker.start()));
    // Until then stations compute.
    await expect.poll(() => new Set(workers.flatMap((worker) => worker.partitions)).size).toBe(PARTITIONS);
    const from = Math.floor(Date.now() / 1000) * 1000 - AGO;
    const devices = vehicles.map(
      ({ imei }, at) => new WialonDevice(imei, [gatewayPort], stopAndGo(from, at), 0, PAUSE),
    );
    onTestFinished(async () => {
      await Promise.all(devices.map((device) => device.stop()));
    });
    const confirmed = () => devices.reduce((sum, device) => sum + device.confirmed.length, 0);
    const goesOn = async () => {
      const before = confirmed();
      await expect.poll(confirmed, { interval: 20, timeout: PATIENCE }).toBeGreaterThanOrEqual(before + BETWEEN);
    };
    const said: string[] = [];
    await goesOn();
    for (let kill = 0; kill < KILLS; kill++) {
      const which = chance() < 0.5 ? 0 : 1;
      said.push(`worker ${which}`);
      await workers[which]!.end('SIGKILL');
      await goesOn();
      await workers[which]!.start();
      await goesOn();
    }
    await Promise.all(devices.map((device) => device.finish()));
    expect(await workers[0]!.end('SIGTERM')).toBe(0);

    await clean.start();
    await Promise.all(vehicles.map(({ imei }, at) => replayInOrder(devices[at]!.confirmed, stopAndGo(from, at), imei)));
    for (const { id } of vehicles)
      await expect
        .poll(() => storedTrack(station, id).length, { timeout: PATIENCE })
        .toBe(storedTrack(clean, id).length);
    await expect.poll(() => eventsOf(clean).length, { timeout: PATIENCE }).toBeGreaterThan(VEHICLES * 3);
    const differing = () => {
      const [here, there] = [eventsOf(station), eventsOf(clean)];
      return {
        said,
        missing: there.filter((event) => !here.includes(event)),
        surplus: here.filter((event) => !there.includes(event)),
      };
    };
    await expect.poll(differing, { interval: 500, timeout: PATIENCE }).toEqual({ said, missing: [], surplus: [] });
    // Its own are only of partitions that it took over because no worker was there for a minute (rule 8).
    const takenOver = await partitionsTakenOver(station);
    const own = storedEvents(station)
      .filter(({ hlc }) => !hlc.base.endsWith('-000.workers'))
      .map(({ hlc, vehicleId }) => ({ partition: partitionOf(vehicleId), at: millisecondsOf(hlc.base as Stamp) }));
    expect(
      own.filter(({ partition, at }) => !takenOver.some((one) => one.at <= at && one.partitions.includes(partition))),
      `taken over: ${JSON.stringify(takenOver)}`,
    ).toEqual([]);
    if (own.length > 0) console.warn(`${own.length} events are of the station: ${JSON.stringify(takenOver)}`);
  });
});

import { cpSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { millisecondsOf, type Stamp } from '../../../shared/merge/stamps.ts';
import { PARTITIONS, partitionOf } from '../../../server/replication/nats/index.ts';
import { numbers, SEED } from '../../support/chance.ts';
import { freePorts } from '../../support/free-ports.ts';
import { times } from '../../support/long.ts';
import { HAS_NATS, NatsServers } from '../../support/nats-servers.ts';
import { storedTrack } from '../harness/driving.ts';
import { TestStation } from '../harness/test-station.ts';
import { differingEvents, replayInOrder, stopAndGo, storedEvents } from './clean-run.ts';
import { GatewayProcess } from './gateway-process.ts';
import { WialonDevice } from './wialon-device.ts';
import { WorkerProcess } from './worker-process.ts';

const VEHICLES = times(6, 40);
/** Whether silence counts, too: a station looks for it every 15 s. */
const WITH_SILENCE = times(0, 1) === 1;
const KILLS = times(2, 60);
/** Records that all devices together get confirmed between two kills. */
const BETWEEN = 150;
/** ms between two records. */
const PAUSE = 60;
/** ms before now at which the clocks of devices begin: they run faster than ours, for as long as the test lasts. */
const AGO = 20 * 86_400_000;
/** ms: many records and processes share the machine with other tests. */
const PATIENCE = 120_000;

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
    await Promise.all(devices.map((device, at) => replayInOrder(device, stopAndGo(from, at), cleanPort)));
    for (const { id } of vehicles)
      await expect
        .poll(() => storedTrack(station, id).length, { timeout: PATIENCE })
        .toBe(storedTrack(clean, id).length);
    await expect
      .poll(() => storedEvents(clean, WITH_SILENCE).length, { timeout: PATIENCE })
      .toBeGreaterThan(VEHICLES * 3);
    const differing = () => ({ said, ...differingEvents(station, clean, WITH_SILENCE) });
    await expect.poll(differing, { interval: 500, timeout: PATIENCE }).toEqual({ said, missing: [], surplus: [] });
    // Its own are only of partitions that it took over because no worker was there for a minute (rule 8).
    const takenOver = await partitionsTakenOver(station);
    const own = storedEvents(station, WITH_SILENCE)
      .filter(({ hlc }) => !hlc.base.endsWith('-000.workers'))
      .map(({ hlc, vehicleId }) => ({ partition: partitionOf(vehicleId), at: millisecondsOf(hlc.base as Stamp) }));
    expect(
      own.filter(({ partition, at }) => !takenOver.some((one) => one.at <= at && one.partitions.includes(partition))),
      `taken over: ${JSON.stringify(takenOver)}`,
    ).toEqual([]);
    if (own.length > 0) console.warn(`${own.length} events are of the station: ${JSON.stringify(takenOver)}`);
  });
});

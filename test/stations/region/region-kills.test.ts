import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { TrackFile } from '../../../server/tracking/telemetry/tracks/index.ts';
import { Cable } from '../../support/cable.ts';
import { numbers, SEED } from '../../support/chance.ts';
import { LONG, times } from '../../support/long.ts';
import { freePorts } from '../../support/free-ports.ts';
import { HAS_NATS, NatsServers } from '../../support/nats-servers.ts';
import { createTask } from '../harness/files-of-tasks.ts';
import { startStations, TestStation } from '../harness/linked.ts';
import { differingEvents, replayInOrder, stopAndGo } from './clean-run.ts';
import { ConsolePicture } from './console-picture.ts';
import { areInOneRegion } from './in-one-region.ts';
import { GatewayProcess } from './gateway-process.ts';
import { WialonDevice } from './wialon-device.ts';
import { WorkerProcess } from './worker-process.ts';

/** At full length a region of ten control rooms; `WAYPOST_REGION_VEHICLES` for a machine that bears less. */
const STATIONS = times(3, 10);
const GATEWAYS = times(2, 4);
const VEHICLES = Number(process.env['WAYPOST_REGION_VEHICLES'] ?? times(6, 2_000));
/** Faults end after this time, or when each kind was there once. */
const MINUTES = Number(process.env['WAYPOST_REGION_MINUTES'] ?? times(0, 60));
const WORKERS = 2;
const SERVERS = 3;
/** ms between two records of a device. */
const PAUSE = times(100, 20_000);
/** Records that all devices together get confirmed during a fault, and after it. */
const BETWEEN = times(60, 500);
/** ms within which consoles show what was confirmed before a fault ended; other tests run beside the short form. */
const CURRENT_WITHIN = times(60_000, 10_000);
/** ms: how long anything may take that a busy machine delays. */
const PATIENCE = times(120_000, 600_000);
/** ms before now at which the clocks of devices begin: they run faster than ours. */
const AGO = 20 * 86_400_000;

const FAULTS = [
  'kill a server',
  'hang a server',
  'kill a gateway',
  'cut off a gateway',
  'kill a worker',
  'cut off a worker',
  'kill a station',
  'cut off a station',
] as const;

/** Ways to all servers, which a test cuts together. */
class Lines {
  readonly #cables: readonly Cable[];

  private constructor(cables: readonly Cable[]) {
    this.#cables = cables;
  }

  static async to(servers: NatsServers): Promise<Lines> {
    const lines = new Lines(await Promise.all(servers.addresses.map((address) => Cable.to(address))));
    onTestFinished(() => lines.#cables.forEach((cable) => cable.close()));
    return lines;
  }

  get environment(): NodeJS.ProcessEnv {
    return { WAYPOST_NATS_SERVERS: this.#cables.map(({ address }) => address.replace('http', 'nats')).join(',') };
  }

  cut(): void {
    for (const cable of this.#cables) cable.cut();
  }

  join(): void {
    for (const cable of this.#cables) cable.join();
  }
}

function inAnyOrder<T>(all: readonly T[], chance: () => number): T[] {
  return all
    .map((each) => ({ each, place: chance() }))
    .sort((one, other) => one.place - other.place)
    .map(({ each }) => each);
}

/** How many confirmed records a station lacks, and how many it has twice. */
function tracksOf(station: TestStation, confirmed: ReadonlyMap<number, readonly number[]>) {
  const file = new TrackFile(join(station.directory, 'tracks.db'));
  try {
    let [missing, twice] = [0, 0];
    for (const [vehicle, expected] of confirmed) {
      const there = [...file.pages(vehicle, 0, Number.MAX_SAFE_INTEGER)].flat().map(({ time }) => Number(time));
      const kept = new Set(there);
      twice += there.length - kept.size;
      missing += expected.filter((time) => !kept.has(time)).length;
    }
    return { missing, twice };
  } finally {
    file.close();
  }
}

// Debian's nats-server: `node .ci/prepare.mjs` tries to get it; skipped where it cannot be had.
describe.skipIf(!HAS_NATS)('a region of servers, stations, gateways, workers and consoles', () => {
  const TITLE = `keeps every confirmed position, its events and every task through faults of any of them (WAYPOST_SEED=${SEED})`;
  test(TITLE, { timeout: 1_200_000 + MINUTES * 120_000 }, async () => {
    const chance = numbers(SEED);
    const one = (count: number) => Math.floor(chance() * count);
    const servers = await NatsServers.start(SERVERS);
    onTestFinished(() => servers.close());
    const plain = { WAYPOST_NATS_SERVERS: servers.addresses.join(','), WAYPOST_NATS_REPLICAS: '3' };
    // One of each kind has its own ways to the servers.
    const [stationLines, gatewayLines, workerLines] = await Promise.all([1, 2, 3].map(() => Lines.to(servers)));
    const [firstPort, cleanPort, ...gatewayPorts] = (await freePorts(2 + GATEWAYS)) as [number, number, ...number[]];
    const trusting = { WAYPOST_TRUSTED_PROXIES: '127.0.0.1' };
    const stations = await startStations(STATIONS, (number) => ({
      ...{ ...plain, ...trusting, ...(number === STATIONS && stationLines!.environment) },
      ...(number === 1 && { WAYPOST_PORT: String(firstPort) }),
    }));
    const [first] = stations as [TestStation];
    await areInOneRegion(stations, PATIENCE);

    const vehicles: { id: number; imei: string; glonassId: number }[] = [];
    for (let at = 0; at < VEHICLES; at++) {
      const [imei, glonassId] = [`86700000000000${at}`.slice(-15), 100 + at];
      const { id } = await first.ask<{ id: number }>('POST', '/cars', { name: `Van ${at}`, glonassId, devimei: imei });
      vehicles.push({ id, imei, glonassId });
    }
    const geometry = { type: 'Point', coordinates: [14.5, 35.05] };
    await first.ask('POST', '/geozones', { name: 'Depot', geometry, radius: 400 });
    await areInOneRegion(stations, PATIENCE);
    // The same records, in no region: it gets every position in order.
    const clean = new TestStation(1, { WAYPOST_WIALON_PORT: String(cleanPort) });
    await first.end();
    cpSync(first.directory, clean.directory, { recursive: true });
    await first.start();

    const consoles = new TestStation(0, {
      ...{ ...plain, WAYPOST_ROLE: 'consoles', WAYPOST_CONSOLES_STATIONS: `1=${first.address}` },
    });
    const workers = Array.from(
      { length: WORKERS },
      (_, at) => new WorkerProcess({ ...plain, ...(at === 0 && workerLines!.environment) }),
    );
    const gateways = gatewayPorts.map(
      (port, at) => new GatewayProcess(port, { ...plain, ...(at === 0 && gatewayLines!.environment) }),
    );
    onTestFinished(async () => {
      await Promise.all([clean, consoles, ...gateways].map((each) => each.end('SIGKILL')));
      await Promise.all(workers.map((worker) => worker.lose()));
      for (const { directory } of [clean, consoles]) rmSync(directory, { recursive: true, force: true });
    });
    await Promise.all([consoles.start(), ...gateways.map((gateway) => gateway.start())]);
    await Promise.all(workers.map((worker) => worker.start()));

    const picture = new ConsolePicture(
      consoles,
      vehicles.map(({ glonassId }) => glonassId),
    );
    onTestFinished(() => picture.close());
    const from = Math.floor(Date.now() / 1000) * 1000 - AGO;
    const devices = vehicles.map(
      ({ imei }, at) => new WialonDevice(imei, gatewayPorts, stopAndGo(from, at), at % GATEWAYS, PAUSE),
    );
    onTestFinished(async () => {
      await Promise.all(devices.map((device) => device.stop()));
    });
    const confirmed = () => devices.reduce((sum, device) => sum + device.confirmed.length, 0);
    const goesOn = async () => {
      const before = confirmed();
      await expect.poll(confirmed, { interval: 20, timeout: PATIENCE }).toBeGreaterThanOrEqual(before + BETWEEN);
    };
    /** ms until the console shows all that is confirmed now. */
    const untilCurrent = async (): Promise<number> => {
      const wanted = devices.map((device) => device.confirmed.reduce((a, b) => Math.max(a, b), 0));
      const began = performance.now();
      const late = () => vehicles.filter(({ glonassId }, at) => picture.shownAt(glonassId) < wanted[at]!).length;
      await expect.poll(late, { interval: 50, timeout: PATIENCE }).toBe(0);
      return performance.now() - began;
    };

    const said: string[] = [];
    const current: number[] = [];
    const tasks: { id: number; title: string }[] = [];
    const during = async (break_: () => unknown, mend: () => unknown) => {
      await break_();
      await goesOn();
      await mend();
    };
    const cutOff = (lines: Lines) =>
      during(
        () => lines.cut(),
        () => lines.join(),
      );
    const bring = async (fault: (typeof FAULTS)[number]) => {
      const at = { server: one(SERVERS), gateway: one(GATEWAYS), worker: one(WORKERS), station: one(STATIONS) };
      const killed = { gateway: gateways[at.gateway]!, worker: workers[at.worker]!, station: stations[at.station]! };
      const kill = (what: GatewayProcess | WorkerProcess | TestStation) =>
        during(
          () => what.end('SIGKILL'),
          () => what.start(),
        );
      if (fault === 'kill a server')
        await during(
          () => servers.kill(at.server),
          () => servers.start(at.server),
        );
      else if (fault === 'hang a server')
        await during(
          () => servers.signal(at.server, 'SIGSTOP'),
          () => servers.signal(at.server, 'SIGCONT'),
        );
      else if (fault === 'kill a gateway') await kill(killed.gateway);
      else if (fault === 'kill a worker') await kill(killed.worker);
      else if (fault === 'kill a station') await kill(killed.station);
      else if (fault === 'cut off a gateway') await cutOff(gatewayLines!);
      else if (fault === 'cut off a worker') await cutOff(workerLines!);
      else await cutOff(stationLines!);
    };
    await goesOn();
    await untilCurrent();
    const end = performance.now() + MINUTES * 60_000;
    let coming: (typeof FAULTS)[number][] = [];
    for (
      let isFirst = true;
      isFirst || performance.now() < end || (MINUTES === 0 && coming.length > 0);
      isFirst = false
    ) {
      if (coming.length === 0) coming = inAnyOrder(FAULTS, chance);
      const fault = coming.pop()!;
      said.push(fault);
      await bring(fault);
      current.push(await untilCurrent());
      const title = `After fault ${said.length}`;
      tasks.push({ id: await createTask(stations[one(STATIONS)]!, title), title });
    }
    await Promise.all(devices.map((device) => device.finish()));

    const expected = new Map(vehicles.map(({ id }, at) => [id, devices[at]!.confirmed]));
    for (const station of stations)
      await expect
        .poll(() => tracksOf(station, expected), { interval: 500, timeout: PATIENCE, message: said.join(', ') })
        .toEqual({ missing: 0, twice: 0 });
    await clean.start();
    await Promise.all(devices.map((device, at) => replayInOrder(device, stopAndGo(from, at), cleanPort)));
    await expect.poll(() => tracksOf(clean, expected), { timeout: PATIENCE }).toEqual({ missing: 0, twice: 0 });
    // Silence depends on when a station looks for it.
    await expect
      .poll(() => ({ said, ...differingEvents(first, clean, false) }), {
        interval: 500,
        timeout: PATIENCE,
        message: workers.map((worker) => worker.said).join('\n'),
      })
      .toEqual({ said, missing: [], surplus: [] });
    await areInOneRegion(stations, PATIENCE);
    for (const { id, title } of tasks)
      for (const station of stations) {
        const { news_data: task } = await station.ask<{ news_data: { title: string } }>('GET', `/news/${id}`);
        expect(task.title, said.join(', ')).toBe(title);
      }
    const late = said
      .map((fault, at) => ({ fault, ms: Math.round(current[at]!) }))
      .filter(({ ms }) => ms > CURRENT_WITHIN);
    if (LONG)
      console.warn(
        `${said.length} faults, ${confirmed()} records; a console was current after ${Math.round(Math.max(...current))} ms at most.`,
      );
    expect(late).toEqual([]);
    expect(await gateways[0]!.end('SIGTERM')).toBe(0);
    expect(await workers[0]!.end('SIGTERM')).toBe(0);
  });
});

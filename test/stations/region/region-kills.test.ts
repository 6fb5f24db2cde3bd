import { describe, expect, onTestFinished, test } from 'vitest';
import { numbers, SEED } from '../../support/chance.ts';
import { times } from '../../support/long.ts';
import { freePorts } from '../../support/free-ports.ts';
import { HAS_NATS, NatsServers } from '../../support/nats-servers.ts';
import { storedTrack } from '../harness/driving.ts';
import { startStations, type TestStation } from '../harness/linked.ts';
import { areInOneRegion } from './in-one-region.ts';
import { GatewayProcess } from './gateway-process.ts';
import { WialonDevice } from './wialon-device.ts';

/** A server, a gateway and a station are killed in each round, in any order. */
const ROUNDS = times(1, 40);
const KILLS = 3 * ROUNDS;
const VEHICLES = times(4, 40);
/** Records that all devices together get confirmed between two kills. */
const BETWEEN = 60;

async function createTask(station: TestStation, title: string): Promise<number> {
  const { newstype } = await station.ask<{ newstype: { news_type_id: string }[] }>('GET', '/newstype');
  const values = { title, news_type_id: Number(newstype[0]!.news_type_id) };
  return (await station.ask<{ newsId: number }>('POST', '/news/', { values })).newsId;
}

function inAnyOrder<T>(all: readonly T[], chance: () => number): T[] {
  return all
    .map((each) => ({ each, place: chance() }))
    .sort((one, other) => one.place - other.place)
    .map(({ each }) => each);
}

// Debian's nats-server: `node .ci/prepare.mjs` tries to get it; skipped where it cannot be had.
describe.skipIf(!HAS_NATS)('a region of three servers, three stations and two gateways', () => {
  const TITLE = `keeps every confirmed position and task through kills of any of them (WAYPOST_SEED=${SEED})`;
  test(TITLE, { timeout: 240_000 + KILLS * 30_000 }, async () => {
    const chance = numbers(SEED);
    const servers = await NatsServers.start(3);
    onTestFinished(() => servers.close());
    const environment = { WAYPOST_NATS_SERVERS: servers.addresses.join(','), WAYPOST_NATS_REPLICAS: '3' };
    const stations = await startStations(3, environment);
    await areInOneRegion(stations);

    const vehicles: { id: number; imei: string }[] = [];
    for (let at = 0; at < VEHICLES; at++) {
      const imei = `86700000000000${at}`.slice(-15);
      const body = { name: `Van ${at}`, glonassId: 100 + at, devimei: imei };
      const { id } = await stations[at % 3]!.ask<{ id: number }>('POST', '/cars', body);
      vehicles.push({ id, imei });
    }
    const ports = await freePorts(2);
    const gateways = ports.map((port) => new GatewayProcess(port, environment));
    onTestFinished(async () => {
      for (const gateway of gateways) await gateway.end('SIGKILL');
    });
    await Promise.all(gateways.map((gateway) => gateway.start()));

    const from = Math.floor(Date.now() / 1000) * 1000 - 6 * 3_600_000;
    const devices = vehicles.map(({ imei }, at) => new WialonDevice(imei, ports, from, at % 2));
    onTestFinished(async () => {
      await Promise.all(devices.map((device) => device.stop()));
    });
    const confirmed = () => devices.reduce((sum, device) => sum + device.confirmed.length, 0);
    const goesOn = async () => {
      const before = confirmed();
      await expect.poll(confirmed, { interval: 20 }).toBeGreaterThanOrEqual(before + BETWEEN);
    };
    const tasks: { id: number; title: string }[] = [];
    const said: string[] = [];
    const kills = Array.from({ length: ROUNDS }, () => inAnyOrder(['server', 'gateway', 'station'] as const, chance));
    for (const [kill, what] of kills.flat().entries()) {
      const which = Math.floor(chance() * 6);
      await goesOn();
      if (what === 'server') {
        const at = which % 3;
        said.push(`server ${at}`);
        await servers.kill(at);
        await goesOn(); // two of three go on
        await servers.start(at);
      } else if (what === 'gateway') {
        const at = which % 2;
        said.push(`gateway ${at}`);
        await gateways[at]!.end('SIGKILL');
        await goesOn(); // devices go on at the other one
        await gateways[at]!.start();
      } else {
        const at = which % 3;
        said.push(`station ${at}`);
        await stations[at]!.end('SIGKILL');
        await goesOn();
        await stations[at]!.start();
      }
      const title = `After kill ${kill}`;
      tasks.push({ id: await createTask(stations[which % 3]!, title), title });
    }
    await Promise.all(devices.map((device) => device.stop()));

    await areInOneRegion(stations);
    for (const [at, { id }] of vehicles.entries()) {
      const expected = new Set(devices[at]!.confirmed);
      for (const station of stations) {
        const missing = () => {
          const there = storedTrack(station, id).map(({ time }) => Number(time));
          return {
            missing: [...expected].filter((time) => !there.includes(time)),
            twice: there.length - new Set(there).size,
          };
        };
        await expect.poll(missing, { message: said.join(', ') }).toEqual({ missing: [], twice: 0 });
      }
    }
    // Events follow from the tracks; they are records, which the digests count.
    await areInOneRegion(stations);
    for (const { id, title } of tasks)
      for (const station of stations) {
        const { news_data: task } = await station.ask<{ news_data: { title: string } }>('GET', `/news/${id}`);
        expect(task.title, said.join(', ')).toBe(title);
      }
    expect(await gateways[0]!.end('SIGTERM')).toBe(0);
  });
});

import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePorts } from '../../support/free-ports.ts';
import { HAS_NATS, NatsServers } from '../../support/nats-servers.ts';
import { storedTrack } from '../harness/driving.ts';
import { TestStation } from '../harness/test-station.ts';
import { GatewayProcess } from './gateway-process.ts';
import { areInOneRegion } from './in-one-region.ts';
import { WialonDevice } from './wialon-device.ts';

const IMEI = '867000000000011';
const [CENTRE, DEPOT] = [0, 1];

// Debian's nats-server: `node .ci/prepare.mjs` tries to get it; skipped where it cannot be had.
describe.skipIf(!HAS_NATS)('a depot with a leaf node', () => {
  let servers: NatsServers;
  let stations: [TestStation, TestStation];
  let gateway: GatewayProcess;
  let device: WialonDevice | undefined;
  let vehicle: number;

  beforeAll(async () => {
    servers = await NatsServers.withDepot();
    const at = (server: number) => ({
      WAYPOST_NATS_SERVERS: servers.addresses[server]!,
      WAYPOST_NATS_DOMAIN: 'centre',
      WAYPOST_NATS_DEPOTS: 'depot',
    });
    stations = [new TestStation(1, at(CENTRE)), new TestStation(2, at(DEPOT))];
    await Promise.all(stations.map((station) => station.start()));
    const [port] = await freePorts(1);
    gateway = new GatewayProcess(port!, { ...at(DEPOT), WAYPOST_NATS_DEPOT: 'depot' });
  });
  afterAll(async () => {
    await device?.stop();
    await gateway?.end('SIGKILL');
    for (const station of stations ?? []) {
      await station.end('SIGKILL');
      rmSync(station.directory, { recursive: true, force: true });
    }
    await servers.close();
  });

  const confirmed = () => device?.confirmed.length ?? 0;
  const goesOn = async () => {
    const before = confirmed();
    await expect.poll(confirmed, { interval: 20 }).toBeGreaterThanOrEqual(before + 30);
  };
  const times = (station: TestStation) => storedTrack(station, vehicle).map(({ time }) => Number(time));
  const hasAll = (station: TestStation) =>
    expect.poll(() => device!.confirmed.filter((time) => !times(station).includes(time))).toEqual([]);

  test('while the centre is away, its leaf node stores positions, and its station keeps them', async () => {
    await areInOneRegion(stations);
    const body = { name: 'Van', glonassId: 11, devimei: IMEI };
    ({ id: vehicle } = await stations[0].ask<{ id: number }>('POST', '/cars', body));
    await areInOneRegion(stations);
    await gateway.start();
    const from = Math.floor(Date.now() / 1000) * 1000 - 3_600_000;
    device = new WialonDevice(IMEI, [gateway.port], from);
    await goesOn();
    await servers.kill(CENTRE);
    await goesOn();
    await hasAll(stations[1]);
    for (const station of stations)
      await expect.poll(() => station.ask('GET', '/health')).toMatchObject({ status: 'degraded' });
    await goesOn();
  });

  test('when the centre is back, both stations have every confirmed position once, and the same records', async () => {
    const { newstype } = await stations[1].ask<{ newstype: { news_type_id: string }[] }>('GET', '/newstype');
    const values = { title: 'Made at the depot', news_type_id: Number(newstype[0]!.news_type_id) };
    const { newsId } = await stations[1].ask<{ newsId: number }>('POST', '/news/', { values });
    await servers.start(CENTRE);
    await goesOn();
    await device!.stop();
    for (const station of stations) {
      await hasAll(station);
      expect(new Set(times(station)).size).toBe(times(station).length);
    }
    await areInOneRegion(stations);
    expect(await stations[0].ask('GET', `/news/${newsId}`)).toMatchObject({
      news_data: { title: 'Made at the depot' },
    });
  });
});

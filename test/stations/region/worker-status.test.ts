import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePorts } from '../../support/free-ports.ts';
import { HAS_NATS, NatsServers } from '../../support/nats-servers.ts';
import { TestStation } from '../harness/test-station.ts';
import { GatewayProcess } from './gateway-process.ts';
import { WialonDevice } from './wialon-device.ts';
import { WorkerProcess } from './worker-process.ts';

const IMEI = '867000000000017';

describe.skipIf(!HAS_NATS)('what an event worker says of itself', () => {
  let servers: NatsServers;
  let station: TestStation;
  let gateway: GatewayProcess;
  let worker: WorkerProcess;
  let port: number;

  beforeAll(async () => {
    servers = await NatsServers.start();
    const region = { WAYPOST_NATS_SERVERS: servers.addresses.join(',') };
    const [trackers, status] = await freePorts(2);
    port = status!;
    station = await new TestStation(1, region).start();
    gateway = new GatewayProcess(trackers!, region);
    worker = new WorkerProcess({ ...region, WAYPOST_WORKER_PORT: String(port) });
  });
  afterAll(async () => {
    await Promise.all([gateway, station].map((each) => each.end('SIGKILL')));
    await worker.lose();
    rmSync(station.directory, { recursive: true, force: true });
    await servers.close();
  });

  const ask = (path: string, method = 'GET') => fetch(`http://127.0.0.1:${port}${path}`, { method });
  const statusOf = (path: string) =>
    ask(path).then(
      ({ status }) => status,
      () => 0,
    );
  const health = async () => (await ask('/health')).json();
  const figure = async (name: string) => {
    const lines = (await (await ask('/metrics')).text()).split('\n');
    return Number(lines.find((line) => line.startsWith(`${name} `))?.slice(name.length));
  };

  test('before its servers answer it is alive, and not ready', async () => {
    await servers.kill();
    const started = worker.start();
    started.catch(() => undefined);
    await expect.poll(() => statusOf('/health')).toBe(200);
    expect(await health()).toMatchObject({
      status: 'degraded',
      problems: [{ code: 'region.away' }, { code: 'worker.waiting' }],
      worker: { region: 'main', partitions: [] },
    });
    expect(await statusOf('/ready')).toBe(503);
    expect(await figure('waypost_region_connected')).toBe(0);
    await servers.start();
    await started;
    await expect.poll(() => statusOf('/ready')).toBe(200);
    await expect.poll(() => figure('waypost_worker_partitions')).toBe(8);
    expect(await health()).toMatchObject({
      status: 'ok',
      problems: [],
      worker: { partitions: [0, 1, 2, 3, 4, 5, 6, 7] },
    });
  });

  test('metrics count what it computed, and name no vehicle', async () => {
    await gateway.start();
    await station.ask('POST', '/cars', { name: 'Van', glonassId: 17, devimei: IMEI });
    const device = new WialonDevice(IMEI, [gateway.port], Date.now() - 3_600_000);
    await expect.poll(() => figure('waypost_worker_entries_total')).toBeGreaterThan(3);
    await device.stop();
    expect(await figure('waypost_worker_partitions_total{result="taken"}')).toBeGreaterThanOrEqual(8);
    await expect.poll(() => figure('waypost_worker_vehicles_waiting')).toBe(0);
    expect(await (await ask('/metrics')).text()).not.toContain('86700000');
  });

  test('it answers nothing else', async () => {
    expect(await statusOf('/docs')).toBe(404);
    expect((await ask('/health', 'POST')).status).toBe(405);
  });
});

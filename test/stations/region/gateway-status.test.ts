import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { beforeAll, afterAll, describe, expect, test } from 'vitest';
import { freePorts } from '../../support/free-ports.ts';
import { HAS_NATS, NatsServers } from '../../support/nats-servers.ts';
import { TestStation } from '../harness/test-station.ts';
import { GatewayProcess } from './gateway-process.ts';

const IMEI = '867000000000017';

// Debian's nats-server: `node .ci/prepare.mjs` tries to get it; skipped where it cannot be had.
describe.skipIf(!HAS_NATS)('what a gateway says of itself', () => {
  let servers: NatsServers;
  let station: TestStation;
  let gateway: GatewayProcess;
  let port: number;

  beforeAll(async () => {
    servers = await NatsServers.start();
    const environment = { WAYPOST_NATS_SERVERS: servers.addresses.join(',') };
    station = await new TestStation(1, environment).start();
    const [trackers, status] = await freePorts(2);
    port = status!;
    gateway = new GatewayProcess(trackers!, { ...environment, WAYPOST_GATEWAY_PORT: String(port) });
  });
  afterAll(async () => {
    await gateway.end('SIGKILL');
    await station.end('SIGKILL');
    rmSync(station.directory, { recursive: true, force: true });
    await servers.close();
  });

  const ask = (path: string, method = 'GET') => fetch(`http://127.0.0.1:${port}${path}`, { method });
  const figure = async (name: string) => {
    const text = await (await ask('/metrics')).text();
    return Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.slice(name.length),
    );
  };

  test('before its servers answer it is alive, and not ready', async () => {
    await servers.kill();
    const started = gateway.start();
    started.catch(() => undefined);
    await expect
      .poll(() =>
        ask('/health').then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(200);
    expect(await (await ask('/health')).json()).toMatchObject({
      status: 'degraded',
      problems: [{ code: 'region.away' }, { code: 'gateway.waiting' }],
      gateway: { region: 'main', vehicles: 0 },
    });
    expect((await ask('/ready')).status).toBe(503);
    expect(await figure('waypost_region_connected')).toBe(0);
    await servers.start();
    await started;
    await expect.poll(async () => (await ask('/ready')).status).toBe(200);
    expect(await (await ask('/health')).json()).toMatchObject({ status: 'ok', problems: [] });
  });

  test('metrics count what trackers sent, and name none of them', async () => {
    await station.ask('POST', '/cars', { name: 'Van', glonassId: 17, devimei: IMEI });
    await expect.poll(() => figure('waypost_gateway_vehicles')).toBe(1);
    expect(await talk('#L#867000000000099;NA')).toEqual(['#AL#0']);
    const record = '#D#010626;120000;5530.0000;N;03730.0000;E;36;0;20;9;1;0;0;;NA;';
    expect(await talk(`#L#${IMEI};NA`, record)).toEqual(['#AL#1', '#AD#1']);
    expect(await figure('waypost_gateway_packets_total{result="stored"}')).toBe(1);
    expect(await figure('waypost_gateway_unknown_total')).toBe(1);
    expect(await figure('waypost_gateway_packets_waiting')).toBe(0);
    expect(await (await ask('/metrics')).text()).not.toContain('8670000000000');
  });

  test('other paths and methods are refused, and it lives on', async () => {
    expect((await ask('/cars')).status).toBe(404);
    expect((await ask('/constructor')).status).toBe(404);
    expect((await ask('/health', 'POST')).status).toBe(405);
    expect((await ask('/health', 'HEAD')).status).toBe(200);
    expect((await ask('/ready')).status).toBe(200);
  });

  test('without its servers it is alive and not ready, and ready when they are back', async () => {
    await servers.kill();
    await expect.poll(async () => (await ask('/ready')).status).toBe(503);
    expect(await (await ask('/health')).json()).toMatchObject({ problems: [{ code: 'region.away' }] });
    await servers.start();
    await expect.poll(async () => (await ask('/ready')).status).toBe(200);
  });

  /** What the gateway answers to each line. */
  async function talk(...lines: readonly string[]): Promise<string[]> {
    const socket = connect(gateway.port, '127.0.0.1');
    const answers: string[] = [];
    try {
      await once(socket, 'connect');
      for (const line of lines) {
        socket.write(`${line}\r\n`);
        const [bytes] = (await once(socket, 'data')) as [Buffer];
        answers.push(bytes.toString().trim());
      }
      return answers;
    } finally {
      socket.destroy();
    }
  }
});

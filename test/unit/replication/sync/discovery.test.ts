import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { browseStations } from '../../../../electron/connect/browse-stations.ts';
import type { StationNearby } from '../../../../electron/connect/states.ts';
import { Discovery } from '../../../../server/replication/sync/links/discovery.ts';
import { eventually } from '../../../support/eventually.ts';

/** A port on which no other program of this machine speaks multicast DNS. */
async function freePort(): Promise<number> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  await new Promise<void>((resolve) => socket.close(() => resolve()));
  return port;
}

const FINGERPRINT = Array(32).fill('AB').join(':');

function discovery(number: number, port: number, name = `Station ${number}`): Discovery {
  const opened = new Discovery({
    own: { id: `station${number}`, number, name },
    port: 8440 + number,
    fingerprint: FINGERPRINT,
    warn: (message) => {
      throw new Error(message);
    },
    multicast: { interface: '127.0.0.1', port },
  });
  onTestFinished(() => opened.close());
  return opened;
}

test('[sync 24] stations on one network find each other, and forget one that ends', async () => {
  const port = await freePort();
  const first = discovery(1, port);
  const heard: string[] = [];
  first.onFound(({ name }) => heard.push(name));
  const second = discovery(2, port, 'Депо «Север» '.repeat(12));
  await eventually(() => {
    expect(first.all()).toMatchObject([
      { id: 'station2', number: 2, address: 'https://127.0.0.1:8442', fingerprint: FINGERPRINT },
    ]);
    expect(second.all()).toMatchObject([{ id: 'station1', name: 'Station 1', address: 'https://127.0.0.1:8441' }]);
  });
  expect(first.all()[0]!.name).toMatch(/^Депо «Север» Депо/);
  expect(heard).toHaveLength(1);
  await second.close();
  await eventually(() => expect(first.all()).toEqual([]));
});

test('[sync 24] what is no station is not shown', async () => {
  const port = await freePort();
  const first = discovery(1, port);
  const { Bonjour } = await import('bonjour-service');
  const others = new Bonjour({ interface: '127.0.0.1', bind: '0.0.0.0', port } as object);
  onTestFinished(() => new Promise<void>((resolve) => others.destroy(() => resolve())));
  others.publish({ name: 'printer', type: 'waypost', port: 9100, probe: false, txt: { id: '<b>', number: 'x' } });
  const second = discovery(2, port);
  await eventually(() => expect(second.all().length + first.all().length).toBe(2));
  expect(first.all().map(({ id }) => id)).toEqual(['station2']);
});

test('the desktop program finds a station without being one, and hears that it ends', async () => {
  const port = await freePort();
  let nearby: readonly StationNearby[] = [];
  const stop = browseStations((found) => (nearby = found), { multicast: { interface: '127.0.0.1', port } });
  onTestFinished(() => stop());
  const station = discovery(1, port);
  await eventually(() =>
    expect(nearby).toEqual([{ name: 'Station 1', address: 'https://127.0.0.1:8441', fingerprint: FINGERPRINT }]),
  );
  expect(station.all()).toEqual([]);
  await station.close();
  await eventually(() => expect(nearby).toEqual([]));
});

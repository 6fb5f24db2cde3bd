import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { HAS_MOSQUITTO, Mosquitto } from '../../support/mosquitto.ts';
import { TraccarStandIn } from '../../support/traccar-stand-in.ts';
import { tryStation, type TryStation } from '../try-station.ts';

/** A Traccar server that forwards to a broker (`forward.type` and `event.forward.type` mqtt). */
const traccar = new TraccarStandIn();
const IMEI = 'traccar-1';
let broker: Mosquitto;
let at: TryStation;
let admin: string;
let van: number;

beforeAll(async () => {
  if (!HAS_MOSQUITTO) return;
  broker = await Mosquitto.start();
  await traccar.start();
  traccar.devices.set(IMEI, 3);
  at = await tryStation({
    ...{ 'mqtt.url': broker.url, 'mqtt.topics': ['positions', 'events'] },
    ...{ 'traccar.url': traccar.url, 'traccar.token': traccar.token },
  });
  admin = await at.signIn();
  van = (await at.ok('POST', '/cars', { as: admin, body: { name: 'Van', devimei: IMEI } })).id;
}, 60_000);
afterAll(async () => {
  await at?.stop();
  await traccar.stop();
  await broker?.close();
});

const device = { id: 3, uniqueId: IMEI };
const event = (type: string, attributes: object) =>
  broker.publish('events', [{ event: { id: 9, deviceId: 3, type, attributes }, device }]);
const newest = async () => (await at.ok('GET', `/cars/${van}/commands`, { as: admin }))[0];
const send = (text: string) => at.ok('POST', `/cars/${van}/commands`, { as: admin, body: { text } });

test.skipIf(!HAS_MOSQUITTO)(
  'commands go to a device known from the broker, and its answers come back by the broker',
  async () => {
    const now = Date.now();
    const position = {
      fixTime: new Date(now).toISOString(),
      latitude: 47.1,
      longitude: 9.5,
      valid: true,
      attributes: {},
    };
    await eventually(async () => {
      await broker.publish('positions', [{ position, device }]);
      const track = `/cars/${van}/track?from=${now - 60_000}&till=${now + 60_000}`;
      expect(await at.ok('GET', track, { as: admin })).toHaveLength(1);
    });
    await send('getver');
    await expect.poll(newest).toMatchObject({ state: 'sent', protocol: 'traccar' });
    await event('deviceOnline', {});
    await event('commandResult', { result: 'Ver:1' });
    await expect.poll(newest).toMatchObject({ state: 'answered', answer: 'Ver:1' });

    traccar.fate = 'offline';
    await send('reboot');
    await expect.poll(newest).toMatchObject({ state: 'relayed' });
    await event('queuedCommandSent', { id: 1 });
    await expect.poll(newest).toMatchObject({ state: 'sent' });
    await event('commandResult', { result: 'OK' });
    await expect.poll(newest).toMatchObject({ state: 'answered', answer: 'OK' });
    // Events without a position are no faults.
    expect(await at.ok('GET', '/telemetry/quarantine', { as: admin })).toEqual([]);
  },
);

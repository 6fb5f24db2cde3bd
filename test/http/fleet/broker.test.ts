import { afterAll, beforeAll, expect, test } from 'vitest';
import { BrokerIntake } from '../../../server/tracking/telemetry/index.ts';
import { Chance } from '../../support/chance.ts';
import { eventually } from '../../support/eventually.ts';
import { firstPacketServer, mqttText } from '../../support/first-packet.ts';
import { HAS_MOSQUITTO, Mosquitto } from '../../support/mosquitto.ts';
import { HAS_NATS } from '../../support/nats-servers.ts';
import { NatsBroker } from '../../support/nats-broker.ts';
import { tryStation, type TryStation } from '../try-station.ts';

const NOON = Date.UTC(2026, 5, 1, 12);
const TOPICS = ['owntracks/+/+', 'msh/+/2/json/+/+', 'traccar'];
let broker: Mosquitto;
let at: TryStation;
let admin: string;
let phone: number;
let node: number;

const newVehicle = async (name: string, devimei: string): Promise<number> =>
  (await at.ok('POST', '/cars', { as: admin, body: { name, devimei } })).id;
const track = (id: number, from: number, seconds = 59): Promise<{ time: number }[]> =>
  at.ok('GET', `/cars/${id}/track?from=${from}&till=${from + seconds * 1_000}`, { as: admin });
const location = (time: number, lat = 47.1) => ({
  _type: 'location',
  tid: 'p',
  lat,
  lon: 9.5,
  tst: time / 1000,
  vel: 36,
});

beforeAll(async () => {
  if (!HAS_MOSQUITTO) return;
  broker = await Mosquitto.start();
  at = await tryStation({ 'mqtt.url': broker.url, 'mqtt.topics': TOPICS });
  admin = await at.signIn();
  phone = await newVehicle('Van', 'phone-1');
  node = await newVehicle('Walker', '!7efeee00');
}, 60_000);
afterAll(async () => {
  await at?.stop();
  await broker?.close();
});

test.skipIf(!HAS_MOSQUITTO)('OwnTracks, Traccar and Meshtastic come in through Mosquitto, each once', async () => {
  const traccar = {
    position: { fixTime: '2026-06-01T12:00:20.000+00:00', latitude: 47.2, longitude: 9.6, speed: 10, valid: true },
    device: { id: 3, uniqueId: 'phone-1' },
  };
  const meshtastic = {
    ...{
      channel: 0,
      from: 2_130_636_288,
      id: 452_664_778,
      sender: '!7efeee00',
      timestamp: 1,
      to: -1,
      type: 'position',
    },
    payload: {
      latitude_i: 471_000_000,
      longitude_i: 95_000_000,
      time: NOON / 1000,
      altitude: 7,
      ground_track: 9_000_000,
    },
  };
  const telemetry = { ...meshtastic, type: 'telemetry', payload: { battery_level: 99 } };
  await eventually(async () => {
    await broker.publish('owntracks/anna/phone-1', [location(NOON), location(NOON), { _type: 'lwt', tst: 1 }]);
    expect(await track(phone, NOON, 10)).toMatchObject([{ time: NOON, lat: 47.1, lon: 9.5, speed: 36 }]);
  });
  await broker.publish('traccar', [traccar]);
  await broker.publish('msh/EU_868/2/json/LongFast/!7efeee00', [telemetry, meshtastic]);
  await eventually(async () => {
    expect(await track(phone, NOON + 15_000)).toMatchObject([{ time: NOON + 20_000, speed: 18.52 }]);
    expect(await track(node, NOON)).toMatchObject([{ time: NOON, lat: 47.1, lon: 9.5, direction: 90, height: 7 }]);
  });
});

test('the broker gets a password with colons whole', async () => {
  const server = await firstPacketServer();
  const intake = new BrokerIntake(
    { ingest: () => expect.unreachable(), quarantine: () => expect.unreachable() },
    {
      ...{ url: `mqtt://station:a%3Ab:c@127.0.0.1:${server.port}`, topics: TOPICS, clientId: 'x' },
      ...{ authority: undefined, log: { info: () => undefined, warn: () => undefined } },
    },
  );
  try {
    const packet = await server.packet;
    expect(packet.includes(Buffer.concat([mqttText('station'), mqttText('a:b:c')]))).toBe(true);
  } finally {
    await intake.close();
    server.close();
  }
});

test('a certificate that cannot be read is reported, and read again', async () => {
  const told: string[] = [];
  const intake = new BrokerIntake(
    { ingest: () => expect.unreachable(), quarantine: () => expect.unreachable() },
    {
      ...{ url: 'mqtts://127.0.0.1:1', topics: TOPICS, clientId: 'x', authority: '/no-such-authority.pem' },
      log: { info: () => undefined, warn: (message) => void told.push(message) },
    },
  );
  await eventually(() => expect(told).toEqual([expect.stringContaining('no-such-authority.pem')]));
  await intake.close();
});

test.skipIf(!HAS_MOSQUITTO)('what comes while the broker or the station is away is taken in afterwards', async () => {
  const from = NOON + 60_000;
  await broker.stop();
  await broker.start();
  await broker.publish('owntracks/anna/phone-1', [location(from)]);
  await eventually(async () => expect(await track(phone, from)).toHaveLength(1));
  const { directory } = at;
  await at.station.stop();
  await broker.publish('owntracks/anna/phone-1', [location(from + 10_000), location(from + 5_000)]);
  at = await tryStation({ 'data': directory, 'mqtt.url': broker.url, 'mqtt.topics': TOPICS });
  admin = await at.signIn();
  await eventually(async () =>
    expect((await track(phone, from)).map(({ time }) => time - from)).toEqual([0, 5_000, 10_000]),
  );
});

test.skipIf(!HAS_MOSQUITTO)('a publication that could not be stored comes again', async () => {
  const topic = 'owntracks/anna/again';
  let failures = 3;
  const stored: unknown[] = [];
  const warned: string[] = [];
  let isFollowing = false;
  const intake = new BrokerIntake(
    {
      ingest: (records) => {
        if (failures-- > 0) return Promise.reject(new Error('the disk is away'));
        stored.push(...records);
        return Promise.resolve({ accepted: records.length, duplicates: 0, quarantined: [] });
      },
      quarantine: () => Promise.resolve(0),
    },
    {
      ...{ url: broker.url, topics: [topic], clientId: 'again', authority: undefined },
      log: { info: () => (isFollowing = true), warn: (message) => void warned.push(message) },
    },
  );
  try {
    await eventually(() => expect(isFollowing).toBe(true));
    await broker.publish(topic, [location(NOON), location(NOON + 1_000)]);
    const times = () => new Set(stored.map((record) => (record as { time: number }).time));
    await eventually(() => expect(times()).toEqual(new Set([NOON, NOON + 1_000])));
    expect(warned[0]).toContain('the disk is away');
  } finally {
    await intake.close();
  }
});

test.skipIf(!HAS_MOSQUITTO)(
  '3,000 random wrong publications change nothing, and the next right one is stored',
  async () => {
    const { next: random } = new Chance();
    const values = [
      null,
      -1,
      1e300,
      'x',
      '2026-13-40',
      [],
      {},
      true,
      NOON,
      '__proto__',
      91,
      '9'.repeat(100),
      -2_130_636_288,
    ];
    const any = () => values[Math.floor(random() * values.length)];
    const inside = (...names: string[]) => Object.fromEntries(names.map((name) => [name, any()]));
    const kinds = [
      () => ({ _type: 'location', ...inside('lat', 'lon', 'tst', 'vel', 'tid', 'cog') }),
      () => ({
        type: 'position',
        ...inside('from', 'timestamp'),
        payload: inside('latitude_i', 'longitude_i', 'time'),
      }),
      () => ({ device: any(), position: inside('fixTime', 'latitude', 'longitude', 'speed') }),
      () => '{"_type":"location","lat":',
      () => JSON.stringify(any()),
      () => '{"_type":"encrypted","data":"abc"}',
    ];
    const wrong = Array.from({ length: 3_000 }, () => kinds[Math.floor(random() * kinds.length)]!());
    await broker.publish('owntracks/anna/wrong', wrong);
    await broker.publish('owntracks/anna/phone-1', ['x'.repeat(300_000)]);
    const from = NOON + 180_000;
    await broker.publish('owntracks/anna/phone-1', [location(from)]);
    await eventually(async () => expect(await track(phone, from)).toHaveLength(1));
    const reasons = (await at.ok('GET', '/telemetry/quarantine?limit=1000', { as: admin })).map(
      ({ reason }: { reason: string }) => reason,
    );
    expect(new Set(reasons)).toContain('the publication is not JSON');
    expect(new Set(reasons)).toContain('the publication is encrypted, and the station has no key');
  },
);

test.skipIf(!HAS_NATS)('a broker that speaks only MQTT 3.1.1 is followed in that version', async () => {
  const old = await NatsBroker.start();
  const stored: unknown[] = [];
  const intake = new BrokerIntake(
    {
      ingest: (records) => {
        stored.push(...records);
        return Promise.resolve({ accepted: records.length, duplicates: 0, quarantined: [] });
      },
      quarantine: () => Promise.resolve(0),
    },
    {
      ...{ url: old.url, topics: ['owntracks/+/+'], clientId: 'old', authority: undefined },
      log: { info: () => undefined, warn: () => undefined },
    },
  );
  try {
    await eventually(async () => {
      await old.publish('owntracks/anna/phone-1', JSON.stringify(location(NOON)));
      expect(stored[0]).toMatchObject({ imei: 'phone-1', time: NOON });
    });
  } finally {
    await intake.close();
    await old.close();
  }
});

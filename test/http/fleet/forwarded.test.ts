import { afterAll, beforeAll, expect, test } from 'vitest';
import { Chance } from '../../support/chance.ts';
import { tryStation, type TryStation } from '../try-station.ts';

const NOON = Date.UTC(2026, 5, 1, 12);
let station: TryStation;
let admin: string;
let key: string;
let carId: number;

beforeAll(async () => {
  station = await tryStation();
  admin = await station.signIn();
  ({ id: carId } = await station.ok('POST', '/cars', { as: admin, body: { name: 'Van', devimei: 'phone-1' } }));
  const body = { name: 'trackers', scopes: ['telemetry'], expiresAt: null };
  key = (await station.ok('POST', '/auth/keys', { as: admin, body })).token;
});
afterAll(() => station.stop());

const track = (from: number) =>
  station.ok('GET', `/cars/${carId}/track?from=${from}&till=${from + 59_000}`, { as: admin });

test('Traccar: what a server forwards, once', async () => {
  const body = {
    position: {
      id: 7,
      attributes: { batteryLevel: 82, ignition: true, sat: 9, motion: true },
      deviceId: 3,
      protocol: 'gt06',
      serverTime: '2026-06-01T12:00:02.000+00:00',
      deviceTime: '2026-06-01T12:00:00.000+00:00',
      fixTime: '2026-06-01T12:00:00.000+00:00',
      valid: true,
      latitude: 47.14,
      longitude: 9.52,
      altitude: 460,
      speed: 10,
      course: 90,
      accuracy: 0,
      network: null,
    },
    device: { id: 3, attributes: {}, name: 'Phone', uniqueId: 'phone-1', status: 'online' },
  };
  const send = () => station.ok('POST', '/telemetry/traccar', { as: key, body });
  expect(await send()).toEqual({ accepted: 1, duplicates: 0, quarantined: 0 });
  expect(await send()).toEqual({ accepted: 0, duplicates: 1, quarantined: 0 });
  expect(await track(NOON)).toMatchObject([
    { time: NOON, lat: 47.14, lon: 9.52, speed: 18.52, direction: 90, height: 460 },
  ]);
  const event = { event: { id: 1, type: 'deviceOffline', deviceId: 3 }, device: body.device };
  expect(await station.ok('POST', '/telemetry/traccar', { as: key, body: event })).toMatchObject({ accepted: 0 });
});

test('OwnTracks: a location is stored, and the answer is the empty list that the app wants', async () => {
  const at = NOON + 60_000;
  const body = {
    _type: 'location',
    tid: 'p1',
    lat: 47.15,
    lon: 9.53,
    tst: at / 1000,
    vel: 36,
    cog: 10,
    alt: 5,
    batt: 9,
  };
  const path = `/telemetry/owntracks?token=${key}&u=anna&d=phone-1`;
  expect(await station.ok('POST', path, { body })).toEqual([]);
  expect(await station.ok('POST', path, { body: { _type: 'lwt', tst: 1 } })).toEqual([]);
  const topic = { ...body, tst: at / 1000 + 10, topic: 'owntracks/anna/phone-1' };
  expect(await station.ok('POST', `/telemetry/owntracks?token=${key}`, { body: topic })).toEqual([]);
  expect((await track(at)).map(({ time, speed }: { time: number; speed: number }) => [time, speed])).toEqual([
    [at, 36],
    [at + 10_000, 36],
  ]);
});

test('GPSLogger: the parameters of its custom URL', async () => {
  const at = NOON + 120_000;
  const query = `token=${key}&id=phone-1&lat=47.16&lon=9.54&timestamp=${at / 1000}&spd=10.0&dir=180.0&alt=1.5&sat=8`;
  expect(await station.ok('POST', `/telemetry/gpslogger?${query}`)).toMatchObject({ accepted: 1 });
  expect(await track(at)).toMatchObject([{ time: at, speed: 36, direction: 180 }]);
  const iso = `token=${key}&aid=phone-1&lat=47.16&lon=9.54&time=2026-06-01T12:02:30.000Z`;
  expect(await station.ok('POST', `/telemetry/gpslogger?${iso}`)).toMatchObject({ accepted: 1 });
});

test('an unknown device and a key without the scope are refused, each in its way', async () => {
  const body = { _type: 'location', lat: 1, lon: 1, tst: NOON / 1000 };
  expect(await station.ok('POST', `/telemetry/owntracks?d=nobody`, { as: key, body })).toEqual([]);
  expect((await station.ask('POST', '/telemetry/owntracks', { body })).status).toBe(401);
  const other = { name: 'reader', scopes: ['read'], expiresAt: null };
  const { token } = await station.ok('POST', '/auth/keys', { as: admin, body: other });
  expect((await station.ask('POST', '/telemetry/traccar', { as: token, body: {} })).status).toBe(403);
});

test('3,000 random wrong messages, many at a time: no 5xx, others are answered meanwhile, the next right one is stored', async () => {
  const { seed, next: random } = new Chance();
  const values = [null, -1, 1e300, 'x', '2026-13-40', [], {}, true, NOON, '__proto__', 91, '9'.repeat(100)];
  const any = () => values[Math.floor(random() * values.length)];
  const inside = (...names: string[]) => Object.fromEntries(names.map((name) => [name, any()]));
  const event = () => ({ type: random() < 0.5 ? 'commandResult' : 'queuedCommandSent', attributes: any() });
  const position = () => ({
    ...inside('fixTime', 'latitude', 'longitude', 'speed', 'course', 'valid'),
    attributes: any(),
  });
  const kinds: (() => [path: string, body: unknown])[] = [
    () => ['traccar', inside('position', 'device', 'event')],
    () => ['traccar', { position: position(), device: inside('uniqueId') }],
    () => ['traccar', { event: event(), device: { uniqueId: random() < 0.5 ? 'phone-1' : any() } }],
    () => ['owntracks', { _type: 'location', ...inside('lat', 'lon', 'tst', 'vel', 'tid', 'topic') }],
    () => [`gpslogger?id=${String(any())}&lat=${String(any())}&lon=${String(any())}&timestamp=x`, {}],
    () => ['traccar', '{"position":{"latitude":'],
  ];
  const send = async (): Promise<void> => {
    const [path, body] = kinds[Math.floor(random() * kinds.length)]!();
    const { status, text } = await station.ask('POST', `/telemetry/${path}`, {
      as: key,
      body,
      ...(typeof body === 'string' && { headers: { 'content-type': 'application/json' } }),
    });
    expect(status, `seed ${seed}: ${path} ${JSON.stringify(body)} ${text}`).toBeLessThan(500);
  };
  const at = NOON + 300_000;
  for (let turn = 0; turn < 60; turn++) {
    const wrong = Array.from({ length: 50 }, send);
    const record = { imei: 'phone-1', time: at + turn * 1_000, lat: 47.2, lon: 9.6 };
    expect(await station.ok('POST', '/telemetry', { as: key, body: record })).toMatchObject({ accepted: 1 });
    await Promise.all(wrong);
  }
  const body = { _type: 'location', lat: 47.2, lon: 9.6, tst: at / 1000 + 70 };
  await station.ok('POST', '/telemetry/owntracks?d=phone-1', { as: key, body });
  expect(await station.ok('GET', `/cars/${carId}/track?from=${at}&till=${at + 80_000}`, { as: admin })).toHaveLength(
    61,
  );
}, 60_000);

import { expect, test } from 'vitest';
import { readOsmandForm, readOsmandJson } from '../../../../../server/tracking/telemetry/decoders/osmand.ts';
import { NOW } from './frames.ts';

test('a position as a query', () => {
  expect(
    readOsmandForm(
      {
        id: '7',
        timestamp: '1760000000',
        lat: '55.5',
        lon: '37.25',
        speed: '10',
        bearing: '90',
        altitude: '120',
        batt: '80',
        hdop: '1.2',
        charge: 'true',
        driverUniqueId: 'A1',
        pump: 'true',
        note: 'x',
        level: '3',
      },
      NOW,
    ),
  ).toEqual({
    device: '7',
    record: {
      time: 1_760_000_000_000,
      position: { lat: 55.5, lon: 37.25 },
      speed: 18.52,
      direction: 90,
      height: 120,
      gpsCount: undefined,
      glonassCount: undefined,
      inputs: 0,
      adc: [],
      params: { battery_level: 80, hdop: 1.2, charge: true, driver_key: 'A1', pump: true, note: 'x', level: 3 },
    },
  });
});

test.each([
  [undefined, NOW],
  ['1760000000', 1_760_000_000_000],
  ['1760000000123', 1_760_000_000_123],
  ['2026-11-20T10:00:00Z', Date.UTC(2026, 10, 20, 10)],
  ['2026-11-20 10:00:00', Date.UTC(2026, 10, 20, 10)],
])('the time %s', (timestamp, time) => {
  const read = readOsmandForm({ deviceid: '7', location: '1,2', ...(timestamp ? { timestamp } : {}) }, NOW);
  expect(read).toMatchObject({ record: { time, position: { lat: 1, lon: 2 } } });
});

test('no coordinates are the last known ones; an invalid position is not believed', () => {
  expect(readOsmandForm({ id: '7' }, NOW)).toMatchObject({ record: { position: undefined, gpsCount: 0 } });
  expect(readOsmandForm({ id: '7', lat: '1', lon: '2', valid: 'false' }, NOW)).toMatchObject({
    record: { position: { lat: 1, lon: 2 }, gpsCount: 0 },
  });
});

test('an accuracy that is too good to be true is left at 0, and the point is kept', () => {
  expect(readOsmandForm({ id: '7', lat: '1', lon: '2', accuracy: '4' }, NOW)).toMatchObject({
    record: { params: { accuracy: 0 } },
  });
  expect(readOsmandForm({ id: '7', lat: '1', lon: '2', accuracy: '14' }, NOW)).toMatchObject({
    record: { params: { accuracy: 14 } },
  });
});

test('cells and wireless networks may be repeated', () => {
  expect(readOsmandForm({ id: '7', cell: ['250,1,2,3', '250,1,2,4'], wifi: 'aa:bb,-60' }, NOW)).toMatchObject({
    record: { params: { cell: '250,1,2,3;250,1,2,4', wifi: 'aa:bb,-60' } },
  });
});

test.each([
  [{}],
  [{ id: '7', lat: 'x', lon: '2' }],
  [{ id: '7', lat: '91', lon: '2' }],
  [{ id: '7', lat: '1' }],
  [{ id: '7', timestamp: 'yesterday' }],
])('%j is answered with what is wrong', (form) => {
  expect(typeof readOsmandForm(form as Record<string, string>, NOW)).toBe('string');
});

test('names and texts are bounded; what is too long for a name is left out', () => {
  const read = readOsmandForm(
    {
      'id': '7',
      'driverUniqueId': 'k'.repeat(70),
      'note': 'n'.repeat(2000),
      'cell': 'c'.repeat(2000),
      ['x'.repeat(65)]: '1',
      ['y'.repeat(64)]: '1',
      '': '1',
    },
    NOW,
  );
  if (typeof read === 'string') throw new Error(read);
  const { driver_key: key, note, cell, ...rest } = read.record.params;
  expect([key, note, cell].map((text) => String(text).length)).toEqual([64, 1344, 1344]);
  expect(rest).toEqual({ ['y'.repeat(64)]: 1 });
});

test('a speed below zero is missing; the bounds of the earth are valid', () => {
  expect(readOsmandForm({ id: '7', lat: '-90', lon: '180', speed: '-1' }, NOW)).toMatchObject({
    record: { position: { lat: -90, lon: 180 }, speed: undefined },
  });
  expect(readOsmandForm({ id: '7', lat: '1', lon: '2', speed: '0' }, NOW)).toMatchObject({ record: { speed: 0 } });
  expect(readOsmandForm({ id: '7', lat: '0', lon: '180.1' }, NOW)).toBe('lat is from -90 to 90, lon from -180 to 180');
  const json = (coords: object, more: object = {}) =>
    readOsmandJson({ device_id: 'a', location: { coords, ...more } }, NOW);
  expect(json({ latitude: 90, longitude: -180, speed: 0, heading: 0 }, { battery: { level: 0 } })).toMatchObject({
    record: { position: { lat: 90, lon: -180 }, speed: 0, params: { battery_level: 0 } },
  });
  expect(json({ latitude: 1, longitude: 180.1 })).toBe('latitude and longitude are degrees');
  expect(
    json(
      { latitude: 1, longitude: 2 },
      {
        battery: { level: -1 },
        extras: { list: [1], ['z'.repeat(65)]: 1, ok: true },
        activity: { type: 'a'.repeat(70) },
      },
    ),
  ).toMatchObject({ record: { params: { ok: true, activity: 'a'.repeat(64) } } });
  const read = json(
    { latitude: 1, longitude: 2 },
    { battery: { level: -1 }, extras: { list: [1], ['z'.repeat(65)]: 1 } },
  );
  expect(typeof read === 'string' ? read : read.record.params).toEqual({});
});

test('seconds up to 2³¹ − 1, then milliseconds; times before 1970 and half coordinates are invalid', () => {
  const time = (timestamp: string) => {
    const read = readOsmandForm({ id: '7', timestamp }, NOW);
    return typeof read === 'string' ? read : read.record.time;
  };
  expect([time('2147483646'), time('2147483647'), time('0'), time('1.5')]).toEqual([
    2_147_483_646_000, 2_147_483_647, 0, 1500,
  ]);
  expect([time('1969-12-31T00:00:00Z'), time('2026-13-01T00:00:00Z'), time('-5')]).toEqual(
    Array.from({ length: 3 }, () => 'timestamp is not a time'),
  );
  expect(readOsmandJson({ device_id: 'a', location: { timestamp: 'soon' } }, NOW)).toBe('timestamp is not a time');
  for (const half of [
    { lat: '1', lon: 'x' },
    { lat: 'x', lon: 'y' },
  ])
    expect(readOsmandForm({ id: '7', ...half }, NOW)).toBe('lat and lon are degrees');
  expect(readOsmandJson({ device_id: 'a', location: { coords: { latitude: 90.5, longitude: 1 } } }, NOW)).toBe(
    'latitude and longitude are degrees',
  );
  expect(readOsmandJson({ device_id: 'a', location: { coords: {} } }, NOW)).toMatchObject({
    record: { position: undefined, direction: 0 },
  });
  expect(
    readOsmandForm({ id: '7', lat: ' 1 ', lon: '2', charge: '1', accuracy: '10', pump: 'false' }, NOW),
  ).toMatchObject({ record: { position: { lat: 1, lon: 2 }, params: { charge: true, accuracy: 10, pump: false } } });
  const many = readOsmandForm(
    { id: '7', ...Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`p${i}`, '1'])) },
    NOW,
  );
  expect(typeof many === 'string' ? many : Object.keys(many.record.params)).toHaveLength(199);
});

test('the JSON form', () => {
  expect(
    readOsmandJson(
      {
        device_id: 'abc',
        location: {
          timestamp: '2026-11-20T10:00:00.000Z',
          coords: { latitude: 1, longitude: 2, accuracy: 12, speed: 10, heading: -1, altitude: 5 },
          is_moving: true,
          odometer: 1200,
          event: 'motionchange',
          activity: { type: 'walking' },
          battery: { level: 0.5, is_charging: false },
          extras: { a: 1 },
        },
      },
      NOW,
    ),
  ).toEqual({
    device: 'abc',
    record: {
      time: Date.UTC(2026, 10, 20, 10),
      position: { lat: 1, lon: 2 },
      speed: 36,
      direction: 0,
      height: 5,
      gpsCount: undefined,
      glonassCount: undefined,
      inputs: 0,
      adc: [],
      params: {
        accuracy: 12,
        battery_level: 50,
        charge: false,
        motion: true,
        odometer: 1200,
        event: 'motionchange',
        activity: 'walking',
        a: 1,
      },
    },
  });
  for (const body of [
    null,
    7,
    [],
    {},
    { device_id: 1 },
    { device_id: 'a', location: 3 },
    { device_id: 'a', location: { coords: { latitude: 99, longitude: 0 } } },
  ])
    expect(typeof readOsmandJson(body, NOW)).toBe('string');
  expect(
    readOsmandJson({ device_id: 'a', location: { coords: { latitude: 1, longitude: 2, speed: -1 } } }, NOW),
  ).toMatchObject({ record: { speed: undefined, time: NOW } });
});

import { describe, expect, test } from 'vitest';
import type { ContextSensor } from '../../../../../server/tracking/events/index.ts';
import { east, at, happened, told, always } from './happened.ts';

describe('8, 15 and 12 switches', () => {
  const sensor = (id: number, type: ContextSensor['type'], index: number): ContextSensor => ({
    id,
    name: type,
    type,
    input: { kind: 'input', index },
    calibration: [],
    low: null,
    high: null,
    hysteresis: 0,
    ...always,
  });
  const on = (second: number, inputs: number) => at(second, second, { inputs });
  test('from on to off; a flicker gives no event', () => {
    expect(
      happened([on(0, 0), on(10, 1), on(13, 1), on(30, 0), on(33, 0)], { sensors: [sensor(1, 'digital', 0)] }, [8]),
    ).toEqual([[8, 10, 30]]);
    expect(happened([on(0, 0), on(10, 1), on(11, 0), on(20, 0)], { sensors: [sensor(1, 'digital', 0)] }, [8])).toEqual(
      [],
    );
  });
  test('a lasting value counts, also from one record; a short one gives no event, from any number of records', () => {
    const [door, engine] = [sensor(1, 'digital', 1), sensor(1, 'ignition', 1)];
    const once = [on(0, 0), on(60, 2), on(300, 0), on(600, 0)];
    expect(happened(once, { sensors: [door] }, [8])).toEqual([[8, 60, 300]]);
    expect(happened(once, { sensors: [engine] }, [15])).toEqual([[15, 60, 300]]);
    expect(happened([on(0, 2), on(300, 0), on(600, 2), on(900, 2)], { sensors: [door] }, [8])).toEqual([
      [8, 0, 300],
      [8, 600, null],
    ]);
    expect(
      happened([on(0, 0), on(1, 2), on(1.5, 2), on(1.9, 2), on(2, 0), on(90, 0)], { sensors: [door] }, [8]),
    ).toEqual([]);
    expect(happened([on(0, 0), on(60, 2), on(300, 0)], { sensors: [{ ...door, debounce: 241_000 }] }, [8])).toEqual([]);
    expect(happened([on(0, 0), on(60, 2), on(300, 0)], { sensors: [{ ...door, debounce: 240_000 }] }, [8])).toEqual([
      [8, 60, null],
    ]);
    expect(happened([on(0, 0), on(60, 2)], { sensors: [{ ...door, debounce: 0 }] }, [8])).toEqual([[8, 60, null]]);
    // It begins where the vehicle was then.
    expect(told(once, { sensors: [door] }).find(({ type }) => type === 8)).toMatchObject({ lon: east(60) });
  });
  test('the ignition is one interval', () => {
    expect(
      happened([on(0, 1), on(3, 1), on(90, 0), on(95, 0)], { sensors: [sensor(1, 'ignition', 0)] }, [8, 15]),
    ).toEqual([[15, 0, 90]]);
  });
  const withKey = { sensors: [sensor(1, 'ignition', 0), sensor(2, 'driver-key', 1)] };
  test('no key within a minute is a drive without a driver, until the key comes', () => {
    expect(happened([on(0, 1), on(3, 1), on(30, 1), on(63, 1), on(90, 3)], withKey, [12])).toEqual([[12, 0, 90]]);
  });
  test('a drive without a driver names its ignition and ends with it; there is none if the ignition went off in time', () => {
    expect(
      told([on(0, 1), on(3, 1), on(63, 1), on(90, 0), on(95, 0)], withKey).filter(({ type }) => type === 12),
    ).toMatchObject([{ subject: 'sensor:1', info: 'no driver', from: 0, until: 90_000, data: { sensorId: 1 } }]);
    expect(happened([on(0, 1), on(3, 1), on(30, 0), on(33, 0), on(100, 0)], withKey, [12])).toEqual([]);
    expect(happened([on(1000, 1), on(1003, 1), on(1059, 1)], withKey, [12])).toEqual([]);
    expect(happened([on(1000, 1), on(1003, 1), on(1060, 1)], withKey, [12])).toEqual([[12, 1000, null]]);
    // A device that tells of the ignition and of the key once each.
    expect(happened([on(0, 0), on(60, 1), on(300, 0), on(600, 0)], withKey, [12])).toEqual([[12, 60, 300]]);
    expect(happened([on(0, 0), on(60, 3), on(300, 1), on(600, 0)], withKey, [12])).toEqual([]);
    expect(happened([on(0, 0), on(60, 1), on(100, 0), on(600, 0)], withKey, [12])).toEqual([]);
    // Off and on again, the grace begins again.
    expect(
      happened([on(0, 1), on(3, 1), on(40, 0), on(43, 0), on(50, 1), on(53, 1), on(100, 1), on(110, 1)], withKey, [12]),
    ).toEqual([[12, 50, null]]);
  });
  test('it lies where the vehicle was last known to be, when the record has no position', () => {
    const blind = { inputs: 1, fixed: false };
    const found = told([at(0, 100), at(10, 9_000, blind), at(13, 9_000, blind), at(80, 9_000, blind)], withKey);
    expect(found.filter(({ type }) => type === 15 || type === 12).map(({ type, lon }) => [type, lon])).toEqual([
      [12, east(100)],
      [15, east(100)],
    ]);
    expect(
      told([at(0, 100), at(10, 300, { inputs: 1 }), at(13, 400, { inputs: 1 })], withKey).find(
        ({ type }) => type === 15,
      ),
    ).toMatchObject({ lon: east(300) });
  });
  test('the driver is who has the key, as a number or as a text; any other key is named', () => {
    const reader: ContextSensor = { ...sensor(2, 'driver-key', 1), input: { kind: 'param', name: 'ibutton' } };
    const crews = [
      { id: 1, keys: ['01a2B3', '4711'], validFrom: 0, validUntil: 500_000 },
      { id: 1, keys: [], validFrom: 500_000, validUntil: null },
    ];
    const drive = (key: number | string | undefined, begin = 0) =>
      [3, 33, 63, 90].map((second) =>
        at(begin + second, second, {
          inputs: 1,
          params: { ...(key !== undefined && second === 33 && { ibutton: key }) },
        }),
      );
    const found = (key: number | string | undefined, begin = 0) =>
      told([at(begin, 0, { inputs: 1 }), ...drive(key, begin)], { sensors: [sensor(1, 'ignition', 0), reader], crews })
        .filter(({ type }) => type === 12)
        .map(({ from, info, data }) => [from / 1000, info, data['key']]);
    for (const known of ['01A2B3', ' 01a2b3 ', 4711, '4711']) expect(found(known), String(known)).toEqual([]);
    for (const none of [undefined, 0, '', '0', '000000'])
      expect(found(none), String(none)).toEqual([[0, 'no driver', undefined]]);
    expect(found('ff01')).toEqual([[0, 'unknown key FF01', 'FF01']]);
    expect(found(4712)).toEqual([[0, 'unknown key 4712', '4712']]);
    // Who was dismissed, or has another vehicle now, is none of this one's drivers from then on.
    expect(found(4711, 600)).toEqual([[600, 'unknown key 4711', '4711']]);
    // Read once, with the record that tells of the ignition; or after the event began.
    const context = { sensors: [sensor(1, 'ignition', 0), reader], crews };
    const late = (params: object) =>
      told(
        [
          at(0, 0),
          at(10, 0, { inputs: 1 }),
          at(100, 0, { inputs: 1 }),
          at(110, 0, { inputs: 1, params: { ...params } }),
        ],
        context,
      ).filter(({ type }) => type === 12);
    expect(
      told([at(0, 0), at(10, 0, { inputs: 1, params: { ibutton: '4711' } }), at(300, 0)], context).filter(
        ({ type }) => type === 12,
      ),
    ).toEqual([]);
    expect(late({ ibutton: 'X9' })).toMatchObject([{ from: 10_000, until: null, info: 'unknown key X9' }]);
    expect(late({ ibutton: '4711' })).toMatchObject([{ from: 10_000, until: 110_000, info: 'no driver' }]);
  });
  test('a key within the minute is a driver; and where nothing reads keys nobody is accused', () => {
    expect(happened([on(0, 1), on(3, 1), on(30, 3), on(120, 1)], withKey, [12])).toEqual([]);
    expect(happened([on(0, 1), on(3, 1), on(120, 1)], { sensors: [sensor(1, 'ignition', 0)] }, [12])).toEqual([]);
  });
});

test('8 the emergency button is a switch that every vehicle has: at once, until a record without it', () => {
  const pressed = (second: number) => at(second, second, { params: { alarm: 'sos' } });
  expect(told([at(0, 0), pressed(10), pressed(11), at(20, 20)]).filter(({ type }) => type === 8)).toMatchObject([
    { subject: 'sos', from: 10_000, until: 20_000 },
  ]);
  expect(happened([at(0, 0), at(10, 10, { params: { alarm: 'lowBattery' } })], {}, [8])).toEqual([]);
  const blind = { params: { alarm: 'SOS' }, fixed: false };
  expect(told([at(0, 100), at(10, 9_000, blind)]).filter(({ type }) => type === 8)).toMatchObject([
    { from: 10_000, lon: east(100) },
  ]);
});

test('a sensor that is taken away ends what it told', () => {
  const door: ContextSensor = {
    id: 1,
    name: 'Door',
    type: 'digital',
    input: { kind: 'input', index: 0 },
    calibration: [],
    low: null,
    high: null,
    hysteresis: 0,
    validFrom: 0,
    validUntil: 60_000,
  };
  expect(
    happened(
      [
        at(0, 0),
        at(10, 10, { inputs: 1 }),
        at(13, 13, { inputs: 1 }),
        at(70, 70, { inputs: 1 }),
        at(80, 80, { inputs: 1 }),
      ],
      { sensors: [door] },
      [8],
    ),
  ).toEqual([[8, 10, 70]]);
});

test('a sensor may say for how long its input must hold', () => {
  const door = (debounce: number | null): ContextSensor => ({
    id: 1,
    name: 'Door',
    type: 'digital',
    input: { kind: 'input', index: 0 },
    calibration: [],
    low: null,
    high: null,
    hysteresis: 0,
    debounce,
    ...always,
  });
  const points = [at(0, 0), at(10, 10, { inputs: 1 }), at(15, 15, { inputs: 1 }), at(20, 20), at(40, 40)];
  expect(happened(points, { sensors: [door(null)] }, [8])).toEqual([[8, 10, 20]]);
  expect(happened(points, { sensors: [door(10_000)] }, [8])).toEqual([[8, 10, 20]]);
  expect(happened(points, { sensors: [door(10_001)] }, [8])).toEqual([]);
});

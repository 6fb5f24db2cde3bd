import { describe, expect, test } from 'vitest';
import type { RawPoint, ContextSensor } from '../../../../../server/tracking/events/index.ts';
import { east, at, happened, told, always } from './happened.ts';

describe('9 analog sensors', () => {
  const cooler: ContextSensor = {
    id: 5,
    name: 'Cooler',
    type: 'analog',
    input: { kind: 'param', name: 'temp' },
    calibration: [
      [0, -40],
      [100, 60],
    ],
    low: null,
    high: 8,
    hysteresis: 1,
    ...always,
  };
  const warm = (second: number, raw: number) => at(second, second, { params: { temp: raw } });
  test('the calibrated value is too high until it is back by the hysteresis', () => {
    expect(happened([warm(0, 40), warm(10, 49), warm(20, 47.5), warm(30, 46)], { sensors: [cooler] }, [9])).toEqual([
      [9, 10, 30],
    ]);
  });
});

describe('9 analog sensors, low and high', () => {
  const temp: ContextSensor = {
    id: 5,
    name: 'Cooler',
    type: 'analog',
    input: { kind: 'param', name: 'temp' },
    calibration: [],
    low: 2,
    high: 8,
    hysteresis: 1,
    ...always,
  };
  const read = (second: number, value: number, more: Partial<RawPoint> = {}) =>
    at(second, second, { params: { temp: value }, ...more });
  test('below the low limit until it is back by the hysteresis; at a limit it is within', () => {
    expect(
      told([read(0, 2), read(10, 1.987), read(20, 2.9), read(30, 3), read(40, 8)], { sensors: [temp] }).filter(
        ({ type }) => type === 9,
      ),
    ).toMatchObject([
      { from: 10_000, until: 30_000, info: 'Cooler: 1.99', data: { side: 'low', value: 1.99, sensorId: 5 } },
    ]);
    expect(
      told([read(0, 8.5), read(10, 7.1), read(20, 7)], { sensors: [temp] }).filter(({ type }) => type === 9),
    ).toMatchObject([{ from: 0, until: 20_000, data: { side: 'high' } }]);
    expect(happened([read(0, -50), read(10, 50)], { sensors: [{ ...temp, low: null, high: null }] }, [9])).toEqual([]);
  });
  test('of two sensors one continues; a removed one ends; other types give no event', () => {
    const other: ContextSensor = { ...temp, id: 6, input: { kind: 'adc', index: 0 } };
    const both = (second: number, a: number, b: number) => read(second, a, { adc: [b] });
    expect(happened([both(0, 9, 9), both(10, 5, 9)], { sensors: [temp, other] }, [9])).toEqual([
      [9, 0, 10],
      [9, 0, null],
    ]);
    expect(
      happened(
        [both(0, 9, 9), both(70, 9, 9), both(90, 9, 9)],
        { sensors: [{ ...temp, validUntil: 60_000 }, other] },
        [9],
      ),
    ).toEqual([
      [9, 0, 70],
      [9, 0, null],
    ]);
    expect(happened([read(0, 9), read(10, 9)], { sensors: [{ ...temp, type: 'digital' }] }, [9])).toEqual([]);
  });
  test('it lies where the vehicle was last known to be', () => {
    expect(
      told([read(0, 5), read(10, 9, { fixed: false, lon: east(9_000) })], { sensors: [temp] }).find(
        ({ type }) => type === 9,
      ),
    ).toMatchObject({ lon: east(0) });
    expect(told([read(0, 5), read(10, 9)], { sensors: [temp] }).find(({ type }) => type === 9)).toMatchObject({
      lon: east(10),
    });
  });
});

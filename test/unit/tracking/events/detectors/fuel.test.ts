import { describe, expect, test } from 'vitest';
import type { RawPoint, ContextSensor } from '../../../../../server/tracking/events/index.ts';
import { at, happened, told, always } from './happened.ts';

describe('10 and 11 fuel', () => {
  const tank: ContextSensor = {
    id: 6,
    name: 'Tank',
    type: 'fuel',
    input: { kind: 'adc', index: 0 },
    calibration: [
      [0, 0],
      [1000, 100],
    ],
    low: null,
    high: null,
    hysteresis: 0,
    ...always,
  };
  const level = (second: number, litres: number, more: Partial<RawPoint> = {}) =>
    at(second, 0, { speed: 0, adc: [litres * 10], ...more });
  const levels = (values: readonly number[]) => values.map((litres, i) => level(i * 30, litres));
  test('a fill is measured from before to after', () => {
    expect(
      told(levels([20, 20, 20, 20, 20, 50, 60, 60, 60, 60, 60, 60, 60, 60, 60, 60, 60, 60, 60, 60, 60, 60]), {
        sensors: [tank],
        tankLitres: 100,
      }).filter(({ type }) => type === 10),
    ).toMatchObject([{ data: { litres: 40 } }]);
  });
  test('a drain', () => {
    expect(
      happened(levels([60, 60, 60, 60, 60, 40, 40, 40, 40, 40]), { sensors: [tank], tankLitres: 100 }, [10, 11]).map(
        ([type]) => type,
      ),
    ).toEqual([11]);
  });
  test('more than a share of the tank, or than ten litres, whichever is less', () => {
    const filled = (litres: number, tankLitres: number) =>
      happened(
        levels([20, 20, 20, 20, 20, ...Array.from({ length: 8 }, () => 20 + litres)]),
        { sensors: [tank], tankLitres },
        [10],
      ).length;
    expect([
      filled(8.5, 100),
      filled(8, 100),
      filled(9, 300),
      filled(10, 300),
      filled(10.5, 300),
      filled(9, 0),
      filled(10.5, 0),
    ]).toEqual([1, 0, 0, 0, 1, 0, 1]);
  });
  test('the tank that is taken away ends what it told; a sensor of another type is no tank', () => {
    const values = [20, 20, 20, 20, 20, 60, 60, 60, 60];
    const end = (more: Partial<ContextSensor>) =>
      told([...levels(values), level(400, 60), level(430, 60)], {
        sensors: [{ ...tank, ...more }],
        tankLitres: 100,
      }).filter(({ type }) => type === 10);
    expect(end({})).toMatchObject([{ until: null }]);
    expect(end({ validUntil: 300_000 })).toMatchObject([{ until: 210_000, data: { litres: 40, sensorId: 6 } }]);
    expect(end({ type: 'analog' })).toEqual([]);
  });
  test('it ends when the level has rested as long as the window, or the vehicle drives off', () => {
    const values = [20, 20, 20, 20, 20, 60, 60, 60];
    const grewAt = 7 * 30;
    const after = (...rest: RawPoint[]) =>
      told([...levels(values), ...rest], { sensors: [tank], tankLitres: 100 })
        .filter(({ type }) => type === 10)
        .map(({ until }) => until && until / 1000);
    expect(after(level(grewAt + 299, 60))).toEqual([null]);
    expect(after(level(grewAt + 300, 60))).toEqual([grewAt]);
    expect(after(level(grewAt + 30, 60, { speed: 40 }))).toEqual([grewAt]);
  });
  test('what is missing after a way that nobody saw was burnt; what is missing from where it stood was drained', () => {
    const parked = levels([60, 60, 60, 60, 60, 60]);
    const later = (metres: number) =>
      [0, 1, 2, 3, 4, 5].map((i) => at(7_200 + i * 30, metres, { speed: 0, adc: [400] }));
    expect(happened([...parked, ...later(9_000)], { sensors: [tank], tankLitres: 100 }, [10, 11])).toEqual([]);
    expect(
      happened([...parked, ...later(20)], { sensors: [tank], tankLitres: 100 }, [10, 11]).map(([type]) => type),
    ).toEqual([11]);
    // The first record after it may be the dip itself.
    const [, ...rest] = later(9_000);
    expect(
      happened(
        [...parked, at(7_200, 9_000, { speed: 0, adc: [100] }), ...rest],
        { sensors: [tank], tankLitres: 100 },
        [10, 11],
      ),
    ).toEqual([]);
  });
  test('sloshing, the dip at the engine’s start and driving give no event', () => {
    expect(
      happened(levels([60, 60, 60, 60, 60, 20, 60, 60, 60, 60]), { sensors: [tank], tankLitres: 100 }, [10, 11]),
    ).toEqual([]);
    expect(
      happened(
        [60, 60, 60, 60, 60, 40, 40, 40, 40].map((litres, i) => level(i * 30, litres, { speed: 60 })),
        { sensors: [tank], tankLitres: 100 },
        [10, 11],
      ),
    ).toEqual([]);
  });
});

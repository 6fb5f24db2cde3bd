import { describe, expect, test } from 'vitest';
import { DEFAULT_SETTINGS, type RawPoint, type VehicleContext } from '../../../../../server/tracking/events/index.ts';
import { east, north, at, happened, told, always, every } from './happened.ts';

describe('what is believed', () => {
  test('a jump of a hundred kilometres is passed over, and three points there are believed after all', () => {
    const settings = { ...DEFAULT_SETTINGS };
    const far = (second: number) => at(second, 100_000, { speed: 60 });
    expect(
      happened(
        [at(0, 0, { speed: 0 }), far(30), at(60, 0, { speed: 0 }), at(150, 0, { speed: 0 }), at(200, 0, { speed: 0 })],
        { settings },
        [1],
      ),
    ).toEqual([[1, 0, null]]);
    const circle = {
      id: 7,
      name: 'There',
      shape: { kind: 'circle', center: [east(100_000), 55], radius: 500 },
      speedLimit: 0,
      ...always,
    } as const;
    expect(
      happened([at(0, 0), far(30), far(60), far(90), far(120)], { zones: [circle] }, [6]).map(([type]) => type),
    ).toEqual([6]);
  });
  test('a device that says no speed has that of its way', () => {
    expect(
      happened([...every(60, 300, (second) => at(second, 0, { speed: null })), at(360, 600, { speed: null })], {}, [1]),
    ).toEqual([[1, 0, 360]]);
  });
});

describe('what happened does not depend on when', () => {
  const DAY = 86_400_000;
  const zone = {
    id: 7,
    name: 'Depot',
    shape: { kind: 'circle', center: [east(0), 55], radius: 200 },
    speedLimit: 0,
    ...always,
  } as const;
  const planned = {
    id: 9,
    name: 'Round',
    line: [
      [east(0), 55],
      [east(5000), 55],
    ] as [number, number][],
    points: [{ id: 1, name: 'Halt', lat: 55, lon: east(4000), radius: 60 }],
    ...always,
  };
  const aside = { lat: north(400) };
  test.each<[string, RawPoint[], Partial<VehicleContext>, number]>([
    ['turns', [at(0, 0, { direction: 10 }), at(5, 50, { direction: 60 }), at(70, 100, { direction: 150 })], {}, 1],
    [
      'a zone that is driven through, and one that is grazed',
      [at(0, -400), at(40, 400), at(300, -400, { lat: north(190) }), at(340, 400, { lat: north(190) })],
      { zones: [zone] },
      2,
    ],
    [
      'a border where the fix wanders',
      [at(0, -500), at(60, -195), at(65, -205), at(70, -195), at(82, -195), at(90, -205), at(102, -205)],
      { zones: [zone] },
      2,
    ],
    [
      'a route that is joined, left, come back to and stood on',
      [
        at(0, 0),
        at(5, 100),
        at(15, 200),
        at(100, 1000, aside),
        at(104, 1100, aside),
        at(120, 1200, aside),
        at(200, 2000),
        at(205, 2100),
        at(220, 2200),
        ...every(120, 720, (second) => at(260 + second, 2300, { speed: 0 })),
        at(1100, 2600),
      ],
      { routes: [planned] },
      3,
    ],
    [
      'a speed above the limit',
      [0, 3, 6, 20, 24, 27].map((second, i) => at(second, second * 25, { speed: i < 3 ? 100 + i : 80 })),
      { settings: { ...DEFAULT_SETTINGS, speedLimit: 90 } },
      1,
    ],
    [
      'records without a position',
      [at(0, 0), ...[60, 300, 660].map((second) => at(second, 0, { fixed: false })), at(700, 100)],
      {},
      1,
    ],
  ])('%s', (_what, points, context, most) => {
    const spans = (shift: number) =>
      told(
        points.map((point) => ({ ...point, time: point.time + shift })),
        context,
      ).map(({ type, from, until }) => [type, from - shift, until === null ? null : until - shift]);
    const [found, late] = [spans(0), spans(DAY)];
    expect(found.length).toBeGreaterThanOrEqual(most);
    expect(late).toEqual(found);
  });
});

import { describe, expect, test } from 'vitest';
import type { RawPoint } from '../../../../../server/tracking/events/index.ts';
import { east, north, at, happened, told, always } from './happened.ts';

describe('6 and 7 geozones', () => {
  const circle = {
    id: 7,
    name: 'Depot',
    shape: { kind: 'circle', center: [east(0), 55], radius: 200 },
    speedLimit: 0,
    ...always,
  } as const;
  test('in and out; 6 is the visit, 7 the moment of leaving', () => {
    expect(
      happened([at(0, -500), at(60, -100), at(120, 0), at(180, 100), at(240, 500)], { zones: [circle] }, [6, 7]),
    ).toEqual([
      [6, 60, 240],
      [7, 240, 240],
    ]);
  });
  test('at the border a fix that wanders is no visit', () => {
    expect(
      happened([at(0, -500), at(60, -195), at(65, -205), at(70, -195), at(75, -204)], { zones: [circle] }, [6, 7]),
    ).toEqual([]);
  });
  test('ten seconds beyond the border count, however little beyond', () => {
    expect(happened([at(0, -500), at(60, -195), at(70, -195)], { zones: [circle] }, [6])).toEqual([[6, 60, null]]);
  });
  test('a zone that is driven through between two points was visited', () => {
    const [visit, left] = told([at(0, -400), at(40, 400)], { zones: [circle] }).filter(
      ({ type }) => type === 6 || type === 7,
    );
    expect(visit).toMatchObject({ type: 6, data: { zoneId: 7 } });
    expect(visit!.from / 1000).toBeCloseTo(10, -1);
    expect(left!.from).toBe(visit!.until);
  });
  test('driven through, it was entered and left where the way crosses it', () => {
    const [visit, left] = told([at(0, -300, { lat: north(-400) }), at(50, 300, { lat: north(400) })], {
      zones: [circle],
    }).filter(({ type }) => type === 6 || type === 7);
    // The way is 1,000 m long, 200 m of it to either side of the middle, and is looked at every 20 m, which
    // are a second.
    const metres = ({ lat, lon }: { lat: number; lon: number }) => [
      (lat - 55) * 111_195,
      (lon - 37) * 111_195 * Math.cos((55 * Math.PI) / 180),
    ];
    const within = (value: number, exact: number, error: number) =>
      expect(Math.abs(value - exact)).toBeLessThanOrEqual(error);
    for (const [one, second, side] of [
      [visit!, 15, -1],
      [left!, 35, 1],
    ] as const) {
      within(one.from / 1000, second, 1);
      within(metres(one)[0]!, side * 160, 17);
      within(metres(one)[1]!, side * 120, 13);
    }
  });
  test('two minutes between two points still tell the way, more do not; a point that is not believed is in no zone', () => {
    expect(happened([at(0, -400), at(120, 400)], { zones: [circle] }, [6])).toHaveLength(1);
    expect(happened([at(0, -400), at(121, 400)], { zones: [circle] }, [6])).toEqual([]);
    expect(
      happened(
        [at(0, -900), at(60, 0, { fixed: false }), at(100, 0, { fixed: false }), at(121, -800)],
        { zones: [circle] },
        [6],
      ),
    ).toEqual([]);
    // Grazed less deep than the error of a fix.
    expect(
      happened([at(0, -400, { lat: north(185) }), at(60, 400, { lat: north(185) })], { zones: [circle] }, [6]),
    ).toEqual([]);
  });
  test('a zone that is deleted is left at that moment', () => {
    expect(
      happened([at(0, 0), at(60, 5), at(120, 10)], { zones: [{ ...circle, validUntil: 100_000 }] }, [6, 7]),
    ).toEqual([
      [6, 0, 120],
      [7, 120, 120],
    ]);
  });
  test('a zone with a hole is not entered in the hole', () => {
    const square = (half: number) =>
      [
        [east(-half), north(-half)],
        [east(half), north(-half)],
        [east(half), north(half)],
        [east(-half), north(half)],
      ] as [number, number][];
    expect(
      happened(
        [at(0, 0), at(60, 5)],
        { zones: [{ ...circle, shape: { kind: 'polygon', rings: [square(500), square(100)] } }] },
        [6],
      ),
    ).toEqual([]);
    expect(
      happened(
        [at(0, 300), at(60, 305)],
        { zones: [{ ...circle, shape: { kind: 'polygon', rings: [square(500), square(100)] } }] },
        [6],
      ),
    ).toEqual([[6, 0, null]]);
  });
  test('editing a zone does not rewrite history', () => {
    const small = { ...circle, validUntil: 100_000 };
    const moved = {
      ...circle,
      shape: { kind: 'circle', center: [east(5000), 55], radius: 200 } as const,
      validFrom: 100_000,
    };
    expect(happened([at(0, 0), at(60, 0), at(110, 0), at(130, 0)], { zones: [small, moved] }, [6, 7])).toEqual([
      [6, 0, 110],
      [7, 110, 110],
    ]);
  });
});

describe('13 and 14 arrivals', () => {
  const gate = { id: 3, name: 'Gate', lat: 55, lon: east(0), radius: 50 };
  const line = {
    id: 9,
    name: 'Round',
    line: [
      [east(-1000), 55],
      [east(1000), 55],
    ] as [number, number][],
    ...always,
  };
  const planned = { ...line, points: [gate] };
  test('a control point that is passed between two points', () => {
    expect(happened([at(0, -300), at(60, 300)], { routes: [planned] }, [13])).toEqual([[13, 30, 30]]);
    expect(
      happened([at(0, -300, { lat: north(80) }), at(60, 300, { lat: north(80) })], { routes: [planned] }, [13]),
    ).toEqual([]);
  });
  test('passed once: not again by the way out of it, nor when two points are too far apart in time, nor after its route is over', () => {
    expect(happened([at(0, -300), at(30, -20), at(60, 300)], { routes: [planned] }, [13])).toEqual([[13, 30, 60]]);
    expect(happened([at(0, -300), at(120, 300)], { routes: [planned] }, [13])).toEqual([[13, 60, 60]]);
    expect(happened([at(0, -300), at(121, 300)], { routes: [planned] }, [13])).toEqual([]);
    expect(happened([at(1000, -300), at(1121, 300)], { routes: [planned] }, [13])).toEqual([]);
    expect(happened([at(1000, -300), at(1060, 300)], { routes: [planned] }, [13])).toEqual([[13, 1030, 1030]]);
    expect(happened([at(0, 0), at(100, 5)], { routes: [{ ...planned, validUntil: 60_000 }] }, [13])).toEqual([
      [13, 0, 100],
    ]);
    expect(happened([at(0, -300), at(30, 0, { fixed: false }), at(60, -200)], { routes: [planned] }, [13])).toEqual([]);
  });
  test('a control point at which the vehicle stays', () => {
    expect(happened([at(0, -300), at(30, -20), at(60, 20), at(90, 300)], { routes: [planned] }, [13])).toEqual([
      [13, 30, 90],
    ]);
  });
  test('how late, or too early, against the plan of the point; without a plan nothing of it', () => {
    const late = (planned: number | null, points: RawPoint[]) =>
      told(points, { routes: [{ ...line, points: [{ ...gate, planned }] }] }).find(({ type }) => type === 13)?.data;
    expect(late(10_000, [at(0, -300), at(30, -20)])).toEqual({
      routeId: 9,
      controlPointId: 3,
      planned: 10_000,
      late: 20,
    });
    expect(late(90_000, [at(0, -300), at(60, 300)])).toEqual({
      routeId: 9,
      controlPointId: 3,
      planned: 90_000,
      late: -60,
    });
    expect(late(null, [at(0, -300), at(60, 300)])).toEqual({ routeId: 9, controlPointId: 3 });
  });
  const request = { id: 4, title: 'Fire', lat: 55, lon: east(0), validFrom: 0, validUntil: null };
  test('at the place of its request for half a minute', () => {
    expect(happened([at(0, -300), at(30, -90), at(60, 0), at(200, 500)], { requests: [request] }, [14])).toEqual([
      [14, 30, 200],
    ]);
    expect(happened([at(0, -300), at(30, -90), at(50, 300)], { requests: [request] }, [14])).toEqual([]);
    expect(happened([at(0, 0), at(60, 0)], { requests: [{ ...request, validFrom: 90_000 }] }, [14])).toEqual([]);
    expect(happened([at(0, 0), at(20, 900, { fixed: false }), at(60, 0)], { requests: [request] }, [14])).toEqual([
      [14, 0, null],
    ]);
    // Two requests at one place: one is taken away, the other one lasts.
    expect(
      happened(
        [at(0, 0), at(60, 0), at(100, 0), at(120, 0)],
        {
          requests: [
            { ...request, validUntil: 90_000 },
            { ...request, id: 5 },
          ],
        },
        [14],
      ).toSorted(([, , a], [, , b]) => Number(a === null) - Number(b === null)),
    ).toEqual([
      [14, 0, 100],
      [14, 0, null],
    ]);
    // Taken away while the vehicle is there.
    expect(
      happened([at(0, 0), at(60, 0), at(100, 0)], { requests: [{ ...request, validUntil: 90_000 }] }, [14]),
    ).toEqual([[14, 0, 100]]);
    expect(happened([at(0, 0), at(29, 0)], { requests: [request] }, [14])).toEqual([]);
    expect(happened([at(0, 0), at(30, 0)], { requests: [request] }, [14])).toEqual([[14, 0, null]]);
  });
});

import { describe, expect, test } from 'vitest';
import type { RawPoint, VehicleContext } from '../../../../../server/tracking/events/index.ts';
import { METRE, east, north, at, happened, told, always, every } from './happened.ts';

describe('16, 17, 24 and 25 planned routes', () => {
  const planned = {
    id: 9,
    name: 'Round',
    line: [
      [east(0), 55],
      [east(5000), 55],
    ] as [number, number][],
    points: [{ id: 1, name: 'Halt', lat: 55, lon: east(3000), radius: 60 }],
    ...always,
  };
  const on = (second: number, metres: number, more: Partial<RawPoint> = {}) => at(second, metres, more);
  test('joined, and left at its end', () => {
    expect(
      happened(
        [on(0, 0), on(15, 200), on(400, 4900), on(420, 5150), on(440, 5300)],
        { routes: [planned] },
        [16, 17, 24],
      ),
    ).toEqual([
      [16, 0, 420],
      [17, 420, 420],
    ]);
  });
  test('off the route in between, until it is back', () => {
    const aside = { lat: north(400) };
    expect(
      happened(
        [on(0, 0), on(15, 200), on(100, 1000, aside), on(120, 1200, aside), on(200, 2000), on(220, 2200)],
        { routes: [planned] },
        [16, 17, 24],
      ),
    ).toEqual([
      [16, 0, null],
      [24, 100, 200],
    ]);
  });
  test('one fix on the route is not back on it: it is back with the first of those that last', () => {
    const aside = { lat: north(400) };
    const drive = [
      on(0, 0),
      on(15, 200),
      on(100, 1000, aside),
      on(120, 1200, aside),
      on(130, 1300),
      on(160, 1600, aside),
      on(200, 2000),
      on(205, 2050),
      on(220, 2200),
    ];
    expect(happened(drive, { routes: [planned] }, [24])).toEqual([[24, 100, 200]]);
  });
  test('the route may have a corridor of its own', () => {
    const aside = { lat: north(150) };
    const drive = [on(0, 0), on(15, 200), on(100, 1000, aside), on(120, 1200, aside), on(200, 2000), on(220, 2200)];
    expect(happened(drive, { routes: [{ ...planned, corridor: 200 }] }, [24])).toEqual([]);
    expect(happened(drive, { routes: [planned] }, [24])).toEqual([[24, 100, 200]]);
  });
  test('a detour near a closure on the way is not off the route; far from it, or when it is lifted, it is', () => {
    const aside = { lat: north(400) };
    const drive = [on(0, 0), on(15, 200), on(100, 1000, aside), on(120, 1200, aside), on(200, 2000), on(220, 2200)];
    const closed = (metres: number, more: object = {}) => ({
      closures: [
        { id: 1, shape: { kind: 'circle', center: [east(metres), 55], radius: 15 } as const, ...always, ...more },
      ],
    });
    expect(happened(drive, { routes: [planned], ...closed(1100) }, [24])).toEqual([]);
    expect(happened(drive, { routes: [planned], ...closed(4500) }, [24])).toEqual([[24, 100, 200]]);
    expect(happened(drive, { routes: [planned], ...closed(1100, { validUntil: 90_000 }) }, [24])).toEqual([
      [24, 100, 200],
    ]);
    // A closure that does not lie on the route excuses nothing.
    expect(
      happened(
        drive,
        {
          routes: [planned],
          closures: [
            { id: 1, shape: { kind: 'circle', center: [east(1100), north(700)], radius: 15 } as const, ...always },
          ],
        },
        [24],
      ),
    ).toEqual([[24, 100, 200]]);
  });
  test('who is off the route and comes near the closure on it has a reason from then on', () => {
    const closures = [{ id: 1, shape: { kind: 'circle', center: [east(4500), 55], radius: 15 } as const, ...always }];
    const aside = { lat: north(400) };
    expect(
      happened(
        [
          on(0, 0),
          on(15, 200),
          on(100, 1000, aside),
          on(120, 1200, aside),
          on(200, 3000, aside),
          on(220, 3200, aside),
          on(300, 4800),
        ],
        { routes: [planned], closures },
        [16, 24],
      ),
    ).toEqual([
      [16, 0, null],
      [24, 100, 200],
    ]);
  });
  test('when the time of the route is over, everything on it ends', () => {
    const over = { ...planned, validUntil: 1000_000 };
    expect(happened([on(0, 0), on(15, 200), on(1010, 400)], { routes: [over] }, [16, 17, 24])).toEqual([
      [16, 0, 1010],
      [17, 1010, 1010],
    ]);
    expect(
      happened(
        [
          on(0, 0),
          on(15, 200),
          on(100, 1000, { lat: north(400) }),
          on(120, 1200, { lat: north(400) }),
          on(1010, 1300, { lat: north(400) }),
        ],
        { routes: [over] },
        [24],
      ),
    ).toEqual([[24, 100, 1010]]);
    expect(
      happened(
        [
          on(0, 0),
          on(15, 200),
          ...every(120, 720, (second) => on(60 + second, 300, { speed: 0 })),
          on(1010, 300, { speed: 0 }),
        ],
        { routes: [over] },
        [25],
      ),
    ).toEqual([[25, 60, 1010]]);
  });
  test('a point that is not believed is neither on the route nor off it', () => {
    expect(
      happened(
        [
          on(0, 0),
          on(15, 200),
          on(100, 1000, { lat: north(400), fixed: false }),
          on(120, 1200, { lat: north(400), fixed: false }),
          on(140, 1400),
        ],
        { routes: [planned] },
        [16, 24],
      ),
    ).toEqual([[16, 0, null]]);
  });
  test('a closed stretch, and a closed quarter that the route leads through, are reasons too', () => {
    const aside = { lat: north(400) };
    const drive = [on(0, 0), on(15, 200), on(100, 1000, aside), on(120, 1200, aside), on(200, 2000), on(220, 2200)];
    const off = (shape: VehicleContext['zones'][number]['shape']) =>
      happened(drive, { routes: [planned], closures: [{ id: 1, shape, ...always }] }, [24]);
    expect(
      off({
        kind: 'corridor',
        line: [
          [east(1100), north(-300)],
          [east(1100), north(300)],
        ],
        width: 15,
      }),
    ).toEqual([]);
    const quarter = [
      [east(900), north(-500)],
      [east(1500), north(-500)],
      [east(1500), north(600)],
      [east(900), north(600)],
    ] as [number, number][];
    expect(off({ kind: 'polygon', rings: [quarter] })).toEqual([]);
    expect(
      off({ kind: 'polygon', rings: [quarter.map(([lon, lat]) => [lon, lat + 1500 * METRE] as [number, number])] }),
    ).toEqual([[24, 100, 200]]);
  });
  test('control points of two routes are distinguished', () => {
    const other = { ...planned, id: 10, points: planned.points };
    expect(
      told([on(0, 2800), on(60, 3200)], { routes: [planned, other] })
        .filter(({ type }) => type === 13)
        .map(({ data }) => data['routeId']),
    ).toEqual([9, 10]);
  });
  test('one fix that is wrong by some houses is not off the route', () => {
    expect(
      happened(
        [on(0, 0), on(15, 200), on(20, 300, { lat: north(150) }), on(25, 400), on(30, 500)],
        { routes: [planned] },
        [24],
      ),
    ).toEqual([]);
  });
  test('ten minutes on the route are a long stop, but not at a control point', () => {
    const stand = (metres: number) => [
      on(0, 0),
      on(15, 200),
      ...every(120, 720, (second) => on(60 + second, metres, { speed: 0 })),
      on(900, metres + 500),
    ];
    expect(happened(stand(1000), { routes: [planned] }, [25])).toEqual([[25, 60, 900]]);
    expect(happened(stand(3000), { routes: [planned] }, [25])).toEqual([]);
  });
});

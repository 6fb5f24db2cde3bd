import { describe, expect, test } from 'vitest';
import { DEFAULT_SETTINGS, type RawPoint, type VehicleContext } from '../../../../../server/tracking/events/index.ts';
import { RoadLimits } from '../../../../../shared/roads/road-limits.ts';
import { east, north, at, happened, told, always } from './happened.ts';

describe('5 speed', () => {
  const settings = { ...DEFAULT_SETTINGS, speedLimit: 90 };
  const fast = (second: number, speed: number) => at(second, second * 25, { speed });
  test('above the limit for five seconds; it keeps the greatest speed and the end', () => {
    expect(
      told([fast(0, 80), fast(2, 95), fast(5, 112), fast(7, 104), fast(9, 85), fast(12, 84), fast(15, 84)], {
        settings,
      }).filter(({ type }) => type === 5),
    ).toMatchObject([{ from: 2000, until: 9000, data: { top: 112, limit: 90 } }]);
  });
  test('a peak of four seconds gives no event, and a moment below the limit does not end one', () => {
    expect(happened([fast(0, 80), fast(2, 95), fast(6, 95), fast(6.5, 80)], { settings }, [5])).toEqual([]);
    expect(
      happened([fast(0, 95), fast(6, 95), fast(8, 89), fast(10, 95), fast(20, 80), fast(26, 80)], { settings }, [5]),
    ).toEqual([[5, 0, 20]]);
  });
  test('at the limit it is kept; a point that is not believed says nothing', () => {
    expect(happened([fast(0, 90), fast(6, 90), fast(12, 90)], { settings }, [5])).toEqual([]);
    expect(
      happened(
        [fast(0, 80), ...[2, 5, 9].map((second) => ({ ...fast(second, 200), fixed: false })), fast(12, 80)],
        { settings },
        [5],
      ),
    ).toEqual([]);
  });
  test('of zones that overlap the lowest limit counts; one without a limit, and one that is only near, has none', () => {
    const zone = (id: number, speedLimit: number, metres = 0) =>
      ({
        id,
        name: 'Z',
        shape: { kind: 'circle', center: [east(metres), 55], radius: 1000 },
        speedLimit,
        ...always,
      }) as const;
    const limits = (...zones: ReturnType<typeof zone>[]) =>
      told(
        [0, 3, 6].map((second) => at(second, second, { speed: 75 })),
        { settings, zones },
      )
        .filter(({ type }) => type === 5)
        .map(({ data }) => data['limit']);
    expect(limits(zone(1, 50), zone(2, 30), zone(3, 40), zone(4, 0))).toEqual([30]);
    expect(limits(zone(1, 0))).toEqual([]);
    expect(limits(zone(1, 30, 1030))).toEqual([]);
  });
  test('the limit of a zone goes before that of the road, and that before the vehicle’s', () => {
    const zone = {
      id: 1,
      name: 'School',
      shape: { kind: 'circle', center: [east(0), 55], radius: 1000 },
      speedLimit: 30,
      ...always,
    } as const;
    const slow = [0, 3, 6].map((second) => at(second, second, { speed: 35, params: { road_limit: 50 } }));
    expect(happened(slow, { settings, zones: [zone] }, [5])).toEqual([[5, 0, null]]);
    expect(happened(slow, { settings }, [5])).toEqual([]);
    expect(
      happened(
        slow.map((point) => ({ ...point, speed: 60 })),
        { settings },
        [5],
      ),
    ).toEqual([[5, 0, null]]);
  });
});

describe('5 speed, on the roads of the territory', () => {
  const micro = (degrees: number) => Math.round(degrees * 1e6);
  const [a, b] = [at(0, -5000), at(0, 5000)];
  const roads = (along: number, against = along, validFrom = 0, validUntil: number | null = null) => {
    const piece = {
      fromLat: Int32Array.of(micro(a.lat)),
      fromLon: Int32Array.of(micro(a.lon)),
      toLat: Int32Array.of(micro(b.lat)),
      toLon: Int32Array.of(micro(b.lon)),
      along: Uint8Array.of(along),
      against: Uint8Array.of(against),
    };
    return { id: 0, bytes: RoadLimits.pack(piece).buffer, validFrom, validUntil };
  };
  /** 72 km/h eastwards, with more as it comes. */
  const driven = (more: Partial<RawPoint> = {}, from = 0) =>
    [0, 3, 6, 9].map((second) => at(from + second, second * 20, { speed: 72, ...more }));
  const limitsOf = (points: readonly RawPoint[], context: Partial<VehicleContext>) =>
    told(points, context)
      .filter(({ type }) => type === 5)
      .map(({ data }) => data['limit']);

  test('the limit of the road under the fix, in the direction of travel', () => {
    expect(limitsOf(driven(), { roads: [roads(60)] })).toEqual([60]);
    expect(limitsOf(driven(), { roads: [roads(80)] })).toEqual([]);
    expect(limitsOf(driven(), { roads: [roads(60, 80)] })).toEqual([60]);
    expect(limitsOf(driven({ direction: 270 }), { roads: [roads(60, 80)] })).toEqual([]);
    expect(limitsOf(driven({ lat: north(100) }), { roads: [roads(60)] })).toEqual([]);
  });
  test('a device that tells no course is taken to come from where it was', () => {
    const back = [9, 6, 3, 0].map((second, i) => at(i * 3, second * 20, { speed: 72, direction: 0 }));
    expect(limitsOf(driven({ direction: 0 }), { roads: [roads(60, 80)] })).toEqual([60]);
    expect(
      limitsOf([at(0, 2000, { direction: 0 }), ...back.map((point) => ({ ...point, time: point.time + 60_000 }))], {
        roads: [roads(60, 80)],
      }),
    ).toEqual([]);
  });
  test('zone, then record, then territory, then vehicle', () => {
    const zone = {
      id: 3,
      name: 'Works',
      shape: { kind: 'circle' as const, center: [east(0), 55] as const, radius: 2000 },
      speedLimit: 40,
      ...always,
    };
    const settings = { ...DEFAULT_SETTINGS, speedLimit: 70 };
    expect(limitsOf(driven({ params: { road_limit: 50 } }), { zones: [zone], roads: [roads(60)], settings })).toEqual([
      40,
    ]);
    expect(limitsOf(driven({ params: { road_limit: 50 } }), { roads: [roads(60)], settings })).toEqual([50]);
    expect(limitsOf(driven(), { roads: [roads(60)], settings })).toEqual([60]);
    expect(limitsOf(driven(), { roads: [roads(80)], settings })).toEqual([]);
    expect(limitsOf(driven(), { roads: [roads(0)], settings })).toEqual([70]);
    expect(limitsOf(driven({ lat: north(100) }), { roads: [roads(60)], settings })).toEqual([70]);
  });
  test('the roads are those of the time of the record', () => {
    const context = { roads: [roads(60, 60, 0, 100_000), roads(90, 90, 100_000)] };
    expect(limitsOf(driven(), context)).toEqual([60]);
    expect(limitsOf(driven({}, 100), context)).toEqual([]);
  });
});

import { describe, expect, test } from 'vitest';
import {
  DEFAULT_SETTINGS,
  DETECTORS,
  EMPTY_CONTEXT,
  EventEngine,
  type RawPoint,
  type ContextSensor,
  type VehicleContext,
} from '../../../../server/events/index.ts';
import { RoadLimits } from '../../../../shared/roads/road-limits.ts';
import { MapMemory, MapTrack } from '../memory.ts';

const METRE = 1 / 111_195;
const east = (metres: number) => 37 + (metres * METRE) / Math.cos((55 * Math.PI) / 180);
const north = (metres: number) => 55 + metres * METRE;

/** A point some seconds after the start, some metres east of the origin; driving unless told otherwise. */
const at = (second: number, metresEast: number, more: Partial<RawPoint> = {}): RawPoint => ({
  time: second * 1000,
  lat: 55,
  lon: east(metresEast),
  speed: 40,
  direction: 90,
  fixed: true,
  inputs: 0,
  adc: [],
  params: {},
  ...more,
});

/** What happened on this track, as `[type, from, till]` in seconds; `until` is null while it lasts. */
function happened(
  points: readonly RawPoint[],
  context: Partial<VehicleContext> = {},
  types?: number[],
  now = points.at(-1)!.time,
): [number, number, number | null][] {
  return told(points, context, now)
    .filter(({ type }) => !types || types.includes(type))
    .map(({ type, from, until }) => [type, from / 1000, until === null ? null : until / 1000]);
}

function told(points: readonly RawPoint[], context: Partial<VehicleContext> = {}, now = points.at(-1)!.time) {
  const memory = new MapMemory();
  const track = new MapTrack();
  for (const point of points) track.insert(point as never);
  const engine = new EventEngine(DETECTORS, memory, (_vehicle, after) => track.after(after));
  const whole = { ...EMPTY_CONTEXT, ...context };
  memory.save(engine.revise(1, { from: points[0]!.time, until: points.at(-1)!.time }, whole, points.at(-1)!.time));
  memory.save(engine.watch(1, points.at(-1)!.time, whole, now));
  return memory.sorted();
}

const always = { validFrom: 0, validUntil: null };
const every = (step: number, until: number, point: (second: number) => RawPoint) =>
  Array.from({ length: Math.floor(until / step) + 1 }, (_, i) => point(i * step));

describe('1 stop', () => {
  const standing = (second: number) => at(second, 0, { speed: 1 });
  test('standing for three minutes is a stop, from when it began to stand', () => {
    expect(happened([at(0, -500), ...[60, 120, 180, 240].map(standing), at(300, 500)], {}, [1])).toEqual([
      [1, 60, 300],
    ]);
  });
  test('standing for two minutes is none', () => {
    expect(happened([at(0, -500), ...[60, 120, 179].map(standing), at(200, 500)], {}, [1])).toEqual([]);
  });
  test('at the threshold it drives: three km/h are no standing', () => {
    expect(
      happened(
        every(60, 300, (second) => at(second, second, { speed: 3 })),
        {},
        [1],
      ),
    ).toEqual([]);
    expect(
      happened(
        every(60, 300, (second) => at(second, second, { speed: 2.9 })),
        {},
        [1],
      ),
    ).toEqual([[1, 0, null]]);
  });
  test('after fifteen minutes it is a parking, and still one event', () => {
    expect(told([...every(60, 15 * 60, standing)], {}).filter(({ type }) => type === 1)).toMatchObject([
      { from: 0, until: null, info: 'parking' },
    ]);
    expect(told([...every(60, 14 * 60, standing)], {}).filter(({ type }) => type === 1)).toMatchObject([
      { info: 'stop' },
    ]);
  });
});

describe('2 signal lost', () => {
  test('ten minutes without a record, until the next record’s own time', () => {
    expect(happened([at(0, 0), at(599, 10), at(1300, 20)], {}, [2])).toEqual([[2, 599, 1300]]);
  });
  test('it lasts while nothing comes, and a sleeping device is not lost', () => {
    expect(happened([at(0, 0)], {}, [2], 600_000)).toEqual([[2, 0, null]]);
    expect(happened([at(0, 0)], {}, [2], 599_000)).toEqual([]);
    expect(happened([at(0, 0)], { settings: { ...DEFAULT_SETTINGS, lostAfter: 0 } }, [2], 9e9)).toEqual([]);
  });
  test('it lies where the vehicle was last known to be', () => {
    const [lost] = told([at(0, 100), at(60, 9_000, { fixed: false }), at(800, 100)]).filter(({ type }) => type === 2);
    expect(lost).toMatchObject({ from: 60_000, lon: east(100) });
  });
  test('a record without a position is a sign of life', () => {
    expect(happened([at(0, 0), at(300, 0, { fixed: false }), at(800, 0)], {}, [2])).toEqual([]);
  });
});

describe('3 turn', () => {
  test('a change of heading while driving, to the right and over north', () => {
    expect(
      told([at(0, 0, { direction: 350 }), at(5, 50, { direction: 40 })]).map(({ type, info }) => [type, info]),
    ).toEqual([[3, '50° to the right']]);
  });
  test('to the left over north, and a minute apart just so', () => {
    expect(
      told([at(0, 0, { direction: 10 }), at(60, 50, { direction: 330 })]).map(({ type, info, data }) => [
        type,
        info,
        data['angle'],
      ]),
    ).toEqual([[3, '40° to the left', -40]]);
    expect(happened([at(0, 0, { speed: 10 }), at(5, 5, { direction: 200, speed: 40 })], {}, [3])).toEqual([]);
    expect(happened([at(0, 0, { speed: 11 }), at(5, 5, { direction: 200, speed: 40 })], {}, [3])).toEqual([[3, 0, 5]]);
  });
  test('none while standing, none of thirty degrees, none a minute apart', () => {
    expect(happened([at(0, 0, { speed: 5 }), at(5, 5, { direction: 200, speed: 5 })], {}, [3])).toEqual([]);
    expect(happened([at(0, 0), at(5, 50, { direction: 120 })], {}, [3])).toEqual([]);
    expect(happened([at(0, 0), at(90, 500, { direction: 200 })], {}, [3])).toEqual([]);
  });
});

describe('4 equipment failure', () => {
  test('the device tells of it, until it tells that it is over', () => {
    expect(
      happened(
        [
          at(0, 0),
          at(10, 50, { params: { power_cut: true } }),
          at(20, 100),
          at(30, 150, { params: { power_cut: false } }),
        ],
        {},
        [4],
      ),
    ).toEqual([[4, 10, 30]]);
  });
  test('a fault as a number; a sensor of faults, until it is taken away', () => {
    expect(happened([at(0, 0, { params: { fault: 1 } }), at(10, 50, { params: { fault: 2 } })], {}, [4])).toEqual([
      [4, 0, 10],
    ]);
    const lamp: ContextSensor = {
      id: 3,
      name: 'Lamp',
      type: 'failure',
      input: { kind: 'input', index: 0 },
      calibration: [],
      low: null,
      high: null,
      hysteresis: 0,
      validFrom: 0,
      validUntil: 60_000,
    };
    expect(
      told([at(0, 0, { inputs: 1 }), at(70, 70, { inputs: 1 }), at(90, 90, { inputs: 1 })], { sensors: [lamp] }).filter(
        ({ type }) => type === 4,
      ),
    ).toMatchObject([{ subject: 'sensor:3', info: 'Lamp', from: 0, until: 70_000 }]);
    expect(happened([at(0, 0, { inputs: 1 }), at(20, 0)], { sensors: [lamp] }, [4])).toEqual([[4, 0, 20]]);
    expect(happened([at(0, 0, { inputs: 1 }), at(20, 0)], { sensors: [{ ...lamp, type: 'digital' }] }, [4])).toEqual(
      [],
    );
  });
  test('of two faults one is over and the other one lasts', () => {
    expect(
      happened(
        [
          at(0, 0, { params: { fault: 1, power_cut: true } }),
          at(10, 50, { params: { power_cut: false } }),
          at(20, 50, { params: { power_cut: false } }),
        ],
        {},
        [4],
      ),
    ).toEqual([
      [4, 0, 10],
      [4, 0, null],
    ]);
    expect(
      told([at(0, 100), at(10, 9_000, { fixed: false, params: { fault: true } })]).find(({ type }) => type === 4),
    ).toMatchObject({ lon: east(100) });
    expect(told([at(0, 100), at(10, 200, { params: { fault: true } })]).find(({ type }) => type === 4)).toMatchObject({
      lon: east(200),
    });
  });
  test('records come without a position for ten minutes', () => {
    const blind = (second: number) => at(second, 0, { fixed: false });
    expect(happened([at(0, 0), ...[60, 300, 660].map(blind), at(700, 100)], {}, [4])).toEqual([[4, 60, 700]]);
    expect(happened([at(0, 0), ...[60, 300, 659].map(blind), at(700, 100)], {}, [4])).toEqual([]);
  });
});

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
  test('a peak of four seconds is none, and a breath below the limit does not end it', () => {
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
  test('from on to off, and a flicker is none', () => {
    expect(
      happened([on(0, 0), on(10, 1), on(13, 1), on(30, 0), on(33, 0)], { sensors: [sensor(1, 'digital', 0)] }, [8]),
    ).toEqual([[8, 10, 30]]);
    expect(happened([on(0, 0), on(10, 1), on(11, 0), on(20, 0)], { sensors: [sensor(1, 'digital', 0)] }, [8])).toEqual(
      [],
    );
  });
  test('what lasted counts, also when one record told it; what did not last is none, however many told it', () => {
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
  test('a drive without a driver says of which ignition; it ends with the ignition, and is none where the ignition went off in time', () => {
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
    // Off and on again, the grace begins anew.
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
  test('of two sensors one goes on; one that is taken away ends; other types are none', () => {
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
  test('sloshing, the dip at the engine’s start and driving are none', () => {
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
  test('control points of two routes are told apart', () => {
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

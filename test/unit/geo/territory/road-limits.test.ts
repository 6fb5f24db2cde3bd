import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ExtractBuilder } from '../../../../server/geo/territory/index.ts';
import { limitedPieces } from '../../../../server/geo/territory/roads/road-limits.ts';
import { nearestOnSegment } from '../../../../shared/geo/shapes.ts';
import { CLOSED_LIMIT, RoadLimits } from '../../../../shared/roads/road-limits.ts';
import { RUN } from './extracts.ts';

type Tags = Record<string, string>;
const [LAT, LON] = [55, 37];
const UP = 1 / 111_194.93;
const ACROSS = UP / Math.cos((LAT * Math.PI) / 180);
/** metres east and north of the middle */
const at = (x: number, y: number) => ({ lat: LAT + y * UP, lon: LON + x * ACROSS });

/** Straight roads, each from one place to another, in metres. */
function limitsOf(roads: readonly { from: [number, number]; to: [number, number]; tags?: Tags }[]): RoadLimits {
  const builder = new ExtractBuilder();
  let node = 0;
  roads.forEach(({ from, to, tags }, way) => {
    const refs = [from, to].map(([x, y]) => {
      builder.node(++node, at(x, y).lat, at(x, y).lon);
      return node;
    });
    builder.way(way + 1, refs, { highway: 'primary', ...tags });
  });
  return RoadLimits.from(RoadLimits.pack(limitedPieces(builder.build())).buffer);
}
const [NORTH, EAST, SOUTH, WEST] = [0, 90, 180, 270];

describe('what is allowed by the tags of a road', () => {
  test.each<[Tags, along: number, against: number]>([
    [{}, 0, 0],
    [{ maxspeed: '60' }, 60, 60],
    [{ maxspeed: '30 mph' }, 48, 48],
    [{ maxspeed: 'none' }, 0, 0],
    [{ maxspeed: 'signals' }, 0, 0],
    [{ maxspeed: 'RU:urban' }, 60, 60],
    [{ 'maxspeed:type': 'RU:rural' }, 90, 90],
    [{ 'source:maxspeed': 'RU:motorway' }, 110, 110],
    [{ 'source:maxspeed': 'sign' }, 0, 0],
    [{ 'maxspeed': '60', 'maxspeed:type': 'RU:rural' }, 60, 60],
    [{ 'maxspeed': '60', 'maxspeed:forward': '40' }, 40, 60],
    [{ 'maxspeed:backward': '30' }, 0, 30],
    [{ maxspeed: '999' }, 254, 254],
    [{ 'maxspeed': '50', 'maxspeed:advisory': '30' }, 50, 50],
  ])('%j', (tags, along, against) => {
    const road = limitsOf([{ from: [0, 0], to: [0, 1000], tags }]);
    expect([road.at(at(0, 500), NORTH), road.at(at(0, 500), SOUTH)]).toEqual([along, against]);
  });

  test('a footway and a ferry have none; a one-way road has none for those who come the other way', () => {
    expect(
      limitsOf([{ from: [0, 0], to: [0, 100], tags: { highway: 'footway', maxspeed: '5' } }]).at(at(0, 50), NORTH),
    ).toBe(0);
    const road = limitsOf([{ from: [0, 0], to: [0, 100], tags: { oneway: 'yes', maxspeed: '40' } }]);
    expect([road.at(at(0, 50), NORTH), road.at(at(0, 50), SOUTH)]).toEqual([40, 0]);
  });
});

describe('the road under a fix', () => {
  const crossing = limitsOf([
    { from: [-1000, 0], to: [1000, 0], tags: { maxspeed: '90' } },
    { from: [0, -1000], to: [0, 1000], tags: { maxspeed: '40' } },
  ]);

  test('is the one along the course, and not the one that crosses it', () => {
    expect([NORTH, EAST, SOUTH, WEST, 359, 60].map((course) => crossing.at(at(1, 1), course))).toEqual([
      40, 90, 40, 90, 40, 90,
    ]);
    expect(crossing.at(at(1, 1), 45)).toBe(0);
  });

  test('without a course any near road counts, and the greater limit applies', () => {
    expect(crossing.at(at(5, 5), null)).toBe(90);
    expect(crossing.at(at(0, 500), null)).toBe(40);
  });

  test('is no farther away than 25 m', () => {
    expect([20, 24, 26, 100].map((x) => crossing.at(at(x, 500), NORTH))).toEqual([40, 40, 0, 0]);
  });

  test('where two roads are as near the greater limit counts; on a road without one nobody takes that of the next road', () => {
    const parallel = limitsOf([
      { from: [0, 0], to: [0, 1000], tags: { maxspeed: '40' } },
      { from: [18, 0], to: [18, 1000], tags: { maxspeed: '90' } },
    ]);
    expect([0, 4, 8, 12, 18].map((x) => parallel.at(at(x, 500), NORTH))).toEqual([40, 40, 90, 90, 90]);
    const beside = limitsOf([
      { from: [0, 0], to: [0, 1000] },
      { from: [18, 0], to: [18, 1000], tags: { maxspeed: '90' } },
    ]);
    expect([0, 4, 8, 12, 18].map((x) => beside.at(at(x, 500), NORTH))).toEqual([0, 0, 0, 90, 90]);
  });

  test('at the end of a limit the greater one counts for some metres', () => {
    const road = limitsOf([
      { from: [0, 0], to: [0, 500], tags: { maxspeed: '90' } },
      { from: [0, 500], to: [0, 1000], tags: { maxspeed: '40' } },
    ]);
    expect([480, 505, 515].map((y) => road.at(at(0, y), NORTH))).toEqual([90, 90, 40]);
  });

  test('is found on either side of the equator, of Greenwich, and far north', () => {
    for (const [lat, lon] of [
      [0, 0],
      [-33.9, -70.6],
      [0.0005, -0.0005],
      [78.2, 15.6],
    ] as const) {
      const builder = new ExtractBuilder();
      builder
        .node(1, lat - 0.01, lon - 0.01)
        .node(2, lat + 0.01, lon + 0.01)
        .way(1, [1, 2], { highway: 'primary', maxspeed: '70' });
      expect(
        RoadLimits.from(RoadLimits.pack(limitedPieces(builder.build())).buffer).at({ lat, lon }, null),
        `${lat} ${lon}`,
      ).toBe(70);
    }
  });
});

test('the lowest limit of all is known; a territory without any has none', () => {
  expect(
    limitsOf([
      { from: [0, 0], to: [0, 9], tags: { maxspeed: '20' } },
      { from: [9, 0], to: [9, 9], tags: { maxspeed: '60' } },
    ]).lowest,
  ).toBe(20);
  expect(limitsOf([]).lowest).toBe(Infinity);
});

test('the grid finds what a look at every road finds', () => {
  const place = fc.tuple(fc.integer({ min: -600, max: 600 }), fc.integer({ min: -600, max: 600 }));
  const road = fc.record({ from: place, to: place, limit: fc.integer({ min: 10, max: 120 }) });
  fc.assert(
    fc.property(fc.array(road, { maxLength: 30 }), fc.array(place, { minLength: 5, maxLength: 20 }), (roads, fixes) => {
      const micro = (degrees: number) => Math.round(degrees * 1e6);
      const ends = (which: 'from' | 'to', of: 'lat' | 'lon') =>
        Int32Array.from(roads, (one) => micro(at(...one[which])[of]));
      const limits = Uint8Array.from(roads, ({ limit }) => limit);
      const packed = RoadLimits.from(
        RoadLimits.pack({
          fromLat: ends('from', 'lat'),
          fromLon: ends('from', 'lon'),
          toLat: ends('to', 'lat'),
          toLon: ends('to', 'lon'),
          along: limits,
          against: limits,
        }).buffer,
      );
      for (const fix of fixes) {
        const here = at(...fix);
        const seen = roads.map(({ from, to, limit }) => ({
          limit,
          ...nearestOnSegment([here.lon, here.lat], [at(...from).lon, at(...from).lat], [at(...to).lon, at(...to).lat]),
        }));
        const nearest = Math.min(Infinity, ...seen.map(({ distance }) => distance));
        // Micro-degrees are a tenth of a metre: what lies at the edge may be found or not.
        const greatest = (reach: number, farther: number) =>
          Math.max(
            0,
            ...seen.filter(({ distance }) => distance <= Math.min(reach, nearest + farther)).map(({ limit }) => limit),
          );
        const found = packed.at(here, null);
        expect(found).toBeGreaterThanOrEqual(greatest(24.8, 7.8));
        expect(found).toBeLessThanOrEqual(greatest(25.2, 8.2));
      }
    }),
    { numRuns: 300, ...RUN },
  );
});

test('a file that is not one of limits, of another version, or truncated is refused as such', () => {
  const { buffer } = RoadLimits.pack({
    fromLat: Int32Array.of(0),
    fromLon: Int32Array.of(0),
    toLat: Int32Array.of(9),
    toLon: Int32Array.of(9),
    along: Uint8Array.of(50),
    against: Uint8Array.of(CLOSED_LIMIT),
  });
  expect(() => RoadLimits.from(new ArrayBuffer(0))).toThrow('These bytes are no file of speed limits.');
  expect(() => RoadLimits.from(buffer.slice(0, -4))).toThrow('The file of speed limits is damaged');
  const newer = buffer.slice(0);
  new DataView(newer).setUint32(4, 9, true);
  expect(() => RoadLimits.from(newer)).toThrow('version 9 was found');
});

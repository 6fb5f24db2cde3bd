import fc from 'fast-check';
import { gunzipSync } from 'node:zlib';
import { PbfWriter } from 'pbf';
import { expect, test } from 'vitest';
import { clipLine, clipRing } from '../../../../server/geo/map/clip.ts';
import { startMap } from '../../../../server/geo/map/index.ts';
import { writeLayer } from '../../../../server/geo/map/mvt.ts';
import { TileCache } from '../../../../server/geo/map/tile-cache.ts';
import { TileCutter } from '../../../../server/geo/map/tile-cutter.ts';
import { ExtractBuilder, readExtract } from '../../../../server/geo/territory/index.ts';
import { vertexZooms } from '../../../../server/geo/territory/tiles/map-file/vertex-zoom.ts';
import { DEMO_TOWN, RUN, realExtract } from '../territory/extracts.ts';
import { CENTRE, at, draw, look, mapDirectory, mapOf, readTile, square, tileAt } from './drawn-map.ts';

const unit = fc.integer({ min: -10_000, max: 10_000 });
const flat = (points: [number, number][]) => points.flat();

test('what is written as a layer is read back by Mapbox’s own reader', () => {
  const value = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.boolean(),
    fc.integer(),
    fc.integer({ min: -(2 ** 40), max: 2 ** 40 }),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
  );
  const pairs = fc.array(
    fc.tuple(
      fc.string({ minLength: 1 }).filter((key) => key !== '__proto__'),
      value,
    ),
    { minLength: 1, maxLength: 8 },
  );
  const line = fc.array(fc.tuple(unit, unit), { minLength: 2, maxLength: 9 });
  fc.assert(
    fc.property(pairs, fc.array(line, { minLength: 1, maxLength: 4 }), fc.array(fc.nat()), (known, parts, chosen) => {
      const attributes = [
        ...new Map(chosen.map((pair) => [known[pair % known.length]![0], pair % known.length])).values(),
      ];
      const pbf = new PbfWriter();
      writeLayer(pbf, 'lines', [{ type: 2, parts: parts.map(flat), attributes }], (pair) => known[pair]!);
      const [feature] = readTile(pbf.finish()) as [ReturnType<typeof readTile>[0]];
      expect(feature.props).toEqual(Object.fromEntries(attributes.map((pair) => known[pair]!)));
      expect(feature.geometry.map((part) => part.map(({ x, y }) => [x, y]))).toEqual(parts);
    }),
    RUN,
  );
});

test('the pieces of a clipped line lie within the square, on the line, and are as long as what lies within', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(unit, unit), { minLength: 2, maxLength: 10 }), (points) => {
      const pieces = clipLine(flat(points), -64, 4160);
      for (const piece of pieces) for (const value of piece) expect(value >= -64 && value <= 4160).toBe(true);
      // Measured by walking along in small steps; rounding takes a unit at each cut.
      const inside = pathLength(points, 2000, ([x, y]) => x >= -64 && x <= 4160 && y >= -64 && y <= 4160);
      const kept = pieces.reduce((sum, piece) => sum + lengthOf(piece), 0);
      expect(Math.abs(inside - kept)).toBeLessThan(40 * points.length);
    }),
    { ...RUN, numRuns: 60 },
  );
});

test('a clipped ring covers what the ring covers within the square', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(unit, unit), { minLength: 3, maxLength: 9 }),
      fc.array(fc.tuple(fc.integer({ min: -63, max: 4159 }), fc.integer({ min: -63, max: 4159 })), {
        minLength: 20,
        maxLength: 20,
      }),
      (points, probes) => {
        const ring = flat([...points, points[0]!]);
        const clipped = clipRing(ring, -64, 4160);
        for (const value of clipped) expect(value >= -64 && value <= 4160).toBe(true);
        for (const [x, y] of probes) {
          if (distanceToEdge(ring, x, y) < 3) continue; // Rounding moves edges by up to a unit.
          expect(covers(clipped, x, y)).toBe(covers(ring, x, y));
        }
      },
    ),
    RUN,
  );
});

test('a vertex needed at a zoom is needed at all closer ones, and no line is off by more than it may be', () => {
  const world = fc.integer({ min: 1_000_000_000, max: 1_000_400_000 });
  fc.assert(
    fc.property(fc.array(fc.tuple(world, world), { minLength: 2, maxLength: 40 }), (points) => {
      const x = Int32Array.from(points, ([px]) => px),
        y = Int32Array.from(points, ([, py]) => py);
      const zooms = new Uint8Array(points.length);
      vertexZooms(x, y, 0, points.length, zooms);
      expect([zooms[0], zooms.at(-1)]).toEqual([0, 0]);
      for (let z = 0; z < 15; z++) {
        const kept = points.filter((_, i) => zooms[i]! <= z).flat();
        const most = (3 / 4096) * 2 ** (31 - z);
        for (const [px, py] of points) expect(distanceToEdge(kept, px, py)).toBeLessThanOrEqual(most * 1.001 * 2);
      }
    }),
    { ...RUN, numRuns: 60 },
  );
});

test('a street is in every tile that it crosses, and its ends meet where tiles do', async () => {
  const builder = new ExtractBuilder();
  draw(
    builder,
    [
      [-3000, 10],
      [3000, 20],
    ],
    { highway: 'primary', name: 'Long Road' },
  );
  const cutter = new TileCutter(await mapOf(builder.build()));
  const [, firstX, y] = tileAt(15, at(-3000, 0)[1], CENTRE.lat);
  const [, lastX] = tileAt(15, at(3000, 0)[1], CENTRE.lat);
  for (let x = firstX; x <= lastX; x++) {
    const [road] = readTile(cutter.cut(15, x, y)).filter(({ layer }) => layer === 'road');
    expect(road, `tile ${x}`).toBeDefined();
    const xs = road!.geometry[0]!.map((point) => point.x);
    if (x > firstX) expect(Math.min(...xs)).toBe(-64);
    if (x < lastX) expect(Math.max(...xs)).toBe(4160);
  }
  expect(readTile(cutter.cut(15, lastX + 2, y)).filter(({ layer }) => layer === 'road')).toEqual([]);
});

test('a point lies in one tile only', async () => {
  const builder = new ExtractBuilder().node(1, 0, 0, { place: 'city', name: 'Corner' }).node(2, 1, 1);
  const cutter = new TileCutter(await mapOf(builder.build()));
  let found = 0;
  for (const [x, y] of [
    [15, 15],
    [15, 16],
    [16, 15],
    [16, 16],
  ] as const)
    found += readTile(cutter.cut(5, x, y)).filter(({ layer }) => layer === 'place').length;
  expect(found).toBe(1);
});

test('from afar one sees great things only, and less of each', async () => {
  const town = () => {
    const builder = new ExtractBuilder();
    draw(
      builder,
      [
        [-500, 0],
        [500, 0],
      ],
      { highway: 'trunk', name: 'Ring', oneway: 'yes' },
    );
    draw(
      builder,
      [
        [0, -500],
        [0, 500],
      ],
      { highway: 'residential', name: 'Lane' },
    );
    draw(builder, square(20, 20, 15), { building: 'house' });
    draw(builder, square(-1500, -1500, 500), { landuse: 'forest' });
    return builder.node(1, ...at(5, 5), { 'addr:housenumber': '7' });
  };
  const kinds = async (z: number) =>
    (await look(town(), z))
      .filter(({ layer }) => layer !== 'earth')
      .map(({ layer, props }) => `${layer} ${Object.keys(props).join(' ')}`);
  expect(await kinds(15)).toEqual([
    'building kind',
    'road kind class name',
    'road kind class name oneway',
    'housenumber number',
  ]);
  expect(await kinds(12)).toEqual(['landuse kind', 'road kind name', 'road kind name']);
  expect(await kinds(9)).toEqual(['road kind']);
  expect(await kinds(3)).toEqual([]);
});

test('a winding road has fewer corners from afar, and keeps its ends', async () => {
  const builder = new ExtractBuilder();
  draw(
    builder,
    Array.from({ length: 201 }, (_, i) => [i * 10 - 1000, (i % 2) * 4]),
    { highway: 'motorway' },
  );
  const cutter = new TileCutter(await mapOf(builder.build()));
  const corners = (z: number) => {
    const [, x, y] = tileAt(z, CENTRE.lon, CENTRE.lat);
    return readTile(cutter.cut(z, x, y))
      .filter(({ layer }) => layer === 'road')
      .map(({ geometry }) => geometry.map((line) => line.length))
      .flat();
  };
  expect(corners(15)[0]).toBeGreaterThan(50);
  expect(corners(10)).toEqual([2]);
});

test('an empty extract and one of a single point make a map', async () => {
  expect(await look(new ExtractBuilder())).toEqual([]);
  expect(await look(new ExtractBuilder().node(1, CENTRE.lat, CENTRE.lon, { amenity: 'hospital' }))).toMatchObject([
    { layer: 'poi', props: { kind: 'hospital' } },
  ]);
});

test('every tile of the demo town and of real extracts can be read, keeps within its square, and turns its rings right', async () => {
  for (const file of [DEMO_TOWN, realExtract('monaco')]) {
    if (file === undefined) continue;
    const extract = await readExtract(file);
    const cutter = new TileCutter(await mapOf(extract));
    const [west, south, east, north] = extract.bounds;
    let seen = 0;
    for (const z of [0, 6, 10, 12, 13, 14, 15]) {
      const [, left, top] = tileAt(z, west, north);
      const [, right, bottom] = tileAt(z, east, south);
      for (let x = left; x <= right; x++) {
        for (let y = top; y <= bottom; y++) {
          for (const { type, geometry, layer } of readTile(cutter.cut(z, x, y))) {
            seen++;
            const margin = type === 1 ? 0 : 64;
            for (const part of geometry) {
              expect(part.length, layer).toBeGreaterThanOrEqual(type === 3 ? 4 : type);
              for (const point of part)
                if (point.x < -margin || point.y < -margin || point.x > 4096 + margin || point.y > 4096 + margin)
                  expect.fail(`${layer} of ${z}/${x}/${y} reaches ${point.x}, ${point.y}`);
            }
            if (type === 3) expect(turnOf(geometry[0]!)).toBe(1);
          }
        }
      }
    }
    expect(seen).toBeGreaterThan(2000);
  }
});

test('the map answers packed tiles, nothing where there is nothing, and goes over to another territory', async () => {
  const map = startMap();
  const [z, x, y] = tileAt(14, CENTRE.lon, CENTRE.lat);
  expect(await map.tile(z, x, y)).toBeUndefined();
  expect(map.version).toBe('');
  const town = (name: string) =>
    new ExtractBuilder()
      .node(1, CENTRE.lat, CENTRE.lon, { amenity: 'police', name })
      .node(2, ...at(900, 900))
      .build();
  const nameAt = async () =>
    readTile(gunzipSync((await map.tile(z, x, y))!)).find(({ layer }) => layer === 'poi')!.props['name'];
  const first = await mapDirectory(town('First'));
  await map.open(first);
  expect(await nameAt()).toBe('First');
  const version = map.version;
  await map.open(await mapDirectory(town('Second')));
  expect(await nameAt()).toBe('Second');
  expect(map.version).not.toBe(version);
  expect(await map.tile(14, 0, 0)).toBeUndefined();
  expect(await map.tile(16, 0, 0)).toBeUndefined();
  await expect(map.open('/nowhere')).rejects.toThrow('ENOENT');
  expect(await nameAt()).toBe('Second');
  await map.open(undefined);
  expect(await map.tile(z, x, y)).toBeUndefined();
  await map.close();
  await map.open(first).catch((error: Error) => expect(error.message).toBe('The map is closed.'));
});

test('the cache keeps what was used last, within its bytes, and knows of empty tiles', () => {
  const cache = new TileCache(3500);
  const tile = new Uint8Array(800);
  for (const key of ['a', 'b', 'c']) cache.put(key, tile);
  cache.get('a');
  cache.put('d', tile);
  expect(['a', 'b', 'c', 'd'].filter((key) => cache.has(key))).toEqual(['a', 'c', 'd']);
  cache.put('e', undefined);
  expect([cache.has('e'), cache.get('e')]).toEqual([true, undefined]);
});

function lengthOf(line: readonly number[]): number {
  let length = 0;
  for (let i = 2; i < line.length; i += 2) length += Math.hypot(line[i]! - line[i - 2]!, line[i + 1]! - line[i - 1]!);
  return length;
}

function pathLength(points: [number, number][], steps: number, counts: (point: [number, number]) => boolean): number {
  let length = 0;
  for (let i = 1; i < points.length; i++) {
    const [ax, ay] = points[i - 1]!,
      [bx, by] = points[i]!;
    const step = Math.hypot(bx - ax, by - ay) / steps;
    for (let s = 0; s < steps; s++)
      if (counts([ax + ((bx - ax) * (s + 0.5)) / steps, ay + ((by - ay) * (s + 0.5)) / steps])) length += step;
  }
  return length;
}

function covers(ring: readonly number[], px: number, py: number): boolean {
  let inside = false;
  for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) {
    const ax = ring[j]!,
      ay = ring[j + 1]!,
      bx = ring[i]!,
      by = ring[i + 1]!;
    if (ay > py !== by > py && px < ((bx - ax) * (py - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}

function distanceToEdge(line: readonly number[], px: number, py: number): number {
  let least = line.length >= 2 ? Math.hypot(line[0]! - px, line[1]! - py) : Infinity;
  for (let i = 2; i < line.length; i += 2) {
    const ax = line[i - 2]!,
      ay = line[i - 1]!,
      dx = line[i]! - ax,
      dy = line[i + 1]! - ay;
    const along = dx || dy ? Math.min(1, Math.max(0, ((px - ax) * dx + (py - ay) * dy) / (dx * dx + dy * dy))) : 0;
    least = Math.min(least, Math.hypot(ax + along * dx - px, ay + along * dy - py));
  }
  return least;
}

function turnOf(ring: { x: number; y: number }[]): number {
  return Math.sign(
    ring.reduce((sum, a, i) => {
      const b = ring[(i + 1) % ring.length]!;
      return sum + a.x * b.y - b.x * a.y;
    }, 0),
  );
}

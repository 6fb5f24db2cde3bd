import fc from 'fast-check';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TileCutter } from '../../../../server/geo/map/tile-cutter.ts';
import { RangeFile } from '../../../../server/platform/disk/range-file.ts';
import { ExtractBuilder, TERRITORY_FILES } from '../../../../server/geo/territory/index.ts';
import { MapFile } from '../../../../server/geo/territory/tiles/index.ts';
import { MapFileBuilder } from '../../../../server/geo/territory/tiles/map-file/map-file.ts';
import { LAYERS, MAX_ZOOM } from '../../../../server/geo/territory/tiles/layers.ts';
import { bytesInMemory } from '../../../../server/platform/disk/range-file.ts';
import { afterFile } from '../../../support/after-file.ts';
import { RUN } from '../territory/extracts.ts';
import { CENTRE, mapDirectory, mapOf, readTile, tileAt } from './drawn-map.ts';
import { oldDrawing } from './old-drawing.ts';

const scratch = mkdtempSync(join(tmpdir(), 'waypost-map-file-'));
afterFile(() => rmSync(scratch, { recursive: true, force: true }));

test('a file is read by ranges as it is on the disk, however little of it stays in memory', () => {
  const path = join(scratch, 'ranges');
  const bytes = Uint8Array.from({ length: 300_000 }, (_, i) => (i * 2654435761) >>> 24);
  writeFileSync(path, bytes);
  const file = new RangeFile(path, 128 * 1024);
  afterFile(() => file.close());
  fc.assert(
    fc.property(fc.nat(bytes.length), fc.nat(200_000), (offset, most) => {
      const length = Math.min(most, bytes.length - offset);
      expect(Buffer.compare(file.read(offset, length), bytes.subarray(offset, offset + length))).toBe(0);
    }),
    RUN,
  );
  expect(() => file.read(bytes.length - 1, 2)).toThrow(RangeError);
});

test('of all features those that touch a box are found, in the order of painting, at every zoom', () => {
  const coordinate = fc.integer({ min: 0, max: 2 ** 31 - 1 });
  const feature = fc.record({
    line: fc.array(fc.tuple(coordinate, coordinate), { minLength: 1, maxLength: 5 }),
    layer: fc.constantFrom(...LAYERS),
    minZoom: fc.nat(MAX_ZOOM),
    order: fc.integer({ min: -128, max: 127 }),
    name: fc.string({ unit: 'grapheme', maxLength: 6 }),
  });
  fc.assert(
    fc.property(
      fc.array(feature, { maxLength: 120 }),
      fc.nat(MAX_ZOOM),
      coordinate,
      coordinate,
      (features, z, x, y) => {
        const builder = new MapFileBuilder();
        for (const { line, name, ...drawn } of features) {
          for (const [px, py] of line) builder.vertex(px, py);
          builder.endPart();
          builder.endFeature(2, { ...drawn, attributes: [['name', name]] });
        }
        const map = MapFile.from(bytesInMemory(Buffer.concat([...builder.finish()])));
        const box = [x, y, x + 2 ** 30, y + 2 ** 30] as const;
        const expected = features
          .map((one, i) => ({ ...one, i }))
          .filter(({ line, minZoom }) => minZoom <= z && touches(line, box))
          .sort((a, b) => LAYERS.indexOf(a.layer) - LAYERS.indexOf(b.layer) || a.order - b.order || a.i - b.i)
          .map(({ layer, name, line }) => [layer, name, line[0], line.at(-1)]);
        const found = map.featuresIn(z, box).map(({ layer, attributes, parts: [part] }) => {
          return [LAYERS[layer], map.pair(attributes[0]!)[1], part!.slice(0, 2), part!.slice(-2)];
        });
        expect(found).toEqual(expected);
      },
    ),
    RUN,
  );
});

function touches(
  line: readonly (readonly [number, number])[],
  box: readonly [number, number, number, number],
): boolean {
  const [xs, ys] = [line.map(([x]) => x), line.map(([, y]) => y)];
  return (
    Math.min(...xs) <= box[2] && Math.max(...xs) >= box[0] && Math.min(...ys) <= box[3] && Math.max(...ys) >= box[1]
  );
}

test('a map of version 1 gives the tiles of one that is made today', async () => {
  const before = new TileCutter(MapFile.open(new URL('map-version-1.bin', import.meta.url).pathname));
  const today = new TileCutter(await mapOf(oldDrawing(new ExtractBuilder()).build()));
  for (const z of [10, 13, 15]) {
    const tile = tileAt(z, CENTRE.lon, CENTRE.lat);
    // The program that draws it says how far land reaches.
    const [old, now] = [before, today].map((cutter) =>
      readTile(cutter.cut(...tile)).filter(({ layer }) => layer !== 'earth'),
    );
    expect(now!.map(({ layer }) => layer)).toContain('water');
    expect(old).toEqual(now);
  }
});

test('a truncated file and one that is not a map are refused, and damage within ends no thread', async () => {
  const path = join(scratch, 'damaged.bin');
  const whole = join(await mapDirectory(oldDrawing(new ExtractBuilder()).build()), TERRITORY_FILES.tiles);
  copyFileSync(whole, path);
  const { length } = readFileSync(whole);
  truncateSync(path, length - 1);
  expect(() => MapFile.open(path)).toThrow(/damaged/);
  writeFileSync(path, 'map');
  expect(() => MapFile.open(path)).toThrow(/not a map file/);
  const tile = tileAt(15, CENTRE.lon, CENTRE.lat);
  fc.assert(
    fc.property(fc.integer({ min: 8, max: length - 49 }), fc.nat(255), (at, byte) => {
      const bytes = readFileSync(whole);
      bytes[at] = byte;
      try {
        new TileCutter(MapFile.from(bytesInMemory(bytes))).cut(...tile);
      } catch (error) {
        expect(error).toBeInstanceOf(Error);
      }
    }),
    RUN,
  );
});

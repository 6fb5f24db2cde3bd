import sharp from 'sharp';
import { expect, test } from 'vitest';
import { gzipSync } from 'node:zlib';
import { staticPicture } from '../../../../server/geo/map/index.ts';
import { tilesOf } from '../../../../server/geo/map/picture/view.ts';
import { TileCutter } from '../../../../server/geo/map/tile-cutter.ts';
import { ExtractBuilder } from '../../../../server/geo/territory/index.ts';
import { CENTRE, draw, mapOf, square } from './drawn-map.ts';

test('a view is covered by its tiles, with its place in the middle', () => {
  const view = { lon: 10, lat: 50, zoom: 16.5, width: 680, height: 320 };
  const tiles = tilesOf(view, 15);
  expect(tiles.every(({ z, side }) => z === 15 && Math.abs(side - 256 * 2 ** 1.5) < 1e-9)).toBe(true);
  expect(Math.min(...tiles.map(({ left }) => left))).toBeLessThanOrEqual(0);
  expect(Math.max(...tiles.map(({ left, side }) => left + side))).toBeGreaterThanOrEqual(680);
  expect(tilesOf({ ...view, lon: 179.999, zoom: 3 }, 15).every(({ x }) => x >= 0 && x < 8)).toBe(true);
});

test('a picture shows what the tiles hold, also where two of them overlap, and is empty where there is nothing', async () => {
  const builder = new ExtractBuilder();
  draw(builder, square(-3000, -3000, 6000), { natural: 'water', name: 'Lake' });
  const cutter = new TileCutter(await mapOf(builder.build()));
  const map = {
    maxZoom: 15,
    tile: async (z: number, x: number, y: number) => {
      const tile = cutter.cut(z, x, y);
      return tile && gzipSync(tile);
    },
  };
  const png = await staticPicture(map, { ...CENTRE, zoom: 15, width: 400, height: 300 }, 1);
  const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
  expect([info.width, info.height]).toEqual([400, 300]);
  const at = (x: number, y: number) => [
    ...data.subarray((y * 400 + x) * info.channels, (y * 400 + x) * info.channels + 3),
  ];
  // Water everywhere along two lines that cross every border between tiles; the pin and the words stand
  // elsewhere.
  for (let x = 0; x < 400; x++)
    for (const [index, part] of at(x, 20).entries())
      expect(Math.abs(part - [0xb5, 0xd3, 0xe6][index]!), `${x}`).toBeLessThan(8);
  for (let y = 0; y < 300; y++)
    for (const [index, part] of at(20, y).entries())
      expect(Math.abs(part - [0xb5, 0xd3, 0xe6][index]!), `${y}`).toBeLessThan(8);
  expect(await staticPicture(map, { lon: -120, lat: -40, zoom: 15, width: 100, height: 100 })).toBeUndefined();
});

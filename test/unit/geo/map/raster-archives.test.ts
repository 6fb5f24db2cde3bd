import { readFileSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { PMTiles, zxyToTileId, type RangeResponse, type Source } from 'pmtiles';
import { expect, test } from 'vitest';
import { openArchive } from '../../../../server/geo/map/rasters/open-archive.ts';
import { hilbertId } from '../../../../server/geo/map/rasters/pmtiles.ts';
import { plainText } from '../../../../server/geo/map/rasters/raster-words.ts';
import { scratchDirectory } from '../territory/extracts.ts';
import { pictureOf, writeMbTiles, writePmTiles } from './raster-files.ts';

const scratch = scratchDirectory();
const TILES = [
  [12, 2195, 1573],
  [12, 2196, 1573],
  [13, 4390, 3146],
  [13, 4391, 3147],
  [15, 17563, 12587],
].map(([z, x, y]) => ({ z: z!, x: x!, y: y!, bytes: pictureOf(`${z}/${x}/${y}`) }));
const MALTA = [14.1, 35.7, 14.6, 36.1];

/** How another program reads the same file. */
class FromDisk implements Source {
  readonly path: string;
  constructor(path: string) {
    this.path = path;
  }
  getKey = () => this.path;
  async getBytes(offset: number, length: number): Promise<RangeResponse> {
    const file = await open(this.path);
    const { buffer } = await file.read(new Uint8Array(length), 0, length, offset);
    await file.close();
    return { data: buffer.buffer as ArrayBuffer };
  }
}

test('pictures of an MBTiles file are found by rows from the north, and its words are plain text', () => {
  const path = writeMbTiles(join(scratch, 'malta.mbtiles'), TILES, {
    name: 'Malta',
    format: 'png',
    bounds: MALTA.join(','),
    attribution: '<a href="https://example.org">&copy; Survey &amp; Mapping</a>',
  });
  const archive = openArchive(path);
  expect(archive.info).toEqual({
    format: 'mbtiles',
    minZoom: 12,
    maxZoom: 15,
    bounds: MALTA,
    name: 'Malta',
    attribution: '© Survey & Mapping',
  });
  for (const { z, x, y, bytes } of TILES) expect(Buffer.from(archive.tile(z, x, y)!)).toEqual(bytes);
  expect(archive.tile(12, 2197, 1573)).toBeUndefined();
  archive.close();
});

test('without bounds of its own an MBTiles file covers its tiles', () => {
  const archive = openArchive(writeMbTiles(join(scratch, 'bare.mbtiles'), TILES));
  const [west, south, east, north] = archive.info.bounds;
  expect([west, east]).toEqual([(17563 / 2 ** 15) * 360 - 180, (17564 / 2 ** 15) * 360 - 180]);
  expect(south).toBeCloseTo(38.4, 0);
  expect(north).toBeGreaterThan(south);
  archive.close();
});

test('an MBTiles file in WAL mode opens without files beside it', () => {
  const path = writeMbTiles(join(scratch, 'wal.mbtiles'), TILES, {}, 'PRAGMA journal_mode = WAL; ' + TABLE);
  const archive = openArchive(path);
  expect(archive.tile(12, 2195, 1573)).toBeDefined();
  archive.close();
});
const TABLE =
  'CREATE TABLE tiles (zoom_level, tile_column, tile_row, tile_data, PRIMARY KEY (zoom_level, tile_column, tile_row));';

test('tiles of a PMTiles file are numbered as other programs number them', () => {
  expect(hilbertId(0, 0, 0)).toBe(0);
  for (let z = 1; z <= 22; z++)
    for (const [a, b] of [
      [0, 0],
      [0.3, 0.9],
      [0.99, 0.01],
      [0.51, 0.5],
      [0.77, 0.66],
    ]) {
      const [x, y] = [Math.floor(a! * 2 ** z), Math.floor(b! * 2 ** z)];
      expect(hilbertId(z, x, y)).toBe(zxyToTileId(z, x, y));
    }
});

test('pictures of a PMTiles file are those that another program finds in it', async () => {
  const path = writePmTiles(join(scratch, 'malta.pmtiles'), TILES, zxyToTileId, {
    bounds: MALTA,
    words: { name: 'Malta', attribution: 'Survey' },
  });
  const archive = openArchive(path);
  expect(archive.info).toEqual({
    format: 'pmtiles',
    minZoom: 12,
    maxZoom: 15,
    bounds: MALTA,
    name: 'Malta',
    attribution: 'Survey',
  });
  const other = new PMTiles(new FromDisk(path));
  for (const { z, x, y, bytes } of TILES) {
    expect(Buffer.from(archive.tile(z, x, y)!)).toEqual(bytes);
    expect(Buffer.from((await other.getZxy(z, x, y))!.data)).toEqual(bytes);
  }
  expect(archive.tile(12, 2197, 1573)).toBeUndefined();
  archive.close();
});

test.each([
  ['territory.notRaster', () => write('text.mbtiles', 'not a file of pictures')],
  ['territory.notRaster', () => write('empty.pmtiles', '')],
  ['territory.notRaster', () => writePmTiles(join(scratch, 'v2.pmtiles'), TILES, zxyToTileId, { version: 2 })],
  ['territory.vectorTiles', () => writePmTiles(join(scratch, 'mvt.pmtiles'), TILES, zxyToTileId, { type: 1 })],
  ['territory.vectorTiles', () => writeMbTiles(join(scratch, 'pbf.mbtiles'), TILES, { format: 'pbf' })],
  [
    'territory.vectorTiles',
    () => writeMbTiles(join(scratch, 'gz.mbtiles'), [{ ...TILES[0]!, bytes: Buffer.from('\x1f\x8b') }]),
  ],
  ['territory.noTiles', () => writeMbTiles(join(scratch, 'none.mbtiles'), [])],
  [
    'territory.slowRaster',
    () =>
      writeMbTiles(
        join(scratch, 'slow.mbtiles'),
        TILES,
        {},
        'CREATE TABLE tiles (zoom_level, tile_column, tile_row, tile_data);',
      ),
  ],
  ['territory.badRaster', () => cut(writePmTiles(join(scratch, 'cut.pmtiles'), TILES, zxyToTileId), 150)],
  ['territory.badRaster', () => cut(writePmTiles(join(scratch, 'short.pmtiles'), TILES, zxyToTileId), 60)],
  ['territory.badRaster', () => cut(writeMbTiles(join(scratch, 'cut.mbtiles'), TILES), 4096)],
])('%s: a file that cannot be shown is refused in words', (code, made) => {
  expect(() => openArchive(made())).toThrow(expect.objectContaining({ code }));
});

test('any damage of a byte is a refusal or another picture, never another error', () => {
  for (const path of [
    writePmTiles(join(scratch, 'whole.pmtiles'), TILES, zxyToTileId),
    writeMbTiles(join(scratch, 'whole.mbtiles'), TILES),
  ]) {
    const whole = readFileSync(path);
    for (let at = 0; at < whole.length; at += path.endsWith('pmtiles') ? 1 : 61) {
      const damaged = Buffer.from(whole);
      damaged[at]! ^= 0xff;
      const file = write('damaged.tiles', damaged);
      try {
        const archive = openArchive(file);
        try {
          for (const { z, x, y } of TILES) archive.tile(z, x, y);
        } finally {
          archive.close();
        }
      } catch (error) {
        expect(error, `byte ${at}`).toMatchObject({ name: 'Refusal' });
      }
    }
  }
});

test('words of a file lose their tags and are short', () => {
  expect(plainText('<script>alert(1)</script>\n  a &lt;b&gt;')).toBe('alert(1) a <b>');
  expect(plainText(undefined)).toBe('');
  expect(plainText('x'.repeat(1000))).toHaveLength(300);
});

function write(name: string, content: string | Uint8Array): string {
  writeFileSync(join(scratch, name), content);
  return join(scratch, name);
}

function cut(path: string, bytes: number): string {
  return write('cut.tiles', readFileSync(path).subarray(0, bytes));
}

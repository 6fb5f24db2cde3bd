import { writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';

/** A picture of one tile; rows count from the north. */
export interface MadeTile {
  readonly z: number;
  readonly x: number;
  readonly y: number;
  readonly bytes: Uint8Array;
}

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** Bytes that begin like a PNG picture and say which one they are. */
export function pictureOf(text: string): Uint8Array {
  return Buffer.concat([Buffer.from(PNG), Buffer.from(text)]);
}

/** Writes an MBTiles file. `schema` may replace its table of tiles, `words` are its metadata. */
export function writeMbTiles(
  path: string,
  tiles: readonly MadeTile[],
  words: Readonly<Record<string, string>> = {},
  schema = 'CREATE TABLE tiles (zoom_level, tile_column, tile_row, tile_data); ' +
    'CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row);',
): string {
  const database = new DatabaseSync(path);
  database.exec(`CREATE TABLE metadata (name TEXT, value TEXT); ${schema}`);
  for (const [name, value] of Object.entries(words))
    database.prepare('INSERT INTO metadata VALUES (?, ?)').run(name, value);
  const insert = database.prepare('INSERT INTO tiles VALUES (?, ?, ?, ?)');
  for (const { z, x, y, bytes } of tiles) insert.run(z, x, 2 ** z - 1 - y, bytes);
  database.close();
  return path;
}

interface PmTilesForm {
  readonly words?: Readonly<Record<string, string>>;
  /** Degrees: west, south, east, north. */
  readonly bounds?: readonly number[];
  /** 1 vector tiles, 2 PNG. */
  readonly type?: number;
  readonly version?: number;
}

/** Writes a PMTiles file whose root names one directory, which has the tiles. `idOf` numbers tiles. */
export function writePmTiles(
  path: string,
  tiles: readonly MadeTile[],
  idOf: (z: number, x: number, y: number) => number,
  { words = {}, bounds = [-180, -85, 180, 85], type = 2, version = 3 }: PmTilesForm = {},
): string {
  const entries = tiles.map(({ z, x, y, bytes }) => ({ id: idOf(z, x, y), bytes })).sort((a, b) => a.id - b.id);
  const data = Buffer.concat(entries.map(({ bytes }) => bytes));
  const leaf = gzipSync(
    varints([
      entries.length,
      ...entries.map(({ id }, index) => id - (entries[index - 1]?.id ?? 0)),
      ...entries.map(() => 1),
      ...entries.map(({ bytes }) => bytes.length),
      ...entries.map((_, index) => (index === 0 ? 1 : 0)),
    ]),
  );
  const root = gzipSync(varints([1, entries[0]!.id, 0, leaf.length, 1]));
  const metadata = gzipSync(JSON.stringify(words));
  const header = Buffer.alloc(127);
  header.write('PMTiles', 'latin1');
  header[7] = version;
  const parts = [root, metadata, leaf, data];
  let place = header.length;
  for (const [index, part] of parts.entries()) {
    header.writeBigUInt64LE(BigInt(place), 8 + 16 * index);
    header.writeBigUInt64LE(BigInt(part.length), 16 + 16 * index);
    place += part.length;
  }
  header.set([1, 2, 1, type], 96);
  const zooms = tiles.map(({ z }) => z);
  header.set([Math.min(...zooms), Math.max(...zooms)], 100);
  for (const [index, degrees] of bounds.entries()) header.writeInt32LE(Math.round(degrees * 1e7), 102 + 4 * index);
  writeFileSync(path, Buffer.concat([header, ...parts]));
  return path;
}

function varints(numbers: readonly number[]): Buffer {
  const bytes: number[] = [];
  for (let left of numbers) {
    for (; left >= 128; left = Math.floor(left / 128)) bytes.push((left % 128) + 128);
    bytes.push(left);
  }
  return Buffer.from(bytes);
}

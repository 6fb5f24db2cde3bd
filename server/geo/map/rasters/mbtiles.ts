import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { Refusal } from '../../../../shared/refusal.ts';
import { GREATEST_ZOOM, LARGEST_TILE, pictureType, type ArchiveInfo, type RasterArchive } from './raster-archive.ts';
import { boundsOf, boundsOfTiles, plainText } from './raster-words.ts';

/** KiB of pages that SQLite keeps of one file. */
const CACHE = 4096;
/** Bytes of a value, and characters of a statement; a schema is allowed no more. */
const LONGEST = 64 * 1024;

/**
 * MBTiles 1.3. The file comes from outside: its views and triggers get no functions, and a file whose tiles are
 * not found by an index is refused, because each tile would read all of it.
 */
export class MbTiles implements RasterArchive {
  readonly info: ArchiveInfo;
  readonly #database: DatabaseSync;
  readonly #find: StatementSync;
  readonly #file: string;

  constructor(path: string, file: string) {
    this.#file = file;
    // Immutable: a copy in WAL mode opens without files beside it.
    const url = pathToFileURL(path);
    url.search = 'immutable=1';
    this.#database = new DatabaseSync(url, { readOnly: true, allowExtension: false });
    try {
      this.#database.exec(`PRAGMA trusted_schema = OFF; PRAGMA cache_size = -${CACHE}; PRAGMA mmap_size = 0;`);
      this.#requireIndex();
      this.#find = this.#database.prepare(
        'SELECT tile_data AS data FROM tiles WHERE zoom_level = ? AND tile_column = ? AND tile_row = ? ' +
          `AND length(tile_data) <= ${LARGEST_TILE}`,
      );
      this.info = this.#read();
    } catch (error) {
      this.#database.close();
      if (error instanceof Refusal) throw error;
      throw new Refusal('territory.badRaster', { file });
    }
  }

  tile(z: number, x: number, y: number): Uint8Array | undefined {
    try {
      const data = this.#find.get(z, x, 2 ** z - 1 - y)?.['data'];
      return data instanceof Uint8Array ? data : undefined;
    } catch {
      throw new Refusal('territory.badRaster', { file: this.#file });
    }
  }

  close(): void {
    this.#database.close();
  }

  #requireIndex(): void {
    const file = this.#file;
    const isThere = this.#database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'tiles'").get();
    if (!isThere) throw new Refusal('territory.notRaster', { file });
    const plan = this.#database
      .prepare('EXPLAIN QUERY PLAN SELECT tile_data FROM tiles WHERE zoom_level=1 AND tile_column=1 AND tile_row=1')
      .all();
    if (plan.some(({ detail }) => String(detail).startsWith('SCAN')))
      throw new Refusal('territory.slowRaster', { file });
  }

  #read(): ArchiveInfo {
    const file = this.#file;
    const words = this.#metadata();
    if (words.get('format') === 'pbf') throw new Refusal('territory.vectorTiles', { file });
    const { least, most } = this.#database
      .prepare('SELECT min(zoom_level) AS least, max(zoom_level) AS most FROM tiles')
      .get() as Record<string, unknown>;
    if (typeof least !== 'number' || typeof most !== 'number') throw new Refusal('territory.noTiles', { file });
    if (least < 0 || most > GREATEST_ZOOM) throw new Refusal('territory.badRaster', { file });
    const first = this.#database.prepare('SELECT tile_data AS data FROM tiles WHERE zoom_level = ? LIMIT 1').get(most);
    const data = first?.['data'];
    if (!(data instanceof Uint8Array) || !pictureType(data)) throw new Refusal('territory.vectorTiles', { file });
    return {
      format: 'mbtiles',
      minZoom: least,
      maxZoom: most,
      bounds: boundsOf((words.get('bounds') ?? '').split(',').map(Number)) ?? this.#extent(most),
      name: plainText(words.get('name')),
      attribution: plainText(words.get('attribution')),
    };
  }

  #metadata(): ReadonlyMap<string, string> {
    const isThere = this.#database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'metadata'").get();
    if (!isThere) return new Map();
    const rows = this.#database
      .prepare(
        "SELECT name, value FROM metadata WHERE name IN ('name', 'format', 'bounds', 'attribution') " +
          `AND length(value) <= ${LONGEST} LIMIT 100`,
      )
      .all();
    return new Map(rows.map(({ name, value }) => [String(name), String(value)]));
  }

  /** Where the tiles of the greatest zoom lie. */
  #extent(z: number): ArchiveInfo['bounds'] {
    const { west, east, south, north } = this.#database
      .prepare(
        'SELECT min(tile_column) AS west, max(tile_column) AS east, min(tile_row) AS south, max(tile_row) AS north ' +
          'FROM tiles WHERE zoom_level = ?',
      )
      .get(z) as Record<string, number>;
    const rows = 2 ** z - 1;
    return boundsOfTiles(z, { west: west!, north: rows - north!, east: east!, south: rows - south! });
  }
}

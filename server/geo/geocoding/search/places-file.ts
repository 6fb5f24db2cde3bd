import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { SQLInputValue, StatementSync } from 'node:sqlite';
import { Refusal } from '../../../../shared/refusal.ts';
import { TERRITORY_FILES } from '../../territory/types.ts';
import type { BoundingBox, Line } from '../../territory/geometry/metres.ts';
import { PLACES_VERSION } from '../../territory/places/schema.ts';

/** A row of `document` (see the schema in `server/geo/territory/places`). Coordinates in 1e-7 degrees. */
export interface PlaceRow {
  id: number;
  kind: 'street' | 'place' | 'object';
  sort: string;
  names: string;
  area: string;
  name_words: string;
  area_words: string;
  sort_words: string;
  lon: number;
  lat: number;
  zoom: number;
  importance: number;
  /** Older territories have none. */
  ref?: string;
  postcode?: string | null;
  area_from?: number;
  /** In the language of the query, if the data have it. */
  shown_name?: string | null;
  shown_area?: string | null;
}

export interface AddressRow {
  id: number;
  document: number;
  number: string;
  key: string;
  low: number;
  high: number;
  lon: number;
  lat: number;
  estimated: number;
  postcode?: string | null;
}

export interface CornerRow {
  a: number;
  b: number;
  lon: number;
  lat: number;
}

export interface MilestoneRow {
  metres: number;
  lon: number;
  lat: number;
}

/** A line, or a part of one, with its document. */
export interface LineRow {
  document: number;
  points: Line;
}

/** The tables of one territory, and data prepared from them. */
interface OpenPlaces {
  readonly database: DatabaseSync;
  readonly prepared: Map<string, StatementSync>;
  /** Tables that older territories lack. */
  readonly has: ReadonlySet<string>;
  readonly bounds: PlacesFile['bounds'];
}

/** places.db of one territory, opened for reading, with prepared statements. */
export class PlacesFile {
  /** degrees: west, south, east, north */
  readonly bounds: readonly [number, number, number, number];
  readonly #places: OpenPlaces;
  readonly #language: string | undefined;

  private constructor(places: OpenPlaces, language?: string) {
    this.#places = places;
    this.#language = language;
    this.bounds = places.bounds;
  }

  static open(directory: string): PlacesFile {
    const database = new DatabaseSync(join(directory, TERRITORY_FILES.places), { readOnly: true });
    try {
      return new PlacesFile(openPlaces(database));
    } catch (error) {
      database.close();
      throw error;
    }
  }

  /** The same file, with names in this language where it has them. */
  inLanguage(language: string | undefined): PlacesFile {
    const isThere = language !== undefined && this.#places.has.has('name_in');
    return isThere ? new PlacesFile(this.#places, language) : this;
  }

  close(): void {
    this.#places.database.close();
  }

  /** All words in alphabetical order, and how many documents have each. */
  terms(): { terms: string[]; counts: number[] } {
    const rows = this.#all<{ term: string; count: number }>('SELECT term, count FROM term');
    // SQLite sorts by UTF-8, JavaScript compares UTF-16; beyond the basic plane these differ.
    rows.sort((a, b) => (a.term < b.term ? -1 : 1));
    return { terms: rows.map(({ term }) => term), counts: rows.map(({ count }) => count) };
  }

  /** Ids of the most important documents of a full-text query. */
  matching(question: string, most: number): number[] {
    return this.#all<{ rowid: number }>(
      'SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid LIMIT ?',
      question,
      most,
    ).map(({ rowid }) => rowid);
  }

  /** The same, only among streets. */
  streetsMatching(question: string, most: number): number[] {
    return this.#all<{ id: number }>(
      `SELECT id FROM words CROSS JOIN document ON document.id = words.rowid WHERE words MATCH ? AND kind = 'street' ORDER BY words.rowid LIMIT ?`,
      question,
      most,
    ).map(({ id }) => id);
  }

  /** The same among documents that touch a box. */
  matchingIn(question: string, { west, south, east, north }: BoundingBox, most: number): number[] {
    // The plus keeps SQLite from querying the full-text index once for every document in the box.
    return this.#all<{ rowid: number }>(
      'SELECT rowid FROM words WHERE words MATCH ? AND +rowid IN (SELECT id FROM document_box WHERE west <= ? AND east >= ? AND south <= ? AND north >= ?) ORDER BY rowid LIMIT ?',
      question,
      east,
      west,
      north,
      south,
      most,
    ).map(({ rowid }) => rowid);
  }

  /** Ids of documents with some of the words, those with the rarest first. */
  resembling(question: string, most: number): number[] {
    return this.#all<{ rowid: number }>(
      'SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT ?',
      question,
      most,
    ).map(({ rowid }) => rowid);
  }

  documents(ids: readonly number[]): PlaceRow[] {
    const list = JSON.stringify(ids);
    return this.#language === undefined
      ? this.#all<PlaceRow>('SELECT * FROM document WHERE id IN (SELECT value FROM json_each(?))', list)
      : this.#all<PlaceRow>(
          `SELECT document.*, name_in.name AS shown_name, area_in.name AS shown_area FROM document
           LEFT JOIN name_in ON name_in.document = document.id AND name_in.language = ?2
           LEFT JOIN area_in ON area_in.area = document.area AND area_in.language = ?2
           WHERE document.id IN (SELECT value FROM json_each(?1))`,
          list,
          this.#language,
        );
  }

  document(id: number): PlaceRow {
    return this.documents([id])[0]!;
  }

  /** House numbers of a street or place whose range contains a number between the two. */
  addresses(document: number, low: number, high: number): AddressRow[] {
    return this.#all<AddressRow>(
      'SELECT * FROM address WHERE document = ? AND low <= ? AND high >= ? ORDER BY low, id LIMIT 200',
      document,
      high,
      low,
    );
  }

  /** The nearest known numbers below, or above, one: its own side of the street first. */
  neighbour(document: number, number: number, side: 'below' | 'above', sameParity: boolean): AddressRow | undefined {
    const [compare, order] = side === 'below' ? ['<', 'DESC'] : ['>', 'ASC'];
    const parity = sameParity ? `AND low % 2 = ${number % 2}` : '';
    return this.#all<AddressRow>(
      `SELECT * FROM address WHERE document = ? AND low ${compare} ? ${parity} ORDER BY low ${order}, id LIMIT 1`,
      document,
      number,
    )[0];
  }

  addressesIn({ west, south, east, north }: BoundingBox): AddressRow[] {
    return this.#all<AddressRow>(
      'SELECT address.* FROM address_box JOIN address USING (id) WHERE west <= ? AND east >= ? AND south <= ? AND north >= ?',
      east,
      west,
      north,
      south,
    );
  }

  /** The lines of a street. */
  lines(document: number): Line[] {
    const pieces = this.#all<{ line: number; points: Uint8Array }>(
      'SELECT line, points FROM piece WHERE document = ? ORDER BY id',
      document,
    );
    const lines = new Map<number, number[]>();
    for (const { line, points } of pieces) {
      const run = lines.get(line);
      const own = lineOfBytes(points);
      if (run) for (let i = 2; i < own.length; i++) run.push(own[i]!);
      else lines.set(line, [...own]);
    }
    return [...lines.values()].map((run) => Int32Array.from(run));
  }

  piecesIn(box: BoundingBox): LineRow[] {
    return this.#linesIn('piece', box);
  }

  corners(some: readonly number[], others: readonly number[]): CornerRow[] {
    return this.#all<CornerRow>(
      `WITH x(id) AS (SELECT value FROM json_each(?1)), y(id) AS (SELECT value FROM json_each(?2))
       SELECT corner.* FROM x CROSS JOIN corner ON a = x.id WHERE b IN (SELECT id FROM y)
       UNION SELECT corner.* FROM x CROSS JOIN corner INDEXED BY corner_b ON b = x.id WHERE a IN (SELECT id FROM y)`,
      JSON.stringify(some),
      JSON.stringify(others),
    );
  }

  /** Roads on bridges. */
  bridgesIn(box: BoundingBox): LineRow[] {
    return this.#places.has.has('bridge') ? this.#linesIn('bridge', box) : [];
  }

  /** The edges of squares. */
  squaresIn(box: BoundingBox): LineRow[] {
    return this.#places.has.has('square') ? this.#linesIn('square', box) : [];
  }

  milestones(document: number): MilestoneRow[] {
    return this.#places.has.has('milestone')
      ? this.#all<MilestoneRow>(
          'SELECT metres, lon, lat FROM milestone WHERE document = ? ORDER BY metres LIMIT 20000',
          document,
        )
      : [];
  }

  boxOf(document: number): BoundingBox | undefined {
    return this.#all<BoundingBox>('SELECT west, south, east, north FROM document_box WHERE id = ?', document)[0];
  }

  #linesIn(table: 'piece' | 'bridge' | 'square', { west, south, east, north }: BoundingBox): LineRow[] {
    return this.#all<{ document: number; points: Uint8Array }>(
      `SELECT document, points FROM ${table}_box JOIN ${table} USING (id) WHERE west <= ? AND east >= ? AND south <= ? AND north >= ?`,
      east,
      west,
      north,
      south,
    ).map(({ document, points }) => ({ document, points: lineOfBytes(points) }));
  }

  #all<Row>(sql: string, ...values: SQLInputValue[]): Row[] {
    const { database, prepared } = this.#places;
    let statement = prepared.get(sql);
    if (!statement) prepared.set(sql, (statement = database.prepare(sql)));
    return statement.all(...values) as Row[];
  }
}

const OPTIONAL_TABLES = ['bridge', 'square', 'milestone', 'name_in'];

function openPlaces(database: DatabaseSync): OpenPlaces {
  const about = database.prepare('SELECT * FROM about').get() as unknown as BoundingBox & { version: number };
  if (about.version !== PLACES_VERSION)
    throw new Refusal('territory.placesVersion', { found: about.version, needed: PLACES_VERSION });
  const present = database
    .prepare('SELECT name FROM sqlite_master WHERE name IN (SELECT value FROM json_each(?))')
    .all(JSON.stringify(OPTIONAL_TABLES));
  return {
    database,
    prepared: new Map(),
    has: new Set(present.map(({ name }) => String(name))),
    bounds: [about.west / 1e7, about.south / 1e7, about.east / 1e7, about.north / 1e7],
  };
}

function lineOfBytes(bytes: Uint8Array): Line {
  return new Int32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}

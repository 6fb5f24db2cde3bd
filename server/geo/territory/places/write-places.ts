import { DatabaseSync } from 'node:sqlite';
import { words } from '../../../../shared/text/fold.ts';
import type { Address } from './addresses.ts';
import type { Bridge } from './bridges.ts';
import type { District } from './districts.ts';
import type { Document } from './document.ts';
import { emptyBox, grow } from '../geometry/metres.ts';
import type { BoundingBox, Line } from '../geometry/metres.ts';
import { remembering } from './names.ts';
import type { Milestone } from './road-marks.ts';
import { AREA_FROM, PLACE_INDEXES, PLACES_VERSION, TABLES } from './schema.ts';
import type { Square } from './squares.ts';

export interface PlaceTables {
  documents: Document[];
  addresses: readonly Address[];
  corners: readonly { a: Document; b: Document; lon: number; lat: number }[];
  bridges: readonly Bridge[];
  squares: readonly Square[];
  milestones: readonly Milestone[];
  /** degrees: west, south, east, north */
  bounds: readonly [number, number, number, number];
}

/** Points of a piece: few enough that its box is narrow, many enough that streets have few pieces. */
const PIECE = 12;
/**
 * Names of a district that find the things in it: its own, and those in languages that operators read. A
 * country has two hundred.
 */
const NAMES_AROUND = 6;
/** A street along the border of several postcodes has several, and so it has of towns. */
const MAX_POSTCODES = 8;
const MAX_TOWNS = 8;
/** Bytes; SQLite's default of 1 MB suits tables that change. */
const WORDS_HELD = 64 * 2 ** 20;
/** Rows between two reports, and between two checks for cancellation. */
const STRIDE = 5000;

/**
 * Writes a new places.db; an existing one is an error. The importer syncs it, so nothing here waits for the
 * disk.
 */
export function writePlaces(file: string, places: PlaceTables, report: (done: number) => void): void {
  const database = new DatabaseSync(file);
  try {
    database.exec(
      'PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA page_size = 8192; PRAGMA cache_size = -65536; PRAGMA locking_mode = EXCLUSIVE; BEGIN',
    );
    database.exec(TABLES);
    // All words of a small country are collected before writing: parts written early are read again for
    // merging.
    database.exec(`INSERT INTO words(words, rank) VALUES ('hashsize', ${WORDS_HELD})`);
    const [west, south, east, north] = places.bounds.map((degrees) => Math.round(degrees * 1e7)) as [
      number,
      number,
      number,
      number,
    ];
    database.prepare('INSERT INTO about VALUES (?, ?, ?, ?, ?)').run(PLACES_VERSION, west, south, east, north);

    const rows = places.documents.length + places.addresses.length + places.corners.length;
    let written = 0;
    const step = (): void => {
      if (++written % STRIDE === 0) report((0.9 * written) / rows);
    };
    places.documents.sort((a, b) => b.importance - a.importance);
    places.documents.forEach((document, i) => {
      document.id = i + 1;
    });
    writeDocuments(database, places.documents, step);
    writeAddresses(database, places.addresses, places.documents.length, step);
    const corner = database.prepare('INSERT OR IGNORE INTO corner VALUES (?, ?, ?, ?)');
    for (const { a, b, lon, lat } of places.corners) {
      corner.run(Math.min(a.id, b.id), Math.max(a.id, b.id), lon, lat);
      step();
    }
    writeLines(database, 'bridge', places.bridges);
    writeLines(database, 'square', places.squares);
    const milestone = database.prepare('INSERT OR IGNORE INTO milestone VALUES (?, ?, ?, ?)');
    for (const { document, metres, lon, lat } of places.milestones) milestone.run(document.id, metres, lon, lat);
    database.exec(PLACE_INDEXES);
    database.exec(`INSERT INTO words(words) VALUES ('optimize'); COMMIT; ANALYZE`);
    report(1);
  } finally {
    database.close();
  }
}

function writeDocuments(database: DatabaseSync, documents: readonly Document[], step: () => void): void {
  const insert = database.prepare('INSERT INTO document VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const index = database.prepare('INSERT INTO words(rowid, name, area, sort) VALUES (?, ?, ?, ?)');
  const box = database.prepare('INSERT INTO document_box VALUES (?, ?, ?, ?, ?)');
  const piece = database.prepare('INSERT INTO piece(document, line, points) VALUES (?, ?, ?)');
  const pieceBox = database.prepare('INSERT INTO piece_box VALUES (?, ?, ?, ?, ?)');
  const writeTranslations = translationsInto(database);
  const counts = new Map<string, number>();
  const surroundings = new AllSurroundings();
  // Kinds of things are described by the same few words again and again.
  const wordsOfSort = remembering(words);

  for (const document of documents) {
    const { id, kind, sort, names, lon, lat, zoom, importance, ref } = document;
    const variants = names.map((name) => words(name));
    const nameWords = new Set(variants.flat());
    const around = surroundings.of(document);
    const area = areaOf(document);
    const sortWords = new Set((document.also ?? []).flatMap(wordsOfSort));
    const sortText = [...sortWords].join(' ');
    insert.run(
      id,
      kind,
      sort,
      names.join('\n'),
      area.label,
      variants.map((variant) => variant.join(' ')).join('\n'),
      around.text,
      sortText,
      lon,
      lat,
      zoom,
      importance,
      ref ?? '',
      postcodeOf(document) ?? null,
      area.from,
    );
    writeTranslations(document, area);
    index.run(id, [...nameWords].join(' '), around.text, sortText);
    box.run(id, document.box.west, document.box.east, document.box.south, document.box.north);
    around.documents++;
    for (const term of nameWords) if (!around.words.has(term)) addTo(counts, term, 1);
    for (const term of sortWords) if (!around.words.has(term) && !nameWords.has(term)) addTo(counts, term, 1);
    if (kind === 'street') {
      (document.lines ?? []).forEach((line, lineNumber) => {
        for (const points of pieces(line)) {
          const { lastInsertRowid } = piece.run(id, lineNumber, bytesOf(points));
          const bounds = boxOf(points);
          pieceBox.run(lastInsertRowid, bounds.west, bounds.east, bounds.south, bounds.north);
        }
      });
    }
    step();
  }

  for (const around of surroundings.all) for (const term of around.words) addTo(counts, term, around.documents);
  const term = database.prepare('INSERT INTO term VALUES (?, ?)');
  for (const text of [...counts.keys()].sort()) term.run(text, counts.get(text)!);
}

/** Writes the names of documents in other languages, and of each label of an area once. */
function translationsInto(database: DatabaseSync): (document: Document, area: ShownArea) => void {
  const name = database.prepare('INSERT INTO name_in VALUES (?, ?, ?)');
  const areaName = database.prepare('INSERT INTO area_in VALUES (?, ?, ?)');
  const written = new Set<string>();
  return ({ id, inLanguages }, { label, shown }) => {
    for (const [language, text] of inLanguages ?? []) name.run(id, language, text);
    if (written.has(label)) return;
    written.add(label);
    for (const [language, text] of areaInLanguages(shown)) areaName.run(label, language, text);
  };
}

interface PlaceAreas {
  /** Folded, of the districts and the postcodes. */
  readonly words: ReadonlySet<string>;
  readonly text: string;
  /** How many documents lie in them. */
  documents: number;
}

/**
 * The words of the districts that contain a document: thousands share their districts, whose words are
 * collected once.
 */
class AllSurroundings {
  readonly all: PlaceAreas[] = [];
  readonly #numbers = new Map<District, number>();
  readonly #words = new Map<District, readonly string[]>();
  readonly #known = new Map<string, PlaceAreas>();

  of({ districts, postcodes, towns }: Document): PlaceAreas {
    const own = [...[...(postcodes ?? [])].sort().slice(0, MAX_POSTCODES), ...[...(towns ?? [])].slice(0, MAX_TOWNS)];
    const key = `${districts.map((district) => this.#number(district)).join(' ')}\n${own.join('\n')}`;
    let around = this.#known.get(key);
    if (!around) {
      const all = new Set([
        ...districts.flatMap((district) => this.#wordsOf(district)),
        ...own.flatMap((text) => words(text)),
      ]);
      this.#known.set(key, (around = { words: all, text: [...all].join(' '), documents: 0 }));
      this.all.push(around);
    }
    return around;
  }

  #number(district: District): number {
    let number = this.#numbers.get(district);
    if (number === undefined) this.#numbers.set(district, (number = this.#numbers.size));
    return number;
  }

  #wordsOf(district: District): readonly string[] {
    let list = this.#words.get(district);
    if (!list) this.#words.set(district, (list = district.names.slice(0, NAMES_AROUND).flatMap((name) => words(name))));
    return list;
  }
}

function addTo(counts: Map<string, number>, term: string, more: number): void {
  counts.set(term, (counts.get(term) ?? 0) + more);
}

function writeAddresses(database: DatabaseSync, addresses: readonly Address[], after: number, step: () => void): void {
  const insert = database.prepare('INSERT INTO address VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const box = database.prepare('INSERT INTO address_box VALUES (?, ?, ?, ?, ?)');
  addresses.forEach(({ document, number, key, low, high, lon, lat, estimated, postcode = null }, i) => {
    const id = after + 1 + i;
    insert.run(
      id,
      document.id,
      number,
      key,
      low,
      high,
      lon,
      lat,
      estimated ? 1 : 0,
      postcode === postcodeOf(document) ? null : postcode,
    );
    box.run(id, lon, lon, lat, lat);
    step();
  });
}

function writeLines(
  database: DatabaseSync,
  table: 'bridge' | 'square',
  lines: readonly { document: Document; line: Line }[],
): void {
  const insert = database.prepare(`INSERT INTO ${table}(document, points) VALUES (?, ?)`);
  const box = database.prepare(`INSERT INTO ${table}_box VALUES (?, ?, ?, ?, ?)`);
  for (const { document, line } of lines) {
    const { lastInsertRowid } = insert.run(document.id, bytesOf(line));
    const bounds = boxOf(line);
    box.run(lastInsertRowid, bounds.west, bounds.east, bounds.south, bounds.north);
  }
}

function bytesOf(line: Line): Uint8Array {
  return new Uint8Array(line.buffer, line.byteOffset, line.byteLength);
}

function boxOf(line: Line): BoundingBox {
  const bounds = emptyBox();
  for (let i = 0; i < line.length; i += 2) grow(bounds, line[i]!, line[i + 1]!);
  return bounds;
}

/** The area in the label of a document. */
interface ShownArea {
  readonly label: string;
  readonly from: number;
  readonly shown: readonly District[];
}

/**
 * "Sé, Porto": the quarter and the settlement, else the town that its houses name, or other districts; without
 * what its own name says already.
 */
function areaOf({ names, districts, towns }: Document): ShownArea {
  const near = districts.filter(({ tier }) => tier !== 'region');
  const [town] = towns ?? [];
  if (near.length === 0 && town !== undefined)
    return { label: town === names[0] ? '' : town, from: AREA_FROM.settlement, shown: [] };
  const shown = (near.length > 0 ? near : districts).slice(0, 2).filter((district) => district.names[0] !== names[0]);
  const different = shown.filter(
    ({ names: [name] }, i) => shown.findIndex((district) => district.names[0] === name) === i,
  );
  return {
    label: different.map((district) => district.names[0]!).join(', '),
    from: AREA_FROM[shown[0]?.tier ?? 'region'],
    shown: different,
  };
}

/** The label of an area in each language in which one of its districts has a name of its own. */
function areaInLanguages(shown: readonly District[]): Map<string, string> {
  const languages = new Set(shown.flatMap(({ inLanguages }) => [...(inLanguages?.keys() ?? [])]));
  const nameIn = (district: District, language: string) => district.inLanguages?.get(language) ?? district.names[0]!;
  return new Map(
    [...languages].map((language) => [language, shown.map((district) => nameIn(district, language)).join(', ')]),
  );
}

/** The one postcode of all houses. */
function postcodeOf({ postcodes }: Document): string | undefined {
  return postcodes?.size === 1 ? [...postcodes][0]!.trim() : undefined;
}

/** Cuts a line into pieces that share their ends. A line of one point is one piece. */
function* pieces(line: Line): Generator<Line> {
  const points = line.length / 2;
  if (points === 1) yield line.slice();
  for (let first = 0; first < points - 1; first += PIECE - 1)
    yield line.slice(2 * first, 2 * Math.min(points, first + PIECE));
}

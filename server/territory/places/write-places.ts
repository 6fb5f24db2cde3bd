import { DatabaseSync } from 'node:sqlite';
import { words } from '../../../shared/fold.ts';
import type { Address } from './addresses.ts';
import type { District } from './districts.ts';
import type { Document } from './document.ts';
import { emptyBox, grow } from './metres.ts';
import type { Line } from './metres.ts';
import { INDEXES, PLACES_VERSION, TABLES } from './schema.ts';

export interface Places {
  documents: Document[];
  addresses: readonly Address[];
  corners: readonly { a: Document; b: Document; lon: number; lat: number }[];
  /** degrees: west, south, east, north */
  bounds: readonly [number, number, number, number];
}

/** Points of a piece: few enough that its box is narrow, many enough that streets have few pieces. */
const PIECE = 12;
/** Names of a district by which the things in it are found: its own, and those in languages that operators read. A country has two hundred. */
const NAMES_AROUND = 6;
/** Rows between two reports, which is also how soon a cancelled import ends. */
const STRIDE = 5000;

/** Writes a new places.db; one that is there already is an error. The importer makes it durable, so nothing here waits for the disk. */
export function writePlaces(file: string, places: Places, report: (done: number) => void): void {
  const database = new DatabaseSync(file);
  try {
    database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA page_size = 8192; PRAGMA cache_size = -65536; PRAGMA locking_mode = EXCLUSIVE; BEGIN');
    database.exec(TABLES);
    const [west, south, east, north] = places.bounds.map((degrees) => Math.round(degrees * 1e7)) as [number, number, number, number];
    database.prepare('INSERT INTO about VALUES (?, ?, ?, ?, ?)').run(PLACES_VERSION, west, south, east, north);

    const rows = places.documents.length + places.addresses.length + places.corners.length;
    let written = 0;
    const step = (): void => {
      if (++written % STRIDE === 0) report((0.9 * written) / rows);
    };
    places.documents.sort((a, b) => b.importance - a.importance);
    places.documents.forEach((document, i) => { document.id = i + 1; });
    writeDocuments(database, places.documents, step);
    writeAddresses(database, places.addresses, places.documents.length, step);
    const corner = database.prepare('INSERT OR IGNORE INTO corner VALUES (?, ?, ?, ?)');
    for (const { a, b, lon, lat } of places.corners) {
      corner.run(Math.min(a.id, b.id), Math.max(a.id, b.id), lon, lat);
      step();
    }
    database.exec(INDEXES);
    database.exec(`INSERT INTO words(words) VALUES ('optimize'); COMMIT; ANALYZE`);
    report(1);
  } finally {
    database.close();
  }
}

function writeDocuments(database: DatabaseSync, documents: readonly Document[], step: () => void): void {
  const insert = database.prepare('INSERT INTO document VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const index = database.prepare('INSERT INTO words(rowid, name, area, sort) VALUES (?, ?, ?, ?)');
  const box = database.prepare('INSERT INTO document_box VALUES (?, ?, ?, ?, ?)');
  const piece = database.prepare('INSERT INTO piece(document, line, points) VALUES (?, ?, ?)');
  const pieceBox = database.prepare('INSERT INTO piece_box VALUES (?, ?, ?, ?, ?)');
  const counts = new Map<string, number>();
  // Thousands of streets share a district; its words are folded once.
  const areaWords = new Map<District, string[]>();
  const wordsOfDistrict = (district: District): string[] => {
    let list = areaWords.get(district);
    if (!list) areaWords.set(district, list = district.names.slice(0, NAMES_AROUND).flatMap((name) => words(name)));
    return list;
  };

  for (const document of documents) {
    const { id, kind, sort, names, districts, lon, lat, zoom, importance } = document;
    const variants = names.map((name) => words(name));
    const nameWords = new Set(variants.flat());
    const around = new Set([...districts.flatMap(wordsOfDistrict), ...[...(document.postcodes ?? [])].sort().slice(0, 4).flatMap((postcode) => words(postcode))]);
    const sortWords = new Set((document.also ?? []).flatMap((text) => words(text)));
    insert.run(id, kind, sort, names.join('\n'), areaLabel(names[0]!, districts), variants.map((variant) => variant.join(' ')).join('\n'), [...around].join(' '), [...sortWords].join(' '), lon, lat, zoom, importance);
    index.run(id, [...nameWords].join(' '), [...around].join(' '), [...sortWords].join(' '));
    box.run(id, document.box.west, document.box.east, document.box.south, document.box.north);
    for (const term of new Set([...nameWords, ...sortWords, ...around])) counts.set(term, (counts.get(term) ?? 0) + 1);
    if (kind === 'street') {
      (document.lines ?? []).forEach((line, lineNumber) => {
        for (const points of pieces(line)) {
          const { lastInsertRowid } = piece.run(id, lineNumber, new Uint8Array(points.buffer, points.byteOffset, points.byteLength));
          const bounds = emptyBox();
          for (let i = 0; i < points.length; i += 2) grow(bounds, points[i]!, points[i + 1]!);
          pieceBox.run(lastInsertRowid, bounds.west, bounds.east, bounds.south, bounds.north);
        }
      });
    }
    step();
  }

  const term = database.prepare('INSERT INTO term VALUES (?, ?)');
  for (const text of [...counts.keys()].sort()) term.run(text, counts.get(text)!);
}

function writeAddresses(database: DatabaseSync, addresses: readonly Address[], after: number, step: () => void): void {
  const insert = database.prepare('INSERT INTO address VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const box = database.prepare('INSERT INTO address_box VALUES (?, ?, ?, ?, ?)');
  addresses.forEach(({ document, number, key, low, high, lon, lat, estimated }, i) => {
    const id = after + 1 + i;
    insert.run(id, document.id, number, key, low, high, lon, lat, estimated ? 1 : 0);
    box.run(id, lon, lon, lat, lat);
    step();
  });
}

/** "Sé, Porto": the quarter and the settlement, or what else it lies in; not what its own name says already. */
function areaLabel(name: string, districts: readonly District[]): string {
  const near = districts.filter(({ tier }) => tier !== 'region');
  const shown = (near.length > 0 ? near : districts).slice(0, 2).map((district) => district.names[0]!);
  return [...new Set(shown)].filter((district) => district !== name).join(', ');
}

/** Cuts a line into pieces that share their ends. A line of one point is one piece. */
function* pieces(line: Line): Generator<Line> {
  const points = line.length / 2;
  if (points === 1) yield line.slice();
  for (let first = 0; first < points - 1; first += PIECE - 1) yield line.slice(2 * first, 2 * Math.min(points, first + PIECE));
}

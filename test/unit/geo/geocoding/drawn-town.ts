import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Hit } from '../../../../server/geo/geocoding/types.ts';
import { FrequentWords, STREET_LANGUAGES } from '../../../../server/geo/geocoding/query/language-words.ts';
import { PlacesFile } from '../../../../server/geo/geocoding/search/places-file.ts';
import { reverse } from '../../../../server/geo/geocoding/search/reverse.ts';
import { PlaceSearch } from '../../../../server/geo/geocoding/search/search.ts';
import { ExtractBuilder } from '../../../../server/geo/territory/extract/extract-builder.ts';
import type { OsmExtract } from '../../../../server/geo/territory/extract/extract.ts';
import { makePlaces } from '../../../../server/geo/territory/places/index.ts';
import { afterFile } from '../../../support/after-file.ts';

/** Frequent words of a territory that speaks every language. */
export const everyLanguage = new FrequentWords(STREET_LANGUAGES, () => false);

type Spot = readonly [east: number, north: number];
type Tags = Record<string, string>;

const LAT = 45,
  LON = 10;
const METRE_LAT = 1 / 111_195;
const METRE_LON = METRE_LAT / Math.cos((LAT * Math.PI) / 180);

/** Where a spot, given in metres from the town's origin, lies on the globe. */
export function at([east, north]: Spot): { lon: number; lat: number } {
  return { lon: LON + east * METRE_LON, lat: LAT + north * METRE_LAT };
}

/** A spot back from the globe, in whole metres. */
export function spotOf({ lon, lat }: { lon: number; lat: number }): [number, number] {
  return [Math.round((lon - LON) / METRE_LON), Math.round((lat - LAT) / METRE_LAT)];
}

/** A town drawn by hand, in metres. Lines that go through the same spot share a node there. */
export class DrawnTown {
  readonly #builder = new ExtractBuilder();
  readonly #nodes = new Map<string, number>();
  #last = 0;

  street(name: string | Tags, ...spots: Spot[]): number {
    const tags = typeof name === 'string' ? { name } : name;
    return this.way({ highway: 'residential', ...tags }, ...spots);
  }

  way(tags: Tags, ...spots: Spot[]): number {
    const id = ++this.#last;
    this.#builder.way(
      id,
      spots.map((spot) => this.#node(spot)),
      tags,
    );
    return id;
  }

  house(street: string, number: string, spot: Spot, tags: Tags = {}): this {
    return this.node({ 'addr:street': street, 'addr:housenumber': number, ...tags }, spot);
  }

  node(tags: Tags, [east, north]: Spot): this {
    const { lon, lat } = at([east, north]);
    const id = ++this.#last;
    this.#nodes.set(`${east} ${north}`, id);
    this.#builder.node(id, lat, lon, tags);
    return this;
  }

  place(place: string, name: string | Tags, spot: Spot): this {
    return this.node({ place, ...(typeof name === 'string' ? { name } : name) }, spot);
  }

  boundary(level: number, name: string, [west, south]: Spot, [east, north]: Spot): this {
    const half = (a: Spot, b: Spot): { type: 'way'; id: number; role: string } => ({
      type: 'way',
      id: this.way({}, a, [b[0], a[1]], b),
      role: 'outer',
    });
    this.#builder.relation(++this.#last, [half([west, south], [east, north]), half([east, north], [west, south])], {
      type: 'boundary',
      boundary: 'administrative',
      admin_level: String(level),
      name,
    });
    return this;
  }

  relation(tags: Tags, ...members: { type: 'node' | 'way' | 'relation'; id: number; role: string }[]): this {
    this.#builder.relation(++this.#last, members, tags);
    return this;
  }

  build(): OsmExtract {
    return this.#builder.build();
  }

  async open(): Promise<OpenTown> {
    return openTown(this.build());
  }

  #node(spot: Spot): number {
    const key = `${spot[0]} ${spot[1]}`;
    const known = this.#nodes.get(key);
    if (known !== undefined) return known;
    const { lon, lat } = at(spot);
    const id = ++this.#last;
    this.#nodes.set(key, id);
    this.#builder.node(id, lat, lon);
    return id;
  }
}

interface SearchOptions {
  readonly near?: Spot;
  readonly limit?: number;
  readonly language?: string;
}

export interface OpenTown {
  directory: string;
  counts: { places: number; addresses: number };
  search(query: string, options?: SearchOptions): Hit[];
  /** The labels alone. */
  labels(query: string, options?: SearchOptions): string[];
  reverse(spot: Spot, language?: string): Hit | undefined;
  /** The same in degrees. */
  searchNear(query: string, near: { lon: number; lat: number }, limit: number): Hit[];
  reverseAt(point: { lon: number; lat: number }): Hit | undefined;
}

/** Makes places.db of an extract in a directory of its own, which goes away with the tests of the file. */
export async function openTown(extract: OsmExtract): Promise<OpenTown> {
  const directory = mkdtempSync(join(tmpdir(), 'waypost-places-'));
  const counts = await makePlaces(extract, directory, () => {});
  const file = PlacesFile.open(directory);
  const search = new PlaceSearch(file);
  afterFile(() => {
    file.close();
    rmSync(directory, { recursive: true });
  });
  const ask: OpenTown['search'] = (query, { near, limit = 10, language } = {}) =>
    search.run({ query, limit, language, ...(near && { near: at(near) }) }, () => false);
  return {
    directory,
    counts,
    search: ask,
    labels: (query, options) => ask(query, options).map(({ label }) => label),
    reverse: (spot, language) => reverse(file.inLanguage(language), at(spot)),
    searchNear: (query, { lon, lat }, limit) => search.run({ query, near: { lon, lat }, limit }, () => false),
    reverseAt: (point) => reverse(file, point),
  };
}

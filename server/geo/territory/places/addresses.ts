import Flatbush from 'flatbush';
import { words } from '../../../../shared/text/fold.ts';
import type { OsmExtract, Tags } from '../extract/extract.ts';
import { MISSING } from '../extract/extract.ts';
import { areaOfRelation, lineOf } from './surfaces.ts';
import type { Districts } from './districts.ts';
import type { Document } from './document.ts';
import { LONGEST_NUMBER, parseHouseNumber } from './house-number.ts';
import type { HouseNumber } from './house-number.ts';
import {
  around,
  emptyBox,
  grow,
  lineLength,
  metresBetweenE7,
  metresToBox,
  nearestOnLine,
  pointAlong,
} from '../geometry/metres.ts';
import { LONGEST_NAME, townsOf } from './names.ts';
import { placeOfWay } from './objects.ts';

export interface Address extends HouseNumber {
  document: Document;
  /** As on the door. */
  number: string;
  lon: number;
  lat: number;
  /** Computed from an interpolation line, not mapped house by house. */
  estimated: boolean;
  postcode: string | undefined;
}

/** A house as tagged, before its street is known. */
interface AddressPoint {
  number: string;
  street: string | undefined;
  place: string | undefined;
  postcode: string | undefined;
  /** Town and quarter. */
  towns: readonly string[];
  lon: number;
  lat: number;
  estimated: boolean;
}

/** A street named by an address is searched within this distance. */
const STREET_WITHIN = 1500;
/** An address without street and place belongs to the nearest street within this distance. */
const NEAREST_WITHIN = 100;
const PLACE_WITHIN = 10_000;
/** Equal addresses within this distance are one house: a building and the shop in it. */
const SAME_HOUSE = 40;
/** Houses on one interpolation line, and numbers on one door. */
const LONGEST_INTERPOLATION = 500;
const MAX_NUMBERS = 20;
/** Letters of a postcode. */
const LONGEST_POSTCODE = 16;
/** Between the numbers of one door, but not within "10, корп. 2". */
const BETWEEN_NUMBERS = /[;,](?!\s*(?:к|корп|корпус|с|стр|строение|лит|литера?)[.\s]*(?:\d|[а-я](?!\p{L})))/iu;

/**
 * House numbers of nodes, buildings and multipolygons, each with its street: that of `addr:street` or of an
 * `associatedStreet` relation, else the place of `addr:place`, else the nearest street. Streets known only
 * from addresses are added to `streets`.
 */
export function findAddresses(
  extract: OsmExtract,
  streets: Document[],
  places: readonly Document[],
  districts: Districts,
): Address[] {
  const parents = new Parents(streets, places, districts);
  const addresses: Address[] = [];
  const doors = new Map<Document, Map<string, Address[]>>();
  for (const house of housesOf(extract)) {
    const parent = parents.of(house);
    if (!parent) continue;
    if (parent.sort === 'addresses') grow(parent.box, house.lon, house.lat);
    if (house.postcode) (parent.postcodes ??= new Set()).add(house.postcode);
    for (const town of house.towns) (parent.towns ??= new Set()).add(town);
    for (const text of house.number.split(BETWEEN_NUMBERS).slice(0, MAX_NUMBERS)) {
      const number = parseHouseNumber(text);
      if (!number) continue;
      const known = doors.get(parent) ?? new Map<string, Address[]>();
      doors.set(parent, known);
      const alike = known.get(number.key) ?? [];
      known.set(number.key, alike);
      if (
        alike.some(
          (other) =>
            (house.estimated && !other.estimated) ||
            metresBetweenE7(other.lon, other.lat, house.lon, house.lat) < SAME_HOUSE,
        )
      )
        continue;
      const address = {
        ...number,
        document: parent,
        number: text.trim().slice(0, LONGEST_NUMBER),
        lon: house.lon,
        lat: house.lat,
        estimated: house.estimated,
        postcode: house.postcode?.trim().slice(0, LONGEST_POSTCODE),
      };
      alike.push(address);
      addresses.push(address);
    }
  }
  return addresses;
}

/** Mapped houses first, then those of interpolation lines, which must not replace a mapped one. */
function* housesOf(extract: OsmExtract): Generator<AddressPoint> {
  const { nodes, ways } = extract;
  const related = streetsOfRelations(extract);
  const house = (tags: Tags, type: string, id: number, lon: number, lat: number): AddressPoint => ({
    number: tags['addr:housenumber']!,
    street: tags['addr:street'] ?? related.get(`${type}${id}`),
    place: tags['addr:place'] ?? tags['addr:hamlet'],
    postcode: tags['addr:postcode'],
    towns: townsOf(tags),
    lon,
    lat,
    estimated: false,
  });
  for (const node of nodes.having('addr:housenumber')) {
    yield house(nodes.tags(node)!, 'n', nodes.id[node]!, nodes.lon[node]!, nodes.lat[node]!);
  }
  const interpolations: number[] = [];
  for (const way of ways.having('addr:housenumber', 'addr:interpolation')) {
    const tags = ways.tags(way);
    if (tags['addr:interpolation'] !== undefined) interpolations.push(way);
    else {
      const place = placeOfWay(extract, way);
      if (place) yield house(tags, 'w', ways.id[way]!, place.lon, place.lat);
    }
  }
  for (const relation of extract.relations) {
    const { tags } = relation;
    if (tags['addr:housenumber'] === undefined || tags.type === 'associatedStreet') continue;
    const point = areaOfRelation(extract, relation)?.innerPoint();
    if (point) yield house(tags, 'r', relation.id, point.lon, point.lat);
  }
  for (const way of interpolations) yield* interpolated(extract, way, related);
}

/** The street's name for members of `associatedStreet` and `street` relations: `n17` is node 17. */
function streetsOfRelations({ relations, ways }: OsmExtract): Map<string, string> {
  const names = new Map<string, string>();
  for (const relation of relations) {
    const { tags } = relation;
    if (tags.type !== 'associatedStreet' && tags.type !== 'street') continue;
    const { members } = relation;
    const street = members.find(({ type, role, id }) => type === 'way' && role === 'street' && ways.find(id) >= 0);
    const name = tags.name ?? (street && ways.tags(ways.find(street.id)).name);
    if (name === undefined) continue;
    for (const { type, role, id } of members)
      if (role === 'house' || role === 'address' || role === 'addr:houselink') names.set(`${type[0]}${id}`, name);
  }
  return names;
}

/** The numbers between the mapped ends of an `addr:interpolation` way, evenly spaced along it. */
function* interpolated(
  extract: OsmExtract,
  way: number,
  related: ReadonlyMap<string, string>,
): Generator<AddressPoint> {
  const { nodes, ways } = extract;
  const tags = ways.tags(way);
  const kind = tags['addr:interpolation'];
  const step = kind === 'odd' || kind === 'even' ? 2 : kind === 'all' ? 1 : Number(kind);
  if (!(step >= 1)) return;
  let from: { number: number; tags: Tags; at: number; id: number } | undefined;
  const refs = ways.refs.subarray(ways.first[way], ways.first[way + 1]);
  for (let at = 0; at < refs.length; at++) {
    const node = refs[at]!;
    if (node === MISSING) return;
    const here = nodes.tags(node);
    const number = parseHouseNumber(here?.['addr:housenumber'] ?? '')?.low;
    if (!here || number === undefined) continue;
    if (from && number !== from.number && Math.abs(number - from.number) <= LONGEST_INTERPOLATION) {
      const line = lineOf(extract, way)!.subarray(2 * from.at, 2 * at + 2);
      const length = lineLength(line);
      const up = number > from.number ? 1 : -1;
      const street =
        tags['addr:street'] ??
        from.tags['addr:street'] ??
        here['addr:street'] ??
        related.get(`w${ways.id[way]}`) ??
        related.get(`n${from.id}`);
      const place = from.tags['addr:place'] ?? here['addr:place'];
      for (let n = from.number + up * step; up * (number - n) > 0; n += up * step) {
        const point = pointAlong(line, (length * (n - from.number)) / (number - from.number));
        yield { number: String(n), street, place, postcode: undefined, towns: [], ...point, estimated: true };
      }
    }
    from = { number, tags: here, at, id: nodes.id[node]! };
  }
}

/** Finds the street or place that a house belongs to. */
class Parents {
  readonly #streets: Document[];
  readonly #districts: Districts;
  readonly #streetsByName: Map<string, Document[]>;
  readonly #placesByName: Map<string, Document[]>;
  readonly #index: Flatbush | undefined;
  readonly #lines: { street: Document; line: Int32Array }[] = [];

  constructor(streets: Document[], places: readonly Document[], districts: Districts) {
    this.#streets = streets;
    this.#districts = districts;
    this.#streetsByName = byName(streets);
    this.#placesByName = byName(places);
    for (const street of streets) {
      for (const line of street.lines ?? []) {
        for (let i = 0; i + 1 < line.length; i += 14) this.#lines.push({ street, line: line.subarray(i, i + 16) });
      }
    }
    if (this.#lines.length > 0) {
      this.#index = new Flatbush(this.#lines.length);
      for (const { line } of this.#lines) {
        const box = emptyBox();
        for (let i = 0; i < line.length; i += 2) grow(box, line[i]!, line[i + 1]!);
        this.#index.add(box.west, box.south, box.east, box.north);
      }
      this.#index.finish();
    }
  }

  of(house: AddressPoint): Document | undefined {
    if (house.street !== undefined)
      return (
        this.#named(this.#streetsByName, house.street, house, STREET_WITHIN) ?? this.#newStreet(house, house.street)
      );
    if (house.place !== undefined)
      return (
        this.#named(this.#placesByName, house.place, house, PLACE_WITHIN) ??
        this.#named(this.#streetsByName, house.place, house, STREET_WITHIN) ??
        this.#newStreet(house, house.place)
      );
    return this.#nearest(house);
  }

  #named(
    documents: ReadonlyMap<string, Document[]>,
    name: string,
    { lon, lat }: AddressPoint,
    within: number,
  ): Document | undefined {
    let best: Document | undefined;
    let least = within;
    for (const document of documents.get(words(name).join(' ')) ?? []) {
      if (
        document.kind === 'place'
          ? metresToBox(lon, lat, document.box) >= least
          : metresToBox(lon, lat, document.box) > least
      )
        continue;
      const metres = document.lines
        ? Math.min(...document.lines.map((line) => nearestOnLine(line, lon, lat).metres))
        : metresBetweenE7(lon, lat, document.lon, document.lat);
      if (metres < least) {
        least = metres;
        best = document;
      }
    }
    return best;
  }

  #nearest({ lon, lat }: AddressPoint): Document | undefined {
    const box = around(lon, lat, NEAREST_WITHIN);
    let best: Document | undefined;
    let least = NEAREST_WITHIN;
    for (const i of this.#index?.search(box.west, box.south, box.east, box.north) ?? []) {
      const { street, line } = this.#lines[i]!;
      const { metres } = nearestOnLine(line, lon, lat);
      if (metres < least) {
        least = metres;
        best = street;
      }
    }
    return best;
  }

  /** A street with houses in the extract, but without a way of that name. */
  #newStreet({ lon, lat }: AddressPoint, text: string): Document | undefined {
    const key = words(text).join(' ');
    if (key === '') return undefined;
    const box = emptyBox();
    grow(box, lon, lat);
    const street: Document = {
      kind: 'street',
      sort: 'addresses',
      names: [text.trim().slice(0, LONGEST_NAME)],
      lon,
      lat,
      box,
      zoom: 16,
      importance: 0.3,
      districts: this.#districts.at(lon, lat),
      lines: [Int32Array.of(lon, lat)],
      id: 0,
    };
    this.#streets.push(street);
    const alike = this.#streetsByName.get(key);
    if (alike) alike.push(street);
    else this.#streetsByName.set(key, [street]);
    return street;
  }
}

function byName(documents: readonly Document[]): Map<string, Document[]> {
  const map = new Map<string, Document[]>();
  for (const document of documents) {
    for (const name of document.names) {
      const key = words(name).join(' ');
      const list = map.get(key);
      if (!list) map.set(key, [document]);
      else if (list[list.length - 1] !== document) list.push(document);
    }
  }
  return map;
}

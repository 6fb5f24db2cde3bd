import { sound, words } from '../../../../shared/text/fold.ts';
import { isNumbered } from '../../territory/places/sorts.ts';
import { metresBetweenE7 } from '../../territory/geometry/metres.ts';
import { AREA_FROM } from '../../territory/places/schema.ts';
import type { AddressParts, Hit } from '../types.ts';
import type { KnownHouse } from './house-search.ts';
import type { PlaceRow } from './places-file.ts';

/**
 * Documents and known addresses have the ids of their rows. Corners and estimated houses get a reproducible
 * id from here on, within 32 bits.
 */
const WITHOUT_ROW = 2 ** 30;

/** The sign of an estimate, in every language. */
const ABOUT = '≈';

/** The sign between a house and another number that was asked for. */
const OTHER = '≠';

const HOUSE_ZOOM = 18;
const STONE_ZOOM = 16;

export interface RankedHit extends Omit<Hit, 'distance'> {
  /** A mapped house with the very number that was asked for. */
  exact?: boolean;
  estimated?: boolean;
  /** A word beside the street's name says nothing of it: perhaps the name is misspelt, and another is meant. */
  isDoubtful?: boolean;
  /** Of a house: the folded name of its street. */
  street?: string;
}

/** A street, place or object. The requested name or number is added if it differs from that on the sign. */
export function documentHit(row: PlaceRow, score: number, variant = 0, number?: string): RankedHit {
  const name = named(row, variant);
  const ofName = words(name);
  const numbered =
    number === undefined || words(number).every((word) => ofName.includes(word)) ? name : `${name} (${number})`;
  return {
    id: row.id,
    kind: row.kind,
    label: join(numbered, areaOf(row)),
    area: areaOf(row),
    sort: row.sort,
    ...degrees(row),
    zoom: row.zoom,
    score,
    parts: partsOf(row, row.kind === 'street' ? { street: nameOf(row) } : {}),
  };
}

export function houseHit(row: PlaceRow, house: KnownHouse, score: number, variant = 0): RankedHit {
  const name = named(row, variant);
  const number = house.estimated ? `${ABOUT}${house.number}` : house.number;
  const other = house.asked === undefined ? '' : ` (${OTHER} ${inAlphabetOf(name, house.asked)})`;
  const id = house.id ?? numberOf(`${row.id} ${house.number}`);
  return {
    id,
    kind: 'address',
    label: join(`${name} ${house.id === undefined ? inAlphabetOf(name, number) : number}${other}`, areaOf(row)),
    area: areaOf(row),
    sort: 'house',
    ...degrees(house),
    zoom: HOUSE_ZOOM,
    score,
    parts: partsOf(
      row,
      { ...(row.kind === 'street' && { street: nameOf(row) }), number: house.number },
      house.postcode ?? row.postcode ?? undefined,
    ),
    match: house.estimated ? 'estimated' : house.asked === undefined ? 'exact' : 'other',
    exact: house.exact,
    estimated: house.estimated,
    street: row.name_words,
  };
}

/** The parts of an address: those given, and what the document lies in. */
function partsOf(row: PlaceRow, own: AddressParts, postcode = row.postcode ?? undefined): AddressParts {
  const area = areaOf(row);
  const areas = area === '' ? [] : area.split(', ');
  const [suburb, settlement, region] =
    row.area_from === AREA_FROM.quarter
      ? [areas[0], areas.slice(1).join(', '), '']
      : row.area_from === AREA_FROM.region
        ? ['', '', area]
        : ['', area, ''];
  // A house of a village without streets lies in that village.
  const city = row.kind === 'place' && own.number !== undefined ? nameOf(row) : settlement;
  return {
    ...own,
    ...(suburb && { suburb }),
    ...(city && { city }),
    ...(region && { region }),
    ...(postcode !== undefined && { postcode }),
  };
}

/** Block, building and letter of a folded number as they are written in a Russian street. */
function inAlphabetOf(name: string, number: string): string {
  return /\p{sc=Cyrillic}/u.test(name) ? number.replace(/[ksl](?=\d|[a-z])/g, (sign) => RUSSIAN[sign]!) : number;
}

const RUSSIAN: Readonly<Record<string, string>> = { k: 'к', s: 'с', l: 'л' };

/** "A 1 km 12.4" */
export function milestoneHit(
  row: PlaceRow,
  at: { lon: number; lat: number },
  metres: number,
  estimated: boolean,
  score: number,
  variant = 0,
): RankedHit {
  const text = `km ${estimated ? ABOUT : ''}${Number((metres / 1000).toFixed(3))}`;
  return {
    id: numberOf(`${row.id} ${text} ${at.lon} ${at.lat}`),
    kind: 'address',
    label: join(`${named(row, variant)} ${text}`, areaOf(row)),
    area: areaOf(row),
    sort: 'milestone',
    ...degrees(at),
    zoom: STONE_ZOOM,
    score,
  };
}

export function cornerHit(a: PlaceRow, b: PlaceRow, at: { lon: number; lat: number }, score: number): RankedHit {
  return {
    id: numberOf(`${Math.min(a.id, b.id)} / ${Math.max(a.id, b.id)} ${at.lon} ${at.lat}`),
    kind: 'corner',
    label: join(`${nameOf(a)} / ${nameOf(b)}`, areaOf(a)),
    area: areaOf(a),
    sort: 'corner',
    ...degrees(at),
    zoom: HOUSE_ZOOM,
    score,
  };
}

/** FNV-1a, folded to 30 bits. */
function numberOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return WITHOUT_ROW + ((hash >>> 0) % WITHOUT_ROW);
}

/** The name on the signs, or that in the language of the query. */
export function nameOf(row: PlaceRow): string {
  if (row.shown_name != null) return row.shown_name;
  const end = row.names.indexOf('\n');
  return end < 0 ? row.names : row.names.slice(0, end);
}

function named(row: PlaceRow, variant: number): string {
  const name = nameOf(row);
  const names = row.names.split('\n');
  // Of a translated street the crew reads the sign.
  const isTranslated = row.shown_name != null && row.kind === 'street';
  const other = variant === 0 ? (isTranslated ? names[0] : undefined) : names[variant];
  return other === undefined || name.includes(other) || sound(words(other).join('')) === sound(words(name).join(''))
    ? name
    : `${name} (${other})`;
}

function areaOf(row: PlaceRow): string {
  return row.shown_area ?? row.area;
}

function join(name: string, area: string): string {
  return area === '' ? name : `${name}, ${area}`;
}

function degrees({ lon, lat }: { lon: number; lat: number }): { lon: number; lat: number } {
  return { lon: lon / 1e7, lat: lat / 1e7 };
}

/** Moves estimates behind the real houses of the same street; the order is else the same. */
export function realHousesFirst(hits: readonly RankedHit[]): RankedHit[] {
  const waiting = new Set<RankedHit>();
  const near = (a: RankedHit, b: RankedHit): boolean =>
    metresBetweenE7(a.lon * 1e7, a.lat * 1e7, b.lon * 1e7, b.lat * 1e7) < SAME_STREET;
  const ordered = [...hits];
  for (const hit of hits) {
    if (hit.estimated !== true) continue;
    const lastReal = ordered.findLastIndex(
      (other) => other.estimated === false && other.street === hit.street && near(other, hit),
    );
    const at = ordered.indexOf(hit);
    if (lastReal <= at || waiting.has(hit)) continue;
    waiting.add(hit);
    ordered.splice(at, 1);
    ordered.splice(lastReal, 0, { ...hit, score: Math.min(hit.score, ordered[lastReal - 1]!.score) });
  }
  return ordered;
}

/** Metres between parts of one street. */
const SAME_STREET = 2000;

/**
 * Keeps only the best of hits with the same text near each other: a stop has two sides, a street several
 * parts.
 */
export function withoutDoubles(hits: readonly RankedHit[]): RankedHit[] {
  const kept = new Map<string, RankedHit[]>();
  return hits.filter((hit) => {
    const key = `${hit.kind} ${hit.label}`;
    const alike = kept.get(key) ?? [];
    kept.set(key, alike);
    if (
      alike.some(
        (other) =>
          metresBetweenE7(hit.lon * 1e7, hit.lat * 1e7, other.lon * 1e7, other.lat * 1e7) <
          (isNumbered(hit.sort ?? '') ? SAME_NUMBERED : SAME[hit.kind]),
      )
    )
      return false;
    alike.push(hit);
    return true;
  });
}

/** Metres: every hydrant counts. */
const SAME_NUMBERED = 5;
/** Metres. Two streets may meet twice, and have the same number twice, a block apart. */
const SAME = { street: 400, place: 400, object: 400, corner: 50, address: 50 } satisfies Record<Hit['kind'], number>;

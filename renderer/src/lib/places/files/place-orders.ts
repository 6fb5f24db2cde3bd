import { fold } from '../../../../../shared/text/fold.ts';
import { OWN_PLACE_SORTS, type OwnPlaceSort } from '../../../../../shared/records/own-places.ts';
import type { PlaceGeometry, PlaceTable } from './place-table.ts';

/** Meanings of a column. */
export const PLACE_COLUMNS = ['name', 'lat', 'lon', 'sort', 'otherNames', 'externalId', 'notes', 'accessCode'] as const;
export type PlaceColumn = (typeof PLACE_COLUMNS)[number];
/** The index of the column of each; undefined: none. */
export type PlaceColumns = Readonly<Partial<Record<PlaceColumn, number>>>;

/** Folded beginnings of column names, in the languages of lists that one meets. The first that fits counts. */
const GUESSES: Readonly<Record<PlaceColumn, readonly string[]>> = {
  name: ['name', 'title', 'nazvanie', 'naimenovanie', 'imia', 'bezeichnung', 'nom', 'nombre', 'object', 'obieekt'],
  lat: ['lat', 'shirota', 'breite', 'y'],
  lon: ['lon', 'lng', 'dolgota', 'lange', 'laenge', 'x'],
  sort: ['kind', 'sort', 'type', 'vid', 'tip', 'art', 'sym'],
  otherNames: ['other names', 'alt', 'alias', 'drugie', 'prozvishche', 'nickname'],
  externalId: ['id', 'number', 'no', 'nr', 'nomer', 'ref', 'kod obieekta', 'inventar'],
  notes: ['note', 'desc', 'comment', 'remark', 'zametk', 'primechanie', 'opisanie', 'kommentarii', 'bemerkung'],
  accessCode: ['code', 'access', 'kod', 'pin'],
};

/** Which column is what, by its name. A list without names has its numbers as such. */
export function guessPlaceColumns({ columns }: PlaceTable): PlaceColumns {
  const folded = columns.map((column) => fold(column).trim());
  const taken = new Set<number>();
  const guessed: Partial<Record<PlaceColumn, number>> = {};
  for (const column of PLACE_COLUMNS) {
    const index = GUESSES[column]
      .flatMap((guess) => [
        folded.indexOf(guess),
        folded.findIndex((name) => guess.length > 2 && name.startsWith(guess)),
      ])
      .find((at) => at >= 0 && !taken.has(at));
    if (index === undefined) continue;
    guessed[column] = index;
    taken.add(index);
  }
  if (guessed.name === undefined && guessed.externalId !== undefined) guessed.name = guessed.externalId;
  return guessed;
}

/** A place as `POST /own-places/batch` takes it. */
export interface PlaceOrder {
  readonly name: string;
  readonly sort: OwnPlaceSort;
  readonly lat?: number;
  readonly lon?: number;
  readonly geometry?: PlaceGeometry | null;
  readonly otherNames?: readonly string[];
  readonly externalId?: string;
  readonly notes?: string;
  readonly accessCode?: string;
  readonly layer: string;
}
export type Skipped = 'name' | 'place' | 'twice';

/** The places of a table, and why rows were left out. `sortNames` are the words of each sort, in any language. */
export function placeOrders(
  { rows }: PlaceTable,
  columns: PlaceColumns,
  given: { readonly layer: string; readonly sort: OwnPlaceSort; readonly sortNames: (sort: OwnPlaceSort) => string[] },
): { readonly orders: PlaceOrder[]; readonly skipped: ReadonlyMap<Skipped, number> } {
  const sorts = new Map(
    OWN_PLACE_SORTS.flatMap((sort) => [sort, ...given.sortNames(sort)].map((name) => [fold(name), sort] as const)),
  );
  const orders: PlaceOrder[] = [];
  const skipped = new Map<Skipped, number>();
  const skip = (why: Skipped) => void skipped.set(why, (skipped.get(why) ?? 0) + 1);
  const numbers = new Set<string>();
  for (const { values, geometry } of rows) {
    const text = (column: PlaceColumn): string => values[columns[column] ?? -1]?.trim() ?? '';
    const name = text('name').slice(0, LONGEST);
    const where = placeOf(geometry, degrees(text('lat'), 90), degrees(text('lon'), 180));
    const externalId = text('externalId').slice(0, LONGEST);
    if (name === '') skip('name');
    else if (!where) skip('place');
    else if (externalId !== '' && numbers.has(externalId)) skip('twice');
    else {
      numbers.add(externalId);
      orders.push({
        name,
        layer: given.layer,
        sort: sorts.get(fold(text('sort'))) ?? given.sort,
        ...where,
        ...(columns.externalId !== undefined && { externalId }),
        ...(columns.otherNames !== undefined && { otherNames: namesOf(text('otherNames')) }),
        ...(columns.notes !== undefined && { notes: text('notes') }),
        ...(text('accessCode') !== '' && { accessCode: text('accessCode') }),
      });
    }
  }
  return { orders, skipped };
}

const LONGEST = 100;
const MOST_NAMES = 20;

function placeOf(
  geometry: PlaceGeometry | undefined,
  lat: number | undefined,
  lon: number | undefined,
): Pick<PlaceOrder, 'lat' | 'lon' | 'geometry'> | undefined {
  const point = lat === undefined || lon === undefined ? undefined : { lat, lon };
  switch (geometry?.type) {
    case undefined:
      return point;
    case 'Point':
      return point ?? { lat: geometry.coordinates[1]!, lon: geometry.coordinates[0]!, geometry: null };
    case 'LineString':
    case 'Polygon':
      return { ...point, geometry };
  }
}

/** A number with a point or a comma. */
function degrees(text: string, most: number): number | undefined {
  const number = text === '' ? NaN : Number(text.replace(',', '.').replace(/\s*°$/, ''));
  return Math.abs(number) <= most ? number : undefined;
}

function namesOf(text: string): string[] {
  return text
    .split(/[;|\n]/)
    .map((name) => name.trim().slice(0, LONGEST))
    .filter((name) => name !== '')
    .slice(0, MOST_NAMES);
}

import type { LineString, Polygon } from 'geojson';
import { z } from 'zod';
import { Flag, IdOrNone, recordFields, Text, Word } from './record.ts';

/** Sorts of own places. The console has the words of each, and the station those by which it is found. */
export const OWN_PLACE_SORTS = [
  'hydrant',
  'water',
  'keyBox',
  'defibrillator',
  'gate',
  'entrance',
  'station',
  'building',
  'house',
  'road',
  'meetingPoint',
  'landing',
  'hazard',
  'area',
  'other',
] as const;
export type OwnPlaceSort = (typeof OWN_PLACE_SORTS)[number];

/** A place that is on no map, or is called otherwise there: an organization's own name for it. */
export const OwnPlace = z.object({
  ...recordFields,
  kind: z.literal('ownPlace'),
  name: Word,
  isDeleted: Flag,
  sort: z.enum(OWN_PLACE_SORTS),
  /** Nicknames, and names in other languages. */
  otherNames: z.array(Word),
  /** The list that it came with, which the map shows as one layer; empty: none. */
  layer: Word,
  /** Its id in the source it came from; unique in its layer. Empty: made by hand. */
  externalId: Word,
  /** Where a crew drives to. */
  point: z.object({ lat: z.number(), lon: z.number() }),
  /** GeoJSON of an area or a private road; null: only the point. */
  geometry: z.object({ type: z.enum(['LineString', 'Polygon']), coordinates: z.array(z.unknown()) }).nullable(),
  /** For the crew. */
  notes: Text,
  /** Opens the gate or the key box. Only for users who may read codes, and for crews sent there. */
  accessCode: Text,
  /** 0: of the whole station. */
  organizationId: IdOrNone,
});
export type OwnPlace = Omit<z.infer<typeof OwnPlace>, 'geometry'> & { geometry: LineString | Polygon | null };

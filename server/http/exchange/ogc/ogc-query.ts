import type { Geometry, Position } from 'geojson';
import { z } from 'zod';
import { fieldRule } from '../../../../shared/refusals/field-rules.ts';
import { LAST_ID, queryInt } from '../../request/fields.ts';
import type { OgcFeature } from './features.ts';

export const MOST_FEATURES = 1_000;
const USUAL_FEATURES = 100;

type Box = readonly [west: number, south: number, east: number, north: number];

/** Four numbers, or six with heights, which are not looked at. West may lie east of east: across the date line. */
const bbox = z
  .string()
  .max(300)
  .transform((text) => text.split(',').map((part) => (part.trim() === '' ? NaN : Number(part))))
  .refine(
    (numbers) => (numbers.length === 4 || numbers.length === 6) && numbers.every(Number.isFinite),
    fieldRule('field.type', { expected: 'west,south,east,north in degrees' }),
  )
  .transform((numbers): Box => {
    const [west, south, east, north] = numbers.length === 6 ? [0, 1, 3, 4].map((at) => numbers[at]!) : numbers;
    return [west!, south!, east!, north!];
  })
  .refine(([, south, , north]) => south <= north, fieldRule('field.type', { expected: 'south before north' }))
  .meta({ type: 'string', examples: ['14.3,35.8,14.6,36.0'] });

const MOMENT = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;

/** A time of RFC 3339, or two with a slash; `..` or nothing is an open end. */
const datetime = z
  .string()
  .max(100)
  .refine(
    (text) => {
      const parts = text.split('/');
      return (
        parts.length <= 2 &&
        parts.every((part) => isMoment(part) || (parts.length === 2 && (part === '' || part === '..'))) &&
        parts.some(isMoment)
      );
    },
    fieldRule('field.type', { expected: 'a time such as 2026-06-01T12:00:00Z, or two with a slash between' }),
  )
  .transform((text): readonly [number, number] => {
    const [from, until = from] = text.split('/');
    return [isMoment(from!) ? Date.parse(from!) : -Infinity, isMoment(until!) ? Date.parse(until!) : Infinity];
  })
  .refine(([from, until]) => from <= until, fieldRule('field.type', { expected: 'the earlier time first' }))
  .meta({ type: 'string', examples: ['2026-06-01T00:00:00Z/..'] });

function isMoment(text: string): boolean {
  return MOMENT.test(text) && !Number.isNaN(Date.parse(text));
}

export const OgcItemsQuery = z.object({
  bbox: bbox.optional(),
  datetime: datetime.optional(),
  limit: queryInt(1, 1_000_000)
    .transform((limit) => Math.min(limit, MOST_FEATURES))
    .default(USUAL_FEATURES)
    .meta({ description: `At most ${MOST_FEATURES}` }),
  offset: queryInt(0, LAST_ID).default(0).meta({ description: 'As the link `next` has it' }),
  f: z.string().max(20).optional(),
});
export type OgcItemsQuery = z.output<typeof OgcItemsQuery>;

/** Whether a feature is what a query asks for. */
export function isAsked({ geometry, span }: OgcFeature, { bbox, datetime }: OgcItemsQuery): boolean {
  if (datetime && span && ((span[0] ?? -Infinity) > datetime[1] || (span[1] ?? Infinity) < datetime[0])) return false;
  return bbox === undefined || touches(geometry, bbox);
}

/** By the box around the geometry. */
function touches(geometry: Geometry, [west, south, east, north]: Box): boolean {
  const [ownWest, ownSouth, ownEast, ownNorth] = boxOf(geometry);
  if (ownNorth < south || ownSouth > north) return false;
  return west <= east ? ownEast >= west && ownWest <= east : ownEast >= west || ownWest <= east;
}

function boxOf(geometry: Geometry): Box {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [lon, lat] of positionsOf(geometry)) {
    west = Math.min(west, lon!);
    east = Math.max(east, lon!);
    south = Math.min(south, lat!);
    north = Math.max(north, lat!);
  }
  return [west, south, east, north];
}

function positionsOf(geometry: Geometry): readonly Position[] {
  switch (geometry.type) {
    case 'Point':
      return [geometry.coordinates];
    case 'LineString':
      return geometry.coordinates;
    case 'Polygon':
      return geometry.coordinates.flat();
    default:
      return [];
  }
}

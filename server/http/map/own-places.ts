import { z } from 'zod';
import { mayReadCodes, type Actor } from '../../../shared/access.ts';
import { containsText } from '../../../shared/filters.ts';
import { OWN_PLACE_SORTS, type OwnPlace } from '../../../shared/records/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import type { OwnPlaceOrder, OwnPlaces } from '../../dispatch/places/index.ts';
import type { Tasks } from '../../dispatch/tasks/index.ts';
import { route, type DeclaredRoute } from '../app/route.ts';
import {
  bodyId,
  bodyNumber,
  pathId,
  queryBounds,
  queryLat,
  queryLimit,
  queryLon,
  queryText,
  textUpTo,
} from '../request/fields.ts';

const MOST_LISTED = 100_000;
const DEFAULT_LIMIT = 1_000;
/** Places of one batch. */
const MOST_WRITTEN = 100;
const MOST_NAMES = 20;

const geometry = z
  .looseObject({ type: z.enum(['LineString', 'Polygon']), coordinates: z.array(z.unknown()) })
  .nullable()
  .meta({ description: 'GeoJSON of an area or a private road, longitude before latitude; null: only the point' });
const Place = z
  .object({
    id: z.int(),
    name: z.string(),
    sort: z.enum(OWN_PLACE_SORTS),
    otherNames: z.array(z.string()),
    layer: z.string().meta({ description: 'The list that it belongs to; empty: none' }),
    externalId: z.string().meta({ description: 'Its id where it came from; unique in its layer' }),
    lat: z.number(),
    lon: z.number(),
    geometry,
    notes: z.string().meta({ description: 'For the crew' }),
    hasCode: z.boolean(),
    accessCode: z.string().nullable().meta({ description: 'null: none, or the caller may not read codes' }),
    organizationId: z.int().nullable().meta({ description: 'null: for everybody' }),
  })
  .meta({ id: 'OwnPlace' });

const word = textUpTo(100);
const fields = {
  sort: z.enum(OWN_PLACE_SORTS).optional(),
  otherNames: z.array(word).max(MOST_NAMES).optional(),
  layer: word.optional(),
  externalId: word.optional(),
  lat: bodyNumber(-90, 90).optional(),
  lon: bodyNumber(-180, 180).optional(),
  geometry: geometry.optional(),
  notes: textUpTo(20_000).optional(),
  accessCode: textUpTo(200).optional(),
  organizationId: bodyId
    .nullable()
    .transform((id) => id ?? 0)
    .optional(),
};
const Change = z.object({ name: word.optional(), ...fields });
const Create = z.object({ name: word, ...fields });
const params = z.object({ id: pathId });
const inB = { family: 'B', group: 'Own places', access: 'user' } as const;
const PLACE =
  '`lat` and `lon` are where a crew drives to; without them it is the middle of `geometry`. `organizationId` is the caller’s own when it is not given; null: for everybody, which those write who see every organisation.';

/** B. The places that an organization names itself. Users with `own-places` write those of their organization. */
export function ownPlaceRoutes(places: OwnPlaces, tasks: Tasks): DeclaredRoute[] {
  return [
    route({
      ...inB,
      method: 'GET',
      path: '/own-places',
      summary: 'Own places',
      description: `By id. \`limit\`: ${DEFAULT_LIMIT} when not given. With \`lat\` and \`lon\` only those at this point, the most particular first.`,
      query: z.object({
        name: queryText.optional(),
        layer: queryText.optional(),
        sort: z.enum(OWN_PLACE_SORTS).optional(),
        bounds: queryBounds.optional(),
        lat: queryLat.optional(),
        lon: queryLon.optional(),
        limit: queryLimit(MOST_LISTED),
      }),
      answer: z.array(Place),
      run: ({ caller, query }) => {
        const { name, layer, sort, bounds, lat, lon, limit = DEFAULT_LIMIT } = query;
        const point = wholePoint(lat, lon);
        const isAsked = (place: OwnPlace): boolean =>
          containsText(place.name, name) &&
          (layer === undefined || place.layer === layer) &&
          (sort === undefined || place.sort === sort) &&
          (bounds === undefined || isWithin(place.point, bounds));
        return (point ? places.at(caller, point) : places.list(caller))
          .filter(isAsked)
          .slice(0, limit)
          .map((place) => presentPlace(place, caller));
      },
    }),
    route({
      ...inB,
      method: 'GET',
      path: '/own-places/layers',
      summary: 'The layers of own places',
      answer: z.array(z.object({ layer: z.string(), places: z.int() })),
      run: ({ caller }) => {
        const counts = new Map<string, number>();
        for (const { layer } of places.list(caller)) counts.set(layer, (counts.get(layer) ?? 0) + 1);
        return [...counts].map(([layer, count]) => ({ layer, places: count }));
      },
    }),
    route({
      ...inB,
      method: 'POST',
      path: '/own-places',
      summary: 'Make an own place',
      description: PLACE,
      body: Create,
      answer: Place,
      run: async ({ caller, body }) => presentPlace(await places.create(caller, placeOrderOf(body)), caller),
    }),
    route({
      ...inB,
      method: 'POST',
      path: '/own-places/batch',
      cost: 5,
      summary: 'Make, change and remove many own places',
      description: `Up to ${MOST_WRITTEN} places, all or none. A place whose \`externalId\` its layer has already changes that place; what is not sent of it stays. \`remove\` has the ids of places to delete. ${PLACE}`,
      body: z.object({
        places: z.array(Create).max(MOST_WRITTEN),
        remove: z.array(bodyId).max(MOST_WRITTEN).optional(),
      }),
      answer: z.object({
        created: z.int(),
        changed: z.int(),
        removed: z.int(),
        ids: z.array(z.int()).meta({ description: 'In the order of `places`' }),
      }),
      run: async ({ caller, body }) => {
        const batch = await places.write(
          caller,
          body.places.map((place, index) => placeOrderOf(place, `places[${index}].`)),
          body.remove,
        );
        return { ...batch, ids: [...batch.ids] };
      },
    }),
    route({
      ...inB,
      method: 'GET',
      path: '/own-places/:id',
      summary: 'One own place',
      params,
      answer: Place,
      run: ({ caller, params }) => presentPlace(places.get(caller, params.id), caller),
    }),
    route({
      ...inB,
      method: 'PUT',
      path: '/own-places/:id',
      summary: 'Change an own place',
      description: 'What is not sent stays.',
      params,
      body: Change,
      answer: Place,
      run: async ({ caller, params, body }) =>
        presentPlace(await places.change(caller, params.id, placeOrderOf(body)), caller),
    }),
    route({
      ...inB,
      method: 'DELETE',
      path: '/own-places/:id',
      summary: 'Delete an own place',
      params,
      answer: 'nothing',
      run: ({ caller, params }) => places.delete(caller, params.id),
    }),
    route({
      family: 'A',
      group: 'Messages',
      access: 'user',
      bare: true,
      method: 'GET',
      path: '/news/:id/own-places',
      summary: 'Own places at a message’s place',
      description: 'The most particular first; empty for a message without a point.',
      params,
      answer: z.array(Place),
      run: ({ caller, params }) => {
        const { point } = tasks.get(caller, params.id);
        return point ? places.at(caller, point).map((place) => presentPlace(place, caller)) : [];
      },
    }),
  ];
}

function placeOrderOf({ lat, lon, ...same }: z.output<typeof Change>, prefix = ''): OwnPlaceOrder {
  const point = wholePoint(lat, lon, prefix);
  return point ? { ...same, point } : same;
}

/** Both or none. */
function wholePoint(
  lat: number | undefined,
  lon: number | undefined,
  prefix = '',
): { lat: number; lon: number } | undefined {
  if (lat === undefined && lon === undefined) return undefined;
  if (lat === undefined || lon === undefined)
    throw new Refusal('field.missing', { field: `${prefix}${lat === undefined ? 'lat' : 'lon'}` });
  return { lat, lon };
}

function isWithin({ lat, lon }: OwnPlace['point'], [west, south, east, north]: readonly number[]): boolean {
  return lon >= west! && lon <= east! && lat >= south! && lat <= north!;
}

function presentPlace(place: OwnPlace, by: Actor): z.input<typeof Place> {
  const { id, name, sort, otherNames, layer, externalId, point, notes, accessCode, organizationId } = place;
  return {
    id,
    name,
    sort,
    otherNames: [...otherNames],
    layer,
    externalId,
    ...point,
    geometry: place.geometry as z.input<typeof geometry>,
    notes,
    hasCode: accessCode !== '',
    accessCode: accessCode !== '' && mayReadCodes(by) ? accessCode : null,
    organizationId: organizationId || null,
  };
}

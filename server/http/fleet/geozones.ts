import { z } from 'zod';
import { among, containsText } from '../../../shared/filters.ts';
import type { Geozone } from '../../../shared/records/index.ts';
import { versionAt, versionsOf } from '../../../shared/fleet/versions.ts';
import type { Fleet } from '../../dispatch/fleet/index.ts';
import { bodyId, instant, pathId, queryIds, queryText, textUpTo } from '../request/fields.ts';
import { route, type DeclaredRoute } from '../app/route.ts';

const metres = z.number().nullable();
const drawn = z
  .looseObject({ type: z.enum(['Polygon', 'Point', 'LineString']), coordinates: z.array(z.unknown()) })
  .meta({
    description:
      'GeoJSON Polygon (the area), Point (centre of a circle) or LineString (middle of a corridor); longitude before latitude.',
  });

const Version = {
  name: z.string(),
  shape: z.enum(['polygon', 'circle', 'corridor']),
  geometry: drawn,
  radius: metres.meta({ description: 'metres, of a circle' }),
  width: metres.meta({ description: 'metres to either side, of a corridor' }),
  speedLimit: z.number().nullable().meta({ description: 'km/h' }),
  validFrom: z.int().meta({ description: 'epoch ms from when on this holds' }),
};
const GeozoneAnswer = z
  .object({
    id: z.int(),
    ...Version,
    organizationId: z.int(),
    notes: z.string(),
    color: z.string(),
    view: z.boolean(),
    district: z.boolean(),
  })
  .meta({ id: 'Geozone' });
const VersionAnswer = z.object({ ...Version, validTill: z.int().nullable() }).meta({ id: 'GeozoneVersion' });

const length = z.number().min(1).max(200_000).nullish();
const Change = z.object({
  name: textUpTo(100).optional(),
  organizationId: bodyId.optional(),
  notes: textUpTo(20_000).optional(),
  color: textUpTo(40).optional(),
  view: z.boolean().optional(),
  district: z.boolean().optional(),
  geometry: drawn.optional(),
  radius: length,
  width: length,
  speedLimit: z.number().min(0).max(300).nullish(),
  validFrom: instant.optional(),
});
const Create = Change.required({ geometry: true }).extend({ name: textUpTo(100) });
const params = z.object({ id: pathId });
/** Shared text about future versions, for the descriptions of versioned records. */
export const PLANNED =
  'A `validFrom` to come plans a version, which is the present one from then on. It keeps what it changes, whatever is edited before; an edit with its very `validFrom` replaces it, and one that says there what held before takes it away.';
const inB = { family: 'B', group: 'Geozones' } as const;

/** B. Geozones. Each belongs to one organization and applies to all its vehicles. */
export function geozoneRoutes({ geozones }: Fleet, now: () => number): DeclaredRoute[] {
  const present = (zone: Geozone) => presentAt(zone, now());
  return [
    route({
      ...inB,
      access: 'user',
      method: 'GET',
      path: '/geozones',
      summary: 'Geozones',
      query: z.object({ name: queryText.optional(), organizations: queryIds.optional() }),
      answer: z.array(GeozoneAnswer),
      run: ({ caller, query }) => {
        const isOfOrganizations = among(query.organizations);
        return geozones
          .list(caller)
          .map(present)
          .filter(({ name, organizationId }) => containsText(name, query.name) && isOfOrganizations(organizationId));
      },
    }),
    route({
      ...inB,
      access: 'admin',
      method: 'POST',
      path: '/geozones',
      summary: 'Make a geozone',
      body: Create,
      answer: GeozoneAnswer,
      description:
        'A Polygon; a Point with `radius`; a LineString with `width`. It holds from now on, or from `validFrom` (epoch ms), which may lie in the past.',
      run: async ({ caller, body }) => present(await geozones.create(caller, body)),
    }),
    route({
      ...inB,
      access: 'user',
      method: 'GET',
      path: '/geozones/:id',
      summary: 'One geozone',
      params,
      answer: GeozoneAnswer,
      run: ({ caller, params }) => present(geozones.get(caller, params.id)),
    }),
    route({
      ...inB,
      access: 'user',
      method: 'GET',
      path: '/geozones/:id/versions',
      summary: 'A geozone as it was',
      params,
      answer: z.array(VersionAnswer),
      description:
        'Oldest first, those that are planned for later last; each with the time up to which it holds; null: it has no end.',
      run: ({ caller, params }) =>
        versionsOf(geozones.get(caller, params.id)).map((version) => ({
          ...presentVersion(version),
          validTill: version.validUntil,
        })),
    }),
    route({
      ...inB,
      access: 'admin',
      method: 'PUT',
      path: '/geozones/:id',
      summary: 'Change a geozone',
      params,
      body: Change,
      answer: GeozoneAnswer,
      description: `What is not sent stays. Name, shape and limit hold from now on, or from \`validFrom\`: the events of before stay as they are. ${PLANNED}`,
      run: async ({ caller, params, body }) => present(await geozones.change(caller, params.id, body)),
    }),
    route({
      ...inB,
      access: 'admin',
      method: 'DELETE',
      path: '/geozones/:id',
      summary: 'Delete a geozone',
      params,
      answer: 'nothing',
      description: 'It ends now; the events of before stay.',
      run: ({ caller, params }) => geozones.delete(caller, params.id),
    }),
  ];
}

function presentAt(zone: Geozone, time: number): z.input<typeof GeozoneAnswer> {
  const { id, organizationId, notes, color, view, district = false } = zone;
  return { id, ...presentVersion(versionAt(zone, time)), organizationId, notes, color, view, district };
}

function presentVersion({
  name,
  shape,
  speedLimit,
  validFrom,
}: Geozone['versions'][number]): z.input<z.ZodObject<typeof Version>> {
  const same = { name, shape: shape.kind, radius: null, width: null, speedLimit: speedLimit || null, validFrom };
  switch (shape.kind) {
    case 'circle':
      return { ...same, geometry: { type: 'Point', coordinates: shape.center }, radius: shape.radius };
    case 'corridor':
      return { ...same, geometry: { type: 'LineString', coordinates: shape.line }, width: shape.width };
    case 'polygon':
      return { ...same, geometry: { type: 'Polygon', coordinates: shape.rings } };
  }
}

import { z } from 'zod';
import { among, containsText } from '../../../shared/filters.ts';
import type { PlannedRoute } from '../../../shared/records/index.ts';
import { versionAt, versionsOf } from '../../../shared/fleet/versions.ts';
import type { Fleet, RouteOrder } from '../../dispatch/fleet/index.ts';
import { bodyId, instant, LAST_ID, pathId, queryIds, queryText, textUpTo } from '../request/fields.ts';
import { PLANNED } from './geozones.ts';
import { route, type DeclaredRoute } from '../app/route.ts';

const Line = z
  .looseObject({ type: z.literal('LineString'), coordinates: z.array(z.unknown()) })
  .meta({ description: 'GeoJSON LineString; longitude before latitude.' });
const ControlPoint = z
  .object({
    id: z.int(),
    name: z.string(),
    lat: z.number(),
    lon: z.number(),
    radius: z.number(),
    arriveAfter: z.number().nullable(),
  })
  .meta({
    id: 'ControlPoint',
    description:
      '`radius` in metres; `arriveAfter` in seconds after the beginning of the drive: `from` of the route, else when the vehicle joined it.',
  });
const instantOrNull = z.int().nullable();
const Version = {
  name: z.string(),
  line: Line,
  points: z.array(ControlPoint),
  carsIds: z.array(z.int()),
  from: instantOrNull,
  till: instantOrNull,
  corridor: z
    .number()
    .nullable()
    .meta({ description: 'metres to either side that are still on the route; null: as the settings of events say' }),
  validFrom: z.int(),
};
const RouteAnswer = z
  .object({ id: z.int(), ...Version, organizationId: z.int(), notes: z.string(), color: z.string(), view: z.boolean() })
  .meta({ id: 'PlannedRoute' });
const VersionAnswer = z.object({ ...Version, validTill: instantOrNull }).meta({ id: 'PlannedRouteVersion' });

const PointBody = z.object({
  id: z.int().min(1).max(LAST_ID).nullish(),
  name: textUpTo(100),
  lat: z.number().min(-90).max(90),
  lon: z.number().min(-180).max(180),
  radius: z.number().min(5).max(10_000).nullish(),
  arriveAfter: z.number().min(0).max(31_536_000).nullish(),
});
const Change = z.object({
  name: textUpTo(100).optional(),
  organizationId: bodyId.optional(),
  notes: textUpTo(20_000).optional(),
  color: textUpTo(40).optional(),
  view: z.boolean().optional(),
  line: Line.optional(),
  points: z.array(PointBody).max(200).optional(),
  carsIds: z.array(bodyId).max(1000).optional(),
  from: instant.nullish(),
  till: instant.nullish(),
  corridor: z.number().min(5).max(10_000).nullish(),
  validFrom: instant.optional(),
});
const Create = Change.required({ line: true }).extend({ name: textUpTo(100) });
const params = z.object({ id: pathId });
const inB = { family: 'B', group: 'Planned routes' } as const;

/** B. Planned routes with their control points. Each belongs to one organization. */
export function plannedRouteRoutes({ routes }: Fleet, now: () => number): DeclaredRoute[] {
  const present = (one: PlannedRoute) => presentAt(one, now());
  return [
    route({
      ...inB,
      access: 'user',
      method: 'GET',
      path: '/routes',
      summary: 'Planned routes',
      query: z.object({ name: queryText.optional(), organizations: queryIds.optional(), cars: queryIds.optional() }),
      answer: z.array(RouteAnswer),
      run: ({ caller, query: { name: part, organizations, cars } }) => {
        const [isOfOrganizations, isAsked] = [among(organizations), among(cars)];
        return routes
          .list(caller)
          .map(present)
          .filter(
            ({ name, organizationId, carsIds }) =>
              containsText(name, part) &&
              isOfOrganizations(organizationId) &&
              (cars === undefined || carsIds.some(isAsked)),
          );
      },
    }),
    route({
      ...inB,
      access: 'admin',
      method: 'POST',
      path: '/routes',
      summary: 'Plan a route',
      body: Create,
      answer: RouteAnswer,
      description:
        '`carsIds` are to drive it, between `from` and `till` (epoch ms) or at any time. A control point is reached within its `radius` (50 m when not given); `arriveAfter` is its plan, in seconds after `from`, or after the vehicle joined the route where there is no `from`; events of type 13 and `/reports/routes` say how late it came.',
      run: async ({ caller, body }) => present(await routes.create(caller, plannedRouteOrder(body))),
    }),
    route({
      ...inB,
      access: 'user',
      method: 'GET',
      path: '/routes/:id',
      summary: 'One planned route',
      params,
      answer: RouteAnswer,
      run: ({ caller, params }) => present(routes.get(caller, params.id)),
    }),
    route({
      ...inB,
      access: 'user',
      method: 'GET',
      path: '/routes/:id/versions',
      summary: 'A planned route as it was',
      params,
      answer: z.array(VersionAnswer),
      run: ({ caller, params }) =>
        versionsOf(routes.get(caller, params.id)).map((version) => ({
          ...presentVersion(version),
          validTill: version.validUntil,
        })),
    }),
    route({
      ...inB,
      access: 'admin',
      method: 'PUT',
      path: '/routes/:id',
      summary: 'Change a planned route',
      params,
      body: Change,
      answer: RouteAnswer,
      description:
        'What is not sent stays. `points` are all of them: one with its `id` is that point moved, one without is new. The change holds from now on, or from `validFrom`. ' +
        PLANNED,
      run: async ({ caller, params, body }) => present(await routes.change(caller, params.id, plannedRouteOrder(body))),
    }),
    route({
      ...inB,
      access: 'admin',
      method: 'DELETE',
      path: '/routes/:id',
      summary: 'Delete a planned route',
      params,
      answer: 'nothing',
      run: ({ caller, params }) => routes.delete(caller, params.id),
    }),
  ];
}

function plannedRouteOrder({ carsIds, points, till, ...same }: z.output<typeof Change>): RouteOrder {
  return {
    ...same,
    vehicleIds: carsIds,
    until: till,
    points: points?.map(({ id, radius, ...point }) => ({ ...point, id: id ?? undefined, radius: radius ?? undefined })),
  };
}

function presentAt(one: PlannedRoute, time: number): z.input<typeof RouteAnswer> {
  const { id, organizationId, notes, color, view } = one;
  return { id, ...presentVersion(versionAt(one, time)), organizationId, notes, color, view };
}

function presentVersion({
  name,
  line,
  points,
  vehicleIds,
  from,
  until,
  corridor,
  validFrom,
}: PlannedRoute['versions'][number]): z.input<z.ZodObject<typeof Version>> {
  return {
    name,
    line: { type: 'LineString', coordinates: line },
    points,
    carsIds: vehicleIds,
    from,
    till: until,
    corridor,
    validFrom,
  };
}

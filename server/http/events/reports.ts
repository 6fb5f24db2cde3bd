import type { Request, Response } from 'express';
import { z } from 'zod';
import { among } from '../../../shared/filters.ts';
import type { Vehicle } from '../../../shared/records/index.ts';
import { millisecondsOf } from '../../../shared/merge/stamps.ts';
import { versionAt, versionsOf } from '../../../shared/fleet/versions.ts';
import { ZonedTime } from '../../../shared/zoned-time.ts';
import type { Caller } from '../../accounts/index.ts';
import type { Fleet } from '../../fleet/index.ts';
import type { Geocoder } from '../../geocoding/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import {
  REPORT_KINDS,
  REPORT_TITLES,
  startReport,
  WORKBOOK_TYPE,
  type FindAddresses,
  type ReportedVehicle,
  type ReportForm,
  type ReportKind,
} from '../../reports/index.ts';
import type { Store } from '../../store/index.ts';
import type { Tasks } from '../../tasks/index.ts';
import type { Telemetry } from '../../telemetry/index.ts';
import { queryIds, queryInstant } from '../request/fields.ts';
import { JsonStream, route, type DeclaredRoute } from '../app/route.ts';
import { attach, languageAsked, WorkbookQuery } from '../fleet/workbooks.ts';

interface ReportRooms {
  readonly store: Store;
  readonly fleet: Fleet;
  readonly tasks: Tasks;
  readonly telemetry: Pick<Telemetry, 'file'>;
  readonly geocoder: Pick<Geocoder, 'reverse'>;
  now(): number;
}

/** ms; a leap year, and one more day at each end. */
const LONGEST = 368 * 86_400_000;

const Query = z.object({
  from: queryInstant,
  till: queryInstant,
  cars: queryIds.optional(),
  groups: queryIds.optional(),
  organizations: queryIds.optional(),
  ...WorkbookQuery,
});
const Report = z
  .object({
    kind: z.enum(REPORT_KINDS),
    title: z.string(),
    from: z.int(),
    till: z.int(),
    zone: z.string(),
    utcOffset: z.string(),
    madeAt: z.int(),
    columns: z.array(z.object({ name: z.string(), kind: z.string(), title: z.string() })),
    rows: z.array(z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))),
    totals: z.record(z.string(), z.number()),
  })
  .meta({
    id: 'FleetReport',
    description:
      'Rows have the values of `columns` by their names, and `carId`. Instants and days are epoch ms, spans seconds.',
  });

const SUMMARIES: Readonly<Record<ReportKind, string>> = {
  mileage: 'How far vehicles drove, by day',
  stops: 'Where vehicles stood',
  fuel: 'Fuel filled, drained and used',
  speeding: 'Where vehicles were too fast',
  geozones: 'Which geozones vehicles visited',
  routes: 'When vehicles were at the control points of their routes',
  tasks: 'How tasks were carried out',
};

const MORE: Readonly<Partial<Record<ReportKind, string>>> = {
  stops: '`address` is the nearest one of the territory, at most 300 m away; null where there is none.',
  routes:
    '`planned` is `arriveAfter` of the point after `from` of the route, or, where it has none, after the vehicle joined it; `late` is in minutes, less than 0 for too early, and up to now for who is not there yet; `missed`: a later point was visited, the drive is over, or the vehicle was waited for for an hour. Nothing was missed at a time before the first record of the vehicle.',
};

/** B. Reports about vehicles, each as JSON, as a workbook and as PDF. */
export function reportRoutes(rooms: ReportRooms): DeclaredRoute[] {
  const inB = { family: 'B', access: 'user', group: 'Reports', method: 'GET', query: Query } as const;
  const general =
    'From `from` up to `till` (epoch ms), of the vehicles that `cars`, `groups` and `organizations` leave of those the caller may see, those that were deleted too, up to when they were. `tz` says whose days they are; the station’s own zone when it is not given.';
  const descriptionOf = (kind: ReportKind) => [general, MORE[kind]].filter(Boolean).join(' ');
  return REPORT_KINDS.flatMap((kind) => [
    route({
      ...inB,
      path: `/reports/${kind}`,
      cost: 10,
      summary: SUMMARIES[kind],
      description: descriptionOf(kind),
      answer: Report,
      run: async ({ caller, query, request }) =>
        new JsonStream(
          await startReport(reportOrder(rooms, caller, kind, 'json', query, request), addressesBy(rooms.geocoder)),
        ),
    }),
    route({
      ...inB,
      path: `/reports/${kind}.xlsx`,
      cost: 10,
      summary: `${SUMMARIES[kind]}: workbook`,
      description: descriptionOf(kind),
      answer: { type: WORKBOOK_TYPE },
      run: ({ caller, query, request, response }) => send(response, rooms, caller, kind, 'xlsx', query, request),
    }),
    route({
      ...inB,
      path: `/reports/${kind}.pdf`,
      cost: 10,
      summary: `${SUMMARIES[kind]}: on paper`,
      description: descriptionOf(kind),
      answer: { type: 'application/pdf' },
      run: ({ caller, query, request, response }) => send(response, rooms, caller, kind, 'pdf', query, request),
    }),
  ]);
}

async function send(
  response: Response,
  rooms: ReportRooms,
  caller: Caller,
  kind: ReportKind,
  form: ReportForm,
  query: z.output<typeof Query>,
  request: Request,
) {
  const report = await startReport(reportOrder(rooms, caller, kind, form, query, request), addressesBy(rooms.geocoder));
  attach(response, `${kind}.${form}`);
  return report;
}

/** Metres to an address or street. Beyond that the coordinates say more. */
const AT = 300;
/** Parallel requests to the geocoder, which also serves the dispatchers' search. */
const ASKED_AT_ONCE = 8;

/** Leaves out addresses that cannot be found now: the report still has the coordinates. */
function addressesBy(geocoder: Pick<Geocoder, 'reverse'>): FindAddresses {
  const addressOf = async ({ lat, lon }: { lat: number; lon: number }): Promise<string | null> => {
    const hit = await geocoder.reverse({ lat, lon }).catch(() => undefined);
    return hit && (hit.distance ?? 0) <= AT ? hit.label : null;
  };
  return async (spots) => {
    const addresses: (string | null)[] = [];
    for (let i = 0; i < spots.length; i += ASKED_AT_ONCE)
      addresses.push(...(await Promise.all(spots.slice(i, i + ASKED_AT_ONCE).map(addressOf))));
    return addresses;
  };
}

function reportOrder(
  { store, fleet, tasks, telemetry, now }: ReportRooms,
  caller: Caller,
  kind: ReportKind,
  form: ReportForm,
  { from, till, cars, groups, organizations, tz, lang }: z.output<typeof Query>,
  request: Request,
): Parameters<typeof startReport>[0] {
  if (from >= till) throw new Refusal('field.notEarlier', { field: 'from', other: 'till' });
  if (till - from > LONGEST) throw new Refusal('reports.longPeriod');
  const zone = (tz === undefined ? ZonedTime.here() : new ZonedTime(tz)).zone;
  const language = languageAsked(request, lang);
  const [isAsked, isOfGroup, isOfOrganization] = [among(cars), among(groups), among(organizations)];
  // Trips of deleted vehicles count too.
  const vehicles = fleet
    .everyVehicleSeenBy(caller)
    .filter(({ id, groupId, organizationId }) => isAsked(id) && isOfGroup(groupId) && isOfOrganization(organizationId));
  const found = new Set(vehicles.map(({ id }) => id));
  const unseen = cars?.find((id) => !found.has(id));
  if (unseen !== undefined && !groups && !organizations) throw new Refusal('fleet.missing', { id: unseen });
  const { hlc: _hlc, ...role } = caller.role;
  return {
    kind,
    form,
    from,
    till,
    zone,
    language,
    madeAt: now(),
    title: REPORT_TITLES[kind][language],
    vehicles: reported(vehicles, fleet),
    actor: { user: caller.user, role: role as Caller['role'] },
    rules: tasks.rules(),
    zones: Object.fromEntries(
      [...fleet.geozones.mirror.values()].map((zone) => [zone.id, versionAt(zone, now()).name]),
    ),
    routes: [...fleet.routes.mirror.values()].flatMap((route) =>
      versionsOf(route).map(({ name, vehicleIds, points, from, until, validFrom, validUntil }) => ({
        id: route.id,
        name,
        vehicleIds,
        points,
        from,
        till: until,
        validFrom,
        validTill: validUntil,
      })),
    ),
    reviewSeconds: Object.fromEntries([...tasks.types.values()].map(({ id, reviewSeconds }) => [id, reviewSeconds])),
    tracks: telemetry.file,
    station: store.file,
    tables: { events: store.table('events'), tasks: store.table('tasks'), history: store.table('history') },
  };
}

function reported(vehicles: readonly Vehicle[], fleet: Fleet): ReportedVehicle[] {
  const sensors = Map.groupBy(fleet.sensors.mirror.values(), ({ vehicleId }) => vehicleId);
  return vehicles.map(({ id, name, plate, modelId, isDeleted, hlc }) => {
    const fuel = (sensors.get(id) ?? [])
      .map((sensor) => versionsOf(sensor).filter(({ type }) => type === 'fuel'))
      .filter((versions) => versions.length > 0);
    return {
      id,
      name,
      plate,
      expense: fleet.models.mirror.get(modelId)?.expenseOn100km ?? null,
      fuel,
      deletedAt: isDeleted ? millisecondsOf(hlc.fields['isDeleted'] ?? hlc.base) : null,
    };
  });
}

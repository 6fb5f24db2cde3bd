import type { Actor } from '../../../../shared/access.ts';
import { among } from '../../../../shared/filters.ts';
import { versionAt, versionsOf } from '../../../../shared/fleet/versions.ts';
import { millisecondsOf } from '../../../../shared/merge/stamps.ts';
import type { Vehicle } from '../../../../shared/records/index.ts';
import { Refusal } from '../../../../shared/refusal.ts';
import type { Fleet } from '../../../dispatch/fleet/index.ts';
import type { Tasks } from '../../../dispatch/tasks/index.ts';
import type { Telemetry } from '../../../tracking/telemetry/index.ts';
import type { Language } from '../words.ts';
import type { FindAddresses } from './addresses.ts';
import { TITLES, type ReportedVehicle, type ReportForm, type ReportKind, type ReportOrder } from './report.ts';

/** The rooms that reports over the fleet read. */
export interface ReportRooms {
  readonly store: { readonly file: string; table(name: 'events' | 'tasks' | 'history'): string };
  readonly fleet: Fleet;
  readonly tasks: Tasks;
  readonly telemetry: Pick<Telemetry, 'file'>;
  now(): number;
}

/** An order of a report. Covers all vehicles that the actor sees when neither of the lists is given. */
export interface ReportWish {
  readonly kind: ReportKind;
  readonly form: ReportForm;
  /** epoch ms; `from` is in it, `until` is not */
  readonly from: number;
  readonly until: number;
  readonly zone: string;
  readonly language: Language;
  readonly vehicleIds?: readonly number[] | undefined;
  readonly groupIds?: readonly number[] | undefined;
  readonly organizationIds?: readonly number[] | undefined;
}

/** ms; a leap year, and one more day at each end. */
const LONGEST = 368 * 86_400_000;

/** The order for a report, with the rights of the actor. */
export function reportOrder(
  { store, fleet, tasks, telemetry, now }: ReportRooms,
  actor: Actor,
  { kind, form, from, until, zone, language, vehicleIds, groupIds, organizationIds }: ReportWish,
): ReportOrder {
  if (from >= until) throw new Refusal('field.notEarlier', { field: 'from', other: 'till' });
  if (until - from > LONGEST) throw new Refusal('reports.longPeriod');
  const [isAsked, isOfGroup, isOfOrganization] = [among(vehicleIds), among(groupIds), among(organizationIds)];
  // Trips of deleted vehicles count too.
  const vehicles = fleet
    .everyVehicleSeenBy(actor)
    .filter(({ id, groupId, organizationId }) => isAsked(id) && isOfGroup(groupId) && isOfOrganization(organizationId));
  const found = new Set(vehicles.map(({ id }) => id));
  const unseen = vehicleIds?.find((id) => !found.has(id));
  if (unseen !== undefined && !groupIds && !organizationIds) throw new Refusal('fleet.missing', { id: unseen });
  const { hlc: _hlc, ...role } = actor.role;
  return {
    kind,
    form,
    from,
    till: until,
    zone,
    language,
    madeAt: now(),
    title: TITLES[kind][language],
    vehicles: reported(vehicles, fleet),
    actor: { user: actor.user, role: role as Actor['role'] },
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

/** Finds the address of a spot. */
export interface SpotGeocoder {
  reverse(spot: { lat: number; lon: number }): Promise<{ label: string; distance?: number | undefined } | undefined>;
}

/** Metres to an address or street. Beyond that the coordinates say more. */
const AT = 300;
/** Parallel requests to the geocoder, which also serves the dispatchers' search. */
const ASKED_AT_ONCE = 8;

/** Leaves out addresses that cannot be found now: the report still has the coordinates. */
export function addressesBy(geocoder: SpotGeocoder): FindAddresses {
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

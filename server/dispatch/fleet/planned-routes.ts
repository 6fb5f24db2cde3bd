import type { Actor } from '../../../shared/access.ts';
import { geometryFault } from '../../../shared/geo/geojson.ts';
import { definedFields } from '../../../shared/defined-fields.ts';
import type { ControlPoint, PlannedRoute } from '../../../shared/records/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import { revised, versionAt } from '../../../shared/fleet/versions.ts';
import { named, type DirectoryRules } from './directory.ts';
import { beginOf, pairs } from './geozones.ts';
import { movedToOrganization, owned, type Known } from './small-lists.ts';

/** A control point of an order; without an id it is new. */
interface ControlPointOrder {
  id?: number | undefined;
  name: string;
  lat: number;
  lon: number;
  radius?: number | undefined;
  arriveAfter?: number | null | undefined;
}

/** Fields of a planned route; undefined ones stay. */
export interface RouteOrder {
  name?: string | undefined;
  organizationId?: number | undefined;
  notes?: string | undefined;
  color?: string | undefined;
  view?: boolean | undefined;
  /** GeoJSON LineString. */
  line?: unknown;
  points?: readonly ControlPointOrder[] | undefined;
  vehicleIds?: readonly number[] | undefined;
  /** Epoch ms; null: at any time. */
  from?: number | null | undefined;
  until?: number | null | undefined;
  corridor?: number | null | undefined;
  validFrom?: number | undefined;
}

/** Default distance in metres within which a vehicle reaches a control point. */
const DEFAULT_RADIUS = 50;
const MAX_POINTS = 200;

export interface KnownToRoutes extends Pick<Known, 'organization'> {
  /** The organization of a vehicle that is not deleted. */
  organizationOfVehicle(id: number): number | undefined;
  /** Whether the vehicle exists and this user sees it. */
  seesVehicle(by: Actor, id: number): boolean;
}

export function routeRules(known: KnownToRoutes, now: () => number): DirectoryRules<PlannedRoute, RouteOrder> {
  /** The content from `since` on, including planned versions. Vehicles that were `there` before may stay. */
  const checked = <R extends Omit<PlannedRoute, 'hlc' | 'key'>>(
    route: R,
    since: number,
    there: readonly number[],
    by: Actor,
  ): R => {
    for (const { from, until, vehicleIds } of route.versions.filter(({ validFrom }) => validFrom >= since)) {
      if (from !== null && until !== null && until <= from)
        throw new Refusal('field.notLater', { field: 'till', other: 'from' });
      for (const id of vehicleIds) {
        if (
          !there.includes(id) &&
          (known.organizationOfVehicle(id) !== route.organizationId || !known.seesVehicle(by, id))
        )
          throw new Refusal('fleet.noVehicleInOrganization', { field: 'carsIds', id });
      }
    }
    return route;
  };
  return {
    what: 'route',
    owner: ({ organizationId }) => organizationId,
    create: (id, order, by) => {
      const name = named(order.name);
      const first = {
        validFrom: order.validFrom ?? now(),
        name,
        line: lineOf(order.line, undefined),
        points: pointsOf(order.points ?? [], 0),
        vehicleIds: [...new Set(order.vehicleIds ?? [])],
        from: order.from ?? null,
        until: order.until ?? null,
        corridor: order.corridor ?? null,
      };
      return checked(
        owned(known, by, order, {
          id,
          kind: 'route',
          name,
          isDeleted: false,
          deletedAt: null,
          organizationId: 0,
          notes: order.notes ?? '',
          color: order.color ?? '',
          view: order.view ?? true,
          versions: [first],
        }),
        first.validFrom,
        [],
        by,
      );
    },
    change: (route, order, by) => {
      const validFrom = beginOf(order, route, now());
      const before = versionAt(route, validFrom);
      const { notes, color, view, organizationId } = order;
      const name = named(order.name, before.name);
      const greatest = Math.max(0, ...route.versions.flatMap(({ points }) => points.map((point) => point.id)));
      // A version may bring back a point that an earlier one omitted.
      const standing = route.versions
        .filter((version) => version.validFrom >= versionAt(route, now()).validFrom)
        .flatMap(({ points }) => points);
      const next = {
        validFrom,
        name,
        line: lineOf(order.line, before.line),
        points: order.points ? pointsOf(order.points, greatest, standing) : before.points,
        vehicleIds: order.vehicleIds ? [...new Set(order.vehicleIds)] : before.vehicleIds,
        from: order.from === undefined ? before.from : order.from,
        until: order.until === undefined ? before.until : order.until,
        corridor: order.corridor === undefined ? before.corridor : order.corridor,
      };
      const versions = [...revised(route.versions, next)];
      const there = [before, ...route.versions.filter((version) => version.validFrom > validFrom)].flatMap(
        ({ vehicleIds }) => vehicleIds,
      );
      return checked(
        movedToOrganization(known, route, {
          ...route,
          ...definedFields({ notes, color, view, organizationId }),
          name: versionAt({ versions }, now()).name,
          versions,
        } as PlannedRoute),
        validFrom,
        there,
        by,
      );
    },
    delete: (route) => ({ ...route, deletedAt: now() }),
  };
}

function lineOf(line: unknown, before: [number, number][] | undefined): [number, number][] {
  if (line === undefined && before) return before;
  if (line === undefined) throw new Refusal('field.missing', { field: 'line' });
  const fault = geometryFault(line);
  if (fault) throw new Refusal('field.wrongBecause', { field: 'line', fault });
  const { type, coordinates } = line as { type: string; coordinates: number[][] };
  if (type !== 'LineString') throw new Refusal('fleet.notLine', { field: 'line' });
  return pairs(coordinates);
}

/** Points that name an id of the route keep it, and so their events; new ones get an id never used before. */
function pointsOf(
  orders: readonly ControlPointOrder[],
  greatest: number,
  before: readonly ControlPoint[] = [],
): ControlPoint[] {
  if (orders.length > MAX_POINTS) throw new Refusal('fleet.controlPoints', { most: MAX_POINTS });
  let last = greatest;
  const seen = new Set<number>();
  return orders.map(({ id, name, lat, lon, radius, arriveAfter }, index) => {
    if (id !== undefined && (!before.some((point) => point.id === id) || seen.has(id)))
      throw new Refusal('fleet.pointOfRoute', { field: `points[${index}].id`, id });
    seen.add(id ?? last + 1);
    return {
      id: id ?? ++last,
      name: named(name, undefined, `points[${index}].name`),
      lat,
      lon,
      radius: radius ?? DEFAULT_RADIUS,
      arriveAfter: arriveAfter ?? null,
    };
  });
}

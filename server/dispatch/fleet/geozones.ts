import { geometryFault } from '../../../shared/geo/geojson.ts';
import { definedFields } from '../../../shared/defined-fields.ts';
import type { Geozone } from '../../../shared/records/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import { boxOf, type LonLat, type Shape } from '../../../shared/geo/shapes.ts';
import { revised, versionAt } from '../../../shared/fleet/versions.ts';
import { named, type DirectoryRules } from './directory.ts';
import { movedToOrganization, owned, type Known } from './small-lists.ts';

/** Fields of a geozone; undefined ones stay. */
export interface GeozoneOrder {
  name?: string | undefined;
  organizationId?: number | undefined;
  notes?: string | undefined;
  color?: string | undefined;
  view?: boolean | undefined;
  district?: boolean | undefined;
  /** GeoJSON: a Polygon, a Point with `radius`, or a LineString with `width`. */
  geometry?: unknown;
  radius?: number | null | undefined;
  width?: number | null | undefined;
  /** km/h; 0 and null: none */
  speedLimit?: number | null | undefined;
  /** Start of this version; default: now. */
  validFrom?: number | undefined;
}

/** Every point of every vehicle is tested against the zones, so shapes of more positions are refused. */
const MAX_POSITIONS = 2_000;
const GREATEST_RADIUS = 200_000;

export function geozoneRules(
  known: Pick<Known, 'organization'>,
  now: () => number,
): DirectoryRules<Geozone, GeozoneOrder> {
  return {
    what: 'geozone',
    owner: ({ organizationId }) => organizationId,
    create: (id, order, by) => {
      const name = named(order.name);
      const first = {
        validFrom: order.validFrom ?? now(),
        name,
        shape: shapeOf(order, undefined),
        speedLimit: limitOf(order.speedLimit ?? 0),
      };
      return owned(known, by, order, {
        id,
        kind: 'geozone',
        name,
        isDeleted: false,
        deletedAt: null,
        organizationId: 0,
        notes: order.notes ?? '',
        color: order.color ?? '',
        view: order.view ?? true,
        district: order.district ?? false,
        versions: [first],
      });
    },
    change: (zone, order) => {
      const validFrom = beginOf(order, zone, now());
      const before = versionAt(zone, validFrom);
      const { notes, color, view, district, organizationId } = order;
      const name = named(order.name, before.name);
      const speedLimit = order.speedLimit === undefined ? before.speedLimit : limitOf(order.speedLimit ?? 0);
      const versions = [
        ...revised(zone.versions, { validFrom, name, shape: shapeOf(order, before.shape), speedLimit }),
      ];
      return movedToOrganization(known, zone, {
        ...zone,
        ...definedFields({ notes, color, view, district, organizationId }),
        name: versionAt({ versions }, now()).name,
        versions,
      } as Geozone);
    },
    delete: (zone) => ({ ...zone, deletedAt: now() }),
  };
}

/**
 * Start of an edit: `validFrom`, else now; a version that has not begun keeps its start. An edit cannot start
 * before the version in force: that would rewrite history.
 */
export function beginOf(
  { validFrom }: { validFrom?: number | undefined },
  entry: { readonly versions: readonly { readonly validFrom: number }[] },
  now: number,
): number {
  const present = versionAt(entry, now).validFrom;
  if (present > now) {
    if (validFrom !== undefined && validFrom < now) throw new Refusal('fleet.begunVersion', { field: 'validFrom' });
    return validFrom ?? present;
  }
  if (validFrom !== undefined && validFrom < present)
    throw new Refusal('fleet.beforePresent', { field: 'validFrom', time: present });
  return Math.max(validFrom ?? now, present + 1);
}

function limitOf(speedLimit: number): number {
  if (!(speedLimit >= 0 && speedLimit <= 300))
    throw new Refusal('field.rangeKmh', { field: 'speedLimit', least: 0, most: 300 });
  return speedLimit;
}

type ZoneShape = Geozone['versions'][number]['shape'];

/** The ordered shape. A length alone changes the length of the stored shape. */
function shapeOf({ geometry, radius, width }: GeozoneOrder, before: ZoneShape | undefined): ZoneShape {
  if (geometry === undefined) {
    if (!before) throw new Refusal('field.missing', { field: 'geometry' });
    if (before.kind === 'circle') return { ...before, radius: lengthOf('radius', radius ?? before.radius) };
    if (before.kind === 'corridor') return { ...before, width: lengthOf('width', width ?? before.width) };
    return before;
  }
  const fault = geometryFault(geometry);
  if (fault) throw new Refusal('field.wrongBecause', { field: 'geometry', fault });
  const drawn = geometry as { type: string; coordinates: unknown };
  const shape = drawnShape(
    drawn,
    radius ?? (before?.kind === 'circle' ? before.radius : undefined),
    width ?? (before?.kind === 'corridor' ? before.width : undefined),
  );
  const [west, , east] = boxOf(shape as Shape);
  if (east - west > 180) throw new Refusal('fleet.halfTheEarth', { field: 'geometry' });
  return shape;
}

function drawnShape(
  { type, coordinates }: { type: string; coordinates: unknown },
  radius: number | undefined,
  width: number | undefined,
): ZoneShape {
  switch (type) {
    case 'Point':
      return { kind: 'circle', center: pair(coordinates as number[]), radius: lengthOf('radius', radius) };
    case 'LineString':
      return { kind: 'corridor', line: pairs(coordinates as number[][]), width: lengthOf('width', width) };
    case 'Polygon': {
      const rings = (coordinates as number[][][]).map(pairs);
      if (rings.reduce((sum, ring) => sum + ring.length, 0) > MAX_POSITIONS)
        throw new Refusal('fleet.largeZone', { most: MAX_POSITIONS });
      return { kind: 'polygon', rings };
    }
    default:
      throw new Refusal('fleet.zoneShape', { field: 'geometry' });
  }
}

function lengthOf(field: string, metres: number | undefined): number {
  if (metres === undefined) throw new Refusal('field.missingMetres', { field });
  if (!(metres >= 1 && metres <= GREATEST_RADIUS))
    throw new Refusal('field.rangeMetres', { field, least: 1, most: GREATEST_RADIUS });
  return metres;
}

/** Positions of a line without their altitudes. */
export function pairs(positions: readonly (readonly number[])[]): [number, number][] {
  if (positions.length > MAX_POSITIONS) throw new Refusal('fleet.largeGeometry', { most: MAX_POSITIONS });
  return positions.map(pair);
}

function pair([lon, lat]: readonly number[]): [number, number] {
  return [lon!, lat!] satisfies LonLat;
}

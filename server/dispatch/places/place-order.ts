import { mayKeepPlaces, type Actor } from '../../../shared/access.ts';
import { definedFields } from '../../../shared/defined-fields.ts';
import { geometryFault } from '../../../shared/geo/geojson.ts';
import { depthOf, type LonLat } from '../../../shared/geo/shapes.ts';
import type { OwnPlace } from '../../../shared/records/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import { named, type DirectoryRules } from '../fleet/index.ts';
import type { Draft } from '../../store/types.ts';

type Given =
  'name' | 'sort' | 'otherNames' | 'layer' | 'externalId' | 'point' | 'notes' | 'accessCode' | 'organizationId';

/** Fields of a new or changed place; undefined: as it is. */
export type OwnPlaceOrder = { [F in Given]?: OwnPlace[F] | undefined } & {
  /** GeoJSON LineString or Polygon; null: only a point. */
  readonly geometry?: unknown;
};

/** Positions of one geometry: the map draws many of them at once. */
const MOST_POSITIONS = 1_000;

/**
 * Only a superuser writes places of the whole station; the others belong to their organization, which alone
 * sees them.
 */
export function ownPlaceRules(hasOrganization: (id: number) => boolean): DirectoryRules<OwnPlace, OwnPlaceOrder> {
  const changed = <P extends Draft<OwnPlace>>(place: P, order: OwnPlaceOrder): P => {
    const { geometry, otherNames, ...same } = order;
    const next: P = { ...place, ...definedFields(same), name: named(order.name, place.name) };
    if (otherNames !== undefined) next.otherNames = namesOf(otherNames, next.name);
    if (geometry !== undefined) {
      next.geometry = readGeometry(geometry);
      if (next.geometry && order.point === undefined) next.point = pointOf(next.geometry);
    }
    if (
      next.organizationId !== 0 &&
      next.organizationId !== place.organizationId &&
      !hasOrganization(next.organizationId)
    )
      throw new Refusal('accounts.organizationGone', { id: next.organizationId });
    return next;
  };
  return {
    what: 'place',
    mayWrite: mayKeepPlaces,
    owner: ({ organizationId }) => organizationId || undefined,
    mayChange: ({ organizationId }, by) => !!organizationId || by.role.superuser,
    create: (id, order, by) => {
      if (!order.point && (order.geometry ?? null) === null) throw new Refusal('field.missing', { field: 'lat' });
      return changed(blankPlace(id, by), order);
    },
    change: changed,
  };
}

function blankPlace(id: number, by: Actor): Draft<OwnPlace> {
  return {
    id,
    kind: 'ownPlace',
    isDeleted: false,
    name: '',
    sort: 'other',
    otherNames: [],
    layer: '',
    externalId: '',
    point: { lat: 0, lon: 0 },
    geometry: null,
    notes: '',
    accessCode: '',
    organizationId: by.user.organizationId,
  };
}

/** Each name once, without the first one. */
function namesOf(names: readonly string[], first: string): string[] {
  return [...new Set(names.map((name) => name.trim()))].filter((name) => name !== '' && name !== first);
}

function readGeometry(value: unknown): OwnPlace['geometry'] {
  if (value === null) return null;
  const fault = geometryFault(value);
  if (fault) throw new Refusal('field.wrongBecause', { field: 'geometry', fault });
  const { type, coordinates } = value as NonNullable<OwnPlace['geometry']>;
  if (type !== 'LineString' && type !== 'Polygon') throw new Refusal('places.shape', { field: 'geometry' });
  const positions =
    type === 'LineString' ? coordinates.length : coordinates.reduce((sum, { length }) => sum + length, 0);
  if (positions > MOST_POSITIONS) throw new Refusal('places.large', { field: 'geometry', most: MOST_POSITIONS });
  return { type, coordinates } as OwnPlace['geometry'];
}

/** The middle of a line's positions; of an area its middle, or where that is outside, a corner. */
function pointOf(geometry: NonNullable<OwnPlace['geometry']>): OwnPlace['point'] {
  if (geometry.type === 'LineString') return at(geometry.coordinates[geometry.coordinates.length >> 1]!);
  const ring = geometry.coordinates[0]!.slice(1);
  const middle = [0, 1].map((axis) => ring.reduce((sum, position) => sum + position[axis]!, 0) / ring.length);
  const inside = depthOf(
    { kind: 'polygon', rings: geometry.coordinates as unknown as LonLat[][] },
    middle as [number, number],
  );
  return at(inside <= 0 ? middle : ring[0]!);
}

function at([lon, lat]: readonly number[]): OwnPlace['point'] {
  return { lat: lat!, lon: lon! };
}

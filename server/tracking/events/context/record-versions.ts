import type {
  ClosurePast,
  Geozone,
  PlannedRoute as RouteRecord,
  RoadClosure,
  Sensor as SensorRecord,
} from '../../../../shared/records/index.ts';
import type { LonLat, Shape } from '../../../../shared/geo/shapes.ts';
import { millisecondsOf } from '../../../../shared/merge/stamps.ts';
import { versionsOf } from '../../../../shared/fleet/versions.ts';
import type { Change } from '../../../store/types.ts';
import {
  differsFrom,
  type Closed,
  type ContextRoute,
  type ContextSensor,
  type Validity,
  type Zone,
} from './vehicle-context.ts';

/** Half the width in metres of a closure along a line, and the radius of one at a point. */
const ROAD = 15;

/** Versions without their own end, as spans. */
export function spansOf<V extends { validFrom: number }>({
  id,
  versions,
}: {
  id: number;
  versions: readonly V[];
}): (V & { id: number; validUntil: number | null })[] {
  return versionsOf({ versions, deletedAt: null }).map((version) => ({ ...version, id }));
}

export function recordVersionAt<V extends { validFrom: number }>(versions: readonly V[], time: number): V | undefined {
  return versions.findLast(({ validFrom }) => validFrom <= time);
}

export function zonesOf(record: Geozone): Zone[] {
  return versionsOf(record).map(({ validFrom, validUntil, name, shape, speedLimit }) => ({
    id: record.id,
    name,
    shape: shape as Shape,
    speedLimit,
    validFrom,
    validUntil,
  }));
}

/** A route is valid at the times of its drive within those of its version. */
export function plannedRoutesOf(record: RouteRecord): { route: ContextRoute; vehicleIds: readonly number[] }[] {
  return versionsOf(record).flatMap(
    ({ validFrom, validUntil, name, line, points, vehicleIds, from, until, corridor }) => {
      const planned = points.map(({ arriveAfter, ...point }) => ({
        ...point,
        planned: from === null || arriveAfter === null ? null : from + arriveAfter * 1000,
      }));
      const route = {
        id: record.id,
        name,
        line,
        points: planned,
        corridor,
        validFrom: Math.max(validFrom, from ?? 0),
        validUntil: earlier(validUntil, until),
      };
      return line.length === 0 || (route.validUntil !== null && route.validUntil <= route.validFrom)
        ? []
        : [{ route, vehicleIds }];
    },
  );
}

export function sensorsOf(record: SensorRecord): ContextSensor[] {
  return versionsOf(record).map((version) => ({ ...version, id: record.id }));
}

/** The stamps tell when a closure was made and lifted; changes in between apply from their time on. */
export function closedBy(
  { id, isDeleted, hlc }: RoadClosure,
  versions: readonly ClosurePast['versions'][number][],
): Closed[] {
  const lifted = isDeleted ? millisecondsOf(hlc.fields['isDeleted'] ?? hlc.base) : null;
  return versions.flatMap(({ validFrom, geometry, from, until, factor }, i) => {
    const begin = i === 0 ? (from ?? millisecondsOf(hlc.base)) : Math.max(validFrom, from ?? 0);
    const end = earlier(earlier(until, versions[i + 1]?.validFrom ?? null), lifted);
    return factor >= 1 || (end !== null && end <= begin)
      ? []
      : [{ id, shape: shapeOf(geometry), validFrom: begin, validUntil: end }];
  });
}

/** The validity from `validFrom` to `validUntil`, if it is not empty. */
export function validWithin<T extends Validity>(one: T, validFrom: number, validUntil: number | null): T[] {
  const [from, until] = [Math.max(one.validFrom, validFrom), earlier(one.validUntil, validUntil)];
  if (until !== null && until <= from) return [];
  return [from === one.validFrom && until === one.validUntil ? one : { ...one, validFrom: from, validUntil: until }];
}

/** The time from which a change makes versions differ. */
export function differing<R, T extends Validity & { readonly id: number }>(
  versions: (record: R) => readonly T[],
): (change: Change<R>) => number | undefined {
  return ({ record, before, deleted }) => differsFrom(before ? versions(before) : [], deleted ? [] : versions(record));
}

function shapeOf(geometry: RoadClosure['geometry']): Shape {
  switch (geometry.type) {
    case 'Point':
      return { kind: 'circle', center: lonLat(geometry.coordinates), radius: ROAD };
    case 'LineString':
      return { kind: 'corridor', line: geometry.coordinates.map(lonLat), width: ROAD };
    case 'Polygon':
      return { kind: 'polygon', rings: geometry.coordinates.map((ring) => ring.map(lonLat)) };
  }
}

function lonLat(position: readonly number[]): LonLat {
  return [position[0]!, position[1]!];
}

function earlier(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : Math.min(a, b);
}

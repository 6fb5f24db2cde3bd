import { geometryFault } from '../../../shared/geo/geojson.ts';
import type { RoadClosure } from '../../../shared/records/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import type { Draft } from '../../store/types.ts';

/**
 * Fields of a new or changed closure. Undefined keeps the old value; the defaults are no reason, from now
 * until lifted, closed.
 */
export interface ClosureOrder {
  readonly name?: string | undefined;
  readonly reason?: string | undefined;
  /** GeoJSON Point, LineString or Polygon. */
  readonly geometry?: unknown;
  /** Epoch ms; null: no bound. */
  readonly from?: number | null | undefined;
  readonly until?: number | null | undefined;
  /** 0: closed; 0.3: driven at 30 % of the baseline speed. */
  readonly factor?: number | undefined;
}

/**
 * Maximum positions of a geometry: closures are drawn by hand, and each position is compared with nearby
 * roads (README rule 5).
 */
const MAX_POSITIONS = 1_000;

export function createClosure(id: number, order: ClosureOrder): Draft<RoadClosure> {
  return validated({
    id,
    kind: 'closure',
    isDeleted: false,
    name: (order.name ?? '').trim(),
    reason: order.reason ?? '',
    geometry: readGeometry(order.geometry),
    from: order.from ?? null,
    until: order.until ?? null,
    factor: order.factor ?? 0,
  });
}

export function changeClosure(closure: RoadClosure, order: ClosureOrder): RoadClosure {
  return validated({
    ...closure,
    name: order.name?.trim() ?? closure.name,
    reason: order.reason ?? closure.reason,
    geometry: order.geometry === undefined ? closure.geometry : readGeometry(order.geometry),
    from: order.from === undefined ? closure.from : order.from,
    until: order.until === undefined ? closure.until : order.until,
    factor: order.factor ?? closure.factor,
  });
}

/** Whether a change affects routing; name and reason do not. */
export function changesRouting(before: RoadClosure, after: RoadClosure): boolean {
  if (before.factor !== after.factor || before.from !== after.from || before.until !== after.until) return true;
  const place = ({ geometry: { type, coordinates } }: RoadClosure): string => JSON.stringify([type, coordinates]);
  return place(before) !== place(after);
}

function validated<C extends Draft<RoadClosure>>(closure: C): C {
  const { name, from, until, factor } = closure;
  if (name === '') throw new Refusal('closures.nameless');
  if (from !== null && until !== null && until <= from)
    throw new Refusal('field.notLater', { field: 'till', other: 'from' });
  if (!(factor >= 0 && factor <= 1)) throw new Refusal('field.range', { field: 'factor', least: 0, most: 1 });
  return closure;
}

/** Validates a geometry and keeps only its type and positions (RFC 7946). */
export function readGeometry(value: unknown): RoadClosure['geometry'] {
  const fault = geometryFault(value);
  if (fault) throw new Refusal('field.wrongBecause', { field: 'geometry', fault });
  const { type, coordinates } = value as RoadClosure['geometry'];
  if (type !== 'Point' && type !== 'LineString' && type !== 'Polygon')
    throw new Refusal('closures.shape', { field: 'geometry' });
  const positions =
    type === 'Point'
      ? 1
      : type === 'LineString'
        ? coordinates.length
        : coordinates.reduce((sum, ring) => sum + ring.length, 0);
  if (positions > MAX_POSITIONS) throw new Refusal('closures.large', { most: MAX_POSITIONS });
  return { type, coordinates } as RoadClosure['geometry'];
}

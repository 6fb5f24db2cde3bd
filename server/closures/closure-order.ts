import { geometryFault } from '../../shared/geo/geojson.ts';
import type { RoadClosure } from '../../shared/records/index.ts';
import { Refusal } from '../../shared/refusal.ts';
import type { Draft } from '../store/types.ts';

/**
 * What is told of a closure. What is undefined stays, or is as usual: without a reason, from now on until it
 * is lifted, closed.
 */
export interface ClosureOrder {
  readonly name?: string | undefined;
  readonly reason?: string | undefined;
  /** GeoJSON Point, LineString or Polygon. */
  readonly geometry?: unknown;
  /** epoch ms; null: ever since, and until it is lifted */
  readonly from?: number | null | undefined;
  readonly till?: number | null | undefined;
  /** 0 closed, 0.3: driven at 30 % of the usual speed. */
  readonly factor?: number | undefined;
}

/**
 * A closure is drawn by hand. What has more positions than this is a border of a country, and comparing every
 * road with it takes long.
 */
const MOST_POSITIONS = 1_000;

export function createClosure(id: number, order: ClosureOrder): Draft<RoadClosure> {
  return validated({
    id,
    kind: 'closure',
    withdrawn: false,
    name: (order.name ?? '').trim(),
    reason: order.reason ?? '',
    geometry: readGeometry(order.geometry),
    from: order.from ?? null,
    till: order.till ?? null,
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
    till: order.till === undefined ? closure.till : order.till,
    factor: order.factor ?? closure.factor,
  });
}

/** Whether a closure so changed does something else to routes; its name and its reason do nothing. */
export function changesRouting(before: RoadClosure, after: RoadClosure): boolean {
  if (before.factor !== after.factor || before.from !== after.from || before.till !== after.till) return true;
  const place = ({ geometry: { type, coordinates } }: RoadClosure): string => JSON.stringify([type, coordinates]);
  return place(before) !== place(after);
}

function validated<C extends Draft<RoadClosure>>(closure: C): C {
  const { name, from, till, factor } = closure;
  if (name === '') throw new Refusal('invalid', 'A closure needs a name.');
  if (from !== null && till !== null && till <= from) throw new Refusal('invalid', 'till must be later than from.');
  if (!(factor >= 0 && factor <= 1)) throw new Refusal('invalid', 'factor must be from 0 to 1.');
  return closure;
}

/** Only what RFC 7946 knows is kept: a type and its positions. */
export function readGeometry(value: unknown): RoadClosure['geometry'] {
  const fault = geometryFault(value);
  if (fault) throw new Refusal('invalid', `geometry is wrong: ${fault}.`);
  const { type, coordinates } = value as RoadClosure['geometry'];
  if (type !== 'Point' && type !== 'LineString' && type !== 'Polygon')
    throw new Refusal('invalid', 'geometry must be a Point, a LineString or a Polygon.');
  const positions =
    type === 'Point'
      ? 1
      : type === 'LineString'
        ? coordinates.length
        : coordinates.reduce((sum, ring) => sum + ring.length, 0);
  if (positions > MOST_POSITIONS)
    throw new Refusal('invalid', `The geometry of a closure has at most ${MOST_POSITIONS} positions.`);
  return { type, coordinates } as RoadClosure['geometry'];
}

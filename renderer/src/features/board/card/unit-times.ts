import type { StoredUnit } from '../../../../../shared/records/index.ts';
import { isFinished } from '../../../../../shared/tasks/units.ts';

export const hasArrived = ({ onSceneAt }: Pick<StoredUnit, 'onSceneAt'>): boolean => onSceneAt > 0;

/** The time beside a unit: since when it is on scene, or free again, or when it arrives. */
export type UnitTime =
  | { readonly kind: 'here'; readonly since: number }
  | { readonly kind: 'free'; readonly since: number }
  | { readonly kind: 'comes'; readonly at: number };

/** @param arrivals when units are expected, epoch ms, by vehicle */
export function shownUnitTime(
  unit: Pick<StoredUnit, 'vehicleId' | 'onSceneAt' | 'status' | 'statusSince'>,
  arrivals: ReadonlyMap<number, number>,
): UnitTime | undefined {
  if (isFinished(unit)) return { kind: 'free', since: unit.statusSince };
  if (hasArrived(unit)) return { kind: 'here', since: unit.onSceneAt };
  const at = arrivals.get(unit.vehicleId);
  return at === undefined ? undefined : { kind: 'comes', at };
}

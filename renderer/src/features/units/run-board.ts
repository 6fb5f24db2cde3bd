import {
  AT_BASE,
  AT_HOSPITAL,
  EMERGENCY_CALL,
  FREE,
  ON_SCENE,
  PATIENT_LOADED,
  WANTS_TO_TALK,
} from '../../../../shared/fleet/unit-status.ts';

/** The facts by which the run board orders units. */
export interface RunUnit {
  /** Of the vehicle. */
  readonly id: number;
  readonly name: string;
  readonly status: number | undefined;
  /** epoch ms; undefined: not known */
  readonly since: number | undefined;
  /** Whether it serves a task. */
  readonly serves: boolean;
  /** The group of vehicles, and the kind; 0: none. */
  readonly stationId: number;
  readonly kindId: number;
}

export const RUN_GROUPINGS = ['station', 'kind', 'status'] as const;
export type RunGrouping = (typeof RUN_GROUPINGS)[number];
export const RUN_FILTERS = ['all', 'free', 'busy'] as const;
export type RunFilter = (typeof RUN_FILTERS)[number];

export interface RunGroup {
  /** Id of the station or kind, or the status; -1: no status is known. */
  readonly key: number;
  /** Of the units that are shown, in their order. */
  readonly ids: readonly number[];
  /** Of all units of the group, shown or not. */
  readonly free: number;
  readonly all: number;
  /** The unit that is likely to be free next, if none is free. */
  readonly next: number | undefined;
}

export function isFree({ status, serves }: Pick<RunUnit, 'status' | 'serves'>): boolean {
  return (status === FREE || status === AT_BASE) && !serves;
}

/** Units in groups. Stations and kinds stand by name, nameless ones last; statuses by digit. */
export function runGroups(
  units: readonly RunUnit[],
  by: RunGrouping,
  { isShown, nameOf }: { isShown: (unit: RunUnit) => boolean; nameOf: (key: number) => string },
): readonly RunGroup[] {
  const groups = new Map<number, RunUnit[]>();
  for (const unit of units) {
    const key = by === 'station' ? unit.stationId : by === 'kind' ? unit.kindId : (unit.status ?? -1);
    const group = groups.get(key);
    if (group) group.push(unit);
    else groups.set(key, [unit]);
  }
  const keys = [...groups.keys()].sort(
    by === 'status'
      ? (one, other) => rankOf(one) - rankOf(other)
      : (one, other) => Number(one === 0) - Number(other === 0) || NAMES.compare(nameOf(one), nameOf(other)),
  );
  return keys
    .map((key) => {
      const all = groups.get(key)!;
      const free = all.filter(isFree).length;
      const ids = all.filter(isShown).map(({ id }) => id);
      return { key, ids, free, all: all.length, next: free === 0 ? nextFree(all)?.id : undefined };
    })
    .filter(({ ids }) => ids.length > 0);
}
const NAMES = new Intl.Collator(undefined, { numeric: true });
const rankOf = (status: number) => (status < 0 ? 10 : status);

/** The nearer to the end of a run, the sooner a unit is free; of equals the one that has been so for longest. */
const STAGES: readonly (number | undefined)[] = [AT_HOSPITAL, PATIENT_LOADED, ON_SCENE];

/** The unit that is likely to be free next. Nobody knows when: this is the order of the stages of a run, no time. */
export function nextFree(units: readonly RunUnit[]): RunUnit | undefined {
  for (const stage of STAGES) {
    const [first] = units.filter(({ status }) => status === stage).sort(bySince);
    if (first) return first;
  }
  return undefined;
}

/** Units that wait for an answer: calls for help first, then the longest wait. */
export function talkers<T extends Pick<RunUnit, 'status' | 'since'>>(units: readonly T[]): readonly T[] {
  return units
    .filter(({ status }) => status === EMERGENCY_CALL || status === WANTS_TO_TALK)
    .sort(
      (one, other) =>
        Number(one.status !== EMERGENCY_CALL) - Number(other.status !== EMERGENCY_CALL) || bySince(one, other),
    );
}

function bySince({ since: one }: Pick<RunUnit, 'since'>, { since: other }: Pick<RunUnit, 'since'>): number {
  return (one ?? Infinity) === (other ?? Infinity) ? 0 : (one ?? Infinity) - (other ?? Infinity);
}

/** Groups side by side: each column takes groups, in their order, until it has its share of the height. */
export function inColumns(
  groups: readonly RunGroup[],
  columns: number,
  heightOf: (group: RunGroup) => number,
): readonly (readonly RunGroup[])[] {
  const share = groups.reduce((sum, group) => sum + heightOf(group), 0) / columns;
  const all: RunGroup[][] = Array.from({ length: columns }, () => []);
  let before = 0;
  for (const group of groups) {
    const height = heightOf(group);
    // where the middle of the group lies decides
    const column = Math.min(columns - 1, Math.floor((before + height / 2) / share));
    all[column]!.push(group);
    before += height;
  }
  return all.filter((column) => column.length > 0);
}

import { timeOfId } from './repository.ts';

/** A backup as pruning sees it. */
interface Made {
  readonly id: string;
  /** Whether everything is in it. */
  readonly isWhole: boolean;
}

const DAILY = 7;
const WEEKLY = 4;
const DAY = 86_400_000;

/**
 * The backups to keep: the newest complete one of each of the last 7 days that have one, and of each of the
 * last 4 weeks (Monday to Sunday, UTC). An incomplete one stays while it is newer than the newest complete
 * one, since it may hold data that no other has.
 */
export function keptBackups(backups: readonly Made[]): Set<string> {
  const newestFirst = backups.toSorted((a, b) => (a.id < b.id ? 1 : -1));
  const whole = newestFirst.filter(({ isWhole }) => isWhole);
  const kept = new Set<string>();
  for (const [most, periodOf] of [
    [DAILY, dayOf],
    [WEEKLY, weekOf],
  ] as const) {
    const periods = new Set<number>();
    for (const { id } of whole) {
      const period = periodOf(timeOfId(id));
      if (periods.has(period) || periods.size === most) continue;
      periods.add(period);
      kept.add(id);
    }
  }
  const newest = whole[0];
  for (const { id, isWhole } of newestFirst) if (!isWhole && (!newest || id > newest.id)) kept.add(id);
  return kept;
}

const dayOf = (time: number) => Math.floor(time / DAY);
/** 1 January 1970 was a Thursday. */
const weekOf = (time: number) => Math.floor((dayOf(time) + 3) / 7);

import type { ZonedTime } from '../../shared/zoned-time.ts';
import { LEVELS, cellsOf, dayNumber, hourOfWeek, type Level } from './hours.ts';

/** So many passages on so many days are enough to go by. */
export const ENOUGH = { passages: 5, days: 2 } as const;
/** Only the newest of a cell count, so that what changed on a road is known soon. */
const NEWEST = 100;
/**
 * The quickest and the slowest passages are left out on either side: one who waited for a friend, one who
 * fled.
 */
const TRIMMED = 0.2;
/**
 * What is learned of a road is never quicker or slower than this beside what its profile says: such times are
 * mistakes of matching.
 */
const QUICKEST = 0.4;
const SLOWEST = 12;

/** What was learned for one hour of one road. */
export interface Learned {
  /** Tenths of a second from end to end. */
  readonly tenths: number;
  readonly passages: number;
  readonly level: Level;
}

/** Cells of a road with enough passages, by number. */
interface Cells {
  readonly cells: Uint8Array;
  readonly tenths: Uint32Array;
  readonly passages: Uint16Array;
}

/**
 * The travel times of roads, by arc and hour of the week, of what was driven on them. Only cells with enough
 * passages are kept.
 */
export class LearnedRoads {
  readonly #zone: ZonedTime;
  readonly #freeFlow: Int32Array;
  readonly #byArc = new Map<number, Cells>();
  /** Counts up with every change. */
  revision = 0;

  /** `free`: what arcs take by their profile, tenths of a second. */
  constructor(zone: ZonedTime, free: Int32Array) {
    this.#zone = zone;
    this.#freeFlow = free;
  }

  get arcs(): Iterable<number> {
    return this.#byArc.keys();
  }

  /** Roads of which anything is known. */
  get size(): number {
    return this.#byArc.size;
  }

  /** Takes in all passages of an arc, in the order of time, in the place of those before. */
  set(arc: number, passages: readonly { time: number; tenths: number }[]): void {
    const gathered = new Map<number, { tenths: number[]; days: Set<number> }>();
    for (const { time, tenths } of passages.toReversed()) {
      const day = dayNumber(time, this.#zone);
      for (const cell of cellsOf(hourOfWeek(time, this.#zone))) {
        const of = gathered.get(cell) ?? { tenths: [], days: new Set<number>() };
        gathered.set(cell, of);
        if (of.tenths.length >= NEWEST) continue;
        of.tenths.push(tenths);
        of.days.add(day);
      }
    }
    const enough = [...gathered].filter(
      ([, { tenths, days }]) => tenths.length >= ENOUGH.passages && days.size >= ENOUGH.days,
    );
    this.revision++;
    if (enough.length === 0) return void this.#byArc.delete(arc);
    const free = this.#freeFlow[arc]!;
    this.#byArc.set(arc, {
      cells: Uint8Array.from(enough, ([cell]) => cell),
      tenths: Uint32Array.from(enough, ([, { tenths }]) =>
        Math.round(Math.max(free * QUICKEST, Math.min(free * SLOWEST, trimmedMean(tenths)))),
      ),
      passages: Uint16Array.from(enough, ([, { tenths }]) => tenths.length),
    });
  }

  /** What is known of an arc at an hour of the week, by the finest cell that has enough. */
  at(arc: number, hour: number): Learned | undefined {
    const road = this.#byArc.get(arc);
    if (!road) return undefined;
    const wanted = cellsOf(hour);
    for (let level = 0; level < LEVELS.length; level++) {
      const i = road.cells.indexOf(wanted[level]!);
      if (i >= 0) return { tenths: road.tenths[i]!, passages: road.passages[i]!, level: LEVELS[level]! };
    }
    return undefined;
  }

  /** The hours of the week in which an arc has enough passages of its own, and how many are counted. */
  *hoursOf(arc: number): Generator<[hour: number, passages: number]> {
    const road = this.#byArc.get(arc);
    if (!road) return;
    for (let i = 0; i < road.cells.length; i++) if (road.cells[i]! < 168) yield [road.cells[i]!, road.passages[i]!];
  }

  clear(): void {
    this.#byArc.clear();
    this.revision++;
  }
}

/**
 * Mean of what is left when a fifth on either side is left out. Of travel times, so that of speeds it is the
 * harmonic one, and sums along a way are right.
 */
export function trimmedMean(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const cut = Math.floor(sorted.length * TRIMMED);
  const kept = sorted.slice(cut, sorted.length - cut);
  return kept.reduce((sum, value) => sum + value, 0) / kept.length;
}

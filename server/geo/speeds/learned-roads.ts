import type { ZonedTime } from '../../../shared/zoned-time.ts';
import { HOUR_LEVELS, cellsOf, dayNumber, hourOfWeek, type HourLevel } from './hours.ts';

/** Minimum traversals and days of a cell (README rule 3). */
export const ENOUGH = { passages: 5, days: 2 } as const;
/** Newest traversals of a cell that count, so that changes show soon. */
const NEWEST = 100;
/** Share left out on either side: outliers. */
const TRIMMED = 0.2;
/** Bounds as multiples of the profile's time; values beyond are errors of matching. */
const QUICKEST = 0.4;
const SLOWEST = 12;

/** Learned time of one road at one hour. */
export interface LearnedTime {
  /** Tenths of a second from end to end. */
  readonly tenths: number;
  readonly passages: number;
  readonly level: HourLevel;
}

/** Cells of a road with enough traversals, by cell number. */
interface Cells {
  readonly cells: Uint8Array;
  readonly tenths: Uint32Array;
  readonly passages: Uint16Array;
}

/** Learned travel times by arc and hour of the week; only cells with enough traversals are kept. */
export class LearnedRoads {
  readonly #zone: ZonedTime;
  readonly #freeFlow: Int32Array;
  readonly #byArc = new Map<number, Cells>();
  /** Increases with every change. */
  revision = 0;

  /** `freeFlow`: costs of arcs by the profile, tenths of a second. */
  constructor(zone: ZonedTime, free: Int32Array) {
    this.#zone = zone;
    this.#freeFlow = free;
  }

  get arcs(): Iterable<number> {
    return this.#byArc.keys();
  }

  /** Number of roads with learned times. */
  get size(): number {
    return this.#byArc.size;
  }

  /** Replaces the traversals of an arc, in the order of time. */
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

  /** Learned time of an arc at an hour of the week, from the finest cell with enough traversals. */
  at(arc: number, hour: number): LearnedTime | undefined {
    const road = this.#byArc.get(arc);
    if (!road) return undefined;
    const wanted = cellsOf(hour);
    for (let level = 0; level < HOUR_LEVELS.length; level++) {
      const i = road.cells.indexOf(wanted[level]!);
      if (i >= 0) return { tenths: road.tenths[i]!, passages: road.passages[i]!, level: HOUR_LEVELS[level]! };
    }
    return undefined;
  }

  /** Hours of the week in which an arc has enough traversals, and their number. */
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
 * Mean without a fifth on either side. Of travel times, so that sums along a way are right (README rule 4).
 */
export function trimmedMean(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const cut = Math.floor(sorted.length * TRIMMED);
  const kept = sorted.slice(cut, sorted.length - cut);
  return kept.reduce((sum, value) => sum + value, 0) / kept.length;
}

import type { Task } from '../../../../shared/records/index.ts';
import type { ZonedTime } from '../../../../shared/zoned-time.ts';
import { percentile, STAGES, timesOf, type ResponseStage, type TaskResponse } from './response-times.ts';

export const PERCENTILES = [50, 80, 90, 95] as const;
/** Degrees: some 500 m on the ground where most people live. */
const CELL = { lat: 0.005, lon: 0.008 } as const;
const MOST_CELLS = 5000;

export interface StageSummary {
  readonly stage: ResponseStage;
  readonly count: number;
  /** By `PERCENTILES`, ms; null: there are no times. */
  readonly percentiles: readonly (number | null)[];
  readonly kept: number;
  readonly missed: number;
}
export interface PrioritySummary {
  /** 0: all of them. */
  readonly priority: number;
  readonly tasks: number;
  readonly unsent: number;
  readonly stages: readonly StageSummary[];
}
export interface UnitSummary {
  readonly vehicleId: number;
  readonly runs: number;
  /** ms within the period in which it was on at least one task. */
  readonly busy: number;
}
export interface ResponseSummary {
  readonly priorities: readonly PrioritySummary[];
  readonly before: readonly PrioritySummary[];
  /** Tasks by weekday, Monday first, and hour. */
  readonly hours: readonly (readonly number[])[];
  readonly types: readonly (readonly [id: number, tasks: number])[];
  readonly organizations: readonly (readonly [id: number, tasks: number])[];
  readonly places: readonly { readonly lat: number; readonly lon: number; readonly tasks: number }[];
  readonly units: readonly UnitSummary[];
}

/** Times of tasks by priority. */
export class ResponseTally {
  readonly #priorities = Array.from({ length: 5 }, () => ({
    tasks: 0,
    unsent: 0,
    times: Object.fromEntries(STAGES.map((stage) => [stage, [] as number[]])) as Record<ResponseStage, number[]>,
    kept: { sent: 0, response: 0 },
    missed: { sent: 0, response: 0 },
  }));

  add(task: TaskResponse): void {
    for (const priority of [0, task.priority]) {
      const tally = this.#priorities[priority]!;
      tally.tasks++;
      if (task.units.length === 0) tally.unsent++;
      for (const stage of STAGES) tally.times[stage].push(...timesOf(task, stage));
      for (const stage of ['sent', 'response'] as const) {
        if (task.outcome[stage] === 'kept') tally.kept[stage]++;
        if (task.outcome[stage] === 'missed') tally.missed[stage]++;
      }
    }
  }

  summary(): PrioritySummary[] {
    return this.#priorities.map(({ tasks, unsent, times, kept, missed }, priority) => ({
      priority,
      tasks,
      unsent,
      stages: STAGES.map((stage) => {
        const sorted = Float64Array.from(times[stage]).sort();
        return {
          stage,
          count: sorted.length,
          percentiles: PERCENTILES.map((share) => percentile(sorted, share)),
          kept: stage === 'sent' || stage === 'response' ? kept[stage] : 0,
          missed: stage === 'sent' || stage === 'response' ? missed[stage] : 0,
        };
      }),
    }));
  }
}

/** Weekday, Monday first, and hour of an instant by the clock of a zone. */
export function hourOf(zone: ZonedTime, instant: number): { readonly weekday: number; readonly hour: number } {
  const wall = zone.wall(instant);
  return { weekday: (wall.getUTCDay() + 6) % 7, hour: wall.getUTCHours() };
}

/** The load of the tasks of a period by time, place and organization, and the units that it took. */
export class LoadTally {
  readonly #zone: ZonedTime;
  readonly #from: number;
  readonly #end: number;
  readonly #hours = Array.from({ length: 7 }, () => new Array<number>(24).fill(0));
  readonly #types = new Map<number, number>();
  readonly #organizations = new Map<number, number>();
  readonly #places = new Map<string, { lat: number; lon: number; tasks: number }>();
  readonly #runs = new Map<number, [from: number, until: number][]>();

  /** @param end of the period, or now if that is earlier */
  constructor(zone: ZonedTime, from: number, end: number) {
    this.#zone = zone;
    this.#from = from;
    this.#end = end;
  }

  add({ date, typeId, organizationId, point }: Task, { units }: TaskResponse): void {
    const { weekday, hour } = hourOf(this.#zone, date);
    this.#hours[weekday]![hour]!++;
    count(this.#types, typeId);
    count(this.#organizations, organizationId);
    if (point) this.#addPlace(point.lat, point.lon);
    for (const { vehicleId, sentAt, clearAt } of units) {
      const runs = this.#runs.get(vehicleId) ?? [];
      runs.push([Math.max(sentAt, this.#from), Math.min(clearAt || Infinity, this.#end)]);
      this.#runs.set(vehicleId, runs);
    }
  }

  #addPlace(lat: number, lon: number): void {
    const [row, column] = [Math.floor(lat / CELL.lat), Math.floor(lon / CELL.lon)];
    const key = `${row} ${column}`;
    const cell = this.#places.get(key) ?? { lat: (row + 0.5) * CELL.lat, lon: (column + 0.5) * CELL.lon, tasks: 0 };
    cell.tasks++;
    this.#places.set(key, cell);
  }

  summary(): Omit<ResponseSummary, 'priorities' | 'before'> {
    return {
      hours: this.#hours,
      types: byCount(this.#types),
      organizations: byCount(this.#organizations),
      places: [...this.#places.values()].sort((one, other) => other.tasks - one.tasks).slice(0, MOST_CELLS),
      units: [...this.#runs]
        .map(([vehicleId, runs]) => ({ vehicleId, runs: runs.length, busy: covered(runs) }))
        .sort((one, other) => other.busy - one.busy || one.vehicleId - other.vehicleId),
    };
  }
}

function count(counts: Map<number, number>, id: number): void {
  counts.set(id, (counts.get(id) ?? 0) + 1);
}

function byCount(counts: Map<number, number>): [number, number][] {
  return [...counts].sort(([a, one], [b, other]) => other - one || a - b);
}

/** The length of a union of intervals: a unit that serves two tasks is busy once. */
export function covered(intervals: readonly (readonly [from: number, until: number])[]): number {
  let [sum, end] = [0, -Infinity];
  for (const [from, until] of intervals.toSorted(([a], [b]) => a - b)) {
    if (until <= end) continue;
    sum += until - Math.max(from, end) > 0 ? until - Math.max(from, end) : 0;
    end = Math.max(end, until);
  }
  return sum;
}

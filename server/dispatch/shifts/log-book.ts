import { mayDirectCrews, seesOrganization, type Actor } from '../../../shared/access.ts';
import type { AlarmRecord, CrewDuty, LogBookEntry, RoadClosure, Shift, Task } from '../../../shared/records/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import { wordMatcher } from '../../../shared/text/search-words.ts';
import type { Records, Store } from '../../store/types.ts';
import { EntryTimes } from './entry-times.ts';
import {
  byTime,
  lineOfEntry,
  linesOfAlarm,
  linesOfClosure,
  linesOfDuty,
  linesOfShift,
  linesOfTask,
  type LogLine,
} from './log-lines.ts';

export interface LogBookOptions {
  readonly store: Store;
  now(): number;
  /** The visible tasks that changed since `from` and began before `until`; undefined: too many. */
  tasks(by: Actor, from: number, until: number, most: number): Promise<Task[] | undefined>;
  /** Visible alarms that were raised or answered in the period. */
  alarms(by: Actor, from: number, until: number): AlarmRecord[];
  /** Visible shifts and duties that touch the period. */
  shifts(by: Actor, from: number, until: number): { readonly shifts: Shift[]; readonly duties: CrewDuty[] };
  /** Throw where the actor does not see it. */
  requireTask(by: Actor, id: number): void;
  requireVehicle(by: Actor, id: number): void;
  nameOfVehicle(id: number): string;
}

export interface LogBookOrder {
  readonly text: string;
  readonly corrects: number;
  readonly taskId: number;
  readonly vehicleId: number;
}

export interface LogQuery {
  /** The period, epoch ms; its end is exclusive. */
  readonly from: number;
  readonly until: number;
  readonly taskId?: number | undefined;
  readonly vehicleId?: number | undefined;
  /** Words that the line has. */
  readonly text?: string | undefined;
  /** Only what people wrote. */
  readonly written?: boolean | undefined;
}

/** ms */
const LONGEST_PERIOD = 31 * 86_400_000;
/** Tasks that are looked through for one question. */
const MOST_TASKS = 5_000;

/** The log-book (README rules 1 to 5). */
export class LogBook {
  readonly #options: LogBookOptions;
  readonly #entries: Records<LogBookEntry>;
  readonly #closures: Records<RoadClosure>;
  readonly #times: EntryTimes;

  constructor(options: LogBookOptions) {
    this.#options = options;
    this.#entries = options.store.kind<LogBookEntry>('fleet', 'logBookEntry');
    this.#closures = options.store.kind<RoadClosure>('fleet', 'closure');
    this.#times = new EntryTimes(options.store, this.#entries);
  }

  /** README rule 1. */
  async write(by: Actor, { text, corrects, taskId, vehicleId }: LogBookOrder): Promise<LogLine> {
    if (!mayDirectCrews(by)) throw new Refusal('shifts.mayNotWrite');
    const corrected = corrects === 0 ? undefined : this.#entries.get(corrects);
    if (corrects !== 0 && (!corrected || !seesOrganization(by, corrected.organizationId)))
      throw new Refusal('shifts.entryMissing', { id: corrects });
    if (taskId !== 0) this.#options.requireTask(by, taskId);
    if (vehicleId !== 0) this.#options.requireVehicle(by, vehicleId);
    const entry = await this.#entries.insert({
      ...{ id: this.#entries.nextId(), kind: 'logBookEntry', name: '', isDeleted: false },
      // A correction stays beside the corrected entry.
      organizationId: corrected?.organizationId ?? by.user.organizationId,
      ...{ at: this.#options.now(), authorId: by.user.id, text: text.trim(), corrects },
      taskId: taskId || (corrected?.taskId ?? 0),
      vehicleId: vehicleId || (corrected?.vehicleId ?? 0),
    });
    return lineOfEntry(entry);
  }

  /** The lines of a period, the oldest first. */
  async list(by: Actor, query: LogQuery): Promise<LogLine[]> {
    const { from, until, taskId, vehicleId, text, written } = query;
    if (until <= from) throw new Refusal('field.notLater', { field: 'till', other: 'from' });
    if (until - from > LONGEST_PERIOD) throw new Refusal('events.longPeriod', { days: 31 });
    const says = text ? wordMatcher(text) : undefined;
    const lines = [...this.#written(by, from, until), ...(written ? [] : await this.#noted(by, from, until))];
    return lines
      .filter(
        (line) =>
          line.at >= from &&
          line.at < until &&
          (taskId === undefined || line.taskId === taskId) &&
          (vehicleId === undefined || line.vehicleId === vehicleId) &&
          (says === undefined || says(this.#searched(line))),
      )
      .sort(byTime);
  }

  close(): void {
    this.#times.close();
  }

  #written(by: Actor, from: number, until: number): LogLine[] {
    return this.#times
      .within(from, until)
      .map((id) => this.#entries.get(id))
      .filter((entry) => entry !== undefined && !entry.isDeleted && seesOrganization(by, entry.organizationId))
      .map((entry) => lineOfEntry(entry!));
  }

  /** Lines that the station makes by itself (README rule 2). */
  async #noted(by: Actor, from: number, until: number): Promise<LogLine[]> {
    const { now, tasks, alarms } = this.#options;
    const { shifts, duties } = this.#options.shifts(by, from, until);
    const edges = new Set(shifts.flatMap(({ begun, ended }) => [begun.at, ended?.at ?? 0]));
    const changed = await tasks(by, from, until, MOST_TASKS);
    if (!changed) throw new Refusal('shifts.busyPeriod', { most: MOST_TASKS });
    return [
      ...shifts.flatMap(linesOfShift),
      ...duties.flatMap((duty) => linesOfDuty(duty, edges)),
      ...changed.flatMap(linesOfTask),
      ...alarms(by, from, until).flatMap(linesOfAlarm),
      ...this.#closures.all().flatMap((closure) => linesOfClosure(closure, now())),
    ];
  }

  #searched({ text, alarm, taskId, vehicleId }: LogLine): string[] {
    return [
      text,
      ...(alarm ? [alarm.en, alarm.ru] : []),
      ...(taskId ? [`#${taskId}`] : []),
      ...(vehicleId ? [this.#options.nameOfVehicle(vehicleId)] : []),
    ];
  }
}

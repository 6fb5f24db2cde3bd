import type { Reason } from '../../../../shared/refusals/reason.ts';
import type { Language, ReportFileForm, ReportKind } from '../../reports/index.ts';
import { coveredPeriod, lastRun, type RunPattern } from './run-times.ts';

/** Fields of a report by mail that a person sets. */
export interface ScheduleFields extends RunPattern {
  readonly name: string;
  readonly report: ReportKind;
  readonly form: ReportFileForm;
  readonly language: Language;
  /** Empty lists: all vehicles that the owner sees. */
  readonly vehicleIds: readonly number[];
  readonly groupIds: readonly number[];
  readonly addresses: readonly string[];
  readonly userIds: readonly number[];
  readonly isPaused: boolean;
}

/** Outcome of the last run. Mails have their own states. */
export interface ScheduleRun {
  /** The time for which it was made; for one by hand, when that was. */
  readonly at: number;
  /** The latest due run that was made by then, this one included; 0: none. Missing in old records: `at`. */
  readonly dueAt?: number | undefined;
  readonly from: number;
  readonly until: number;
  /** How many mails it wrote. */
  readonly mails: number;
  /** Why there are no lines, or why the report is not in them; null: nothing is wrong. */
  readonly problem: Reason | null;
}

/** A report that this station sends by mail at set times, with the rights of its owner. */
export interface ReportSchedule extends ScheduleFields {
  readonly id: number;
  /** One and the same at the station that sends it and at its standby. */
  readonly uid: string;
  readonly organizationId: number;
  readonly ownerId: number;
  /** Runs before it are not due: it was made, changed or switched on then. */
  readonly since: number;
  /** End of the period that its reports cover; 0: there were none. */
  readonly coveredUntil: number;
  readonly last: ScheduleRun | null;
}

/** Days that one report catches up with after the station was off. */
const MOST_CAUGHT_UP = 366 * 86_400_000;

/** The run that is due; undefined: none. Of several that were missed it is the last, which covers them all. */
export function dueRun(schedule: ReportSchedule, now: number): number | undefined {
  if (schedule.isPaused) return undefined;
  const at = lastRun(schedule, now);
  return at > schedule.since && at > lastDue(schedule) ? at : undefined;
}

/** The latest due run that was made. One by hand takes the place of none. */
export function lastDue({ last }: Pick<ReportSchedule, 'last'>): number {
  return last ? (last.dueAt ?? last.at) : 0;
}

/** Period of the run at this instant, with the periods of missed runs. */
export function periodOfRun(schedule: ReportSchedule, at: number): { from: number; until: number } {
  const { from, until } = coveredPeriod(schedule, at);
  const { coveredUntil } = schedule;
  if (coveredUntil === 0 || coveredUntil >= from) return { from, until };
  return { from: Math.max(coveredUntil, until - MOST_CAUGHT_UP), until };
}

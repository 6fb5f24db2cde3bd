import type { Task } from '../records/index.ts';
import { targetsOf, type WaitingRules } from './response-targets.ts';
import { NEW } from './status.ts';

/** Rules W1 to W5 of the README of tasks: consequences of the clock alone, the same at every station. */

/** The highest level that a task rises to. */
export const HIGHEST_LEVEL = 2;

type Waiting = Pick<
  Task,
  | 'date'
  | 'status'
  | 'statusSince'
  | 'isDeleted'
  | 'archived'
  | 'assignedVehicleId'
  | 'assignedUserId'
  | 'assignedOrganizationId'
  | 'riseSeenAt'
>;

/** A task that nobody was sent or assigned to. */
export function waits(task: Omit<Waiting, 'riseSeenAt' | 'date' | 'statusSince'>): boolean {
  return (
    task.status === NEW &&
    !task.isDeleted &&
    !task.archived &&
    task.assignedVehicleId === 0 &&
    task.assignedUserId === 0 &&
    task.assignedOrganizationId === 0
  );
}

/** When a task enters the queue, epoch ms: its lead time before its date. Most are there from the start. */
export function entersAt({ date }: Pick<Task, 'date'>, { leadSeconds }: Pick<WaitingRules, 'leadSeconds'>): number {
  return date - leadSeconds * 1000;
}

/** Since when it waits in the queue, epoch ms: since it entered, or became new again. */
export function waitsSince(task: Pick<Task, 'date' | 'statusSince'>, rules: Pick<WaitingRules, 'leadSeconds'>): number {
  return Math.max(entersAt(task, rules), task.statusSince);
}

/** It was reported for a later time than the lead. */
export function isScheduled(
  task: Pick<Task, 'date' | 'statusSince'>,
  rules: Pick<WaitingRules, 'leadSeconds'>,
): boolean {
  return entersAt(task, rules) > task.statusSince;
}

/** When a task that still waits rises to each level, epoch ms; empty: it never rises. */
export function risesAt(task: Waiting, priority: 1 | 2 | 3 | 4, rules: WaitingRules): readonly number[] {
  const target = targetsOf(priority, rules)?.sent ?? 0;
  if (target === 0 || !waits(task)) return [];
  const since = waitsSince(task, rules);
  return Array.from({ length: HIGHEST_LEVEL }, (_, level) => since + (level + 1) * target);
}

export interface Rise {
  /** 1 to `HIGHEST_LEVEL`. */
  readonly level: number;
  /** When it rose to it, epoch ms. */
  readonly since: number;
  /** Somebody acknowledged this level. */
  readonly isSeen: boolean;
}

/** The level that the task has risen to; undefined: to none. */
export function riseOf(task: Waiting, priority: 1 | 2 | 3 | 4, rules: WaitingRules, now: number): Rise | undefined {
  const passed = risesAt(task, priority, rules).filter((at) => at <= now);
  const since = passed.at(-1);
  if (since === undefined) return undefined;
  return { level: passed.length, since, isSeen: (task.riseSeenAt ?? 0) >= since };
}

import type { StoredUnit, Task } from '../../../../shared/records/index.ts';
import { priorityOf, type TaskPriority } from '../../../../shared/tasks/priority.ts';
import { targetsOf, type WaitingRules } from '../../../../shared/tasks/response-targets.ts';
import { DONE } from '../../../../shared/tasks/status.ts';
import { unitsOf } from '../../../../shared/tasks/units.ts';

/** Rules S1 to S7 of the README of tasks: which times count. */

/**
 * `sent` and `response` are of tasks, from the call to the first sending and to the first unit on scene. The others are
 * of units, from their sending.
 */
export const STAGES = ['sent', 'acknowledged', 'enRoute', 'onScene', 'clear', 'response'] as const;
export type ResponseStage = (typeof STAGES)[number];

/** Targets by organization and importance by category; plain data, since a thread uses them. */
export interface ResponseRules {
  readonly targets: Readonly<Record<number, Pick<WaitingRules, 'targets'>>>;
  readonly defaults: Pick<WaitingRules, 'targets'>;
  readonly importance: Readonly<Record<number, number>>;
}

type Outcome = 'kept' | 'missed' | 'untold';

/** A task as statistics see it. Times in ms. */
export interface TaskResponse {
  readonly priority: TaskPriority;
  /** The units that count. */
  readonly units: readonly StoredUnit[];
  /** From the call to the first sending; undefined: nobody was sent, or before the date of the task. */
  readonly sent: number | undefined;
  /** From the call to the first unit on scene. */
  readonly response: number | undefined;
  readonly targets: Readonly<Record<'sent' | 'response', number>>;
  readonly outcome: Readonly<Record<'sent' | 'response', Outcome>>;
}

type Responded = Parameters<typeof unitsOf>[0] &
  Pick<Task, 'date' | 'organizationId' | 'categoryId' | 'priority' | 'mergedInto'>;

/** @param vehicleIds the vehicles that count; undefined: all */
export function responseOf(
  task: Responded,
  rules: ResponseRules,
  now: number,
  vehicleIds?: ReadonlySet<number>,
): TaskResponse {
  const priority = priorityOf(task, { importance: rules.importance[task.categoryId] ?? 0 });
  const all = targetsOf(priority, {
    ...(rules.targets[task.organizationId] ?? rules.defaults),
    leadSeconds: 0,
  });
  const units = unitsOf(task).filter(({ vehicleId }) => !vehicleIds || vehicleIds.has(vehicleId));
  const targets = { sent: all?.sent ?? 0, response: all?.onScene ?? 0 };
  const sent = since(task.date, first(units.map(({ sentAt }) => sentAt)));
  const response = since(task.date, first(units.map(({ onSceneAt }) => onSceneAt)));
  const isOpen = task.status !== DONE && !task.archived;
  const waited = isOpen ? now - task.date : 0;
  const isEarly = units.some(({ sentAt }) => sentAt < task.date);
  return {
    priority,
    units,
    sent,
    response,
    targets,
    outcome: {
      sent: outcomeOf(sent, targets.sent, isEarly ? 0 : waited),
      response: outcomeOf(response, targets.response, isEarly ? 0 : waited),
    },
  };
}

/**
 * A time that was not reached is missed when its target is over. In a closed task its outcome stays unknown.
 */
function outcomeOf(took: number | undefined, target: number, waited: number): Outcome {
  if (target === 0) return 'untold';
  if (took !== undefined) return took <= target ? 'kept' : 'missed';
  return waited > target ? 'missed' : 'untold';
}

/** The time that a unit took to a stage since its sending, ms; undefined: it is not known. */
export function unitTime(unit: StoredUnit, stage: Exclude<ResponseStage, 'sent' | 'response'>): number | undefined {
  if (stage === 'clear' && unit.onSceneAt === 0) return undefined; // released on the way: no run
  return since(unit.sentAt, unit[`${stage}At`]);
}

function first(times: readonly number[]): number {
  return times.reduce((least, at) => (at > 0 && (least === 0 || at < least) ? at : least), 0);
}

function since(begin: number, at: number): number | undefined {
  return at === 0 || at < begin ? undefined : at - begin;
}

/** All values of one stage. */
export function timesOf(task: TaskResponse, stage: ResponseStage): readonly number[] {
  if (stage === 'sent' || stage === 'response') return task[stage] === undefined ? [] : [task[stage]];
  return task.units.flatMap((unit) => unitTime(unit, stage) ?? []);
}

/** The least value that at least this share of the values does not exceed (nearest rank). */
export function percentile(sorted: ArrayLike<number>, share: number): number | null {
  return sorted.length === 0 ? null : sorted[Math.max(0, Math.ceil((share / 100) * sorted.length) - 1)]!;
}

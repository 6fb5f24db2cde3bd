import type { Task } from '../../../../shared/records/index.ts';
import { DONE } from '../../../../shared/tasks/status.ts';
import type { ResponseTargets } from '../../../../shared/tasks/response-targets.ts';
import { unitsOf } from '../../../../shared/tasks/units.ts';

/** A step of a task: `kept` within its target, `late` beyond it, `running` towards it, or without a target. */
export interface TaskStep {
  readonly step: 'sent' | 'onScene' | 'closed';
  /** ms since the call; undefined: it has not come. */
  readonly after: number | undefined;
  readonly target: number | undefined;
  readonly state: 'kept' | 'late' | 'running' | 'open';
  /** Of a running step the part of the target that is used up, 0 to 1. */
  readonly share: number;
}

/** The steps of a task since its call, from the times of its units. */
export function taskSteps(task: Task, targets: ResponseTargets | undefined, now: number): readonly TaskStep[] {
  const units = unitsOf(task);
  const isClosed = task.status === DONE;
  const first = (times: readonly number[]) => {
    const known = times.filter((time) => time > 0);
    return known.length === 0 ? undefined : Math.max(0, Math.min(...known) - task.date);
  };
  const sent = first(units.map(({ sentAt }) => sentAt));
  const onScene = first(units.map(({ onSceneAt }) => onSceneAt));
  const waited = now - task.date;
  const step = (
    name: TaskStep['step'],
    after: number | undefined,
    target: number | undefined,
    isNext: boolean,
  ): TaskStep => ({
    step: name,
    after,
    target,
    state: stateOf(after, target, isNext && !isClosed ? waited : undefined),
    share: target === undefined ? 0 : Math.min(1, Math.max(0, waited / target)),
  });
  return [
    step('sent', sent, targets?.sent || undefined, true),
    step('onScene', onScene, targets?.onScene || undefined, sent !== undefined),
    step('closed', isClosed ? Math.max(0, task.statusSince - task.date) : undefined, undefined, false),
  ];
}

function stateOf(after: number | undefined, target: number | undefined, waited: number | undefined): TaskStep['state'] {
  if (target === undefined) return 'open';
  if (after !== undefined) return after <= target ? 'kept' : 'late';
  if (waited === undefined) return 'open';
  return waited <= target ? 'running' : 'late';
}

import type { StoredUnit, Task } from '../../../../shared/records/index.ts';
import { EMERGENCY_CALL, OUT_OF_SERVICE } from '../../../../shared/fleet/unit-status.ts';
import { isFinished, isOpenTask } from '../../../../shared/tasks/units.ts';

/** The data of a vehicle that is to be sent. */
export interface SendableUnit {
  readonly id: number;
  readonly status: number | undefined;
  /** The task that it serves now. */
  readonly serving: { readonly task: Task; readonly unit: StoredUnit } | undefined;
}

/** The outcome of sending a vehicle to a task: it goes, an operator decides, or nothing changes. */
export type SendStep =
  | { readonly kind: 'send' }
  | { readonly kind: 'closed' }
  | { readonly kind: 'thereAlready' }
  | { readonly kind: 'busy'; readonly with: Task; readonly onScene: boolean }
  | { readonly kind: 'outOfService' }
  | { readonly kind: 'callsForHelp' };

export function sendStep(task: Task, unitsThere: readonly StoredUnit[], unit: SendableUnit): SendStep {
  if (!isOpenTask(task)) return { kind: 'closed' };
  if (unitsThere.some(({ vehicleId }) => vehicleId === unit.id)) return { kind: 'thereAlready' };
  if (unit.status === EMERGENCY_CALL) return { kind: 'callsForHelp' };
  if (unit.serving && !isFinished(unit.serving.unit))
    return { kind: 'busy', with: unit.serving.task, onScene: unit.serving.unit.onSceneAt > 0 };
  return { kind: unit.status === OUT_OF_SERVICE ? 'outOfService' : 'send' };
}

/** Whether somebody is asked before the vehicle is sent. */
export function asksFirst(step: SendStep): boolean {
  return step.kind === 'busy' || step.kind === 'outOfService' || step.kind === 'callsForHelp';
}

import {
  ACKNOWLEDGED,
  AT_BASE,
  AT_HOSPITAL,
  EN_ROUTE,
  FREE,
  ON_SCENE,
  OUT_OF_SERVICE,
  PATIENT_LOADED,
} from '../../../shared/fleet/unit-status.ts';
import type { ShownState, ShownTask } from './queue/shown-state.ts';

export type Step = 'accept' | 'enRoute' | 'onScene' | 'atHospital' | 'free';
export const STEP_DIGITS: Readonly<Record<Step, number>> = {
  accept: ACKNOWLEDGED,
  enRoute: EN_ROUTE,
  onScene: ON_SCENE,
  atHospital: AT_HOSPITAL,
  free: FREE,
};

/** The crew's next step on its task: the one button under the thumb. */
export function nextStep(task: ShownTask | undefined, status: number | null): Step | undefined {
  if (!task) return undefined;
  if (task.acknowledgedAt === null) return 'accept';
  if (status === ACKNOWLEDGED) return 'enRoute';
  if (status === PATIENT_LOADED) return 'atHospital';
  if (isThere(task, status)) return 'free';
  return 'onScene';
}

/** Why a digit cannot be set now, under `status.`; undefined: it can. */
export function obstacleTo({ tasks, status, car }: ShownState, digit: number): string | undefined {
  const [task] = tasks;
  if ((digit === PATIENT_LOADED || digit === AT_HOSPITAL) && car.service !== 'medical') return 'ambulances';
  if (digit === ACKNOWLEDGED && !tasks.some(({ acknowledgedAt }) => acknowledgedAt === null)) return 'nothingToAccept';
  if (digit === OUT_OF_SERVICE && task) return 'onTask';
  if ((digit === FREE || digit === AT_BASE) && task && !isThere(task, status)) return 'notThere';
  return undefined;
}

function isThere({ onSceneAt }: ShownTask, status: number | null): boolean {
  return onSceneAt !== null || status === ON_SCENE || status === PATIENT_LOADED || status === AT_HOSPITAL;
}

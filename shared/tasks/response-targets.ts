import type { DispatchSettings } from '../records/index.ts';

/** How soon a unit should be sent, and the first one be there; ms. 0: no target. */
export interface ResponseTargets {
  readonly sent: number;
  readonly onScene: number;
}

/** How an organization treats tasks that nobody was sent to. */
export type WaitingRules = Pick<DispatchSettings, 'leadSeconds' | 'targets'>;

const MINUTE = 60;

/**
 * Rules of organizations without their own. An emergency is to be sent within a minute (NFPA 1225), and the first
 * unit is expected within eight. Less urgent tasks go by the deadline of their type.
 */
export const DEFAULT_WAITING_RULES: WaitingRules = {
  leadSeconds: 5 * MINUTE,
  targets: [
    { sentSeconds: MINUTE, onSceneSeconds: 8 * MINUTE },
    { sentSeconds: 3 * MINUTE, onSceneSeconds: 15 * MINUTE },
    { sentSeconds: 0, onSceneSeconds: 0 },
    { sentSeconds: 0, onSceneSeconds: 0 },
  ],
};

/** Undefined: tasks of this priority have no targets. */
export function targetsOf(priority: 1 | 2 | 3 | 4, { targets }: WaitingRules): ResponseTargets | undefined {
  const { sentSeconds, onSceneSeconds } = targets[priority - 1]!;
  if (sentSeconds === 0 && onSceneSeconds === 0) return undefined;
  return { sent: sentSeconds * 1000, onScene: onSceneSeconds * 1000 };
}

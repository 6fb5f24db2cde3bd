/** How soon after the call a unit should be sent, and the first one be there; ms. */
export interface ResponseTargets {
  readonly sent: number;
  readonly onScene: number;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/**
 * Targets of emergencies and urgent tasks: a call is to be sent within a minute (NFPA 1225), and the first unit is
 * expected within eight. Others go by the deadline of their type.
 */
const TARGETS: Readonly<Partial<Record<1 | 2 | 3 | 4, ResponseTargets>>> = {
  1: { sent: MINUTE, onScene: 8 * MINUTE },
  2: { sent: 3 * MINUTE, onScene: 15 * MINUTE },
};

export function targetsOf(priority: 1 | 2 | 3 | 4): ResponseTargets | undefined {
  return TARGETS[priority];
}

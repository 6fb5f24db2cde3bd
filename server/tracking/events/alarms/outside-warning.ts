import type { AlarmPriority } from '../../../../shared/records/index.ts';
import { digestId } from '../../../platform/digest-id.ts';
import type { Cause, RaisedRule } from './life-cycle.ts';

/** A warning of an authority. Anybody who follows its feed decides from which severity on it raises an alarm. */
export interface OutsideWarning extends Pick<Cause, 'organizationId' | 'info' | 'place' | 'since'> {
  /** The same in every station that follows the feed. */
  readonly situation: string;
  readonly severity: keyof typeof PRIORITIES;
}

const RULE = 'outside-warning';
const PRIORITIES = { extreme: 1, severe: 2, moderate: 3, minor: 4, unknown: 4 } as const satisfies Record<
  string,
  AlarmPriority
>;

export function ruleOfWarning({ severity }: Pick<OutsideWarning, 'severity'>): RaisedRule {
  return {
    ...{ id: RULE, priority: PRIORITIES[severity] },
    name: { en: 'Warning of an authority', ru: 'Предупреждение ведомства' },
    response: {
      en: 'Read the warning on the page of alarms. Tell those whom it concerns.',
      ru: 'Прочтите предупреждение на странице тревог. Сообщите тем, кого оно касается.',
    },
  };
}

export function situationOfWarning(key: string): string {
  return `${RULE}|${digestId(key)}`;
}

export function causeOfWarning({ situation, organizationId, info, place, since }: OutsideWarning): Cause {
  return {
    ...{ situation: situationOfWarning(situation), organizationId, info, place, since },
    ...{ eventId: 0, eventType: 0, taskId: 0, vehicleId: 0, until: 0 },
  };
}

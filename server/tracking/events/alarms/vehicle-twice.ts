import type { AlarmRule } from '../../../../shared/records/index.ts';

/** Organizations cannot turn it off, because it reports an inconsistency between stations. */
export const VEHICLE_TWICE = {
  id: 'vehicle-twice',
  priority: 2,
  name: { en: 'One vehicle on two tasks', ru: 'Одна машина на двух задачах' },
  response: {
    en: 'Two stations sent the vehicle while they were not connected. Release it from one of the two tasks.',
    ru: 'Две станции направили машину, пока не было связи. Снимите её с одной из двух заявок.',
  },
} as const satisfies Pick<AlarmRule, 'id' | 'priority' | 'name' | 'response'>;

import type { AlarmRule } from '../../../../shared/records/index.ts';

/** Organizations turn it off with their safety timers. */
export const SILENT_CREW = {
  id: 'silent-crew',
  priority: 2,
  name: { en: 'Crew on scene is silent', ru: 'Экипаж на месте молчит' },
  response: {
    en: 'Call the crew. If it does not answer, send the nearest vehicle to look for it.',
    ru: 'Вызовите экипаж. Если он не отвечает, направьте к нему ближайшую машину.',
  },
} as const satisfies Pick<AlarmRule, 'id' | 'priority' | 'name' | 'response'>;

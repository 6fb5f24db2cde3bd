import type { Translation } from '../catalogue.ts';

/** Shifts: safety timers, requests to talk, the log-book, who is on duty. */
export const en = {
  check: 'check {time}',
  missed: 'no check | missed 1 check | missed {n} checks',
};

export const ru: Translation<typeof en> = {
  check: 'связь через {time}',
  missed: 'нет пропусков | пропущена {n} проверка | пропущены {n} проверки | пропущено {n} проверок',
};

import type { Translation } from '../catalogue.ts';

export const en = {
  groups: { tasks: 'Tasks', people: 'People and roles', fleet: 'Fleet', station: 'Station' },
};

export const ru: Translation<typeof en> = {
  groups: { tasks: 'Задачи', people: 'Люди и права', fleet: 'Парк', station: 'Станция' },
};

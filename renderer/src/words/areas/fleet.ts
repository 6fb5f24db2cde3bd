import type { Words } from '../catalogue.ts';

export const en = {
  list: { filter: 'Call sign, plate, group or driver', found: '{found} of {all}' },
};

export const ru: Words<typeof en> = {
  list: { filter: 'Позывной, номер, группа, водитель', found: '{found} из {all}' },
};

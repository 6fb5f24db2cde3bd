import { z } from 'zod';
import { setting } from '../setting.ts';
import { idList } from '../values.ts';

/** Requests of citizens (Open311). */
export const CITIZEN_SETTINGS = {
  'citizens.user': setting({
    schema: z.string().min(1).max(100).nullable(),
    default: null,
    environment: 'WAYPOST_CITIZENS_USER',
    reason: 'Login in whose name citizens report (Open311). What it may see and create, they may. None: they cannot.',
  }),
  'citizens.types': setting({
    schema: idList,
    default: [],
    environment: 'WAYPOST_CITIZENS_TYPES',
    reason: 'Ids of the types of tasks that citizens may report. None.',
  }),
  'citizens.perMinute': setting({
    schema: z.int().min(1).max(100_000),
    default: 20,
    environment: 'WAYPOST_CITIZENS_PER_MINUTE',
    reason: 'Requests of citizens that an address may send in a minute; a key has ten times as many. Against spam.',
  }),
} as const;

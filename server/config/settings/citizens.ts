import { z } from 'zod';
import { setting } from '../setting.ts';
import { idList, list } from '../values.ts';

/** Origins of web pages, in the form that browsers send. */
const origins = list.refine(
  (all) => all.every((text) => /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text),
  { error: 'must be origins such as https://town.example' },
);

/** Requests of citizens (Open311), and their page. */
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
  'citizens.page': setting({
    schema: z.boolean(),
    default: false,
    environment: 'WAYPOST_CITIZENS_PAGE',
    reason: 'The page /citizens, on which everybody may report without a key. It shows the map to everybody.',
  }),
  'citizens.perHour': setting({
    schema: z.int().min(1).max(100_000),
    default: 100,
    environment: 'WAYPOST_CITIZENS_PER_HOUR',
    reason: 'Reports that the page takes in an hour, of all citizens together. Against spam.',
  }),
  'citizens.embedIn': setting({
    schema: origins,
    default: [],
    environment: 'WAYPOST_CITIZENS_EMBED_IN',
    reason: 'Origins whose pages may show the page of citizens in a frame, such as https://town.example. None.',
  }),
} as const;

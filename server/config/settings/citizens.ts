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
    reason:
      'Login on whose behalf citizens report (Open311). They may see and create what it may. If not set: they cannot report.',
  }),
  'citizens.types': setting({
    schema: idList,
    default: [],
    environment: 'WAYPOST_CITIZENS_TYPES',
    reason: 'Ids of the types of tasks that citizens may report. Default: none.',
  }),
  'citizens.perMinute': setting({
    schema: z.int().min(1).max(100_000),
    default: 20,
    environment: 'WAYPOST_CITIZENS_PER_MINUTE',
    reason: 'Requests of citizens per minute and address, against spam. A key may send ten times as many.',
  }),
  'citizens.page': setting({
    schema: z.boolean(),
    default: false,
    environment: 'WAYPOST_CITIZENS_PAGE',
    reason: 'The page /citizens: everybody may report there without a key, and sees the map.',
  }),
  'citizens.perHour': setting({
    schema: z.int().min(1).max(100_000),
    default: 100,
    environment: 'WAYPOST_CITIZENS_PER_HOUR',
    reason: 'Reports that the page accepts per hour from all citizens together, against spam.',
  }),
  'citizens.embedIn': setting({
    schema: origins,
    default: [],
    environment: 'WAYPOST_CITIZENS_EMBED_IN',
    reason:
      'Origins whose pages may show the page of citizens in a frame, such as https://town.example. Default: none.',
  }),
} as const;

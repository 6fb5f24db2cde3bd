import { z } from 'zod';
import { setting } from '../setting.ts';

/** A value that is JSON in the environment. */
function json<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value) => {
    if (typeof value !== 'string') return value;
    try {
      return JSON.parse(value) as unknown;
    } catch {
      return value;
    }
  }, schema);
}

/** Groups, and their roles here. */
const groupGrants = json(
  z
    .array(
      z.strictObject({
        group: z.string().min(1).max(500),
        role: z.string().min(1).max(100),
        organization: z.string().min(1).max(100).optional(),
      }),
    )
    .max(200),
);

/** Passwords, second factors and the screen lock. */
export const SIGN_IN_SETTINGS = {
  'password.least': setting({
    schema: z.int().min(8).max(64),
    default: 8,
    environment: 'WAYPOST_PASSWORD_LEAST',
    reason: 'Least number of characters of a new password. Passwords known from published breaches are refused.',
  }),
  'signIn.secondFactor': setting({
    schema: z.enum(['none', 'administrators', 'everybody']),
    default: 'none',
    environment: 'WAYPOST_SIGN_IN_SECOND_FACTOR',
    reason:
      'Who must have a second factor. Users without one set it up at the next sign-in. A provider asks for its own.',
  }),
  'signIn.secondFactorRoles': setting({
    schema: json(z.array(z.string().min(1).max(100)).max(100)),
    default: [],
    environment: 'WAYPOST_SIGN_IN_SECOND_FACTOR_ROLES',
    reason:
      'Names of further roles that must have a second factor, such as `["Dispatcher"]`. The log names unknown roles. Default: none.',
  }),
  'signIn.codeTolerance': setting({
    schema: z.int().min(0).max(1),
    default: 1,
    environment: 'WAYPOST_SIGN_IN_CODE_TOLERANCE',
    reason:
      'Codes of the second factor before and after the current one that count, since clocks of phones differ. 0: a code counts for its 30 seconds alone.',
  }),
  'signIn.groups': setting({
    schema: groupGrants,
    default: [],
    environment: 'WAYPOST_SIGN_IN_GROUPS',
    reason:
      'Which groups of the provider or directory have which role here: `[{"group": "dispatchers", "role": "Dispatcher", "organization": "Control room"}]`, the first match applies; users in no such group cannot sign in. If not set: everybody gets the role that allows the least.',
  }),
  'signIn.create': setting({
    schema: z.boolean(),
    default: true,
    environment: 'WAYPOST_SIGN_IN_CREATE',
    reason: 'The first sign-in through the provider or directory creates the user.',
  }),
  'signIn.link': setting({
    schema: z.enum(['none', 'login', 'email']),
    default: 'none',
    environment: 'WAYPOST_SIGN_IN_LINK',
    reason:
      'How that first sign-in finds an existing user: by `login`, by verified `email`, or `none`. Never one who sees every organisation.',
  }),
  'console.keepsRecords': setting({
    schema: z.boolean(),
    default: true,
    environment: 'WAYPOST_CONSOLE_KEEPS_RECORDS',
    reason:
      'Consoles keep their records in the browser until the sign-out, so that the next load continues from there. `false`: in memory alone; each load reads everything again.',
  }),
  'lock.minutes': setting({
    schema: z.int().min(1).max(1440).nullable(),
    default: null,
    environment: 'WAYPOST_LOCK_MINUTES',
    reason:
      'Minutes without input after which a console locks its screen, for shared desks. Input is kept, and alarms still sound. Default: never.',
  }),
} as const;

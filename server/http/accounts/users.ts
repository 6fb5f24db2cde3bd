import { z } from 'zod';
import type { Accounts, UserChange } from '../../access/accounts/index.ts';
import { CurrentUserAnswer, presentCurrentUser, presentUser, UserAnswer } from './presenters.ts';
import { Deleted, DELETED } from '../app/common-answers.ts';
import { bodyId, pathId, textUpTo } from '../request/fields.ts';
import { route } from '../app/route.ts';
import type { DeclaredRoute } from '../app/route.ts';

const short = textUpTo(100);
const Change = z.object({
  login: short.optional(),
  fio: short.optional(),
  email: short.nullish(),
  phone: short.nullish(),
  extension: short.nullish().meta({ description: 'Their telephone at the exchange; empty: none.' }),
  monitor: z.boolean().nullish(),
  visible: z.boolean().nullish().meta({ description: 'For clients: whether the user is shown at the start.' }),
  enabled: z.boolean().nullish(),
  groupId: bodyId.optional(),
  organizationId: bodyId.optional(),
  password: textUpTo(1000).nullish(),
  mustChangePassword: z
    .boolean()
    .nullish()
    .meta({ description: 'Until they have chosen a new password, the user may do nothing else. Default: false' }),
});
const Create = Change.extend({ login: short, fio: short, password: textUpTo(1000) });
const params = z.object({ id: pathId });

/** B. Users. */
export function userRoutes(accounts: Accounts): DeclaredRoute[] {
  return [
    route({
      method: 'GET',
      path: '/users',
      family: 'B',
      access: 'admin',
      summary: 'Users',
      answer: z.array(UserAnswer),
      run: ({ caller }) => accounts.administration.usersSeen(caller).map(presentUser),
    }),
    route({
      method: 'POST',
      path: '/users',
      family: 'B',
      access: 'admin',
      summary: 'Make a user',
      body: Create,
      answer: UserAnswer,
      description:
        '`groupId` is the id of the right; without it the user gets the right that allows the least. `organizationId` is the caller’s own when not given.',
      run: async ({ caller, body }) =>
        presentUser(
          await accounts.administration.createUser(caller, {
            ...userChange(body),
            login: body.login,
            name: body.fio,
            password: body.password,
          }),
        ),
    }),
    route({
      method: 'POST',
      path: '/users/sign-out',
      onStandby: true,
      family: 'station',
      access: 'admin',
      summary: 'End the sessions of a user, or of everybody whom the caller administers',
      description: 'The session of the caller stays, and so do access keys.',
      body: z.object({ userId: bodyId.optional() }),
      answer: z.object({ sessions: z.int().meta({ description: 'How many ended' }) }),
      run: async ({ caller, body }) => ({
        sessions: await accounts.administration.endSessions(caller, body.userId),
      }),
    }),
    route({
      method: 'GET',
      path: '/users/current',
      beforeNewPassword: true,
      family: 'B',
      access: 'user',
      summary: 'The signed-in user',
      answer: CurrentUserAnswer,
      run: ({ caller }) => presentCurrentUser(caller, accounts),
    }),
    route({
      method: 'GET',
      path: '/users/count',
      family: 'B',
      access: 'admin',
      summary: 'How many users there are',
      answer: z.int(),
      run: ({ caller }) => accounts.administration.usersSeen(caller).length,
    }),
    route({
      method: 'PUT',
      path: '/users/:id',
      family: 'B',
      access: 'admin',
      summary: 'Change a user',
      description: 'Fields that are not sent stay. The last enabled administrator cannot be disabled or demoted.',
      params,
      body: Change.extend({
        removeSecondFactor: z
          .boolean()
          .nullish()
          .meta({ description: 'For a user who has lost it; ends their sessions' }),
      }),
      answer: UserAnswer,
      run: async ({ caller, params, body }) =>
        presentUser(await accounts.administration.changeUser(caller, params.id, userChange(body))),
    }),
    route({
      method: 'DELETE',
      path: '/users/:id',
      family: 'B',
      access: 'admin',
      summary: 'Delete a user',
      params,
      answer: Deleted,
      run: async ({ caller, params }) => {
        await accounts.administration.deleteUser(caller, params.id);
        return DELETED;
      },
    }),
  ];
}

/** The sent fields by their house names. null counts as absent, since older clients send whole objects. */
function userChange(body: z.output<typeof Change> & { removeSecondFactor?: boolean | null | undefined }): UserChange {
  const { fio, groupId, ...same } = body;
  const change = { ...same, name: fio, roleId: groupId };
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined && value !== null));
}

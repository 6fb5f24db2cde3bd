import { z } from 'zod';
import type { Accounts } from '../../access/accounts/index.ts';
import { clientAddress } from '../app/client.ts';
import { Ok, OK } from '../app/common-answers.ts';
import { route } from '../app/route.ts';
import type { DeclaredRoute } from '../app/route.ts';
import { textUpTo } from '../request/fields.ts';

const Password = z.object({ oldPassword: textUpTo(1000), newPassword: textUpTo(1000) });
const PreferenceValues = z.object({ values: z.record(z.string().regex(/^\w{1,40}$/), z.unknown()) });
const Session = z
  .object({
    id: z.int(),
    createdAt: z.int(),
    usedAt: z.int(),
    address: z.string(),
    device: z.string().meta({ description: 'The User-Agent of the sign-in' }),
    current: z.boolean(),
  })
  .meta({ id: 'Session' });
const inAccount = { family: 'station', group: 'Own account', access: 'user' } as const;

export interface AccountRules {
  readonly station: string;
  /** Minutes without input after which a console locks; null: never. */
  readonly lockMinutes: number | null;
  /** Consoles may keep records in the browser. */
  readonly keepsRecords: boolean;
}

/** Paths of a person's own account: password, second factor, sessions, PIN. */
export function ownAccountRoutes(
  accounts: Accounts,
  { station, lockMinutes, keepsRecords }: AccountRules,
): DeclaredRoute[] {
  const signInOf = (id: number) => accounts.users.get(id)?.signIn;
  return [
    route({
      ...inAccount,
      method: 'GET',
      path: '/auth/account',
      beforeNewPassword: true,
      summary: 'How the caller signs in, and the rules of this station',
      answer: z.object({
        mustChangePassword: z.boolean(),
        secondFactor: z.boolean(),
        secondFactorRequired: z.boolean().meta({ description: 'By this station, of this user' }),
        mustSetUpSecondFactor: z.boolean().meta({ description: 'Until then the session opens nothing else' }),
        passkeys: z.int(),
        recoveryCodesLeft: z.int(),
        pin: z.boolean(),
        passwordLeast: z.int().meta({ description: 'Characters of a new password at least' }),
        keepsRecords: z.boolean().meta({ description: 'A console may keep records in the browser' }),
        lockMinutes: z.int().nullable().meta({ description: 'A console without input locks then; null: never' }),
      }),
      run: ({ caller }) => {
        const signIn = signInOf(caller.user.id);
        return {
          mustChangePassword: signIn?.mustChange === true,
          secondFactor: signIn?.totp != null,
          secondFactorRequired: accounts.own.requiresFactor(caller),
          mustSetUpSecondFactor: caller.token.needsFactor === true,
          passkeys: signIn?.passkeys?.length ?? 0,
          recoveryCodesLeft: signIn?.recoveryCodes.length ?? 0,
          pin: signIn?.pinHash != null,
          passwordLeast: accounts.passwordLeast,
          keepsRecords,
          lockMinutes,
        };
      },
    }),
    route({
      ...inAccount,
      method: 'GET',
      path: '/auth/preferences',
      summary: 'The preferences that follow the caller to other consoles and stations',
      answer: PreferenceValues,
      run: ({ caller }) => ({ values: accounts.preferences.of(caller.user.id) }),
    }),
    route({
      ...inAccount,
      method: 'PUT',
      path: '/auth/preferences',
      summary: 'Change preferences of the caller',
      description: 'Only those that are named; null takes one away. The station keeps them and reads none.',
      body: PreferenceValues,
      bodyLimit: 524_288,
      answer: Ok,
      run: async ({ caller, body }) => {
        await accounts.preferences.set(caller.user, body.values);
        return OK;
      },
    }),
    route({
      ...inAccount,
      method: 'POST',
      path: '/auth/password',
      beforeNewPassword: true,
      summary: 'Change the own password',
      description: 'All other tokens of the user end, access keys too.',
      body: Password,
      answer: Ok,
      run: async ({ caller, body, request }) => {
        await accounts.own.changePassword(caller, body.oldPassword, body.newPassword, clientAddress(request));
        return OK;
      },
    }),
    route({
      ...inAccount,
      method: 'POST',
      path: '/auth/totp',
      beforeSecondFactor: true,
      summary: 'Begin a second factor',
      description:
        'The secret is shown only this once. It holds when a code of it is confirmed within 15 minutes; until then an earlier one does.',
      body: z.object({ password: textUpTo(1000) }),
      answer: z.object({ secret: z.string(), uri: z.string().meta({ description: 'otpauth://, for a QR code' }) }),
      run: async ({ caller, body, request }) => {
        await accounts.own.requireOwnPassword(caller, body.password, clientAddress(request));
        return accounts.factors.begin(caller.user, station);
      },
    }),
    route({
      ...inAccount,
      method: 'POST',
      path: '/auth/totp/confirm',
      beforeSecondFactor: true,
      summary: 'Turn the second factor on',
      description: 'Each recovery code signs in once in place of a code. They are shown only this once.',
      body: z.object({ code: textUpTo(40) }),
      answer: z.object({ recoveryCodes: z.array(z.string()) }),
      run: async ({ caller, body }) => ({ recoveryCodes: await accounts.factors.confirm(caller.user.id, body.code) }),
    }),
    route({
      ...inAccount,
      method: 'POST',
      path: '/auth/totp/remove',
      summary: 'Turn the second factor off',
      body: z.object({ password: textUpTo(1000) }),
      answer: Ok,
      run: async ({ caller, body, request }) => {
        await accounts.own.removeFactor(caller, body.password, clientAddress(request));
        return OK;
      },
    }),
    route({
      ...inAccount,
      method: 'POST',
      path: '/auth/pin',
      summary: 'Set or remove the PIN that unlocks a console',
      body: z.object({ password: textUpTo(1000), pin: textUpTo(20).nullable() }),
      answer: Ok,
      run: async ({ caller, body, request }) => {
        await accounts.own.setPin(caller, body.password, body.pin, clientAddress(request));
        return OK;
      },
    }),
    route({
      ...inAccount,
      method: 'POST',
      path: '/auth/unlock',
      onStandby: true,
      beforeNewPassword: true,
      summary: 'Prove with the password or the PIN that the own console may be unlocked',
      description: 'A wrong one counts as a failed sign-in.',
      body: z.object({ secret: textUpTo(1000) }),
      answer: Ok,
      run: async ({ caller, body, request }) => {
        await accounts.own.unlock(caller, body.secret, clientAddress(request));
        return OK;
      },
    }),
    route({
      ...inAccount,
      method: 'GET',
      path: '/auth/sessions',
      summary: 'The own sessions at this station, the latest used first',
      answer: z.array(Session),
      run: ({ caller }) =>
        accounts.own.sessionsOf(caller).map(({ id, createdAt, usedAt, address, device }) => ({
          ...{ id, createdAt, usedAt, address, device },
          current: id === caller.token.id,
        })),
    }),
    route({
      ...inAccount,
      method: 'POST',
      path: '/auth/sessions/end',
      onStandby: true,
      summary: 'End one of the own sessions, or all but this one',
      description:
        'Needs the password. Without one, the session must have begun at the provider in the last ten minutes.',
      body: z.object({ id: z.int().optional(), password: textUpTo(1000).optional() }),
      answer: Ok,
      run: async ({ caller, body, request }) => {
        const proof = { password: body.password, address: clientAddress(request) };
        await accounts.own.endSessions(caller, body.id, proof);
        return OK;
      },
    }),
  ];
}

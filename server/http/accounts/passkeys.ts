import type { Request } from 'express';
import { z } from 'zod';
import { Refusal } from '../../../shared/refusal.ts';
import { passkeySiteOf } from '../../access/accounts/index.ts';
import type { Accounts, PasskeySite } from '../../access/accounts/index.ts';
import { clientAddress } from '../app/client.ts';
import { Ok, OK } from '../app/common-answers.ts';
import { route } from '../app/route.ts';
import type { DeclaredRoute } from '../app/route.ts';
import { filledUpTo, textUpTo } from '../request/fields.ts';
import { originOf } from './provider-sign-in.ts';

/** A credential of a browser's `navigator.credentials`, as JSON (WebAuthn Level 3). The room checks it. */
export const Credential = z
  .looseObject({ id: textUpTo(2000), response: z.looseObject({ clientDataJSON: textUpTo(4000) }) })
  .meta({ id: 'PublicKeyCredential' });
const Options = z.looseObject({ challenge: z.string() }).meta({ description: 'For the browser, as WebAuthn says' });
const PasskeyAnswer = z
  .object({
    id: z.string(),
    name: z.string(),
    site: z.string().meta({ description: 'The name of the address that it was made for' }),
    here: z.boolean().meta({ description: 'It opens the address of this request' }),
    createdAt: z.int(),
    usedAt: z.int().nullable(),
  })
  .meta({ id: 'Passkey' });
const inAccount = { family: 'station', group: 'Own account', access: 'user' } as const;
/** A name given by the user: of the key, or of the device that holds it. */
const name = filledUpTo(60);
const params = z.object({ id: textUpTo(2000) });
const BODY = 64 * 1024;

/** Passkeys of one's own. Signing in with one is among the routes of sign-in. */
export function passkeyRoutes(accounts: Accounts, station: string): DeclaredRoute[] {
  const { passkeys, users } = accounts;
  const userOf = (id: number) => users.require(id, 'accounts.anyUser');
  return [
    route({
      ...inAccount,
      method: 'GET',
      path: '/auth/passkeys',
      beforeSecondFactor: true,
      summary: 'The own passkeys, and whether this address can have some',
      answer: z.object({
        problem: z
          .enum(['address', 'tls'])
          .nullable()
          .meta({ description: 'Why this address can have none: it is a number, or is not opened over TLS' }),
        passkeys: z.array(PasskeyAnswer),
      }),
      run: ({ caller, request }) => {
        const site = passkeySiteOf(originOf(request));
        return {
          problem: typeof site === 'string' ? site : null,
          passkeys: passkeys.list(userOf(caller.user.id)).map((one) => ({
            id: one.id,
            name: one.name,
            site: one.site,
            here: typeof site !== 'string' && site.id === one.site,
            createdAt: one.createdAt,
            usedAt: one.usedAt,
          })),
        };
      },
    }),
    route({
      ...inAccount,
      method: 'POST',
      path: '/auth/passkeys/begin',
      beforeSecondFactor: true,
      summary: 'Begin to make a passkey: what the browser needs',
      description: 'Its challenge counts once, within 5 minutes.',
      body: z.object({ password: textUpTo(1000) }),
      answer: Options,
      run: async ({ caller, body, request }) => {
        const site = siteOf(request);
        await accounts.own.requireOwnPassword(caller, body.password, clientAddress(request));
        return { ...(await passkeys.begin(userOf(caller.user.id), site, station)) };
      },
    }),
    route({
      ...inAccount,
      method: 'POST',
      path: '/auth/passkeys',
      beforeSecondFactor: true,
      bodyLimit: BODY,
      summary: 'Keep a passkey that the browser has made',
      description:
        'From then on the password alone does not sign in. `recoveryCodes` are shown only this once, to a user who had none.',
      body: z.object({ name, credential: Credential }),
      answer: z.object({ recoveryCodes: z.array(z.string()).nullable() }),
      run: async ({ caller, body, request }) => {
        const made = await passkeys.register(userOf(caller.user.id), siteOf(request), body.name, body.credential);
        return { recoveryCodes: made ? [...made] : null };
      },
    }),
    route({
      ...inAccount,
      method: 'PUT',
      path: '/auth/passkeys/:id',
      summary: 'Name a passkey',
      params,
      body: z.object({ name }),
      answer: Ok,
      run: async ({ caller, params, body }) => {
        await passkeys.rename(caller.user.id, params.id, body.name);
        return OK;
      },
    }),
    route({
      ...inAccount,
      method: 'POST',
      path: '/auth/passkeys/:id/remove',
      summary: 'Remove a passkey',
      params,
      body: z.object({ password: textUpTo(1000) }),
      answer: Ok,
      run: async ({ caller, params, body, request }) => {
        await accounts.own.removePasskey(caller, params.id, body.password, clientAddress(request));
        return OK;
      },
    }),
    route({
      method: 'POST',
      path: '/auth/passkey/challenge',
      onStandby: true,
      family: 'station',
      access: 'open',
      sameOrigin: true,
      declaredJson: true,
      cost: 2,
      summary: 'Begin to sign in with a passkey: what the browser needs',
      description: 'The challenge counts once, within 5 minutes.',
      body: z.object({}),
      answer: Options,
      run: async ({ request }) => ({ ...(await passkeys.challenge(siteOf(request))) }),
    }),
  ];
}

/** The site of a request. Refuses with a reason if browsers offer no passkeys there. */
export function siteOf(request: Request): PasskeySite {
  const site = passkeySiteOf(originOf(request));
  if (site === 'address') throw new Refusal('accounts.passkeyAddress');
  if (site === 'tls') throw new Refusal('accounts.passkeyTls');
  return site;
}

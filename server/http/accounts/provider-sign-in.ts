import type { Request } from 'express';
import { z } from 'zod';
import { Refusal } from '../../../shared/refusal.ts';
import { passkeySiteOf } from '../../access/accounts/index.ts';
import type { Accounts } from '../../access/accounts/index.ts';
import { loopbackAddress } from '../../access/identity/index.ts';
import type { Loopback, OpenIdProvider } from '../../access/identity/index.ts';
import { hostOf, usesTls } from '../app/client.ts';
import { BEGUN_COOKIE, readCookie, writeCookie } from '../app/cookies.ts';
import { Ok, OK } from '../app/common-answers.ts';
import { textUpTo } from '../request/fields.ts';
import { route } from '../app/route.ts';
import type { DeclaredRoute } from '../app/route.ts';
import { fromOf, setCookie } from './session-cookie.ts';

const CALLBACK = '/auth/oidc/callback';
/** base64url of 32 bytes. */
const PROOF = /^[\w-]{43}$/;

/** Signing in at the organization's provider: the browser goes there and comes back. */
export function providerSignInRoutes(accounts: Accounts, provider: OpenIdProvider | undefined): DeclaredRoute[] {
  return [
    route({
      method: 'GET',
      path: '/auth/methods',
      family: 'station',
      access: 'open',
      summary: 'How people can sign in, besides with a password',
      answer: z.object({
        provider: z
          .object({ name: z.string(), origin: z.string() })
          .nullable()
          .meta({ description: 'Its name on the sign-in page, and where its pages come from' }),
        passkeys: z.boolean().meta({ description: 'Somebody here has a passkey for this address' }),
      }),
      run: ({ request }) => {
        const site = passkeySiteOf(originOf(request));
        return {
          provider: provider ? { name: provider.name, origin: provider.origin } : null,
          passkeys: typeof site !== 'string' && accounts.passkeys.hasSome(site),
        };
      },
    }),
    route({
      method: 'GET',
      path: '/auth/oidc',
      family: 'station',
      access: 'open',
      cost: 5,
      summary: 'Begin to sign in at the provider: redirects a browser there',
      description:
        'A desktop program opens this in the browser of its machine and listens on 127.0.0.1 (RFC 8252): with `loopback`, `state` and `challenge` the browser ends at `127.0.0.1:PORT/?code=…&state=…` (or `refused=…`) instead of the console.',
      query: z.object({
        loopback: z.coerce.number().int().min(1).max(65_535).optional().meta({ description: 'The port' }),
        state: z.string().regex(PROOF).optional().meta({ description: 'Comes back unchanged' }),
        challenge: z
          .string()
          .regex(PROOF)
          .optional()
          .meta({ description: 'SHA-256, as base64url, of a secret of 43 characters or more' }),
      }),
      answer: { type: 'text/html' },
      run: async ({ request, response, query: { loopback: port, state, challenge } }) => {
        const loopback = port && state && challenge ? { port, state, challenge } : undefined;
        try {
          if (!provider) throw new Refusal('accounts.noProvider');
          const { address, secret } = await provider.begin(originOf(request) + CALLBACK, {
            loopback,
            replaces: fromOf(request).replaces,
          });
          writeCookie(request, response, BEGUN_COOKIE, secret, 600);
          response.redirect(303, address);
        } catch (error) {
          response.redirect(303, refusedAt(error, loopback));
        }
        return undefined;
      },
    }),
    route({
      method: 'GET',
      path: CALLBACK,
      family: 'station',
      access: 'open',
      cost: 5,
      summary: 'The provider sends the browser back here',
      description:
        'Register this address at the provider. It signs the browser in, or shows the refusal on the sign-in page.',
      query: z.looseObject({}),
      ownGrammar: true,
      answer: { type: 'text/html' },
      run: async ({ request, response }) => {
        writeCookie(request, response, BEGUN_COOKIE, undefined, 0);
        const secret = readCookie(request, BEGUN_COOKIE);
        const { loopback, replaces } = provider?.begunBy(secret) ?? {};
        try {
          if (!provider) throw new Refusal('accounts.noProvider');
          const handedOver = await provider.finish(secret, new URL(request.url, originOf(request)));
          if (loopback) {
            const code = provider.handOvers.keep(handedOver, loopback);
            response.redirect(303, loopbackAddress(loopback, { code }));
            return undefined;
          }
          const from = { ...fromOf(request), replaces };
          const { token, caller } = await accounts.signInAs(handedOver.identity, from);
          provider.keep(caller.token.id, handedOver.idToken);
          setCookie(request, response, token);
          response.redirect(303, '/');
        } catch (error) {
          response.redirect(303, refusedAt(error, loopback));
        }
        return undefined;
      },
    }),
    route({
      method: 'POST',
      path: '/auth/oidc/hand-over',
      onStandby: true,
      family: 'station',
      access: 'open',
      sameOrigin: true,
      declaredJson: true,
      cost: 2,
      summary: 'Sign a desktop program in, after the browser of its machine has brought it a code',
      description: 'Each code counts once, within a minute. `verifier` is the secret of the `challenge`.',
      body: z.object({ code: textUpTo(100), verifier: textUpTo(200) }),
      answer: Ok,
      run: async ({ body, request, response }) => {
        if (!provider) throw new Refusal('accounts.noProvider');
        const { identity, idToken } = provider.handOvers.take(body.code, body.verifier);
        const { token, caller } = await accounts.signInAs(identity, fromOf(request));
        provider.keep(caller.token.id, idToken);
        setCookie(request, response, token);
        return OK;
      },
    }),
  ];
}

/** Where the console was opened: the provider sends the browser back there, if it knows that address. */
export function originOf(request: Request): string {
  return `${usesTls(request) ? 'https' : 'http'}://${hostOf(request)}`;
}

/** Where the refusal is worded: on the sign-in page of the console, in the browser or in the program. */
function refusedAt(error: unknown, loopback: Loopback | undefined): string {
  if (!(error instanceof Refusal)) throw error;
  if (loopback) return loopbackAddress(loopback, { refused: error.code });
  return `/#/sign-in?refused=${encodeURIComponent(error.code)}`;
}

import type { Request, Response } from 'express';
import { createHash, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { SCOPES } from '../../access/accounts/index.ts';
import type { Accounts, SignedIn, Token } from '../../access/accounts/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import { CurrentUserAnswer, presentCurrentUser } from './presenters.ts';
import { Ok, OK } from '../app/common-answers.ts';
import { isHere } from '../app/here.ts';
import type { OpenIdProvider } from '../../access/identity/index.ts';
import { Credential, siteOf } from './passkeys.ts';
import { originOf } from './provider-sign-in.ts';
import { fromOf, setCookie } from './session-cookie.ts';
import { filledUpTo, instant, pathId, textUpTo } from '../request/fields.ts';
import { route } from '../app/route.ts';
import type { DeclaredRoute } from '../app/route.ts';

const Login = z.object({
  login: textUpTo(100).min(1),
  password: textUpTo(1000),
  code: textUpTo(40).optional().meta({ description: 'Of the second factor, or a recovery code' }),
  passkey: Credential.optional().meta({ description: 'In place of a code' }),
});
const SignedInAnswer = z.object({ token: z.string(), expiresAt: z.int(), user: CurrentUserAnswer });
const FirstRun = z.object({
  organization: textUpTo(100).min(1),
  login: textUpTo(100).min(1),
  fio: textUpTo(100).min(1),
  password: textUpTo(1000),
  code: textUpTo(100).optional().meta({ description: 'From the address that the program gave at its start' }),
});
const KeyAnswer = z.object({
  id: z.int(),
  name: z.string(),
  scopes: z.array(z.enum(SCOPES)).nullable(),
  expiresAt: z.int().nullable(),
});
const Key = z.object({
  name: filledUpTo(100),
  scopes: z.array(z.enum(SCOPES)).max(SCOPES.length).nullish(),
  expiresAt: instant.nullish(),
});

/**
 * Signing in and out, access keys, and the first-run page. @param setUpCode proves that somebody on this
 * machine started the station, if the system cannot tell
 */
export function authRoutes(
  accounts: Accounts,
  setUpCode: string,
  provider: OpenIdProvider | undefined,
): DeclaredRoute[] {
  const present = (response: Response, request: Request, signedIn: SignedIn): z.input<typeof SignedInAnswer> => {
    setCookie(request, response, signedIn.token);
    return {
      token: signedIn.token,
      expiresAt: signedIn.expiresAt,
      user: presentCurrentUser(signedIn.caller, accounts),
    };
  };
  return [
    route({
      method: 'POST',
      path: '/auth/login',
      onStandby: true,
      family: 'station',
      access: 'open',
      sameOrigin: true,
      declaredJson: true,
      summary: 'Sign in',
      description:
        'The token is valid for 12 hours from its last use, 30 days at most. The answer also sets the cookie of the console. After 10 failures in 15 minutes for a login or an address: 429 with Retry-After. Where the user has a second factor, `code` is needed: without it 401 with the refusal `accounts.codeRequired`. The body must be sent as `application/json`; a page of another origin is refused with 403.',
      body: Login,
      answer: SignedInAnswer,
      run: async ({ body, request, response }) => {
        const { login, password, code } = body;
        const passkey = body.passkey && { site: siteOf(request), response: body.passkey };
        const signedIn = await accounts.signIn(login, password, { ...fromOf(request), code, passkey });
        return present(response, request, signedIn);
      },
    }),
    route({
      method: 'POST',
      path: '/auth/passkey',
      onStandby: true,
      family: 'station',
      access: 'open',
      sameOrigin: true,
      declaredJson: true,
      cost: 2,
      bodyLimit: 64 * 1024,
      summary: 'Sign in with a passkey alone',
      description: 'The passkey must have verified its user, by a fingerprint, a face or a PIN.',
      body: z.object({ credential: Credential }),
      answer: SignedInAnswer,
      run: async ({ body, request, response }) => {
        const signed = { site: siteOf(request), response: body.credential };
        return present(response, request, await accounts.signInByPasskey(signed, fromOf(request)));
      },
    }),
    route({
      method: 'POST',
      path: '/auth/logout',
      onStandby: true,
      beforeNewPassword: true,
      family: 'station',
      access: 'user',
      summary: 'Sign out: the token is dead at once',
      description: '`provider` is where a browser that signed in at the provider signs out there, too.',
      answer: Ok.extend({ provider: z.string().optional() }),
      run: async ({ caller, request, response }) => {
        await accounts.signOut(caller);
        setCookie(request, response, undefined);
        const there = await provider?.endSession(caller.token.id, `${originOf(request)}/`);
        return { ...OK, ...(there !== undefined && { provider: there }) };
      },
    }),
    route({
      method: 'GET',
      path: '/auth/keys',
      family: 'station',
      access: 'admin',
      summary: 'Access keys of machine clients',
      answer: z.array(KeyAnswer.extend({ userId: z.int(), createdAt: z.int(), usedAt: z.int() })),
      run: ({ caller }) =>
        accounts.keys
          .seenBy(caller)
          .map((key) => ({ ...presentKey(key), userId: key.userId, createdAt: key.createdAt, usedAt: key.usedAt })),
    }),
    route({
      method: 'POST',
      path: '/auth/keys',
      onStandby: true,
      family: 'station',
      access: 'admin',
      summary: 'Make an access key',
      description:
        'The token is shown only this once. `scopes` limits what it may do; without them it may do all that its owner, the caller, may do. `expiresAt` is in epoch milliseconds.',
      body: Key,
      answer: KeyAnswer.extend({ token: z.string() }),
      run: async ({ caller, body }) => {
        const { text, token } = await accounts.keys.issue(caller, {
          name: body.name,
          scopes: body.scopes ?? null,
          expiresAt: body.expiresAt ?? null,
        });
        return { ...presentKey(token), token: text };
      },
    }),
    route({
      method: 'DELETE',
      path: '/auth/keys/:id',
      onStandby: true,
      family: 'station',
      access: 'admin',
      summary: 'End an access key',
      params: z.object({ id: pathId }),
      answer: Ok,
      run: async ({ caller, params }) => {
        await accounts.keys.end(caller, params.id);
        return OK;
      },
    }),
    route({
      method: 'GET',
      path: '/first-run',
      family: 'station',
      access: 'open',
      summary: 'Does the station still wait to be set up? Always false from another machine and through a proxy',
      answer: z.object({
        needed: z.boolean(),
        code: z.literal(true).optional().meta({
          description: 'The order needs the code that the program gave at its start: the caller may be behind a proxy',
        }),
      }),
      run: async ({ request }) => {
        const here = accounts.firstRun.isOpen ? await isHere(request) : 'no';
        return { needed: here !== 'no', ...(here === 'likely' && { code: true as const }) };
      },
    }),
    route({
      method: 'POST',
      path: '/first-run',
      family: 'station',
      access: 'open',
      sameOrigin: true,
      declaredJson: true,
      summary:
        'Set the station up: name the organisation and take over the administrator (from this machine only, through no proxy)',
      body: FirstRun,
      answer: SignedInAnswer,
      run: async ({ body, request, response }) => {
        await requireHere(request, body.code, setUpCode);
        return present(
          response,
          request,
          await accounts.completeFirstRun(
            { organization: body.organization, login: body.login, name: body.fio, password: body.password },
            fromOf(request),
          ),
        );
      },
    }),
  ];
}

/** Refuses callers on other machines; if the system cannot tell, the code of the program proves it. */
export async function requireHere(request: Request, code: string | undefined, setUpCode: string): Promise<void> {
  const here = await isHere(request);
  if (here === 'no') throw new Refusal('accounts.setUpHereOnly');
  if (here === 'likely' && !isEqual(code ?? '', setUpCode)) throw new Refusal('accounts.setUpCode');
}

/** Takes the same time wherever the first difference is. */
function isEqual(given: string, expected: string): boolean {
  const [one, other] = [given, expected].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(one!, other!);
}

function presentKey({ id, name, scopes, expiresAt }: Token): z.input<typeof KeyAnswer> {
  return { id, name, scopes: scopes && [...scopes], expiresAt };
}

import type { Request } from 'express';
import { z } from 'zod';
import { Refusal } from '../../../shared/refusal.ts';
import { passkeySiteOf } from '../../accounts/index.ts';
import type { Accounts } from '../../accounts/index.ts';
import type { OpenIdProvider } from '../../identity/index.ts';
import { cookieOf } from '../app/authenticate.ts';
import { hostOf, usesTls } from '../app/client.ts';
import { route } from '../app/route.ts';
import type { DeclaredRoute } from '../app/route.ts';
import { fromOf, setCookie } from './session-cookie.ts';

/** Binds a sign-in under way to the browser that began it. */
const BEGUN = 'waypost_sign_in';
const CALLBACK = '/auth/oidc/callback';

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
      answer: { type: 'text/html' },
      run: async ({ request, response }) => {
        try {
          if (!provider) throw new Refusal('accounts.noProvider');
          const { address, secret } = await provider.begin(originOf(request) + CALLBACK);
          response.append('Set-Cookie', begunCookie(request, secret, 600));
          response.redirect(303, address);
        } catch (error) {
          response.redirect(303, signInPage(error));
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
        response.append('Set-Cookie', begunCookie(request, '', 0));
        try {
          if (!provider) throw new Refusal('accounts.noProvider');
          const secret = cookieOf(request.headers.cookie ?? '', BEGUN);
          const { identity, idToken } = await provider.finish(secret, new URL(request.url, originOf(request)));
          const { token, caller } = await accounts.signInAs(identity, fromOf(request));
          provider.keep(caller.token.id, idToken);
          setCookie(request, response, token);
          response.redirect(303, '/');
        } catch (error) {
          response.redirect(303, signInPage(error));
        }
        return undefined;
      },
    }),
  ];
}

/** Where the console was opened: the provider sends the browser back there, if it knows that address. */
export function originOf(request: Request): string {
  return `${usesTls(request) ? 'https' : 'http'}://${hostOf(request)}`;
}

/** The page that words the refusal. */
function signInPage(error: unknown): string {
  if (!(error instanceof Refusal)) throw error;
  return `/#/sign-in?refused=${encodeURIComponent(error.code)}`;
}

/** Lax: the provider's page leads back here, and Strict would withhold it. */
function begunCookie(request: Request, secret: string, seconds: number): string {
  const secure = usesTls(request) ? '; Secure' : '';
  return `${BEGUN}=${secret}; Path=/auth/oidc; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure}`;
}

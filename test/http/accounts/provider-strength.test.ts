import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { expect, onTestFinished, test } from 'vitest';
import { OpenIdProvider } from '../../../server/access/identity/openid-provider.ts';
import { throughProvider } from '../../support/through-provider.ts';

const CALLBACK = 'http://127.0.0.1/auth/oidc/callback';

interface StrengthOptions {
  /** Whether the provider obeys the parameter `claims`; without it, `acr` is a wish (`acr_values`). */
  readonly obeys: boolean;
  /** How it checks people. */
  readonly checks: string;
  /** Values that the station takes. */
  readonly acr: readonly string[];
}

/** A sign-in at a real provider, as a browser does it. Resolves to the login. */
async function signInAt({ obeys, checks, acr }: StrengthOptions): Promise<string> {
  const server = createServer();
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => void server.close());
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = { client_id: 'waypost', client_secret: 'a secret of thirty-two characters' };
  const provider = new Provider(issuer, {
    clients: [{ ...client, redirect_uris: [CALLBACK] }],
    cookies: { keys: ['test'] },
    pkce: { required: () => true },
    acrValues: ['password', 'mfa'],
    features: { claimsParameter: { enabled: obeys } },
    findAccount: (_context, id) => ({ accountId: id, claims: async () => ({ sub: id }) }),
  });
  const finished = provider.interactionFinished.bind(provider);
  provider.interactionFinished = (request, response, result, options) =>
    finished(
      request,
      response,
      result.login ? { ...result, login: { ...result.login, acr: checks } } : result,
      options,
    );
  server.on('request', provider.callback());
  const station = new OpenIdProvider(
    {
      ...{ issuer, clientId: client.client_id, clientSecret: client.client_secret, name: 'Town Hall', acr },
      ...{ scopes: 'openid', loginClaim: 'sub', groupsClaim: 'groups', authority: null },
    },
    Date.now,
    () => 1,
    () => undefined,
  );
  const { address, secret } = await station.begin(CALLBACK, { loopback: undefined, replaces: undefined });
  const answered = new URL(await throughProvider(address, CALLBACK, 'anna'));
  return (await station.finish(secret, answered)).identity.login;
}

test('a person whom the provider checked as the station asks is let in', async () => {
  for (const obeys of [true, false])
    expect(await signInAt({ obeys, checks: 'mfa', acr: ['mfa', 'hardware'] })).toBe('anna');
});

test('an ID token without one of these strengths is refused, although the provider signed it', async () => {
  await expect(signInAt({ obeys: false, checks: 'password', acr: ['mfa'] })).rejects.toMatchObject({
    code: 'accounts.providerWeak',
  });
  expect(await signInAt({ obeys: false, checks: 'password', acr: [] })).toBe('anna');
});

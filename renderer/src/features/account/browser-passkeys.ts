import type { Client } from '../../lib/api/client.ts';
import type { Credential } from '../../lib/stores/session.ts';
import type { AnswerOf } from '../../lib/api/operations.ts';

type Library = typeof import('@simplewebauthn/browser');

/** The person, or the browser, did not go through with it. */
export class PasskeyDeclined extends Error {
  override readonly name = 'PasskeyDeclined';
}

/** Whether this browser can use passkeys here: a page with a wrong certificate, or without TLS, cannot. */
export function hasPasskeys(): boolean {
  return typeof PublicKeyCredential === 'function';
}

/** Asks the browser to make a passkey. */
export async function makePasskey(client: Client, password: string): Promise<Credential> {
  const options = await client.request('post', '/auth/passkeys/begin', { body: { password } });
  return askBrowser(({ startRegistration }) => startRegistration({ optionsJSON: options as never }));
}

/** Asks the browser to sign with a passkey of this address. */
export async function signWithPasskey(client: Client): Promise<Credential> {
  const options: AnswerOf<'post', '/auth/passkey/challenge'> = await client.request('post', '/auth/passkey/challenge', {
    body: {},
  });
  return askBrowser(({ startAuthentication }) => startAuthentication({ optionsJSON: options as never }));
}

async function askBrowser(ask: (library: Library) => Promise<object>): Promise<Credential> {
  const library = await import('@simplewebauthn/browser');
  try {
    return (await ask(library)) as Credential;
  } catch (error) {
    throw new PasskeyDeclined('The browser gave no passkey.', { cause: error });
  }
}

import { readFileSync } from 'node:fs';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import type { Configuration, CustomFetch } from 'openid-client';
import { Agent, fetch } from 'undici';
import type { Identity } from '../accounts/index.ts';
import { HandOvers } from './hand-overs.ts';
import type { Loopback } from './hand-overs.ts';
import { secretOfStation } from './secret-of-station.ts';
import { Refusal } from '../../../shared/refusal.ts';

export interface OpenIdSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | null;
  /** As people call it. */
  readonly name: string;
  readonly scopes: string;
  readonly loginClaim: string;
  readonly groupsClaim: string;
  /** How strongly the provider must have checked the person: values of `acr`, one of which counts; none: any way. */
  readonly acr: readonly string[];
  /** PEM file of the authority that signed the provider's certificate; null: the well-known ones. */
  readonly authority: string | null;
}

/** A sign-in under way at the provider. */
interface Pending {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly at: number;
  /** The desktop program that takes the person over; undefined: the browser itself signs in. */
  readonly loopback: Loopback | undefined;
  /** SHA-256 of the session that the browser has. Its cookie does not come back from another site's page. */
  readonly replaces: string | undefined;
}

/** ms within which somebody has to finish at the provider. */
const PATIENCE = 10 * 60_000;
/** Sign-ins under way that are remembered; more would fill the memory. */
const MOST_PENDING = 1000;
/** Sessions whose ID token is kept for signing out at the provider. */
const MOST_KEPT = 5000;
/** Seconds for one answer of the provider. */
const TIMEOUT = 10;

/** A provider of OpenID Connect: authorization code with PKCE, state and nonce. */
export class OpenIdProvider {
  readonly name: string;
  readonly handOvers: HandOvers;
  readonly #settings: OpenIdSettings;
  readonly #now: () => number;
  readonly #station: () => number;
  readonly #report: (message: string, error: unknown) => void;
  readonly #fetch: CustomFetch;
  #configuration: Promise<Configuration> | undefined;
  /** By the secret in the cookie of the browser that began. */
  readonly #pending = new Map<string, Pending>();
  readonly #idTokens = new Map<number, string>();

  /** @param station the number of this station */
  constructor(
    settings: OpenIdSettings,
    now: () => number,
    station: () => number,
    report: (message: string, error: unknown) => void,
  ) {
    this.name = settings.name;
    this.handOvers = new HandOvers(now, station);
    this.#station = station;
    this.#settings = settings;
    this.#now = now;
    this.#report = report;
    const { authority } = settings;
    const agent = new Agent(authority === null ? {} : { connect: { ca: readFileSync(authority, 'utf8') } });
    this.#fetch = ((url: string, options: object) =>
      fetch(url, { ...options, dispatcher: agent } as Parameters<typeof fetch>[1])) as unknown as CustomFetch;
  }

  /** Where pages of the sign-in come from. */
  get origin(): string {
    return new URL(this.#settings.issuer).origin;
  }

  /** Begins a sign-in: the provider's address for the browser, and the secret for its cookie. */
  async begin(
    callback: string,
    { loopback, replaces }: Pick<Pending, 'loopback' | 'replaces'>,
  ): Promise<{ address: string; secret: string }> {
    const configuration = await this.#discover();
    const now = this.#now();
    for (const [secret, { at }] of this.#pending)
      if (now - at > PATIENCE || this.#pending.size >= MOST_PENDING) this.#pending.delete(secret);
    const secret = secretOfStation(this.#station());
    const pending = {
      state: randomState(),
      nonce: randomNonce(),
      verifier: randomPKCECodeVerifier(),
      at: now,
      loopback,
      replaces,
    };
    this.#pending.set(secret, pending);
    const address = buildAuthorizationUrl(configuration, {
      redirect_uri: callback,
      scope: this.#settings.scopes,
      state: pending.state,
      nonce: pending.nonce,
      code_challenge: await calculatePKCECodeChallenge(pending.verifier),
      code_challenge_method: 'S256',
      ...this.#strength(),
    });
    return { address: address.href, secret };
  }

  /** For whom this browser began: a program, or itself in place of an earlier session. */
  begunBy(secret: string | undefined): Partial<Pick<Pending, 'loopback' | 'replaces'>> {
    return (secret === undefined ? undefined : this.#pending.get(secret)) ?? {};
  }

  /** Ends a sign-in with the parameters that the provider sent with the browser. Each secret counts once. */
  async finish(secret: string | undefined, answered: URL): Promise<{ identity: Identity; idToken: string }> {
    const pending = secret === undefined ? undefined : this.#pending.get(secret);
    if (!pending || this.#now() - pending.at > PATIENCE) throw new Refusal('accounts.providerFailed');
    this.#pending.delete(secret!);
    const configuration = await this.#discover();
    try {
      const tokens = await authorizationCodeGrant(configuration, answered, {
        pkceCodeVerifier: pending.verifier,
        expectedState: pending.state,
        expectedNonce: pending.nonce,
        idTokenExpected: true,
      });
      const told = tokens.claims()!;
      const { acr } = this.#settings;
      // A browser can leave out what `begin` asked for, so the signed answer alone counts.
      if (acr.length > 0 && !acr.includes(String(told['acr']))) throw new Refusal('accounts.providerWeak');
      const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined;
      const more = hasMore ? await fetchUserInfo(configuration, tokens.access_token, told.sub) : {};
      return { identity: this.#identityOf({ ...more, ...told }), idToken: tokens.id_token! };
    } catch (error) {
      if (error instanceof Refusal) throw error;
      this.#report('A sign-in at the provider failed.', error);
      throw new Refusal('accounts.providerFailed');
    }
  }

  /** Remembers with which token somebody signs out at the provider. */
  keep(tokenId: number, idToken: string): void {
    if (this.#idTokens.size >= MOST_KEPT) this.#idTokens.delete(this.#idTokens.keys().next().value!);
    this.#idTokens.set(tokenId, idToken);
  }

  /** Where the browser signs out at the provider; undefined: the session did not begin there. */
  async endSession(tokenId: number, back: string): Promise<string | undefined> {
    const idToken = this.#idTokens.get(tokenId);
    if (idToken === undefined) return undefined;
    this.#idTokens.delete(tokenId);
    const configuration = await this.#discover().catch(() => undefined);
    if (configuration?.serverMetadata().end_session_endpoint === undefined) return undefined;
    return buildEndSessionUrl(configuration, { id_token_hint: idToken, post_logout_redirect_uri: back }).href;
  }

  /** Asks the provider for its addresses, until it has answered once. */
  async #discover(): Promise<Configuration> {
    const { issuer, clientId, clientSecret } = this.#settings;
    this.#configuration ??= discovery(new URL(issuer), clientId, clientSecret ?? undefined, undefined, {
      timeout: TIMEOUT,
      [customFetch]: this.#fetch,
      // The settings accept http: only for this machine.
      ...(issuer.startsWith('http:') && { execute: [allowInsecureRequests] }),
    });
    try {
      return await this.#configuration;
    } catch (error) {
      this.#configuration = undefined;
      this.#report('The provider of sign-ins does not answer.', error);
      throw new Refusal('accounts.providerDown');
    }
  }

  /** Asks for `acr` in both ways that providers know. */
  #strength(): Record<string, string> {
    const { acr } = this.#settings;
    if (acr.length === 0) return {};
    const claims = { id_token: { acr: { essential: true, values: acr } } };
    return { acr_values: acr.join(' '), claims: JSON.stringify(claims) };
  }

  #identityOf(claims: Readonly<Record<string, unknown>> & { readonly sub: string }): Identity {
    const { loginClaim, groupsClaim, issuer } = this.#settings;
    const text = (name: string) => (typeof claims[name] === 'string' ? claims[name] : '');
    const groups = claims[groupsClaim];
    return {
      method: 'oidc',
      issuer,
      subject: claims.sub,
      login: text(loginClaim) || claims.sub,
      name: text('name'),
      email: claims['email_verified'] === true ? text('email') : undefined,
      groups: Array.isArray(groups) ? groups.filter((one) => typeof one === 'string') : [],
    };
  }
}

import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { Passkey, User } from '../../../../shared/records/accounts.ts';
import { Refusal } from '../../../../shared/refusal.ts';
import type { Records, Store } from '../../../store/types.ts';
import { newRecoveryCodes } from './second-factor.ts';
import { changeSignIn, withoutFactors } from './sign-in-data.ts';

/** ms for which a challenge may be signed. */
const PATIENCE = 5 * 60_000;
/** Most challenges remembered; each is asked for without a login. */
const MOST_CHALLENGES = 10_000;
/** COSE: EdDSA, ES256, RS256. The library's own choice asks Node for experimental ones, which it warns of. */
const ALGORITHMS = [-8, -7, -257];
/** Passkeys per user. */
const MOST_PASSKEYS = 10;

/** The address at which a browser shows the console, as WebAuthn sees it. */
export interface PasskeySite {
  /** Such as `https://station.example:8443`. */
  readonly origin: string;
  /** The name to which its passkeys are bound: the RP id. */
  readonly id: string;
}

/** Why an address can have no passkeys: it has no name, or no TLS. */
export type PasskeyProblem = 'address' | 'tls';

/** Browsers bind passkeys to a name, and offer them over TLS or on this machine only. */
export function passkeySiteOf(origin: string): PasskeySite | PasskeyProblem {
  if (!URL.canParse(origin)) return 'address';
  const { protocol, hostname, origin: whole } = new URL(origin);
  if (hostname === '' || hostname.startsWith('[') || isIP(hostname) !== 0) return 'address';
  if (protocol !== 'https:' && hostname !== 'localhost' && !hostname.endsWith('.localhost')) return 'tls';
  return { origin: whole, id: hostname };
}

/** A browser's answer, signed with a passkey, and its origin. */
export interface SignedChallenge {
  readonly site: PasskeySite;
  readonly response: unknown;
}

interface Challenge {
  readonly at: number;
  /** The user who registers a passkey; undefined: somebody signs in. */
  readonly userId: number | undefined;
}

/** The library is loaded at the first use: a start does not wait for it. */
const library = () => import('@simplewebauthn/server');

/** WebAuthn: passkeys sign in alone, or stand in for the code of a second factor. */
export class Passkeys {
  readonly #store: Store;
  readonly #users: Records<User>;
  readonly #clock: () => number;
  readonly #challenges = new Map<string, Challenge>();

  private constructor(store: Store, clock: () => number) {
    this.#store = store;
    this.#users = store.kind<User>('accounts', 'user');
    this.#clock = clock;
  }

  static async open(store: Store, clock: () => number): Promise<Passkeys> {
    await store.writePlain((sql) =>
      sql.exec(`CREATE TABLE IF NOT EXISTS passkey_uses (
        id TEXT PRIMARY KEY, counter INTEGER NOT NULL, used_at INTEGER NOT NULL)`),
    );
    return new Passkeys(store, clock);
  }

  /** Options for the user's browser to make a passkey for this site. */
  async begin(user: User, site: PasskeySite, station: string): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const known = passkeysOf(user);
    if (known.length >= MOST_PASSKEYS) throw new Refusal('accounts.passkeysMany', { most: MOST_PASSKEYS });
    const { generateRegistrationOptions } = await library();
    const options = await generateRegistrationOptions({
      rpName: station,
      rpID: site.id,
      userName: user.login,
      userDisplayName: user.name,
      userID: new Uint8Array(createHash('sha256').update(user.key).digest()),
      attestationType: 'none',
      supportedAlgorithmIDs: ALGORITHMS,
      excludeCredentials: known.map(({ id, transports }) => ({ id, transports })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
    });
    this.#expect(options.challenge, user.id);
    return options;
  }

  /** Keeps a passkey that the browser made. Returns recovery codes, if the user had none; they are shown only here. */
  async register(
    user: User,
    site: PasskeySite,
    name: string,
    response: unknown,
  ): Promise<readonly string[] | undefined> {
    if (!this.#takeChallenge(response, user.id)) throw new Refusal('accounts.passkeyNotMade');
    const made = await verifiedRegistration(response, site);
    if (!made) throw new Refusal('accounts.passkeyNotMade');
    const now = this.#clock();
    const passkey: Passkey = { ...made, site: site.id, name, createdAt: now };
    const codes = newRecoveryCodes();
    let isFirst = false;
    await this.#users.change(user.id, (current) => {
      const known = passkeysOf(current);
      if (known.length >= MOST_PASSKEYS) throw new Refusal('accounts.passkeysMany', { most: MOST_PASSKEYS });
      if (this.#ownerOf(passkey.id)) throw new Refusal('accounts.passkeyNotMade');
      isFirst = (current.signIn?.recoveryCodes.length ?? 0) === 0;
      return changeSignIn(current, {
        passkeys: [...known, passkey],
        ...(isFirst && { recoveryCodes: codes.hashes }),
      });
    });
    return isFirst ? codes.shown : undefined;
  }

  /** Options for a browser to sign in at this site. Any passkey of this site fits. */
  async challenge(site: PasskeySite): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const { generateAuthenticationOptions } = await library();
    const options = await generateAuthenticationOptions({ rpID: site.id, userVerification: 'preferred' });
    this.#expect(options.challenge, undefined);
    return options;
  }

  /**
   * Whose passkey signed a challenge of ours at this site. `alone`: the passkey must have verified its user, by a
   * fingerprint or PIN. Each challenge counts once.
   */
  async prove({ site, response }: SignedChallenge, what: 'alone' | 'factor'): Promise<User | undefined> {
    if (!this.#takeChallenge(response, undefined)) return undefined;
    const { id } = response as AuthenticationResponseJSON;
    const owner = typeof id === 'string' ? this.#ownerOf(id) : undefined;
    const passkey = owner && passkeysOf(owner).find((one) => one.id === id);
    if (!owner || passkey?.site !== site.id) return undefined;
    const counter = Number(this.#useOf(passkey.id)?.['counter'] ?? 0);
    const after = await verifiedCounter(response as AuthenticationResponseJSON, site, passkey, counter, what);
    if (after === undefined) return undefined;
    await this.#store.writePlain((sql) =>
      sql
        .prepare('INSERT OR REPLACE INTO passkey_uses (id, counter, used_at) VALUES (?, ?, ?)')
        .run(passkey.id, after, this.#clock()),
    );
    return owner;
  }

  /** The user's passkeys, each with its last use at this station, in epoch ms. */
  list(user: User): (Passkey & { readonly usedAt: number | null })[] {
    return passkeysOf(user).map((passkey) => {
      const used = this.#useOf(passkey.id)?.['used_at'];
      return { ...passkey, usedAt: typeof used === 'number' ? used : null };
    });
  }

  /** Whether anybody could sign in with a passkey at this site. */
  hasSome(site: PasskeySite): boolean {
    return this.#users
      .all()
      .some((user) => user.enabled && !user.isDeleted && passkeysOf(user).some((one) => one.site === site.id));
  }

  async rename(userId: number, id: string, name: string): Promise<void> {
    await this.#changeOne(userId, id, (passkey) => [{ ...passkey, name }]);
  }

  async remove(userId: number, id: string): Promise<void> {
    await this.#changeOne(userId, id, () => []);
    await this.#store.writePlain((sql) => sql.prepare('DELETE FROM passkey_uses WHERE id = ?').run(id));
  }

  async #changeOne(userId: number, id: string, change: (passkey: Passkey) => Passkey[]): Promise<void> {
    await this.#users.change(userId, (user) => {
      const known = passkeysOf(user);
      if (!known.some((one) => one.id === id)) throw new Refusal('accounts.noPasskey');
      const passkeys = known.flatMap((one) => (one.id === id ? change(one) : [one]));
      return withoutFactors(changeSignIn(user, { passkeys }));
    });
  }

  #ownerOf(id: string): User | undefined {
    return this.#users.all().find((user) => !user.isDeleted && passkeysOf(user).some((one) => one.id === id));
  }

  #useOf(id: string): Record<string, unknown> | undefined {
    return this.#store.sql.prepare('SELECT counter, used_at FROM passkey_uses WHERE id = ?').get(id);
  }

  #expect(challenge: string, userId: number | undefined): void {
    const now = this.#clock();
    for (const [old, { at }] of this.#challenges) {
      if (now - at <= PATIENCE && this.#challenges.size < MOST_CHALLENGES) break; // the oldest stand first
      this.#challenges.delete(old);
    }
    this.#challenges.set(challenge, { at: now, userId });
  }

  /** Whether the response signs a challenge of ours for this purpose. It is spent in any case. */
  #takeChallenge(response: unknown, userId: number | undefined): boolean {
    const challenge = challengeIn(response);
    const expected = challenge === undefined ? undefined : this.#challenges.get(challenge);
    if (!expected) return false;
    this.#challenges.delete(challenge!);
    return this.#clock() - expected.at <= PATIENCE && expected.userId === userId;
  }
}

export function passkeysOf({ signIn }: Pick<User, 'signIn'>): readonly Passkey[] {
  return signIn?.passkeys ?? [];
}

interface Response {
  readonly response?: { readonly clientDataJSON?: unknown };
}

/** The challenge that the browser says it signed; the library checks that it did. */
function challengeIn(response: unknown): string | undefined {
  try {
    const text = (response as Response).response?.clientDataJSON;
    const data: unknown = JSON.parse(Buffer.from(String(text), 'base64url').toString('utf8'));
    const { challenge } = data as { challenge?: unknown };
    return typeof challenge === 'string' ? challenge : undefined;
  } catch {
    return undefined;
  }
}

/** undefined: it is not valid. The library throws for that, for any fault. */
async function verifiedRegistration(
  response: unknown,
  site: PasskeySite,
): Promise<Pick<Passkey, 'id' | 'publicKey' | 'transports'> | undefined> {
  const [{ verifyRegistrationResponse }, { decodeAttestationObject }] = await Promise.all([
    library(),
    import('@simplewebauthn/server/helpers'),
  ]);
  try {
    const sent = response as RegistrationResponseJSON;
    // Certificates of makers are not asked for, and would be looked up elsewhere.
    const attestation = decodeAttestationObject(
      new Uint8Array(Buffer.from(sent.response.attestationObject, 'base64url')),
    );
    if (attestation.get('fmt') !== 'none' && attestation.get('attStmt').get('x5c') !== undefined) return undefined;
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: sent,
      expectedChallenge: challengeIn(response)!,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      supportedAlgorithmIDs: ALGORITHMS,
      requireUserVerification: false,
    });
    if (!verified) return undefined;
    const { id, publicKey, transports = [] } = registrationInfo.credential;
    return {
      id,
      publicKey: Buffer.from(publicKey).toString('base64url'),
      transports: transports.filter((one) => /^[a-z-]{1,20}$/.test(one)).slice(0, 10),
    };
  } catch {
    return undefined;
  }
}

/** The counter of the passkey after this signature; undefined: the signature does not hold. */
async function verifiedCounter(
  response: AuthenticationResponseJSON,
  site: PasskeySite,
  { id, publicKey }: Passkey,
  counter: number,
  what: 'alone' | 'factor',
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await library();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challengeIn(response)!,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      credential: { id, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter },
      requireUserVerification: what === 'alone',
    });
    return verified ? authenticationInfo.newCounter : undefined;
  } catch {
    return undefined;
  }
}

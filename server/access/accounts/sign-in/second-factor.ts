import { createHash, randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { Role, User } from '../../../../shared/records/accounts.ts';
import { Refusal } from '../../../../shared/refusal.ts';
import type { Records, Store } from '../../../store/types.ts';
import { changeSignIn, withoutFactors } from './sign-in-data.ts';
import type { Token } from '../tokens.ts';

/** Bytes of a new secret: RFC 4226 recommends 160 bits. */
const SECRET_BYTES = 20;
/** Seconds for which a code is shown. */
const PERIOD = 30;
/** Codes before and after the current one that may count, at most. */
const MOST_TOLERANCE = 1;
/** ms within which a new secret is to be confirmed by a code. */
const PENDING = 15 * 60_000;
const RECOVERY_CODES = 10;
/** Letters and digits that cannot be mistaken for others. 24 of them are 118 bits. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const CODE_LENGTH = 24;

/** Rule of this station for people who must have a second factor. */
export interface FactorRule {
  readonly who: 'none' | 'administrators' | 'everybody';
  /** Names of roles whose people must, too. Capitals do not matter. */
  readonly roles: readonly string[];
  /** Ids of the roles that have, or had, one of these names. */
  readonly held?: ReadonlySet<number>;
}

export const NO_FACTOR_RULE: FactorRule = { who: 'none', roles: [] };

export function hasFactor({ signIn }: Pick<User, 'signIn'>): boolean {
  return signIn?.totp != null || (signIn?.passkeys ?? []).length > 0;
}

interface Ranked {
  readonly role: Pick<Role, 'name' | 'admin' | 'superuser'> & Partial<Pick<Role, 'id'>>;
}

/** The names of a rule that no role has. */
export function unknownRoles({ roles }: FactorRule, known: readonly Pick<Role, 'name'>[]): string[] {
  return roles.filter((name) => !known.some((role) => isCalled(role, name)));
}

export function isCalled(role: Pick<Role, 'name'>, name: string): boolean {
  return role.name.trim().toLowerCase() === name.trim().toLowerCase();
}

export function requiresFactor(rule: FactorRule, { role }: Ranked): boolean {
  if (rule.who === 'everybody' || (rule.who === 'administrators' && (role.admin || role.superuser))) return true;
  const isHeld = role.id !== undefined && rule.held?.has(role.id) === true;
  return isHeld || rule.roles.some((name) => isCalled(role, name));
}

/** Whether a session opens only what sets up a second factor. A provider asks for its own factors. */
export function needsFactor(
  rule: FactorRule,
  { user, role }: Ranked & { user: Pick<User, 'signIn'> },
  { kind, method }: Pick<Token, 'kind' | 'method'>,
): boolean {
  return kind === 'session' && method !== 'oidc' && requiresFactor(rule, { role }) && !hasFactor(user);
}

/** Time-based one-time codes (RFC 6238) and the recovery codes for when the telephone is lost. */
export class SecondFactors {
  readonly #store: Store;
  readonly #users: Records<User>;
  readonly #clock: () => number;
  /** Codes before and after the current one that count. */
  readonly #tolerance: number;
  /** Secrets that no code has confirmed yet, by user. */
  readonly #pending = new Map<number, { secret: string; at: number }>();

  private constructor(store: Store, clock: () => number, tolerance: number) {
    this.#tolerance = tolerance;
    this.#store = store;
    this.#users = store.kind<User>('accounts', 'user');
    this.#clock = clock;
  }

  static async open(store: Store, clock: () => number, tolerance = MOST_TOLERANCE): Promise<SecondFactors> {
    await store.writePlain((sql) =>
      sql.exec('CREATE TABLE IF NOT EXISTS totp_steps (user_id INTEGER PRIMARY KEY, step INTEGER NOT NULL)'),
    );
    return new SecondFactors(store, clock, tolerance);
  }

  /** A new secret for the user's app, which holds when a code of it is confirmed. It is shown only here. */
  begin({ id, login }: Pick<User, 'id' | 'login'>, station: string): { secret: string; uri: string } {
    const secret = new Secret({ size: SECRET_BYTES }).base32;
    this.#pending.set(id, { secret, at: this.#clock() });
    const uri = new TOTP({
      issuer: station,
      label: login,
      secret: Secret.fromBase32(secret),
      period: PERIOD,
    }).toString();
    return { secret, uri };
  }

  /** Turns the second factor on. Returns the recovery codes, which are shown only here. */
  async confirm(userId: number, code: string): Promise<string[]> {
    const pending = this.#pending.get(userId);
    if (!pending || this.#clock() - pending.at > PENDING) throw new Refusal('accounts.factorNotBegun');
    const step = this.#stepOf(pending.secret, code);
    if (step === undefined) throw new Refusal('accounts.wrongNewCode', { field: 'code' });
    const codes = newRecoveryCodes();
    await this.#store.transaction(async () => {
      await this.#use(userId, step);
      await this.#users.change(userId, (user) =>
        changeSignIn(user, { totp: pending.secret, recoveryCodes: codes.hashes }),
      );
    });
    this.#pending.delete(userId);
    return codes.shown;
  }

  async remove(userId: number): Promise<void> {
    await this.#users.change(userId, (user) => withoutFactors(changeSignIn(user, { totp: null })));
  }

  /** Whether this is a code of the user's app, or a recovery code. Either counts once. */
  async accepts({ id, signIn }: User, code: string): Promise<boolean> {
    const plain = code.replace(/[\s-]/g, '').toLowerCase();
    if (/^\d{6}$/.test(plain)) {
      if (!signIn?.totp) return false;
      const step = this.#stepOf(signIn.totp, plain);
      return step !== undefined && (await this.#use(id, step));
    }
    const hash = hashOf(plain);
    let isUsed = false;
    await this.#users.change(id, (user) => {
      const left = (user.signIn?.recoveryCodes ?? []).filter((one) => one !== hash);
      isUsed = left.length < (user.signIn?.recoveryCodes.length ?? 0);
      return isUsed ? changeSignIn(user, { recoveryCodes: left }) : user;
    });
    return isUsed;
  }

  #stepOf(secret: string, code: string): number | undefined {
    const totp = new TOTP({ secret: Secret.fromBase32(secret), period: PERIOD });
    const timestamp = this.#clock();
    const delta = totp.validate({ token: code.replace(/\s/g, ''), timestamp, window: this.#tolerance });
    return delta === null ? undefined : Math.floor(timestamp / 1000 / PERIOD) + delta;
  }

  /** Notes that the code of this step was used; false when it, or a later one, was already. */
  #use(userId: number, step: number): Promise<boolean> {
    return this.#store.writePlain((sql) => {
      const last = sql.prepare('SELECT step FROM totp_steps WHERE user_id = ?').get(userId)?.['step'];
      // A step in the future is left from a clock that was wrong, and must not lock the user out.
      const current = Math.floor(this.#clock() / 1000 / PERIOD);
      if (typeof last === 'number' && last >= step && last <= current + MOST_TOLERANCE) return false;
      sql.prepare('INSERT OR REPLACE INTO totp_steps (user_id, step) VALUES (?, ?)').run(userId, step);
      return true;
    });
  }
}

/** New recovery codes: as shown, and as stored. */
export function newRecoveryCodes(): { shown: string[]; hashes: string[] } {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
  return { shown: codes.map((one) => one.replace(/(.{4})(?=.)/g, '$1-')), hashes: codes.map(hashOf) };
}

function newRecoveryCode(): string {
  let code = '';
  while (code.length < CODE_LENGTH)
    for (const byte of randomBytes(CODE_LENGTH)) {
      const letter = ALPHABET[byte & 31];
      if (letter !== undefined && code.length < CODE_LENGTH) code += letter;
    }
  return code;
}

/** From 112 random bits on no slow hash is needed. */
function hashOf(code: string): string {
  return createHash('sha256').update(code).digest('hex');
}

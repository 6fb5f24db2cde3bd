import type { User } from '../../../../shared/records/accounts.ts';
import { Refusal } from '../../../../shared/refusal.ts';
import type { Records } from '../../../store/types.ts';
import type { Caller } from '../caller.ts';
import type { AuditReport } from '../report.ts';
import type { Token, Tokens } from '../tokens.ts';
import { loginKey, requireExtension } from '../users.ts';
import type { Attempts } from './attempts.ts';
import { subjectOf, type Credentials } from './credentials.ts';
import type { Passkeys } from './passkeys.ts';
import type { Passwords } from './passwords.ts';
import { requiresFactor } from './second-factor.ts';
import type { FactorRule, SecondFactors } from './second-factor.ts';
import { changeSignIn } from './sign-in-data.ts';

/** Minutes for which a sign-in proves who ends sessions, where the station knows no password. */
const FRESH_MINUTES = 10;
/** Characters of a PIN. */
const PIN = /^\d{4,12}$/;

interface OwnAccountOptions {
  readonly users: Records<User>;
  readonly tokens: Tokens;
  readonly passwords: Passwords;
  readonly attempts: Attempts;
  readonly factors: SecondFactors;
  readonly passkeys: Passkeys;
  readonly credentials: Credentials;
  readonly factorRule: FactorRule;
  readonly audit: AuditReport;
  clock(): number;
}

/** The ways in which people change their own sign-in, and end their sessions. */
export class OwnAccount {
  readonly #options: OwnAccountOptions;

  constructor(options: OwnAccountOptions) {
    this.#options = options;
  }

  /** Changes the caller's own password and ends all their other tokens. */
  async changePassword(caller: Caller, old: string, fresh: string, address: string): Promise<void> {
    if (this.#options.users.get(caller.user.id)?.passwordHash === '') throw new Refusal('accounts.passwordElsewhere');
    const { login, name } = caller.user;
    await this.#options.passwords.require(fresh, [login, name]);
    const user = await this.#options.credentials.prove(caller.user.login, old, { address });
    if (user?.id !== caller.user.id) throw new Refusal('field.wrong', { field: 'oldPassword' });
    if (fresh === old && caller.user.signIn?.mustChange)
      throw new Refusal('accounts.samePassword', { field: 'newPassword' });
    const passwordHash = await this.#options.passwords.hash(fresh);
    await this.#options.users.change(user.id, (now) => changeSignIn({ ...now, passwordHash }, { mustChange: false }));
    await this.#options.tokens.end((token) => token.userId === user.id && token.id !== caller.token.id);
  }

  /** Sets the caller's own telephone at the exchange; empty: none. */
  async setExtension(caller: Caller, extension: string): Promise<void> {
    requireExtension(extension);
    await this.#options.users.change(caller.user.id, (now) => ({ ...now, extension }));
  }

  /** The caller's own sessions at this station, the latest used first. */
  sessionsOf(caller: Caller): Token[] {
    return this.#options.tokens.sessions(caller.user.id, this.#options.clock());
  }

  /** Ends one of the caller's own sessions, or with undefined all but this one. A stolen session cannot. */
  async endSessions(
    caller: Caller,
    id: number | undefined,
    { password, address }: { readonly password: string | undefined; readonly address: string },
  ): Promise<void> {
    if (password === undefined) this.#requireFreshSignIn(caller);
    else await this.requireOwnPassword(caller, password, address);
    const ended = this.sessionsOf(caller).filter((token) =>
      id === undefined ? token.id !== caller.token.id : token.id === id,
    );
    if (id !== undefined && ended.length === 0) throw new Refusal('accounts.noSession', { id });
    const ids = new Set(ended.map((token) => token.id));
    await this.#options.tokens.end((token) => ids.has(token.id));
    if (ids.size === 0) return;
    const entry = { subject: subjectOf(caller.user), details: { sessions: ids.size } };
    await this.#options.audit.recordOrMiss({ kind: 'session', action: 'ended', ...entry });
  }

  /** People of a provider have no password here: their sign-in itself must be recent. */
  #requireFreshSignIn(caller: Caller): void {
    const now = this.#options.clock();
    const session = this.#options.tokens.get(caller.token.id, now);
    if (session?.method !== 'oidc') throw new Refusal('accounts.proofRequired');
    if (now - session.createdAt > FRESH_MINUTES * 60_000)
      throw new Refusal('accounts.signInAgain', { minutes: FRESH_MINUTES });
  }

  /** Refuses unless this is the caller's own password. A wrong one counts as a failed sign-in. */
  async requireOwnPassword(caller: Caller, password: string, address: string): Promise<void> {
    const user = await this.#options.credentials.prove(caller.user.login, password, { address });
    if (user?.id !== caller.user.id) throw new Refusal('field.wrong', { field: 'password' });
  }

  /** Whether this station requires a second factor of the caller. */
  requiresFactor(caller: Caller): boolean {
    return requiresFactor(this.#options.factorRule, caller);
  }

  /** Turns the caller's codes off. Anybody who must have a second factor only replaces it. */
  async removeFactor(caller: Caller, password: string, address: string): Promise<void> {
    const { signIn } = this.#options.users.require(caller.user.id, 'accounts.anyUser');
    if (this.requiresFactor(caller) && !(signIn?.passkeys ?? []).length) throw new Refusal('accounts.factorRequired');
    await this.requireOwnPassword(caller, password, address);
    await this.#options.factors.remove(caller.user.id);
  }

  /** Removes one of the caller's passkeys; the last factor stays where one is required. */
  async removePasskey(caller: Caller, id: string, password: string, address: string): Promise<void> {
    const { signIn } = this.#options.users.require(caller.user.id, 'accounts.anyUser');
    const isLast = signIn?.totp == null && (signIn?.passkeys ?? []).every((one) => one.id === id);
    if (isLast && this.requiresFactor(caller)) throw new Refusal('accounts.factorRequired');
    await this.requireOwnPassword(caller, password, address);
    await this.#options.passkeys.remove(caller.user.id, id);
  }

  /** Sets the PIN that unlocks a console; null: only the password does. */
  async setPin(caller: Caller, password: string, pin: string | null, address: string): Promise<void> {
    if (pin !== null && !PIN.test(pin)) throw new Refusal('accounts.pin', { field: 'pin' });
    await this.requireOwnPassword(caller, password, address);
    const pinHash = pin === null ? null : await this.#options.passwords.hash(pin);
    await this.#options.users.change(caller.user.id, (user) => changeSignIn(user, { pinHash }));
  }

  /** Refuses unless this is the PIN or the password of the caller, whose console is locked. */
  async unlock(caller: Caller, secret: string, address: string): Promise<void> {
    const { signIn } = this.#options.users.require(caller.user.id, 'accounts.anyUser');
    const key = loginKey(caller.user.login);
    const isPin = PIN.test(secret) && signIn?.pinHash != null;
    const right = isPin
      ? await this.#options.attempts.try(key, address, () => this.#options.passwords.verify(signIn.pinHash!, secret))
      : (await this.#options.credentials.prove(caller.user.login, secret, { address })) !== undefined;
    if (right) return;
    if (isPin)
      await this.#options.credentials.reportFailure(
        caller.user.login,
        this.#options.users.get(caller.user.id),
        address,
      );
    throw new Refusal('accounts.wrongUnlock');
  }
}

import type { User } from '../../../../shared/records/accounts.ts';
import { Refusal } from '../../../../shared/refusal.ts';
import { STATION, whoActs } from '../../audit/index.ts';
import type { Acting, AuditDraft } from '../../audit/index.ts';
import type { Records } from '../../../store/types.ts';
import { DirectoryDown } from '../identities.ts';
import type { Identities, PasswordDirectory, SignInMethod } from '../identities.ts';
import type { AuditReport } from '../report.ts';
import { loginKey } from '../users.ts';
import type { Attempts } from './attempts.ts';
import type { Passkeys, SignedChallenge } from './passkeys.ts';
import type { Passwords } from './passwords.ts';
import { hasFactor } from './second-factor.ts';
import type { SecondFactors } from './second-factor.ts';

/** Where somebody signs in. */
export interface SignInFrom {
  readonly address: string;
  /** The program, by its own words. */
  readonly device?: string;
  /** SHA-256 of the token whose session the new one takes the place of. */
  readonly replaces?: string | undefined;
  /** Of the second factor. */
  readonly code?: string | undefined;
  /** In place of a code. */
  readonly passkey?: SignedChallenge | undefined;
}

interface CredentialsOptions {
  readonly users: Records<User>;
  readonly passwords: Passwords;
  readonly attempts: Attempts;
  readonly factors: SecondFactors;
  readonly passkeys: Passkeys;
  readonly identities: Identities;
  /** Checks the passwords of those who have none here. */
  readonly directory: PasswordDirectory | undefined;
  readonly audit: AuditReport;
}

/** Proves a user's identity. After too many failures the user must wait, and each failure is in the audit trail. */
export class Credentials {
  readonly #options: CredentialsOptions;
  #byLogin: Map<string, User> | undefined;

  constructor(options: CredentialsOptions) {
    this.#options = options;
    options.users.watch(() => (this.#byLogin = undefined));
  }

  /** Whether this login and password are valid. Counts as no attempt, and takes as long as a sign-in. */
  async opens(login: string, password: string): Promise<boolean> {
    const user = this.userByLogin(login);
    return user?.enabled === true && (await this.#options.passwords.verify(user.passwordHash, password));
  }

  userByLogin(login: string): User | undefined {
    this.#byLogin ??= new Map(
      this.#options.users
        .all()
        .filter((user) => !user.isDeleted)
        .map((user) => [loginKey(user.login), user]),
    );
    const found = this.#byLogin.get(loginKey(login));
    return found && this.#options.users.get(found.id);
  }

  /** The user with this login, if the password is right. */
  async prove(login: string, password: string, from: SignInFrom): Promise<User | undefined> {
    return (await this.proveBy(login, password, from, 'password'))?.user;
  }

  /**
   * The user with this login, if the password, and with `both` the code of a second factor, is right. Passwords of this
   * station come first, so that they open it while the directory is down.
   */
  async proveBy(
    login: string,
    password: string,
    { address, code, passkey }: SignInFrom,
    what: 'password' | 'both',
  ): Promise<{ user: User; method: SignInMethod } | undefined> {
    let user: User | undefined;
    let method: SignInMethod = 'password';
    let passwordWasRight = false;
    let isDown = false;
    const right = await this.#options.attempts.try(loginKey(login), address, async () => {
      user = this.userByLogin(login);
      passwordWasRight = await this.#options.passwords.verify(user?.enabled ? user.passwordHash : undefined, password);
      if (!passwordWasRight && this.#options.directory && password !== '' && user?.enabled !== false) {
        const identity = await this.#options.directory.identify(login, password).catch((error: unknown) => {
          if (!(error instanceof DirectoryDown)) throw error;
          isDown = true;
        });
        if (identity) {
          user = await this.#options.identities.admit(identity);
          method = 'ldap';
          passwordWasRight = true;
        } else if (isDown && !user?.passwordHash) return 'unfinished';
      }
      if (!passwordWasRight || what === 'password' || !user || !hasFactor(user)) return passwordWasRight;
      if (passkey) return (await this.#options.passkeys.prove(passkey, 'factor'))?.id === user.id;
      return code === undefined || code === '' ? 'unfinished' : this.#options.factors.accepts(user, code);
    });
    if (right === 'unfinished')
      throw new Refusal(passwordWasRight ? 'accounts.codeRequired' : 'accounts.directoryDown');
    if (right) return user && { user, method };
    if (passwordWasRight) {
      await this.reportFailure(login, user, address, { secondFactor: true });
      throw new Refusal(passkey ? 'accounts.passkeyFailed' : 'accounts.wrongCode');
    }
    await this.reportFailure(login, user, address, isDown ? { directory: 'down' } : undefined);
    if (isDown) throw new Refusal('accounts.directoryDown');
    return undefined;
  }

  /** An unknown login is not recorded: people type their password there. */
  async reportFailure(login: string, user: User | undefined, address: string, details?: object): Promise<void> {
    const subject = user ? subjectOf(user) : { name: '' };
    const report = (entry: Pick<AuditDraft, 'action' | 'details'>) =>
      this.#options.audit.recordOrMiss({ kind: 'signIn', subject, by: { ...whoActs(), address }, ...entry });
    await report({ action: 'failed', details: { ...details, ...(!user && { login: 'unknown' }) } });
    const locked = this.#options.attempts.waiting(loginKey(login), address);
    if (locked.length > 0) await report({ action: 'locked', details: { what: locked } });
  }

  /** The user who had this login until linked stations found it twice (`LOGIN~NUMBER`), if it is their password. */
  async renamed(login: string, password: string): Promise<User | undefined> {
    const before = `${loginKey(login)}~`;
    for (const user of this.#options.users.all()) {
      const key = loginKey(user.login);
      const isRenamed = key.startsWith(before) && /^\d+(~\d+)*$/.test(key.slice(before.length));
      if (!isRenamed || user.isDeleted || !user.enabled) continue;
      if (await this.#options.passwords.verify(user.passwordHash, password)) return user;
    }
    return undefined;
  }

  /** Counts wrong codes of people who are no users, by address. Throws TooManyAttempts while it must wait. */
  attempt(address: string, verify: () => Promise<boolean>): Promise<boolean> {
    return this.#options.attempts.try(`crew ${address}`, address, verify); // no login has a space
  }
}

type Person = Pick<User, 'id' | 'login' | 'organizationId'>;

export function subjectOf({ id, login, organizationId }: Person): { id: number; name: string; organizationId: number } {
  return { id, name: login, organizationId };
}

/** A user who has just proved their identity, and has no token yet. */
export function actingFor({ id, login, organizationId }: Person, address: string): Acting {
  return { ...STATION, way: 'interface', userId: id, login, organizationId, address };
}

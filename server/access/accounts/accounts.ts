import { createHash, randomBytes } from 'node:crypto';
import type { Organization, Role, User } from '../../../shared/records/accounts.ts';
import { Refusal } from '../../../shared/refusal.ts';
import { whoActs } from '../audit/index.ts';
import { Mutex } from '../../platform/mutex.ts';
import type { Records, Store } from '../../store/types.ts';
import { Administration } from './administration.ts';
import type { Caller } from './caller.ts';
import { Identities } from './identities.ts';
import type { Identity, IdentityRules, PasswordDirectory, SignInMethod } from './identities.ts';
import { NO_AUDIT, type AuditReport } from './report.ts';
import { Preferences } from './person-preferences.ts';
import { Presets } from './presets.ts';
import { AccessKeys } from './sign-in/access-keys.ts';
import { Attempts } from './sign-in/attempts.ts';
import { actingFor, Credentials, subjectOf, type SignInFrom } from './sign-in/credentials.ts';
import { StationClaim, openFirstRun, type FirstRunForm } from './first-run.ts';
import { OwnAccount } from './sign-in/own-account.ts';
import { Passkeys } from './sign-in/passkeys.ts';
import type { SignedChallenge } from './sign-in/passkeys.ts';
import { Passwords, type PasswordCost } from './sign-in/passwords.ts';
import { needsFactor, NO_FACTOR_RULE, SecondFactors, type FactorRule } from './sign-in/second-factor.ts';
import { tokenEnd, Tokens } from './tokens.ts';
import type { Token } from './tokens.ts';

export interface AccountsOptions {
  readonly store: Store;
  readonly clock?: () => number;
  readonly audit?: AuditReport | undefined;
  /** Tests use cheaper hashes. */
  readonly passwordCost?: PasswordCost | undefined;
  /** Characters that a new password has at least. */
  readonly passwordLeast?: number | undefined;
  /** The people who must have a second factor; default: nobody. */
  readonly secondFactor?: FactorRule | undefined;
  /** Codes of a second factor before and after the current one that count; default: one. */
  readonly codeTolerance?: number | undefined;
  /** The password of `admin` on an empty station; default: a random one. */
  readonly adminPassword?: string | undefined;
  /** Rules that make a person of a provider or directory a user; default: nobody. */
  readonly identityRules?: IdentityRules | undefined;
  /** Checks the passwords of those who have none here. */
  readonly directory?: PasswordDirectory | undefined;
}

const NOBODY_ELSE: IdentityRules = { create: false, link: 'none', groups: [] };

export interface SignedIn {
  readonly token: string;
  /** Epoch ms. */
  readonly expiresAt: number;
  readonly caller: Caller;
}

const LONGEST_DEVICE = 200;

/** ms between two removals of expired tokens. */
const SWEEP = 3_600_000;
/** The command line must be able to cut the link of a standby to which no accounts have come yet. */
const ACTOR_OF_EMPTY_STANDBY = {
  user: {
    key: '',
    id: 0,
    hlc: { base: '', fields: {} },
    kind: 'user',
    isDeleted: false,
    name: '',
    login: '',
    email: '',
    phone: '',
    passwordHash: '',
    monitor: false,
    visible: false,
    enabled: true,
    roleId: 0,
    organizationId: 0,
  },
  role: {
    key: '',
    id: 0,
    hlc: { base: '', fields: {} },
    kind: 'role',
    isDeleted: false,
    name: '',
    organizationId: 0,
    superuser: true,
    admin: true,
    accesses: [],
  },
} satisfies { user: User; role: Role };
/** Longer texts cannot be our tokens and are not hashed. */
const LONGEST_TOKEN = 200;

/** Users, roles, organizations, tokens; finds the caller of a request. */
export class Accounts {
  readonly users: Records<User>;
  readonly roles: Records<Role>;
  readonly organizations: Records<Organization>;
  readonly tokens: Tokens;
  /** The users, roles and organizations above, as administrators write them. */
  readonly administration: Administration;
  readonly factors: SecondFactors;
  readonly passkeys: Passkeys;
  readonly credentials: Credentials;
  readonly own: OwnAccount;
  readonly keys: AccessKeys;
  readonly firstRun: StationClaim;
  readonly preferences: Preferences;
  readonly presets: Presets;
  /** The random password of `admin`, on the very first start only: printed once and not kept. */
  readonly printedPassword: string | undefined;
  readonly #store: Store;
  readonly #clock: () => number;
  readonly #passwords: Passwords;
  readonly #identities: Identities;
  readonly #factorRule: FactorRule;
  readonly #audit: AuditReport;
  readonly #sweep: NodeJS.Timeout;
  /** Serializes what looks at all accounts: the first-run page and the changes of administrators. */
  readonly #turns = new Mutex();
  /** SHA-256 of the control token. */
  #control: Buffer | undefined;

  private constructor(
    options: AccountsOptions,
    parts: {
      passwords: Passwords;
      tokens: Tokens;
      attempts: Attempts;
      factors: SecondFactors;
      passkeys: Passkeys;
      isFirstRun: boolean;
      printedPassword: string | undefined;
    },
  ) {
    this.#store = options.store;
    this.#clock = options.clock ?? Date.now;
    this.users = options.store.kind<User>('accounts', 'user');
    this.roles = options.store.kind<Role>('accounts', 'role');
    this.organizations = options.store.kind<Organization>('accounts', 'organization');
    this.#passwords = parts.passwords;
    this.#audit = options.audit ?? NO_AUDIT;
    this.tokens = parts.tokens;
    this.administration = new Administration({
      store: options.store,
      passwords: parts.passwords,
      tokens: parts.tokens,
      attempts: parts.attempts,
      turns: this.#turns,
      audit: this.#audit,
    });
    this.#identities = new Identities({
      store: options.store,
      turns: this.#turns,
      audit: this.#audit,
      rules: options.identityRules ?? NOBODY_ELSE,
      view: () => this.administration.view(),
      station: () => this.stationActor(),
    });
    this.factors = parts.factors;
    this.passkeys = parts.passkeys;
    this.#factorRule = options.secondFactor ?? NO_FACTOR_RULE;
    this.printedPassword = parts.printedPassword;
    const shared = {
      users: this.users,
      tokens: this.tokens,
      audit: this.#audit,
      clock: this.#clock,
      passwords: parts.passwords,
      attempts: parts.attempts,
      factors: parts.factors,
      passkeys: parts.passkeys,
    };
    this.credentials = new Credentials({ ...shared, identities: this.#identities, directory: options.directory });
    this.own = new OwnAccount({ ...shared, credentials: this.credentials, factorRule: this.#factorRule });
    this.keys = new AccessKeys(shared);
    this.preferences = new Preferences(options.store);
    this.presets = new Presets(options.store, this.#clock);
    this.firstRun = new StationClaim({
      store: options.store,
      users: this.users,
      organizations: this.organizations,
      passwords: parts.passwords,
      turns: this.#turns,
      view: () => this.administration.view(),
      administrator: () => {
        const admin = this.credentials.userByLogin('admin');
        return admin && this.#actorOf(admin);
      },
      isOpen: parts.isFirstRun,
    });
    this.users.watch((changes) => {
      // If another station disabled a user, their tokens end here as after a local change.
      for (const { record, before } of changes) {
        if (before && (!record.enabled || record.isDeleted))
          void this.tokens.end((token) => token.userId === record.id).catch(() => undefined);
      }
    });
    this.#sweep = setInterval(() => void this.tokens.sweep(this.#clock()).catch(() => undefined), SWEEP).unref();
  }

  static async open(options: AccountsOptions): Promise<Accounts> {
    const { store, clock = Date.now } = options;
    const passwords = new Passwords(options.passwordCost, options.passwordLeast);
    const { isFirstRun, printedPassword } = await openFirstRun(store, passwords, options.adminPassword);
    const now = clock();
    await endSessionsOfAnotherTime(store);
    const [tokens, attempts, factors, passkeys] = await Promise.all([
      Tokens.open(store, now, options.audit),
      Attempts.open(store, clock),
      SecondFactors.open(store, clock, options.codeTolerance),
      Passkeys.open(store, clock),
      Identities.makeTable(store),
    ]);
    return new Accounts(options, { passwords, tokens, attempts, factors, passkeys, isFirstRun, printedPassword });
  }

  close(): void {
    clearInterval(this.#sweep);
  }

  /**
   * A token that acts as the station's own administrator, for the command line of this machine. It exists
   * only in memory and ends with the process.
   */
  grantControl(): string {
    const text = randomBytes(32).toString('base64url');
    this.#control = createHash('sha256').update(text).digest();
    return text;
  }

  /** The owner of a valid token, if the user is enabled. */
  authenticate(text: string): Caller | undefined {
    if (text === '' || text.length > LONGEST_TOKEN) return undefined;
    const token = this.tokens.use(text, this.#clock());
    if (token) return this.#callerBy(token);
    return this.#control?.equals(createHash('sha256').update(text).digest()) ? this.stationActor() : undefined;
  }

  /**
   * The caller with the current role and organization; undefined when the token has ended since. Does not
   * count as a use.
   */
  renew(caller: Caller): Caller | undefined {
    if (caller.token.id === 0) return this.stationActor();
    const token = this.tokens.get(caller.token.id, this.#clock());
    return token && this.#callerBy(token);
  }

  /**
   * Signs in. A refusal takes the same time whether or not the login exists; after too many failures the
   * caller must wait. Tells a person their new login when a linked station had the old one too.
   */
  async signIn(login: string, password: string, from: SignInFrom): Promise<SignedIn> {
    const user = await this.credentials.proveBy(login, password, from, 'both');
    if (!user) {
      const renamed = await this.credentials.renamed(login, password);
      if (renamed) throw new Refusal('accounts.loginRenamed', { login: renamed.login });
      throw new Refusal('accounts.wrongLogin');
    }
    await this.firstRun.end();
    return this.#session(user.user, from, user.method);
  }

  /** Signs in a user for whom a provider vouches. The provider's factors count; no code of ours is asked for. */
  async signInAs(identity: Identity, from: SignInFrom): Promise<SignedIn> {
    let user: User;
    try {
      user = await this.#identities.admit(identity);
    } catch (error) {
      if (error instanceof Refusal) {
        const { method, login } = identity;
        const details = { method, reason: error.code };
        const by = { ...whoActs(), address: from.address };
        await this.#audit.recordOrMiss({ kind: 'signIn', action: 'failed', subject: { name: login }, details, by });
      }
      throw error;
    }
    return this.#session(user, from, identity.method);
  }

  /**
   * Signs in by a passkey that verified its user: two factors in one. People of a directory sign in there, because
   * it may have shut them out.
   */
  async signInByPasskey(passkey: SignedChallenge, from: SignInFrom): Promise<SignedIn> {
    const user = await this.passkeys.prove(passkey, 'alone');
    const refusal = !user
      ? new Refusal('accounts.passkeyFailed')
      : user.passwordHash === ''
        ? new Refusal('accounts.passkeyNotAlone')
        : undefined;
    if (user && !refusal) return this.#session(user, from, 'passkey');
    const details = { method: 'passkey', reason: refusal!.code };
    const subject = user ? subjectOf(user) : { name: '' };
    const by = { ...whoActs(), address: from.address };
    await this.#audit.recordOrMiss({ kind: 'signIn', action: 'failed', subject, details, by });
    throw refusal!;
  }

  async signOut(caller: Caller): Promise<void> {
    if (caller.token.kind === 'key') throw new Refusal('accounts.keyByAdministrator');
    await this.tokens.end((token) => token.id === caller.token.id);
    await this.#audit.recordOrMiss({ kind: 'session', action: 'ended', subject: subjectOf(caller.user) });
  }

  /** The first-run page: the person who installed the station gets `admin`, and is signed in. */
  async completeFirstRun(wanted: FirstRunForm, from: SignInFrom): Promise<SignedIn> {
    return this.#session(await this.firstRun.complete(wanted), from);
  }

  /** Characters that a new password has at least. */
  get passwordLeast(): number {
    return this.#passwords.least;
  }

  /** Acts as the station's own administrator, for the command line and the demo. */
  stationActor(): Caller {
    const actors = this.#administrators();
    const actor =
      actors.find((candidate) => candidate.role.superuser) ??
      actors[0] ??
      (this.#store.readOnly === undefined ? undefined : ACTOR_OF_EMPTY_STANDBY);
    if (!actor) throw new Refusal('accounts.noAdministrator');
    return { ...actor, token: { id: 0, kind: 'session', scopes: null } };
  }

  /** Whether somebody could administer the whole station. */
  get hasAdministrator(): boolean {
    return this.#administrators().some(({ role }) => role.superuser);
  }

  #administrators(): { user: User; role: Role }[] {
    return this.users
      .all()
      .filter((user) => user.enabled && !user.isDeleted)
      .flatMap((user) => this.#actorOf(user) ?? [])
      .filter(({ role }) => role.admin);
  }

  async #session(user: User, from: SignInFrom, method: SignInMethod = 'password'): Promise<SignedIn> {
    const { address, device = '', replaces } = from;
    await this.tokens.makeRoom(user.id);
    const actor = this.#actorOf(user);
    const isMissing = actor !== undefined && needsFactor(this.#factorRule, actor, { kind: 'session', method });
    const details = { method, ...(isMissing && { secondFactor: 'missing' }) };
    const { text, token } = await this.tokens.issue(
      {
        userId: user.id,
        kind: 'session',
        name: '',
        scopes: null,
        expiresAt: null,
        address,
        device: device.slice(0, LONGEST_DEVICE),
        method,
      },
      this.#clock(),
      { kind: 'signIn', action: 'done', subject: subjectOf(user), details, by: actingFor(user, address) },
    );
    await this.tokens.endSession(replaces);
    const caller = this.#callerBy(token);
    // While the session was written, the user may have been disabled or the password changed: both end
    // earlier sessions.
    if (caller && this.users.get(user.id)?.passwordHash === user.passwordHash)
      return { token: text, expiresAt: tokenEnd(token)!, caller };
    await this.tokens.end(({ id }) => id === token.id);
    if (caller) throw new Refusal('accounts.passwordChanged');
    throw new Refusal('accounts.userDisabled');
  }

  #callerBy(token: Token): Caller | undefined {
    const { id, kind, scopes } = token;
    const user = this.users.get(token.userId);
    const actor = user && user.enabled && !user.isDeleted ? this.#actorOf(user) : undefined;
    if (!actor) return undefined;
    const needs = needsFactor(this.#factorRule, actor, token);
    return { ...actor, token: { id, kind, scopes, ...(needs && { needsFactor: true as const }) } };
  }

  #actorOf(user: User): { user: User; role: Role } | undefined {
    const role = this.roles.get(user.roleId);
    return role && { user, role };
  }
}

/**
 * A restored backup may contain ended sessions, so all sessions end. Access keys stay: machines cannot sign
 * in again.
 */
async function endSessionsOfAnotherTime(store: Store): Promise<void> {
  const { epoch } = store.feed;
  const known = store.sql.prepare("SELECT value FROM accounts_state WHERE name = 'epoch'").get()?.['value'];
  if (known === epoch) return;
  await store.writePlain((sql) => {
    if (known !== undefined) sql.exec("DELETE FROM tokens WHERE kind = 'session'");
    sql.prepare("INSERT OR REPLACE INTO accounts_state (name, value) VALUES ('epoch', ?)").run(epoch);
  });
}

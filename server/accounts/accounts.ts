import { createHash, randomBytes } from 'node:crypto';
import { seesOrganization } from '../../shared/access.ts';
import type { Organization, Role, User } from '../../shared/records/accounts.ts';
import { Refusal } from '../../shared/refusal.ts';
import { Mutex } from '../platform/mutex.ts';
import type { Records, Store } from '../store/types.ts';
import { Administration } from './administration.ts';
import { Attempts } from './attempts.ts';
import type { Caller, TokenScope } from './caller.ts';
import { changeOrganization } from './organizations.ts';
import { Passwords } from './passwords.ts';
import { Passkeys } from './passkeys.ts';
import type { SignedChallenge } from './passkeys.ts';
import { hasFactor, needsFactor, NO_FACTOR_RULE, requiresFactor, SecondFactors } from './second-factor.ts';
import type { FactorRule } from './second-factor.ts';
import { changeSignIn } from './sign-in-data.ts';
import type { PasswordCost } from './passwords.ts';
import { STATION, whoActs } from '../audit/index.ts';
import type { Acting, AuditDraft } from '../audit/index.ts';
import { NO_AUDIT, type AuditReport } from './report.ts';
import { seedAccounts } from './seed.ts';
import { DirectoryDown, Identities } from './identities.ts';
import type { Identity, IdentityRules, PasswordDirectory, SignInMethod } from './identities.ts';
import { tokenEnd, Tokens } from './tokens.ts';
import type { Token } from './tokens.ts';
import { changeUser, loginKey } from './users.ts';

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

/** Where somebody signs in. */
export interface SignInFrom {
  readonly address: string;
  /** The program, by its own words. */
  readonly device?: string;
  /** Of the second factor. */
  readonly code?: string | undefined;
  /** In place of a code. */
  readonly passkey?: SignedChallenge | undefined;
}

/** Characters of a PIN. */
const PIN = /^\d{4,12}$/;
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
  /** The random password of `admin`, on the very first start only: printed once and not kept. */
  readonly printedPassword: string | undefined;
  readonly #store: Store;
  readonly #clock: () => number;
  readonly #passwords: Passwords;
  readonly #attempts: Attempts;
  readonly #identities: Identities;
  readonly #directory: PasswordDirectory | undefined;
  readonly #factorRule: FactorRule;
  readonly #audit: AuditReport;
  readonly #sweep: NodeJS.Timeout;
  #byLogin: Map<string, User> | undefined;
  /** Serializes what looks at all accounts: the first-run page and the changes of administrators. */
  readonly #turns = new Mutex();
  #firstRun: boolean;
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
      firstRun: boolean;
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
    this.#attempts = parts.attempts;
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
    this.#directory = options.directory;
    this.#factorRule = options.secondFactor ?? NO_FACTOR_RULE;
    this.#firstRun = parts.firstRun;
    this.printedPassword = parts.printedPassword;
    this.users.watch((changes) => {
      this.#byLogin = undefined;
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
    await store.writePlain((sql) =>
      sql.exec('CREATE TABLE IF NOT EXISTS accounts_state (name TEXT PRIMARY KEY, value TEXT NOT NULL)'),
    );
    let printedPassword: string | undefined;
    // A standby gets the accounts of the station that it follows.
    if (store.readOnly === undefined && store.kind<User>('accounts', 'user').count() === 0) {
      const password = options.adminPassword ?? (printedPassword = randomBytes(9).toString('base64url'));
      const passwordHash = await passwords.hash(password);
      const firstRun = printedPassword === undefined ? 'done' : 'open';
      // Together: a crash in between would leave an administrator whom nobody can sign in as.
      await store.transaction(async () => {
        await seedAccounts(store, passwordHash);
        await store.writePlain((sql) =>
          sql.prepare("INSERT OR REPLACE INTO accounts_state (name, value) VALUES ('first-run', ?)").run(firstRun),
        );
      });
    }
    const firstRun =
      store.sql.prepare("SELECT value FROM accounts_state WHERE name = 'first-run'").get()?.['value'] === 'open';
    const now = clock();
    await endSessionsOfAnotherTime(store);
    const [tokens, attempts, factors, passkeys] = await Promise.all([
      Tokens.open(store, now, options.audit),
      Attempts.open(store, clock),
      SecondFactors.open(store, clock),
      Passkeys.open(store, clock),
      Identities.makeTable(store),
    ]);
    return new Accounts(options, { passwords, tokens, attempts, factors, passkeys, firstRun, printedPassword });
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
    const user = await this.#proveBy(login, password, from, 'both');
    if (!user) {
      const renamed = await this.#renamed(login, password);
      if (renamed) throw new Refusal('accounts.loginRenamed', { login: renamed.login });
      throw new Refusal('accounts.wrongLogin');
    }
    if (this.#firstRun) await this.#endFirstRun();
    return this.#session(user.user, from, user.method);
  }

  /** Signs in somebody for whom a provider vouches. Its own factors count; a code of ours is not asked for. */
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

  /** Changes the caller's own password and ends all their other tokens. */
  async changePassword(caller: Caller, old: string, fresh: string, address: string): Promise<void> {
    if (this.users.get(caller.user.id)?.passwordHash === '') throw new Refusal('accounts.passwordElsewhere');
    await this.#passwords.require(fresh);
    const user = await this.#prove(caller.user.login, old, { address });
    if (user?.id !== caller.user.id) throw new Refusal('field.wrong', { field: 'oldPassword' });
    if (fresh === old && caller.user.signIn?.mustChange)
      throw new Refusal('accounts.samePassword', { field: 'newPassword' });
    const passwordHash = await this.#passwords.hash(fresh);
    await this.users.change(user.id, (now) => changeSignIn({ ...now, passwordHash }, { mustChange: false }));
    await this.tokens.end((token) => token.userId === user.id && token.id !== caller.token.id);
  }

  /** The caller's own sessions at this station, the latest used first. */
  sessionsOf(caller: Caller): Token[] {
    return this.tokens.sessions(caller.user.id, this.#clock());
  }

  /** Ends one of the caller's own sessions, or with undefined all but this one. */
  async endSessions(caller: Caller, id: number | undefined): Promise<void> {
    const ended = this.sessionsOf(caller).filter((token) =>
      id === undefined ? token.id !== caller.token.id : token.id === id,
    );
    if (id !== undefined && ended.length === 0) throw new Refusal('accounts.noSession', { id });
    const ids = new Set(ended.map((token) => token.id));
    await this.tokens.end((token) => ids.has(token.id));
    if (ids.size === 0) return;
    const entry = { subject: subjectOf(caller.user), details: { sessions: ids.size } };
    await this.#audit.recordOrMiss({ kind: 'session', action: 'ended', ...entry });
  }

  /** Refuses unless this is the caller's own password. A wrong one counts as a failed sign-in. */
  async requireOwnPassword(caller: Caller, password: string, address: string): Promise<void> {
    const user = await this.#prove(caller.user.login, password, { address });
    if (user?.id !== caller.user.id) throw new Refusal('field.wrong', { field: 'password' });
  }

  /** Whether this station requires a second factor of the caller. */
  requiresFactor(caller: Caller): boolean {
    return requiresFactor(this.#factorRule, caller);
  }

  /** Turns the caller's codes off. Whoever must have a second factor only replaces it. */
  async removeFactor(caller: Caller, password: string, address: string): Promise<void> {
    const { signIn } = this.users.require(caller.user.id, 'accounts.anyUser');
    if (this.requiresFactor(caller) && !(signIn?.passkeys ?? []).length) throw new Refusal('accounts.factorRequired');
    await this.requireOwnPassword(caller, password, address);
    await this.factors.remove(caller.user.id);
  }

  /** Removes one of the caller's passkeys; the last factor stays where one is required. */
  async removePasskey(caller: Caller, id: string, password: string, address: string): Promise<void> {
    const { signIn } = this.users.require(caller.user.id, 'accounts.anyUser');
    const isLast = signIn?.totp == null && (signIn?.passkeys ?? []).every((one) => one.id === id);
    if (isLast && this.requiresFactor(caller)) throw new Refusal('accounts.factorRequired');
    await this.requireOwnPassword(caller, password, address);
    await this.passkeys.remove(caller.user.id, id);
  }

  /** Sets the PIN that unlocks a console; null: only the password does. */
  async setPin(caller: Caller, password: string, pin: string | null, address: string): Promise<void> {
    if (pin !== null && !PIN.test(pin)) throw new Refusal('accounts.pin', { field: 'pin' });
    await this.requireOwnPassword(caller, password, address);
    const pinHash = pin === null ? null : await this.#passwords.hash(pin);
    await this.users.change(caller.user.id, (user) => changeSignIn(user, { pinHash }));
  }

  /** Refuses unless this is the PIN or the password of the caller, whose console is locked. */
  async unlock(caller: Caller, secret: string, address: string): Promise<void> {
    const { signIn } = this.users.require(caller.user.id, 'accounts.anyUser');
    const key = loginKey(caller.user.login);
    const isPin = PIN.test(secret) && signIn?.pinHash != null;
    const right = isPin
      ? await this.#attempts.try(key, address, () => this.#passwords.verify(signIn.pinHash!, secret))
      : (await this.#prove(caller.user.login, secret, { address })) !== undefined;
    if (right) return;
    if (isPin) await this.#reportFailure(caller.user.login, this.users.get(caller.user.id), address);
    throw new Refusal('accounts.wrongUnlock');
  }

  /** Counts wrong codes of people who are no users, by address. Throws TooManyAttempts while it must wait. */
  attempt(address: string, verify: () => Promise<boolean>): Promise<boolean> {
    return this.#attempts.try(`crew ${address}`, address, verify); // no login has a space
  }

  /** Characters that a new password has at least. */
  get passwordLeast(): number {
    return this.#passwords.least;
  }

  /**
   * Is the station still unclaimed? True until the printed password was used or the first-run page was filled
   * in.
   */
  get firstRun(): boolean {
    return this.#firstRun;
  }

  /** The demo has its own logins and cannot be claimed. */
  async skipFirstRun(): Promise<void> {
    if (this.#firstRun) await this.#endFirstRun();
  }

  /**
   * The first-run page: names the organization and turns `admin` into the person who installed the station.
   */
  completeFirstRun(
    wanted: { organization: string; login: string; name: string; password: string },
    from: SignInFrom,
  ): Promise<SignedIn> {
    return this.#turns.run(async () => {
      if (!this.#firstRun) throw new Refusal('accounts.alreadySetUp');
      await this.#passwords.require(wanted.password);
      const admin = this.userByLogin('admin');
      if (!admin) throw new Refusal('accounts.alreadySetUp');
      const by = this.#actorOf(admin)!;
      const passwordHash = await this.#passwords.hash(wanted.password);
      const organization = changeOrganization(
        by,
        this.organizations.require(admin.organizationId, 'accounts.anyOrganization'),
        {
          name: wanted.organization,
        },
      );
      const user = changeUser(
        by,
        admin,
        { login: wanted.login, name: wanted.name, passwordHash },
        this.administration.view(),
      );
      await this.#store.transaction(() =>
        Promise.all([
          this.users.change(admin.id, () => user),
          this.organizations.change(organization.id, () => organization),
        ]),
      );
      await this.#endFirstRun();
      return this.#session(user, from);
    });
  }

  /** Whether this login and password are valid. Counts as no attempt, and takes as long as a sign-in. */
  async opens(login: string, password: string): Promise<boolean> {
    const user = this.userByLogin(login);
    return user?.enabled === true && (await this.#passwords.verify(user.passwordHash, password));
  }

  userByLogin(login: string): User | undefined {
    this.#byLogin ??= new Map(
      this.users
        .all()
        .filter((user) => !user.isDeleted)
        .map((user) => [loginKey(user.login), user]),
    );
    const found = this.#byLogin.get(loginKey(login));
    return found && this.users.get(found.id);
  }

  /** A long-lived token for a program, owned by the caller. Its text is returned only here. */
  issueKey(
    caller: Caller,
    key: { name: string; scopes: readonly TokenScope[] | null; expiresAt: number | null },
  ): Promise<{ text: string; token: Token }> {
    const now = this.#clock();
    if (key.expiresAt !== null && key.expiresAt <= now) throw new Refusal('field.past', { field: 'expiresAt' });
    const { name, scopes, expiresAt } = key;
    const subject = { name, organizationId: caller.user.organizationId };
    return this.tokens.issue({ ...key, userId: caller.user.id, kind: 'key' }, now, {
      kind: 'key',
      action: 'created',
      subject,
      details: { scopes, expiresAt },
    });
  }

  /** The access keys of the users whom this caller administers. */
  keysSeen(caller: Caller): Token[] {
    return this.tokens.keys(this.#clock()).filter((key) => {
      const owner = this.users.get(key.userId);
      return owner !== undefined && seesOrganization(caller, owner.organizationId);
    });
  }

  async endKey(caller: Caller, id: number): Promise<void> {
    const key = this.keysSeen(caller).find((one) => one.id === id);
    if (!key) throw new Refusal('accounts.noKey', { id });
    await this.tokens.end((token) => token.id === id);
    const organizationId = this.users.get(key.userId)?.organizationId ?? null;
    await this.#audit.recordOrMiss({ kind: 'key', action: 'ended', subject: { id, name: key.name, organizationId } });
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

  /** The user with this login, if the password is right. */
  async #prove(login: string, password: string, from: SignInFrom): Promise<User | undefined> {
    return (await this.#proveBy(login, password, from, 'password'))?.user;
  }

  /**
   * The user with this login, if the password, and with `both` the code of a second factor, is right. Passwords of this
   * station come first, so that they open it while the directory is down.
   */
  async #proveBy(
    login: string,
    password: string,
    { address, code, passkey }: SignInFrom,
    what: 'password' | 'both',
  ): Promise<{ user: User; method: SignInMethod } | undefined> {
    let user: User | undefined;
    let method: SignInMethod = 'password';
    let passwordWasRight = false;
    let isDown = false;
    const right = await this.#attempts.try(loginKey(login), address, async () => {
      user = this.userByLogin(login);
      passwordWasRight = await this.#passwords.verify(user?.enabled ? user.passwordHash : undefined, password);
      if (!passwordWasRight && this.#directory && password !== '' && user?.enabled !== false) {
        const identity = await this.#directory.identify(login, password).catch((error: unknown) => {
          if (!(error instanceof DirectoryDown)) throw error;
          isDown = true;
        });
        if (identity) {
          user = await this.#identities.admit(identity);
          method = 'ldap';
          passwordWasRight = true;
        } else if (isDown && !user?.passwordHash) return 'unfinished';
      }
      if (!passwordWasRight || what === 'password' || !user || !hasFactor(user)) return passwordWasRight;
      if (passkey) return (await this.passkeys.prove(passkey, 'factor'))?.id === user.id;
      return code === undefined || code === '' ? 'unfinished' : this.factors.accepts(user, code);
    });
    if (right === 'unfinished')
      throw new Refusal(passwordWasRight ? 'accounts.codeRequired' : 'accounts.directoryDown');
    if (right) return user && { user, method };
    if (passwordWasRight) {
      await this.#reportFailure(login, user, address, { secondFactor: true });
      throw new Refusal(passkey ? 'accounts.passkeyFailed' : 'accounts.wrongCode');
    }
    await this.#reportFailure(login, user, address, isDown ? { directory: 'down' } : undefined);
    if (isDown) throw new Refusal('accounts.directoryDown');
    return undefined;
  }

  /** An unknown login is not recorded: people type their password there. */
  async #reportFailure(login: string, user: User | undefined, address: string, details?: object): Promise<void> {
    const subject = user ? subjectOf(user) : { name: '' };
    const report = (entry: Pick<AuditDraft, 'action' | 'details'>) =>
      this.#audit.recordOrMiss({ kind: 'signIn', subject, by: { ...whoActs(), address }, ...entry });
    await report({ action: 'failed', details: { ...details, ...(!user && { login: 'unknown' }) } });
    const locked = this.#attempts.waiting(loginKey(login), address);
    if (locked.length > 0) await report({ action: 'locked', details: { what: locked } });
  }

  /** The user who had this login until linked stations found it twice (`LOGIN~NUMBER`), if it is their password. */
  async #renamed(login: string, password: string): Promise<User | undefined> {
    const before = `${loginKey(login)}~`;
    for (const user of this.users.all()) {
      const key = loginKey(user.login);
      const isRenamed = key.startsWith(before) && /^\d+(~\d+)*$/.test(key.slice(before.length));
      if (!isRenamed || user.isDeleted || !user.enabled) continue;
      if (await this.#passwords.verify(user.passwordHash, password)) return user;
    }
    return undefined;
  }

  async #session(
    user: User,
    { address, device = '' }: SignInFrom,
    method: SignInMethod = 'password',
  ): Promise<SignedIn> {
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

  async #endFirstRun(): Promise<void> {
    this.#firstRun = false;
    await this.#store.writePlain((sql) =>
      sql.exec("UPDATE accounts_state SET value = 'done' WHERE name = 'first-run'"),
    );
  }
}

type Person = Pick<User, 'id' | 'login' | 'organizationId'>;

function subjectOf({ id, login, organizationId }: Person): { id: number; name: string; organizationId: number } {
  return { id, name: login, organizationId };
}

/** Somebody who has just proved who they are, and has no token yet. */
function actingFor({ id, login, organizationId }: Person, address: string): Acting {
  return { ...STATION, way: 'interface', userId: id, login, organizationId, address };
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

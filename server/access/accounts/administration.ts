import { seesOrganization } from '../../../shared/access.ts';
import { definedFields } from '../../../shared/defined-fields.ts';
import type { Organization, Role, User } from '../../../shared/records/accounts.ts';
import type { StateRule } from '../../../shared/records/directories.ts';
import { UNTAKEN_ID } from '../../../shared/ids.ts';
import { Refusal } from '../../../shared/refusal.ts';
import type { Mutex } from '../../platform/mutex.ts';
import type { Records, Store } from '../../store/types.ts';
import type { AuditReport } from './report.ts';
import type { Attempts } from './sign-in/attempts.ts';
import type { Caller } from './caller.ts';
import { changeOrganization, createOrganization, deleteOrganization } from './organizations.ts';
import type { OrganizationChange } from './organizations.ts';
import type { Passwords } from './sign-in/passwords.ts';
import { subjectOf } from './sign-in/credentials.ts';
import { changeSignIn } from './sign-in/sign-in-data.ts';
import { changeRole, createRole, deleteRole, leastRoleOf } from './roles.ts';
import type { RoleFields } from './roles.ts';
import type { Tokens } from './tokens.ts';
import { changeUser, createUser, loginKey, deleteUser } from './users.ts';
import type { AccountsView, UserFields } from './users.ts';

interface AdministrationOptions {
  readonly store: Store;
  readonly passwords: Passwords;
  readonly tokens: Tokens;
  readonly attempts: Attempts;
  /**
   * Rules over all accounts (unique login, last administrator) hold only if changes run one after the other.
   */
  readonly turns: Mutex;
  readonly audit: AuditReport;
}

/** The user fields of a request, with the password in clear. */
export type UserChange = Partial<Omit<UserFields, 'passwordHash'>> & {
  password?: string | undefined;
  /** The user must choose another password at the next sign-in. */
  mustChangePassword?: boolean | undefined;
  /** Removes the second factor of a user who lost it. */
  removeSecondFactor?: boolean | undefined;
};

/** Users, roles and organizations, as administrators write them. */
export class Administration {
  readonly #users: Records<User>;
  readonly #roles: Records<Role>;
  readonly #organizations: Records<Organization>;
  readonly #stateRules: Records<StateRule>;
  readonly #passwords: Passwords;
  readonly #tokens: Tokens;
  readonly #attempts: Attempts;
  readonly #turns: Mutex;
  readonly #audit: AuditReport;

  constructor({ store, passwords, tokens, attempts, turns, audit }: AdministrationOptions) {
    this.#users = store.kind<User>('accounts', 'user');
    this.#roles = store.kind<Role>('accounts', 'role');
    this.#organizations = store.kind<Organization>('accounts', 'organization');
    this.#stateRules = store.kind<StateRule>('directories', 'stateRule');
    this.#passwords = passwords;
    this.#tokens = tokens;
    this.#attempts = attempts;
    this.#turns = turns;
    this.#audit = audit;
  }

  /** The users whom this caller administers, by id. */
  usersSeen(caller: Caller): User[] {
    return this.#users.all().filter((user) => !user.isDeleted && seesOrganization(caller, user.organizationId));
  }

  async createUser(
    caller: Caller,
    {
      password,
      mustChangePassword = false,
      removeSecondFactor: _,
      ...fields
    }: UserChange & { login: string; name: string; password: string },
    {
      isPublic = false,
      id,
    }: {
      /** A password of the demo, which everybody may know. */
      isPublic?: boolean;
      /** Taken with `takeUserId`. */
      id?: number;
    } = {},
  ): Promise<User> {
    const full = this.#completed(caller, fields);
    const { login, name } = fields;
    if (!isPublic) await this.#passwords.require(password, this.#wordsOf(caller, { ...full, login, name }));
    // Hashing is slow, so it happens before the lock.
    const passwordHash = await this.#passwords.hash(password);
    const user = await this.#turns.run(() =>
      this.#users.insert({
        ...createUser(
          caller,
          id ?? this.takeUserId(),
          { ...full, login: fields.login, name: fields.name, passwordHash },
          this.view(),
        ),
        ...(mustChangePassword && { signIn: { mustChange: true, totp: null, recoveryCodes: [], pinHash: null } }),
      }),
    );
    await this.#lift(user);
    return user;
  }

  /** An id for a new user. */
  takeUserId(): number {
    return this.#users.nextId();
  }

  /** Throws what creating (`id` undefined) or changing the user would throw, passwords aside. Writes nothing. */
  checkUser(caller: Caller, id: number | undefined, fields: Partial<Omit<UserFields, 'passwordHash'>>): void {
    if (id !== undefined) {
      this.#requireUser(caller, id);
      changeUser(caller, this.#users.get(id)!, fields, this.view());
      return;
    }
    const named = { login: fields.login ?? '', name: fields.name ?? '', passwordHash: '' };
    createUser(caller, UNTAKEN_ID, { ...this.#completed(caller, fields), ...named }, this.view());
  }

  async changeUser(
    caller: Caller,
    id: number,
    { password, mustChangePassword, removeSecondFactor, ...fields }: UserChange,
  ): Promise<User> {
    const before = this.#requireUser(caller, id);
    if (password !== undefined)
      await this.#passwords.require(password, this.#wordsOf(caller, { ...before, ...definedFields(fields) }));
    const passwordHash = password === undefined ? undefined : await this.#passwords.hash(password);
    const user = await this.#turns.run(() =>
      this.#users.change(id, (now) => {
        const changed = changeUser(caller, now, definedFields({ ...fields, passwordHash }), this.view());
        return changeSignIn(changed, {
          ...(mustChangePassword !== undefined && { mustChange: mustChangePassword }),
          // When somebody else sets the password, sessions that the old one opened end, too.
          ...(password !== undefined && id !== caller.user.id && { pinHash: null }),
          ...(removeSecondFactor === true && { totp: null, recoveryCodes: [], passkeys: [] }),
        });
      }),
    );
    if (!user.enabled) await this.#tokens.end((token) => token.userId === id);
    else if (password !== undefined || removeSecondFactor === true)
      await this.#tokens.end((token) => token.userId === id && token.id !== caller.token.id);
    // A user who is locked out asks for a new password and needs it at once.
    if (password !== undefined) await this.#lift(user);
    return user;
  }

  /**
   * Ends the sessions of a user, or of everybody whom this caller administers, but not the caller's own one. Access
   * keys stay. Returns how many ended.
   */
  async endSessions(caller: Caller, userId: number | undefined): Promise<number> {
    const users = userId === undefined ? this.usersSeen(caller) : [this.#requireUser(caller, userId)];
    const isMightier = ({ roleId }: User) => this.#roles.get(roleId)?.superuser === true && !caller.role.superuser;
    if (userId !== undefined && users.some(isMightier)) throw new Refusal('accounts.superuserOnly');
    const ids = new Set(users.filter((user) => !isMightier(user)).map(({ id }) => id));
    let sessions = 0;
    await this.#tokens.end(({ id, kind, userId: owner }) => {
      const ends = kind === 'session' && ids.has(owner) && id !== caller.token.id;
      if (ends) sessions++;
      return ends;
    });
    const subject = userId === undefined ? { name: '' } : subjectOf(users[0]!);
    const details = { sessions, ...(userId === undefined && { of: 'everybody' }) };
    await this.#audit.recordOrMiss({ kind: 'session', action: 'ended', subject, details });
    return sessions;
  }

  async deleteUser(caller: Caller, id: number): Promise<void> {
    const user = this.#requireUser(caller, id);
    if (this.#roles.get(user.roleId)?.superuser && !caller.role.superuser) throw new Refusal('accounts.superuserOnly');
    await this.#turns.run(() => this.#users.change(id, (now) => deleteUser(now, this.view())));
    await this.#tokens.end((token) => token.userId === id);
  }

  createRole(caller: Caller, fields: Partial<RoleFields> & { name: string }): Promise<Role> {
    return this.#turns.run(() =>
      this.#roles.insert(
        createRole(caller, this.#roles.nextId(), definedFields(fields), this.view(), this.#hasStateRule),
      ),
    );
  }

  changeRole(caller: Caller, id: number, fields: Partial<RoleFields>): Promise<Role> {
    this.requireRole(id);
    return this.#turns.run(() =>
      this.#roles.change(id, (now) => changeRole(caller, now, definedFields(fields), this.view(), this.#hasStateRule)),
    );
  }

  async deleteRole(caller: Caller, id: number): Promise<void> {
    const role = this.requireRole(id);
    // Anybody who may change it may delete it.
    changeRole(caller, role, {}, this.view(), this.#hasStateRule);
    await this.#turns.run(() => this.#roles.change(id, (now) => deleteRole(now, this.view())));
  }

  requireRole(id: number): Role {
    const role = this.#roles.get(id);
    if (!role || role.isDeleted) throw new Refusal('accounts.noRole', { id });
    return role;
  }

  /** @param id taken with `takeOrganizationId` */
  createOrganization(
    caller: Caller,
    fields: OrganizationChange & { name: string },
    id = this.takeOrganizationId(),
  ): Promise<Organization> {
    return this.#organizations.insert(createOrganization(caller, id, fields));
  }

  /** An id for a new organization. */
  takeOrganizationId(): number {
    return this.#organizations.nextId();
  }

  /** Throws what creating (`id` undefined) or changing the organization would throw. Writes nothing. */
  checkOrganization(caller: Caller, id: number | undefined, fields: OrganizationChange): void {
    if (id === undefined) createOrganization(caller, UNTAKEN_ID, { name: '', ...fields });
    else changeOrganization(caller, this.requireOrganization(id), fields);
  }

  changeOrganization(caller: Caller, id: number, fields: OrganizationChange): Promise<Organization> {
    this.requireOrganization(id);
    return this.#organizations.change(id, (now) => changeOrganization(caller, now, definedFields(fields)));
  }

  async deleteOrganization(caller: Caller, id: number): Promise<void> {
    this.requireOrganization(id);
    await this.#turns.run(() =>
      this.#organizations.change(id, (now) =>
        deleteOrganization(
          caller,
          now,
          this.#users.all().filter((user) => !user.isDeleted && user.organizationId === id).length,
        ),
      ),
    );
  }

  requireOrganization(id: number): Organization {
    const organization = this.#organizations.get(id);
    if (!organization || organization.isDeleted) throw new Refusal('accounts.noOrganization', { id });
    return organization;
  }

  /** The current records for rules over all accounts. */
  view(): AccountsView {
    return {
      users: this.#users.all(),
      role: (id) => this.#roles.get(id),
      hasOrganization: (id) => this.#organizations.get(id)?.isDeleted === false,
    };
  }

  /** The fields of a new user. */
  #completed(caller: Caller, fields: Partial<Omit<UserFields, 'passwordHash'>>) {
    return {
      email: '',
      phone: '',
      extension: '',
      monitor: false,
      visible: true,
      enabled: true,
      organizationId: caller.user.organizationId,
      roleId: leastRoleOf(this.#roles.all()),
      ...definedFields(fields),
    };
  }

  /** Words that everybody knows about a user. */
  #wordsOf(caller: Caller, { login, name, organizationId }: Pick<User, 'login' | 'name' | 'organizationId'>): string[] {
    const organization = seesOrganization(caller, organizationId) && this.#organizations.get(organizationId);
    return [login, name, ...(organization ? [organization.name] : [])];
  }

  async #lift(user: User): Promise<void> {
    if (!(await this.#attempts.lift(loginKey(user.login)))) return;
    const subject = { id: user.id, name: user.login, organizationId: user.organizationId };
    await this.#audit.recordOrMiss({ kind: 'signIn', action: 'lifted', subject });
  }

  #requireUser(caller: Caller, id: number): User {
    const user = this.#users.get(id);
    if (!user || user.isDeleted || !seesOrganization(caller, user.organizationId))
      throw new Refusal('accounts.noUser', { id });
    return user;
  }

  readonly #hasStateRule = (id: number): boolean => this.#stateRules.get(id)?.isDeleted === false;
}

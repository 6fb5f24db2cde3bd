import type { Organization, Role, User } from '../../../shared/records/accounts.ts';
import { Refusal } from '../../../shared/refusal.ts';
import type { Mutex } from '../../platform/mutex.ts';
import type { Store } from '../../store/types.ts';
import type { Caller } from './caller.ts';
import type { AuditReport } from './report.ts';
import { leastRoleOf } from './roles.ts';
import { changeUser, createUser, loginKey } from './users.ts';
import type { AccountsView } from './users.ts';

/** How somebody proved who they are. */
export const SIGN_IN_METHODS = ['password', 'oidc', 'ldap', 'passkey'] as const;
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];

/** A person for whom a provider or a directory vouches. */
export interface Identity {
  readonly method: 'oidc' | 'ldap';
  /** The provider's issuer, or the directory's address. */
  readonly issuer: string;
  /** The person's lasting name there. */
  readonly subject: string;
  readonly login: string;
  readonly name: string;
  /** Only where it was verified. */
  readonly email: string | undefined;
  readonly groups: readonly string[];
}

/** A group of the provider, and the role and organization of its members here. The first match counts. */
export interface GroupGrant {
  readonly group: string;
  /** Name of a role. */
  readonly role: string;
  /** Name of an organization; missing: that of the role. */
  readonly organization?: string | undefined;
}

export interface IdentityRules {
  /** Makes a user at the first sign-in. */
  readonly create: boolean;
  /** By what an existing user is found at the first sign-in. */
  readonly link: 'none' | 'login' | 'email';
  readonly groups: readonly GroupGrant[];
}

/** A directory that checks passwords. */
export interface PasswordDirectory {
  /** undefined: the login is unknown there, or the password is wrong. Throws DirectoryDown. */
  identify(login: string, password: string): Promise<Identity | undefined>;
}

/** The directory does not answer. */
export class DirectoryDown extends Error {
  override readonly name = 'DirectoryDown';
}

interface Link {
  readonly userId: number;
  /** The user was made by it, so that the directory decides on their role. */
  readonly made: boolean;
}

interface Grant {
  readonly roleId: number;
  readonly organizationId: number;
}

interface IdentitiesOptions {
  readonly store: Store;
  readonly turns: Mutex;
  readonly audit: AuditReport;
  readonly rules: IdentityRules;
  readonly view: () => AccountsView;
  readonly station: () => Caller;
}

/** Which users of the station belong to people of a provider or directory. Links hold at this station only. */
export class Identities {
  readonly #options: IdentitiesOptions;

  constructor(options: IdentitiesOptions) {
    this.#options = options;
  }

  static async makeTable(store: Store): Promise<void> {
    await store.writePlain((sql) =>
      sql.exec(`CREATE TABLE IF NOT EXISTS identities (
        issuer TEXT NOT NULL, subject TEXT NOT NULL, user_id INTEGER NOT NULL, made INTEGER NOT NULL, PRIMARY KEY (issuer, subject))`),
    );
  }

  /** The user of this person: linked before, found, or created. Refuses a person without a group here. */
  admit(identity: Identity): Promise<User> {
    return this.#options.turns.run(() => this.#admit(identity));
  }

  async #admit(identity: Identity): Promise<User> {
    const { store, rules } = this.#options;
    const users = store.kind<User>('accounts', 'user');
    const link = this.#linkOf(identity);
    const grant = this.#grantOf(identity.groups);
    if (rules.groups.length > 0 && !grant) throw new Refusal('accounts.noGroup');
    if (link) {
      const user = users.get(link.userId);
      if (!user || user.isDeleted || !user.enabled) throw new Refusal('accounts.userDisabled');
      return this.#follow(user, link, grant);
    }
    const found = this.#find(identity);
    if (found) {
      if (!found.enabled) throw new Refusal('accounts.userDisabled');
      // A provider must not be able to take over an administrator of the whole station: it creates its own
      // ones by a group.
      const isTaken = this.#isLinked(identity.issuer, found.id);
      if (isTaken || this.#roleOf(found)?.superuser) throw new Refusal('accounts.notLinked');
      await this.#remember(identity, { userId: found.id, made: false }, found);
      return this.#follow(found, { userId: found.id, made: false }, grant);
    }
    if (!rules.create || store.readOnly !== undefined) throw new Refusal('accounts.notKnownHere');
    const by = this.#options.station();
    const taken = this.#options
      .view()
      .users.some((one) => !one.isDeleted && loginKey(one.login) === loginKey(identity.login));
    if (taken) throw new Refusal('accounts.notLinked');
    const roles = store.kind<Role>('accounts', 'role').all();
    const draft = createUser(
      by,
      users.nextId(),
      {
        login: identity.login.replace(/\s+/g, '.').slice(0, 100),
        name: (identity.name.trim() || identity.login).slice(0, 100),
        email: identity.email ?? '',
        phone: '',
        extension: '',
        monitor: false,
        visible: true,
        enabled: true,
        passwordHash: '',
        roleId: grant?.roleId ?? leastRoleOf(roles),
        organizationId: grant?.organizationId ?? by.user.organizationId,
      },
      this.#options.view(),
    );
    return store.transaction(async () => {
      const user = await users.insert(draft);
      await this.#remember(identity, { userId: user.id, made: true }, user);
      return user;
    });
  }

  /** Gives the user what their groups say now. The last administrator stays one, and so does a local superuser. */
  async #follow(user: User, link: Link, grant: Grant | undefined): Promise<User> {
    const { store } = this.#options;
    if (!grant || store.readOnly !== undefined) return user;
    if (!link.made && this.#roleOf(user)?.superuser) return user;
    const { roleId, organizationId } = grant;
    if (user.roleId === roleId && user.organizationId === organizationId) return user;
    try {
      const by = this.#options.station();
      return await store
        .kind<User>('accounts', 'user')
        .change(user.id, (now) => changeUser(by, now, { roleId, organizationId }, this.#options.view()));
    } catch (error) {
      if (error instanceof Refusal && error.code === 'accounts.lastAdministrator') return user;
      throw error;
    }
  }

  #find({ login, email }: Identity): User | undefined {
    const { link } = this.#options.rules;
    const users = this.#options.view().users.filter((user) => !user.isDeleted);
    if (link === 'login') return users.find((user) => loginKey(user.login) === loginKey(login));
    if (link === 'none' || !email) return undefined;
    const named = users.filter((user) => loginKey(user.email) === loginKey(email));
    return named.length === 1 ? named[0] : undefined;
  }

  #grantOf(groups: readonly string[]): Grant | undefined {
    const { store, rules } = this.#options;
    const has = new Set(groups.map(loginKey));
    const entry = rules.groups.find(({ group }) => has.has(loginKey(group)));
    if (!entry) return undefined;
    const organizations = store.kind<Organization>('accounts', 'organization').all();
    const organization = organizations.find(({ isDeleted, name }) => !isDeleted && name === entry.organization);
    const roles = store
      .kind<Role>('accounts', 'role')
      .all()
      .filter(({ isDeleted, name }) => !isDeleted && name === entry.role);
    const role = roles.find((one) => one.organizationId === organization?.id) ?? roles[0];
    if (!role || (entry.organization !== undefined && !organization)) throw new Refusal('accounts.groupNames');
    return { roleId: role.id, organizationId: organization?.id ?? role.organizationId };
  }

  #roleOf(user: User): Role | undefined {
    return this.#options.store.kind<Role>('accounts', 'role').get(user.roleId);
  }

  #linkOf({ issuer, subject }: Identity): Link | undefined {
    const row = this.#options.store.sql
      .prepare('SELECT user_id, made FROM identities WHERE issuer = ? AND subject = ?')
      .get(issuer, subject);
    return row && { userId: Number(row['user_id']), made: row['made'] === 1 };
  }

  #isLinked(issuer: string, userId: number): boolean {
    const query = 'SELECT 1 FROM identities WHERE issuer = ? AND user_id = ?';
    return this.#options.store.sql.prepare(query).get(issuer, userId) !== undefined;
  }

  async #remember({ issuer, subject, method }: Identity, { userId, made }: Link, user: User): Promise<void> {
    const { store, audit } = this.#options;
    await store.writePlain((sql) => {
      sql
        .prepare('INSERT INTO identities (issuer, subject, user_id, made) VALUES (?, ?, ?, ?)')
        .run(issuer, subject, userId, made ? 1 : 0);
      audit
        .record({
          kind: 'identity',
          action: 'created',
          subject: { id: user.id, name: user.login, organizationId: user.organizationId },
          details: { method, issuer, made },
        })
        .catch(() => undefined); // It fails with the link.
    });
  }
}

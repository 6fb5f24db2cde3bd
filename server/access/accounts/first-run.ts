import { randomBytes } from 'node:crypto';
import type { Actor } from '../../../shared/access.ts';
import type { Organization, User } from '../../../shared/records/accounts.ts';
import { Refusal } from '../../../shared/refusal.ts';
import type { Mutex } from '../../platform/mutex.ts';
import type { Records, Store } from '../../store/types.ts';
import type { Administration } from './administration.ts';
import { changeOrganization } from './organizations.ts';
import { seedAccounts } from './seed.ts';
import { changeUser } from './users.ts';
import { changeSignIn } from './sign-in/sign-in-data.ts';
import type { Passwords } from './sign-in/passwords.ts';

/** The person and organization that a new station is for. */
export interface FirstRunForm {
  readonly organization: string;
  readonly login: string;
  readonly name: string;
  readonly password: string;
}

interface FirstRunOptions {
  readonly store: Store;
  readonly users: Records<User>;
  readonly organizations: Records<Organization>;
  readonly passwords: Passwords;
  readonly turns: Mutex;
  view(): ReturnType<Administration['view']>;
  /** The user `admin` of a new station. */
  administrator(): { readonly user: User; readonly role: Actor['role'] } | undefined;
  readonly isOpen: boolean;
}

/** A new station until somebody claims it: with the printed password, or on the first-run page. */
export class StationClaim {
  readonly #options: FirstRunOptions;
  #isOpen: boolean;

  constructor(options: FirstRunOptions) {
    this.#options = options;
    this.#isOpen = options.isOpen;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Somebody has claimed the station, or it is a demo, which has its own logins. */
  async end(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.#options.store.writePlain((sql) =>
      sql.exec("UPDATE accounts_state SET value = 'done' WHERE name = 'first-run'"),
    );
  }

  /** Names the organization and turns `admin` into the person who installed the station. */
  complete(wanted: FirstRunForm): Promise<User> {
    const { store, users, organizations, passwords, turns, view, administrator } = this.#options;
    return turns.run(async () => {
      if (!this.#isOpen) throw new Refusal('accounts.alreadySetUp');
      await passwords.require(wanted.password, [wanted.login, wanted.name, wanted.organization]);
      const by = administrator();
      if (!by) throw new Refusal('accounts.alreadySetUp');
      const { user: admin } = by;
      const passwordHash = await passwords.hash(wanted.password);
      const organization = changeOrganization(
        by,
        organizations.require(admin.organizationId, 'accounts.anyOrganization'),
        { name: wanted.organization },
      );
      const named = changeUser(by, admin, { login: wanted.login, name: wanted.name, passwordHash }, view());
      const user = changeSignIn(named, { mustChange: false });
      await store.transaction(() =>
        Promise.all([users.change(admin.id, () => user), organizations.change(organization.id, () => organization)]),
      );
      await this.end();
      return user;
    });
  }
}

/**
 * Gives an empty station its first accounts.
 * @returns `printedPassword`: the random one of `admin`, on the very first start only
 */
export async function openFirstRun(
  store: Store,
  passwords: Passwords,
  adminPassword: string | undefined,
): Promise<{ isFirstRun: boolean; printedPassword: string | undefined }> {
  await store.writePlain((sql) =>
    sql.exec('CREATE TABLE IF NOT EXISTS accounts_state (name TEXT PRIMARY KEY, value TEXT NOT NULL)'),
  );
  let printedPassword: string | undefined;
  // A standby gets the accounts of the station that it follows.
  if (store.readOnly === undefined && store.kind<User>('accounts', 'user').count() === 0) {
    const password = adminPassword ?? (printedPassword = randomBytes(9).toString('base64url'));
    const passwordHash = await passwords.hash(password);
    const firstRun = printedPassword === undefined ? 'done' : 'open';
    // Together: a crash in between would leave an administrator whom nobody can sign in as.
    await store.transaction(async () => {
      await seedAccounts(store, passwordHash, printedPassword !== undefined);
      await store.writePlain((sql) =>
        sql.prepare("INSERT OR REPLACE INTO accounts_state (name, value) VALUES ('first-run', ?)").run(firstRun),
      );
    });
  }
  const isFirstRun =
    store.sql.prepare("SELECT value FROM accounts_state WHERE name = 'first-run'").get()?.['value'] === 'open';
  return { isFirstRun, printedPassword };
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Accounts } from '../../../../server/access/accounts/index.ts';
import type { Caller } from '../../../../server/access/accounts/index.ts';
import { Passwords } from '../../../../server/access/accounts/sign-in/passwords.ts';
import { openStore } from '../../../../server/store/index.ts';
import type { Store } from '../../../../server/store/index.ts';

const COST = { memoryCost: 8, timeCost: 1 };

let directory: string;
let store: Store;
let accounts: Accounts;
let caller: Caller;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'waypost-accounts-'));
  store = await openStore({ directory });
  accounts = await Accounts.open({ store, passwordCost: COST });
  caller = accounts.stationActor();
});
afterAll(async () => {
  accounts.close();
  await store.close();
  rmSync(directory, { recursive: true });
});

const make = (login: string, roleId?: number) =>
  accounts.administration.createUser(caller, {
    login,
    name: login,
    password: 'long enough',
    ...(roleId === undefined ? {} : { roleId }),
  });
const outcomes = async (changes: Promise<unknown>[]) =>
  (await Promise.allSettled(changes)).map((each) => each.status).toSorted();

/**
 * Starts all of it while nothing can be written yet, and lets it be written when passwords that came later
 * have been hashed.
 */
async function whileNothingIsWritten(
  start: () => Promise<unknown>[],
): Promise<PromiseSettledResult<unknown>['status'][]> {
  const { promise: written, resolve: write } = Promise.withResolvers<void>();
  const held = store.transaction(() => written);
  const started = Promise.allSettled(start());
  const passwords = new Passwords(COST);
  for (let hashed = 0; hashed < 10; hashed++) await passwords.hash('later');
  write();
  await held;
  return (await started).map((each) => each.status);
}

test('a new station has an administrator with a password of its own, three rights and the four statuses', () => {
  expect(accounts.printedPassword).toMatch(/^[\w-]{12}$/);
  expect(accounts.firstRun.isOpen).toBe(true);
  expect(accounts.users.all().map((user) => user.signIn?.mustChange)).toEqual([true]);
  expect(accounts.users.all().map((user) => user.login)).toEqual(['admin']);
  expect(
    accounts.roles
      .all()
      .map((role) => [role.name, role.superuser, role.admin, role.accesses.map((access) => access.capability)]),
  ).toEqual([
    [
      'Administrator',
      true,
      true,
      ['view', 'create', 'edit', 'change_status', 'confirm', 'assign', 'comment', 'attach', 'archive', 'delete'],
    ],
    [
      'Dispatcher',
      false,
      false,
      ['view', 'create', 'edit', 'change_status', 'confirm', 'assign', 'comment', 'attach', 'archive', 'own-places'],
    ],
    ['Viewer', false, false, ['view']],
  ]);
  expect(
    store
      .kind('directories', 'status')
      .all()
      .map((status) => status.id),
  ).toEqual([1, 2, 3, 4]);
});

test('it is made once: opening again changes nothing and prints nothing', async () => {
  const again = await Accounts.open({ store, adminPassword: 'ignored now' });
  expect(again.printedPassword).toBeUndefined();
  expect(again.users.count()).toBe(accounts.users.count());
  await expect(again.signIn('admin', 'ignored now', { address: 'here' })).rejects.toMatchObject({
    kind: 'wrong-login',
  });
  again.close();
});

test('two who set the station up at the same moment: one does', async () => {
  const wanted = (login: string) => ({ organization: `Of ${login}`, login, name: login, password: 'chosen well' });
  const [one, other] = await Promise.allSettled([
    accounts.completeFirstRun(wanted('admin'), { address: 'here' }),
    accounts.completeFirstRun(wanted('rival'), { address: 'here' }),
  ]);
  expect([one.status, other.status]).toEqual(['fulfilled', 'rejected']);
  expect([
    accounts.users.all().map(({ login }) => login),
    accounts.organizations.all().map(({ name }) => name),
  ]).toEqual([['admin'], ['Of admin']]);
  expect(accounts.users.all().map((user) => user.signIn?.mustChange)).toEqual([false]);
});

test('two who take the same login at the same moment: one gets it', async () => {
  const [a, b] = [await make('first'), await make('second')];
  expect(
    await outcomes([
      accounts.administration.changeUser(caller, a.id, { login: 'wanted' }),
      accounts.administration.changeUser(caller, b.id, { login: 'WANTED' }),
    ]),
  ).toEqual(['fulfilled', 'rejected']);
  expect(accounts.users.all().filter((user) => user.login.toLowerCase() === 'wanted')).toHaveLength(1);
});

test('of many users made at the same moment with one login, one is made', async () => {
  for (let round = 0; round < 10; round++) {
    const made = await outcomes(
      Array.from({ length: 5 }, (_, index) => make(index % 2 ? `Rush${round}` : `rush${round}`)),
    );
    expect(
      made.filter((outcome) => outcome === 'fulfilled'),
      `round ${round}`,
    ).toHaveLength(1);
  }
});

test('a user is made of what still holds when it is written: the login free, the right and the organisation not deleted meanwhile', async () => {
  const lucky = await make('lucky');
  const role = await accounts.administration.createRole(caller, { name: 'Short-lived' });
  const organization = await accounts.administration.createOrganization(caller, { name: 'Short-lived' });
  const user = (fields: object) =>
    accounts.administration.createUser(caller, { login: 'late', name: 'Late', password: 'long enough', ...fields });
  expect(
    await whileNothingIsWritten(() => [
      accounts.administration.changeUser(caller, lucky.id, { login: 'Late' }),
      user({}),
    ]),
  ).toEqual(['fulfilled', 'rejected']);
  expect(
    await whileNothingIsWritten(() => [
      accounts.administration.deleteRole(caller, role.id),
      user({ login: 'late-right', roleId: role.id }),
    ]),
  ).toEqual(['fulfilled', 'rejected']);
  expect(
    await whileNothingIsWritten(() => [
      accounts.administration.deleteOrganization(caller, organization.id),
      user({ login: 'late-organization', organizationId: organization.id }),
    ]),
  ).toEqual(['fulfilled', 'rejected']);
  expect(accounts.users.all().filter(({ login }) => /^late/i.test(login))).toEqual([
    expect.objectContaining({ id: lucky.id }),
  ]);
});

test('an organisation that is deleted at the same moment gets no right any more', async () => {
  const { id } = await accounts.administration.createOrganization(caller, { name: 'Closing down' });
  const [isDeleted, made] = await Promise.allSettled([
    accounts.administration.deleteOrganization(caller, id),
    accounts.administration.createRole(caller, { name: 'Too late', organizationId: id }),
  ]);
  expect([isDeleted.status, made.status]).toEqual(['fulfilled', 'rejected']);
  expect(accounts.roles.all().map(({ name }) => name)).not.toContain('Too late');
});

test('logins that look the same are the same', async () => {
  await make('\u00e9lo\u00efse');
  await expect(make('e\u0301loi\u0308se')).rejects.toThrow('already taken');
  await expect(make('ＡＤＭＩＮ')).rejects.toThrow('already taken'); // full-width letters
  expect(accounts.credentials.userByLogin(' ÉLOÏSE ')?.login).toBe('\u00e9lo\u00efse');
});

test('two administrators who disable each other at the same moment: one stays', async () => {
  const [admin] = accounts.users.all();
  const second = await make('deputy', admin!.roleId);
  expect(
    await outcomes([
      accounts.administration.changeUser(caller, admin!.id, { enabled: false }),
      accounts.administration.deleteUser(caller, second.id),
    ]),
  ).toEqual(['fulfilled', 'rejected']);
  expect(
    accounts.users.all().filter((user) => user.enabled && !user.isDeleted && user.roleId === admin!.roleId),
  ).toHaveLength(1);
});

test('a right that lets a user be administrator cannot be taken from the last one, nor deleted while somebody has it', async () => {
  const administrator = accounts.roles.all().find((role) => role.name === 'Administrator')!;
  const by = accounts.stationActor();
  await expect(accounts.administration.changeRole(by, administrator.id, { admin: false })).rejects.toThrow(
    'last administrator',
  );
  await expect(accounts.administration.deleteRole(by, administrator.id)).rejects.toThrow('still has the role');
});

test('the control token acts for the station until its process ends, and is stored nowhere', async () => {
  const token = accounts.grantControl();
  expect(accounts.authenticate(token)).toMatchObject({ role: { admin: true }, token: { id: 0, scopes: null } });
  expect(accounts.renew(accounts.authenticate(token)!)).toBeDefined();
  expect(accounts.authenticate(`${token}x`)).toBeUndefined();
  expect(store.sql.prepare('SELECT count(*) AS count FROM tokens WHERE id = 0').get()!['count']).toBe(0);
  accounts.grantControl();
  expect(accounts.authenticate(token)).toBeUndefined();
});

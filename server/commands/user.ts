import { createInterface } from 'node:readline/promises';
import { Accounts, loginKey } from '../access/accounts/index.ts';
import type { Caller } from '../access/accounts/index.ts';
import { actingAs, Audit, COMMAND, watchRecords } from '../access/audit/index.ts';
import { InvalidSetting } from '../config/index.ts';
import { findControl } from '../control.ts';
import { openStore } from '../store/index.ts';
import { Leadership } from '../replication/sync/index.ts';
import { Refusal } from '../../shared/refusal.ts';
import { dataDirectoryOf, commandWords } from './words.ts';

const USAGE =
  'Usage: waypost user add LOGIN [--name NAME] [--right RIGHT], waypost user password LOGIN, waypost user remove-factor LOGIN, or waypost user disable LOGIN.';

interface Change {
  password: string;
  mustChangePassword: boolean;
  enabled: boolean;
  removeSecondFactor: boolean;
}

/**
 * The users of a station for the command: in the open data directory, or over the running station's
 * interface.
 */
interface Users {
  add(user: { login: string; name: string; right: string | undefined; password: string }): Promise<void>;
  change(login: string, fields: Partial<Change>): Promise<void>;
}

/** `waypost user`: on the data directory when no station runs on it, else through that station. */
export async function run(words: string[]): Promise<void> {
  const { values, positionals } = commandWords(words, USAGE, {
    name: { type: 'string' },
    right: { type: 'string' },
    password: { type: 'string' },
  });
  const [action, login] = positionals;
  if (login === undefined || positionals.length !== 2 || !isAction(action)) throw new InvalidSetting(USAGE);
  const needsPassword = action === 'add' || action === 'password';
  const password = needsPassword ? (values.password ?? (await askPassword())) : '';
  await withUsers(dataDirectoryOf(values.data), async (users) => {
    if (action === 'add') await users.add({ login, name: values.name ?? login, right: values.right, password });
    else if (action === 'password') await users.change(login, { password, mustChangePassword: false });
    else await users.change(login, action === 'disable' ? { enabled: false } : { removeSecondFactor: true });
  });
  console.log(`${login} ${DONE[action]}`);
}

const DONE = {
  'add': 'may sign in.',
  'password': 'has a new password.',
  'remove-factor': 'has no second factor and no passkey any more.',
  'disable': 'may not sign in any more.',
} as const;

function isAction(word: string | undefined): word is keyof typeof DONE {
  return word !== undefined && Object.hasOwn(DONE, word);
}

/**
 * Reads the password from the terminal or a pipe, so that it is in no list of processes. `--password` is for
 * scripts.
 */
async function askPassword(): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await Promise.race([
      lines.question('Password: '),
      new Promise<string>((_resolve, reject) =>
        lines.once('close', () => reject(new InvalidSetting('No password was given.'))),
      ),
    ]);
  } finally {
    lines.close();
  }
}

async function withUsers(data: string, work: (users: Users) => Promise<void>): Promise<void> {
  let store;
  try {
    store = await openStore({ directory: data });
  } catch (error) {
    const control = error instanceof Refusal && error.kind === 'busy' ? findControl(data) : undefined;
    if (!control) throw error;
    return work(overHttp(control.address, control.token));
  }
  try {
    // A standby refuses the change in words.
    new Leadership(store);
    const audit = await Audit.open({ store });
    watchRecords(store, audit);
    const accounts = await Accounts.open({ store, audit });
    try {
      if (accounts.printedPassword !== undefined)
        console.error(`The administrator is admin, the password ${accounts.printedPassword} (it is shown this once).`);
      await actingAs(COMMAND, () => work(inProcess(accounts, accounts.stationActor())));
    } finally {
      accounts.close();
    }
  } finally {
    await store.close();
  }
}

function inProcess(accounts: Accounts, actor: Caller): Users {
  return {
    async add({ login, name, right: role, password }) {
      const roleId =
        role === undefined
          ? undefined
          : roleCalled(
              role,
              accounts.roles.all().filter(({ isDeleted }) => !isDeleted),
            );
      await accounts.administration.createUser(actor, {
        login,
        name,
        password,
        ...(roleId !== undefined && { roleId }),
      });
    },
    async change(login, fields) {
      const user = accounts.credentials.userByLogin(login);
      if (!user) throw new Refusal('commands.noUser', { login });
      await accounts.administration.changeUser(actor, user.id, fields);
    },
  };
}

function overHttp(address: string, token: string): Users {
  const ask = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await fetch(address + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    }).catch(() => {
      throw new Refusal('commands.noAnswerHere', { address });
    });
    const text = await response.text();
    if (!response.ok) throw new Refusal('commands.refused', { fault: text });
    return JSON.parse(text) as T;
  };
  return {
    async add({ login, name, right: role, password }) {
      const groupId =
        role === undefined ? undefined : roleCalled(role, await ask<{ id: number; name: string }[]>('GET', '/rights'));
      await ask('POST', '/users', { login, fio: name, password, groupId });
    },
    async change(login, fields) {
      const users = await ask<{ id: number; login: string }[]>('GET', '/users');
      const user = users.find((each) => loginKey(each.login) === loginKey(login));
      if (!user) throw new Refusal('commands.noUser', { login });
      await ask('PUT', `/users/${user.id}`, fields);
    },
  };
}

/** The id of a role by its name, in any case. */
function roleCalled(name: string, roles: readonly { readonly id: number; readonly name: string }[]): number {
  const found = roles.find((role) => role.name.toLowerCase() === name.toLowerCase());
  if (!found) throw new Refusal('commands.noRole', { name, names: roles.map((role) => role.name).join(', ') });
  return found.id;
}

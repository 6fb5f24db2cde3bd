import { DatabaseSync } from 'node:sqlite';
import { Accounts } from '../../../server/access/accounts/index.ts';
import { openStore } from '../../../server/store/index.ts';
import { seedTasks } from '../../../server/dispatch/tasks/index.ts';
import type { Task, Organization, Role, StateRule, TaskType, User } from '../../../shared/records/index.ts';
import { newTask } from '../../unit/dispatch/tasks/town-hall.ts';
import { Chance } from '../../support/chance.ts';

export const PASSWORD = 'correct horse';
/** Who asks: somebody of one organization, and the administrator who sees all of them. */
export const LOGINS = { member: 'u1', superuser: 'admin' } as const;
export type Login = keyof typeof LOGINS;

/** What hand-written SQL has to know of the data. */
export interface TasksFacts {
  readonly tasks: number;
  /** The organization and the id of `member`. */
  readonly organization: number;
  readonly member: number;
  /** The rule "assigned to me". */
  readonly mine: number;
  readonly types: readonly number[];
  readonly now: number;
}

const ORGANIZATIONS = 12;
const YEARS = 3;
const DAY = 86_400_000;
const TEXT = 'Water comes up through the road surface in front of the house; the caller says that it is getting more. ';

/**
 * The data directory of a region that has worked for three years: twelve organizations of different sizes, five
 * users each; what is older than some weeks is done but for a few, a third of that is archived; four of ten
 * are assigned to a user, one of twelve to another organization.
 */
export async function fillTasks(directory: string, tasks: number): Promise<TasksFacts> {
  const chance = new Chance(7);
  const now = Date.now();
  const store = await openStore({ directory });
  const accounts = await Accounts.open({
    store,
    adminPassword: PASSWORD,
    passwordCost: { memoryCost: 8, timeCost: 1 },
  });
  await seedTasks(store);
  const types = store
    .kind<TaskType>('directories', 'type')
    .all()
    .map(({ id }) => id);
  const dispatcher = store
    .kind<Role>('accounts', 'role')
    .all()
    .find(({ name }) => name === 'Dispatcher')!;
  const { passwordHash } = store.kind<User>('accounts', 'user').all()[0]!;
  const organizations = store.kind<Organization>('accounts', 'organization');
  const users = store.kind<User>('accounts', 'user');
  const organizationIds: number[] = [];
  const people: number[][] = [];
  for (let at = 0; at < ORGANIZATIONS; at++) {
    const info = { address: '', phone: '', inn: '', kpp: '', email: '', homepage: '' };
    const { id: organizationId } = await organizations.insert({
      id: organizations.nextId(),
      kind: 'organization',
      name: `Department ${at + 1}`,
      isDeleted: false,
      logo: '',
      mapExtent: '',
      mapRoadProvider: '',
      mapAerialProvider: '',
      info,
    });
    organizationIds.push(organizationId);
    people.push(
      (
        await users.insertMany(
          Array.from({ length: 5 }, (_, index) => ({
            id: users.nextId(),
            kind: 'user' as const,
            name: `Anna Petrova ${at * 5 + index + 1}`,
            isDeleted: false,
            login: `u${at * 5 + index + 1}`,
            email: '',
            phone: '',
            passwordHash,
            monitor: false,
            visible: true,
            enabled: true,
            roleId: dispatcher.id,
            organizationId,
          })),
        )
      ).map(({ id }) => id),
    );
  }
  const rules = store.kind<StateRule>('directories', 'stateRule');
  const mine = await rules.insert({
    id: rules.nextId(),
    kind: 'stateRule',
    name: 'Assigned to me',
    isDeleted: false,
    field: 'assigned_user_id',
    sign: '=',
    value: null,
    userField: 'user_id',
  });

  const randomTask = (n: number): Task => {
    const age = YEARS * 365 * DAY * (1 - n / tasks);
    const date = Math.round(now - age);
    // Department 1 has the most, the last one a tenth of that.
    const organization = Math.min(ORGANIZATIONS - 1, Math.floor(ORGANIZATIONS * chance.next() ** 1.6));
    const open = chance.maybe(age < 14 * DAY ? 0.5 : age < 60 * DAY ? 0.05 : 0.0005);
    const elsewhere = chance.maybe(1 / 12) ? chance.int(ORGANIZATIONS) : organization;
    const to = chance.maybe(0.4) ? chance.of(people[elsewhere]!) : 0;
    const updatedAt = Math.min(now, date + chance.int(10 * DAY));
    return newTask({
      id: n + 1,
      title: `Burst pipe ${n}`,
      text: TEXT.repeat(1 + chance.int(6)),
      organizationId: organizationIds[organization]!,
      authorId: chance.of(people[organization]!),
      typeId: chance.of(types),
      categoryId: chance.int(5),
      status: open ? 1 + chance.int(3) : 4,
      statusSince: updatedAt,
      confirmed: chance.int(3),
      assignedOrganizationId: elsewhere === organization ? 0 : organizationIds[elsewhere]!,
      assignedUserId: to,
      archived: !open && age > 90 * DAY && chance.maybe(0.35),
      date,
      updatedAt,
      address: `Harbour Street ${chance.int(200)}`,
      point: chance.maybe(0.9) ? { lon: 9.5 + chance.next() / 10, lat: 47.1 + chance.next() / 10, zoom: 16 } : null,
      photos: chance.maybe(0.2) ? 1 + chance.int(4) : 0,
    });
  };
  const messages = store.records('tasks');
  const [table, file] = [store.table('tasks'), store.file];
  // One message through the store shows how all the others have to lie.
  const { key: _key, ...draft } = randomTask(0);
  await messages.insert({ ...draft, id: messages.nextId() });
  accounts.close();
  await store.close();
  insertLike(file, table, tasks, randomTask);
  await (await openStore({ directory })).close(); // makes the indexes
  return { tasks, organization: organizationIds[0]!, member: people[0]![0]!, mine: mine.id, types, now };
}

/**
 * Beside the store, and without its indexes, which are made at once when it opens the next time: a million
 * messages in a minute instead of ten.
 */
function insertLike(file: string, table: string, tasks: number, taskAt: (n: number) => Task): void {
  const sql = new DatabaseSync(file);
  for (const { name } of sql.prepare(`PRAGMA index_list(${table})`).all())
    if (!String(name).startsWith('sqlite_')) sql.exec(`DROP INDEX "${String(name)}"`);
  const first = sql.prepare(`SELECT data, seq FROM ${table}`).get()!;
  const { hlc } = JSON.parse(String(first['data'])) as Task;
  const insert = sql.prepare(
    `INSERT INTO ${table} (key, rev, deleted, lwt, seq, data) SELECT ?, rev, 0, lwt, ?, ? FROM (SELECT rev, lwt FROM ${table} LIMIT 1)`,
  );
  sql.exec('PRAGMA synchronous=OFF; BEGIN');
  for (let n = 1; n < tasks; n++) {
    const message = taskAt(n);
    insert.run(message.key, Number(first['seq']) + n, JSON.stringify({ ...message, hlc }));
  }
  sql.exec(`UPDATE heads SET seq = seq + ${tasks}; UPDATE counters SET last = ${tasks} WHERE name = 'tasks'; COMMIT`);
  sql.close();
}

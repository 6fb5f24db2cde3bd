import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Attachments, Files } from '../../../../server/dispatch/files/index.ts';
import { Fleet } from '../../../../server/dispatch/fleet/index.ts';
import { openStore, type Store } from '../../../../server/store/index.ts';
import { seedTasks, Tasks } from '../../../../server/dispatch/tasks/index.ts';
import type { Actor } from '../../../../shared/access.ts';
import type { Organization, Role, StateRule, User } from '../../../../shared/records/index.ts';

/**
 * The rooms around messages over a real store, with two or more departments and their people; closed and gone
 * after the test.
 */
export interface ControlRoom {
  store: Store;
  tasks: Tasks;
  fleet: Fleet;
  clock: { now: number };
  /** Ids of departments 0, 1, 2. */
  organizationIds: number[];
  /** A person of a department (by index) with a right of their own. */
  person(organization: number, fields: Partial<Pick<Role, 'superuser' | 'admin' | 'accesses'>>): Promise<Actor>;
  actorOf(userId: number): Actor;
  addRule(rule: Pick<StateRule, 'field' | 'sign' | 'value'> & { userField?: string }): Promise<StateRule>;
  typeIds: number[];
  close(): Promise<void>;
}

export async function openControlRoom(now = Date.UTC(2026, 5, 1, 12)): Promise<ControlRoom> {
  const directory = mkdtempSync(join(tmpdir(), 'waypost-tasks-'));
  const clock = { now };
  const store = await openStore({ directory, now: () => clock.now });
  await seedTasks(store);
  const organizations = store.kind<Organization>('accounts', 'organization');
  const roles = store.kind<Role>('accounts', 'role');
  const users = store.kind<User>('accounts', 'user');
  const rules = store.kind<StateRule>('directories', 'stateRule');
  const organizationIds: number[] = [];
  for (const name of ['Ambulance', 'Fire and rescue', 'Roads']) {
    const info = { address: '', phone: '', inn: '', kpp: '', email: '', homepage: '' };
    const { id } = await organizations.insert({
      id: organizations.nextId(),
      kind: 'organization',
      name,
      isDeleted: false,
      logo: '',
      mapExtent: '',
      mapRoadProvider: '',
      mapAerialProvider: '',
      info,
    });
    organizationIds.push(id);
  }
  const fleet = new Fleet({ store, now: () => clock.now });
  const files = new Files({
    directory: join(directory, 'files'),
    store,
    limit: 10_000_000,
    now: () => clock.now,
    organizationOf: () => undefined,
  });
  const attachments = new Attachments({ store, files, now: () => clock.now });
  files.keepReferenced((sha256) => attachments.has(sha256));
  const tasks = new Tasks({ store, fleet, attachments, now: () => clock.now });
  const actorOf = (userId: number): Actor => {
    const user = users.get(userId)!;
    return { user, role: roles.get(user.roleId)! };
  };
  return {
    store,
    tasks,
    fleet,
    clock,
    organizationIds,
    actorOf,
    async person(organization, fields) {
      const organizationId = organizationIds[organization]!;
      const role = await roles.insert({
        id: roles.nextId(),
        kind: 'role',
        name: 'Role',
        isDeleted: false,
        organizationId,
        superuser: false,
        admin: false,
        accesses: [{ id: 1, capability: 'view', stateIds: null }],
        ...fields,
      });
      const id = users.nextId();
      await users.insert({
        id,
        kind: 'user',
        name: `User ${id}`,
        isDeleted: false,
        login: `u${id}`,
        email: '',
        phone: '',
        passwordHash: 'secret',
        monitor: false,
        visible: true,
        enabled: true,
        roleId: role.id,
        organizationId,
      });
      return actorOf(id);
    },
    addRule: (rule) =>
      rules.insert({ id: rules.nextId(), kind: 'stateRule', name: 'Rule', isDeleted: false, userField: '', ...rule }),
    typeIds: [...tasks.types.values()].map((type) => type.id),
    async close() {
      await tasks.close();
      await fleet.close();
      await store.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

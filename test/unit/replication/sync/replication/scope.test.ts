import { expect, onTestFinished, test } from 'vitest';
import { keyOf, kindKeyOf } from '../../../../../shared/ids.ts';
import { firstStamps } from '../../../../../shared/merge/merge.ts';
import { stampClock, stationPart } from '../../../../../shared/merge/stamps.ts';
import type { Role, User } from '../../../../../shared/records/index.ts';
import { HashSum, recordHash } from '../../../../../server/store/index.ts';
import type { AnyStored, CollectionName, Store } from '../../../../../server/store/index.ts';
import { REPLICATED } from '../../../../../server/replication/sync/replication/collections.ts';
import { Scope } from '../../../../../server/replication/sync/replication/scope/scope.ts';
import { ScopedLinks } from '../../../../../server/replication/sync/replication/scope/scoped-links.ts';
import { DEFAULT_SETTINGS } from '../../../../../server/replication/sync/index.ts';
import { Chance, SEED } from '../../../../support/chance.ts';
import { eventually } from '../../../../support/eventually.ts';
import { comment, draftTask, temporaryStore } from '../../../store/open-store.ts';
import { Peer, replicationOf } from './peer.ts';

const NORTH = 7;
const theirs = stampClock(stationPart(2, 'peer'), Date.now);

function linkTo(...organizations: number[]) {
  return { id: 1, settings: { ...DEFAULT_SETTINGS, organizations }, theirSettings: DEFAULT_SETTINGS };
}

function counted(store: Store, scope: Scope): [CollectionName, string][] {
  return REPLICATED.map((name) => {
    const sum = new HashSum();
    const rows = store.sql.prepare(`SELECT data FROM ${store.table(name)} WHERE deleted = 0`).all();
    for (const { data } of rows) {
      const record = JSON.parse(data as string) as AnyStored & Record<string, unknown>;
      if (scope.carries(name, record)) sum.add(recordHash(name, record));
    }
    return [name, sum.text];
  });
}

test(`[sync 76] the sums of a limited link are those of what it carries, whatever moves (WAYPOST_SEED=${SEED})`, async () => {
  const chance = new Chance();
  const store = await temporaryStore({ stationNumber: 1 });
  const tasks = store.records('tasks');
  const comments = store.records('comments');
  for (let number = 0; number < 450; number++)
    await tasks.insert(draftTask(store, { organizationId: chance.of([NORTH, 8]) }));
  const links = new ScopedLinks(store, (error) => expect.unreachable(String(error)));
  onTestFinished(() => links.close());
  const link = linkTo(NORTH);
  links.follow(link);
  const scope = links.scopeOf(link.id)!;
  for (let step = 0; step < 300; step++) {
    const one = chance.of(tasks.all());
    const kind = chance.int(6);
    if (kind === 0) await tasks.change(one.id, (record) => ({ ...record, organizationId: chance.of([NORTH, 8]) }));
    else if (kind === 1)
      await tasks.change(one.id, (record) => ({ ...record, assignedOrganizationId: chance.of([NORTH, 0]) }));
    else if (kind === 2) await tasks.remove(one.id);
    else if (kind === 3) await store.evict('tasks', [one.key]);
    else if (kind === 4)
      await store
        .transaction(async () => {
          await comments.insert(comment(store, { taskId: one.id }));
          await tasks.change(one.id, (record) => ({ ...record, organizationId: NORTH }));
          if (chance.maybe()) throw new Error('undone');
        })
        .catch(() => undefined);
    else await comments.insert(comment(store, { taskId: one.id }));
    if (step % 50 === 49) await eventually(() => expect(links.sums(1)).toEqual(counted(store, scope)));
  }
});

test('[sync 76] what was written while no station ran is counted when it starts', async () => {
  const store = await temporaryStore({ stationNumber: 1 });
  const first = new ScopedLinks(store, () => undefined);
  first.follow(linkTo(NORTH));
  const scope = first.scopeOf(linkTo(NORTH).id)!;
  await eventually(() => expect(first.sums(1)).toBeDefined());
  await first.close();
  await store.records('tasks').insert(draftTask(store, { organizationId: NORTH }));
  const second = new ScopedLinks(store, () => undefined);
  onTestFinished(() => second.close());
  second.follow(linkTo(NORTH));
  await eventually(() => expect(second.sums(1)).toEqual(counted(store, scope)));
});

test('[sync 74] over a limited link neither records of other organizations come in, nor more rights', async () => {
  const store = await temporaryStore({ stationNumber: 1 });
  const roles = store.kind<Role>('accounts', 'role');
  const users = store.kind<User>('accounts', 'user');
  const role = { kind: 'role' as const, isDeleted: false, organizationId: NORTH, admin: true, accesses: [] };
  const mighty = await roles.insert({ ...role, id: roles.nextId(), name: 'All', superuser: true });
  const small = await roles.insert({ ...role, id: roles.nextId(), name: 'Few', superuser: false, admin: false });
  const person = {
    kind: 'user' as const,
    name: 'Anna',
    isDeleted: false,
    email: '',
    phone: '',
    passwordHash: '',
    monitor: false,
    visible: true,
    enabled: true,
    organizationId: NORTH,
  };
  const admin = await users.insert({ ...person, id: users.nextId(), login: 'admin', roleId: mighty.id });
  const replication = replicationOf(store);
  const peer = new Peer();
  peer.set({ organizations: [NORTH] });
  const ofUser = (number: number, over: Partial<User>) => ({
    ...person,
    id: 20_000_000 + number,
    key: kindKeyOf('user', 20_000_000 + number),
    hlc: firstStamps(theirs.next()),
    login: `user-${number}`,
    roleId: small.id,
    ...over,
  });
  peer.write('accounts', [
    ofUser(1, {}),
    ofUser(2, { roleId: mighty.id }),
    ofUser(3, { organizationId: 8 }),
    { ...admin, passwordHash: 'theirs', hlc: { base: admin.hlc.base, fields: { passwordHash: theirs.next() } } },
    { ...small, superuser: true, hlc: { base: small.hlc.base, fields: { superuser: theirs.next() } } },
  ]);
  const ofTask = (number: number, organizationId: number) => ({
    ...draftTask(store, { id: 20_000_000 + number, organizationId }),
    key: keyOf(20_000_000 + number),
    hlc: firstStamps(theirs.next()),
  });
  peer.write('tasks', [ofTask(1, NORTH), ofTask(2, 8)]);
  replication.attach(peer.channel);
  await eventually(() => expect(replication.refused.count()).toBe(5));
  await eventually(() => expect(store.records('tasks').count()).toBe(1));
  expect(users.all().map(({ login }) => login)).toEqual(['admin', 'user-1']);
  expect(users.get(admin.id)!.passwordHash).toBe('');
  expect(roles.get(small.id)!.superuser).toBe(false);
  expect(
    store
      .records('tasks')
      .all()
      .map(({ id }) => id),
  ).toEqual([20_000_001]);
});

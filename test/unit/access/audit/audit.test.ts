import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Accounts } from '../../../../server/access/accounts/index.ts';
import { actingAs, Audit, STATION, verifyTable, watchRecords } from '../../../../server/access/audit/index.ts';
import { chainHash } from '../../../../server/access/audit/chain.ts';
import { openStore } from '../../../../server/store/index.ts';
import type { Store } from '../../../../server/store/index.ts';

const DAY = 86_400_000;
let directory: string;
let store: Store;
let audit: Audit;
let accounts: Accounts;
let now = 1_700_000_000_000;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'waypost-audit-'));
  store = await openStore({ directory });
  audit = await Audit.open({ store, now: () => now });
  watchRecords(store, audit);
  accounts = await Accounts.open({ store, audit, passwordCost: { memoryCost: 8, timeCost: 1 } });
});
afterAll(async () => {
  accounts.close();
  await store.close();
  rmSync(directory, { recursive: true });
});

const record = (name: string) => audit.record({ kind: 'setting', action: 'changed', subject: { name } });
const kinds = async () => (await audit.read({}, 1000)).map(({ kind, action }) => `${kind} ${action}`);
const anna = {
  ...STATION,
  way: 'interface',
  userId: 7,
  login: 'anna',
  organizationId: 1,
  address: '10.0.0.7',
} as const;

/** A copy of the database without its triggers, which a check looks at after each change by hand. */
async function tampering(name: string) {
  await store.backup(join(directory, name));
  const sql = new DatabaseSync(join(directory, name));
  sql.exec('DROP TRIGGER audit_unchanged; DROP TRIGGER audit_kept');
  return async (tamper: (sql: DatabaseSync) => void) => {
    sql.exec('BEGIN');
    tamper(sql);
    const { broken } = await verifyTable(sql, async () => undefined);
    sql.exec('ROLLBACK');
    return broken;
  };
}

test('the first records of a station are entries, and no secret is in them', async () => {
  const entries = await audit.read({}, 1000);
  expect(entries.at(-1)).toMatchObject({ id: 1, kind: 'audit', action: 'started', way: 'station' });
  expect(entries.find(({ kind, subject }) => kind === 'user' && subject === 'admin')).toMatchObject({
    action: 'created',
    details: { name: 'Administrator', enabled: true },
  });
  expect(JSON.stringify(entries)).not.toContain('argon2');
});

test('an entry names who acts, until the request ends', async () => {
  let later: Promise<void> | undefined;
  let request: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (request = resolve));
  await actingAs(anna, async () => {
    await record('by anna');
    later = ended.then(() => record('by what she started'));
  });
  request();
  await later;
  const [after, before] = await audit.read({}, 2);
  expect(before).toMatchObject({ userId: 7, login: 'anna', address: '10.0.0.7', way: 'interface' });
  expect(after).toMatchObject({ userId: null, login: '', way: 'station' });
});

test('a change of a role is one entry with both values, in the transaction of the change', async () => {
  const caller = accounts.stationActor();
  const role = await actingAs(anna, () => accounts.administration.createRole(caller, { name: 'Night shift' }));
  await actingAs(anna, () => accounts.administration.changeRole(caller, role.id, { admin: true }));
  const entries = await audit.read({ kind: 'role', subject: 'night' }, 10);
  expect(entries).toMatchObject([
    { action: 'changed', login: 'anna', details: { admin: [false, true] } },
    { action: 'created' },
  ]);
  const before = await kinds();
  const undone = store.transaction(async () => {
    await store.kind('accounts', 'role').change(role.id, (now) => ({ ...now, name: 'Undone' }) as never);
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect(await kinds()).toEqual(before);
});

test('a write whose entry cannot be stored is refused', async () => {
  await store.writePlain((sql) =>
    sql.exec(`CREATE TRIGGER refuse BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'no room'); END`),
  );
  const caller = accounts.stationActor();
  await expect(accounts.administration.createRole(caller, { name: 'Unrecorded' })).rejects.toThrow('no room');
  await store.writePlain((sql) => sql.exec('DROP TRIGGER refuse'));
  expect(accounts.roles.all().map(({ name }) => name)).not.toContain('Unrecorded');
});

test('entries can be neither changed nor removed', async () => {
  await expect(store.writePlain((sql) => sql.exec("UPDATE audit SET entry = '{}' WHERE id = 1"))).rejects.toThrow(
    'cannot be changed',
  );
  await expect(store.writePlain((sql) => sql.exec('DELETE FROM audit WHERE id = 1'))).rejects.toThrow(
    'cannot be removed',
  );
});

test('a check names the first entry that was changed, taken out, or cut off', async () => {
  for (let at = 0; at < 5; at++) await record(`entry ${at}`);
  const { id: last } = audit.head;
  const verifyAfter = await tampering('sound.db');
  expect((await audit.verify()).broken).toBeNull();
  expect(await verifyAfter(() => undefined)).toBeNull();
  expect(await verifyAfter((sql) => sql.exec(`UPDATE audit SET entry = replace(entry, 'entry 2', 'entry 9')`))).toEqual(
    { id: last - 2, fault: 'changed' },
  );
  expect(await verifyAfter((sql) => sql.exec(`DELETE FROM audit WHERE id = ${last - 3}`))).toEqual({
    id: last - 3,
    fault: 'missing',
  });
  expect(await verifyAfter((sql) => sql.exec(`DELETE FROM audit WHERE id >= ${last}`))).toEqual({
    id: last,
    fault: 'end-missing',
  });
});

test('an export of everything verifies without the station', async () => {
  let hash = '0'.repeat(64);
  for await (const { hash: own, ...entry } of audit.export({})) {
    hash = chainHash(hash, JSON.stringify(entry));
    expect(own).toBe(hash);
  }
  expect(hash).toBe(audit.head.hash);
});

test('filters find by time, user, kind, subject and text; pages continue before an id', async () => {
  now += DAY;
  await actingAs(anna, () => record('Ночная смена'));
  now += DAY;
  await record('later');
  const names = async (filter: Parameters<Audit['read']>[0], limit = 10, before?: number) =>
    (await audit.read(filter, limit, before)).map(({ subject }) => subject);
  expect(await names({ from: now - DAY, until: now })).toEqual(['Ночная смена']);
  expect(await names({ userId: 7, from: now - DAY })).toEqual(['Ночная смена']);
  expect(await names({ text: 'ночная' })).toEqual(['Ночная смена']);
  expect(await names({ organizationId: 1, kind: 'setting' }, 1)).toEqual(['Ночная смена']);
  expect(await names({ organizationId: 99 })).toEqual([]);
  expect(await names({}, 1, audit.head.id)).toEqual(['Ночная смена']);
});

test('old entries go, and the chain holds from the anchor; a forged anchor is found', async () => {
  const before = audit.head;
  now += 100 * DAY;
  expect(await audit.sweep(101)).toBeGreaterThan(5);
  expect(await audit.sweep(101)).toBe(0);
  const { from, head, broken, entries } = await audit.verify();
  const verifyAfter = await tampering('swept.db');
  expect(broken).toBeNull();
  expect(head.id).toBe(before.id + 1);
  expect(entries).toBe(head.id - from.id);
  expect(await verifyAfter((sql) => sql.exec('DELETE FROM audit_anchors'))).toMatchObject({ fault: 'missing' });
  const forged = (sql: DatabaseSync) => {
    const { id, hash } = sql.prepare('SELECT id, hash FROM audit ORDER BY id LIMIT 1').get() as {
      id: number;
      hash: string;
    };
    sql.prepare('INSERT INTO audit_anchors (id, hash, at) VALUES (?, ?, 0)').run(id, hash);
    sql.prepare('DELETE FROM audit WHERE id <= ?').run(id);
  };
  expect(await verifyAfter(forged)).toEqual({ id: from.id + 2, fault: 'anchor' });
});

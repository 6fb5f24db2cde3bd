import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { CollectionName, Store } from '../../../server/store/index.ts';
import { COLLECTIONS, type Role, type User } from '../../../shared/records/index.ts';
import { temporaryDirectory, temporaryStore } from './open-store.ts';

interface Step {
  readonly number: number;
  /** Former names of collections, kinds and fields. */
  readonly collections: Readonly<Record<string, string>>;
  readonly kinds: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, string>>;
}

/** What the steps that rename records rename. */
const STEPS: readonly Step[] = [
  {
    number: 10,
    collections: {},
    kinds: { mark: 'make' },
    fields: {
      withdrawn: 'isDeleted',
      withdrawnAt: 'deletedAt',
      wheel: 'superuser',
      translit: 'slug',
      motohours: 'engineHours',
      motohoursStop: 'engineHoursStop',
      motohoursMove: 'engineHoursMove',
      markId: 'makeId',
      till: 'until',
    },
  },
  {
    number: 11,
    collections: { messages: 'tasks' },
    kinds: { right: 'role' },
    fields: {
      messageId: 'taskId',
      departmentId: 'organizationId',
      departmentIds: 'organizationIds',
      assignedDepartmentId: 'assignedOrganizationId',
      assignedDepartment: 'assignedOrganization',
      rightId: 'roleId',
    },
  },
];

/** `station.db` as the program wrote it when its database was at this step; passwords are taken out. */
const FIXTURES = [9, 10].map((step) => ({
  step,
  bytes: gunzipSync(readFileSync(new URL(`./station-step-${step}.db.gz`, import.meta.url))),
  renames: STEPS.filter(({ number }) => number > step),
}));
type Fixture = (typeof FIXTURES)[number];

/** Alarms say by `withdrawn` that their event was. */
const KEPT: Record<string, readonly string[]> = { alarms: ['withdrawn'] };
/** What people or the interface named. */
const VALUES = new Set(['customValues', 'from', 'to']);

type Plain = Record<string, unknown>;

/** The record as it is expected after the step. */
function renamed(value: unknown, collection: string, fields: Step['fields']): unknown {
  if (Array.isArray(value)) return value.map((one) => renamed(one, collection, fields));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const [seen, bare] = name.startsWith('~') ? ['~', name.slice(1)] : ['', name];
      const next = KEPT[collection]?.includes(bare) ? bare : (fields[bare] ?? bare);
      return [seen + next, VALUES.has(name) ? inner : renamed(inner, collection, fields)];
    }),
  );
}

function expected(record: Plain, collection: string, { kinds, fields }: Step): Plain {
  const result = renamed(record, collection, fields) as Plain;
  const kind = record['kind'] as string | undefined;
  if (kind !== undefined && kinds[kind] !== undefined && ['accounts', 'fleet', 'directories'].includes(collection)) {
    result['kind'] = kinds[kind];
    result['key'] = String(result['key']).replace(`${kind}:`, `${kinds[kind]}:`);
  }
  if (collection === 'history') result['field'] = fields[record['field'] as string] ?? record['field'];
  return result;
}

interface Row {
  readonly data: string;
  readonly rev: string;
  readonly seq: number;
}

function oldDatabase({ bytes }: Fixture): DatabaseSync {
  const file = join(temporaryDirectory(), 'old.db');
  writeFileSync(file, bytes);
  return new DatabaseSync(file);
}

function oldRows(fixture: Fixture, collection: string): Row[] {
  const former = fixture.renames.reduceRight(
    (name, { collections }) => Object.keys(collections).find((old) => collections[old] === name) ?? name,
    collection,
  );
  using sql = oldDatabase(fixture);
  return sql.prepare(`SELECT data, rev, seq FROM "station.${former}.0" ORDER BY seq`).all() as unknown as Row[];
}

async function opened({ bytes }: Fixture): Promise<Store> {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, 'station.db'), bytes);
  return temporaryStore({ directory });
}

test.each(FIXTURES)('a directory of step $step opens with every record under the new names', async (fixture) => {
  const store = await opened(fixture);
  // Merges are younger than that directory.
  const { merges: _merges, ...former } = COLLECTIONS;
  for (const [name, { name: collection }] of Object.entries(former)) {
    const before = oldRows(fixture, collection);
    const after = store.sql
      .prepare(`SELECT data, rev, seq FROM ${store.table(name as CollectionName)} ORDER BY seq`)
      .all() as unknown as Row[];
    expect(before.length, collection).toBeGreaterThan(0);
    expect(
      after.map(({ data, rev, seq }) => ({ rev, seq, record: JSON.parse(data) as Plain })),
      collection,
    ).toEqual(
      before.map(({ data, rev, seq }) => ({
        rev,
        seq,
        record: fixture.renames.reduce((record, step) => expected(record, collection, step), JSON.parse(data) as Plain),
      })),
    );
  }
});

test.each(FIXTURES)('step $step: what opens can be read, changed and added to, with new ids', async (fixture) => {
  const store = await opened(fixture);
  const tasks = store.records('tasks');
  expect(tasks.nextId()).toBeGreaterThan(Math.max(...tasks.all().map(({ id }) => id), 100));
  const roles = store.kind<Role>('accounts', 'role');
  expect(roles.nextId()).toBeGreaterThan(Math.max(...roles.all().map(({ id }) => id)));
  for (const user of store.kind<User>('accounts', 'user').all()) expect(roles.get(user.roleId)).toBeDefined();
  const makes = store.kind('fleet', 'make' as never);
  expect(makes.all().length).toBeGreaterThan(0);
  expect(makes.nextId()).toBeGreaterThan(Math.max(...makes.all().map(({ id }) => id)));
  const [vehicle] = store.records('vehicles').all();
  const changed = await store.records('vehicles').change(vehicle!.id, (now) => ({ ...now, notes: 'after the step' }));
  expect(changed).toMatchObject({ makeId: vehicle!.makeId, notes: 'after the step' });
  expect(changed.hlc.fields['notes']).toBeDefined();
});

test.each(FIXTURES)('step $step: every record that opens fits its schema', async (fixture) => {
  const store = await opened(fixture);
  for (const [name, { record }] of Object.entries(COLLECTIONS)) {
    const rows = store.sql.prepare(`SELECT data FROM ${store.table(name as CollectionName)}`).all();
    for (const { data } of rows) {
      const found = record.safeParse(JSON.parse(String(data)));
      expect(found.error?.issues, `${name}: ${String(data)}`).toBeUndefined();
    }
  }
});

test('step 10: mail, letters, lives of tasks, checkpoints and purges follow', async () => {
  const fixture = FIXTURES[1]!;
  const store = await opened(fixture);
  using old = oldDatabase(fixture);
  const rows = (sql: Pick<DatabaseSync, 'prepare'>, query: string) =>
    sql
      .prepare(query)
      .all()
      .map((row) => ({ ...row }));
  for (const [before, after] of [
    [
      'SELECT message_id AS task, department_id AS organization FROM mail',
      'SELECT task_id AS task, organization_id AS organization FROM mail',
    ],
    [
      'SELECT message_id AS task, department_id AS organization FROM post',
      'SELECT task_id AS task, organization_id AS organization FROM post',
    ],
    ['SELECT message AS task, events FROM task_lives', 'SELECT task, events FROM task_lives'],
    ['SELECT vehicle, since, message AS task FROM task_turns', 'SELECT vehicle, since, task FROM task_turns'],
  ] as const) {
    expect(rows(old, before).length, before).toBeGreaterThan(0);
    expect(rows(store.sql, after)).toEqual(rows(old, before));
  }
  const reached = (sql: Pick<DatabaseSync, 'prepare'>, source: string) =>
    sql.prepare('SELECT seq FROM event_checkpoints_of_feeds WHERE source = ?').get(source)?.['seq'];
  expect(reached(store.sql, 'tasks')).toBe(reached(old, 'messages'));
  expect(reached(store.sql, 'messages')).toBeUndefined();
  const purged = (sql: Pick<DatabaseSync, 'prepare'>, table: string) =>
    sql.prepare('SELECT seq FROM purges WHERE records = ?').get(table)?.['seq'];
  expect(purged(old, '"station.messages.0"')).toBeGreaterThan(0);
  expect(purged(store.sql, store.table('tasks'))).toBe(purged(old, '"station.messages.0"'));
});

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { CollectionName, Store } from '../../../server/store/index.ts';
import { COLLECTIONS } from '../../../shared/records/index.ts';
import { temporaryDirectory, temporaryStore } from './open-store.ts';

/** `station.db` as the program wrote it before step 10 of the database; passwords are taken out. */
const OLD = gunzipSync(readFileSync(new URL('./station-step-9.db.gz', import.meta.url)));

/** Former names of collections, kinds and fields. */
const COLLECTION_NAMES: Record<string, string> = {};
const KINDS: Record<string, string> = { mark: 'make' };
const FIELDS: Record<string, string> = {
  withdrawn: 'isDeleted',
  withdrawnAt: 'deletedAt',
  wheel: 'superuser',
  translit: 'slug',
  motohours: 'engineHours',
  motohoursStop: 'engineHoursStop',
  motohoursMove: 'engineHoursMove',
  markId: 'makeId',
  till: 'until',
};
/** Alarms say by `withdrawn` that their event was. */
const KEPT: Record<string, readonly string[]> = { alarms: ['withdrawn'] };

type Plain = Record<string, unknown>;

/** The record as it is expected after the step. */
function renamed(value: unknown, collection: string): unknown {
  if (Array.isArray(value)) return value.map((one) => renamed(one, collection));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const [seen, bare] = name.startsWith('~') ? ['~', name.slice(1)] : ['', name];
      const next = KEPT[collection]?.includes(bare) ? bare : (FIELDS[bare] ?? bare);
      return [seen + next, renamed(inner, collection)];
    }),
  );
}

function expected(record: Plain, collection: string): Plain {
  const result = renamed(record, collection) as Plain;
  const kind = record['kind'] as string | undefined;
  if (kind !== undefined && KINDS[kind] !== undefined && ['accounts', 'fleet', 'directories'].includes(collection)) {
    result['kind'] = KINDS[kind];
    result['key'] = String(result['key']).replace(`${kind}:`, `${KINDS[kind]}:`);
  }
  if (collection === 'history') result['field'] = FIELDS[record['field'] as string] ?? record['field'];
  return result;
}

interface Row {
  readonly data: string;
  readonly rev: string;
  readonly seq: number;
}

function oldRows(collection: string): Row[] {
  const former = Object.keys(COLLECTION_NAMES).find((name) => COLLECTION_NAMES[name] === collection) ?? collection;
  const file = join(temporaryDirectory(), 'old.db');
  writeFileSync(file, OLD);
  using sql = new DatabaseSync(file);
  return sql.prepare(`SELECT data, rev, seq FROM "station.${former}.0" ORDER BY seq`).all() as unknown as Row[];
}

async function opened(): Promise<Store> {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, 'station.db'), OLD);
  return temporaryStore({ directory });
}

test('a directory of before step 10 opens with every record under the new names', async () => {
  const store = await opened();
  // Merges are younger than that directory.
  const { merges: _merges, ...former } = COLLECTIONS;
  for (const [name, { name: collection }] of Object.entries(former)) {
    const before = oldRows(collection);
    const after = store.sql
      .prepare(`SELECT data, rev, seq FROM ${store.table(name as CollectionName)} ORDER BY seq`)
      .all() as unknown as Row[];
    expect(before.length, collection).toBeGreaterThan(0);
    expect(
      after.map(({ data, rev, seq }) => ({ rev, seq, record: JSON.parse(data) as Plain })),
      collection,
    ).toEqual(
      before.map(({ data, rev, seq }) => ({ rev, seq, record: expected(JSON.parse(data) as Plain, collection) })),
    );
  }
});

test('what opens can be read, changed and added to: ids go on behind those of before', async () => {
  const store = await opened();
  const makes = store.kind('fleet', 'make' as never);
  expect(makes.all().length).toBeGreaterThan(0);
  expect(makes.nextId()).toBeGreaterThan(Math.max(...makes.all().map(({ id }) => id)));
  const [vehicle] = store.records('vehicles').all();
  const changed = await store.records('vehicles').change(vehicle!.id, (now) => ({ ...now, notes: 'after the step' }));
  expect(changed).toMatchObject({ makeId: vehicle!.makeId, notes: 'after the step' });
  expect(changed.hlc.fields['notes']).toBeDefined();
});

test('every record that opens fits its schema', async () => {
  const store = await opened();
  for (const [name, { record }] of Object.entries(COLLECTIONS)) {
    const rows = store.sql.prepare(`SELECT data FROM ${store.table(name as CollectionName)}`).all();
    for (const { data } of rows) {
      const found = record.safeParse(JSON.parse(String(data)));
      expect(found.error?.issues, `${name}: ${String(data)}`).toBeUndefined();
    }
  }
});

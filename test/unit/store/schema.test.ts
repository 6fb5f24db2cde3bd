import { addRxPlugin, createRxDatabase } from 'rxdb';
import { disableWarnings, RxDBDevModePlugin } from 'rxdb/plugins/dev-mode';
import { getRxStorageMemory } from 'rxdb/plugins/storage-memory';
import { wrappedValidateAjvStorage } from 'rxdb/plugins/validate-ajv';
import { expect, test } from 'vitest';
import { COLLECTIONS } from '../../../shared/records/index.ts';
import type { CollectionShape } from '../../../shared/records/index.ts';
import { keyOf } from '../../../shared/ids.ts';
import type { z } from 'zod';
import { rxSchemaOf } from '../../../server/store/schema.ts';
import { draftTask } from './open-store.ts';

const SHAPES = Object.values(COLLECTIONS) as unknown as CollectionShape<z.ZodObject>[];

test('there are at most 12 collections: the free edition of RxDB stops at 13 in a process', () => {
  expect(SHAPES.length).toBeLessThanOrEqual(12);
  expect(new Set(SHAPES.map((shape) => shape.name)).size).toBe(SHAPES.length);
});

test("RxDB's development mode accepts every schema, and its validator a record of ours", async () => {
  disableWarnings();
  addRxPlugin(RxDBDevModePlugin);
  const database = await createRxDatabase({
    name: 'schemas',
    storage: wrappedValidateAjvStorage({ storage: getRxStorageMemory() }),
    multiInstance: false,
  });
  const collections = await database.addCollections(
    Object.fromEntries(
      SHAPES.map((shape) => [
        shape.name,
        {
          schema: rxSchemaOf(shape),
          autoMigrate: false,
          // The station raises versions in SQL; development mode wants a strategy for each all the same.
          migrationStrategies: Object.fromEntries(
            Array.from({ length: shape.version }, (_, i) => [i + 1, (one: object) => one]),
          ),
        },
      ]),
    ),
  );
  const ids = { records: () => ({ nextId: () => 5 }) } as never;
  const record = { ...draftTask(ids), key: keyOf(5), hlc: { base: '', fields: {} } };
  await collections['tasks']!.insert(record);
  await expect(collections['tasks']!.insert({ ...record, key: keyOf(6), status: 9 })).rejects.toMatchObject({
    code: 'VD2',
  });
  await database.close();
});

test('no indexed field may be null or missing: RxDB and SQL do not agree on their order', () => {
  for (const shape of SHAPES) {
    const { properties, required } = rxSchemaOf(shape) as unknown as {
      properties: Record<string, { type?: string; maxLength?: number; multipleOf?: number }>;
      required: string[];
    };
    for (const field of [
      ...shape.indexes.flat(),
      // A record without the field that makes an index sparse is not in it, and RxDB does not know the index.
      ...(shape.tableIndexes ?? []).flatMap(({ fields, sparse }) =>
        fields.filter((path) => !path.includes('.') && path !== sparse),
      ),
    ]) {
      expect(required, `${shape.name}.${field}`).toContain(field);
      const { type } = properties[field]!;
      expect(['string', 'integer', 'number', 'boolean'], `${shape.name}.${field}`).toContain(type);
    }
  }
});

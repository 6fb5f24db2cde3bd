import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createRevision,
  fillWithDefaultSettings,
  getQueryMatcher,
  getSortComparator,
  normalizeMangoQuery,
  prepareQuery,
} from 'rxdb';
import type { MangoQuery, RxDocumentData, RxJsonSchema } from 'rxdb';
import { expect, test } from 'vitest';
import { openDatabase } from '../../server/store/database.ts';
import type { SqliteInstance } from '../../server/store/storage/instance.ts';
import { toSql } from '../../server/store/storage/mango.ts';
import { sqliteStorage } from '../../server/store/storage/storage.ts';
import { Chance, SEED } from '../support/chance.ts';
import { times } from '../support/long.ts';

/** Random queries over random records, answered by our SQL and by RxDB's own matcher and comparator. */
const ROUNDS = times(1, 20);
const QUERIES_A_ROUND = 1_050;
const RECORDS = 150;

const SCHEMA: RxJsonSchema<Record<string, unknown>> = {
  version: 0,
  primaryKey: 'key',
  type: 'object',
  properties: {
    key: { type: 'string', maxLength: 20 },
    name: { type: 'string', maxLength: 40 },
    age: { type: 'integer', minimum: -100, maximum: 1000, multipleOf: 1 },
    weight: { type: 'number', minimum: -1000, maximum: 1000, multipleOf: 0.01 },
    onDuty: { type: 'boolean' },
    // Not indexed, and may be missing; never null.
    nick: { type: 'string' },
    rank: { type: 'number' },
    reserve: { type: 'boolean' },
    // Text of any kind; never sorted by, since the two sort surrogates differently.
    motto: { type: 'string' },
    // What SQL cannot tell.
    remark: { type: ['string', 'null'] as never },
    tags: { type: 'array', items: { type: 'string' } },
    crews: { type: 'array', items: { type: 'object', properties: { size: { type: 'number' } } } },
    anything: {},
    home: {
      type: 'object',
      properties: {
        town: { type: 'string' },
        floor: { type: 'integer' },
        place: { type: 'object', properties: { zone: { type: 'number' } } },
      },
    },
    // Names that SQLite takes for one, or for a column of ours.
    Name: { type: 'string' },
    data: { type: 'string', maxLength: 40 },
    seq: { type: 'number', minimum: 0, maximum: 100, multipleOf: 1 },
  },
  required: ['key', 'name', 'age', 'weight', 'onDuty', 'data', 'seq'],
  indexes: ['age', ['onDuty', 'name'], ['weight', 'age'], ['data', 'seq']],
} as never;

const WORDS = [
  '',
  'a',
  'A',
  'aa',
  'ab',
  'b',
  'B',
  'Вольво',
  'вольво',
  'ё',
  'zz',
  '10',
  '9',
  "o'clock",
  '"quoted"',
  'back\\slash',
  '%like_',
  'line\nbreak',
  'é',
  'é',
  '😀',
  '🚑 12',
  'a😀',
  'ab😀',
];
const ANY_TEXT = [...WORDS, '！wide', '\ufeff', 'a\uff01', '\ue000', '\0', 'a\0b'];
const SORTABLE = [
  'key',
  'name',
  'age',
  'weight',
  'onDuty',
  'nick',
  'rank',
  'reserve',
  'home.floor',
  'home.town',
  'home.place.zone',
  'Name',
  'data',
  'seq',
  '_meta.lwt',
];
/** RxDB has no order for arrays that look alike, nor between null and missing; `remark` is a text or null. */
const SORTED_IN_JAVASCRIPT = ['remark'];

function record(chance: Chance, number: number): RxDocumentData<Record<string, unknown>> {
  const document: Record<string, unknown> = {
    key: `k${String((number * 7919) % 1000).padStart(3, '0')}-${number}`,
    name: chance.of(WORDS),
    age: chance.int(12) - 3,
    weight: Math.round((chance.int(40) - 10) * 25) / 100,
    onDuty: chance.maybe(0.5),
    data: chance.of(WORDS),
    seq: chance.int(6),
  };
  if (chance.maybe(0.7)) document['nick'] = chance.of(WORDS);
  if (chance.maybe(0.7)) document['rank'] = chance.of([0, 1, 2, -1, 0.5, 1e9, 12345678901]);
  if (chance.maybe(0.6)) document['reserve'] = chance.maybe(0.5);
  if (chance.maybe(0.8)) document['motto'] = chance.of(ANY_TEXT);
  document['remark'] = chance.maybe(0.3) ? null : chance.of(WORDS);
  if (chance.maybe(0.7)) document['tags'] = Array.from({ length: chance.int(4) }, () => chance.of(WORDS));
  if (chance.maybe(0.5)) document['crews'] = Array.from({ length: chance.int(3) }, () => ({ size: chance.int(4) }));
  if (chance.maybe(0.6)) document['anything'] = anyValue(chance);
  if (chance.maybe(0.7)) {
    const home: Record<string, unknown> = {};
    if (chance.maybe(0.8)) home['town'] = chance.of(WORDS);
    if (chance.maybe(0.8)) home['floor'] = chance.int(5);
    if (chance.maybe(0.5)) home['place'] = chance.maybe(0.7) ? { zone: chance.int(3) } : {};
    document['home'] = home;
  }
  if (chance.maybe(0.5)) document['Name'] = chance.of(WORDS);
  return {
    ...document,
    _deleted: chance.maybe(0.15),
    _attachments: {},
    _meta: { lwt: 1000 + chance.int(5) },
    _rev: createRevision('fuzz'),
  } as never;
}

function anyValue(chance: Chance): unknown {
  return chance.of<() => unknown>([
    () => null,
    () => chance.of(WORDS),
    () => chance.int(5),
    () => chance.maybe(0.5),
    () => [chance.int(3)],
    () => ({ inner: chance.int(3) }),
  ])();
}

function valueFor(field: string, chance: Chance): unknown {
  if (chance.maybe(0.06)) return anyValue(chance);
  switch (field) {
    case 'age':
    case 'seq':
    case 'home.floor':
    case 'home.place.zone':
    case 'crews.size':
      return chance.maybe(0.1) ? chance.int(10) + 0.5 : chance.int(12) - 3;
    case 'weight':
    case 'rank':
      return chance.of([
        0,
        1,
        -1,
        0.5,
        2.25,
        1e9,
        12345678901,
        -0,
        1e300,
        Math.round((chance.int(40) - 10) * 25) / 100,
      ]);
    case 'onDuty':
    case 'reserve':
    case '_deleted':
      return chance.maybe(0.5);
    case '_meta.lwt':
      return 1000 + chance.int(5);
    case 'key':
      return chance.maybe(0.5)
        ? `k${chance.int(10)}`
        : `k${String((chance.int(150) * 7919) % 1000).padStart(3, '0')}-${chance.int(150)}`;
    case 'motto':
      return chance.of(ANY_TEXT);
    case 'crews':
      return [{ size: chance.int(3) }];
    case 'home':
      return chance.maybe(0.5) ? {} : { town: chance.of(WORDS) };
    default:
      return chance.of(WORDS);
  }
}

function matcher(field: string, chance: Chance): unknown {
  const value = () => valueFor(field, chance);
  const values = () => Array.from({ length: chance.int(4) }, value);
  if (chance.maybe(0.15)) return value();
  const one = (): Record<string, unknown> =>
    chance.of<() => Record<string, unknown>>([
      () => ({ $eq: value() }),
      () => ({ $ne: value() }),
      () => ({ $gt: value() }),
      () => ({ $gte: value() }),
      () => ({ $lt: value() }),
      () => ({ $lte: value() }),
      () => ({ $gt: value(), $lte: value() }),
      () => ({ $in: values() }),
      () => ({ $nin: values() }),
      () => ({ $exists: chance.maybe(0.5) }),
      () => ({ $not: { [chance.of(['$eq', '$gt', '$lt', '$ne'])]: value() } }),
      () => ({ $regex: chance.of(['^a', 'b$', '.', 'o']) }),
      () => ({ $type: chance.of(['string', 'number', 'null', 'array']) }),
      () => (field === 'tags' ? { $elemMatch: { $eq: chance.of(WORDS) } } : { $in: values() }),
      () => (field === 'tags' || field === 'crews' ? { $size: chance.int(3) } : { $ne: value() }),
      () => (typeof value() === 'number' ? { $mod: [2, 1] } : { $eq: value() }),
      () => ({}),
    ])();
  return chance.maybe(0.2) ? { ...one(), ...one() } : one();
}

const FIELDS = [
  ...SORTABLE,
  ...SORTED_IN_JAVASCRIPT,
  'tags',
  'anything',
  'motto',
  'crews',
  'crews.size',
  'home',
  'nowhere',
  'home.nothing',
  '_deleted',
];

function selector(chance: Chance, depth = 0): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  for (let number = chance.int(chance.maybe(0.5) ? 1 : 3); number >= 0; number--) {
    if (depth < 2 && chance.maybe(0.25))
      made[chance.of(['$and', '$or', '$nor'])] = Array.from({ length: 1 + chance.int(3) }, () =>
        selector(chance, depth + 1),
      );
    else {
      // Mostly fields that SQL can tell, so that whole selectors become exact.
      const field = chance.maybe(0.85) ? chance.of(SORTABLE) : chance.of(FIELDS);
      made[field] = matcher(field, chance);
    }
  }
  return made;
}

function query(chance: Chance): MangoQuery<Record<string, unknown>> {
  const made: MangoQuery<Record<string, unknown>> = { selector: selector(chance) as never };
  if (chance.maybe(0.3)) Object.assign(made.selector!, { _deleted: { $eq: false } });
  if (chance.maybe(0.8)) {
    const fields = [
      ...new Set(
        Array.from({ length: 1 + chance.int(3) }, () =>
          chance.maybe(0.9) ? chance.of(SORTABLE) : chance.of(SORTED_IN_JAVASCRIPT),
        ),
      ),
    ];
    made.sort = fields.map((field) => ({ [field]: chance.of(['asc', 'desc']) })) as never;
  }
  if (chance.maybe(0.4)) made.limit = chance.int(30);
  if (chance.maybe(0.3)) made.skip = chance.int(20);
  return made;
}

test(
  `random queries find by SQL what RxDB's matcher finds, in its order (WAYPOST_SEED=${SEED})`,
  { timeout: 300_000 },
  async () => {
    const directory = mkdtempSync(join(tmpdir(), 'waypost-fuzz-'));
    const database = await openDatabase(join(directory, 'station.db'));
    const chance = new Chance();
    let exact = 0;
    let telling = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const instance = (await sqliteStorage(database).createStorageInstance({
        databaseInstanceToken: 'fuzz',
        databaseName: 'fuzz',
        collectionName: `round${round}`,
        schema: fillWithDefaultSettings(SCHEMA) as never,
        options: {},
        multiInstance: false,
        devMode: false,
      })) as SqliteInstance<Record<string, unknown>>;
      const records = Array.from({ length: RECORDS }, (_, number) => record(chance, number));
      expect(
        (
          await instance.bulkWrite(
            records.map((document) => ({ document })),
            'fuzz',
          )
        ).error,
      ).toEqual([]);

      for (let number = 0; number < QUERIES_A_ROUND; number++) {
        const asked = query(chance);
        const normal = normalizeMangoQuery(instance.schema as never, structuredClone(asked));
        const matches = getQueryMatcher(instance.schema as never, normal);
        const wanted = records
          .filter((one) => matches(one as never))
          .sort(getSortComparator(instance.schema as never, normal) as never)
          .slice(normal.skip, normal.skip + (normal.limit ?? Infinity))
          .map((one) => one['key']);
        const prepared = prepareQuery(instance.schema as never, normal);
        const found = (await instance.query(prepared as never)).documents.map((one) => one['key']);
        const count = (await instance.count(prepared as never)).count;
        if (count !== found.length || found.length !== wanted.length || found.some((key, at) => key !== wanted[at])) {
          expect({ round, number, asked, count, found }).toEqual({
            round,
            number,
            asked,
            count: wanted.length,
            found: wanted,
          });
        }
        if (toSql(normal.selector, instance.layout).exact) exact++;
        if (wanted.length > 0) telling++;
      }
      await instance.remove();
    }
    await database.close();
    rmSync(directory, { recursive: true });
    const all = ROUNDS * QUERIES_A_ROUND;
    console.log(
      `${all} random queries agree (seed ${SEED}); ${Math.round((100 * exact) / all)} % ran in SQL alone, ${Math.round((100 * telling) / all)} % found something.`,
    );
    expect(exact / all).toBeGreaterThan(0.4);
    expect(telling / all).toBeGreaterThan(0.3);
  },
);

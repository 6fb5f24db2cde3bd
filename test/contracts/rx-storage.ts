import { randomBytes, createHash } from 'node:crypto';
import {
  createRevision,
  fillWithDefaultSettings,
  getChangedDocumentsSince,
  normalizeMangoQuery,
  now,
  prepareQuery,
} from 'rxdb';
import type {
  BulkWriteRow,
  EventBulk,
  MangoQuery,
  RxDocumentData,
  RxJsonSchema,
  RxStorage,
  RxStorageChangeEvent,
  RxStorageInstance,
} from 'rxdb';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

/** A storage to be tried, and the way to close what it stands on. */
interface OpenStorage {
  storage: RxStorage<unknown, unknown>;
  close(): Promise<void>;
}

export interface Unit {
  key: string;
  name: string;
  age: number;
  onDuty: boolean;
  tags?: string[];
  home?: { town: string };
}

type Instance = RxStorageInstance<Unit, unknown, unknown>;
type Events = EventBulk<RxStorageChangeEvent<RxDocumentData<Unit>>, unknown>;

const SCHEMA: RxJsonSchema<Unit> = {
  version: 0,
  primaryKey: 'key',
  type: 'object',
  properties: {
    key: { type: 'string', maxLength: 60 },
    name: { type: 'string', maxLength: 60 },
    age: { type: 'number', minimum: 0, maximum: 1000, multipleOf: 1 },
    onDuty: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string' } },
    home: { type: 'object', properties: { town: { type: 'string' } } },
  },
  required: ['key', 'name', 'age', 'onDuty'],
  indexes: ['age', ['onDuty', 'name']],
  attachments: {},
};

/**
 * What RxDB 17 expects of a storage: see section 3 of the facts on RxDB, from which these sentences come.
 * `departures` are sentences that the storage is known not to keep; the day it does, its test says so.
 */
export function keepsRxStorageContract(
  name: string,
  open: () => Promise<OpenStorage>,
  departures: readonly string[] = [],
): void {
  const sentence = (text: string, body: () => Promise<void>) =>
    departures.includes(text) ? test.fails(text, body) : test(text, body);
  describe(`${name} keeps the contract of an RxStorage`, () => {
    let opened: OpenStorage;
    let instance: Instance;
    let told: Events[];
    /** RxDB's memory storage keeps databases by their name. */
    let databaseName: string;

    beforeEach(async () => {
      opened = await open();
      databaseName = `db-${randomBytes(6).toString('hex')}`;
      instance = await openInstance();
      told = [];
      instance.changeStream().subscribe((bulk) => told.push(bulk as Events));
    });
    afterEach(async () => {
      await instance.close().catch(() => undefined);
      await opened.close();
    });

    async function openInstance(
      over: { databaseName?: string; collectionName?: string; schema?: RxJsonSchema<Unit> } = {},
    ): Promise<Instance> {
      return opened.storage.createStorageInstance<Unit>({
        databaseInstanceToken: 'token',
        databaseName: over.databaseName ?? databaseName,
        collectionName: over.collectionName ?? 'units',
        schema: fillWithDefaultSettings(over.schema ?? SCHEMA) as never,
        options: {},
        multiInstance: false,
        devMode: false,
      }) as Promise<Instance>;
    }

    async function write(...rows: BulkWriteRow<Unit>[]) {
      return (await instance.bulkWrite(rows, 'test')).error;
    }

    async function find(query: MangoQuery<Unit>): Promise<string[]> {
      const prepared = prepareQuery<Unit>(
        instance.schema as never,
        normalizeMangoQuery(instance.schema as never, query),
      );
      const { documents } = await instance.query(prepared);
      const { count } = await instance.count(prepared);
      expect(count).toBe(documents.length);
      return documents.map((document) => document.key);
    }

    sentence('what is inserted is found by id, with its revision and attachments as written', async () => {
      const van = unit('van');
      expect(await write({ document: van })).toEqual([]);
      expect(await instance.findDocumentsById(['van', 'nobody'], false)).toEqual([van]);
    });

    sentence(
      'inserting a key that exists is a conflict that shows the stored document, and only the fields of a conflict',
      async () => {
        const van = unit('van');
        await write({ document: van });
        const row = { document: unit('van', { age: 7 }) };
        const [error, ...others] = await write(row);
        expect(others).toEqual([]);
        expect(error).toEqual({
          status: 409,
          isError: true,
          documentId: 'van',
          writeRow: row,
          documentInDb: van,
          context: 'test',
        });
      },
    );

    sentence('an update must name the stored revision', async () => {
      const first = unit('van');
      await write({ document: first });
      const second = next(first, { age: 2 });
      expect(await write({ previous: first, document: second })).toEqual([]);
      const late = next(first, { age: 3 });
      expect((await write({ previous: first, document: late }))[0]).toMatchObject({
        status: 409,
        documentInDb: second,
      });
      expect(await instance.findDocumentsById(['van'], false)).toEqual([second]);
    });

    sentence('an update whose previous state is not stored is an insertion', async () => {
      const first = unit('van');
      expect(await write({ previous: first, document: next(first, { age: 2 }) })).toEqual([]);
      expect((await instance.findDocumentsById(['van'], false))[0]?.age).toBe(2);
    });

    sentence('of several rows some may fail, and the others are written', async () => {
      await write({ document: unit('van') });
      const errors = await write({ document: unit('car') }, { document: unit('van') }, { document: unit('bus') });
      expect(errors.map((error) => error.documentId)).toEqual(['van']);
      expect((await instance.findDocumentsById(['car', 'bus'], false)).length).toBe(2);
    });

    sentence('of two writers at once the first wins', async () => {
      const first = unit('van');
      await write({ document: first });
      const results = await Promise.all(
        [2, 3].map((age) => instance.bulkWrite([{ previous: first, document: next(first, { age }) }], 'test')),
      );
      expect(results.map((result) => result.error.length)).toEqual([0, 1]);
      expect((await instance.findDocumentsById(['van'], false))[0]?.age).toBe(2);
    });

    sentence('a deleted document stays as a tombstone, which is found only when asked for', async () => {
      const van = unit('van');
      await write({ document: van });
      const gone = next(van, {}, true);
      await write({ previous: van, document: gone });
      expect(await instance.findDocumentsById(['van'], false)).toEqual([]);
      expect(await instance.findDocumentsById(['van'], true)).toEqual([gone]);
    });

    sentence('a deleted document may be inserted, and tells nobody', async () => {
      const gone = { ...unit('van'), _deleted: true };
      expect(await write({ document: gone })).toEqual([]);
      expect(told).toEqual([]);
      expect(await instance.findDocumentsById(['van'], true)).toEqual([gone]);
    });

    sentence(
      'inserting over a tombstone without naming it is a conflict; naming it brings the document back as an insertion',
      async () => {
        const gone = { ...unit('van'), _deleted: true };
        await write({ document: gone });
        expect((await write({ document: unit('van') }))[0]).toMatchObject({ status: 409, documentInDb: gone });
        const back = next(gone, { age: 9 }, false);
        expect(await write({ previous: gone, document: back })).toEqual([]);
        expect(told.flatMap((bulk) => bulk.events).map((event) => event.operation)).toEqual(['INSERT']);
      },
    );

    sentence('events are emitted before the write resolves, in order, with the state before', async () => {
      const first = unit('van');
      const writing = instance.bulkWrite([{ document: first }], 'some-context');
      await writing;
      expect(told.length).toBe(1);
      const second = next(first, { age: 2 });
      await write({ previous: first, document: second });
      await write({ previous: second, document: next(second, {}, true) });
      expect(told.flatMap((bulk) => bulk.events).map((event) => [event.operation, event.documentId])).toEqual([
        ['INSERT', 'van'],
        ['UPDATE', 'van'],
        ['DELETE', 'van'],
      ]);
      expect(told[0]!.context).toBe('some-context');
      expect(told[1]!.events[0]!.previousDocumentData).toEqual(first);
      expect(new Set(told.map((bulk) => bulk.id)).size).toBe(3);
    });

    sentence('when all rows fail nothing is emitted', async () => {
      await write({ document: unit('van') });
      told.length = 0;
      await write({ document: unit('van') });
      expect(told).toEqual([]);
    });

    sentence('what was told is found by a query made at that moment', async () => {
      const found: Promise<string[]>[] = [];
      instance.changeStream().subscribe(() => found.push(find({ selector: { age: { $gte: 0 } } })));
      await write({ document: unit('van') });
      expect(await found[0]).toEqual(['van']);
    });

    sentence('thousands of documents are written and found at once', async () => {
      const units = Array.from({ length: 3000 }, (_, number) => unit(`unit-${number}`, { age: number % 90 }));
      expect(await write(...units.map((document) => ({ document })))).toEqual([]);
      expect(told.flatMap((bulk) => bulk.events).length).toBe(3000);
      expect(
        (
          await instance.findDocumentsById(
            units.map((one) => one.key),
            false,
          )
        ).length,
      ).toBe(3000);
      expect((await find({ selector: { age: 3 } })).length).toBe(34);
    });

    sentence('queries sort, skip and limit; a limit of 0 finds nothing', async () => {
      await write(...[5, 3, 9, 1].map((age) => ({ document: unit(`u${age}`, { age, onDuty: age > 2 }) })));
      expect(await find({ selector: {}, sort: [{ age: 'asc' }] })).toEqual(['u1', 'u3', 'u5', 'u9']);
      expect(await find({ selector: {}, sort: [{ age: 'desc' }], skip: 1, limit: 2 })).toEqual(['u5', 'u3']);
      expect(await find({ selector: { onDuty: true }, sort: [{ name: 'desc' }] })).toEqual(['u9', 'u5', 'u3']);
      expect(await find({ selector: {}, limit: 0 })).toEqual([]);
      expect(await find({ selector: {}, skip: 10 })).toEqual([]);
    });

    sentence('a query returns deleted documents unless it says otherwise', async () => {
      await write({ document: unit('van') }, { document: { ...unit('gone'), _deleted: true } });
      expect((await find({ selector: { age: { $gte: 0 }, _deleted: { $eq: false } } as never })).sort()).toEqual([
        'van',
      ]);
      expect(await find({ selector: { age: { $gte: 0 } }, sort: [{ key: 'asc' }] })).toEqual(['gone', 'van']);
    });

    sentence('selectors that SQL cannot say are answered all the same', async () => {
      await write(
        { document: unit('van', { tags: ['long', 'high'], home: { town: 'Valletta' } }) },
        { document: unit('car', { tags: ['low'], home: { town: 'Sliema' } }) },
        { document: unit('bus') },
      );
      expect(await find({ selector: { tags: 'high' } as never })).toEqual(['van']);
      expect(await find({ selector: { tags: { $elemMatch: { $eq: 'low' } } } as never })).toEqual(['car']);
      expect(await find({ selector: { name: { $regex: '^b' } } })).toEqual(['bus']);
      expect(await find({ selector: { 'home.town': 'Sliema' } as never })).toEqual(['car']);
      expect(await find({ selector: { tags: { $exists: false } } })).toEqual(['bus']);
      expect(await find({ selector: { tags: { $size: 2 } } as never })).toEqual(['van']);
      expect(await find({ selector: { name: {} } as never })).toEqual([]);
      expect(await find({ selector: { $nor: [{ age: 1 }, { name: 'car' }] } })).toEqual([]);
      expect(await find({ selector: { name: { $not: { $eq: 'van' } } } as never, sort: [{ name: 'asc' }] })).toEqual([
        'bus',
        'car',
      ]);
    });

    sentence('changes since a checkpoint come in write order, each document once and as it is now', async () => {
      const van = unit('van');
      await write({ document: van });
      await write({ document: unit('car') });
      await write({ previous: van, document: next(van, { age: 5 }) });
      const all = await getChangedDocumentsSince(instance, 10);
      expect(all.documents.map((document) => [document.key, document.age])).toEqual([
        ['car', 1],
        ['van', 5],
      ]);
      const nothing = await getChangedDocumentsSince(instance, 10, all.checkpoint);
      expect(nothing).toEqual({ documents: [], checkpoint: all.checkpoint });
    });

    sentence('pages of changes join without gap or overlap, tombstones included', async () => {
      for (let number = 0; number < 25; number++)
        await write({ document: { ...unit(`u${number}`), _deleted: number % 5 === 0 } });
      const seen: string[] = [];
      let checkpoint: unknown;
      for (;;) {
        const page = await getChangedDocumentsSince(instance, 7, checkpoint);
        seen.push(...page.documents.map((document) => document.key));
        checkpoint = page.checkpoint;
        if (page.documents.length < 7) break;
      }
      expect(seen).toEqual(Array.from({ length: 25 }, (_, number) => `u${number}`));
    });

    sentence('the checkpoint of an event stands exactly behind its write', async () => {
      await write({ document: unit('van') }, { document: unit('car') });
      const { checkpoint } = told[0]!;
      await write({ document: unit('bus') });
      const since = await getChangedDocumentsSince(instance, 10, checkpoint);
      expect(since.documents.map((document) => document.key)).toEqual(['bus']);
      const stacked = Object.assign({}, { other: 1 }, checkpoint);
      expect((await getChangedDocumentsSince(instance, 10, stacked)).documents.length).toBe(1);
    });

    sentence('attachments are kept, given back by their digest, and go with their document', async () => {
      const logbook = attachment('on scene 10:04');
      const van = { ...unit('van'), _attachments: { logbook } };
      expect(await write({ document: van as never })).toEqual([]);
      const stored = (await instance.findDocumentsById(['van'], false))[0]!;
      expect(stored._attachments['logbook']).toEqual({
        digest: logbook.digest,
        length: logbook.length,
        type: 'text/plain',
      });
      expect(told[0]!.events[0]!.documentData._attachments['logbook']).not.toHaveProperty('data');
      expect(await (await instance.getAttachmentData('van', 'logbook', logbook.digest)).text()).toBe('on scene 10:04');
      await expect((async () => instance.getAttachmentData('van', 'logbook', 'another'))()).rejects.toThrow();

      const changed = attachment('on scene 10:05');
      const second = { ...next(stored, {}), _attachments: { logbook: changed } };
      await write({ previous: stored, document: second as never });
      expect(await (await instance.getAttachmentData('van', 'logbook', changed.digest)).text()).toBe('on scene 10:05');

      const third = (await instance.findDocumentsById(['van'], false))[0]!;
      await write({ previous: third, document: { ...next(third, { age: 8 }) } });
      expect(await (await instance.getAttachmentData('van', 'logbook', changed.digest)).text()).toBe('on scene 10:05');

      const fourth = (await instance.findDocumentsById(['van'], false))[0]!;
      await write({ previous: fourth, document: { ...next(fourth, {}, true), _attachments: {} } });
      await expect((async () => instance.getAttachmentData('van', 'logbook', changed.digest))()).rejects.toThrow();
    });

    sentence('an attachment that comes without its data, and is not stored, is refused', async () => {
      const { data: _, ...stub } = attachment('lost');
      expect((await write({ document: { ...unit('van'), _attachments: { stub } } }))[0]).toMatchObject({
        status: 510,
        attachmentId: 'stub',
      });
      expect(await instance.findDocumentsById(['van'], true)).toEqual([]);
      expect(told).toEqual([]);
    });

    sentence('cleanup purges old tombstones, and nothing else', async () => {
      await write(
        { document: unit('van') },
        { document: { ...unit('gone'), _deleted: true, _meta: { lwt: now() - 10_000 } } },
        { document: { ...unit('young'), _deleted: true } },
      );
      while (!(await instance.cleanup(5_000)));
      expect(
        (await instance.findDocumentsById(['van', 'gone', 'young'], true)).map((document) => document.key).sort(),
      ).toEqual(['van', 'young']);
    });

    sentence('data outlives closing, and belong to one collection, version and database', async () => {
      await write({ document: unit('van') });
      const others = await Promise.all([
        openInstance({ collectionName: 'others' }),
        openInstance({ databaseName: `${databaseName}-2` }),
        openInstance({ schema: { ...SCHEMA, version: 1 } }),
      ]);
      for (const other of others) expect(await other.findDocumentsById(['van'], true)).toEqual([]);
      const again = await openInstance();
      expect((await again.findDocumentsById(['van'], false)).length).toBe(1);
      await Promise.all([...others, again].map((other) => other.close()));
    });

    sentence('closing twice is fine, also after remove; remove after close is not', async () => {
      const other = await openInstance({ collectionName: 'others' });
      await other.close();
      await other.close();
      await expect((async () => other.remove())()).rejects.toThrow();
      const third = await openInstance({ collectionName: 'thirds' });
      await third.remove();
      await third.close();
    });

    sentence('what was removed is gone when the collection is opened again', async () => {
      await write({ document: unit('van') });
      await instance.remove();
      instance = await openInstance();
      expect(await instance.findDocumentsById(['van'], true)).toEqual([]);
    });

    sentence('a schema that needs a wrapper is refused by its code', async () => {
      await expect(
        openInstance({ schema: { ...SCHEMA, keyCompression: true } }).catch((error: { code: string }) => error.code),
      ).resolves.toBe('UT5');
      await expect(
        openInstance({ schema: { ...SCHEMA, encrypted: ['name'] } as never }).catch(
          (error: { code: string }) => error.code,
        ),
      ).resolves.toBe('UT6');
      await expect(
        openInstance({ schema: { ...SCHEMA, attachments: { compression: 'gzip' } } as never }).catch(
          (error: { code: string }) => error.code,
        ),
      ).resolves.toBe('UT7');
    });

    sentence('further flags in _meta, and text in any script, come back as written', async () => {
      const van = {
        ...unit('van', { name: "Скорая 12 🚑 “ночь” \\ ' \u0000" }),
        _meta: { lwt: now(), fromPeer: true },
      };
      await write({ document: van as never });
      expect(await instance.findDocumentsById(['van'], false)).toEqual([van]);
    });
  });
}

export function unit(key: string, over: Partial<Unit> = {}): RxDocumentData<Unit> {
  return {
    key,
    name: key,
    age: 1,
    onDuty: true,
    ...over,
    _deleted: false,
    _attachments: {},
    _meta: { lwt: now() },
    _rev: createRevision('token'),
  };
}

export function next(previous: RxDocumentData<Unit>, over: Partial<Unit>, deleted = false): RxDocumentData<Unit> {
  return { ...previous, ...over, _deleted: deleted, _meta: { lwt: now() }, _rev: createRevision('token', previous) };
}

function attachment(text: string): { length: number; type: string; digest: string; data: Blob } {
  const data = new Blob([text], { type: 'text/plain' });
  return {
    length: data.size,
    type: 'text/plain',
    digest: `sha256-${createHash('sha256').update(text).digest('hex')}`,
    data,
  };
}

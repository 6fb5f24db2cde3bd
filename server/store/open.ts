import type { Reason } from '../../shared/refusals/reason.ts';
import { join } from 'node:path';
import { createRxDatabase, defaultCacheReplacementPolicyMonad } from 'rxdb';
import type { RxCollection } from 'rxdb';
import type { z } from 'zod';
import { keyOf, kindKeyOf } from '../../shared/ids.ts';
import { COLLECTIONS } from '../../shared/records/index.ts';
import type { CollectionShape, MergeRecord } from '../../shared/records/index.ts';
import type { MergeShape } from '../../shared/merge/parts.ts';
import { CloseStack } from '../platform/close-stack.ts';
import { Emitter } from '../platform/emitter.ts';
import { copyDatabase } from './backup/backup.ts';
import { openDatabase } from './database.ts';
import { Digests } from './digests.ts';
import type { CollectionName, RecordOf, Records, Store } from './types.ts';
import { describeDamage } from './integrity/diagnosis.ts';
import { openFeed } from './feed.ts';
import type { Commits } from './sqlite/commits.ts';
import { lockDirectory, makeDataDirectory } from './sqlite/lock.ts';
import { randomId } from './sqlite/random-id.ts';
import { recordLostEdits } from './merging/lost-edits.ts';
import { mergeRules } from './merging/merge-rules.ts';
import { CollectionRecords } from './records.ts';
import type { AnyRecord } from './records.ts';
import { completeRestore, requireNoBrokenRestore } from './backup/restore.ts';
import { discardStaged } from './backup/staged-restore.ts';
import { rxSchemaOf } from './schema.ts';
import { shapeNamed } from './merging/shapes.ts';
import { stampingHooks } from './stamping-hooks.ts';
import type { SqliteInstance } from './storage/instance.ts';
import { tableName } from './storage/layout.ts';
import { requireVersions } from './migrations/versions.ts';
import { sqliteStorage, type InstanceOptions } from './storage/storage.ts';

export interface StoreOptions {
  /** The data directory; made when it is missing. */
  directory: string;
  /**
   * The number of this station among linked ones, 0 to 213. Ignored for an existing data directory.
   */
  stationNumber?: number;
  /** Wall time in milliseconds. */
  now?: () => number;
  /** Receives errors of listeners, and damage found while the station runs. */
  report?: (error: unknown) => void;
}

/** Collections with thousands of records at most, kept in memory. */
const RESIDENT: ReadonlySet<CollectionName> = new Set([
  'directories',
  'accounts',
  'vehicles',
  'vehicleStates',
  'fleet',
]);
/** Collections whose kinds count their own ids. */
const WITH_KINDS: ReadonlySet<CollectionName> = new Set(['directories', 'accounts', 'fleet']);

const DATABASE = 'station';

/**
 * RxDB would cache the last hundred queries with their results and update each on every write. Here it caches
 * only subscribed queries.
 */
const cacheReplacementPolicy = defaultCacheReplacementPolicyMonad(0, 0);

/** RxDB passes these to the storage unread. */
function optionsOf({ tableIndexes, kindIndexes }: CollectionShape<z.ZodObject>): InstanceOptions {
  return { ...(tableIndexes && { tableIndexes }), ...(kindIndexes && { kindIndexes }) };
}

/**
 * Opens and locks a data directory. A process has one open store at a time. Throws a Refusal when another
 * station has the directory open, or a DamagedDatabase.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { directory, report = console.error } = options;
  makeDataDirectory(directory);
  await completeRestore(directory);
  const stack = new CloseStack();
  stack.defer(lockDirectory(directory));
  try {
    requireNoBrokenRestore(directory);
    await discardStaged(directory);
    const path = join(directory, 'station.db');
    const database = await openDatabase(path, {
      stationNumber: options.stationNumber,
      now: options.now,
      report,
      onWritten: (_database, collection) => feed.onWritten(collection),
    });
    stack.use(database);
    const { station, reader, writer, commits, sequences, clock } = database;
    const collectionOf = (name: CollectionName) =>
      collections[COLLECTIONS[name].name] as unknown as RxCollection<AnyRecord>;
    const table = (name: CollectionName) => tableName(DATABASE, COLLECTIONS[name].name, COLLECTIONS[name].version);
    const feed = openFeed({ reader, sequences, commits, station, table, report });

    const instanceOf = <T>(name: CollectionName) =>
      collectionOf(name).storageInstance.originalStorageInstance as unknown as SqliteInstance<T>;
    const rules = mergeRules({
      clock,
      sequences,
      station,
      lost: (collection, documents) => recordLostEdits(instanceOf<MergeRecord>('merges'), collection, documents),
    });
    const rx = await createRxDatabase({
      name: DATABASE,
      storage: sqliteStorage(database, rules),
      multiInstance: false,
      localDocuments: false,
    }).catch((error: { code?: string }) => {
      throw error.code === 'DB8'
        ? new Error(
            'This process has a store open already: the free edition of RxDB opens 13 collections in a process, and a store has nearly as many.',
            { cause: error },
          )
        : error;
    });
    stack.use(rx);
    const shapes = Object.values(COLLECTIONS) as unknown as CollectionShape<z.ZodObject>[];
    requireVersions(reader, DATABASE, shapes);
    const collections = await rx
      .addCollections(
        Object.fromEntries(
          shapes.map((shape) => [
            shape.name,
            {
              schema: rxSchemaOf(shape),
              // Numbered migrations raise versions, in SQL.
              autoMigrate: false,
              cacheReplacementPolicy,
              instanceCreationOptions: optionsOf(shape),
            },
          ]),
        ),
      )
      .catch((error: { code?: string; parameters?: { collection?: string } }) => {
        throw error.code === 'DB6'
          ? new Error(
              `The ${error.parameters?.collection} in ${directory} were written by another build of this version of Waypost, with other fields. Start that one, or begin with an empty data directory.`,
              { cause: error },
            )
          : error;
      });
    for (const collection of Object.values(collections))
      stampingHooks(collection as unknown as RxCollection<AnyRecord>, clock, shapeNamed(collection.name));

    let readOnly: Reason | undefined;
    const readOnlyChanged = new Emitter<[]>(report);
    const facades = new Map<string, CollectionRecords<AnyRecord>>();
    const recordsOf = (
      name: CollectionName,
      kind?: string,
      resident = RESIDENT.has(name),
    ): CollectionRecords<AnyRecord> => {
      const counter = kind === undefined ? COLLECTIONS[name].name : `${COLLECTIONS[name].name}/${kind}`;
      const facadeName = `${counter} ${resident}`;
      let facade = facades.get(facadeName);
      if (!facade) {
        const collection = collectionOf(name);
        facade = new CollectionRecords({
          collection,
          instance: instanceOf<AnyRecord>(name),
          shape: COLLECTIONS[name] as MergeShape,
          kind,
          resident,
          keyOf: kind === undefined ? keyOf : (id) => kindKeyOf(kind, id),
          counter,
          station,
          commits,
          sequences,
          clock,
          // Last states are a copy of those from telemetry or a linked station.
          refusesWrites: () => (name === 'vehicleStates' ? undefined : readOnly),
          report,
        });
        facades.set(facadeName, facade);
      }
      return facade;
    };

    const digests = new Digests(writer, reader);
    for (const name of Object.keys(COLLECTIONS) as CollectionName[]) {
      await commits.write(() => digests.begin(name, table(name)));
      instanceOf<AnyRecord>(name).beforeCommit.add((events) =>
        digests.note(
          name,
          events.map(({ documentData, previousDocumentData: before }) => ({
            before: before && !before._deleted ? (before as AnyRecord) : undefined,
            after: documentData._deleted ? undefined : (documentData as AnyRecord),
          })),
        ),
      );
    }
    stack.defer(countDigests(digests, commits, table, report));

    return {
      stationId: station.id,
      get stationNumber() {
        return station.number;
      },
      async renumber(number) {
        const before = station.number;
        await commits.writePlain(() =>
          writer.prepare('UPDATE station SET number = ?, first_number = ?').run(number, before),
        );
        station.number = number;
      },
      async renewEpoch() {
        const epoch = randomId();
        await commits.writePlain(() => {
          writer.prepare('UPDATE station SET epoch = ?').run(epoch);
          sequences.skip();
        });
        station.epoch = epoch;
      },
      async takeIds(last) {
        await commits.writePlain(() => {
          for (const [counter, id] of Object.entries(last)) sequences.taken(counter, id);
        });
      },
      records<N extends CollectionName>(name: N) {
        if (WITH_KINDS.has(name)) throw new Error(`${name} holds records of several kinds: ask for one with kind().`);
        return recordsOf(name) as unknown as Records<RecordOf<N>>;
      },
      kind: (name, kind) => recordsOf(name, kind) as never,
      collection: (name) => collectionOf(name) as never,
      transaction: (work) => commits.transaction(work),
      sql: reader,
      writePlain: (work) => commits.writePlain(() => work(writer)),
      table,
      feed,
      whole: (name) => recordsOf(name, undefined, false),
      onMerged(listener) {
        const stops = (Object.keys(COLLECTIONS) as CollectionName[]).map((name) =>
          recordsOf(name, undefined, false).onMerged((changes) => listener(name, changes)),
        );
        return () => stops.forEach((stop) => stop());
      },
      async purgeDeleted(olderThan) {
        for (const name of Object.keys(COLLECTIONS) as CollectionName[])
          while (!(await instanceOf<AnyRecord>(name).cleanup(olderThan)))
            await new Promise((resolve) => setImmediate(resolve));
      },
      evict: (name, keys) => instanceOf(name).evict([...keys]),
      get readOnly() {
        return readOnly;
      },
      setReadOnly(why) {
        const isNew = (why === undefined) !== (readOnly === undefined);
        readOnly = why;
        if (isNew) readOnlyChanged.emit();
      },
      onReadOnly: (listener) => readOnlyChanged.on(listener),
      digest: (name) => digests.of(name),
      file: path,
      backup: (toFile) => copyDatabase(path, toFile),
      close: () => stack.close(),
    };
  } catch (error) {
    await stack.close();
    throw describeDamage(join(directory, 'station.db'), error);
  }
}

/** Counts the sums that are missing, with turns of the event loop between. Returns the function that stops it. */
function countDigests(
  digests: Digests,
  commits: Commits,
  table: (name: CollectionName) => string,
  report: (error: unknown) => void,
): () => Promise<void> {
  let isStopped = false;
  const count = async () => {
    for (const name of Object.keys(COLLECTIONS) as CollectionName[]) {
      let isDone = digests.of(name) !== undefined;
      while (!isDone && !isStopped) {
        isDone = await commits.write(() => digests.countSome(name, table(name)));
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
  };
  const counting = count().catch(report);
  return () => {
    isStopped = true;
    return counting;
  };
}

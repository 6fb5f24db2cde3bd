import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createRxDatabase } from 'rxdb';
import type { RxCollection } from 'rxdb';
import type { z } from 'zod';
import { keyOf, kindKeyOf, LAST_STATION } from '../../shared/ids.ts';
import { COLLECTIONS } from '../../shared/records/index.ts';
import type { CollectionShape } from '../../shared/records/index.ts';
import { Refusal } from '../../shared/refusal.ts';
import { stampClock, stationPart } from '../../shared/stamps.ts';
import { Commits } from './commits.ts';
import type { CollectionName, RecordOf, Records, Store } from './door.ts';
import { keepLogShort } from './checkpoints.ts';
import { DamagedDatabase, lookThrough, sayWhenDamaged } from './damage.ts';
import { DatabaseWorker } from './database-worker.ts';
import { copyDatabase } from './backup.ts';
import { demandNoBrokenRestore } from './restore.ts';
import { openFeed } from './feed.ts';
import { Heads } from './heads.ts';
import { lockDirectory } from './lock.ts';
import { logOf } from './log.ts';
import { mergeRules } from './merge-rules.ts';
import { migrate } from './migrations/index.ts';
import { randomWord } from './random-word.ts';
import { CollectionRecords } from './records.ts';
import type { AnyRecord } from './records.ts';
import { rxSchemaOf } from './schema.ts';
import type { SqliteInstance } from './storage/instance.ts';
import { tableName } from './storage/layout.ts';
import { sqliteStorage } from './storage/storage.ts';
import type { SqliteFile } from './storage/storage.ts';

export interface StoreOptions {
  /** The data directory; made when it is missing. */
  directory: string;
  /** The number of this station among those that link to each other, 0 to 213. What a directory was made with stays. */
  stationNumber?: number;
  /** Wall time in milliseconds. */
  now?: () => number;
  /** Errors of listeners, which are nobody else's. */
  report?: (error: unknown) => void;
}

/** Collections of which a station has thousands at most: they are kept in memory. */
const RESIDENT: ReadonlySet<CollectionName> = new Set(['directories', 'accounts', 'vehicles', 'vehicleStates', 'fleet']);
/** Collections whose kinds count their own ids. */
const WITH_KINDS: ReadonlySet<CollectionName> = new Set(['directories', 'accounts', 'fleet']);

const DATABASE = 'station';

export async function openStore(options: StoreOptions): Promise<Store> {
  const { directory, now = Date.now, report = console.error } = options;
  mkdirSync(directory, { recursive: true });
  const unlock = lockDirectory(directory);
  const path = join(directory, 'station.db');
  const closers: (() => void | Promise<void>)[] = [unlock];
  try {
    demandNoBrokenRestore(directory);
    const writer = sayWhenDamaged(path, () => openConnection(path, false));
    closers.unshift(() => writer.close());
    const sound = lookThrough(writer, path);
    sayWhenDamaged(path, () => migrate(writer));
    const station = identify(writer, options.stationNumber);
    const reader = openConnection(path, true);
    closers.unshift(() => reader.close());

    const heads = new Heads(writer);
    const clock = stampClock(stationPart(station.number, station.id), now, heads.stamp);
    const log = logOf(path);
    closers.unshift(log.close);
    const worker = new DatabaseWorker(path);
    closers.unshift(() => worker.close());
    const measureLog = keepLogShort(writer, worker, () => commits, report);
    const commits: Commits = new Commits(writer, {
      flush: () => heads.flush(clock.latest),
      committed: () => {
        heads.committed();
        measureLog();
      },
      undone: () => heads.undone(),
      sync: () => heads.synced(log.sync),
      report,
    });
    closers.unshift(() => commits.close());
    if (!sound) worker.check().then(({ damage }) => void (damage.length > 0 && report(new DamagedDatabase(path, damage.join('; ')))), report);

    const file: SqliteFile = { writer, reader, commits, nextSeq: () => heads.nextSeq(), wrote: (_database, collection) => feed.wrote(collection) };
    const table = (name: CollectionName) => tableName(DATABASE, COLLECTIONS[name].name, COLLECTIONS[name].version);
    const feed = openFeed({ reader, heads, commits, epoch: station.epoch, table, report });
    const database = await createRxDatabase({ name: DATABASE, storage: sqliteStorage(file, mergeRules(clock, heads, station.number)), multiInstance: false, localDocuments: false });
    closers.unshift(async () => void (await database.close()));
    const creators = (Object.values(COLLECTIONS) as CollectionShape<z.ZodObject>[]).map((shape) => [shape.name, { schema: rxSchemaOf(shape) }]);
    const collections = await database.addCollections(Object.fromEntries(creators));

    const collectionOf = (name: CollectionName) => collections[COLLECTIONS[name].name] as unknown as RxCollection<AnyRecord>;
    const facades = new Map<string, CollectionRecords<AnyRecord>>();
    const recordsOf = (name: CollectionName, kind?: string): CollectionRecords<AnyRecord> => {
      const counter = kind === undefined ? COLLECTIONS[name].name : `${COLLECTIONS[name].name}/${kind}`;
      let facade = facades.get(counter);
      if (!facade) {
        const collection = collectionOf(name);
        facade = new CollectionRecords({
          collection,
          instance: collection.storageInstance.originalStorageInstance as unknown as SqliteInstance<AnyRecord>,
          kind,
          resident: RESIDENT.has(name),
          keyOf: kind === undefined ? keyOf : (id) => kindKeyOf(kind, id),
          counter,
          stationNumber: station.number,
          commits,
          heads,
          clock,
          report,
        });
        facades.set(counter, facade);
      }
      return facade;
    };

    return {
      stationId: station.id,
      stationNumber: station.number,
      records<N extends CollectionName>(name: N) {
        if (WITH_KINDS.has(name)) throw new Error(`${name} holds records of several kinds: ask for one with kind().`);
        return recordsOf(name) as unknown as Records<RecordOf<N>>;
      },
      kind: (name, kind) => recordsOf(name, kind) as never,
      collection: (name) => collectionOf(name) as never,
      together: (work) => commits.together(work),
      sql: reader,
      writePlain: (work) => commits.writePlain(() => work(writer)),
      table,
      feed,
      file: path,
      backup: (toFile) => copyDatabase(path, toFile),
      async close() {
        await closeAll(closers);
      },
    };
  } catch (error) {
    await closeAll(closers);
    throw error;
  }
}

async function closeAll(closers: (() => void | Promise<void>)[]): Promise<void> {
  for (const close of closers.splice(0)) await close();
}

/** `NORMAL` keeps the database whole in any crash and does not sync commits: that is done by `log.sync`, on another thread. */
function openConnection(path: string, readOnly: boolean): DatabaseSync {
  const sql = new DatabaseSync(path, { readOnly, timeout: 5000 });
  sql.exec(readOnly ? 'PRAGMA cache_size = -65536; PRAGMA query_only = 1' : 'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -32768');
  return sql;
}

interface Identity {
  readonly id: string;
  readonly number: number;
  readonly epoch: string;
}

/** Who the station is; a new directory is given an identity of its own. */
function identify(sql: DatabaseSync, wanted: number | undefined): Identity {
  const found = sql.prepare('SELECT id, number, epoch FROM station').get() as unknown as Identity | undefined;
  if (found) {
    if (wanted !== undefined && wanted !== found.number) {
      throw new Refusal('conflict', `This data directory belongs to station number ${found.number} and cannot be opened as number ${wanted}: the ids of its records carry the number.`);
    }
    return found;
  }
  const number = wanted ?? 0;
  if (!Number.isInteger(number) || number < 0 || number > LAST_STATION) throw new Refusal('invalid', `The station number ${number} is not between 0 and ${LAST_STATION}.`);
  const made = { id: randomWord(), number, epoch: randomWord() };
  sql.prepare('INSERT INTO station (id, number, epoch) VALUES (?, ?, ?)').run(made.id, made.number, made.epoch);
  return made;
}

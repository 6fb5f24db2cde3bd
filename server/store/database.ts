import type { DatabaseSync as Connection } from 'node:sqlite';
import { DatabaseSync } from 'node:sqlite';
import { LAST_STATION } from '../../shared/ids.ts';
import { Refusal } from '../../shared/refusal.ts';
import { stampClock, stationPart } from '../../shared/merge/stamps.ts';
import type { StampClock } from '../../shared/merge/stamps.ts';
import { CloseStack } from '../platform/close-stack.ts';
import { checkpointWal } from '../platform/disk/checkpoint-wal.ts';
import { DamagedDatabase, checkIntegrity, reportingDamage } from '../platform/disk/damaged-database.ts';
import { keepWalShort, WalGrowing } from './sqlite/checkpoints.ts';
import { Commits } from './sqlite/commits.ts';
import { DatabaseWorker } from './sqlite/database-worker.ts';
import { Sequences } from './sqlite/sequences.ts';
import { logOf } from './sqlite/wal-sync.ts';
import { copyBeforeMigration } from './migrations/copy-before.ts';
import { migrate } from './migrations/index.ts';
import { randomId } from './sqlite/random-id.ts';
import type { SqliteFile } from './storage/storage.ts';

interface Identity {
  readonly id: string;
  /** Changes at most once: when a fresh station is linked with one that has the same. */
  number: number;
  epoch: string;
}

/**
 * The open `station.db`: a writing connection, one that reads committed data, and the counters.
 */
interface StationDatabase extends SqliteFile {
  readonly station: Identity;
  readonly sequences: Sequences;
  readonly clock: StampClock;
  close(): Promise<void>;
}

interface DatabaseOptions {
  stationNumber?: number | undefined;
  now?: (() => number) | undefined;
  report?: ((error: unknown) => void) | undefined;
  onWritten?: SqliteFile['onWritten'];
}

/** Throws a DamagedDatabase, or a Refusal (for example when a newer program wrote the database). */
export async function openDatabase(path: string, options: DatabaseOptions = {}): Promise<StationDatabase> {
  const { now = Date.now, report = console.error } = options;
  const stack = new CloseStack();
  try {
    const writer = stack.use(reportingDamage(path, () => connect(path, false)));
    try {
      checkpointWal(writer);
    } catch (error) {
      report(
        new WalGrowing(
          `What the last run left in the log could not be moved into the database file (${(error as Error).message}). If the disk failed then, a power failure may yet lose it.`,
          { cause: error },
        ),
      );
    }
    const sound = checkIntegrity(writer, path);
    reportingDamage(path, () => {
      copyBeforeMigration(writer, path);
      migrate(writer);
    });
    const station = identify(writer, options.stationNumber);
    const reader = stack.use(connect(path, true));

    const sequences = new Sequences(writer);
    // With the epoch, not the id of the station: a restore renews the epoch, so stamps given between backup
    // and loss are never given again. The run does the same for a directory that was copied back.
    const part = () => stationPart(station.number, station.epoch);
    const clock = stampClock(part, now, sequences.stamp, randomId(4));
    const log = stack.use(logOf(path));
    const worker = stack.use(new DatabaseWorker(path));
    const measureLog = keepWalShort(writer, worker, () => commits, report);
    const commits: Commits = new Commits(writer, {
      flush: () => sequences.flush(clock.latest),
      committed: () => {
        sequences.committed();
        measureLog();
      },
      undone: () => sequences.undone(),
      sync: () => sequences.synced(log.sync),
      report,
    });
    stack.use(commits);
    if (!sound)
      worker
        .check()
        .then(({ damage }) => void (damage.length > 0 && report(new DamagedDatabase(path, damage.join('; ')))), report);
    return {
      station,
      writer,
      reader,
      commits,
      sequences,
      clock,
      nextSeq: () => sequences.nextSeq(),
      ...(options.onWritten && { onWritten: options.onWritten }),
      close: () => stack.close(),
    };
  } catch (error) {
    await stack.close();
    throw error;
  }
}

/**
 * `NORMAL` keeps the database consistent in any crash and does not sync commits: `log.sync` does that, on
 * another thread.
 */
function connect(path: string, readOnly: boolean): Connection {
  const sql = new DatabaseSync(path, { readOnly, timeout: 5000 });
  sql.exec(
    readOnly
      ? 'PRAGMA cache_size = -32768; PRAGMA query_only = 1'
      : 'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16384',
  );
  return sql;
}

/** Identity of the station. A new directory gets one of its own. */
function identify(sql: Connection, wanted: number | undefined): Identity {
  const found = sql.prepare('SELECT id, number, epoch, first_number FROM station').get() as unknown as
    (Identity & { first_number: number | null }) | undefined;
  if (found) {
    if (wanted !== undefined && wanted !== found.number && wanted !== found.first_number) {
      throw new Refusal('store.otherNumber', { number: found.number, wanted });
    }
    return { id: found.id, number: found.number, epoch: found.epoch };
  }
  const number = wanted ?? 0;
  if (!Number.isInteger(number) || number < 0 || number > LAST_STATION)
    throw new Refusal('store.numberRange', { number, last: LAST_STATION });
  const made = { id: randomId(), number, epoch: randomId() };
  sql.prepare('INSERT INTO station (id, number, epoch) VALUES (?, ?, ?)').run(made.id, made.number, made.epoch);
  return made;
}

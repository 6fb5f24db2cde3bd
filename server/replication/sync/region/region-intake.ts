import type { CollectionName, Store } from '../../../store/types.ts';
import { checkRecord, isFault, type ReceivedRecord, type RecordFault } from '../replication/check-record.ts';
import { writeReceived } from '../replication/intake/pull-collection.ts';
import type { RefusedRecords } from '../replication/intake/refused-records.ts';
import { REGION_TAKEN } from '../replication/link-rows.ts';
import type { RecordEntry } from '../../nats/index.ts';
import type { LastEntries } from './last-entries.ts';

interface RegionIntakeOptions {
  readonly store: Store;
  readonly refused: RefusedRecords;
  known(collection: CollectionName): LastEntries;
  now(): number;
  warn(message: string): void;
}

/** ms of checking records before the event loop runs other work. */
const CHECK_BUDGET = 6;
/** Refused records of one batch that are named in the log. */
const NAMED = 3;

/** Takes in records of the stream. What is refused is kept with the reason, and stops nothing else. */
export class RegionIntake {
  readonly #options: RegionIntakeOptions;

  constructor(options: RegionIntakeOptions) {
    this.#options = options;
  }

  /** Resolves with the reasons of those that were refused, when the others are on disk. */
  async take(collection: CollectionName, entries: readonly RecordEntry[]): Promise<readonly RecordFault[]> {
    const { store, refused, known, now } = this.#options;
    // Of one record only the last counts: each entry holds what was in the one before it.
    const last = new Map(entries.map((entry) => [entry.key, entry]));
    const records: ReceivedRecord[] = [];
    const faults: RecordFault[] = [];
    let until = performance.now() + CHECK_BUDGET;
    for (const { text, isDeleted } of last.values()) {
      const checked = checkRecord(collection, text, isDeleted, now());
      if (isFault(checked)) faults.push(checked);
      else records.push(checked);
      if (performance.now() < until) continue;
      await new Promise((resolve) => setImmediate(resolve));
      until = performance.now() + CHECK_BUDGET;
    }
    await writeReceived(store, collection, records);
    for (const { record } of records)
      known(collection).note(record.key, last.get(record.key)?.sequence ?? 0, record.hlc);
    const keys = records.map(({ record }) => record.key);
    if (keys.length > 0) await refused.taken(REGION_TAKEN, collection, keys);
    if (faults.length > 0) await this.#note(collection, faults);
    return faults;
  }

  async #note(collection: CollectionName, faults: readonly RecordFault[]): Promise<void> {
    const { refused, warn } = this.#options;
    const told = await refused.note(REGION_TAKEN, collection, faults);
    for (const { key, reason } of told.slice(0, NAMED))
      warn(`A record of the region is not taken in (${collection} ${key}): ${reason}`);
    if (told.length > NAMED) warn(`${told.length - NAMED} more records of ${collection} are not taken in.`);
  }
}

import { keyOf } from '../../../../../shared/ids.ts';
import type { CollectionName, Store } from '../../../../store/types.ts';
import type { Channel } from '../../types.ts';
import { checkRecord, isFault, type RecordFault, type ReceivedRecord } from '../check-record.ts';
import { scopeFault } from '../scope/check-scope.ts';
import type { Evictions } from '../scope/evictions.ts';
import type { KnownToPeer } from './known-to-peer.ts';
import type { RefusedRecords } from './refused-records.ts';
import type { Scope } from '../scope/scope.ts';

interface IntakeOptions {
  readonly store: Store;
  readonly channel: Channel;
  readonly refused: RefusedRecords;
  readonly evictions: Evictions;
  now(): number;
  warn(message: string): void;
  /** Scope of the link; undefined: everything. */
  scope(): Scope | undefined;
  known(collection: CollectionName): KnownToPeer;
  /** Takes over these records as the other station has them. */
  fetch(collection: CollectionName, keys: readonly string[]): Promise<void>;
  /** Called when records are to be evicted, so that the other station soon learns how far this one has read. */
  evicting(): void;
}

/** ms of checking records before the event loop runs other work. */
const CHECK_BUDGET = 6;
/** ms until refused records are tried again. */
const RETRY_REFUSED = 60_000;
/** Refused records of a page that are named in the log. */
const NAMED = 3;

/** Decides which records of the other station's pages are accepted, and stores refused ones with the reason. */
export class Intake {
  readonly #options: IntakeOptions;

  constructor(options: IntakeOptions) {
    this.#options = options;
  }

  /** The records of a page that are taken in; `text` has its lines. */
  async check(collection: CollectionName, text: string): Promise<readonly ReceivedRecord[]> {
    const records: ReceivedRecord[] = [];
    const faults: RecordFault[] = [];
    const gone: string[] = [];
    const known = this.#options.known(collection);
    let until = performance.now() + CHECK_BUDGET;
    for (const line of text === '' ? [] : text.split('\n')) {
      if (line.startsWith('!')) {
        gone.push(line.slice(1, 61));
        continue;
      }
      const checked = await this.#checkLine(collection, line);
      if (isFault(checked)) faults.push(checked);
      else {
        records.push(checked);
        known.note(checked.record.key, checked.record.hlc);
      }
      if (performance.now() < until) continue;
      await new Promise((resolve) => setImmediate(resolve));
      until = performance.now() + CHECK_BUDGET;
    }
    const keys = records.map(({ record }) => record.key);
    await this.#noteGone(collection, gone, keys);
    await this.#noteFaults(collection, faults, keys);
    return records;
  }

  /** Fetches refused records again: their time may have come, and a newer program may accept them. */
  async retryRefused(): Promise<void> {
    const { refused, channel, now, fetch } = this.#options;
    const byCollection = new Map<CollectionName, string[]>();
    for (const { collection, key } of refused.toRetry(channel.link.id, now() - RETRY_REFUSED))
      byCollection.set(collection, [...(byCollection.get(collection) ?? []), key]);
    // A failed record is tried again in a minute.
    for (const [collection, keys] of byCollection) await fetch(collection, keys).catch(() => undefined);
  }

  async #checkLine(collection: CollectionName, line: string): Promise<ReceivedRecord | RecordFault> {
    const readable = checkRecord(collection, line.slice(1), line.startsWith('-'), this.#options.now());
    return isFault(readable) ? readable : this.#checkScope(collection, readable);
  }

  async #checkScope(collection: CollectionName, received: ReceivedRecord): Promise<ReceivedRecord | RecordFault> {
    const { store, scope: scopeNow, fetch } = this.#options;
    const scope = scopeNow();
    if (!scope) return received;
    const fault = scopeFault(store, scope, collection, received);
    const taskId = received.record['taskId'];
    if (!fault || typeof taskId !== 'number' || taskId === 0 || store.records('tasks').get(taskId))
      return fault ?? received;
    // It came before its task: collections are read side by side.
    await fetch('tasks', [keyOf(taskId)]);
    return scopeFault(store, scope, collection, received) ?? received;
  }

  async #noteGone(collection: CollectionName, gone: readonly string[], taken: readonly string[]): Promise<void> {
    const { evictions, channel, evicting } = this.#options;
    if (gone.length > 0) {
      await evictions.note(channel.link.id, collection, gone);
      evicting();
    }
    if (taken.length > 0) await evictions.forget(channel.link.id, collection, taken);
  }

  async #noteFaults(
    collection: CollectionName,
    faults: readonly RecordFault[],
    taken: readonly string[],
  ): Promise<void> {
    const { refused, channel, warn } = this.#options;
    if (faults.length === 0) {
      if (taken.length > 0) await refused.taken(channel.link.id, collection, taken);
      return;
    }
    const told = await refused.note(channel.link.id, collection, faults);
    for (const { key, reason } of told.slice(0, NAMED))
      warn(
        `${channel.peer.name} sent a record that is not taken in (${collection} ${key.startsWith('?') ? 'without a key' : key}): ${reason}`,
      );
    if (told.length > NAMED)
      warn(`${channel.peer.name} sent ${told.length - NAMED} more records of ${collection} that are not taken in.`);
    channel.link.report({ error: `${faults.length} records of ${collection} were refused: ${faults[0]!.reason}` });
  }
}

import type { EventRecord } from '../../../../shared/records/index.ts';
import { WorkerClient } from '../../../platform/threads/worker-client.ts';
import type { Records, Store } from '../../../store/index.ts';
import { siblingUrl } from '../../../platform/threads/worker-url.ts';
import type { EventQuery } from './events-sql.ts';

/** Most waiting queries; further ones would be answered too late to be useful. */
const MAX_WAITING = 200;

export type EventLogRequest =
  | { readonly kind: 'list'; readonly query: EventQuery }
  | { readonly kind: 'latest'; readonly vehicleIds: readonly number[]; readonly since: number; readonly limit: number };

/**
 * Reads events. A thread reads lists, on committed data (see `WorkerClient` for start, crash and restart).
 */
export class EventLog {
  readonly #records: Records<EventRecord>;
  readonly #thread: WorkerClient<EventLogRequest>;

  /** @param warn logs faults of the thread */
  constructor(store: Store, warn?: ((message: string) => void) | undefined) {
    this.#records = store.records('events');
    this.#thread = new WorkerClient({
      script: siblingUrl(import.meta.url, './event-log.worker'),
      warn,
      name: 'The list of events',
      maxWaiting: MAX_WAITING,
      worker: {
        workerData: { file: store.file, table: store.table('events') },
        resourceLimits: { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 128 },
      },
    });
  }

  get(id: number): EventRecord | undefined {
    return this.#records.get(id);
  }

  /** Lasting events first, then newest first. */
  list(query: EventQuery): Promise<EventRecord[]> {
    return this.#thread.request({ kind: 'list', query });
  }

  /** The latest event of each vehicle that began or ended after `since`, newest first. */
  latest(vehicleIds: readonly number[], since: number, limit: number): Promise<EventRecord[]> {
    return this.#thread.request({ kind: 'latest', vehicleIds, since, limit });
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}

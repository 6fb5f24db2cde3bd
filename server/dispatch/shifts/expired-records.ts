import type { CrewDuty, LogBookEntry, PhoneCall, Shift } from '../../../shared/records/index.ts';
import type { Records, Store } from '../../store/types.ts';

interface ExpiredRecordsOptions {
  readonly store: Store;
  /** Epoch ms; -Infinity: the organization keeps everything. */
  expiredBefore(organizationId: number): number;
  report(error: unknown): void;
}

/** ms between two sweeps */
const EVERY = 3_600_000;
/** Records that are deleted before other work runs. */
const AT_ONCE = 100;

interface Expiring {
  readonly records: Pick<Records<{ id: number }>, 'remove'>;
  readonly ids: readonly number[];
}

/** Deletes calls, entries and ended shifts by the retention of their organization (README rule 13). */
export class ExpiredRecords {
  readonly #options: ExpiredRecordsOptions;
  readonly #timer: NodeJS.Timeout;
  #sweeping: Promise<number> | undefined;
  #isClosed = false;

  constructor(options: ExpiredRecordsOptions) {
    this.#options = options;
    const sweep = () => void this.sweep().catch((error: unknown) => options.report(error));
    this.#timer = setInterval(sweep, EVERY);
    this.#timer.unref();
    sweep();
  }

  /** Resolves with the number of records that were deleted. */
  sweep(): Promise<number> {
    return (this.#sweeping ??= this.#sweep().finally(() => (this.#sweeping = undefined)));
  }

  async #sweep(): Promise<number> {
    const { store } = this.#options;
    if (store.readOnly !== undefined) return 0;
    const expiring = [
      this.#expired(store.kind<PhoneCall>('fleet', 'call'), ({ at }) => at),
      this.#expired(store.kind<LogBookEntry>('fleet', 'logBookEntry'), ({ at }) => at),
      this.#expired(store.kind<Shift>('fleet', 'shift'), ({ ended }) => ended?.at ?? Infinity),
      this.#expired(store.kind<CrewDuty>('fleet', 'duty'), ({ until }) => until || Infinity),
    ];
    let deleted = 0;
    for (const { records, ids } of expiring)
      for (let first = 0; first < ids.length && !this.#isClosed; first += AT_ONCE) {
        const some = ids.slice(first, first + AT_ONCE);
        await Promise.all(some.map((id) => records.remove(id)));
        deleted += some.length;
      }
    return deleted;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#isClosed = true;
    await this.#sweeping?.catch(() => undefined);
  }

  #expired<T extends { id: number; organizationId: number }>(
    records: Records<T>,
    endOf: (record: T) => number,
  ): Expiring {
    const { expiredBefore } = this.#options;
    const ids = records
      .all()
      .filter((record) => endOf(record) < expiredBefore(record.organizationId))
      .map(({ id }) => id);
    return { records, ids };
  }
}

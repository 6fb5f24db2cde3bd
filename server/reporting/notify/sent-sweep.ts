import type { Store } from '../../store/types.ts';

const DAY = 24 * 3_600_000;
/** ms between two sweeps. */
const SWEEP_EVERY = 3_600_000;
/** Rows that one step on the event loop reads. */
const STEP = 200;

interface SentSweepOptions {
  readonly store: Pick<Store, 'sql' | 'writePlain'>;
  /** Days for which mail is kept after its last attempt, and letters after they were printed. */
  readonly days: number;
  readonly now: () => number;
  readonly report: (message: string, error: unknown) => void;
}

/**
 * Deletes mail some days after it was sent or given up, and letters some days after they were printed, at the
 * start and every hour. Mail that waited that long for a server goes too, so that a new server does not send
 * last year's mail. A letter that was not printed stays.
 */
export class SentSweep {
  readonly #options: SentSweepOptions;
  readonly #timer: NodeJS.Timeout;
  #running: Promise<unknown> | undefined;
  #closed = false;

  constructor(options: SentSweepOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#start(), SWEEP_EVERY).unref();
    this.#start();
  }

  /** Resolves with the number of deleted rows. */
  async sweep(): Promise<number> {
    return (
      (await this.#sweepTable('mail', 'coalesce(sent_at, next_at)')) + (await this.#sweepTable('post', 'printed_at'))
    );
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  #start(): void {
    this.#running = this.sweep().catch((error: unknown) =>
      this.#options.report('Old mail could not be deleted.', error),
    );
  }

  /**
   * From the oldest on, until the rows are younger: nothing is done before it is written. @param done SQL for
   * when; of a mail that was not sent, when it was last to be tried
   */
  async #sweepTable(table: 'mail' | 'post', done: string): Promise<number> {
    const { store, days, now } = this.#options;
    const before = now() - days * DAY;
    const look = store.sql.prepare(
      `SELECT id, ${done} AS done FROM ${table} WHERE id > ? AND at < ? ORDER BY id LIMIT ${STEP}`,
    );
    let gone = 0;
    for (let last = 0; !this.#closed;) {
      const rows = look.all(last, before) as unknown as { id: number; done: number | null }[];
      const over = rows.filter((row) => row.done !== null && row.done < before);
      if (over.length > 0) {
        await store.writePlain((sql) => {
          const drop = sql.prepare(`DELETE FROM ${table} WHERE id = ?`);
          for (const { id } of over) drop.run(id);
        });
      }
      gone += over.length;
      if (rows.length < STEP) return gone;
      last = rows.at(-1)!.id;
    }
    return gone;
  }
}

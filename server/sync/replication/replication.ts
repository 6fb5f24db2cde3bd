import type { Store } from '../../store/types.ts';
import type { Channel } from '../types.ts';
import { ReadPositions } from './read-positions.ts';
import { RefusedRecords } from './refused-records.ts';
import { Session } from './session.ts';

export interface ReplicationOptions {
  readonly store: Store;
  now(): number;
  /** Of something that an operator should know. */
  warn(message: string): void;
}

/** Replication over all links: each connection that is handed over to `attach` is used until it closes. */
export class Replication {
  readonly #options: ReplicationOptions;
  readonly #sessions = new Map<number, Session>();
  readonly #queues = new Map<number, Promise<void>>();
  readonly refused: RefusedRecords;
  readonly #positions: ReadPositions;
  #closed = false;

  constructor(options: ReplicationOptions) {
    this.#options = options;
    this.refused = new RefusedRecords(options.store, () => options.now());
    this.#positions = new ReadPositions(options.store);
  }

  /** Uses a connection. The one before it on the same link is given up. */
  attach(channel: Channel): void {
    const link = channel.link.id;
    this.#inTurn(link, async () => {
      await this.#sessions.get(link)?.close();
      if (this.#closed) return;
      const session = new Session({
        store: this.#options.store,
        channel,
        refused: this.refused,
        positions: this.#positions,
        now: () => this.#options.now(),
        warn: (message) => this.#options.warn(message),
      });
      this.#sessions.set(link, session);
      void channel.closed.then(() =>
        this.#inTurn(link, async () => {
          await session.close();
          if (this.#sessions.get(link) === session) this.#sessions.delete(link);
        }),
      );
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#queues.values());
    await Promise.all([...this.#sessions.values()].map((session) => session.close()));
  }

  /** RxDB's replication must be closed before another one of the same link and collection begins. */
  #inTurn(link: number, work: () => Promise<void>): void {
    const turn = (this.#queues.get(link) ?? Promise.resolve()).then(work).catch((error: unknown) => {
      this.#options.warn(`Replication over link ${link} failed: ${(error as Error).message}`);
    });
    this.#queues.set(link, turn);
  }
}

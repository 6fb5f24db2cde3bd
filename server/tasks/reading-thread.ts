import { Worker } from 'node:worker_threads';
import type { Actor } from '../../shared/access.ts';
import type { Message, StateRule } from '../../shared/records/index.ts';
import { Refusal } from '../../shared/refusal.ts';
import type { Store } from '../store/door.ts';
import { siblingUrl } from '../worker-url.ts';
import type { CountFilter, ListFilter } from './filter.ts';
import type { FoundMessage } from './find-messages.ts';
import type { Way } from './list-ways.ts';
import type { Page } from './messages-sql.ts';
import type { ByStatus, Stats } from './stats-sql.ts';

/** Questions that may wait; more would be answered too late to be of use. */
const QUEUE = 100;

/** The messages of a list, or of a count, of somebody. */
export type Which = { readonly actor: Actor; readonly rules: readonly StateRule[] } & ({ readonly list: ListFilter } | { readonly count: CountFilter });
export type Question = { readonly which: Which } & ({ readonly kind: 'stats' | 'count' } | { readonly kind: 'page'; readonly page: Page } | { readonly kind: 'find'; readonly query: string; readonly limit: number });
export type Answer = { answer: unknown } | { failed: string };

/** How many there were when the sequence number of writes was `seq`. */
export interface CountedAt {
  readonly byStatus: ByStatus;
  readonly seq: number;
}

interface Waiting {
  readonly key: string;
  readonly resolve: (answer: never) => void;
  readonly reject: (error: Error) => void;
  readonly answer: Promise<unknown>;
}

/**
 * Asks a worker thread what takes longer than the event loop can spare, and gets it as it is committed. The thread starts with the first question and does not keep the process
 * alive; when it dies, those who wait are told, and the next question starts another. The same question asked while it waits is asked once.
 */
export class ReadingThread {
  private readonly store: Pick<Store, 'file' | 'table'>;
  private readonly counts: boolean;
  private readonly asked: Waiting[] = [];
  private worker: Worker | undefined;

  /** @param counts it keeps in memory what messages are counted by, and leaves the processor to the event loop when both want it (where the system can do that for a thread: Linux) */
  constructor(store: Pick<Store, 'file' | 'table'>, counts = false) {
    this.store = store;
    this.counts = counts;
  }

  stats(which: Which): Promise<Stats> {
    return this.ask({ kind: 'stats', which });
  }

  count(which: Which): Promise<CountedAt> {
    return this.ask({ kind: 'count', which });
  }

  /** The page, and the way on which the event loop finds it the next time. */
  page(which: Which, page: Page): Promise<{ messages: Message[]; way: Way }> {
    return this.ask({ kind: 'page', which, page });
  }

  /** See `findMessages`. */
  find(which: Which, query: string, limit: number): Promise<FoundMessage[]> {
    return this.ask({ kind: 'find', which, query, limit });
  }

  async close(): Promise<void> {
    const worker = this.worker;
    this.worker = undefined;
    for (const { reject } of this.asked.splice(0)) reject(new Refusal('busy', 'The station stops.'));
    await worker?.terminate();
  }

  private ask<R>(question: Question): Promise<R> {
    const { user, right } = question.which.actor; // a caller has more, such as a token
    const plain = { ...question, which: { ...question.which, actor: { user, right } } };
    const key = JSON.stringify(plain);
    // Not the first: it is being answered, maybe without what was written since.
    const same = this.asked.slice(1).find((one) => one.key === key);
    if (same) return same.answer as Promise<R>;
    if (this.asked.length >= QUEUE) return Promise.reject(new Refusal('busy', 'Too much is asked for at once.'));
    const { promise, resolve, reject } = Promise.withResolvers<R>();
    this.asked.push({ key, resolve: resolve as Waiting['resolve'], reject, answer: promise });
    const worker = (this.worker ??= this.start());
    worker.ref();
    worker.postMessage(plain);
    return promise;
  }

  private start(): Worker {
    const worker = new Worker(siblingUrl(import.meta.url, './reading.worker'), {
      workerData: { file: this.store.file, table: this.store.table('messages'), counts: this.counts },
      resourceLimits: { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 128 },
    });
    worker.on('message', (said: Answer) => {
      const asked = this.asked.shift();
      if (this.asked.length === 0) worker.unref();
      if ('failed' in said) asked?.reject(new Error(said.failed));
      else asked?.resolve(said.answer as never);
    });
    const ended = (error: Error) => {
      if (this.worker !== worker) return;
      this.worker = undefined;
      for (const { reject } of this.asked.splice(0)) reject(error);
    };
    worker.on('error', ended);
    worker.on('exit', () => ended(new Error('The thread that reads messages ended.')));
    return worker;
  }
}

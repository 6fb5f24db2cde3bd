import { Worker } from 'node:worker_threads';
import type { Actor } from '../../shared/access.ts';
import type { StateRule } from '../../shared/records/index.ts';
import { Refusal } from '../../shared/refusal.ts';
import type { Store } from '../store/door.ts';
import { siblingUrl } from '../worker-url.ts';
import type { CountFilter } from './filter.ts';
import type { Stats } from './stats-sql.ts';
import type { StatsAnswer, StatsQuestion } from './stats.worker.ts';

/** Questions that may wait; more would be answered too late to be of use. */
const QUEUE = 100;

/**
 * Asks a worker thread to count messages. The thread starts with the first question and does not keep the process alive; when it dies, those who wait are told, and the
 * next question starts another. The same question asked while it waits is asked once.
 */
export class StatsWorker {
  private readonly store: Pick<Store, 'file' | 'table'>;
  private readonly asked: { key: string; resolve: (stats: Stats) => void; reject: (error: Error) => void; answer: Promise<Stats> }[] = [];
  private worker: Worker | undefined;

  constructor(store: Pick<Store, 'file' | 'table'>) {
    this.store = store;
  }

  /** What `countPredicate` holds for, as it is on the disk. */
  ask(actor: Actor, filter: CountFilter, rules: readonly StateRule[]): Promise<Stats> {
    const question: StatsQuestion = { actor: { user: actor.user, right: actor.right }, filter, rules };
    const key = JSON.stringify(question);
    // Not the first: it is being counted, maybe without what was written since.
    const same = this.asked.slice(1).find((one) => one.key === key);
    if (same) return same.answer;
    if (this.asked.length >= QUEUE) return Promise.reject(new Refusal('busy', 'Too many statistics are asked for at once.'));
    const { promise, resolve, reject } = Promise.withResolvers<Stats>();
    this.asked.push({ key, resolve, reject, answer: promise });
    const worker = (this.worker ??= this.start());
    worker.ref();
    worker.postMessage(question);
    return promise;
  }

  async close(): Promise<void> {
    const worker = this.worker;
    this.worker = undefined;
    for (const { reject } of this.asked.splice(0)) reject(new Refusal('busy', 'The station stops.'));
    await worker?.terminate();
  }

  private start(): Worker {
    const worker = new Worker(siblingUrl(import.meta.url, './stats.worker'), { workerData: { file: this.store.file, table: this.store.table('messages') } });
    worker.on('message', (answer: StatsAnswer) => {
      const asked = this.asked.shift();
      if (this.asked.length === 0) worker.unref();
      if ('failed' in answer) asked?.reject(new Error(answer.failed));
      else asked?.resolve(answer.stats);
    });
    const ended = (error: Error) => {
      if (this.worker !== worker) return;
      this.worker = undefined;
      for (const { reject } of this.asked.splice(0)) reject(error);
    };
    worker.on('error', ended);
    worker.on('exit', () => ended(new Error('The worker of statistics ended.')));
    return worker;
  }
}

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { siblingUrl } from '../worker-url.ts';
import type { DatabaseAnswer, DatabaseTask } from './database.worker.ts';

/** Asks a worker thread to do long work on a database. The thread starts with the first question, and does not keep the process alive. */
export class DatabaseWorker {
  readonly #path: string;
  #worker: Worker | undefined;
  /** Whoever closes waits for its end, which comes after what it was asked last. */
  #closing = false;
  #asked: { resolve: (answer: DatabaseAnswer) => void; reject: (error: Error) => void }[] = [];

  constructor(path: string) {
    this.#path = path;
  }

  async checkpoint(): Promise<{ pages: number }> {
    return (await this.#ask({ kind: 'checkpoint' })) as { kind: 'checkpointed'; pages: number };
  }

  /** Copies the database as it is at one moment; `to` must not exist. On disk when it resolves. */
  async snapshot(to: string): Promise<void> {
    await this.#ask({ kind: 'snapshot', to });
  }

  async check(): Promise<{ damage: string[] }> {
    return (await this.#ask({ kind: 'check' })) as { kind: 'checked'; damage: string[] };
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    if (!worker) return;
    this.#closing = true;
    worker.ref();
    const exit = once(worker, 'exit');
    worker.postMessage('close');
    await exit;
  }

  #ask(task: DatabaseTask): Promise<DatabaseAnswer> {
    const worker = (this.#worker ??= this.#start());
    worker.ref();
    return new Promise<DatabaseAnswer>((resolve, reject) => {
      this.#asked.push({ resolve, reject });
      worker.postMessage(task);
    });
  }

  #start(): Worker {
    const worker = new Worker(siblingUrl(import.meta.url, './database.worker'), { workerData: { path: this.#path } });
    worker.on('message', (answer: DatabaseAnswer) => {
      const asked = this.#asked.shift();
      if (this.#asked.length === 0 && !this.#closing) worker.unref();
      if (answer.kind === 'failed') asked?.reject(new Error(answer.message));
      else asked?.resolve(answer);
    });
    const ended = (error: Error) => {
      this.#worker = undefined;
      for (const { reject } of this.#asked.splice(0)) reject(error);
    };
    worker.on('error', ended);
    worker.on('exit', () => ended(new Error('The database worker ended.')));
    return worker;
  }
}

import { Worker } from 'node:worker_threads';
import { Refusal } from '../../shared/refusal.ts';
import { siblingUrl } from '../worker-url.ts';
import type { Closure, LearnedSpeeds } from './door.ts';
import type { Added, Adding, Closed, Closing, Included, Prepared, Traffic } from './messages.ts';

type Answer = Exclude<Closed | Included, { failure: string }>;

/** The worker that reads a territory's roads and customizes them, for as long as the territory is open. */
export class PreparingThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, { resolve: (answer: Answer) => void; reject: (error: Error) => void }>();
  #next = 1;
  #failure: Error | undefined;
  /** The roads, ready to search. Fails when they cannot be read. */
  readonly prepared: Promise<Prepared>;

  constructor(directory: string) {
    this.#worker = new Worker(siblingUrl(import.meta.url, './prepare.worker'), { workerData: { directory } });
    this.prepared = new Promise((resolve, reject) => {
      this.#worker.once('message', resolve);
      this.#worker.once('error', (error) => this.#failed(error, reject));
      this.#worker.once('exit', () => this.#failed(new Refusal('busy', 'The router was closed or has to be started again.'), reject));
    });
    this.prepared.catch(() => {});
    this.#worker.on('message', (message: Prepared | Closed | Included) => {
      if (!('id' in message)) return;
      const waiting = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      if ('failure' in message) waiting?.reject(new Error(message.failure));
      else waiting?.resolve(message);
    });
  }

  /** It ended, and will answer no more. */
  get isDead(): boolean {
    return this.#failure !== undefined;
  }

  /** What driving costs under these closures and with these speeds, for every profile. */
  async traffic(closures: readonly Closure[], speeds: LearnedSpeeds | undefined): Promise<readonly Traffic[]> {
    const answer = await this.#ask({ id: this.#next++, closures, speeds }).catch((error: Error) => {
      throw this.#failure ?? new Error(`The closures cannot be worked out: ${error.message}`);
    });
    return (answer as { traffic: readonly Traffic[] }).traffic;
  }

  /** Takes in a profile whose roads have been made since. */
  async add(profile: string): Promise<Added> {
    const { network, traffic } = (await this.#ask({ id: this.#next++, profile })) as Added;
    return { network, traffic };
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #ask(asked: Closing | Adding): Promise<Answer> {
    if (this.#failure) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#waiting.set(asked.id, { resolve, reject });
      this.#worker.postMessage(asked);
    });
  }

  #failed(error: Error, reject: (error: Error) => void): void {
    this.#failure ??= error;
    reject(error);
    for (const waiting of this.#waiting.values()) waiting.reject(error);
    this.#waiting.clear();
  }
}

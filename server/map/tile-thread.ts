import { Worker } from 'node:worker_threads';
import { Refusal } from '../../shared/refusal.ts';
import { siblingUrl } from '../worker-url.ts';

type TileAsked = { readonly kind: 'open'; readonly directory: string | undefined } | { readonly kind: 'tile'; readonly z: number; readonly x: number; readonly y: number };
export interface TileQuestion {
  readonly id: number;
  readonly asked: TileAsked;
}
export interface TileAnswer {
  readonly id: number;
  readonly tile?: Uint8Array | undefined;
  readonly error?: string;
}

/** Questions that may wait; a client that asks for more has long moved on. */
const QUEUE = 1000;

interface Waiting {
  readonly resolve: (tile: Uint8Array | undefined) => void;
  readonly reject: (error: Error) => void;
}

/** The thread that cuts tiles. When it dies it is replaced, on the same territory, and what it was asked is refused with `busy`. */
export class TileThread {
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker;
  #directory: string | undefined;
  #last = 0;
  #closed = false;
  readonly #script: URL;

  constructor(script = siblingUrl(import.meta.url, './tiles.worker')) {
    this.#script = script;
    this.#worker = this.#start();
  }

  tile(z: number, x: number, y: number): Promise<Uint8Array | undefined> {
    return this.#ask({ kind: 'tile', z, x, y });
  }

  async open(directory: string | undefined): Promise<void> {
    await this.#ask({ kind: 'open', directory });
    this.#directory = directory;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#refuseAll('The map is closed.');
    await this.#worker.terminate();
  }

  #ask(asked: TileAsked): Promise<Uint8Array | undefined> {
    if (this.#closed) return Promise.reject(new Refusal('busy', 'The map is closed.'));
    if (this.#waiting.size >= QUEUE) return Promise.reject(new Refusal('busy', 'Too many tiles are being waited for. Try again.'));
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ id, asked } satisfies TileQuestion);
    });
  }

  #start(): Worker {
    const worker = new Worker(this.#script);
    worker.unref();
    worker.on('message', ({ id, tile, error }: TileAnswer) => {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error === undefined) waiting?.resolve(tile);
      else waiting?.reject(new Error(error));
    });
    worker.on('error', (error) => this.#replace(worker, error.message));
    worker.on('exit', () => this.#replace(worker, 'it ended'));
    return worker;
  }

  #replace(worker: Worker, reason: string): void {
    if (this.#closed || worker !== this.#worker) return;
    this.#worker = this.#start();
    this.#refuseAll(`The map was started again (${reason}). Try again.`);
    // The territory may be gone by now; then there is nothing to draw until another one is opened.
    if (this.#directory !== undefined) this.#ask({ kind: 'open', directory: this.#directory }).catch(() => {});
  }

  #refuseAll(message: string): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(new Refusal('busy', message));
  }
}

import {
  getEnvironmentData,
  MessageChannel,
  receiveMessageOnPort,
  setEnvironmentData,
  Worker,
  type MessagePort,
} from 'node:worker_threads';
import { siblingUrl } from '../../../platform/threads/worker-url.ts';
import type { HistorianOptions } from './connection.ts';

/** A reading in SQL. */
export interface HistorianQuestion {
  readonly text: string;
  readonly values: readonly unknown[];
}
export type HistorianAnswer = { readonly rows: unknown[] } | { readonly error: string };
export interface QuestionsData {
  readonly options: HistorianOptions;
  readonly port: MessagePort;
  readonly signal: Int32Array<SharedArrayBuffer>;
}

/** ms for an answer, with a new connection. */
const LONGEST = 20_000;
/** ms without a question after which thread and connection end. */
const IDLE = 60_000;

/** The historian does not answer, and why. */
export class HistorianAway extends Error {
  override readonly name = 'HistorianAway';
}

/**
 * Queries the historian from a thread that reads tracks, which waits for the answer as it waits for its disk,
 * unlike the event loop of the station. A separate thread holds the connection.
 */
export class HistorianQuestions {
  readonly #options: HistorianOptions;
  #asking: { readonly worker: Worker; readonly port: MessagePort; readonly signal: Int32Array } | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(options: HistorianOptions) {
    this.#options = options;
  }

  /** Throws `HistorianAway`. */
  ask(question: HistorianQuestion): unknown[] {
    const { port, signal } = (this.#asking ??= this.#start());
    this.#idle?.refresh();
    Atomics.store(signal, 0, 0);
    port.postMessage(question);
    const isAnswered = Atomics.wait(signal, 0, 0, LONGEST) !== 'timed-out';
    const answer = isAnswered ? (receiveMessageOnPort(port)?.message as HistorianAnswer | undefined) : undefined;
    if (!answer) {
      this.close();
      throw new HistorianAway(`no answer in ${LONGEST / 1000} s`);
    }
    if ('error' in answer) throw new HistorianAway(answer.error);
    return answer.rows;
  }

  close(): void {
    clearTimeout(this.#idle);
    const asking = this.#asking;
    this.#asking = undefined;
    asking?.port.close();
    void asking?.worker.terminate();
  }

  #start() {
    const { port1: port, port2 } = new MessageChannel();
    const signal = new Int32Array(new SharedArrayBuffer(4));
    const workerData: QuestionsData = { options: this.#options, port: port2, signal };
    const worker = new Worker(siblingUrl(import.meta.url, './questions.worker'), { workerData, transferList: [port2] });
    worker.unref();
    port.unref();
    // The thread that asks waits in vain then, and says so.
    worker.on('error', () => undefined);
    this.#idle = setTimeout(() => this.close(), IDLE);
    this.#idle.unref();
    return { worker, port, signal };
  }
}

/** Says to threads that start later which historian the tracks of a file have. */
export function offerHistorian(file: string, options: HistorianOptions | undefined): void {
  setEnvironmentData(keyOf(file), options);
}

/** In a thread: the historian of these tracks. */
export function offeredHistorian(file: string): HistorianOptions | undefined {
  return getEnvironmentData(keyOf(file)) as HistorianOptions | undefined;
}

function keyOf(file: string): string {
  return `historian of ${file}`;
}

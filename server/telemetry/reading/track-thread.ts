import { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import { Refusal } from '../../../shared/refusal.ts';
import { Backoff } from '../../platform/backoff.ts';
import { YOUNG_OF_THREAD } from '../../platform/young-generation.ts';
import { siblingUrl } from '../../platform/worker-url.ts';
import type { TrackQuery } from './track-answers.ts';
import type { TrackAnswer, TrackAsked } from './track.worker.ts';

/** ms without a question after which the thread ends. */
const IDLE = 60_000;
/** Answers that may be under way; each may hold a track in the thread's memory. */
const MOST = 32;

/**
 * The thread that reads tracks. It starts with the first question; when it dies, what it was asked is refused
 * with `busy`, and the next question starts another one: at once, or, when it had answered nothing, after a
 * pause.
 */
export class TrackThread {
  readonly #file: string;
  readonly #script: URL;
  readonly #answers = new Map<number, Readable>();
  #worker: Worker | undefined;
  #hasAnswered = false;
  readonly #pauses = new Backoff();
  #last = 0;
  #resting: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(file: string, script = siblingUrl(import.meta.url, './track.worker')) {
    this.#file = file;
    this.#script = script;
  }

  /** The answer as JSON, made while it is read. */
  stream(question: TrackQuery): Readable {
    if (this.#closed) throw new Refusal('busy', 'The station is closing.');
    if (this.#answers.size >= MOST) throw new Refusal('busy', 'Too many tracks are being read. Try again.');
    const paused = this.#worker ? undefined : this.#pauses.reason;
    if (paused !== undefined)
      throw new Refusal('busy', `The reader of tracks cannot be started at the moment (${paused}). Try again later.`);
    const worker = (this.#worker ??= this.#start());
    const id = ++this.#last;
    const send = (asked: TrackAsked) => worker.postMessage(asked);
    const answer = new Readable({
      highWaterMark: 256 * 1024,
      read: () => send({ id, then: 'more' }),
      destroy: (error, done) => {
        if (this.#answers.delete(id)) send({ id, then: 'stop' });
        this.#rest();
        done(error);
      },
    });
    clearTimeout(this.#resting);
    this.#answers.set(id, answer);
    send({ id, question });
    return answer;
  }

  /** The whole answer, parsed: for short ones. */
  async query<T>(question: TrackQuery): Promise<T> {
    const pieces: Buffer[] = [];
    for await (const piece of this.stream(question)) pieces.push(piece as Buffer);
    return JSON.parse(Buffer.concat(pieces).toString()) as T;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#resting);
    this.#refuseAll('The station is closing.');
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(this.#script, {
      workerData: { file: this.#file },
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_OF_THREAD },
    });
    worker.unref();
    this.#hasAnswered = false;
    worker.on('message', (answer: TrackAnswer) => {
      this.#hasAnswered = true;
      this.#pauses.recovered();
      const stream = this.#answers.get(answer.id);
      if (!stream) return;
      if ('piece' in answer) return void stream.push(Buffer.from(answer.piece.buffer));
      this.#answers.delete(answer.id);
      this.#rest();
      if ('end' in answer) stream.push(null);
      else stream.destroy(new Error(answer.error));
    });
    const ended = (reason: string) => {
      if (worker !== this.#worker) return;
      this.#worker = undefined;
      if (!this.#hasAnswered) this.#pauses.failed(reason);
      this.#refuseAll(`The reader of tracks was started again (${reason}). Try again.`);
    };
    worker.on('error', (error) => ended(error.message));
    worker.on('exit', () => ended('it ended'));
    return worker;
  }

  /** Ends the thread, and gives its memory back, when nobody asks for a while. */
  #rest(): void {
    clearTimeout(this.#resting);
    if (this.#answers.size > 0) return;
    this.#resting = setTimeout(() => {
      const worker = this.#worker;
      this.#worker = undefined;
      void worker?.terminate();
    }, IDLE);
    this.#resting.unref();
  }

  #refuseAll(message: string): void {
    const answers = [...this.#answers.values()];
    this.#answers.clear();
    for (const answer of answers) answer.destroy(new Refusal('busy', message));
  }
}

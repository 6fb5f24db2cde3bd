import { Readable } from 'node:stream';
import { Refusal } from '../../../../shared/refusal.ts';
import { SupervisedWorker } from '../../../platform/threads/supervised-worker.ts';
import { siblingUrl } from '../../../platform/threads/worker-url.ts';
import type { CurrentValue, TrackQuery } from './track-answers.ts';
import type { TrackAnswer, TrackAsked } from './track.worker.ts';

export type AskedSensors = (TrackQuery & { kind: 'current' })['sensors'];

/** How many points of a vehicle are expired, and the time of the first. */
export interface ExpiredPoints {
  readonly points: number;
  readonly oldest: number;
}

/** The thread ends after this many ms without a request. */
const IDLE = 60_000;
/** Most answers in progress; each may hold a track in the thread's memory. */
const MOST = 32;

/**
 * The thread that reads tracks. Its answers are streams with back-pressure, so it is no `WorkerClient`. When
 * it dies, open answers fail with `busy`, and the next request starts another thread.
 */
export class TrackThread {
  readonly #answers = new Map<number, Readable>();
  readonly #thread: SupervisedWorker<TrackAnswer>;
  #last = 0;
  #closed = false;

  constructor(file: string, script = siblingUrl(import.meta.url, './track.worker')) {
    this.#thread = new SupervisedWorker({
      script,
      workerOptions: () => ({ workerData: { file } }),
      onMessage: (answer) => this.#onMessage(answer),
      onEnd: ({ error }) => this.#refuseAll(new Refusal('telemetry.readerRestarted', { reason: error.message })),
      idleLimit: () => IDLE,
    });
  }

  /** The answer as JSON, produced while it is read. */
  stream(question: TrackQuery): Readable {
    if (this.#closed) throw new Refusal('telemetry.closing');
    if (this.#answers.size >= MOST) throw new Refusal('telemetry.tooManyTracks');
    const worker = this.#thread.unavailableReason === undefined ? this.#thread.start() : undefined;
    if (!worker) throw new Refusal('telemetry.readerUnavailable', { reason: String(this.#thread.unavailableReason) });
    const id = ++this.#last;
    const send = (asked: TrackAsked) => worker.postMessage(asked);
    const answer = new Readable({
      highWaterMark: 256 * 1024,
      read: () => send({ id, then: 'more' }),
      destroy: (error, done) => {
        if (this.#answers.delete(id)) send({ id, then: 'stop' });
        this.#thread.setBusy(this.#answers.size > 0);
        done(error);
      },
    });
    this.#answers.set(id, answer);
    this.#thread.setBusy(true);
    send({ id, question });
    return answer;
  }

  /** The whole answer, parsed: for short ones. */
  async query<T>(question: TrackQuery): Promise<T> {
    const pieces: Buffer[] = [];
    for await (const piece of this.stream(question)) pieces.push(piece as Buffer);
    return JSON.parse(Buffer.concat(pieces).toString()) as T;
  }

  /** The latest value of each sensor, by its number. */
  async currentValues(vehicle: number, sensors: AskedSensors): Promise<Map<number, CurrentValue>> {
    const values = await this.query<CurrentValue[]>({ kind: 'current', vehicle, sensors });
    return new Map(values.map((value) => [value.id, value]));
  }

  /** The points before a time, by vehicle; omits vehicles that have none. */
  async expired(vehicleIds: readonly number[], before: number): Promise<Map<number, ExpiredPoints>> {
    const found = await this.query<(ExpiredPoints & { vehicleId: number })[]>({
      kind: 'expired',
      vehicles: vehicleIds.map((id) => ({ id, before })),
    });
    return new Map(
      found.filter(({ points }) => points > 0).map(({ vehicleId, points, oldest }) => [vehicleId, { points, oldest }]),
    );
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#refuseAll(new Refusal('telemetry.closing'));
    await this.#thread.terminate();
  }

  #onMessage(answer: TrackAnswer): void {
    this.#thread.markWorking();
    const stream = this.#answers.get(answer.id);
    if (!stream) return;
    if ('piece' in answer) return void stream.push(Buffer.from(answer.piece.buffer));
    this.#answers.delete(answer.id);
    this.#thread.setBusy(this.#answers.size > 0);
    if ('end' in answer) stream.push(null);
    else stream.destroy('refused' in answer ? Refusal.of(answer.refused) : new Error(answer.error));
  }

  #refuseAll(refusal: Refusal): void {
    const answers = [...this.#answers.values()];
    this.#answers.clear();
    for (const answer of answers) answer.destroy(refusal);
  }
}

import { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import { Refusal } from '../../../../shared/refusal.ts';
import { siblingUrl } from '../../../platform/threads/worker-url.ts';
import type { FindAddresses } from './addresses.ts';
import type { ReportOrder } from './report.ts';
import type { ReportAsked, ReportPiece } from './report.worker.ts';

/** Reports made at the same time; each has a thread. */
const AT_ONCE = 2;
/** Reports that wait for their turn. */
const QUEUE = 20;
/** Time limit of a report, ms. */
const LONGEST = 10 * 60_000;

const idle: Worker[] = [];
/** The tracks that a thread was started for: it knows the historian only for those. */
const tracksOf = new WeakMap<Worker, string>();
const waiting: (() => void)[] = [];
let running = 0;

/**
 * A report as a stream, made by a thread while it is read. Resolves with the first piece, so that an early
 * failure becomes an error response. Reports are pulled piece by piece, so this is a pool of its own and no
 * `WorkerQueue`.
 */
export async function startReport(order: ReportOrder, findAddresses: FindAddresses = findNone): Promise<Readable> {
  if (running < AT_ONCE) running++;
  else {
    if (waiting.length >= QUEUE) throw new Refusal('reports.tooMany');
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
  const stream = new ReportStream(idleThread(order.tracks) ?? newThread(order.tracks), order, findAddresses, () => {
    // The place goes directly to the next one that waits; a newcomer cannot take it in between.
    const next = waiting.shift();
    if (next) next();
    else running--;
  });
  await new Promise<void>((ready, failed) => stream.once('readable', ready).once('error', failed));
  return stream;
}

/** Where there is no geocoder. */
const findNone: FindAddresses = (spots) => Promise.resolve(spots.map(() => null));

function idleThread(tracks: string): Worker | undefined {
  const at = idle.findLastIndex((worker) => tracksOf.get(worker) === tracks);
  return at < 0 ? undefined : idle.splice(at, 1)[0];
}

/** Idle threads stay for the next report, with their code and connections loaded. */
function newThread(tracks: string): Worker {
  // Those of a station that has closed.
  for (const other of idle.filter((worker) => tracksOf.get(worker) !== tracks)) void other.terminate();
  const worker = new Worker(siblingUrl(import.meta.url, './report.worker'));
  tracksOf.set(worker, tracks);
  worker.unref();
  const gone = () => idle.includes(worker) && idle.splice(idle.indexOf(worker), 1);
  return worker.on('error', gone).on('exit', gone);
}

class ReportStream extends Readable {
  readonly #worker: Worker;
  readonly #tooLong: NodeJS.Timeout;
  #done = false;
  readonly #findAddresses: FindAddresses;
  readonly #over: () => void;

  constructor(worker: Worker, order: ReportOrder, findAddresses: FindAddresses, over: () => void) {
    super();
    this.#worker = worker;
    this.#findAddresses = findAddresses;
    this.#over = over;
    this.#tooLong = setTimeout(() => this.destroy(new Error('The report took too long.')), LONGEST);
    worker.on('message', this.#hear).on('error', this.#failed).on('exit', this.#ended);
    this.#say(order);
  }

  override _read(): void {
    this.#say('more');
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#end(false);
    done(error);
  }

  #say(asked: ReportAsked): void {
    if (!this.#done) this.#worker.postMessage(asked);
  }

  readonly #failed = (error: Error): void => this.#end(false, error);
  readonly #ended = (): void => this.#end(false, new Error('The thread that made the report ended.'));
  readonly #hear = (said: ReportPiece): void => {
    if ('piece' in said)
      return void this.push(Buffer.from(said.piece.buffer, said.piece.byteOffset, said.piece.byteLength));
    if ('spots' in said)
      return void this.#findAddresses(said.spots).then((addresses) => this.#say({ addresses }), this.#failed);
    if ('end' in said) {
      this.#end(true);
      this.push(null);
    } else this.#end(true, Refusal.of(said.refused));
  };

  /** Ends a thread that is in the middle of a report, since it cannot be interrupted otherwise. */
  #end(whole: boolean, error?: Error): void {
    if (this.#done) return;
    this.#done = true;
    clearTimeout(this.#tooLong);
    this.#worker.off('message', this.#hear).off('error', this.#failed).off('exit', this.#ended);
    if (whole) idle.push(this.#worker);
    else void this.#worker.terminate();
    this.#over();
    if (error) this.destroy(error);
  }
}

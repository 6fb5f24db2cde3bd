import { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import { Refusal } from '../../../shared/refusal.ts';
import { siblingUrl } from '../../worker-url.ts';
import type { ReportOrder } from './report.ts';
import type { ReportPiece } from './report.worker.ts';

/** Reports that are made at one time; each is a thread. */
const AT_ONCE = 2;
/** Reports that wait for their turn. */
const QUEUE = 20;
/** ms after which a report is given up, from its beginning. */
const LONGEST = 10 * 60_000;

let running = 0;
const waiting: (() => void)[] = [];

/** A report as a stream, made by a thread of its own while it is read. Resolves with its first piece, so that what fails before is answered as an error. */
export async function startReport(order: ReportOrder): Promise<Readable> {
  if (running >= AT_ONCE) {
    if (waiting.length >= QUEUE) throw new Refusal('busy', 'Too many reports are being made. Try again.');
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
  running++;
  const worker = new Worker(siblingUrl(import.meta.url, './report.worker'), { workerData: order });
  const tooLong = setTimeout(() => stream.destroy(new Error('The report took too long.')), LONGEST);
  const stream: Readable = new Readable({
    read: () => worker.postMessage('more'),
    destroy: (error, done) => {
      void worker.terminate();
      done(error);
    },
  });
  worker.on('message', (said: ReportPiece) => {
    if ('piece' in said) stream.push(Buffer.from(said.piece.buffer, said.piece.byteOffset, said.piece.byteLength));
    else if ('end' in said) stream.push(null);
    else stream.destroy(new Refusal(said.refused, said.message));
  });
  worker.on('error', (error) => stream.destroy(error));
  worker.once('exit', () => {
    clearTimeout(tooLong);
    running--;
    waiting.shift()?.();
    if (!stream.readableEnded && !stream.destroyed) stream.push(null);
  });
  await new Promise<void>((ready, failed) => stream.once('readable', ready).once('error', failed));
  return stream;
}

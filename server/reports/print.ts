import { Worker } from 'node:worker_threads';
import { Refusal } from '../../shared/refusal.ts';
import { siblingUrl } from '../worker-url.ts';
import type { Letter } from './letter.ts';
import type { TaskSheet } from './task-sheet.ts';

export type PrintOrder = { readonly kind: 'task-sheet'; readonly sheet: TaskSheet; readonly now: number } | { readonly kind: 'letter'; readonly letter: Letter };

const LONGEST = 20_000;
/** Papers that may wait for their turn. */
const QUEUE = 50;
let waiting = 0;
let last: Promise<unknown> = Promise.resolve();

/** Setting a page takes a tenth of a second, so it is done in a thread of its own, one paper at a time. Returns the bytes of the PDF. */
export function print(order: PrintOrder): Promise<Uint8Array> {
  if (waiting >= QUEUE) return Promise.reject(new Refusal('busy', 'Too many papers are being printed. Try again.'));
  waiting++;
  const printed = last.then(() => make(order)).finally(() => waiting--);
  last = printed.catch(() => undefined);
  return printed;
}

async function make(order: PrintOrder): Promise<Uint8Array> {
  const worker = new Worker(siblingUrl(import.meta.url, './print.worker'), { workerData: order });
  try {
    return await new Promise<Uint8Array>((resolve, reject) => {
      const tooLong = setTimeout(() => reject(new Error('The paper took too long.')), LONGEST);
      worker.once('message', (pdf: Uint8Array) => (clearTimeout(tooLong), resolve(pdf)));
      worker.once('error', (error) => (clearTimeout(tooLong), reject(error)));
      worker.once('exit', () => (clearTimeout(tooLong), reject(new Error('The thread that prints ended.'))));
    });
  } finally {
    await worker.terminate();
  }
}

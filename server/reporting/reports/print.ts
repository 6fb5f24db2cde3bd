import { WorkerQueue } from '../../platform/threads/worker-queue.ts';
import { siblingUrl } from '../../platform/threads/worker-url.ts';
import type { Letter } from './letter.ts';
import type { LogSheet } from './log-sheet.ts';
import type { TaskSheet } from './task-sheet.ts';

export type PrintOrder =
  | { readonly kind: 'task-sheet'; readonly sheet: TaskSheet; readonly now: number }
  | { readonly kind: 'log-book'; readonly sheet: LogSheet; readonly now: number }
  | { readonly kind: 'letter'; readonly letter: Letter };

const thread = new WorkerQueue<PrintOrder, Uint8Array>(
  siblingUrl(import.meta.url, './print.worker'),
  'The paper',
  20_000,
);

/** Sets a paper in a thread, since a page takes some 10 ms. Returns the bytes of the PDF. */
export function print(order: PrintOrder): Promise<Uint8Array> {
  return thread.run(order);
}

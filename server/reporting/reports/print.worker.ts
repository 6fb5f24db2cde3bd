import { parentPort } from 'node:worker_threads';
import { letter } from './letter.ts';
import { logSheet } from './log-sheet.ts';
import type { PrintOrder } from './print.ts';
import { taskSheet } from './task-sheet.ts';

const port = parentPort!;
port.on('message', async (order: PrintOrder) => port.postMessage(await paperOf(order)));

function paperOf(order: PrintOrder): Promise<Buffer> {
  switch (order.kind) {
    case 'letter':
      return letter(order.letter);
    case 'log-book':
      return logSheet(order.sheet, order.now);
    case 'task-sheet':
      return taskSheet(order.sheet, order.now);
  }
}

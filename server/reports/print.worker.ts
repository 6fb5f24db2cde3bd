import { parentPort } from 'node:worker_threads';
import { letter } from './letter.ts';
import type { PrintOrder } from './print.ts';
import { taskSheet } from './task-sheet.ts';

const port = parentPort!;
port.on('message', async (order: PrintOrder) => {
  port.postMessage(await (order.kind === 'letter' ? letter(order.letter) : taskSheet(order.sheet, order.now)));
});

import { parentPort, workerData } from 'node:worker_threads';
import { letter } from './letter.ts';
import type { PrintOrder } from './print.ts';
import { taskSheet } from './task-sheet.ts';

const order = workerData as PrintOrder;
parentPort!.postMessage(await (order.kind === 'letter' ? letter(order.letter) : taskSheet(order.sheet, order.now)));

import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { Refusal, type RefusalCode } from '../../../shared/refusal.ts';
import { makeReport } from './make-report.ts';
import type { ReportOrder } from './report.ts';

/** Each piece is asked for with a message, so that a report is made no faster than it is taken. */
export type ReportPiece = { readonly piece: Uint8Array } | { readonly end: true } | { readonly refused: RefusalCode; readonly message: string };

const port = parentPort!;
const say = (answer: ReportPiece) => port.postMessage(answer);
try {
  await once(port, 'message');
  for await (const piece of makeReport(workerData as ReportOrder)) {
    say({ piece });
    await once(port, 'message');
  }
  say({ end: true });
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  say({ refused: error.code, message: error.message });
}
port.close();

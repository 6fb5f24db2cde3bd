/** Works events out as the usual thread does, but ends without a word when it is to work out vehicle 13. */
import { parentPort } from 'node:worker_threads';
import type { FoldQuestion } from '../../../server/events/fold-thread.ts';

parentPort!.on('message', ({ question }: { question: FoldQuestion }) => {
  if (question.kind === 'revise' && question.orders.some(({ vehicleId }) => vehicleId === 13)) process.exit(1);
});
await import('../../../server/events/fold.worker.ts');

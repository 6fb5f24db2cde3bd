/**
 * Works events out as the usual thread does, but ends without a word when it is to work out vehicle 13;
 * `WAYPOST_DIES=half-way`: when it is to go on with it.
 */
import process from 'node:process';
import { parentPort } from 'node:worker_threads';
import type { FoldRequest } from '../../../../../server/tracking/events/fold/fold-thread.ts';

parentPort!.on('message', ({ request }: { request: FoldRequest }) => {
  if (
    request.kind === 'revise' &&
    request.orders.some(
      (order) => order.vehicleId === 13 && (process.env['WAYPOST_DIES'] === 'half-way') === 'resume' in order,
    )
  )
    process.exit(1);
});
await import('../../../../../server/tracking/events/fold/fold.worker.ts');

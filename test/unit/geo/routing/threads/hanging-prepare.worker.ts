/**
 * The worker that prepares roads, but a territory called `endless`, and a closure with the id 666, make it
 * run in circles until it is ended.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { AddProfileRequest, ConditionsRequest } from '../../../../../server/geo/routing/threads/messages.ts';

if ((workerData as { directory: string }).directory.includes('endless')) for (;;);
parentPort!.on('message', (asked: ConditionsRequest | AddProfileRequest) => {
  if ('closures' in asked && asked.closures.some(({ id }) => id === 666)) for (;;);
});
await import('../../../../../server/geo/routing/threads/prepare.worker.ts');

/**
 * In place of a thread that searches: answers nothing, and gives a sign of life with every change of traffic.
 */
import { parentPort } from 'node:worker_threads';
import type { Alive, Asked, Changed, LetGo } from '../../../../server/routing/threads/messages.ts';

parentPort!.on('message', (message: Asked | Changed) => {
  if ('question' in message) return;
  if (message.traffic.length > 0) parentPort!.postMessage('alive' satisfies Alive);
  parentPort!.postMessage({ letGo: message.id } satisfies LetGo);
});
parentPort!.postMessage('ready');

/**
 * In place of a thread that searches: answers nothing, and gives a sign of life with every change of traffic.
 */
import { parentPort } from 'node:worker_threads';
import type {
  Heartbeat,
  SearchRequest,
  ConditionsChange,
  Released,
} from '../../../../../server/geo/routing/threads/messages.ts';

parentPort!.on('message', (message: SearchRequest | ConditionsChange) => {
  if ('request' in message) return;
  if (message.conditions.length > 0) parentPort!.postMessage('alive' satisfies Heartbeat);
  parentPort!.postMessage({ released: message.id } satisfies Released);
});
parentPort!.postMessage('ready');

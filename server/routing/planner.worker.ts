import { parentPort, workerData } from 'node:worker_threads';
import { Refusal } from '../../shared/refusal.ts';
import { Roads } from '../territory/roads/index.ts';
import { Engine } from './engine.ts';
import { Hierarchy } from './hierarchy.ts';
import type { Answered, Asked, Prepared, Question, Traffic } from './messages.ts';
import { Router } from './router.ts';

/** A thread that answers questions about prepared roads, one after the other. */
const port = parentPort!;
const prepared = workerData as Prepared;
const roads = Roads.from(prepared.roads);
const hierarchy = Hierarchy.from(prepared.hierarchy);
const router = new Router(roads, new Engine(roads, hierarchy, prepared.metric));
setTraffic(prepared.traffic);

port.on('message', (message: Asked | Traffic) => {
  if ('question' in message) port.postMessage(answer(message.id, message.question));
  else setTraffic(message);
});
port.postMessage('ready');

function setTraffic({ metric, affected }: Traffic): void {
  router.setTraffic(metric && new Engine(roads, hierarchy, metric), affected);
}

function answer(id: number, question: Question): Answered {
  try {
    return { id, kind: 'answer', value: ask(question) };
  } catch (error) {
    if (error instanceof Refusal) return { id, kind: 'refusal', code: error.code, message: error.message };
    return { id, kind: 'failure', message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

function ask(question: Question): unknown {
  switch (question.method) {
    case 'locate': return router.locate(...question.args);
    case 'nearest': return router.nearest(...question.args);
    case 'route': return router.route(...question.args);
    case 'table': return router.table(...question.args);
    case 'roads': return router.roads(...question.args);
  }
}

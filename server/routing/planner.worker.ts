import { parentPort, workerData } from 'node:worker_threads';
import { Refusal } from '../../shared/refusal.ts';
import { Roads } from '../territory/roads/index.ts';
import { Engine } from './engine.ts';
import { Hierarchy } from './hierarchy.ts';
import type { Answered, Asked, Changed, Prepared, PreparedNetwork, Traffic } from './messages.ts';
import { packAnswer } from './packed-answer.ts';
import { Router } from './router.ts';

/** A thread that answers questions about prepared roads, one after the other. */
const port = parentPort!;
const prepared = workerData as Prepared;
const networks = prepared.networks.map(openNetwork);
setTraffic(prepared.traffic);

port.on('message', (message: Asked | Changed) => {
  if ('question' in message) port.postMessage(answer(message));
  else setTraffic(message.traffic);
});
port.postMessage('ready');

function openNetwork({ profile, roads: buffer, hierarchy: columns, metric }: PreparedNetwork) {
  const roads = Roads.from(buffer);
  const hierarchy = Hierarchy.from(columns);
  return { profile, roads, hierarchy, router: new Router(roads, new Engine(roads, hierarchy, metric)) };
}

function setTraffic(traffic: readonly Traffic[]): void {
  networks.forEach(({ roads, hierarchy, router }, i) => {
    const { metric, affected } = traffic[i]!;
    router.setTraffic(metric && new Engine(roads, hierarchy, metric), affected);
  });
}

function answer({ id, profile, question }: Asked): Answered {
  try {
    const { router } = networks.find((network) => network.profile === profile) ?? networks[0]!;
    return { id, kind: 'answer', value: ask(router, question) };
  } catch (error) {
    if (error instanceof Refusal) return { id, kind: 'refusal', code: error.code, message: error.message };
    return { id, kind: 'failure', message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

function ask(router: Router, question: Asked['question']): unknown {
  switch (question.method) {
    case 'locate': return router.locate(...question.args);
    case 'nearest': return router.nearest(...question.args);
    case 'route': return packAnswer(router.route(...question.args));
    case 'table': return router.table(...question.args);
    case 'roads': return router.roads(...question.args);
  }
}

import { setImmediate } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { Refusal } from '../../shared/refusal.ts';
import { Roads } from '../territory/roads/index.ts';
import type { Metric } from './customize.ts';
import { Engine } from './engine.ts';
import { Hierarchy } from './hierarchy.ts';
import type { Added, Answered, Asked, Changed, LetGo, Prepared, PreparedNetwork, Question, Traffic } from './messages.ts';
import { Router } from './router.ts';
import { writeAreas } from './write-areas.ts';
import { writeTable } from './write-table.ts';

type LongQuestion = Extract<Question, { method: 'reach' }>;
type ShortQuestion = Exclude<Question, LongQuestion>;

/** A thread that answers questions about prepared roads, one after the other. */
const port = parentPort!;
const prepared = workerData as Prepared;
const networks = prepared.networks.map(openNetwork);
setTraffic(prepared.traffic);

port.on('message', (message: Asked | Changed | Added) => {
  if ('network' in message) add(message);
  else if (!('question' in message)) change(message);
  else if (message.question.method === 'reach') void answerInSlices(message.id, message.profile, message.question);
  else send(answer(message.id, message.profile, message.question));
});
port.postMessage('ready');

interface OpenNetwork {
  readonly profile: string;
  readonly roads: Roads;
  readonly hierarchy: Hierarchy;
  readonly router: Router;
  /** Made with the first closures and the first learned speeds, and kept: their arrays are long. */
  underClosures: Engine | undefined;
  asLearned: Engine | undefined;
}

function openNetwork({ profile, roads: buffer, arcMetres, hierarchy: columns, metric }: PreparedNetwork): OpenNetwork {
  const roads = Roads.from(buffer, arcMetres);
  const hierarchy = Hierarchy.from(columns);
  return { profile, roads, hierarchy, router: new Router(roads, new Engine(roads, hierarchy, metric)), underClosures: undefined, asLearned: undefined };
}

function setTraffic(traffic: readonly Traffic[]): void {
  networks.forEach((network, i) => setTrafficOn(network, traffic[i]!));
}

/** What takes long may still be reading the old costs. */
function change({ id, traffic }: Changed): void {
  setTraffic(traffic);
  void before.then(() => port.postMessage({ letGo: id } satisfies LetGo));
}

function add({ network, traffic }: Added): void {
  const opened = openNetwork(network);
  networks.push(opened);
  setTrafficOn(opened, traffic);
}

function setTrafficOn(network: OpenNetwork, { metric, affected, usual }: Traffic): void {
  network.underClosures = engineFor(network, network.underClosures, metric);
  network.asLearned = engineFor(network, network.asLearned, usual);
  network.router.setTraffic(metric && network.underClosures, affected, usual && network.asLearned);
}

function engineFor({ roads, hierarchy }: OpenNetwork, made: Engine | undefined, metric: Metric | undefined): Engine | undefined {
  if (!metric) return made;
  if (!made) return new Engine(roads, hierarchy, metric);
  made.setMetric(metric);
  return made;
}

/** More questions that take long than this at once are refused. */
const MOST_LONG = 20;
let long = 0;
let before: Promise<unknown> = Promise.resolve();

/** Answers a question that takes long, one after the other, and short ones in between. */
async function answerInSlices(id: number, profile: string | undefined, question: LongQuestion): Promise<void> {
  if (long >= MOST_LONG) return send(failed(id, new Refusal('busy', 'The router is drawing too many areas already. Try again in a moment.')));
  long++;
  const value = before.then(async () => {
    const steps = slices(routerFor(profile), question);
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
      await setImmediate();
    }
  });
  before = value.catch(() => {});
  send(await value.then((value): Answered => ({ id, kind: 'answer', value }), (error: unknown) => failed(id, error)));
  long--;
}

function* slices(router: Router, { args, form }: LongQuestion): Generator<undefined, unknown> {
  const found = yield* router.reach(...args);
  return form ? yield* writeAreas(found, form) : found;
}

/** To give memory away costs more than to copy so many bytes. */
const COPIED = 65_536;

function send(answered: Answered): void {
  const bytes = answered.kind === 'answer' && answered.value instanceof Uint8Array ? answered.value : undefined;
  port.postMessage(answered, bytes && bytes.length > COPIED ? [bytes.buffer as ArrayBuffer] : []);
}

function answer(id: number, profile: string | undefined, question: ShortQuestion): Answered {
  try {
    return { id, kind: 'answer', value: ask(routerFor(profile), question) };
  } catch (error) {
    return failed(id, error);
  }
}

function failed(id: number, error: unknown): Answered {
  if (error instanceof Refusal) return { id, kind: 'refusal', code: error.code, message: error.message };
  return { id, kind: 'failure', message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

function routerFor(profile: string | undefined): Router {
  return (networks.find((network) => network.profile === profile) ?? networks[0]!).router;
}

function ask(router: Router, question: ShortQuestion): unknown {
  switch (question.method) {
    case 'locate': return router.locate(...question.args);
    case 'nearest': return router.nearest(...question.args);
    case 'route': return question.form ? router.writtenRoute(...question.args, question.form) : router.route(...question.args);
    case 'table': {
      const found = router.table(...question.args);
      return question.form ? writeTable(found, question.args[0].distances !== false, question.form) : found;
    }
    case 'roads': return router.roads(...question.args);
  }
}

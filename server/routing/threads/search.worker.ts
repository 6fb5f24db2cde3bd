import { setImmediate } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { Refusal } from '../../../shared/refusal.ts';
import { collectWhenIdle } from '../../platform/idle-collection.ts';
import { Roads } from '../../territory/roads/index.ts';
import type { Metric } from '../metric/customize.ts';
import type { Table } from '../types.ts';
import { Engine } from '../search/engine.ts';
import { Hierarchy } from '../graph/hierarchy.ts';
import type {
  Added,
  Alive,
  Answered,
  Asked,
  Changed,
  LetGo,
  Prepared,
  PreparedNetwork,
  Question,
  Traffic,
} from './messages.ts';
import { Router } from '../router.ts';
import { writeAreas } from '../answer/write-isochrone.ts';
import { writeTable } from '../answer/write-table.ts';

type LongQuestion = Extract<Question, { method: 'reach' | 'table' }>;
type TableQuestion = Extract<Question, { method: 'table' }>;
type ShortQuestion = Exclude<Question, LongQuestion>;

/**
 * A thread that answers questions about prepared roads, one after the other; short ones in between of one
 * that takes long.
 */
const port = parentPort!;
const prepared = workerData as Prepared;
const networks = prepared.networks.map(openNetwork);
setTraffic(prepared.traffic);

port.on('message', (message: Asked | Changed | Added) => {
  if ('network' in message) add(message);
  else if (!('question' in message)) change(message);
  else if (message.question.method === 'reach') void answerInSlices(message.id, message.profile, message.question);
  else if (message.question.method === 'table') answerTable(message.id, message.profile, message.question);
  else send(answer(message.id, message.profile, message.question));
});
port.postMessage('ready');
collectWhenIdle();

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
  return {
    profile,
    roads,
    hierarchy,
    router: new Router(roads, new Engine(roads, hierarchy, metric)),
    underClosures: undefined,
    asLearned: undefined,
  };
}

function setTraffic(traffic: readonly Traffic[]): void {
  networks.forEach((network, i) => setTrafficOn(network, traffic[i]!));
}

/** What takes long may still be reading the old costs; what waits behind it will read the new ones. */
function change({ id, traffic }: Changed): void {
  setTraffic(traffic);
  void underWay.catch(() => {}).then(() => port.postMessage({ letGo: id } satisfies LetGo));
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

function engineFor(
  { roads, hierarchy }: OpenNetwork,
  made: Engine | undefined,
  metric: Metric | undefined,
): Engine | undefined {
  if (!metric) return made;
  if (!made) return new Engine(roads, hierarchy, metric);
  made.setMetric(metric);
  return made;
}

/** More questions that take long than this at once are refused. */
const MOST_LONG = 20;
/** Slices of a table that are worked out before anything else is answered: less than a tenth of a second. */
const AT_ONCE = 16;
/** Slices between two signs of life: fractions of a second. */
const ALIVE = 32;
let long = 0;
let before: Promise<unknown> = Promise.resolve();
/** The question that is being answered in slices. */
let underWay: Promise<unknown> = Promise.resolve();

/**
 * Few tables take long, those of hundreds of places on closed road above all: one that turns out to do so is
 * begun anew when it is its turn.
 */
function answerTable(id: number, profile: string | undefined, question: TableQuestion): void {
  try {
    const steps = routerFor(profile).tableAtOnce(...question.args);
    for (let slice = 0; slice < AT_ONCE; slice++) {
      const step = steps.next();
      if (step.done) return send({ id, kind: 'answer', value: written(step.value, question) });
    }
  } catch (error) {
    return send(failed(id, error));
  }
  void answerInSlices(id, profile, question);
}

/** Answers a question that takes long, one after the other, and short ones in between. */
async function answerInSlices(id: number, profile: string | undefined, question: LongQuestion): Promise<void> {
  if (long >= MOST_LONG)
    return send(
      failed(
        id,
        new Refusal('busy', 'The router is drawing too many areas and large tables already. Try again in a moment.'),
      ),
    );
  long++;
  const value = before.then(() => (underWay = sliceBySlice(slices(routerFor(profile), question))));
  before = value.catch(() => {});
  send(
    await value.then(
      (value): Answered => ({ id, kind: 'answer', value }),
      (error: unknown) => failed(id, error),
    ),
  );
  long--;
}

async function sliceBySlice(steps: Generator<undefined, unknown>): Promise<unknown> {
  for (let slice = 1; ; slice++) {
    const step = steps.next();
    if (step.done) return step.value;
    if (slice % ALIVE === 0) port.postMessage('alive' satisfies Alive);
    await setImmediate();
  }
}

function* slices(router: Router, question: LongQuestion): Generator<undefined, unknown> {
  if (question.method === 'table') return written(yield* router.tableInSlices(...question.args), question);
  const found = yield* router.reach(...question.args);
  return question.form ? yield* writeAreas(found, question.form) : found;
}

function written(found: Table, { args, form }: TableQuestion): Table | Uint8Array {
  return form ? writeTable(found, args[0].distances !== false, form) : found;
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
    case 'locate':
      return router.locate(...question.args);
    case 'nearest':
      return router.nearest(...question.args);
    case 'route':
      return question.form ? router.writtenRoute(...question.args, question.form) : router.route(...question.args);
    case 'roads':
      return router.roads(...question.args);
  }
}

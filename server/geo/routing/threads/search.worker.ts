import { setImmediate } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { Refusal } from '../../../../shared/refusal.ts';
import { collectWhenIdle } from '../../../platform/idle-collection.ts';
import { Roads } from '../../territory/roads/reading.ts';
import type { Metric } from '../metric/customize.ts';
import type { Table } from '../types.ts';
import { Engine } from '../search/engine.ts';
import { Hierarchy } from '../graph/hierarchy.ts';
import type {
  AddedNetwork,
  Heartbeat,
  SearchResponse,
  SearchRequest,
  ConditionsChange,
  Released,
  PreparedTerritory,
  PreparedNetwork,
  RouterRequest,
  TrafficConditions,
} from './messages.ts';
import { Router } from '../router.ts';
import { writeIsochrone } from '../answer/write-isochrone.ts';
import { writeTable } from '../answer/write-table.ts';

/** Queries that are always answered in slices. */
type SlicedQuestion = Extract<RouterRequest, { method: 'isochrone' | 'durations' | 'trip' | 'match' }>;
type LongQuestion = SlicedQuestion | TableQuestion;
type TableQuestion = Extract<RouterRequest, { method: 'table' }>;
type ShortQuestion = Exclude<RouterRequest, LongQuestion>;

/**
 * Search worker: answers queries about prepared networks one by one; short ones run between the slices of a
 * long one.
 */
const port = parentPort!;
const prepared = workerData as PreparedTerritory;
const networks = prepared.networks.map(openNetwork);
setConditions(prepared.conditions);

port.on('message', (message: SearchRequest | ConditionsChange | AddedNetwork) => {
  if ('network' in message) add(message);
  else if (!('request' in message)) change(message);
  else if (isSliced(message.request)) void answerInSlices(message.id, message.profile, message.request);
  else if (message.request.method === 'table') answerTable(message.id, message.profile, message.request);
  else send(answer(message.id, message.profile, message.request));
});
port.postMessage('ready');
collectWhenIdle();

function isSliced(request: RouterRequest): request is SlicedQuestion {
  return ['isochrone', 'durations', 'trip', 'match'].includes(request.method);
}

interface OpenNetwork {
  readonly profile: string;
  readonly roads: Roads;
  readonly hierarchy: Hierarchy;
  readonly router: Router;
  /** Created with the first closures or learned speeds and kept, because their arrays are long. */
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

function setConditions(conditions: readonly TrafficConditions[]): void {
  networks.forEach((network, i) => applyConditions(network, conditions[i]!));
}

/** A long query may still read the old metrics; those queued behind it use the new ones. */
function change({ id, conditions }: ConditionsChange): void {
  setConditions(conditions);
  void underWay.catch(() => {}).then(() => port.postMessage({ released: id } satisfies Released));
}

function add({ network, conditions }: AddedNetwork): void {
  const opened = openNetwork(network);
  networks.push(opened);
  applyConditions(opened, conditions);
}

function applyConditions(network: OpenNetwork, { metric, affected, baseline }: TrafficConditions): void {
  network.underClosures = engineFor(network, network.underClosures, metric);
  network.asLearned = engineFor(network, network.asLearned, baseline);
  network.router.setConditions(metric && network.underClosures, affected, baseline && network.asLearned);
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

/** Maximum long queries waiting. */
const MAX_LONG = 20;
/** Slices of a table computed at once: less than 0.1 s. */
const AT_ONCE = 16;
/** Slices between two heartbeats: fractions of a second. */
const ALIVE = 32;
let long = 0;
let before: Promise<unknown> = Promise.resolve();
/** The long query that is running. */
let underWay: Promise<unknown> = Promise.resolve();

/** Few tables take long, mainly those with hundreds of points on closed road. Such a table is restarted in slices. */
function answerTable(id: number, profile: string | undefined, request: TableQuestion): void {
  try {
    const steps = routerFor(profile).tableExclusive(...request.args);
    for (let slice = 0; slice < AT_ONCE; slice++) {
      const step = steps.next();
      if (step.done) return send({ id, kind: 'answer', value: written(step.value, request) });
    }
  } catch (error) {
    return send(failed(id, error));
  }
  void answerInSlices(id, profile, request);
}

/** Answers long queries one after the other, in slices. */
async function answerInSlices(id: number, profile: string | undefined, request: LongQuestion): Promise<void> {
  if (long >= MAX_LONG) return send(failed(id, new Refusal('routing.tooManyAreas')));
  long++;
  const value = before.then(() => (underWay = sliceBySlice(slices(routerFor(profile), request))));
  before = value.catch(() => {});
  send(
    await value.then(
      (value): SearchResponse => ({ id, kind: 'answer', value }),
      (error: unknown) => failed(id, error),
    ),
  );
  long--;
}

async function sliceBySlice(steps: Generator<undefined, unknown>): Promise<unknown> {
  for (let slice = 1; ; slice++) {
    const step = steps.next();
    if (step.done) return step.value;
    if (slice % ALIVE === 0) port.postMessage('alive' satisfies Heartbeat);
    await setImmediate();
  }
}

function* slices(router: Router, request: LongQuestion): Generator<undefined, unknown> {
  if (request.method === 'table') return written(yield* router.tableInSlices(...request.args), request);
  if (request.method === 'durations') return yield* router.durations(...request.args);
  if (request.method === 'trip') return yield* router.trip(...request.args);
  if (request.method === 'match') return yield* router.match(...request.args);
  const found = yield* router.isochrone(...request.args);
  return request.form ? yield* writeIsochrone(found, request.form) : found;
}

function written(found: Table, { args, form }: TableQuestion): Table | Uint8Array {
  return form ? writeTable(found, args[0].distances !== false, form) : found;
}

/** Up to so many bytes, copying is cheaper than transferring. */
const COPIED = 65_536;

function send(response: SearchResponse): void {
  const bytes = response.kind === 'answer' && response.value instanceof Uint8Array ? response.value : undefined;
  port.postMessage(response, bytes && bytes.length > COPIED ? [bytes.buffer as ArrayBuffer] : []);
}

function answer(id: number, profile: string | undefined, request: ShortQuestion): SearchResponse {
  try {
    return { id, kind: 'answer', value: ask(routerFor(profile), request) };
  } catch (error) {
    return failed(id, error);
  }
}

function failed(id: number, error: unknown): SearchResponse {
  if (error instanceof Refusal) return { id, kind: 'refusal', reason: { code: error.code, params: error.params } };
  return { id, kind: 'failure', message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

function routerFor(profile: string | undefined): Router {
  return (networks.find((network) => network.profile === profile) ?? networks[0]!).router;
}

function ask(router: Router, request: ShortQuestion): unknown {
  switch (request.method) {
    case 'locate':
      return router.locate(...request.args);
    case 'nearest':
      return router.nearest(...request.args);
    case 'route':
      return request.form ? router.writtenRoute(...request.args, request.form) : router.route(...request.args);
    case 'directions':
      return router.directions(...request.args);
    case 'roads':
      return router.roads(...request.args);
  }
}

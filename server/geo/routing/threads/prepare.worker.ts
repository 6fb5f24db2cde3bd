import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { platform } from 'node:process';
import { setImmediate } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { collectGarbage, collectWhenIdle } from '../../../platform/idle-collection.ts';
import { Roads, buildableProfiles, profilesIn, roadsFile } from '../../territory/roads/reading.ts';
import { createThrottle } from '../metric/throttle.ts';
import { AffectedMemory, packAffected } from '../closures/affected-pieces.ts';
import { affectedPieces, closureCosts } from '../closures/closures.ts';
import { customize } from '../metric/customize.ts';
import type { Metric } from '../metric/customize.ts';
import { edgeLengths } from '../metric/edge-lengths.ts';
import { Hierarchy } from '../graph/hierarchy.ts';
import { learnedCosts } from '../metric/learned-costs.ts';
import type { Closure, LearnedSpeeds } from '../types.ts';
import type {
  AddProfileRequest,
  Heartbeat,
  ConditionsResponse,
  ConditionsRequest,
  AddProfileResponse,
  AffectedRoadsResponse,
  AffectedRoadsRequest,
  PreparedTerritory,
  PreparedNetwork,
  PreparingData,
  TrafficConditions,
} from './messages.ts';
import { freeFlowCosts } from '../metric/costs.ts';
import { affectedRoads } from '../closures/affected-roads.ts';
import { Snapper } from '../snapping/snapper.ts';
import { MetricPool, updateMetric } from '../metric/update-metric.ts';

/** Nice value: a tenth of the computing time of a search thread on the same core. */
const PRIORITY = 10;

/**
 * Preparing worker: reads the territory's roads into shared memory, builds hierarchies and customizes
 * metrics, at the start and whenever closures or speeds change.
 */
const { directory, profiles, ...last } = workerData as PreparingData;
const port = parentPort!;
const networks = (profiles ?? (await profilesIn(directory))).map(prepare);
if (networks.length === 0) throw new Error('The territory has no road file: import it again.');
const throttle = createThrottle();
let { closures, speeds } = last;
port.on('message', (request: ConditionsRequest | AddProfileRequest | AffectedRoadsRequest) => {
  try {
    if ('geometry' in request) {
      port.postMessage(measureAffectedRoads(request));
      // A request for the extent of a closure announces the closure itself.
      return void makeReady();
    }
    port.postMessage('profile' in request ? addProfile(request) : updateConditions(request));
    if ('profile' in request) collectGarbage();
    if (closures.length > 0 || speeds) void makeReady();
  } catch (error) {
    port.postMessage({ id: request.id, failure: (error as Error).message } satisfies ConditionsResponse &
      AddProfileResponse &
      AffectedRoadsResponse);
  }
});
// From here on queries come first. The priority is per thread on Linux only; elsewhere it would be the
// process's.
if (platform === 'linux') setPriority(PRIORITY);
port.postMessage({
  networks: networks.map(({ network }) => network),
  makeable: await buildableProfiles(directory),
  conditions: networks.map((network) => conditionsFor(network, [], undefined).conditions),
  work: process.threadCpuUsage().user / 1000,
} satisfies PreparedTerritory);
collectGarbage();
collectWhenIdle();

function tellAlive(): void {
  port.postMessage('alive' satisfies Heartbeat);
}

function prepare(profile: string) {
  const buffer = readShared(join(directory, roadsFile(profile)));
  const roads = Roads.from(buffer); // throws when the file is damaged
  tellAlive();
  const hierarchy = Hierarchy.build(roads);
  tellAlive();
  const freeFlow = freeFlowCosts(roads);
  const bare = customize(hierarchy, roads, freeFlow);
  tellAlive();
  const metric: Metric = { ...bare, lengths: edgeLengths(hierarchy, bare, roads.arcMetres) };
  const network: PreparedNetwork = {
    profile,
    roads: buffer,
    arcMetres: roads.arcMetres,
    hierarchy: hierarchy.columns,
    metric,
  };
  return {
    network,
    roads,
    hierarchy,
    freeFlow,
    snapper: new Snapper(roads),
    pool: new MetricPool(metric),
    memory: new AffectedMemory(),
    last: metric,
    baseline: { version: 0, metric },
  };
}

function updateConditions(request: ConditionsRequest): ConditionsResponse {
  const made = networks.map((network) => conditionsFor(network, request.closures, request.speeds));
  // Only after success: metrics in use must not be overwritten.
  ({ closures, speeds } = request);
  networks.forEach((network, i) => adopt(network, made[i]!));
  return { id: request.id, conditions: made.map(({ conditions }) => conditions) };
}

function addProfile({ id, profile }: AddProfileRequest): AddProfileResponse {
  const added = prepare(profile);
  const made = conditionsFor(added, closures, speeds);
  adopt(added, made);
  networks.push(added);
  return { id, network: added.network, conditions: made.conditions };
}

function measureAffectedRoads({ id, geometry }: AffectedRoadsRequest): AffectedRoadsResponse {
  const found = networks.map(({ roads, snapper }) => {
    tellAlive();
    return affectedRoads(geometry, roads, snapper);
  });
  return { id, under: found.reduce((most, one) => (one.metres > most.metres ? one : most)) };
}

/** Preallocates memory for the next change while idle. */
async function makeReady(): Promise<void> {
  for (const { pool, last, baseline } of networks) {
    for (const _ of pool.preallocate(last, baseline.metric)) await setImmediate();
  }
}

type Preparation = ReturnType<typeof prepare>;

interface Made {
  readonly conditions: TrafficConditions;
  readonly version: number;
}

/** Computes conditions into spare metrics, which no search uses. */
function conditionsFor(network: Preparation, closures: readonly Closure[], speeds: LearnedSpeeds | undefined): Made {
  const { roads, hierarchy, freeFlow, snapper, pool, memory, last } = network;
  tellAlive();
  const baseline = speeds?.checksum === roads.checksum ? baselineMetric(network, speeds) : undefined;
  const version = baseline ? speeds!.version : 0;
  tellAlive();
  const affected = affectedPieces(closures, roads, snapper);
  tellAlive();
  if (affected.length === 0)
    return { conditions: { affected: packAffected([]), metric: undefined, baseline }, version };
  const into = pool.spare(last, network.baseline.metric, baseline ?? last);
  const metric = updateMetric(
    last,
    hierarchy,
    roads,
    closureCosts(affected, roads, baseline?.costs ?? freeFlow, into.costs, throttle),
    into,
    throttle,
  );
  return {
    conditions: { affected: packAffected(affected, (bytes) => memory.spare(bytes)), metric, baseline },
    version,
  };
}

/** Metric at these speeds without closures; the current one if the version is the same. */
function baselineMetric(
  { roads, hierarchy, freeFlow, pool, last, baseline }: Preparation,
  speeds: LearnedSpeeds,
): Metric {
  if (speeds.version === baseline.version) return baseline.metric;
  const into = pool.spare(last, baseline.metric);
  return updateMetric(
    baseline.metric,
    hierarchy,
    roads,
    learnedCosts(speeds, roads, freeFlow, into.costs, throttle),
    into,
    throttle,
  );
}

/** Makes these conditions the current ones. */
function adopt(network: Preparation, { conditions: { metric, baseline }, version }: Made): void {
  network.baseline.metric = baseline ?? network.network.metric;
  network.baseline.version = version;
  network.last = metric ?? network.baseline.metric;
  network.memory.adopt();
}

function readShared(path: string): SharedArrayBuffer {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const buffer = new SharedArrayBuffer(size);
    const bytes = new Uint8Array(buffer);
    for (let at = 0; at < size;) {
      const read = readSync(file, bytes, at, Math.min(size - at, 1 << 26), at);
      if (read === 0) throw new Error(`${path} became shorter while it was read.`);
      at += read;
      tellAlive();
    }
    return buffer;
  } finally {
    closeSync(file);
  }
}

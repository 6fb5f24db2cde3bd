import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createApp } from '../../server/http/app.ts';
import { routingRoutes } from '../../server/http/routing.ts';
import { startPlanner } from '../../server/routing/index.ts';
import type { Planner } from '../../server/routing/index.ts';
import { affectedBy, costsUnder } from '../../server/routing/closures.ts';
import { customize } from '../../server/routing/customize.ts';
import { Dijkstra } from '../../server/routing/dijkstra.ts';
import { edgeLengths } from '../../server/routing/edge-lengths.ts';
import { Engine } from '../../server/routing/engine.ts';
import { Hierarchy } from '../../server/routing/hierarchy.ts';
import { freeCosts } from '../../server/routing/metric.ts';
import { Router } from '../../server/routing/router.ts';
import { Snapper } from '../../server/routing/snap.ts';
import { MetricPair, updateMetric } from '../../server/routing/update-metric.ts';
import type { OsmExtract } from '../../server/territory/extract.ts';
import { readExtract } from '../../server/territory/index.ts';
import { Roads, buildRoads, car } from '../../server/territory/roads/index.ts';
import { millionNodes } from './million-nodes.ts';
import type { BenchReport } from './run.ts';

type Spot = { lat: number; lon: number };
const QUESTIONS = 1000;
const CLOSING_QUESTIONS = 2000;

/** What a native C++ router of the field does on a machine like ours, for orientation: with plain contraction hierarchies, and with its multi-level variant. */
const ORIENTATION: Readonly<Record<string, string>> = {
  malta: 'route over HTTP 0.4 ms median with one client and 2,600/s with eight, 100 x 100 table 12 ms, preparation 7 s; multi-level: 0.6 ms, table 84 ms, preparation 1.6 s',
  patchwork: 'preparation 105 s; multi-level: 10 s',
};

/** The router against plain Dijkstra over the same graph, and what making it ready costs. WAYPOST_EXTRACT names another extract, WAYPOST_ROADS one of the usual. */
export default async function bench(report: BenchReport): Promise<void> {
  for (const [name, open] of territories()) {
    report.line(`${name}${ORIENTATION[name] ? ` (a native router: ${ORIENTATION[name]})` : ''}`);
    await ofTerritory(report, open);
  }
}

function territories(): [name: string, open: () => OsmExtract | Promise<OsmExtract>][] {
  const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
  const { WAYPOST_EXTRACT: own, WAYPOST_ROADS: one } = process.env;
  if (own !== undefined) return [[own, () => readExtract(own)]];
  const files = ['malta', 'patchwork'].map((name) => [name, path(`../../../shared/data/${name}.osm.pbf`)] as const).filter(([, file]) => existsSync(file));
  const extracts = files.length > 0 ? files : [['the demo town', path('../../resources/demo/town.osm.pbf')] as const];
  const all = [...extracts.map(([name, file]): [string, () => Promise<OsmExtract>] => [name, () => readExtract(file)]), ['a million nodes', () => millionNodes()] as [string, () => OsmExtract]];
  return one === undefined ? all : all.filter(([name]) => name.includes(one));
}

async function ofTerritory(report: BenchReport, open: () => OsmExtract | Promise<OsmExtract>): Promise<void> {
  const [extract, reading] = await timed(open);
  const [built, making] = await timed(() => buildRoads(extract, { profile: car }));
  report.ratio('making roads and their order / reading or drawing the extract', making, reading, 'ms', `${built.roadNodes} nodes, ${built.roadArcs} arcs, ${(built.bytes.length / 1e6).toFixed(1)} MB`);
  const roads = Roads.from(built.bytes.buffer);
  const [hierarchy, shaping] = await timed(() => Hierarchy.build(roads));
  report.line(`hierarchy: ${shaping.toFixed(0)} ms, ${hierarchy.edges} edges; resident ${(process.memoryUsage.rss() / 1e6).toFixed(0)} MB with extract and all`);
  const costs = freeCosts(roads);
  const customizing = await medianOf(5, () => customize(hierarchy, roads, costs));
  const metric = customize(hierarchy, roads, costs);
  const engine = new Engine(roads, hierarchy, metric);
  const dijkstra = new Dijkstra(roads, costs);

  let state = 1;
  const random = (): number => (state = (state * 48271) % 2147483647) / 2147483647;
  const openArcs = Uint32Array.from({ length: roads.arcs }, (_, arc) => arc).filter((arc) => roads.isOpen(arc));
  const arc = (): number => openArcs[Math.floor(random() * openArcs.length)]!;
  const spot = (): Spot => {
    const node = Math.floor(random() * roads.nodes);
    return { lat: roads.columns.nodeLat[node]! / 1e6, lon: roads.columns.nodeLon[node]! / 1e6 };
  };

  const pairs = Array.from({ length: QUESTIONS }, () => [arc(), arc()] as const);
  const slow = await medianOf(roads.arcs > 500_000 ? 15 : 100, (i) => dijkstra.find([{ arc: pairs[i]![0], label: 0 }], pairs[i]![1]));
  const quick = await medianOf(QUESTIONS, (i) => engine.find([{ arc: pairs[i]![0], label: 0 }], pairs[i]![1]));
  report.ratio('customizing from nothing / one plain search', customizing, slow, 'ms');
  const measured = { ...metric, lengths: edgeLengths(hierarchy, metric, roads.arcMetres) };
  const snapper = new Snapper(roads);
  const pair = new MetricPair(measured);
  const into = pair.spare(measured);
  const closing = await medianOf(50, () => {
    const { lat, lon } = spot();
    const affected = affectedBy([{ id: 1, geometry: { type: 'Point', coordinates: [lon, lat] }, factor: 0 }], roads, snapper);
    updateMetric(measured, hierarchy, roads, costsUnder(affected, roads, costs, into.costs), into);
  });
  report.ratio('customizing after a closure / from nothing', closing, customizing, 'ms');
  report.ratio('plain search / search', slow, quick, 'ms');
  const unpacked = await medianOf(QUESTIONS, (i) => { engine.find([{ arc: pairs[i]![0], label: 0 }], pairs[i]![1]); engine.path(); });
  report.ratio('plain search / search with its path', slow, unpacked, 'ms');

  const router = new Router(roads, engine);
  const trips = Array.from({ length: QUESTIONS }, () => [spot(), spot()]);
  report.ratio('whole route with geometry and instructions / plain search', await medianOf(QUESTIONS, (i) => router.route({ points: trips[i]! })), slow, 'ms');
  report.ratio('the same with an alternative / plain search', await medianOf(QUESTIONS, (i) => router.route({ points: trips[i]!, alternatives: true })), slow, 'ms');
  for (const [rows, columns] of [[100, 100], [1, 500]] as const) {
    const question = { sources: Array.from({ length: rows }, spot), targets: Array.from({ length: columns }, spot), distances: rows === 1 };
    report.ratio(`table ${rows} x ${columns} / plain search`, await medianOf(9, () => router.table(question)), slow, 'ms');
  }
  report.ratio('isochrone of 5, 10 and 15 minutes / plain search', await medianOf(9, () => drawn(router.reach({ point: spot(), limits: [300, 600, 900] }))), slow, 'ms');

  const directory = await mkdtemp(join(tmpdir(), 'waypost-bench-'));
  try {
    await writeFile(join(directory, 'roads.bin'), built.bytes);
    await overHttp(report, directory, trips, slow);
  } finally {
    await rm(directory, { recursive: true });
  }
}

function drawn<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Routes over HTTP with connections kept, from one client and from eight. */
async function overHttp(report: BenchReport, directory: string, trips: readonly Spot[][], slow: number): Promise<void> {
  const planner = await startPlanner({ directory });
  const app = createApp({ routes: routingRoutes(planner, { tableLimit: 501 }), authenticate: () => undefined, reportBug: (_, error) => report.line(String(error)) });
  const server = createServer({ maxHeaderSize: 65536 }, app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const fetchOnce = (path: string): Promise<void> => new Promise((resolve, reject) => {
    get({ agent, port, path }, (response) => (response.statusCode === 200 ? response.resume().on('end', resolve) : reject(new Error(`${response.statusCode} for ${path.slice(0, 100)}`)))).on('error', reject);
  });
  const ask = (i: number): Promise<void> => {
    const [from, to] = trips[i % trips.length]!;
    return fetchOnce(`/viaroute?loc=${from!.lat},${from!.lon}&loc=${to!.lat},${to!.lon}&alt=false`);
  };
  for (let i = 0; i < 200; i++) await ask(i);
  report.ratio('route over HTTP, one client / plain search', await medianOf(QUESTIONS, ask), slow, 'ms');
  const began = performance.now();
  let next = 0;
  await Promise.all(Array.from({ length: 8 }, async () => { while (next < 3000) await ask(next++); }));
  report.line(`routes over HTTP, eight clients: ${Math.round(3000 / ((performance.now() - began) / 1000))} answers/s, the client in the same process`);

  for (const [rows, columns] of [[100, 100], [1, 500]] as const) {
    const points = (count: number): Spot[] => Array.from({ length: count }, (_, i) => trips[i % trips.length]![0]!);
    const named = (name: string, count: number): string => points(count).map(({ lat, lon }) => `${name}=${lat},${lon}`).join('&');
    const path = rows === columns ? `/table?${named('loc', rows)}` : `/table?${named('src', rows)}&${named('dst', columns)}`;
    report.ratio(`table ${rows} x ${columns} over HTTP / plain search`, await medianOf(9, () => fetchOnce(path)), slow, 'ms');
  }

  await underClosures(report, 'over HTTP', planner, trips, ask);
  await underClosures(report, 'asked of the planner', planner, trips, async (i) => { await planner.route({ points: trips[i % trips.length]! }); });
  server.close();
  agent.destroy();
  await planner.close();
}

/** How long a closure takes to be in force, and what questions feel of it while one closure follows the other without a pause. */
async function underClosures(report: BenchReport, how: string, planner: Planner, trips: readonly Spot[][], ask: (i: number) => Promise<void>): Promise<void> {
  const quiet = await medianAnd99(CLOSING_QUESTIONS, ask);
  const taken: number[] = [];
  let over = false;
  const changes = (async () => {
    for (let id = 1; !over; id++) {
      const { lat, lon } = trips[id % trips.length]![0]!;
      taken.push((await timed(() => planner.setClosures([{ id, geometry: { type: 'Point', coordinates: [lon, lat] }, factor: 0 }])))[1]);
    }
  })();
  const busy = await medianAnd99(CLOSING_QUESTIONS, ask);
  over = true;
  await changes;
  await planner.setClosures([]);
  taken.sort((a, b) => a - b);
  report.line(`routes ${how}, ${taken.length} closures meanwhile: one is in force after ${taken[taken.length >> 1]!.toFixed(0)} ms (median), ${taken.at(-1)!.toFixed(0)} ms (longest)`);
  report.ratio('  median while closures change / in quiet', busy[0], quiet[0], 'ms');
  report.ratio('  99 % while closures change / in quiet', busy[1], quiet[1], 'ms');
}

async function timed<T>(work: () => T | Promise<T>): Promise<[T, number]> {
  const began = performance.now();
  const value = await work();
  return [value, performance.now() - began];
}

async function medianOf(times: number, work: (i: number) => unknown): Promise<number> {
  return (await medianAnd99(times, work))[0];
}

async function medianAnd99(times: number, work: (i: number) => unknown): Promise<[number, number]> {
  const taken: number[] = [];
  for (let i = 0; i < times; i++) taken.push((await timed(() => work(i)))[1]);
  taken.sort((a, b) => a - b);
  return [taken[Math.floor(times / 2)]!, taken[Math.floor(times * 0.99)]!];
}

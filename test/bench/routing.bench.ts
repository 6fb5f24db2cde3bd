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
import { customize } from '../../server/routing/customize.ts';
import { Dijkstra } from '../../server/routing/dijkstra.ts';
import { Engine } from '../../server/routing/engine.ts';
import { Hierarchy } from '../../server/routing/hierarchy.ts';
import { freeCosts } from '../../server/routing/metric.ts';
import { Router } from '../../server/routing/router.ts';
import { readExtract } from '../../server/territory/index.ts';
import { Roads, buildRoads, car } from '../../server/territory/roads/index.ts';
import type { BenchReport } from './run.ts';

type Spot = { lat: number; lon: number };
const QUESTIONS = 1000;
const CLOSING_QUESTIONS = 2000;

/** The router against plain Dijkstra over the same graph, and what making it ready costs. WAYPOST_EXTRACT names another extract. */
export default async function bench(report: BenchReport): Promise<void> {
  const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
  const file = process.env.WAYPOST_EXTRACT ?? [path('../../../shared/data/malta.osm.pbf'), path('../../resources/demo/town.osm.pbf')].find(existsSync);
  if (file === undefined) return report.line('skipped: no extract here (WAYPOST_EXTRACT names one)');

  const [extract, reading] = await timed(() => readExtract(file));
  const [built, making] = await timed(() => buildRoads(extract, { profile: car }));
  report.ratio('making roads and their order / reading the extract', making, reading, 'ms', `${built.roadNodes} nodes, ${built.roadArcs} arcs, ${(built.bytes.length / 1e6).toFixed(1)} MB`);
  const roads = Roads.from(built.bytes.buffer);
  const [hierarchy, shaping] = await timed(() => Hierarchy.build(roads));
  report.line(`hierarchy: ${shaping.toFixed(0)} ms, ${hierarchy.edges} edges; resident ${(process.memoryUsage.rss() / 1e6).toFixed(0)} MB with extract and all`);
  const costs = freeCosts(roads);
  const customizing = await medianOf(7, () => customize(hierarchy, roads, costs));
  const metric = customize(hierarchy, roads, costs);
  const engine = new Engine(roads, hierarchy, metric);
  const dijkstra = new Dijkstra(roads, costs);

  let state = 1;
  const random = (): number => (state = (state * 48271) % 2147483647) / 2147483647;
  const open = Uint32Array.from({ length: roads.arcs }, (_, arc) => arc).filter((arc) => roads.isOpen(arc));
  const arc = (): number => open[Math.floor(random() * open.length)]!;
  const spot = (): Spot => {
    const node = Math.floor(random() * roads.nodes);
    return { lat: roads.columns.nodeLat[node]! / 1e6, lon: roads.columns.nodeLon[node]! / 1e6 };
  };

  const pairs = Array.from({ length: QUESTIONS }, () => [arc(), arc()] as const);
  const slow = await medianOf(200, (i) => dijkstra.find([{ arc: pairs[i]![0], label: 0 }], pairs[i]![1]));
  const quick = await medianOf(QUESTIONS, (i) => engine.find([{ arc: pairs[i]![0], label: 0 }], pairs[i]![1]));
  report.ratio('customizing / one plain search', customizing, slow, 'ms');
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

  const directory = await mkdtemp(join(tmpdir(), 'waypost-bench-'));
  try {
    await writeFile(join(directory, 'roads.bin'), built.bytes);
    await overHttp(report, directory, trips, slow);
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** Routes over HTTP with connections kept, from one client and from eight. */
async function overHttp(report: BenchReport, directory: string, trips: readonly Spot[][], slow: number): Promise<void> {
  const planner = await startPlanner({ directory });
  const app = createApp({ routes: routingRoutes(planner), authenticate: () => undefined, reportBug: (_, error) => report.line(String(error)) });
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const ask = (i: number): Promise<void> => new Promise((resolve, reject) => {
    const [from, to] = trips[i % trips.length]!;
    get({ agent, port, path: `/viaroute?loc=${from!.lat},${from!.lon}&loc=${to!.lat},${to!.lon}&alt=false` }, (response) => response.resume().on('end', resolve)).on('error', reject);
  });
  for (let i = 0; i < 200; i++) await ask(i);
  report.ratio('route over HTTP, one client / plain search', await medianOf(QUESTIONS, ask), slow, 'ms');
  const began = performance.now();
  let next = 0;
  await Promise.all(Array.from({ length: 8 }, async () => { while (next < 3000) await ask(next++); }));
  report.line(`routes over HTTP, eight clients: ${Math.round(3000 / ((performance.now() - began) / 1000))} answers/s, the client in the same process`);

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

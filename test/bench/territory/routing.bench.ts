import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { affectedPieces, closureCosts } from '../../../server/geo/routing/closures/closures.ts';
import { customize } from '../../../server/geo/routing/metric/customize.ts';
import { Dijkstra } from '../../unit/geo/routing/dijkstra.ts';
import { edgeLengths } from '../../../server/geo/routing/metric/edge-lengths.ts';
import { Engine } from '../../../server/geo/routing/search/engine.ts';
import { Hierarchy } from '../../../server/geo/routing/graph/hierarchy.ts';
import { freeFlowCosts } from '../../../server/geo/routing/metric/costs.ts';
import type { Coordinate } from '../../../server/geo/routing/index.ts';
import { Router } from '../../../server/geo/routing/router.ts';
import { Snapper } from '../../../server/geo/routing/snapping/snapper.ts';
import { MetricPool, updateMetric } from '../../../server/geo/routing/metric/update-metric.ts';
import type { OsmExtract } from '../../../server/geo/territory/extract/extract.ts';
import { readExtract } from '../../../server/geo/territory/index.ts';
import { Roads, buildRoads, car } from '../../../server/geo/territory/roads/index.ts';
import { millionNodes } from './million-nodes.ts';
import { overHttp } from './routing-over-http.ts';
import type { BenchReport } from '../run.ts';

const QUESTIONS = 1000;

/**
 * What a native C++ router of the field does on a machine like ours, for orientation: with plain contraction
 * hierarchies, and with its multi-level variant.
 */
const ORIENTATION: Readonly<Record<string, string>> = {
  malta:
    'route over HTTP 0.4 ms median with one client and 2,600/s with eight, 100 x 100 table 12 ms, preparation 7 s; multi-level: 0.6 ms, table 84 ms, preparation 1.6 s',
  patchwork: 'preparation 105 s; multi-level: 10 s',
};

/**
 * The router against plain Dijkstra over the same graph, and what making it ready costs. WAYPOST_EXTRACT
 * names another extract, WAYPOST_ROADS one of the usual.
 */
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
  const files = ['malta', 'patchwork']
    .map((name) => [name, path(`../../../../shared/data/${name}.osm.pbf`)] as const)
    .filter(([, file]) => existsSync(file));
  const extracts =
    files.length > 0 ? files : [['the demo town', path('../../../resources/demo/town.osm.pbf')] as const];
  const all = [
    ...extracts.map(([name, file]): [string, () => Promise<OsmExtract>] => [name, () => readExtract(file)]),
    ['a million nodes', () => millionNodes()] as [string, () => OsmExtract],
  ];
  return one === undefined ? all : all.filter(([name]) => name.includes(one));
}

async function ofTerritory(report: BenchReport, open: () => OsmExtract | Promise<OsmExtract>): Promise<void> {
  const [extract, reading] = await timed(open);
  const [built, making] = await timed(() => buildRoads(extract, { profile: car }));
  report.ratio(
    'making roads and their order / reading or drawing the extract',
    making,
    reading,
    'ms',
    `${built.roadNodes} nodes, ${built.roadArcs} arcs, ${(built.bytes.length / 1e6).toFixed(1)} MB`,
  );
  const roads = Roads.from(built.bytes.buffer);
  const [hierarchy, shaping] = await timed(() => Hierarchy.build(roads));
  report.line(
    `hierarchy: ${shaping.toFixed(0)} ms, ${hierarchy.edges} edges; resident ${(process.memoryUsage.rss() / 1e6).toFixed(0)} MB with extract and all`,
  );
  const costs = freeFlowCosts(roads);
  const customizing = await medianOf(5, () => customize(hierarchy, roads, costs));
  const metric = customize(hierarchy, roads, costs);
  const engine = new Engine(roads, hierarchy, metric);
  const dijkstra = new Dijkstra(roads, costs);

  let state = 1;
  const random = (): number => (state = (state * 48271) % 2147483647) / 2147483647;
  const openArcs = Uint32Array.from({ length: roads.arcs }, (_, arc) => arc).filter((arc) => roads.isOpen(arc));
  const arc = (): number => openArcs[Math.floor(random() * openArcs.length)]!;
  const spot = (): Coordinate => {
    const node = Math.floor(random() * roads.nodes);
    return { lat: roads.columns.nodeLat[node]! / 1e6, lon: roads.columns.nodeLon[node]! / 1e6 };
  };

  const pairs = Array.from({ length: QUESTIONS }, () => [arc(), arc()] as const);
  const slow = await medianOf(roads.arcs > 500_000 ? 15 : 100, (i) =>
    dijkstra.find([{ arc: pairs[i]![0], label: 0 }], pairs[i]![1]),
  );
  const quick = await medianOf(QUESTIONS, (i) => engine.find([{ arc: pairs[i]![0], label: 0 }], pairs[i]![1]));
  report.ratio('customizing from nothing / one plain search', customizing, slow, 'ms');
  const measured = { ...metric, lengths: edgeLengths(hierarchy, metric, roads.arcMetres) };
  const snapper = new Snapper(roads);
  const pair = new MetricPool(measured);
  const into = pair.spare(measured);
  const closing = await medianOf(50, () => {
    const { lat, lon } = spot();
    const affected = affectedPieces(
      [{ id: 1, geometry: { type: 'Point', coordinates: [lon, lat] }, factor: 0 }],
      roads,
      snapper,
    );
    updateMetric(measured, hierarchy, roads, closureCosts(affected, roads, costs, into.costs), into);
  });
  report.ratio('customizing after a closure / from nothing', closing, customizing, 'ms');
  report.ratio('plain search / search', slow, quick, 'ms');
  const unpacked = await medianOf(QUESTIONS, (i) => {
    engine.find([{ arc: pairs[i]![0], label: 0 }], pairs[i]![1]);
    engine.path();
  });
  report.ratio('plain search / search with its path', slow, unpacked, 'ms');

  const router = new Router(roads, engine);
  const trips = Array.from({ length: QUESTIONS }, () => [spot(), spot()]);
  report.ratio(
    'whole route with geometry and instructions / plain search',
    await medianOf(QUESTIONS, (i) => router.route({ points: trips[i]! })),
    slow,
    'ms',
  );
  report.ratio(
    'the same with an alternative / plain search',
    await medianOf(QUESTIONS, (i) => router.route({ points: trips[i]!, alternatives: true })),
    slow,
    'ms',
  );
  for (const [rows, columns] of [
    [100, 100],
    [1, 500],
  ] as const) {
    const question = {
      sources: Array.from({ length: rows }, spot),
      targets: Array.from({ length: columns }, spot),
      distances: rows === 1,
    };
    report.ratio(
      `table ${rows} x ${columns} / plain search`,
      await medianOf(9, () => router.table(question)),
      slow,
      'ms',
    );
  }
  report.ratio(
    'isochrone of 5, 10 and 15 minutes / plain search',
    await medianOf(9, () => drawn(router.isochrone({ point: spot(), limits: [300, 600, 900] }))),
    slow,
    'ms',
  );

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

import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { ZonedTime } from '../../../shared/zoned-time.ts';
import { affectedPieces, closureCosts } from '../../../server/geo/routing/closures/closures.ts';
import { customize, type Metric } from '../../../server/geo/routing/metric/customize.ts';
import { edgeLengths } from '../../../server/geo/routing/metric/edge-lengths.ts';
import { Hierarchy } from '../../../server/geo/routing/graph/hierarchy.ts';
import { learnedCosts } from '../../../server/geo/routing/metric/learned-costs.ts';
import { freeFlowCosts } from '../../../server/geo/routing/metric/costs.ts';
import { Snapper } from '../../../server/geo/routing/snapping/snapper.ts';
import { MetricPool, updateMetric } from '../../../server/geo/routing/metric/update-metric.ts';
import { Learner } from '../../../server/geo/speeds/learner.ts';
import { TrackFile } from '../../../server/tracking/telemetry/index.ts';
import { Tracks } from '../../../server/tracking/telemetry/tracks/tracks.ts';
import { readExtract } from '../../../server/geo/territory/index.ts';
import { Roads, buildRoads, car } from '../../../server/geo/territory/roads/index.ts';
import { drive, wander } from '../../unit/geo/routing/drives.ts';
import { numbers } from '../../support/chance.ts';
import type { BenchReport } from '../run.ts';

const MALTA = new URL('../../../../shared/data/malta.osm.pbf', import.meta.url).pathname;
const TOWN = new URL('../../../resources/demo/town.osm.pbf', import.meta.url).pathname;
const VEHICLES = 20;
const DAYS = 5;
const DAY = 86_400_000;
const BEGIN = Date.UTC(2026, 5, 1, 6);

/**
 * Learning from tracks beside reading them bare, and what an hour's change costs the router beside a
 * closure's.
 */
export default async function bench(report: BenchReport): Promise<void> {
  const file = existsSync(MALTA) ? MALTA : TOWN;
  const roads = Roads.from(buildRoads(await readExtract(file), { profile: car }).bytes.buffer);
  const random = numbers(1);
  report.line(`${file.replace(/.*\//, '')}: ${roads.arcs.toLocaleString('en')} arcs`);
  for (const every of [1, 10]) learning(report, roads, random, every);
  changingHours(report, roads, random);
}

function learning(report: BenchReport, roads: Roads, random: () => number, every: number): void {
  const directory = mkdtempSync(join(tmpdir(), 'waypost-bench-speeds-'));
  mkdirSync(join(directory, 'territory'));
  writeFileSync(join(directory, 'territory', 'roads.bin'), new Uint8Array(roads.buffer));
  const points = fill(directory, roads, random, every);
  const reader = new TrackFile(join(directory, 'tracks.db'));
  const bare = timed(() => {
    for (let vehicle = 1; vehicle <= VEHICLES; vehicle++)
      for (const page of reader.pages(vehicle, 0, BEGIN + 100 * DAY)) void page;
  });
  reader.close();
  const learner = new Learner({
    tracks: join(directory, 'tracks.db'),
    book: join(directory, 'speeds.db'),
    zone: new ZonedTime('UTC'),
  });
  const before = process.memoryUsage().rss;
  const opening = timed(() => learner.open(join(directory, 'territory')));
  let longest = 0;
  let most = before;
  const learned = timed(() => {
    let last = performance.now();
    for (const step of learner.learn(
      Array.from({ length: VEHICLES }, (_, i) => ({ vehicle: i + 1, from: 0 })),
      BEGIN + DAYS * DAY,
    )) {
      void step;
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
      most = Math.max(most, process.memoryUsage().rss);
    }
  });
  const { passages, roads: known } = learner.facts();
  report.ratio(
    `looked through, ${points.toLocaleString('en')} positions of every ${every} s / read bare`,
    learned,
    bare,
    'ms',
    `${Math.round((points / learned) * 1000).toLocaleString('en')} positions a second, ${passages.toLocaleString('en')} passages`,
  );
  const reopening = timed(() => learner.open(join(directory, 'territory')));
  report.ratio(
    'opened with all that was learned / with nothing',
    reopening,
    opening,
    'ms',
    `${known.toLocaleString('en')} roads known`,
  );
  report.line(
    `longest step ${longest.toFixed(0)} ms (in a thread of its own); memory grew by ${Math.round((most - before) / 1e6)} MB at most; the speeds of an hour took ${timed(() => learner.speeds(8)).toFixed(1)} ms`,
  );
  learner.close();
  rmSync(directory, { recursive: true });
}

function changingHours(report: BenchReport, roads: Roads, random: () => number): void {
  const hierarchy = Hierarchy.build(roads);
  const free = freeFlowCosts(roads);
  const bare = customize(hierarchy, roads, free);
  const metric = { ...bare, lengths: edgeLengths(hierarchy, bare, roads.arcMetres) };
  const pair = new MetricPool(metric);
  const node = Math.floor(roads.nodes / 2);
  const closure = {
    id: 1,
    factor: 0,
    geometry: {
      type: 'Point' as const,
      coordinates: [roads.columns.nodeLon[node]! / 1e6, roads.columns.nodeLat[node]! / 1e6],
    },
  };
  const snapper = new Snapper(roads);
  const closing = median(() => {
    const into = pair.spare(metric);
    updateMetric(
      metric,
      hierarchy,
      roads,
      closureCosts(affectedPieces([closure], roads, snapper), roads, free, into.costs),
      into,
    );
  });
  for (const share of [0.01, 0.1, 0.6]) {
    const arcs = Uint32Array.from(Array.from({ length: roads.arcs }, (_, arc) => arc).filter(() => random() < share));
    const hours = [0, 1].map((version) => ({
      checksum: roads.checksum,
      version: version + 1,
      arcs,
      tenths: Uint32Array.from(arcs, (arc) => Math.round(Math.min(free.arc[arc]!, 1e6) * (0.7 + random()))),
    }));
    let hour = 0;
    let last: Metric = metric;
    const changing = median(() => {
      const into = pair.spare(last);
      last = updateMetric(
        last,
        hierarchy,
        roads,
        learnedCosts(hours[(hour = 1 - hour)]!, roads, free, into.costs),
        into,
      );
    });
    report.ratio(
      `another hour, ${share * 100} % of the roads learned / a closure`,
      changing,
      closing,
      'ms',
      'of background time, once an hour',
    );
  }
}

/** Every vehicle drives about for some two hours a day. */
function fill(directory: string, roads: Roads, random: () => number, every: number): number {
  const tracks = new Tracks(directory);
  let points = 0;
  tracks.db.exec('BEGIN');
  for (let vehicle = 1; vehicle <= VEHICLES; vehicle++) {
    for (let day = 0; day < DAYS; day++) {
      for (let hour = 0; hour < 2; hour++) {
        let arcs: number[] | undefined;
        while (!arcs) arcs = wander(roads, random, 400);
        for (const fix of drive(roads, arcs, random, {
          every,
          noise: 4,
          start: BEGIN + day * DAY + hour * 4 * 3_600_000,
        }).fixes) {
          tracks.add({
            vehicle,
            time: Math.round(fix.time),
            storedAt: BEGIN,
            lat: fix.lat,
            lon: fix.lon,
            speed: 40,
            direction: fix.course ?? 0,
            height: 0,
            gpsCount: 9,
            glonassCount: null,
            inputs: 0,
            marks: 0,
            extra: '',
            speedDerived: 0,
            engine: null,
          });
          points++;
        }
      }
    }
  }
  tracks.db.exec('COMMIT');
  tracks.db.close();
  return points;
}

function timed(work: () => void): number {
  const began = performance.now();
  work();
  return performance.now() - began;
}

function median(work: () => void): number {
  return Array.from({ length: 7 }, () => timed(work)).sort((a, b) => a - b)[3]!;
}

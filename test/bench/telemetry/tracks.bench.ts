import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { TrackThread } from '../../../server/tracking/telemetry/reading/track-thread.ts';
import { copyPoints } from '../../../server/tracking/telemetry/moving/copy-points.ts';
import { forgetMoved, pointsMoved, setApart } from '../../../server/tracking/telemetry/moving/moving-points.ts';
import { POINT_COLUMNS } from '../../../server/tracking/telemetry/tracks/stored-point.ts';
import { Tracks } from '../../../server/tracking/telemetry/tracks/tracks.ts';
import type { BenchReport } from '../run.ts';

const POINTS = 250_000;
const BEGIN = Date.UTC(2026, 5, 1);

/**
 * A month of one vehicle, a record every ten seconds, read as the interface gives it, beside reading the same
 * rows bare.
 */
export default async function bench(report: BenchReport): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'waypost-bench-tracks-'));
  const tracks = new Tracks(directory);
  const inserted = await timed(() => Promise.resolve(fill(tracks)));
  const bare = await timed(() =>
    Promise.resolve(
      tracks.db
        .prepare(`SELECT ${POINT_COLUMNS} FROM tracks WHERE vehicle=1 AND time BETWEEN ? AND ? ORDER BY time`)
        .all(0, Number.MAX_SAFE_INTEGER).length,
    ),
  );
  const thread = new TrackThread(tracks.file);
  await thread.query({ kind: 'track', vehicle: 1, from: 0, until: 1 }); // the thread is there
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const before = process.memoryUsage().rss;
  let most = before;
  const drain = async (simplify?: number) => {
    let bytes = 0;
    let points = 0;
    for await (const piece of thread.stream({
      kind: 'track',
      vehicle: 1,
      from: 0,
      until: Number.MAX_SAFE_INTEGER,
      simplify,
    })) {
      bytes += (piece as Buffer).length;
      for (let at = (piece as Buffer).indexOf('"time"'); at >= 0; at = (piece as Buffer).indexOf('"time"', at + 6))
        points++;
      most = Math.max(most, process.memoryUsage().rss);
    }
    return { bytes, points };
  };
  delay.enable();
  const whole = await timed(() => drain());
  report.ratio(
    'the track of a month, 250,000 points, whole',
    whole.ms,
    bare.ms,
    'ms',
    `${(whole.result.bytes / 1e6).toFixed(0)} MB of JSON`,
  );
  for (const metres of [5, 25]) {
    const simple = await timed(() => drain(metres));
    report.ratio(
      `the same, simplified to ${metres} m`,
      simple.ms,
      bare.ms,
      'ms',
      `${simple.result.points.toLocaleString('en')} points, ${(simple.result.bytes / 1e6).toFixed(1)} MB`,
    );
  }
  delay.disable();
  setApart(tracks.db);
  const copied = await timed(() => copyPoints(tracks.file));
  pointsMoved(tracks.db, copied.result!);
  while (copied.result!.last && forgetMoved(tracks.db, copied.result!.last) > 0);
  while (tracks.db.prepare('SELECT 1 FROM moving LIMIT 1').get()) {
    const more = await copyPoints(tracks.file);
    pointsMoved(tracks.db, more!);
    while (more!.last && forgetMoved(tracks.db, more!.last) > 0);
  }
  report.ratio(
    'moving 100,000 points into their month, beside inserting as many',
    copied.ms,
    (inserted.ms * 100_000) / POINTS,
    'ms',
    'in a thread, synced',
  );
  const fromMonth = await timed(() => drain());
  report.ratio('the track of a month, whole, from the file of its month', fromMonth.ms, bare.ms, 'ms');
  report.line(
    `the event loop was late by ${(delay.percentile(99) / 1e6).toFixed(1)} ms (p99), ${(delay.max / 1e6).toFixed(1)} ms at most; memory grew by ${Math.round((most - before) / 1e6)} MB`,
  );
  await thread.close();
  tracks.close();
  rmSync(directory, { recursive: true, force: true });
}

async function timed<R>(work: () => Promise<R>): Promise<{ ms: number; result: R }> {
  const began = performance.now();
  const result = await work();
  return { ms: performance.now() - began, result };
}

/** Drives of an hour through streets with corners, errors of a receiver, and stops of half an hour. */
function fill(tracks: Tracks): void {
  let [lat, lon, course] = [47, 9.5, 0];
  tracks.db.exec('BEGIN');
  for (let index = 0; index < POINTS; index++) {
    const driving = index % 540 < 360;
    if (index % 12 === 0) course += ((index * 7919) % 5) - 2;
    if (driving) [lat, lon] = [lat + Math.cos(course) * 0.0011, lon + Math.sin(course) * 0.0016];
    const error = () => (((index * 104_729) % 97) - 48) / 4_000_000;
    tracks.add({
      vehicle: 1,
      time: BEGIN + index * 10_368,
      storedAt: BEGIN,
      lat: lat + error(),
      lon: lon + error(),
      speed: driving ? 45 : 0,
      direction: Math.round((course * 180) / Math.PI + 36_000) % 360,
      height: 430,
      gpsCount: 9,
      glonassCount: null,
      inputs: 1,
      marks: 0,
      extra: '{"adc":[2.5],"params":{"unit_status":3}}',
      speedDerived: 0,
      engine: 1,
    });
  }
  tracks.db.exec('COMMIT');
}

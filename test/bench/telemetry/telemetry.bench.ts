import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { performance } from 'node:perf_hooks';
import { openTelemetry } from '../../../server/tracking/telemetry/index.ts';
import type { BenchReport } from '../run.ts';

const VEHICLES = 5_000;
const SECONDS = 20;
const NOON = Date.UTC(2026, 5, 1, 12);

/**
 * 5,000 vehicles at one fix a second, taken in durably, beside bare inserts of the same points into the same
 * table with one sync a second.
 */
export default async function bench(report: BenchReport): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'waypost-bench-telemetry-'));
  const telemetry = openTelemetry({
    directory,
    now: () => NOON + SECONDS * 1000,
    findVehicle: ({ glonassId }) => ({ id: glonassId! }),
    publish: () => undefined,
  });
  const seconds = Array.from({ length: SECONDS }, (_, second) =>
    Array.from({ length: VEHICLES }, (_, vehicle) => fixOf(vehicle + 1, second)),
  );
  const bare = insertBare(directory, seconds);

  let worstGap = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    worstGap = Math.max(worstGap, performance.now() - last - 5);
    last = performance.now();
  }, 5);
  const started = performance.now();
  let busy = 0;
  for (const fixes of seconds) {
    // As a gateway sends them: many posts at once.
    const began = performance.eventLoopUtilization();
    await Promise.all(
      Array.from({ length: 50 }, (_, post) => telemetry.ingest(fixes.slice(post * 100, (post + 1) * 100), 'bench')),
    );
    busy += performance.eventLoopUtilization(began).active;
  }
  const durable = (performance.now() - started) / SECONDS;
  clearInterval(timer);
  report.ratio(
    'a second of 5,000 vehicles, in 50 posts, durable',
    durable,
    bare,
    'ms',
    `${Math.round((VEHICLES / durable) * 1000).toLocaleString('en')} records/s; event loop busy ${(busy / SECONDS).toFixed(0)} ms of it`,
  );

  const singles = performance.now();
  await Promise.all(
    Array.from({ length: VEHICLES }, (_, vehicle) => telemetry.ingest([fixOf(vehicle + 1, SECONDS)], 'bench')),
  );
  report.ratio('the same, each vehicle by a post of its own', performance.now() - singles, bare, 'ms');

  const again = performance.now();
  await Promise.all(
    Array.from({ length: 50 }, (_, post) => telemetry.ingest(seconds[5]!.slice(post * 100, (post + 1) * 100), 'bench')),
  );
  report.ratio('the same records once more, all duplicates', performance.now() - again, bare, 'ms');

  const late = performance.now();
  for (let vehicle = 1; vehicle <= 200; vehicle++)
    await telemetry.ingest(
      Array.from({ length: 10 }, (_, step) => ({ ...fixOf(vehicle, step), time: NOON + step * 1000 + 500 })),
      'bench',
    );
  report.line(
    `2,000 late records of 200 black boxes, one after the other: ${(performance.now() - late).toFixed(0)} ms`,
  );
  report.line(`the longest that a timer was late: ${worstGap.toFixed(0)} ms`);
  await telemetry.close();
  rmSync(directory, { recursive: true, force: true });
}

function fixOf(
  vehicle: number,
  second: number,
): {
  glonassId: number;
  time: number;
  lat: number;
  lon: number;
  speed: number;
  direction: number;
  height: number;
  gpsCount: number;
  params: object;
} {
  return {
    glonassId: vehicle,
    time: NOON + second * 1000,
    lat: 47 + vehicle / 10_000 + second / 20_000,
    lon: 9.5 + second / 50_000,
    speed: 42,
    direction: 80,
    height: 430,
    gpsCount: 9,
    params: { unit_status: 3 },
  };
}

/** Milliseconds for one second of the fleet: prepared inserts, one transaction, one sync. */
function insertBare(directory: string, seconds: readonly (readonly ReturnType<typeof fixOf>[])[]): number {
  const file = join(directory, 'bare.db');
  const db = new DatabaseSync(file);
  db.exec(
    'PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA wal_autocheckpoint=0; CREATE TABLE tracks (vehicle INTEGER, time INTEGER, lat REAL, lon REAL, speed REAL, direction REAL, height REAL, gps INTEGER, extra TEXT, PRIMARY KEY (vehicle, time)) WITHOUT ROWID',
  );
  const insert = db.prepare('INSERT INTO tracks VALUES (?,?,?,?,?,?,?,?,?)');
  const log = openSync(`${file}-wal`, 'r+');
  const started = performance.now();
  for (const fixes of seconds) {
    db.exec('BEGIN');
    for (const fix of fixes)
      insert.run(
        fix.glonassId,
        fix.time,
        fix.lat,
        fix.lon,
        fix.speed,
        fix.direction,
        fix.height,
        fix.gpsCount,
        JSON.stringify(fix.params),
      );
    db.exec('COMMIT');
    fdatasyncSync(log);
  }
  const each = (performance.now() - started) / seconds.length;
  closeSync(log);
  db.close();
  return each;
}

import { expect, test } from 'vitest';
import { copyPoints } from '../../../../../server/tracking/telemetry/moving/copy-points.ts';
import { forgetMoved, pointsMoved, setApart } from '../../../../../server/tracking/telemetry/moving/moving-points.ts';
import { BatchReader } from '../../../../../server/tracking/telemetry/replication/batch-reader.ts';
import { JUMP, UNPLACED } from '../../../../../server/tracking/telemetry/tracks/plausible.ts';
import { PointReader } from '../../../../../server/tracking/telemetry/tracks/point-reader.ts';
import { PointSelection } from '../../../../../server/tracking/telemetry/months/point-selection.ts';
import { deleteOlder } from '../../../../../server/tracking/telemetry/tracks/retention.ts';
import { trackPoint } from '../../../../../server/tracking/telemetry/tracks/state.ts';
import type { StoredPoint } from '../../../../../server/tracking/telemetry/tracks/stored-point.ts';
import { TrackFile } from '../../../../../server/tracking/telemetry/tracks/track-file.ts';
import { Tracks } from '../../../../../server/tracking/telemetry/tracks/tracks.ts';
import { Chance, SEED } from '../../../../support/chance.ts';
import { times } from '../../../../support/long.ts';
import { pointAt, temporary } from './fill.ts';

const EDGES = [Date.UTC(2026, 8), Date.UTC(2026, 9), Date.UTC(2026, 10), Date.UTC(2100, 0)];
const VEHICLES = [1, 2];

/** The same track in a plain list. */
class Model {
  readonly points = new Map<string, StoredPoint>();

  of(vehicle: number): StoredPoint[] {
    return [...this.points.values()].filter((point) => point.vehicle === vehicle).sort((a, b) => a.time - b.time);
  }

  set(point: StoredPoint): void {
    this.points.set(`${point.vehicle} ${point.time}`, point);
  }

  has({ vehicle, time }: StoredPoint): boolean {
    return this.points.has(`${vehicle} ${time}`);
  }
}

/** At the edge of a month, a millisecond before it, and around. */
function timeOf(chance: Chance): number {
  return chance.of(EDGES) + chance.of([-1, 0, chance.int(40) - 20]);
}

test(`wherever points are, they are read as from one list, at the edges of months, too (WAYPOST_SEED=${SEED})`, async () => {
  const seen = { copies: 0, changedInMonth: 0, refused: 0 };
  for (let run = 0; run < times(20, 1000); run++) {
    const chance = new Chance(SEED + run);
    const directory = temporary();
    const tracks = new Tracks(directory);
    const [file, batches] = [new TrackFile(tracks.file), new BatchReader(tracks.file)];
    const model = new Model();
    for (let step = 0; step < 60; step++) {
      await change(tracks, model, chance, seen);
      if (step % 4 === 0) compare(tracks, file, batches, model, chance);
    }
    file.close();
    batches.close();
    tracks.close();
  }
  expect(seen.copies).toBeGreaterThan(10);
  expect(seen.changedInMonth).toBeGreaterThan(10);
  expect(seen.refused).toBeGreaterThan(10);
}, 120_000);

async function change(
  tracks: Tracks,
  model: Model,
  chance: Chance,
  seen: { copies: number; changedInMonth: number; refused: number },
): Promise<void> {
  const vehicle = chance.of(VEHICLES);
  const known = model.of(vehicle);
  const inHead = (time: number) =>
    tracks.db.prepare('SELECT 1 FROM tracks WHERE vehicle=? AND time=?').get(vehicle, time);
  switch (chance.int(10)) {
    case 0:
      setApart(tracks.db);
      return tracks.placesChanged();
    case 1: {
      // A move may end after any of its steps; the next one begins again.
      const copied = await copyPoints(tracks.file, chance.of([1, 3, 1000]));
      seen.copies += copied!.months.length;
      if (chance.maybe(0.3)) return;
      pointsMoved(tracks.db, copied!);
      if (copied!.last && chance.maybe()) while (forgetMoved(tracks.db, copied!.last) > 0);
      tracks.placesChanged();
      return;
    }
    case 2: {
      if (known.length === 0) return;
      const point = chance.of(known);
      if (!inHead(point.time)) seen.changedInMonth++;
      const believed = chance.maybe();
      const speed = chance.of([0, 50]);
      tracks.setBelief(vehicle, { ...trackPoint(point), believed, speed, speedDerived: false });
      return model.set({ ...point, marks: believed ? 0 : JUMP, speed });
    }
    case 3: {
      const [from, until] = [timeOf(chance), chance.of([timeOf(chance), Infinity])];
      const placed = known.filter(({ time, marks }) => time > from && time < until && (marks & UNPLACED) !== 0);
      const place = { ...trackPoint(pointAt(vehicle, from)), lat: chance.int(80), lon: 3 };
      expect(tracks.placeBetween(vehicle, place, until)).toBe(placed.at(-1)?.time);
      return placed.forEach((point) => model.set({ ...point, lat: place.lat, lon: 3 }));
    }
    default: {
      const marks = chance.of([0, 0, 0, JUMP, UNPLACED, JUMP | UNPLACED]);
      const point = pointAt(vehicle, timeOf(chance), { marks, speed: chance.of([0, 2, 3, 60]), lat: chance.int(80) });
      const there = known.find(({ time }) => time === point.time);
      const found = tracks.point(vehicle, point.time);
      expect(found && { ...found }).toEqual(there);
      if (there) return void seen.refused++;
      tracks.add(point);
      model.set(point);
    }
  }
}

function compare(tracks: Tracks, file: TrackFile, batches: BatchReader, model: Model, chance: Chance): void {
  const plain = (points: Iterable<StoredPoint>) => Array.from(points, (point) => ({ ...point }));
  for (const vehicle of VEHICLES) {
    const all = model.of(vehicle);
    const [from, until] = [timeOf(chance), timeOf(chance)].sort((a, b) => a - b) as [number, number];
    const between = all.filter(({ time }) => time >= from && time <= until);
    const limit = 1 + chance.int(5);
    const believed = all.filter(({ marks }) => marks === 0);
    expect(plain(tracks.between(vehicle, from, until, limit))).toEqual(between.slice(0, limit));
    expect(plain(tracks.between(vehicle, from, until, 1000))).toEqual(between);
    expect(plain([...file.pages(vehicle, from, until)].flat())).toEqual(between);
    expect(plain(file.newest(vehicle, limit))).toEqual(all.toReversed().slice(0, limit));
    expect(file.oldest(vehicle)).toBe(all[0]?.time);
    expect([...file.after(vehicle, from)].map(({ time }) => time)).toEqual(
      all.filter(({ time }) => time > from).map(({ time }) => time),
    );
    expect(tracks.count(vehicle, from, until)).toBe(between.length);
    const older = all.filter(({ time }) => time < until);
    expect(file.olderThan(vehicle, until)).toEqual({ points: older.length, oldest: older[0]?.time ?? null });
    expect(tracks.newestTime(vehicle)).toBe(all.at(-1)?.time ?? -1);
    expect(tracks.before(vehicle, until)?.time).toBe(believed.findLast(({ time }) => time < until)?.time);
    expect([...tracks.candidates(vehicle, from)].map(({ time, speed }) => [time, speed])).toEqual(
      all.filter(({ time, marks }) => time > from && (marks & ~JUMP) === 0).map(({ time, speed }) => [time, speed]),
    );
    const standing = believed.filter(({ time }) => time <= until);
    const moved = standing.findLastIndex(({ speed }) => speed >= 3);
    expect(tracks.stoppedSince(vehicle, until)).toBe(standing[moved + 1]?.time ?? until);
    const vehicles = [{ id: vehicle, since: 0 }];
    expect(batches.answer({ kind: 'count', link: 1, vehicles })).toBe(all.length);
    expect(batches.answer({ kind: 'batch', link: 1, vehicles })).toMatchObject(
      all.length === 0 ? { chunks: [] } : { chunks: [{ vehicleId: vehicle, count: all.length }] },
    );
  }
}

test('rows that do not hold any more hide none behind them', async () => {
  const tracks = new Tracks(temporary());
  const [edge] = EDGES as [number];
  for (const second of [0, 1, 2]) tracks.add(pointAt(1, edge + second));
  setApart(tracks.db);
  pointsMoved(tracks.db, (await copyPoints(tracks.file))!);
  tracks.placesChanged();
  for (const second of [0, 1])
    tracks.setBelief(1, { ...trackPoint(pointAt(1, edge + second)), believed: false, speedDerived: false });
  tracks.add(pointAt(1, edge + 9));
  expect(tracks.before(1, edge + 10)?.time).toBe(edge + 9);
  expect(tracks.before(1, edge + 9)?.time).toBe(edge + 2);
  expect(tracks.stoppedSince(1, edge + 9)).toBe(edge + 9);
  const reader = new PointReader(tracks.db, tracks.file);
  const believed = new PointSelection({ where: 'marks=0' });
  expect(reader.read(1, believed, { limit: 2 }).map(({ time }) => time)).toEqual([edge + 2, edge + 9]);
  expect(reader.read(1, believed, { limit: 1 }).map(({ time }) => time)).toEqual([edge + 2]);
  reader.close();
  tracks.close();
});

test('old points are deleted wherever `tracks.db` has them', async () => {
  const tracks = new Tracks(temporary());
  const [edge] = EDGES as [number];
  tracks.add(pointAt(1, edge - 1));
  setApart(tracks.db);
  tracks.placesChanged();
  tracks.add(pointAt(1, edge));
  tracks.add(pointAt(1, edge + 1));
  expect(deleteOlder(tracks.db, 1, edge + 1)).toBe(2);
  expect(tracks.between(1, 0, Infinity, 10).map(({ time }) => time)).toEqual([edge + 1]);
  tracks.close();
});

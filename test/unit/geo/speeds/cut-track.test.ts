import { expect, test } from 'vitest';
import type { TrackFix } from '../../../../server/geo/routing/index.ts';
import { DriveCutter, type CutPoint } from '../../../../server/geo/speeds/cut-track.ts';

const METRE = 1 / 111_195;

/** Positions every second to the north at so many km/h; `seconds` long. */
class Track {
  readonly points: CutPoint[] = [];
  #time = 0;
  #north = 0;

  go(kmh: number, seconds: number, more: Partial<CutPoint> = {}): this {
    for (let i = 0; i < seconds; i++) {
      this.#time += 1000;
      this.#north += kmh / 3.6;
      this.points.push({
        time: this.#time,
        lat: 47 + this.#north * METRE,
        lon: 9,
        speed: kmh,
        direction: 1,
        marks: 0,
        engine: null,
        ...more,
      });
    }
    return this;
  }

  silent(seconds: number): this {
    this.#time += seconds * 1000;
    return this;
  }
}

function cut({ points }: Track, end = true): { drives: (readonly TrackFix[])[]; cutter: DriveCutter } {
  const drives: (readonly TrackFix[])[] = [];
  const cutter = new DriveCutter((drive) => drives.push(drive));
  for (const point of points) cutter.add(point);
  if (end) cutter.end();
  return { drives, cutter };
}

const spans = (track: Track) => cut(track).drives.map((drive) => [drive[0]!.time / 1000, drive.at(-1)!.time / 1000]);

test('who waits in traffic drives on, who stands longer than three minutes or stops the engine has parked', () => {
  expect(spans(new Track().go(36, 100).go(0, 170).go(36, 100))).toEqual([[1, 370]]);
  expect(spans(new Track().go(36, 100).go(0, 200).go(36, 100))).toEqual([
    [1, 101],
    [300, 400],
  ]);
  expect(spans(new Track().go(36, 100).go(0, 20, { engine: 0 }).go(36, 100))).toEqual([
    [1, 101],
    [120, 220],
  ]);
  expect(spans(new Track().go(36, 100).go(0, 20, { engine: 1 }).go(36, 100))).toEqual([[1, 220]]);
});

test('a wait is kept as it was: from the first to the last position that stood', () => {
  const [drive] = cut(new Track().go(36, 100).go(0, 60).go(36, 100)).drives;
  const times = drive!.map(({ time }) => time / 1000);
  expect(times).toContain(101);
  expect(times).toContain(160);
  expect(times.some((time) => time > 101 && time < 160)).toBe(false);
});

test('a silence of more than two minutes, or a leap, cuts a drive', () => {
  expect(spans(new Track().go(36, 60).silent(119).go(36, 60))).toEqual([[1, 239]]);
  expect(spans(new Track().go(36, 60).silent(121).go(36, 60))).toEqual([
    [1, 60],
    [182, 241],
  ]);
  expect(spans(new Track().go(36, 60).go(36_000, 1).go(36, 60)).length).toBe(2);
});

test('positions are no nearer than 15 m, doubtful ones are left out, a course counts only from a vehicle that moves', () => {
  const [drive] = cut(new Track().go(18, 60).go(18, 10, { marks: 1 }).go(18, 60)).drives;
  const north = drive!.map(({ lat }) => (lat - 47) / METRE);
  expect(north.slice(1, -1).every((at, i) => at - north[i]! >= 14.9)).toBe(true);
  expect(drive!.some(({ time }) => time > 60_000 && time <= 70_000)).toBe(false);
  expect(drive!.every(({ course }) => course === 1)).toBe(true);
  expect(cut(new Track().go(6, 60)).drives[0]!.every(({ course }) => course === undefined)).toBe(true);
  expect(cut(new Track().go(36, 60, { direction: 0 })).drives[0]!.every(({ course }) => course === undefined)).toBe(
    true,
  );
});

test('it is known from where a drive that goes on has to be read again', () => {
  const going = cut(new Track().go(36, 50).go(0, 200).go(36, 50), false);
  expect(going.drives.length).toBe(1);
  expect(going.cutter.doneUntil).toBe(249_999);
  expect(cut(new Track().go(36, 50)).cutter.doneUntil).toBe(50_000);
});

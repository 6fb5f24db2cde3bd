import { expect, test } from 'vitest';
import { minuteText, minuteTime, periodOf, secondText } from '../../../../../renderer/src/lib/time/period.ts';
import {
  scaleOf,
  timeTicks,
  tracePlot,
  valueAt,
  type PlotLine,
} from '../../../../../renderer/src/features/fleet/sensors/plot.ts';
import {
  seriesOf,
  speedBand,
  Track,
  type DrawnTrackPoint,
} from '../../../../../renderer/src/features/fleet/track/track.ts';
import { TRACK_GAP_MS } from '../../../../../shared/events/track-gap.ts';

const MINUTE = 60_000;
const point = (minutes: number, over: Partial<DrawnTrackPoint> = {}): DrawnTrackPoint => ({
  time: minutes * MINUTE,
  lat: 56 + minutes / 1000,
  lon: 18.9,
  speed: 30,
  direction: 0,
  height: 100,
  marks: [],
  ...over,
});

test('between two points a vehicle is on the straight way; in a gap it is where it was seen last, and says so', () => {
  const track = new Track([
    point(0),
    point(1),
    point(1.5, { lat: 0, lon: 0, marks: ['zero'] }),
    point(2),
    point(20),
    point(21),
  ]);
  expect(track.doubtful).toHaveLength(1);
  expect(track.at(0.5 * MINUTE)).toMatchObject({ lat: 56.0005, gap: undefined });
  expect(track.at(10 * MINUTE)).toMatchObject({ lat: 56.002, gap: { from: 2 * MINUTE, till: 20 * MINUTE } });
  expect(track.at(99 * MINUTE)).toMatchObject({ lat: 56.021, gap: undefined }); // never beyond the last
  expect(track.at(-MINUTE)).toMatchObject({ lat: 56 });
  expect(new Track([]).at(0)).toBeUndefined();
  expect(track.gapAt(20 * MINUTE)).toBeUndefined();
});

test('what was driven leaves gaps out', () => {
  const track = new Track([
    point(0),
    point(1),
    point(2, { speed: 0 }),
    point(3, { speed: 0, lat: 56.002 }),
    point(30, { speed: 70 }),
    point(31),
  ]);
  const driven = track.driven(0, 40 * MINUTE);
  expect(driven.distance).toBeCloseTo(0.3336, 3); // 0.001 degrees of latitude three times
  expect(driven).toMatchObject({ greatest: 70, moving: 3 * MINUTE, standing: MINUTE, unknown: 27 * MINUTE });
  expect(track.driven(2 * MINUTE, 3 * MINUTE)).toMatchObject({
    distance: 0,
    moving: 0,
    standing: MINUTE,
    unknown: 0,
    greatest: 0,
  });
});

test('of a simplified track the gaps are those that the station knows of', () => {
  const points = [point(0), point(60, { lat: 56 }), point(120)];
  expect(new Track(points).gaps).toHaveLength(2);
  const known = new Track(points, [{ from: 60 * MINUTE, till: 120 * MINUTE }]);
  expect(known.driven(0, 120 * MINUTE).unknown).toBe(60 * MINUTE);
  expect(known.at(30 * MINUTE)!.gap).toBeUndefined();
});

test('a plot keeps every peak and leaves a gap open', () => {
  const points = Array.from({ length: 10_000 }, (_, index) => point(index / 60, { speed: index === 5_003 ? 240 : 20 }));
  const series = seriesOf(
    new Track([...points, point(10_000 / 60 + 2 * (TRACK_GAP_MS / MINUTE), { speed: 10 })]),
    ({ speed }) => speed,
  );
  const till = series.times.at(-1)!;
  const scale = scaleOf([series], 0, till);
  expect(scale).toEqual({ least: 0, most: 300, step: 100 });
  const drawn: [string, number, number][] = [];
  tracePlot(
    { ...series, colour: '' } satisfies PlotLine,
    { from: 0, till, width: 500, height: 100, least: 0, most: 300 },
    (x, y) => drawn.push(['move', x, y]),
    (x, y) => drawn.push(['draw', x, y]),
  );
  expect(drawn.length).toBeLessThan(500 * 4);
  expect(Math.min(...drawn.map(([, , y]) => y))).toBeCloseTo(20, 5); // the peak of 240
  expect(drawn.filter(([kind]) => kind === 'move')).toHaveLength(2);
  expect(valueAt(series, 10 * MINUTE)).toBe(20);
  expect(valueAt(series, series.times.at(-2)! + 1_000)).toBeNaN();
});

test('a scale has round steps, also for what does not change', () => {
  const flat = (value: number) =>
    scaleOf([{ times: Float64Array.of(0, 1), values: Float64Array.of(value, value) }], 0, 1);
  expect(flat(0)).toMatchObject({ least: 0 });
  expect(flat(0).most).toBeGreaterThan(0.4);
  expect(flat(64).least).toBeLessThanOrEqual(64);
  expect(flat(64).most).toBeGreaterThanOrEqual(64);
  expect(scaleOf([], 0, 1)).toEqual({ least: 0, most: 1, step: 1 });
  expect(timeTicks(0, 3_600_000, 10 * MINUTE)).toHaveLength(5); // every quarter of an hour
});

test('speeds fall into the bands of the scale', () => {
  expect([0, 3, 3.1, 20, 40, 60, 90, 91, 250].map(speedBand)).toEqual([0, 0, 1, 1, 2, 3, 4, 5, 5]);
});

test('days begin at midnight here, and a minute is read as it is written, in both ways of writing', () => {
  const now = new Date(2026, 10, 22, 14, 5).getTime();
  expect(periodOf('yesterday', now)).toEqual({
    from: new Date(2026, 10, 21).getTime(),
    till: new Date(2026, 10, 22).getTime(),
  });
  expect(periodOf('week', now).from).toBe(new Date(2026, 10, 16).getTime());
  expect(minuteText(now)).toBe('22.11.2026 14:05');
  expect(secondText(now)).toBe('2026-11-22 14:05:00');
  expect([minuteTime('2026-11-22 14:05'), minuteTime('22.11.2026 14:05'), minuteTime(' 22.11.2026')]).toEqual([
    now,
    now,
    new Date(2026, 10, 22).getTime(),
  ]);
  expect(['30.02.2026 10:00', '2026-11-22 24:00', '2026-11-22 14:5', 'yesterday', ''].map(minuteTime)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

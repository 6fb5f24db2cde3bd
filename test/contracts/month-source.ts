import { expect, onTestFinished, test } from 'vitest';
import type { MonthSource } from '../../server/tracking/telemetry/months/month-source.ts';
import { monthOf } from '../../server/tracking/telemetry/months/months.ts';
import { JUMP, UNPLACED } from '../../server/tracking/telemetry/tracks/plausible.ts';
import {
  LAST_BELIEVED,
  LAST_PLACE,
  NEWEST_FIRST,
  PointSelection,
  TIMES,
  WHOLE_POINTS,
} from '../../server/tracking/telemetry/months/point-selection.ts';
import { STANDING_SPEED } from '../../server/tracking/telemetry/tracks/state.ts';
import type { StoredPoint } from '../../server/tracking/telemetry/tracks/stored-point.ts';
import { Chance, SEED } from '../support/chance.ts';
import { pointAt } from '../unit/tracking/telemetry/months/fill.ts';

const EDGES = [Date.UTC(2026, 5), Date.UTC(2026, 6), Date.UTC(2026, 8)];
const VEHICLES = [1, 2, 50_000];
const ALL = { from: 0, until: Number.MAX_SAFE_INTEGER, limit: 1_000_000 };

/** Each selection that readers use, and which points it means. */
const SELECTIONS: readonly (readonly [PointSelection, (point: StoredPoint) => boolean])[] = [
  [WHOLE_POINTS, () => true],
  [NEWEST_FIRST, () => true],
  [TIMES, () => true],
  [new PointSelection({ columns: 'time', newestFirst: true }), () => true],
  [LAST_BELIEVED, ({ marks }) => marks === 0],
  [LAST_PLACE, ({ marks }) => marks === 0],
  [new PointSelection({ where: `(marks & ~${JUMP})=0` }), ({ marks }) => (marks & ~JUMP) === 0],
  [new PointSelection({ where: `(marks & ${UNPLACED})<>0` }), ({ marks }) => (marks & UNPLACED) !== 0],
  [
    new PointSelection({ columns: 'time', where: `marks=0 AND speed>=${STANDING_SPEED}`, newestFirst: true }),
    ({ marks, speed }) => marks === 0 && speed >= STANDING_SPEED,
  ],
];

/** What a source of months keeps. `fill` stores these points and returns what reads them. */
export function keepsMonths(fill: (points: readonly StoredPoint[]) => Promise<MonthSource>): void {
  const opened = async (points: readonly StoredPoint[]) => {
    const source = await fill(points);
    onTestFinished(() => source.close());
    return source;
  };

  test('every field of a point comes back as it was', async () => {
    const [edge] = EDGES as [number];
    const points = [
      pointAt(1, edge, { lat: -0.1 - 0.2, lon: 179.99999999999997, height: -431.25, speed: 5e-324, direction: 359.9 }),
      pointAt(1, edge + 1, { storedAt: 8_640_000_000_000_000, inputs: 0xffff_ffff, gpsCount: null, glonassCount: 0 }),
      pointAt(1, edge + 2, { marks: 7, speedDerived: 1, engine: 0 }),
      pointAt(1, edge + 3, {
        extra: JSON.stringify({ adc: [1.5], params: { 'ключ\n"': '\u0000\u{1F69A}', 'b': true } }),
      }),
      pointAt(1, edge + 4, { engine: 1, height: 1e300 }),
    ];
    const source = await opened(points);
    expect(plain(source.read(1, WHOLE_POINTS, ALL))).toEqual(points);
    expect(points.map(({ vehicle, time }) => ({ ...source.point(vehicle, time) }))).toEqual(points);
  });

  test('months without points are not listed, and nothing is read from them', async () => {
    const [first, , last] = EDGES as [number, number, number];
    const source = await opened([pointAt(1, first), pointAt(2, last)]);
    expect(source.list(0, monthOf(Infinity)).map(({ month }) => month)).toEqual([monthOf(first), monthOf(last)]);
    expect(source.list(monthOf(first) + 1, monthOf(last) - 1)).toEqual([]);
    expect(source.read(1, WHOLE_POINTS, { ...ALL, from: last })).toEqual([]);
    expect(source.read(3, NEWEST_FIRST, ALL)).toEqual([]);
    expect(source.count(1, last, Number.MAX_SAFE_INTEGER, 10)).toBe(0);
    expect(source.point(1, last)).toBeUndefined();
    expect(source.point(1, last - 1)).toBeUndefined();
  });

  test(`any reading is that of a plain list, over the edges of months, too (WAYPOST_SEED=${SEED})`, async () => {
    const chance = new Chance(SEED);
    const time = () => chance.of(EDGES) + chance.of([-1, 0, 1, chance.int(2_000_000) - 1_000_000]);
    const points = new Map<string, StoredPoint>();
    while (points.size < 300) {
      const more = { marks: chance.of([0, 0, JUMP, UNPLACED, JUMP | UNPLACED]), speed: chance.of([0, 2, 60]) };
      const point = pointAt(chance.of(VEHICLES), time(), {
        ...more,
        lat: chance.int(80),
        engine: chance.of([null, 1]),
      });
      points.set(`${point.vehicle} ${point.time}`, point);
    }
    const source = await opened([...points.values()]);
    for (let run = 0; run < 300; run++) {
      const vehicle = chance.of(VEHICLES);
      const [from, until] = [chance.of([0, time()]), chance.of([Number.MAX_SAFE_INTEGER, time()])].sort(
        (a, b) => a - b,
      ) as [number, number];
      const limit = chance.of([1, 1, 3, 1000]);
      const [selection, isMeant] = chance.of(SELECTIONS);
      const own = [...points.values()].filter(
        (one) => one.vehicle === vehicle && one.time >= from && one.time <= until,
      );
      const meant = own
        .filter(isMeant)
        .sort((a, b) => (selection.newestFirst ? b.time - a.time : a.time - b.time))
        .slice(0, limit);
      const rows = plain(source.read(vehicle, selection, { from, until, limit }));
      expect(meant).toMatchObject(rows);
      expect(rows.map((row) => row.time)).toEqual(meant.map((row) => row.time));
      expect(source.count(vehicle, from, until, limit)).toBe(Math.min(own.length, limit));
      const asked = chance.of([...points.values()]);
      expect({ ...source.point(asked.vehicle, asked.time) }).toEqual(asked);
    }
  });
}

function plain(rows: readonly StoredPoint[]): StoredPoint[] {
  return rows.map((row) => ({ ...row }));
}

import { readSensor } from '../../../../shared/fleet/sensors.ts';
import { TRACK_GAP_MS } from '../../../../shared/events/track-gap.ts';
import type { ZonedTime } from '../../../../shared/zoned-time.ts';
import { legBetween, readingsOf, type StoredPoint, type TrackFile } from '../../../tracking/telemetry/tracks/index.ts';
import { rounded, type ReportedVehicle, type ReportOrder, type ReportRow } from './report.ts';

/** The sums over a stretch of a track. */
interface SpanSums {
  kilometres: number;
  /** seconds */
  moving: number;
  standing: number;
  engine: number;
  topSpeed: number;
}

const nothing = (): SpanSums => ({ kilometres: 0, moving: 0, standing: 0, engine: 0, topSpeed: 0 });

type ReportPeriod = Pick<ReportOrder, 'from' | 'till'>;

/**
 * One row for each vehicle and day with records, by the rule of the odometer: marked points are left out, and
 * standing is not driving.
 */
export function* mileageRows(
  file: TrackFile,
  vehicle: ReportedVehicle,
  period: ReportPeriod,
  zone: ZonedTime,
): Generator<ReportRow> {
  let day = -Infinity;
  let ends = -Infinity;
  let sums: SpanSums | undefined;
  for (const [before, point] of legs(file, vehicle.id, period)) {
    if (point.time >= ends) {
      if (sums) yield mileageRow(vehicle, day, sums);
      day = zone.dayOf(point.time);
      ends = zone.dayOf(day + 36 * 3_600_000); // the next midnight, also when the clock changes in between
      sums = nothing();
    }
    add(sums!, before, point);
  }
  if (sums) yield mileageRow(vehicle, day, sums);
}

function mileageRow(
  { id, name, plate, expense }: ReportedVehicle,
  day: number,
  { kilometres, moving, standing, engine, topSpeed }: SpanSums,
): ReportRow {
  return {
    carId: id,
    carName: name,
    carNo: plate,
    day,
    km: rounded(kilometres, 3),
    moving: Math.round(moving),
    standing: Math.round(standing),
    engine: Math.round(engine),
    averageSpeed: moving > 0 ? rounded((kilometres / moving) * 3600, 1) : null,
    topSpeed: rounded(topSpeed, 1),
    fuelNorm: expense === null ? null : rounded((kilometres * expense) / 100, 1),
  };
}

export interface FuelChanges {
  readonly litres: number;
  readonly count: number;
}

/** One row for a vehicle with a fuel sensor: levels at both ends of the period, fillings, drains, and consumption. */
export function fuelRow(
  file: TrackFile,
  vehicle: ReportedVehicle,
  period: ReportPeriod,
  filled: FuelChanges,
  drained: FuelChanges,
): ReportRow | undefined {
  const tanks = vehicle.fuel.map((versions) => new TankLevel(versions));
  const sums = nothing();
  let before: StoredPoint | undefined;
  for (const page of file.pages(vehicle.id, period.from, period.till - 1)) {
    for (const point of page) {
      for (const tank of tanks) tank.take(point);
      if (point.marks !== 0) continue;
      add(sums, before, point);
      before = point;
    }
  }
  const known = tanks.filter(({ start }) => start !== undefined);
  if (known.length === 0) return undefined;
  const sum = (level: (tank: TankLevel) => number) => known.reduce((litres, tank) => litres + level(tank), 0);
  const [start, end] = [sum((tank) => tank.start!), sum((tank) => tank.end)];
  const used = start + filled.litres - drained.litres - end;
  return {
    carId: vehicle.id,
    carName: vehicle.name,
    carNo: vehicle.plate,
    startLitres: rounded(start, 1),
    filled: rounded(filled.litres, 1),
    fills: filled.count,
    drained: rounded(drained.litres, 1),
    drains: drained.count,
    endLitres: rounded(end, 1),
    used: rounded(used, 1),
    km: rounded(sums.kilometres, 3),
    per100: sums.kilometres >= 1 ? rounded((used / sums.kilometres) * 100, 1) : null,
    norm: vehicle.expense,
  };
}

/** Values whose median is a level: sloshing is shorter. */
const MEDIAN_OF = 5;

/** The level of one tank at the beginning and at the end: the median of the first values and of the last. */
class TankLevel {
  readonly #versions: ReportedVehicle['fuel'][number];
  readonly #first: number[] = [];
  readonly #last: number[] = [];

  constructor(versions: ReportedVehicle['fuel'][number]) {
    this.#versions = versions;
  }

  take(point: StoredPoint): void {
    const then = this.#versions.find(
      ({ validFrom, validUntil }) => point.time >= validFrom && (validUntil === null || point.time < validUntil),
    );
    const litres = then && readSensor(then, readingsOf(point));
    if (litres === undefined) return;
    if (this.#first.length < MEDIAN_OF) this.#first.push(litres);
    this.#last.push(litres);
    if (this.#last.length > MEDIAN_OF) this.#last.shift();
  }

  get start(): number | undefined {
    return this.#first.length === 0 ? undefined : median(this.#first);
  }

  get end(): number {
    return median(this.#last);
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}

/** The plausible points of a track, each with the one before it. */
function* legs(
  file: TrackFile,
  vehicle: number,
  { from, till }: ReportPeriod,
): Generator<[before: StoredPoint | undefined, point: StoredPoint]> {
  let before: StoredPoint | undefined;
  for (const page of file.pages(vehicle, from, till - 1)) {
    for (const point of page) {
      if (point.marks !== 0) continue;
      yield [before, point];
      before = point;
    }
  }
}

function add(sums: SpanSums, before: StoredPoint | undefined, point: StoredPoint): void {
  sums.topSpeed = Math.max(sums.topSpeed, point.speed);
  if (!before) return;
  const { odometer: kilometres, moving, engineStop, engineMove } = legBetween(ended(before), ended(point));
  const seconds = point.time - before.time <= TRACK_GAP_MS ? (point.time - before.time) / 1000 : 0;
  sums.kilometres += kilometres;
  sums[moving ? 'moving' : 'standing'] += seconds;
  sums.engine += engineStop + engineMove;
}

function ended({ time, lat, lon, speed, engine }: StoredPoint): Parameters<typeof legBetween>[0] {
  return { time, lat, lon, speed, engineOn: engine === null ? null : engine === 1 };
}

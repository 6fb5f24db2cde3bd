import type { Roads } from '../../../../server/geo/territory/roads/index.ts';
import { courseAt } from '../../../../server/geo/routing/snapping/heading.ts';
import { freeFlowCosts } from '../../../../server/geo/routing/metric/costs.ts';
import type { TrackFix } from '../../../../server/geo/routing/matching/match-track.ts';

/**
 * What a vehicle really drove: whole arcs, with the times (epoch ms) at which each was entered, and what its
 * receiver said.
 */
export interface TrueDrive {
  readonly arcs: readonly number[];
  readonly entered: readonly number[];
  readonly ended: number;
  readonly fixes: readonly TrackFix[];
}

export interface DriveHabits {
  /** Of each arc; 1: as the profile has it, 2: in twice the time. */
  readonly slowness?: (arc: number) => number;
  /** Seconds between two positions. */
  readonly every: number;
  /** Standard deviation of the receiver's error, metres in each direction. */
  readonly noise: number;
  readonly start?: number;
}

/**
 * A random drive of so many arcs that does not turn back but in dead ends; undefined where the way ends too
 * soon.
 */
export function wander(roads: Roads, random: () => number, length: number): number[] | undefined {
  const { turnFirst, turnHead } = roads.columns;
  const arcs = [Math.floor(random() * roads.arcs)];
  while (arcs.length < length) {
    const arc = arcs.at(-1)!;
    const all = Array.from(turnHead.subarray(turnFirst[arc], turnFirst[arc + 1])).filter(
      (next) => next >> 1 !== arcs.at(-2)! >> 1 || length < 3,
    );
    const on = all.filter((next) => next !== (arc ^ 1));
    const next = (on.length > 0 ? on : all)[Math.floor(random() * (on.length > 0 ? on : all).length)];
    if (next === undefined) return undefined;
    arcs.push(next);
  }
  return arcs;
}

/** Drives over arcs and tells what a receiver says. */
export function drive(
  roads: Roads,
  arcs: readonly number[],
  random: () => number,
  { every, noise, slowness = () => 1, start = 1_700_000_000_000 }: DriveHabits,
): TrueDrive {
  const free = freeFlowCosts(roads).arc;
  const entered: number[] = [];
  let time = start;
  for (const [i, arc] of arcs.entries()) {
    entered.push(time);
    time += free[arc]! * 100 * slowness(arc) + (i + 1 < arcs.length ? roads.turnBetween(arc, arcs[i + 1]!) * 100 : 0);
  }
  const ended = time;
  const fixes: TrackFix[] = [];
  let i = 0;
  for (let now = start; now < ended; now += every * 1000) {
    while (i + 1 < arcs.length && entered[i + 1]! <= now) i++;
    const arc = arcs[i]!;
    const share = Math.min(1, (now - entered[i]!) / Math.max(1, free[arc]! * 100 * slowness(arc)));
    const at = positionAt(roads, arc, share * roads.arcMetres[arc]!);
    const [lat, lon] = at.point;
    fixes.push({
      time: now,
      lat: lat / 1e6 + (noise * normal(random)) / 111_200,
      lon: lon / 1e6 + (noise * normal(random)) / (111_200 * Math.cos((lat / 1e6) * (Math.PI / 180))),
      course: (courseAt(arc, at.position, roads) + 10 * normal(random) + 360) % 360,
    });
  }
  return { arcs, entered, ended, fixes };
}

function positionAt(roads: Roads, arc: number, metres: number): { point: [number, number]; position: number } {
  const pieces = roads.pieces(arc >> 1);
  const first = roads.columns.segmentFirst[arc >> 1]!;
  let left = metres;
  for (let k = 0; ; k++) {
    const offset = arc & 1 ? pieces - 1 - k : k;
    const length = roads.metres(arc >> 1, offset, offset + 1);
    if (left <= length || k === pieces - 1) {
      const ratio = length > 0 ? Math.min(1, left / length) : 0;
      return { point: roads.along(first + offset, arc & 1 ? 1 - ratio : ratio), position: k + Math.min(0.999, ratio) };
    }
    left -= length;
  }
}

/** Box and Muller (1958). */
export function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

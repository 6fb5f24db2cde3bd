import { metresBetweenE7 } from '../../territory/geometry/metres.ts';
import type { Line } from '../../territory/geometry/metres.ts';
import type { ScoredCandidate } from './candidates.ts';
import { between } from './house-search.ts';
import { milestoneHit } from './hits.ts';
import type { RankedHit } from './hits.ts';
import type { MilestoneRow, PlacesFile } from './places-file.ts';

/** Between stones further apart than this nothing is estimated. Metres along the road. */
const LARGEST_GAP = 20_000;
/** Within this distance of a stone the position is at it. */
const AT_STONE = 50;
/** Roads with this name, including second names; for "A 1" not "A 10", which only begins so. */
const SAME_NAME = 0.98;
/** Roads, or parts of one, whose stones are searched. */
const MAX_ROADS = 30;
/** A stone of the other carriageway stands across the road. */
const SAME_STONE = 100;
/**
 * Roads were straightened after their stones were set, or measured badly: stones may be this much further
 * apart than they say.
 */
const SLACK = 500;

interface Stone extends MilestoneRow {
  road: ScoredCandidate;
}

/**
 * "A1 km 12.4": at the stone with this number, else between two of them along the road. The roads are sorted
 * by likelihood.
 */
export function findAtMilestone(file: PlacesFile, roads: readonly ScoredCandidate[], metres: number): RankedHit[] {
  const best = Math.max(...roads.map(({ quality }) => quality));
  const likely = roads
    .filter(({ quality }) => quality >= SAME_NAME * best)
    .slice(0, MAX_ROADS)
    .map((road) => file.milestones(road.row.id).map((stone): Stone => ({ ...stone, road })));
  const at = likely.flat().filter((stone) => Math.abs(stone.metres - metres) <= AT_STONE);
  if (at.length > 0) {
    const apart = at.filter(
      (stone, i) =>
        !at.slice(0, i).some((other) => metresBetweenE7(other.lon, other.lat, stone.lon, stone.lat) < SAME_STONE),
    );
    return apart.map((stone) =>
      milestoneHit(stone.road.row, stone, metres, false, stone.road.score, stone.road.variant),
    );
  }
  const below = likely.flatMap((stones) =>
    nearest(
      stones.filter((stone) => stone.metres < metres),
      metres,
    ),
  );
  const above = likely.flatMap((stones) =>
    nearest(
      stones.filter((stone) => stone.metres > metres),
      metres,
    ),
  );
  const pairs = below.flatMap((from) =>
    above.filter((to) => onOneRoad(from, to)).map((to) => ({ from, to, gap: to.metres - from.metres })),
  );
  const found: { lon: number; lat: number; hit: RankedHit }[] = [];
  for (const { from, to, gap } of pairs.sort((a, b) => a.gap - b.gap)) {
    const lines: Line[] = [...new Set([from.road.row.id, to.road.row.id])].flatMap((id) => file.lines(id));
    const point = between(lines, from, to, (metres - from.metres) / gap);
    // More distant stones repeat the answer; only on another road of that name they are another place.
    if (found.some(({ lon, lat }) => metresBetweenE7(lon, lat, point.lon, point.lat) <= gap + SLACK)) continue;
    found.push({ ...point, hit: milestoneHit(from.road.row, point, metres, true, from.road.score, from.road.variant) });
  }
  return found.map(({ hit }) => hit);
}

/** May two stones belong to one road? Roads of one name are in many towns. */
function onOneRoad(from: Stone, to: Stone): boolean {
  const gap = to.metres - from.metres;
  return gap <= LARGEST_GAP && metresBetweenE7(from.lon, from.lat, to.lon, to.lat) <= gap + SLACK;
}

/** The nearest stone, if there is one. */
function nearest(stones: readonly Stone[], metres: number): Stone[] {
  let best: Stone | undefined;
  for (const stone of stones)
    if (!best || Math.abs(stone.metres - metres) < Math.abs(best.metres - metres)) best = stone;
  return best ? [best] : [];
}

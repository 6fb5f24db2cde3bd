import { metresBetween } from '../territory/places/metres.ts';
import type { Line } from '../territory/places/metres.ts';
import type { Candidate } from './candidates.ts';
import { between } from './house-search.ts';
import { milestoneHit } from './hits.ts';
import type { Ranked } from './hits.ts';
import type { MilestoneRow, PlacesFile } from './places-file.ts';

/** Stones further apart than this say nothing about what lies between them. Metres along the road. */
const LARGEST_GAP = 20_000;
/** This near a stone one is at it. */
const AT_STONE = 50;
/** Parts of one road are about as likely as the likeliest of them. */
const SAME_ROAD = 0.93;
/** A stone of the other carriageway stands across the road. */
const SAME_STONE = 100;

/** "A1 km 12.4": at the stone that says so, else between two of them along the road. The roads are in order of likelihood. */
export function findAtMilestone(file: PlacesFile, roads: readonly Candidate[], metres: number): Ranked[] {
  const likely = roads.filter(({ score }) => score >= SAME_ROAD * roads[0]!.score);
  const stones = likely.flatMap((road) => file.milestones(road.row.id).map((stone) => ({ ...stone, road })));
  const at = stones.filter((stone) => Math.abs(stone.metres - metres) <= AT_STONE);
  if (at.length > 0) {
    const apart = at.filter((stone, i) => !at.slice(0, i).some((other) => metresBetween(other.lon, other.lat, stone.lon, stone.lat) < SAME_STONE));
    return apart.map((stone) => milestoneHit(stone.road.row, stone, metres, false, stone.road.score, stone.road.variant));
  }
  const below = nearest(stones.filter((stone) => stone.metres < metres), metres), above = nearest(stones.filter((stone) => stone.metres > metres), metres);
  if (!below || !above || above.metres - below.metres > LARGEST_GAP) return [];
  const lines: Line[] = [...new Set([below.road.row.id, above.road.row.id])].flatMap((id) => file.lines(id));
  const point = between(lines, below, above, (metres - below.metres) / (above.metres - below.metres));
  return [milestoneHit(below.road.row, point, metres, true, below.road.score, below.road.variant)];
}

function nearest<Stone extends MilestoneRow>(stones: readonly Stone[], metres: number): Stone | undefined {
  let best: Stone | undefined;
  for (const stone of stones) if (!best || Math.abs(stone.metres - metres) < Math.abs(best.metres - metres)) best = stone;
  return best;
}

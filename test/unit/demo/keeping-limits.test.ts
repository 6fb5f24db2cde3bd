import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  AT_START,
  driveOn,
  hasReachedEnd,
  RESPONDING,
  planTrip,
  whereOn,
  type RouteLeg,
  type DrivingStyle,
} from '../../../server/demo/simulate/trip.ts';
import type { GroundPosition } from '../../../server/demo/simulate/position.ts';
import { chanceFrom } from '../../../server/demo/chance.ts';
import { startPlanner, type Planner } from '../../../server/geo/routing/index.ts';
import { readExtract } from '../../../server/geo/territory/index.ts';
import { buildRoads, car } from '../../../server/geo/territory/roads/index.ts';
import { limitedPieces } from '../../../server/geo/territory/roads/road-limits.ts';
import { RoadLimits } from '../../../shared/roads/road-limits.ts';
import { SEED } from '../../support/chance.ts';

const TOWN = new URL('../../../resources/demo/town.osm.pbf', import.meta.url).pathname;
const TRIPS = 60;

/** Drives through the town of the demo, over the real router and the real limits. */
let directory: string;
let planner: Planner;
let limits: RoadLimits;
const ways: { geometry: GroundPosition[]; legs: RouteLeg[]; time: number }[] = [];

beforeAll(async () => {
  const extract = await readExtract(TOWN);
  limits = RoadLimits.from(RoadLimits.pack(limitedPieces(extract)).buffer);
  directory = await mkdtemp(join(tmpdir(), 'waypost-limits-'));
  await writeFile(join(directory, 'roads.bin'), buildRoads(extract, { profile: car }).bytes);
  planner = await startPlanner({ directory });
  const chance = chanceFrom(SEED);
  const [west, south, east, north] = extract.bounds!;
  const somewhere = () => ({ lat: chance.between(south, north), lon: chance.between(west, east) });
  while (ways.length < TRIPS) {
    const { route } = await planner.route({ points: [somewhere(), somewhere()], fullGeometry: true });
    if (route && route.distance > 500)
      ways.push({
        geometry: route.geometry.map(([lat, lon]) => ({ lat, lon })),
        legs: [...route.steps],
        time: route.time,
      });
  }
});
afterAll(async () => {
  await planner.close();
  await rm(directory, { recursive: true });
});

/**
 * Trips on which it was driven above the limit for longer than a speeding event takes, and how the time
 * compares with the one that the router told.
 */
function drive(manner: DrivingStyle, held: RoadLimits | undefined): { speeding: number; ratios: number[] } {
  let speeding = 0;
  const ratios: number[] = [];
  for (const [i, way] of ways.entries()) {
    const trip = planTrip(way.geometry, way.legs, chanceFrom(SEED + i), manner, held);
    let [motion, above, longest, seconds] = [AT_START, 0, 0, 0];
    for (; !hasReachedEnd(trip, motion) && seconds < 10_000; seconds++) {
      motion = driveOn(trip, motion, 1);
      const { position, course } = whereOn(trip, motion);
      const limit = limits.at(position, course);
      above = limit > 0 && motion.speed * 3.6 > limit ? above + 1 : 0;
      longest = Math.max(longest, above);
    }
    if (longest >= 5) speeding++;
    ratios.push(seconds / way.time);
  }
  return { speeding, ratios: ratios.sort((a, b) => a - b) };
}

const NEVER: DrivingStyle = { waits: 0, longest: 0, speeds: 0 };

test('vehicles of the demo keep to the limits of its roads, without which they would speed, and arrive about when the router says', () => {
  const { speeding, ratios } = drive(NEVER, limits);
  expect(speeding, `seed ${SEED}`).toBe(0);
  expect(drive(NEVER, undefined).speeding, `seed ${SEED}`).toBeGreaterThan(TRIPS / 2);
  expect(ratios[TRIPS / 2], `seed ${SEED}`).toBeLessThan(1.25);
});

test('some trips to a task are faster than allowed, as in life', () => {
  expect(drive({ ...NEVER, speeds: RESPONDING.speeds * 3 }, limits).speeding, `seed ${SEED}`).toBeGreaterThan(0);
});

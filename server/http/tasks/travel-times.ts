import { airDistance } from '../../../shared/geo/geometry.ts';
import { Refusal } from '../../../shared/refusal.ts';
import type { RecommendOptions, Travel } from '../../dispatch/fleet/index.ts';
import { UNREACHABLE, type Planner } from '../../geo/routing/index.ts';

type Sources = Parameters<RecommendOptions['travelTimes']>[0];
type Target = Parameters<RecommendOptions['travelTimes']>[1];

/** Metres by which a route may be shorter than the straight line, since both ends are snapped to roads. */
const SNAP_TOLERANCE = 1_000;

/** ms: a dispatcher wants a recommendation at once. */
const MAX_WAIT = 2_000;

/** Travel times by road from vehicles to a point, with one table request for each vehicle profile. */
export function travelTimesBy(planner: Pick<Planner, 'table'>): RecommendOptions['travelTimes'] {
  return async (sources, place) => {
    const travels: Travel[] = sources.map(() => 'no-road');
    const profiles = Map.groupBy(sources.keys(), (index) => sources[index]!.profile);
    try {
      for (const [profile, indexes] of profiles) await fill(planner, profile, indexes, sources, place, travels);
    } catch (error) {
      if (error instanceof Refusal && error.kind === 'no-territory') return 'no-territory';
      throw error;
    }
    return travels;
  };
}

async function fill(
  planner: Pick<Planner, 'table'>,
  profile: string,
  indexes: readonly number[],
  sources: Sources,
  place: Target,
  travels: Travel[],
): Promise<void> {
  const question = {
    sources: indexes.map((index) => ({ lat: sources[index]!.lat, lon: sources[index]!.lon })),
    targets: [place],
  };
  const table = await planner.table({ ...question, profile, wait: MAX_WAIT }).catch((error: unknown) => {
    // The profile's road network is still being built: use the car's instead.
    if (error instanceof Refusal && error.kind === 'busy') return planner.table(question);
    throw error;
  });
  indexes.forEach((index, row) => {
    const tenths = table.times[row]!;
    const metres = table.distances[row]!;
    // A vehicle far outside the territory snaps to its edge; the time from there would be wrong.
    if (tenths === UNREACHABLE || metres + SNAP_TOLERANCE < airDistance(sources[index]!, place)) return;
    travels[index] = { time: Math.round(tenths / 10), distance: metres };
  });
}

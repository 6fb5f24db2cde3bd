import { airDistance } from '../../../shared/geo/geometry.ts';
import { openOrClose } from '../../platform/close-stack.ts';
import { VERSION } from '../../platform/program.ts';
import type { Planner } from '../../geo/routing/index.ts';
import { Warnings } from '../../exchange/warnings/index.ts';
import type { Foundation } from '../foundation.ts';
import type { TerritoryRooms } from '../territory.ts';
import type { Tracking } from '../tracking.ts';

export type WarningRooms = Awaited<ReturnType<typeof openWarnings>>;

/** A way between two ends is the stretch of road if it is at most so much longer than the straight line. */
const LONGEST_DETOUR = { factor: 1.6, metres: 500 } as const;

/** Warnings and road messages of other authorities. */
export function openWarnings(
  { store, now, log }: Foundation,
  { alarms }: Tracking,
  { closures, territory, planner }: TerritoryRooms,
) {
  return openOrClose(async (stack) => {
    const logger = log.logger('warnings');
    const warnings = stack.use(
      await Warnings.open({
        ...{ store, closures, now },
        userAgent: `Waypost/${VERSION}`,
        bounds: () => territory.info?.bounds,
        findRoad: (line) => roadAlong(planner, line),
        raiseAlarm: (alarm) => alarms.raiseWarning(alarm),
        endAlarm: (key, at) => alarms.endWarning(key, at),
        report: (message, error) => logger.warn(`${message} ${(error as Error).message}`),
      }),
    );
    return { warnings };
  });
}

/** The road between the points of a line; undefined: no road, or only a detour. */
async function roadAlong(
  planner: Planner,
  line: readonly (readonly number[])[],
): Promise<[lon: number, lat: number][] | undefined> {
  const points = line.map(([lon, lat]) => ({ lat: lat!, lon: lon! }));
  const straight = points.reduce((sum, point, index) => sum + (index ? airDistance(points[index - 1]!, point) : 0), 0);
  // Without a territory, or with a router that is busy, the ends stay.
  const answer = await planner.route({ points, fullGeometry: true }).catch(() => undefined);
  const route = answer?.route;
  if (!route || route.distance > straight * LONGEST_DETOUR.factor + LONGEST_DETOUR.metres) return undefined;
  return route.geometry.map(([lat, lon]) => [lon, lat]);
}

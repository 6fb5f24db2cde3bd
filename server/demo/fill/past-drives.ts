import { setTimeout as pause } from 'node:timers/promises';
import type { Accounts } from '../../access/accounts/index.ts';
import type { Fleet } from '../../dispatch/fleet/index.ts';
import type { Planner } from '../../geo/routing/index.ts';
import type { Telemetry } from '../../tracking/telemetry/index.ts';
import type { Chance } from '../chance.ts';
import { GpsError } from '../simulate/gps-error.ts';
import { movedByMetres, type GroundPosition } from '../simulate/position.ts';
import { AT_START, driveOn, hasReachedEnd, planTrip, whereOn, type RouteLeg } from '../simulate/trip.ts';

export interface PastRooms {
  readonly accounts: Accounts;
  readonly fleet: Fleet;
  readonly telemetry: Pick<Telemetry, 'ingest'>;
  readonly planner: Pick<Planner, 'route' | 'nearest'>;
}

const DAYS = 14;
/** Local hours of a round, and the factor of its driving time. */
const HOURS = [
  [8, 1.7],
  [13, 1],
  [17, 1.9],
] as const;
const ROUNDS = 3;
/** Vehicles of a round; each drives it twice in an hour. */
const TOGETHER = 2;
/** Seconds between two positions. */
const EVERY = 8;
/** Records of one call, and ms between two calls, to leave time for other work. */
const BATCH = 400;
const REST = 700;

type RoundTrip = { readonly geometry: readonly GroundPosition[]; readonly legs: readonly RouteLeg[] };

/**
 * Two weeks of rounds that some vehicles drove three times a day, slowly in the rush hours, as input for
 * learned speeds. Sent in small batches. Resolves with false when `signal` ended it early. The same chance
 * and day give the same records.
 */
export async function fillPastDrives(
  { accounts, fleet, telemetry, planner }: PastRooms,
  now: number,
  chance: Chance,
  signal: AbortSignal,
  { days = DAYS, rest = REST } = {},
): Promise<boolean> {
  const vehicles = fleet
    .list(accounts.stationActor())
    .filter(({ vehicle, state }) => vehicle.profile === 'car' && !vehicle.onService && state.time > 0)
    .slice(0, ROUNDS * TOGETHER);
  for (let round = 0; round < ROUNDS; round++) {
    const own = chance.fork(`round ${round}`);
    const crew = vehicles.slice(round * TOGETHER, (round + 1) * TOGETHER);
    const way = crew[0] && (await roundFrom(crew[0].state, planner, own));
    if (!way) continue;
    for (const [turn, { vehicle }] of crew.entries()) {
      const error = new GpsError(own.fork(`error ${turn}`));
      for (let day = days; day > 0; day--) {
        for (const [hour, slowness] of HOURS) {
          for (const half of [0, 30]) {
            const records = drivenOn(way, own, error, {
              start: localTime(now, day, hour, half + turn * 7),
              slowness,
            }).map((fix) => ({ glonassId: vehicle.glonassId, height: 40, gpsCount: 9, ...fix }));
            for (let i = 0; i < records.length; i += BATCH) {
              if (signal.aborted) return false;
              await telemetry.ingest(records.slice(i, i + BATCH), 'demo');
              await pause((rest * Math.min(BATCH, records.length - i)) / BATCH, undefined, { signal }).catch(() => {});
            }
          }
        }
      }
    }
  }
  return !signal.aborted;
}

/** From a place past three others and back; undefined: there is no route. */
async function roundFrom(
  { lat, lon }: GroundPosition,
  planner: PastRooms['planner'],
  chance: Chance,
): Promise<RoundTrip | undefined> {
  const points: GroundPosition[] = [{ lat, lon }];
  for (let i = 0; i < 3; i++) {
    const angle = chance.between(0, 2 * Math.PI);
    const far = chance.between(600, 1_400);
    const [found] = await planner.nearest(movedByMetres({ lat, lon }, Math.cos(angle) * far, Math.sin(angle) * far));
    if (found) points.push({ lat: found.lat, lon: found.lon });
  }
  const { route } = await planner.route({ points: [...points, { lat, lon }], fullGeometry: true });
  return (
    route && {
      geometry: route.geometry.map(([lat, lon]) => ({ lat, lon })),
      legs: route.steps.map(({ position, distance, time }) => ({ position, distance, time })),
    }
  );
}

/** The records of a tracker on a drive, with half a minute of standing at either end. */
function drivenOn(
  way: RoundTrip,
  chance: Chance,
  error: GpsError,
  { start, slowness }: { start: number; slowness: number },
) {
  const trip = planTrip(way.geometry, way.legs, chance);
  const fixes: { time: number; lat: number; lon: number; speed: number; direction: number }[] = [];
  let motion = AT_START;
  let time = start;
  const say = (): void => {
    const { position, course } = whereOn(trip, motion);
    fixes.push({
      time,
      ...error.seen(position, motion.speed > 0),
      speed: Math.round((motion.speed / slowness) * 3.6),
      direction: Math.round(course) % 360,
    });
  };
  say();
  for (time += 30_000; !hasReachedEnd(trip, motion); time += EVERY * 1000) {
    say();
    motion = driveOn(trip, motion, EVERY / slowness);
  }
  say();
  time += 30_000;
  motion = { ...motion, speed: 0 };
  say();
  return fixes;
}

/** Some days ago, by this machine's clock. */
function localTime(now: number, daysAgo: number, hour: number, minute: number): number {
  const day = new Date(now);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() - daysAgo, hour, minute).getTime();
}

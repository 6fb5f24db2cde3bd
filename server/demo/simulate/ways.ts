import type { Chance } from '../chance.ts';
import { movedByMetres, type GroundPosition } from './position.ts';
import { StationAway, type StationClient } from './station-client.ts';
import { AT_LEISURE, RESPONDING, planTrip, type SpeedLimitsAt, type DrivingStyle, type PlannedTrip } from './trip.ts';

/** Route requests per second, at most: operators need the router, too. */
const PER_SECOND = 6;
/** Grid of start points in metres; those of one cell share their routes. */
const GRAIN = 90;
/** Routes cached, by start. */
const MAX_STARTS = 1500;
/** After so many different routes from one start, cached ones are reused. */
const WAYS_FROM_ONE_SPOT = 4;
/** With so many requests waiting, a roaming crew takes a cached route or stands a little longer. */
const BUSY = 12;

/** Finds routes for crews: those to tasks first and at once; those for roaming from the cache if possible. */
export class RouteCache {
  readonly #client: StationClient;
  readonly #chance: Chance;
  readonly #limits: SpeedLimitsAt | undefined;
  /** By start cell and, within it, by end. */
  readonly #kept = new Map<string, Map<string, Promise<PlannedTrip | undefined>>>();
  readonly #urgent: (() => Promise<void>)[] = [];
  readonly #patient: (() => Promise<void>)[] = [];
  readonly #timer: NodeJS.Timeout;
  #under = 0;

  constructor(client: StationClient, chance: Chance, limits?: SpeedLimitsAt) {
    this.#client = client;
    this.#chance = chance;
    this.#limits = limits;
    this.#timer = setInterval(() => this.#askNext(), 1000 / PER_SECOND);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  toTask(from: GroundPosition, to: GroundPosition): Promise<PlannedTrip | undefined> {
    return this.#later(this.#urgent, from, to, RESPONDING);
  }

  /** A route to `goal`, or a cached one from here, shared by all who drive it. Undefined: not now. */
  toRoam(from: GroundPosition, goal: GroundPosition): Promise<PlannedTrip | undefined> | undefined {
    const start = cell(from);
    const end = cell(goal);
    const known = this.#kept.get(start) ?? new Map<string, Promise<PlannedTrip | undefined>>();
    const same = known.get(end);
    if (same) return same;
    if (known.size > 0 && (known.size >= WAYS_FROM_ONE_SPOT || this.#busy))
      return this.#chance.pick([...known.values()]);
    if (this.#busy) return undefined;
    if (!this.#kept.has(start) && this.#kept.size >= MAX_STARTS) this.#kept.delete(this.#kept.keys().next().value!);
    const found = this.#later(this.#patient, from, goal, AT_LEISURE);
    this.#kept.set(start, known.set(end, found));
    found.catch(() => known.delete(end));
    return found;
  }

  get #busy(): boolean {
    return this.#urgent.length + this.#patient.length >= BUSY;
  }

  #later(
    queue: (() => Promise<void>)[],
    from: GroundPosition,
    to: GroundPosition,
    manner: DrivingStyle,
  ): Promise<PlannedTrip | undefined> {
    return new Promise((resolve, reject) => {
      queue.push(async () => {
        try {
          const way = await this.#client.way(from, to);
          resolve(way && planTrip(way.geometry, way.legs, this.#chance, manner, this.#limits));
        } catch (error) {
          reject(error as Error);
        }
      });
      if (queue === this.#urgent && queue.length === 1) this.#askNext();
    });
  }

  #askNext(): void {
    if (this.#under >= PER_SECOND) return;
    const ask = this.#urgent.shift() ?? this.#patient.shift();
    if (!ask) return;
    this.#under++;
    void ask().finally(() => this.#under--);
  }
}

function cell({ lat, lon }: GroundPosition): string {
  const size = GRAIN / 111_195;
  return `${Math.round(lat / size)},${Math.round((lon * Math.cos((Math.round(lat) * Math.PI) / 180)) / size)}`;
}

/** Points on roads around the bases, for roaming crews; around the centre of the territory without bases. */
export async function findRoamingPoints(
  client: StationClient,
  bases: readonly GroundPosition[],
  wanted: number,
  chance: Chance,
): Promise<GroundPosition[]> {
  const points: GroundPosition[] = [];
  const around = bases.length > 0 ? bases : await centre(client);
  for (let tries = 0; points.length < wanted && tries < wanted * 3 && around.length > 0; tries++) {
    const base = chance.pick(around);
    const far = 300 + 1500 * Math.sqrt(chance.next());
    const angle = chance.between(0, 2 * Math.PI);
    const spot = await client.nearest(movedByMetres(base, Math.cos(angle) * far, Math.sin(angle) * far));
    if (spot) points.push(spot);
  }
  return points;
}

async function centre(client: StationClient): Promise<GroundPosition[]> {
  const bounds = await client.bounds();
  if (!bounds) throw new StationAway('The station has no territory to drive in.');
  const [west, south, east, north] = bounds;
  return [{ lat: (south + north) / 2, lon: (west + east) / 2 }];
}

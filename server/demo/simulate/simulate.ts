import { DONE, FEEDBACK } from '../../../shared/tasks/status.ts';
import { AT_BASE, OUT_OF_SERVICE } from '../../../shared/fleet/unit-status.ts';
import { chanceFrom, type Chance } from '../chance.ts';
import { SimulatedCrew, type Errand } from './crew.ts';
import { Errands } from './errands.ts';
import type { GroundPosition } from './position.ts';
import {
  FUEL_GAUGE,
  StationAway,
  StationClient,
  StationRefused,
  type VehicleSeen,
  type FixSent,
  type StationAddress,
} from './station-client.ts';
import type { SpeedLimitsAt, PlannedTrip } from './trip.ts';
import { findRoamingPoints, RouteCache } from './ways.ts';

export interface SimulateOptions {
  /** The address of the station; requested again when it does not answer. */
  readonly station: () => StationAddress | undefined;
  /**
   * Number of vehicles; default: all of the station. Missing ones are created, which needs an administrator's
   * token.
   */
  readonly vehicles?: number | undefined;
  /** Positions per vehicle and second. */
  readonly rate?: number | undefined;
  /** Speed relative to real time. Positions are then dated ahead, so that speeds stay plausible. */
  readonly speedUp?: number | undefined;
  readonly seed?: number | undefined;
  readonly say?: (message: string) => void;
}

/** Records of one request. */
const BATCH = 500;
/** Records kept while the station does not answer, as trackers do. */
const MEMORY = 20_000;

/**
 * Drives vehicles over the roads of a station, only through its interface. Resolves when `signal` ends it;
 * survives restarts of the station.
 */
export async function simulate(options: SimulateOptions, signal: AbortSignal): Promise<void> {
  const say = options.say ?? (() => {});
  const client = new StationClient(options.station);
  const chance = chanceFrom(options.seed ?? Date.now());
  const vehicles = await whenReachable(() => fleetOf(client, options.vehicles), say, signal);
  if (signal.aborted || !vehicles) return;
  const world = await whenReachable(() => openWorld(client, vehicles, options, chance), say, signal);
  if (!world) return;
  say(`${vehicles.length} vehicles drive.`);
  try {
    await Promise.all([world.drive(signal), world.followTasks(signal)]);
  } finally {
    world.ways.close();
  }
}

async function openWorld(
  client: StationClient,
  vehicles: readonly VehicleSeen[],
  options: SimulateOptions,
  chance: Chance,
): Promise<World> {
  const roamingPoints = await findRoamingPoints(
    client,
    vehicles.filter(located),
    Math.min(60, 10 + Math.ceil(vehicles.length / 20)),
    chance,
  );
  if (roamingPoints.length === 0) throw new StationAway('The station has no roads.');
  return new World(
    client,
    vehicles,
    await client.fuel(vehicles),
    roamingPoints,
    options,
    chance,
    await client.limits(),
  );
}

const located = (vehicle: VehicleSeen): vehicle is VehicleSeen & GroundPosition =>
  vehicle.lat !== null && vehicle.lon !== null && vehicle.lastUpdate !== null;

/** The running simulation: crews, their routes and tasks, and unsent records. */
class World {
  readonly ways: RouteCache;
  readonly #client: StationClient;
  readonly #roamingPoints: readonly GroundPosition[];
  readonly #crews = new Map<number, SimulatedCrew>();
  readonly #errands: Errands;
  readonly #chance: Chance;
  readonly #speedUp: number;
  readonly #rate: number;
  readonly #say: (message: string) => void;
  /** Start of the simulated time, epoch ms; never before the station's latest records. */
  readonly #startedAt: number;
  readonly #began = performance.now();
  /** Vehicles that wait for a route. */
  readonly #asking = new Set<number>();
  #backlog: FixSent[] = [];
  #away = false;
  #lastReported = '';

  constructor(
    client: StationClient,
    vehicles: readonly VehicleSeen[],
    fuel: ReadonlyMap<number, number>,
    roamingPoints: readonly GroundPosition[],
    options: SimulateOptions,
    chance: Chance,
    limits: SpeedLimitsAt | undefined,
  ) {
    this.#client = client;
    this.#roamingPoints = roamingPoints;
    this.#chance = chance;
    this.#speedUp = options.speedUp ?? 1;
    this.#rate = options.rate ?? 1;
    this.#say = options.say ?? (() => {});
    this.ways = new RouteCache(client, chance.fork('ways'), limits);
    this.#errands = new Errands(client);
    this.#startedAt = vehicles.reduce((latest, vehicle) => Math.max(latest, (vehicle.lastUpdate ?? 0) + 1), Date.now());
    for (const vehicle of vehicles) {
      const own = chance.fork(`vehicle ${vehicle.id}`);
      const at = located(vehicle) ? { lat: vehicle.lat, lon: vehicle.lon } : own.pick(roamingPoints);
      // A vehicle on the road returns to its group's base.
      const home =
        vehicle.unitStatus === AT_BASE
          ? undefined
          : vehicles.find(
              (other) => other.groupId === vehicle.groupId && other.unitStatus === AT_BASE && located(other),
            );
      const base = home && located(home) ? { lat: home.lat, lon: home.lon } : at;
      // Some roam between tasks, others wait at their base.
      const roams = own.happens(0.55);
      const habits = { base, outOfService: vehicle.onService || vehicle.unitStatus === OUT_OF_SERVICE, roams };
      // With the last known fuel level: a level that jumps is a theft.
      this.#crews.set(vehicle.id, new SimulatedCrew(vehicle.glonassId, at, habits, own, fuel.get(vehicle.id)));
    }
  }

  /** Seconds of the simulation since it began. */
  get #now(): number {
    return ((performance.now() - this.#began) / 1000) * this.#speedUp;
  }

  /**
   * Steps the crews in slices over each period, so that the station gets an even stream, and sends their
   * records.
   */
  async drive(signal: AbortSignal): Promise<void> {
    const crews = [...this.#crews];
    const slices = Math.max(1, Math.min(10, Math.ceil(crews.length / 100)));
    const period = 1000 / this.#rate / slices;
    const steppedAt = new Float64Array(slices).fill(this.#now);
    for (let slice = 0; !signal.aborted; slice = (slice + 1) % slices) {
      const due = performance.now() + period;
      const now = this.#now;
      const fixes: FixSent[] = [];
      for (let i = slice; i < crews.length; i += slices) {
        const [id, crew] = crews[i]!;
        this.#step(id, crew, now - steppedAt[slice]!, now);
        fixes.push(this.#fixOf(crew, now));
      }
      steppedAt[slice] = now;
      await this.#send(fixes);
      await pause(Math.max(0, due - performance.now()), signal);
    }
  }

  /** Checks every second which vehicles were sent where. */
  async followTasks(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        for (const vehicle of await this.#errands.follow())
          this.#crews.get(vehicle)?.sendTo(this.#errands.of(vehicle), this.#now);
      } catch (error) {
        this.#reportError(error);
      }
      await pause(Math.max(150, 1000 / this.#speedUp), signal);
    }
  }

  #step(id: number, crew: SimulatedCrew, seconds: number, now: number): void {
    const wish = crew.step(seconds, now);
    if (wish?.kind === 'report') void this.#report(wish.errand);
    else if (wish && !this.#asking.has(id)) {
      if (wish.kind === 'way-to-task')
        this.#findWay(id, crew, this.ways.toTask(crew.position, wish.errand.place), wish.errand);
      else this.#findWay(id, crew, this.ways.toRoam(crew.position, this.#goal(crew)), undefined);
    }
  }

  #goal(crew: SimulatedCrew): GroundPosition {
    return this.#chance.happens(0.25) ? crew.habits.base : this.#chance.pick(this.#roamingPoints);
  }

  #findWay(
    id: number,
    crew: SimulatedCrew,
    way: Promise<PlannedTrip | undefined> | undefined,
    errand: Errand | undefined,
  ): void {
    if (!way) return;
    this.#asking.add(id);
    way
      .then((trip) => crew.take(trip, errand, this.#now))
      .catch((error: unknown) => this.#reportError(error))
      .finally(() => this.#asking.delete(id));
  }

  async #report(errand: Errand): Promise<void> {
    const done = this.#chance.happens(0.8);
    try {
      await this.#client.report(
        errand.taskId,
        done ? DONE : FEEDBACK,
        done ? 'Crew: done, nothing left to do here.' : 'Crew: made safe. Somebody has to look at it again.',
      );
    } catch (error) {
      this.#reportError(error);
    }
  }

  #fixOf(crew: SimulatedCrew, now: number): FixSent {
    const { position, speed, course, ignition, fuel } = crew.fix();
    return {
      glonassId: crew.device,
      time: Math.round(this.#startedAt + now * 1000),
      lat: rounded(position.lat, 6),
      lon: rounded(position.lon, 6),
      speed: rounded(speed * 3.6, 1),
      direction: Math.round(course) % 360,
      height: 40,
      gpsCount: 9,
      glonassCount: 6,
      inputs: Number(ignition),
      adc: [rounded(fuel * FUEL_GAUGE, 2)],
      params: { unit_status: crew.status },
    };
  }

  async #send(fixes: readonly FixSent[]): Promise<void> {
    this.#backlog.push(...fixes);
    if (this.#backlog.length > MEMORY) this.#backlog = this.#backlog.slice(-MEMORY);
    try {
      while (this.#backlog.length > 0) {
        const batch = this.#backlog.slice(0, BATCH);
        await this.#client.send(batch);
        this.#backlog = this.#backlog.slice(batch.length);
      }
      if (this.#away) this.#say('The station is back.');
      this.#away = false;
    } catch (error) {
      if (error instanceof StationRefused) this.#backlog = [];
      this.#reportError(error);
    }
  }

  #reportError(error: unknown): void {
    if (error instanceof StationAway) {
      if (!this.#away) this.#say(`${error.message} Positions are kept until it does.`);
      this.#away = true;
      return;
    }
    // A refusal that repeats every second is reported once.
    const message = error instanceof Error ? error.message : String(error);
    if (message !== this.#lastReported) this.#say(message);
    this.#lastReported = message;
  }
}

/** The participating vehicles; missing ones are created. */
async function fleetOf(client: StationClient, wanted: number | undefined): Promise<VehicleSeen[]> {
  let vehicles = await client.vehicles();
  const missing = (wanted ?? 0) - vehicles.length;
  if (missing > 0) {
    const first = vehicles.reduce((greatest, vehicle) => Math.max(greatest, vehicle.glonassId), 0) + 1;
    // In parallel, because vehicles created at the same moment share a commit.
    for (let made = 0; made < missing; made += 50) {
      await Promise.all(
        Array.from({ length: Math.min(50, missing - made) }, (_, i) =>
          client.addVehicle(`Simulated ${made + i + 1}`, first + made + i),
        ),
      );
    }
    vehicles = await client.vehicles();
  }
  if (vehicles.length === 0) throw new StationRefused(404, 'it has no vehicles. Say how many to make: --vehicles N.');
  return vehicles.slice(0, wanted);
}

/**
 * Retries while the station does not answer, after one second at first and ten in the end. Undefined when it
 * was stopped.
 */
async function whenReachable<T>(
  ask: () => Promise<T>,
  say: (message: string) => void,
  signal: AbortSignal,
): Promise<T | undefined> {
  for (let wait = 1000; !signal.aborted; wait = Math.min(10_000, wait * 1.5)) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof StationAway)) throw error;
      if (wait === 1000) say(error.message);
      await pause(wait, signal);
    }
  }
  return undefined;
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener('abort', end, { once: true });
  });
}

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));

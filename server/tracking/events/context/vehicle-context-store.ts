import type {
  EventSettings,
  EventSettingsEntry,
  Geozone,
  PlannedRoute as RouteRecord,
  RoadClosure,
  Sensor as SensorRecord,
  TankEntry,
  Vehicle,
  VehicleEventSettings,
} from '../../../../shared/records/index.ts';
import type { Fleet } from '../../../dispatch/fleet/index.ts';
import type { Change, Records, Store } from '../../../store/types.ts';
import { RecomputeQueue, type RecomputeScope, type Recompute } from './recompute-queue.ts';
import type { HistoryStore } from '../history/history-store.ts';
import type { RoadLimitsStore } from './road-limits-store.ts';
import {
  closedBy,
  differing,
  plannedRoutesOf,
  sensorsOf,
  spansOf,
  recordVersionAt,
  validWithin,
  zonesOf,
} from './record-versions.ts';
import { TankHistory } from './tank-history.ts';
import {
  DEFAULT_SETTINGS,
  EMPTY_CONTEXT,
  type Closed,
  type Measures,
  type ContextRoute,
  type RequestPlace,
  type ContextSensor,
  type VehicleContext,
  type Zone,
} from './vehicle-context.ts';

export interface VehicleContextStoreOptions {
  readonly store: Store;
  readonly fleet: Fleet;
  readonly history: HistoryStore;
  /** The places of tasks that a vehicle serves at a time or later. */
  requests(vehicleId: number, from: number): readonly RequestPlace[];
  readonly roads: Pick<RoadLimitsStore, 'from' | 'watch'>;
  now(): number;
  report(error: unknown): void;
}

/** Tasks are read this long (ms) in advance, so that one context serves many late records. */
const AHEAD = 24 * 3_600_000;

/** The context of each vehicle, from the records of the fleet with all their versions. */
export class VehicleContextStore {
  readonly #options: VehicleContextStoreOptions;
  readonly #zones: Records<Geozone>;
  readonly #routes: Records<RouteRecord>;
  readonly #sensors: Records<SensorRecord>;
  readonly #closures: Records<RoadClosure>;
  readonly #settings: Records<EventSettingsEntry>;
  readonly #vehicleSettings: Records<VehicleEventSettings>;
  readonly #tanks: Records<TankEntry>;
  readonly #needs: RecomputeQueue;
  readonly #stops: (() => void)[] = [];
  readonly #contexts = new Map<number, { contextOf: VehicleContext; from: number }>();
  #zonesOf: Map<number, Zone[]> | undefined;
  #routesOf: Map<number, ContextRoute[]> | undefined;
  #sensorsOf: Map<number, ContextSensor[]> | undefined;
  #closed: Closed[] | undefined;
  readonly #tankBook: TankHistory;

  constructor(options: VehicleContextStoreOptions) {
    const { store, fleet, history: history, roads, now, report } = options;
    this.#options = options;
    this.#needs = new RecomputeQueue({ store, report, vehicles: (concerned) => this.#vehiclesIn(concerned) });
    this.#zones = store.kind<Geozone>('fleet', 'geozone');
    this.#routes = store.kind<RouteRecord>('fleet', 'route');
    this.#sensors = store.kind<SensorRecord>('fleet', 'sensor');
    this.#closures = store.kind<RoadClosure>('fleet', 'closure');
    this.#settings = store.kind<EventSettingsEntry>('fleet', 'eventSettings');
    this.#vehicleSettings = store.kind<VehicleEventSettings>('fleet', 'vehicleEventSettings');
    this.#tanks = store.kind<TankEntry>('fleet', 'tank');
    const vehicles = (ids: readonly number[]) => [...new Set(ids)].map((id) => `vehicle:${id}` as const);
    // The past of these is noted when they change: a difference begins now.
    const noted =
      <T>(begin: (record: T) => number) =>
      ({ record, before, deleted }: Change<T>) =>
        before || deleted ? now() : begin(record);
    this.#follow(
      this.#zones,
      () => (this.#zonesOf = undefined),
      ({ organizationId }) => [`organization:${organizationId}`],
      differing(zonesOf),
    );
    this.#follow(
      this.#routes,
      () => (this.#routesOf = undefined),
      ({ versions }) => vehicles(versions.flatMap(({ vehicleIds }) => vehicleIds)),
      differing((record) => plannedRoutesOf(record).map(({ route, vehicleIds }) => ({ ...route, vehicleIds }))),
    );
    this.#follow(
      this.#sensors,
      () => (this.#sensorsOf = undefined),
      ({ vehicleId }) => vehicles([vehicleId]),
      differing(sensorsOf),
    );
    this.#follow(
      this.#closures,
      () => (this.#closed = undefined),
      () => ['routed'],
      noted((closure) => closure.from ?? now()),
    );
    this.#follow(
      this.#settings,
      () => undefined,
      ({ id }) => [`organization:${id}`],
      differing(spansOf),
    );
    this.#follow(
      this.#vehicleSettings,
      () => undefined,
      ({ id }) => vehicles([id]),
      differing(spansOf),
    );
    this.#follow(
      this.#tanks,
      () => undefined,
      ({ id }) => vehicles([id]),
      differing(spansOf),
    );
    this.#follow(
      history.postings.notes,
      () => undefined,
      ({ id }) => vehicles([id]),
      () => now(),
    );
    this.#follow(
      history.zoneOwners.notes,
      () => (this.#zonesOf = undefined),
      ({ versions }) => versions.slice(-2).map(({ organizationId }) => `organization:${organizationId}` as const),
      () => now(),
    );
    this.#follow(
      history.closures.notes,
      () => (this.#closed = undefined),
      () => ['routed'],
      () => now(),
    );
    this.#stops.push(
      roads.watch((from) => {
        this.#contexts.clear();
        this.#needs.enqueue(['all'], from);
        store.writePlain(() => undefined).then(() => this.#needs.dispatch(), report);
      }),
      store.records('vehicles').watch((changes) => {
        for (const { record } of changes) this.#contexts.delete(record.id);
      }),
    );
    this.#tankBook = new TankHistory({ store, fleet, now, report }); // after the listeners on which it depends
  }

  /**
   * The context of a vehicle with all versions valid at a time or later. Returns the same object while
   * nothing changes.
   */
  context(vehicleId: number, from: number): VehicleContext {
    const known = this.#contexts.get(vehicleId);
    if (known && known.from <= from) return known.contextOf;
    const vehicle = this.#options.fleet.get(vehicleId);
    if (!vehicle) return EMPTY_CONTEXT;
    const requestsFrom = Math.max(0, from - AHEAD);
    const postings = this.#options.history.postingsOf(vehicle);
    const measures = this.#measures(vehicleId, postings);
    const latest = measures.at(-1)!;
    const context: VehicleContext = {
      settings: latest.settings,
      tankLitres: latest.tankLitres,
      measures,
      zones: this.#zonesThrough(postings),
      sensors: this.#sensorsByVehicle().get(vehicleId) ?? NONE,
      routes: this.#routesByVehicle().get(vehicleId) ?? NONE,
      requests: this.#options.requests(vehicleId, requestsFrom),
      closures: (this.#closed ??= this.#closures
        .all()
        .flatMap((closure) => closedBy(closure, this.#options.history.closures.of(closure.id, closure)))),
      roads: this.#options.roads.from(requestsFrom),
      crews: postings.map(({ validFrom, keys = [] }, i) => ({
        id: vehicleId,
        validFrom,
        validUntil: postings[i + 1]?.validFrom ?? null,
        keys,
      })),
    };
    this.#contexts.set(vehicleId, { contextOf: context, from: requestsFrom });
    return context;
  }

  /** The current thresholds of a vehicle. */
  settingsNow(vehicleId: number): EventSettings {
    return this.context(vehicleId, this.#options.now()).settings;
  }

  /** The tasks of a vehicle change from a time on: call it within the write that changes them. */
  requestsChange(vehicleId: number, from: number): void {
    this.#needs.enqueue([`vehicle:${vehicleId}`], from);
  }

  /** That write is on disk. */
  requestsChanged(vehicleIds: Iterable<number>): void {
    for (const id of vehicleIds) this.#contexts.delete(id);
    this.#needs.dispatch();
  }

  /**
   * Calls `recompute` for vehicles whose context changed, first with the rest of the last run. Returns the
   * unsubscription.
   */
  watch(take: Recompute): () => void {
    const stop = this.#needs.watch(take);
    this.#needs.dispatch();
    return stop;
  }

  async close(): Promise<void> {
    for (const stop of this.#stops.splice(0)) stop();
    await Promise.all([this.#tankBook.close(), this.#needs.close()]);
  }

  /** Stores with each change the vehicles to recompute and from when; starts when it is on disk. */
  #follow<R extends { id: number }>(
    records: Records<R>,
    forget: () => void,
    concerned: (record: R) => readonly RecomputeScope[],
    since: (change: Change<R>) => number | undefined,
  ): void {
    this.#stops.push(
      records.beforeCommit((changes) => {
        for (const change of changes) {
          const { record, before } = change;
          const moved = before !== undefined && concerned(before).join() !== concerned(record).join();
          const from = Math.min(since(change) ?? Infinity, moved ? this.#options.now() : Infinity);
          if (from < Infinity)
            this.#needs.enqueue([...new Set([...concerned(record), ...(before ? concerned(before) : [])])], from);
        }
      }),
      records.watch(() => {
        forget();
        this.#contexts.clear();
        this.#needs.dispatch();
      }),
    );
  }

  #vehiclesIn(concerned: RecomputeScope): readonly number[] {
    const [what, id] = concerned.split(':');
    switch (what) {
      case 'vehicle':
        return [Number(id)];
      case 'organization':
        return this.#options.fleet
          .all()
          .filter((vehicle) => this.#wasOf(vehicle, Number(id)))
          .map((vehicle) => vehicle.id);
      case 'routed':
        return this.#routes.all().flatMap(({ versions }) => versions.flatMap(({ vehicleIds }) => vehicleIds));
      default:
        return this.#options.fleet.all().map((vehicle) => vehicle.id);
    }
  }

  /** Whether a vehicle belongs or belonged to an organization. */
  #wasOf(vehicle: Vehicle, organizationId: number): boolean {
    return (
      vehicle.organizationId === organizationId ||
      (this.#options.history.postings.notes
        .get(vehicle.id)
        ?.versions.some((posting) => posting.organizationId === organizationId) ??
        false)
    );
  }

  /**
   * The zones of the vehicle's organizations, each for its time. Vehicles that never changed organization
   * share its list.
   */
  #zonesThrough(postings: Postings): readonly Zone[] {
    const zones = (organizationId: number) => this.#zonesByOrganization().get(organizationId) ?? NONE;
    if (postings.every(({ organizationId }) => organizationId === postings[0]!.organizationId))
      return zones(postings[0]!.organizationId);
    return postings.flatMap(({ validFrom, organizationId }, i) =>
      zones(organizationId).flatMap((zone) => validWithin(zone, validFrom, postings[i + 1]?.validFrom ?? null)),
    );
  }

  #zonesByOrganization(): Map<number, Zone[]> {
    const owned = (record: Geozone) => {
      const owners = this.#options.history.zoneOwners.of(record.id, { organizationId: record.organizationId });
      return owners.map(({ validFrom, organizationId }, i) => ({
        organizationId,
        zones: zonesOf(record).flatMap((zone) => validWithin(zone, validFrom, owners[i + 1]?.validFrom ?? null)),
      }));
    };
    return (this.#zonesOf ??= grouped(
      this.#zones.all().flatMap(owned),
      ({ organizationId }) => [organizationId],
      ({ zones }) => zones,
    ));
  }

  #routesByVehicle(): Map<number, ContextRoute[]> {
    return (this.#routesOf ??= grouped(
      this.#routes.all().flatMap(plannedRoutesOf),
      ({ vehicleIds }) => vehicleIds,
      ({ route }) => [route],
    ));
  }

  #sensorsByVehicle(): Map<number, ContextSensor[]> {
    return (this.#sensorsOf ??= grouped(this.#sensors.all(), ({ vehicleId }) => [vehicleId], sensorsOf));
  }

  /**
   * The thresholds of the organization combined with the vehicle's own and its tank, for each change of one
   * of them.
   */
  #measures(vehicleId: number, postings: Postings): readonly Measures[] {
    const ofOrganization = postings.flatMap(({ validFrom, organizationId }, i) => {
      const until = postings[i + 1]?.validFrom ?? Infinity;
      const its = this.#settings.get(organizationId)?.versions ?? [];
      return [
        { validFrom, settings: recordVersionAt(its, validFrom)?.settings ?? {} },
        ...its.filter((version) => version.validFrom > validFrom && version.validFrom < until),
      ];
    });
    const ofVehicle = this.#vehicleSettings.get(vehicleId)?.versions ?? [];
    const tanks = this.#tanks.get(vehicleId)?.versions ?? [];
    const bounds = [
      ...new Set([0, ...[...ofOrganization, ...ofVehicle, ...tanks].map(({ validFrom }) => validFrom)]),
    ].sort((a, b) => a - b);
    return bounds.map((validFrom, i) => ({
      validFrom,
      validUntil: bounds[i + 1] ?? null,
      settings: {
        ...DEFAULT_SETTINGS,
        ...recordVersionAt(ofOrganization, validFrom)?.settings,
        ...recordVersionAt(ofVehicle, validFrom)?.settings,
      } as EventSettings,
      own: (recordVersionAt(ofVehicle, validFrom)?.settings ?? {}) as Partial<EventSettings>,
      tankLitres: (recordVersionAt(tanks, validFrom) ?? tanks[0])?.litres ?? 0,
    }));
  }
}

type Postings = ReturnType<HistoryStore['postingsOf']>;

const NONE: never[] = [];

function grouped<R, T>(
  things: readonly R[],
  keysOf: (thing: R) => readonly number[],
  partsOf: (thing: R) => readonly T[],
): Map<number, T[]> {
  const groups = new Map<number, T[]>();
  for (const thing of things) {
    const parts = partsOf(thing);
    for (const key of keysOf(thing)) {
      const group = groups.get(key);
      if (group) group.push(...parts);
      else groups.set(key, [...parts]);
    }
  }
  return groups;
}

import { millisecondsOf } from '../../shared/stamps.ts';
import type { EventSettings, EventSettingsEntry, Geozone, PlannedRoute as RouteRecord, RoadClosure, Sensor as SensorRecord, TankEntry, VehicleEventSettings } from '../../shared/records/index.ts';
import type { LonLat, Shape } from '../../shared/shapes.ts';
import { versionsOf } from '../../shared/versions.ts';
import type { Fleet } from '../fleet/index.ts';
import type { Change, Records, Store } from '../store/door.ts';
import type { RoadLimitsBook } from './road-limits-book.ts';
import { DEFAULT_SETTINGS, differsFrom, EMPTY_WORLD, type Closed, type Measures, type PlannedRoute, type RequestPlace, type Sensor, type World, type Zone } from './world.ts';

export interface WorldBookOptions {
  readonly store: Store;
  readonly fleet: Fleet;
  /** The places of requests that a vehicle serves at a time or later. */
  requests(vehicleId: number, from: number): readonly RequestPlace[];
  readonly roads: Pick<RoadLimitsBook, 'from' | 'watch'>;
  now(): number;
  report(error: unknown): void;
}

/** Told that vehicles are in another world from a time on. */
export type WorldChanged = (vehicleIds: Iterable<number>, from: number) => void;

/** Requests are looked up for this long (ms) before they are needed, so that a vehicle's world serves many of its late records. */
const AHEAD = 24 * 3_600_000;
/** Half the width in metres of a road that is closed along a line, and the radius around one that is closed at a point. */
const ROAD = 15;

/** What surrounds each vehicle, from the records of the fleet, with all the versions that they had. */
export class WorldBook {
  readonly #options: WorldBookOptions;
  readonly #zones: Records<Geozone>;
  readonly #routes: Records<RouteRecord>;
  readonly #sensors: Records<SensorRecord>;
  readonly #closures: Records<RoadClosure>;
  readonly #settings: Records<EventSettingsEntry>;
  readonly #vehicleSettings: Records<VehicleEventSettings>;
  readonly #tanks: Records<TankEntry>;
  readonly #listeners = new Set<WorldChanged>();
  readonly #stops: (() => void)[];
  readonly #worlds = new Map<number, { world: World; from: number }>();
  #zonesOf: Map<number, Zone[]> | undefined;
  #routesOf: Map<number, PlannedRoute[]> | undefined;
  #sensorsOf: Map<number, Sensor[]> | undefined;
  #closed: Closed[] | undefined;
  #saving: Promise<unknown> = Promise.resolve();

  constructor(options: WorldBookOptions) {
    const { store, fleet, roads } = options;
    this.#options = options;
    this.#zones = store.kind<Geozone>('fleet', 'geozone');
    this.#routes = store.kind<RouteRecord>('fleet', 'route');
    this.#sensors = store.kind<SensorRecord>('fleet', 'sensor');
    this.#closures = store.kind<RoadClosure>('fleet', 'closure');
    this.#settings = store.kind<EventSettingsEntry>('fleet', 'eventSettings');
    this.#vehicleSettings = store.kind<VehicleEventSettings>('fleet', 'vehicleEventSettings');
    this.#tanks = store.kind<TankEntry>('fleet', 'tank');
    const vehiclesOf = (organizationIds: readonly number[]) => store.records('vehicles').all().filter(({ organizationId }) => organizationIds.includes(organizationId)).map(({ id }) => id);
    this.#stops = [
      this.#zones.watch((changes) => {
        this.#zonesOf = undefined;
        this.#changed(changes, zonesOf, (zone) => vehiclesOf([zone.organizationId]));
      }),
      this.#routes.watch((changes) => {
        this.#routesOf = undefined;
        this.#changed(changes, (record) => routesOf(record).map(({ route, vehicleIds }) => ({ ...route, vehicleIds })), (record) => record.versions.flatMap(({ vehicleIds }) => vehicleIds));
      }),
      this.#sensors.watch((changes) => {
        this.#sensorsOf = undefined;
        this.#changed(changes, sensorsOf, ({ vehicleId }) => [vehicleId]);
      }),
      this.#closures.watch((changes) => {
        this.#closed = undefined;
        this.#changed(changes, (record) => closedBy(record), () => this.#routes.all().flatMap(({ versions }) => versions.flatMap(({ vehicleIds }) => vehicleIds)));
      }),
      this.#settings.watch((changes) => this.#changed(changes, spansOf, ({ id }) => vehiclesOf([id]))),
      this.#vehicleSettings.watch((changes) => this.#changed(changes, spansOf, ({ id }) => [id])),
      this.#tanks.watch((changes) => this.#changed(changes, spansOf, ({ id }) => [id])),
      roads.watch((from) => {
        this.#worlds.clear();
        this.#tell(store.records('vehicles').all().map(({ id }) => id), from);
      }),
      store.records('vehicles').watch((changes) => {
        for (const { record } of changes) this.#worlds.delete(record.id);
        this.#noteTanks(changes.map(({ record }) => record.id));
      }),
      fleet.models.mirror.watch((model) => model && this.#noteTanks(store.records('vehicles').all().filter(({ modelId }) => modelId === model.id).map(({ id }) => id))),
    ];
    this.#noteTanks(store.records('vehicles').all().map(({ id }) => id));
  }

  /** The world of a vehicle with all versions that hold at a time or later. The same object comes again as long as nothing changed. */
  world(vehicleId: number, from: number): World {
    const known = this.#worlds.get(vehicleId);
    if (known && known.from <= from) return known.world;
    const vehicle = this.#options.fleet.get(vehicleId);
    if (!vehicle) return EMPTY_WORLD;
    const requestsFrom = Math.max(0, from - AHEAD);
    const measures = this.#measures(vehicleId, vehicle.organizationId);
    const latest = measures.at(-1)!;
    const world: World = {
      settings: latest.settings, tankLitres: latest.tankLitres, measures,
      zones: this.#zonesByOrganization().get(vehicle.organizationId) ?? NONE,
      sensors: this.#sensorsByVehicle().get(vehicleId) ?? NONE,
      routes: this.#routesByVehicle().get(vehicleId) ?? NONE,
      requests: this.#options.requests(vehicleId, requestsFrom),
      closures: (this.#closed ??= this.#closures.all().flatMap(closedBy)),
      roads: this.#options.roads.from(requestsFrom),
    };
    this.#worlds.set(vehicleId, { world, from: requestsFrom });
    return world;
  }

  /** The thresholds of a vehicle as they are now. */
  settingsNow(vehicleId: number): EventSettings {
    return this.world(vehicleId, this.#options.now()).settings;
  }

  /** The requests of a vehicle are others from a time on. */
  requestsChanged(vehicleId: number, from: number): void {
    this.#worlds.delete(vehicleId);
    this.#tell([vehicleId], from);
  }

  /** Returns the way to stop. */
  watch(listener: WorldChanged): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    for (const stop of this.#stops.splice(0)) stop();
    await this.#saving;
  }

  #changed<R extends { id: number }, T extends { id: number; validFrom: number; validTill: number | null }>(changes: readonly Change<R>[], versions: (record: R) => readonly T[], vehicles: (record: R) => readonly number[]): void {
    this.#worlds.clear();
    for (const { record, before, deleted } of changes) {
      const from = differsFrom(before ? versions(before) : [], deleted ? [] : versions(record));
      const moved = before !== undefined && JSON.stringify(vehicles(before)) !== JSON.stringify(vehicles(record));
      const since = moved ? this.#options.now() : undefined;
      if (from !== undefined || since !== undefined) this.#tell(new Set([...vehicles(record), ...(before ? vehicles(before) : [])]), Math.min(from ?? Infinity, since ?? Infinity));
    }
  }

  #tell(vehicleIds: Iterable<number>, from: number): void {
    for (const listener of this.#listeners) listener(vehicleIds, from);
  }

  #zonesByOrganization(): Map<number, Zone[]> {
    return (this.#zonesOf ??= grouped(this.#zones.all(), (record) => [record.organizationId], zonesOf));
  }

  #routesByVehicle(): Map<number, PlannedRoute[]> {
    if (!this.#routesOf) {
      this.#routesOf = new Map();
      for (const record of this.#routes.all()) {
        for (const { route, vehicleIds } of routesOf(record)) for (const id of vehicleIds) this.#routesOf.set(id, [...(this.#routesOf.get(id) ?? []), route]);
      }
    }
    return this.#routesOf;
  }

  #sensorsByVehicle(): Map<number, Sensor[]> {
    return (this.#sensorsOf ??= grouped(this.#sensors.all(), ({ vehicleId }) => [vehicleId], sensorsOf));
  }

  /** The thresholds of the organisation with what is special to the vehicle, and its tank, wherever one of them changed. */
  #measures(vehicleId: number, organizationId: number): readonly Measures[] {
    const ofOrganization = this.#settings.get(organizationId)?.versions ?? [];
    const ofVehicle = this.#vehicleSettings.get(vehicleId)?.versions ?? [];
    const tanks = this.#tanks.get(vehicleId)?.versions ?? [];
    const bounds = [...new Set([0, ...[...ofOrganization, ...ofVehicle, ...tanks].map(({ validFrom }) => validFrom)])].sort((a, b) => a - b);
    return bounds.map((validFrom, i) => ({
      validFrom, validTill: bounds[i + 1] ?? null,
      settings: { ...DEFAULT_SETTINGS, ...versionAt(ofOrganization, validFrom)?.settings, ...versionAt(ofVehicle, validFrom)?.settings } as EventSettings,
      tankLitres: (versionAt(tanks, validFrom) ?? tanks[0])?.litres ?? 0,
    }));
  }

  /** Keeps the tanks of vehicles through time: what their models say now is what holds from now on. */
  #noteTanks(vehicleIds: readonly number[]): void {
    const { fleet, now } = this.#options;
    for (const id of vehicleIds) {
      const vehicle = fleet.get(id);
      const litres = (vehicle && fleet.models.mirror.get(vehicle.modelId)?.maxTank) ?? 0;
      const known = this.#tanks.get(id);
      if (!vehicle || (known ? known.versions.at(-1)!.litres === litres : litres === 0)) continue;
      const draft = { id, kind: 'tank' as const, name: 'tank', withdrawn: false, organizationId: vehicle.organizationId };
      const written = known
        ? this.#tanks.change(id, (entry) => (entry.versions.at(-1)!.litres === litres ? entry : { ...entry, versions: [...entry.versions, { validFrom: now(), litres }] }))
        : this.#tanks.insert({ ...draft, versions: [{ validFrom: 0, litres }] });
      // The same note twice at once: the first one stands.
      this.#saving = Promise.all([this.#saving, written.catch((error: unknown) => this.#tanks.get(id) || this.#options.report(error))]);
    }
  }
}

const NONE: never[] = [];

function grouped<R, T>(records: readonly R[], keys: (record: R) => readonly number[], versions: (record: R) => readonly T[]): Map<number, T[]> {
  const groups = new Map<number, T[]>();
  for (const record of records) for (const key of keys(record)) groups.set(key, [...(groups.get(key) ?? []), ...versions(record)]);
  return groups;
}

/** Versions without an end of their own, as spans. */
function spansOf<V extends { validFrom: number }>({ id, versions }: { id: number; versions: readonly V[] }): (V & { id: number; validTill: number | null })[] {
  return versionsOf({ versions, withdrawnAt: null }).map((version) => ({ ...version, id }));
}

function versionAt<V extends { validFrom: number }>(versions: readonly V[], time: number): V | undefined {
  return versions.findLast(({ validFrom }) => validFrom <= time);
}

function zonesOf(record: Geozone): Zone[] {
  return versionsOf(record).map(({ validFrom, validTill, name, shape, speedLimit }) => ({ id: record.id, name, shape: shape as Shape, speedLimit, validFrom, validTill }));
}

/** A route holds for the times of its drive within those of its version. */
function routesOf(record: RouteRecord): { route: PlannedRoute; vehicleIds: readonly number[] }[] {
  return versionsOf(record).flatMap(({ validFrom, validTill, name, line, points, vehicleIds, from, till, corridor }) => {
    const route = { id: record.id, name, line, points, corridor, validFrom: Math.max(validFrom, from ?? 0), validTill: earlier(validTill, till) };
    return line.length === 0 || (route.validTill !== null && route.validTill <= route.validFrom) ? [] : [{ route, vehicleIds }];
  });
}

function sensorsOf(record: SensorRecord): Sensor[] {
  return versionsOf(record).map((version) => ({ ...version, id: record.id }));
}

/** A closure has no versions: its stamps tell when it was made and lifted. */
function closedBy({ id, geometry, from, till, factor, withdrawn, hlc }: RoadClosure): Closed[] {
  const validFrom = from ?? millisecondsOf(hlc.base);
  const validTill = earlier(till, withdrawn ? millisecondsOf(hlc.fields['withdrawn'] ?? hlc.base) : null);
  return factor >= 1 || (validTill !== null && validTill <= validFrom) ? [] : [{ id, shape: shapeOf(geometry), validFrom, validTill }];
}

function shapeOf(geometry: RoadClosure['geometry']): Shape {
  switch (geometry.type) {
    case 'Point': return { kind: 'circle', center: lonLat(geometry.coordinates), radius: ROAD };
    case 'LineString': return { kind: 'corridor', line: geometry.coordinates.map(lonLat), width: ROAD };
    case 'Polygon': return { kind: 'polygon', rings: geometry.coordinates.map((ring) => ring.map(lonLat)) };
  }
}

function lonLat(position: readonly number[]): LonLat {
  return [position[0]!, position[1]!];
}

function earlier(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : Math.min(a, b);
}

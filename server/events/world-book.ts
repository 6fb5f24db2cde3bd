import { millisecondsOf } from '../../shared/stamps.ts';
import type { ClosurePast, EventSettings, EventSettingsEntry, Geozone, PlannedRoute as RouteRecord, RoadClosure, Sensor as SensorRecord, TankEntry, Vehicle, VehicleEventSettings } from '../../shared/records/index.ts';
import type { LonLat, Shape } from '../../shared/shapes.ts';
import { versionsOf } from '../../shared/versions.ts';
import type { Fleet } from '../fleet/index.ts';
import type { Change, Records, Store } from '../store/door.ts';
import { EventNeeds, type Concerned, type TakeNeed } from './needs.ts';
import type { Pasts } from './pasts.ts';
import type { RoadLimitsBook } from './road-limits-book.ts';
import { DEFAULT_SETTINGS, differsFrom, EMPTY_WORLD, type Closed, type Measures, type PlannedRoute, type RequestPlace, type Sensor, type Validity, type World, type Zone } from './world.ts';

export interface WorldBookOptions {
  readonly store: Store;
  readonly fleet: Fleet;
  readonly pasts: Pasts;
  /** The places of requests that a vehicle serves at a time or later. */
  requests(vehicleId: number, from: number): readonly RequestPlace[];
  readonly roads: Pick<RoadLimitsBook, 'from' | 'watch'>;
  now(): number;
  report(error: unknown): void;
}

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
  readonly #needs: EventNeeds;
  readonly #stops: (() => void)[] = [];
  readonly #worlds = new Map<number, { world: World; from: number }>();
  #zonesOf: Map<number, Zone[]> | undefined;
  #routesOf: Map<number, PlannedRoute[]> | undefined;
  #sensorsOf: Map<number, Sensor[]> | undefined;
  #closed: Closed[] | undefined;
  #saving: Promise<unknown> = Promise.resolve();

  constructor(options: WorldBookOptions) {
    const { store, fleet, pasts, roads, now, report } = options;
    this.#options = options;
    this.#needs = new EventNeeds({ store, report, vehicles: (concerned) => this.#concerned(concerned) });
    this.#zones = store.kind<Geozone>('fleet', 'geozone');
    this.#routes = store.kind<RouteRecord>('fleet', 'route');
    this.#sensors = store.kind<SensorRecord>('fleet', 'sensor');
    this.#closures = store.kind<RoadClosure>('fleet', 'closure');
    this.#settings = store.kind<EventSettingsEntry>('fleet', 'eventSettings');
    this.#vehicleSettings = store.kind<VehicleEventSettings>('fleet', 'vehicleEventSettings');
    this.#tanks = store.kind<TankEntry>('fleet', 'tank');
    const vehicles = (ids: readonly number[]) => [...new Set(ids)].map((id) => `vehicle:${id}` as const);
    // The past of these is noted when they change: what differs begins now.
    const noted = <T>(begin: (record: T) => number) => ({ record, before, deleted }: Change<T>) => (before || deleted ? now() : begin(record));
    this.#follow(this.#zones, () => (this.#zonesOf = undefined), ({ organizationId }) => [`organization:${organizationId}`], differing(zonesOf));
    this.#follow(this.#routes, () => (this.#routesOf = undefined), ({ versions }) => vehicles(versions.flatMap(({ vehicleIds }) => vehicleIds)), differing((record) => routesOf(record).map(({ route, vehicleIds }) => ({ ...route, vehicleIds }))));
    this.#follow(this.#sensors, () => (this.#sensorsOf = undefined), ({ vehicleId }) => vehicles([vehicleId]), differing(sensorsOf));
    this.#follow(this.#closures, () => (this.#closed = undefined), () => ['routed'], noted((closure) => closure.from ?? now()));
    this.#follow(this.#settings, () => undefined, ({ id }) => [`organization:${id}`], differing(spansOf));
    this.#follow(this.#vehicleSettings, () => undefined, ({ id }) => vehicles([id]), differing(spansOf));
    this.#follow(this.#tanks, () => undefined, ({ id }) => vehicles([id]), differing(spansOf));
    this.#follow(pasts.postings.notes, () => undefined, ({ id }) => vehicles([id]), () => now());
    this.#follow(pasts.zoneOwners.notes, () => (this.#zonesOf = undefined), ({ versions }) => versions.slice(-2).map(({ organizationId }) => `organization:${organizationId}` as const), () => now());
    this.#follow(pasts.closures.notes, () => (this.#closed = undefined), () => ['routed'], () => now());
    this.#stops.push(
      roads.watch((from) => {
        this.#worlds.clear();
        this.#needs.write(['all'], from);
        store.writePlain(() => undefined).then(() => this.#needs.takeUp(), report);
      }),
      store.records('vehicles').watch((changes) => {
        for (const { record } of changes) this.#worlds.delete(record.id);
        this.#noteTanks(changes.map(({ record }) => record.id));
      }),
      fleet.models.mirror.watch((model) => model && this.#noteTanks(fleet.all().filter(({ modelId }) => modelId === model.id).map(({ id }) => id))),
    );
    this.#noteTanks(fleet.all().map(({ id }) => id));
  }

  /** The world of a vehicle with all versions that hold at a time or later. The same object comes again as long as nothing changed. */
  world(vehicleId: number, from: number): World {
    const known = this.#worlds.get(vehicleId);
    if (known && known.from <= from) return known.world;
    const vehicle = this.#options.fleet.get(vehicleId);
    if (!vehicle) return EMPTY_WORLD;
    const requestsFrom = Math.max(0, from - AHEAD);
    const postings = this.#options.pasts.postingsOf(vehicle);
    const measures = this.#measures(vehicleId, postings);
    const latest = measures.at(-1)!;
    const world: World = {
      settings: latest.settings, tankLitres: latest.tankLitres, measures,
      zones: this.#zonesThrough(postings),
      sensors: this.#sensorsByVehicle().get(vehicleId) ?? NONE,
      routes: this.#routesByVehicle().get(vehicleId) ?? NONE,
      requests: this.#options.requests(vehicleId, requestsFrom),
      closures: (this.#closed ??= this.#closures.all().flatMap((closure) => closedBy(closure, this.#options.pasts.closures.of(closure.id, closure)))),
      roads: this.#options.roads.from(requestsFrom),
    };
    this.#worlds.set(vehicleId, { world, from: requestsFrom });
    return world;
  }

  /** The thresholds of a vehicle as they are now. */
  settingsNow(vehicleId: number): EventSettings {
    return this.world(vehicleId, this.#options.now()).settings;
  }

  /** The requests of a vehicle become others from a time on: called within the write that makes them so. */
  requestsChange(vehicleId: number, from: number): void {
    this.#needs.write([`vehicle:${vehicleId}`], from);
  }

  /** That is on disk. */
  requestsChanged(vehicleIds: Iterable<number>): void {
    for (const id of vehicleIds) this.#worlds.delete(id);
    this.#needs.takeUp();
  }

  /** `take` is told which vehicles are in another world from a time on, beginning with what was left over at the last end. Returns the way to stop. */
  watch(take: TakeNeed): () => void {
    const stop = this.#needs.watch(take);
    this.#needs.takeUp();
    return stop;
  }

  async close(): Promise<void> {
    for (const stop of this.#stops.splice(0)) stop();
    await Promise.all([this.#saving, this.#needs.close()]);
  }

  /** Writes down with each change which vehicles are to be looked at again and from when on; takes that up when it is on disk. */
  #follow<R extends { id: number }>(records: Records<R>, forget: () => void, concerned: (record: R) => readonly Concerned[], since: (change: Change<R>) => number | undefined): void {
    this.#stops.push(
      records.within((changes) => {
        for (const change of changes) {
          const { record, before } = change;
          const moved = before !== undefined && concerned(before).join() !== concerned(record).join();
          const from = Math.min(since(change) ?? Infinity, moved ? this.#options.now() : Infinity);
          if (from < Infinity) this.#needs.write([...new Set([...concerned(record), ...(before ? concerned(before) : [])])], from);
        }
      }),
      records.watch(() => {
        forget();
        this.#worlds.clear();
        this.#needs.takeUp();
      }),
    );
  }

  #concerned(concerned: Concerned): readonly number[] {
    const [what, id] = concerned.split(':');
    switch (what) {
      case 'vehicle': return [Number(id)];
      case 'organization': return this.#options.fleet.all().filter((vehicle) => this.#wasOf(vehicle, Number(id))).map((vehicle) => vehicle.id);
      case 'routed': return this.#routes.all().flatMap(({ versions }) => versions.flatMap(({ vehicleIds }) => vehicleIds));
      default: return this.#options.fleet.all().map((vehicle) => vehicle.id);
    }
  }

  /** Whether a vehicle is an organisation's, or was. */
  #wasOf(vehicle: Vehicle, organizationId: number): boolean {
    return vehicle.organizationId === organizationId || (this.#options.pasts.postings.notes.get(vehicle.id)?.versions.some((posting) => posting.organizationId === organizationId) ?? false);
  }

  /** The zones of the organisations whose the vehicle was, each for as long as it was theirs. Vehicles that never moved share the list of their organisation. */
  #zonesThrough(postings: Postings): readonly Zone[] {
    const zones = (organizationId: number) => this.#zonesByOrganization().get(organizationId) ?? NONE;
    if (postings.every(({ organizationId }) => organizationId === postings[0]!.organizationId)) return zones(postings[0]!.organizationId);
    return postings.flatMap(({ validFrom, organizationId }, i) => zones(organizationId).flatMap((zone) => within(zone, validFrom, postings[i + 1]?.validFrom ?? null)));
  }

  #zonesByOrganization(): Map<number, Zone[]> {
    if (!this.#zonesOf) {
      this.#zonesOf = new Map();
      for (const record of this.#zones.all()) {
        const owners = this.#options.pasts.zoneOwners.of(record.id, { organizationId: record.organizationId });
        owners.forEach(({ validFrom, organizationId }, i) => {
          const its = zonesOf(record).flatMap((zone) => within(zone, validFrom, owners[i + 1]?.validFrom ?? null));
          this.#zonesOf!.set(organizationId, [...(this.#zonesOf!.get(organizationId) ?? []), ...its]);
        });
      }
    }
    return this.#zonesOf;
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
  #measures(vehicleId: number, postings: Postings): readonly Measures[] {
    const ofOrganization = postings.flatMap(({ validFrom, organizationId }, i) => {
      const till = postings[i + 1]?.validFrom ?? Infinity;
      const its = this.#settings.get(organizationId)?.versions ?? [];
      return [{ validFrom, settings: versionAt(its, validFrom)?.settings ?? {} }, ...its.filter((version) => version.validFrom > validFrom && version.validFrom < till)];
    });
    const ofVehicle = this.#vehicleSettings.get(vehicleId)?.versions ?? [];
    const tanks = this.#tanks.get(vehicleId)?.versions ?? [];
    const bounds = [...new Set([0, ...[...ofOrganization, ...ofVehicle, ...tanks].map(({ validFrom }) => validFrom)])].sort((a, b) => a - b);
    return bounds.map((validFrom, i) => ({
      validFrom, validTill: bounds[i + 1] ?? null,
      settings: { ...DEFAULT_SETTINGS, ...versionAt(ofOrganization, validFrom)?.settings, ...versionAt(ofVehicle, validFrom)?.settings } as EventSettings,
      own: (versionAt(ofVehicle, validFrom)?.settings ?? {}) as Partial<EventSettings>,
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

type Postings = ReturnType<Pasts['postingsOf']>;

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
    const planned = points.map(({ arriveAfter, ...point }) => ({ ...point, planned: from === null || arriveAfter === null ? null : from + arriveAfter * 1000 }));
    const route = { id: record.id, name, line, points: planned, corridor, validFrom: Math.max(validFrom, from ?? 0), validTill: earlier(validTill, till) };
    return line.length === 0 || (route.validTill !== null && route.validTill <= route.validFrom) ? [] : [{ route, vehicleIds }];
  });
}

function sensorsOf(record: SensorRecord): Sensor[] {
  return versionsOf(record).map((version) => ({ ...version, id: record.id }));
}

/** Its stamps tell when a closure was made and lifted; what was changed of it in between holds from the change on. */
function closedBy({ id, withdrawn, hlc }: RoadClosure, versions: readonly ClosurePast['versions'][number][]): Closed[] {
  const lifted = withdrawn ? millisecondsOf(hlc.fields['withdrawn'] ?? hlc.base) : null;
  return versions.flatMap(({ validFrom, geometry, from, till, factor }, i) => {
    const begin = i === 0 ? (from ?? millisecondsOf(hlc.base)) : Math.max(validFrom, from ?? 0);
    const end = earlier(earlier(till, versions[i + 1]?.validFrom ?? null), lifted);
    return factor >= 1 || (end !== null && end <= begin) ? [] : [{ id, shape: shapeOf(geometry), validFrom: begin, validTill: end }];
  });
}

/** What holds only from `validFrom` up to `validTill`, if it does so at all. */
function within<T extends Validity>(one: T, validFrom: number, validTill: number | null): T[] {
  const [from, till] = [Math.max(one.validFrom, validFrom), earlier(one.validTill, validTill)];
  if (till !== null && till <= from) return [];
  return [from === one.validFrom && till === one.validTill ? one : { ...one, validFrom: from, validTill: till }];
}

/** From when on a change makes versions other ones. */
function differing<R, T extends Validity & { readonly id: number }>(versions: (record: R) => readonly T[]): (change: Change<R>) => number | undefined {
  return ({ record, before, deleted }) => differsFrom(before ? versions(before) : [], deleted ? [] : versions(record));
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

import { administers, seesOrganization, type Actor } from '../../shared/access.ts';
import { unknownState, type LastState } from '../../shared/last-state.ts';
import type { Driver, Mark, Organization, Tag, Vehicle, VehicleGroup, VehicleModel } from '../../shared/records/index.ts';
import { Refusal } from '../../shared/refusal.ts';
import type { Draft, Records, Store } from '../store/door.ts';
import { LastStates, type LastStatesOptions } from './last-states.ts';
import { Mirror } from './mirror.ts';
import { rank, type Candidate, type Ranked, type Travel } from './rank.ts';
import { Roster } from './roster.ts';
import { changeVehicle, createVehicle, type Surroundings, type VehicleOrder } from './vehicle-order.ts';

export interface FleetOptions {
  store: Store;
  now(): number;
  states?: LastStatesOptions;
}

/** Filters of `GET /cars`; all that are given must hold. */
export interface VehicleFilter {
  /** Case-insensitive parts. */
  name?: string;
  phone?: string;
  imei?: string;
  glonassId?: number;
  onService?: boolean;
  stopped?: boolean;
  groupIds?: readonly number[];
  organizationIds?: readonly number[];
}

/** A vehicle with all that is shown with it. */
export interface VehicleView {
  vehicle: Vehicle;
  state: LastState;
  group: VehicleGroup | undefined;
  mark: Mark | undefined;
  model: VehicleModel | undefined;
  tags: Tag[];
  drivers: Driver[];
}

export interface RecommendOptions {
  /** The ways by road from the vehicles to the place, in their order; `no-territory` when no roads are loaded. */
  travelTimes(vehicles: readonly { lat: number; lon: number; profile: string }[], place: { lat: number; lon: number }): Promise<readonly Travel[] | 'no-territory'>;
  /** Open tasks by the vehicle that serves them. */
  busy: ReadonlyMap<number, { id: number; title: string }>;
}

export type FleetKind = 'mark' | 'model' | 'group' | 'tag' | 'driver';

/** Vehicles, what belongs to them, and how they stand. */
export class Fleet {
  readonly states: LastStates;
  readonly marks: Mirror<Mark>;
  readonly models: Mirror<VehicleModel>;
  readonly groups: Mirror<VehicleGroup>;
  readonly tags: Mirror<Tag>;
  readonly drivers: Mirror<Driver>;
  private readonly store: Store;
  private readonly vehicles: Records<Vehicle>;
  private readonly roster: Roster;
  private readonly organizations: Mirror<Organization>;
  private readonly now: () => number;
  private lastChange: Promise<unknown> = Promise.resolve();

  constructor({ store, now, states }: FleetOptions) {
    this.store = store;
    this.now = now;
    this.vehicles = store.records('vehicles');
    this.roster = new Roster(this.vehicles);
    this.states = new LastStates(store.records('vehicleStates'), states);
    this.marks = new Mirror(store.kind<Mark>('fleet', 'mark'));
    this.models = new Mirror(store.kind<VehicleModel>('fleet', 'model'));
    this.groups = new Mirror(store.kind<VehicleGroup>('fleet', 'group'));
    this.tags = new Mirror(store.kind<Tag>('fleet', 'tag'));
    this.drivers = new Mirror(store.kind<Driver>('fleet', 'driver'));
    this.organizations = new Mirror(store.kind<Organization>('accounts', 'organization'));
  }

  /** The vehicles that the actor may see, in the order of their ids. */
  list(actor: Actor, filter: VehicleFilter = {}): VehicleView[] {
    return this.roster
      .current()
      .filter((vehicle) => seesOrganization(actor, vehicle.organizationId) && passes(vehicle, this.states.get(vehicle.id), filter))
      .map((vehicle) => this.view(vehicle));
  }

  /** One vehicle. Refuses, as not found, what the actor may not see. */
  detail(actor: Actor, id: number): VehicleView {
    return this.view(this.demandSeen(actor, id));
  }

  async create(actor: Actor, order: VehicleOrder): Promise<VehicleView> {
    const organizationId = order.organizationId ?? actor.user.organizationId;
    this.demandAdministers(actor, organizationId);
    return this.inTurn(async () => this.view(await this.vehicles.insert(createVehicle(this.vehicles.nextId(), { ...order, organizationId }, this.surroundings()))));
  }

  async change(actor: Actor, id: number, order: VehicleOrder): Promise<VehicleView> {
    this.demandAdministers(actor, this.demandSeen(actor, id).organizationId);
    if (order.organizationId !== undefined) this.demandAdministers(actor, order.organizationId);
    return this.inTurn(async () => this.view(await this.vehicles.change(id, (vehicle) => changeVehicle(vehicle, order, this.surroundings()))));
  }

  /** Hides the vehicle; its history remains, and its device may be given to another one. */
  async withdraw(actor: Actor, id: number): Promise<void> {
    this.demandAdministers(actor, this.demandSeen(actor, id).organizationId);
    await this.vehicles.change(id, (vehicle) => ({ ...vehicle, withdrawn: true }));
  }

  /** The crew's single-digit status, as a dispatcher enters it. */
  async setUnitStatus(actor: Actor, id: number, status: number): Promise<VehicleView> {
    const vehicle = this.demandSeen(actor, id);
    await this.states.setUnitStatus(vehicle.id, status, this.now());
    return this.view(vehicle);
  }

  /** The vehicle that carries a device. */
  withDevice(device: { glonassId?: number | undefined; imei?: string | undefined }): Vehicle | undefined {
    if (device.glonassId !== undefined) return this.roster.withGlonassId(device.glonassId);
    return device.imei === undefined ? undefined : this.roster.withImei(device.imei);
  }

  /** A vehicle that is not withdrawn, whoever asks; for rules of other rooms. */
  get(id: number): Vehicle | undefined {
    const vehicle = this.roster.get(id);
    return vehicle?.withdrawn ? undefined : vehicle;
  }

  /** Vehicles that the actor may send to a place, in the order in which they should be sent, each with its reasons. */
  async recommend(actor: Actor, place: { lat: number; lon: number }, { travelTimes, busy }: RecommendOptions): Promise<(Ranked & { view: VehicleView })[]> {
    const views = this.list(actor);
    const candidates = views.map((view): Candidate => ({ vehicle: view.vehicle, state: this.states.get(view.vehicle.id), busyWith: busy.get(view.vehicle.id) }));
    const located = views.filter((view) => view.state.time > 0);
    const travels = await travelTimes(located.map((view) => ({ lat: view.state.lat, lon: view.state.lon, profile: view.vehicle.profile })), place);
    const byVehicle = new Map(travels === 'no-territory' ? [] : located.map((view, index) => [view.vehicle.id, travels[index]]));
    const ranked = rank(place, candidates, travels === 'no-territory' ? travels : views.map((view) => byVehicle.get(view.vehicle.id)), this.now());
    const viewOf = new Map(views.map((view) => [view.vehicle.id, view]));
    return ranked.map((entry) => ({ ...entry, view: viewOf.get(entry.candidate.vehicle.id)! }));
  }

  /** Adds an entry to one of the small lists: marks, models, groups, tags, drivers. */
  async addEntry<T extends Mark | VehicleModel | VehicleGroup | Tag | Driver>(kind: T['kind'], fields: Omit<Draft<T>, 'id' | 'kind' | 'withdrawn'>): Promise<T> {
    const records = this.store.kind<T>('fleet', kind);
    return records.insert({ ...fields, id: records.nextId(), kind, withdrawn: false } as unknown as Draft<T>);
  }

  async close(): Promise<void> {
    this.roster.close();
    for (const mirror of [this.marks, this.models, this.groups, this.tags, this.drivers, this.organizations]) mirror.close();
    await this.states.close();
  }

  /** One change of the fleet after the other: whose device is whose is known only when the change before is stored. */
  private inTurn<R>(work: () => Promise<R>): Promise<R> {
    const done = this.lastChange.then(work);
    this.lastChange = done.catch(() => undefined);
    return done;
  }

  private view(vehicle: Vehicle): VehicleView {
    return {
      vehicle,
      state: this.states.get(vehicle.id) ?? unknownState(vehicle.id),
      group: this.groups.get(vehicle.groupId),
      mark: this.marks.get(vehicle.markId),
      model: this.models.get(vehicle.modelId),
      tags: vehicle.tagIds.map((id) => this.tags.get(id)).filter((tag) => tag !== undefined),
      drivers: vehicle.driverIds.map((id) => this.drivers.get(id)).filter((driver) => driver !== undefined),
    };
  }

  private demandSeen(actor: Actor, id: number): Vehicle {
    const vehicle = this.get(id);
    if (!vehicle || !seesOrganization(actor, vehicle.organizationId)) throw new Refusal('not-found', `There is no vehicle ${id}.`);
    return vehicle;
  }

  private demandAdministers(actor: Actor, organizationId: number): void {
    if (!administers(actor, organizationId)) throw new Refusal('forbidden', 'Only an administrator of the organisation may change its vehicles.');
  }

  private surroundings(): Surroundings {
    const kinds = { organization: this.organizations, group: this.groups, mark: this.marks, model: this.models, driver: this.drivers, tag: this.tags };
    return {
      exists: (kind, id) => {
        const entry = kinds[kind].get(id);
        return entry !== undefined && !entry.withdrawn;
      },
      withGlonassId: (glonassId) => this.roster.withGlonassId(glonassId),
      withImei: (imei) => this.roster.withImei(imei),
    };
  }
}

function passes(vehicle: Vehicle, state: LastState | undefined, filter: VehicleFilter): boolean {
  return (
    contains(vehicle.name, filter.name) &&
    contains(vehicle.phone, filter.phone) &&
    contains(vehicle.imei, filter.imei) &&
    (filter.glonassId === undefined || vehicle.glonassId === filter.glonassId) &&
    (filter.onService === undefined || vehicle.onService === filter.onService) &&
    (filter.stopped === undefined || (state?.stopped ?? false) === filter.stopped) &&
    (filter.groupIds === undefined || filter.groupIds.includes(vehicle.groupId)) &&
    (filter.organizationIds === undefined || filter.organizationIds.includes(vehicle.organizationId))
  );
}

function contains(text: string, part: string | undefined): boolean {
  return part === undefined || text.toLowerCase().includes(part.toLowerCase());
}

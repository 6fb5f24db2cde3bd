import { administers, mayDirectCrews, seesOrganization, type Actor } from '../../../shared/access.ts';
import { unknownState } from '../../../shared/fleet/last-state.ts';
import type {
  CallProtocol,
  Category,
  Driver,
  Geozone,
  Icon,
  Make,
  Organization,
  PlannedRoute,
  PremiseNote,
  ResponsePlan,
  Sensor,
  Tag,
  TaskType,
  Vehicle,
  VehicleCapability,
  VehicleField,
  VehicleGroup,
  VehicleKind,
  VehicleModel,
} from '../../../shared/records/index.ts';
import { UNTAKEN_ID } from '../../../shared/ids.ts';
import { Refusal } from '../../../shared/refusal.ts';
import type { Readings } from '../../../shared/fleet/sensors.ts';
import { Mutex } from '../../platform/mutex.ts';
import type { Records, Store } from '../../store/types.ts';
import { DevicesInWriting } from './devices-in-writing.ts';
import { FleetDirectory, seen } from './directory.ts';
import { geozoneRules, type GeozoneOrder } from './geozones.ts';
import { driverKeysOf, type Holders } from './holders.ts';
import { iconRules, type IconOrder } from './icons.ts';
import { Ignitions } from './ignitions.ts';
import { LastStates, type LastStatesOptions } from './last-states.ts';
import { Mirror } from './mirror.ts';
import { routeRules, type KnownToRoutes, type RouteOrder } from './planned-routes.ts';
import {
  capabilityRules,
  kindRules,
  planRules,
  protocolRules,
  premiseNoteRules,
  type CapabilityOrder,
  type KindOrder,
  type KnownToPlans,
  type PlanOrder,
  type ProtocolOrder,
  type PremiseNoteOrder,
} from './response/index.ts';
import { Proposals } from './response/proposals.ts';
import { ShiftCrews } from './response/shift-crews.ts';
import { passing, Roster, type VehicleFilter, type VehicleView } from './roster.ts';
import { ran } from './running.ts';
import { sensorRules, type SensorOrder } from './sensors.ts';
import {
  driverRules,
  groupRules,
  makeRules,
  modelRules,
  tagRules,
  type DriverOrder,
  type GroupOrder,
  type Known,
  type MakeOrder,
  type ModelOrder,
  type TagOrder,
} from './small-lists.ts';
import { presentVehicleValues, vehicleFieldRules, type VehicleFieldOrder } from './vehicle-fields.ts';
import { changeVehicle, createVehicle, type Surroundings, type VehicleOrder } from './vehicle-order.ts';

export interface FleetOptions {
  store: Store;
  now(): number;
  states?: LastStatesOptions;
}

/** Vehicles, their directories and their last states. */
export class Fleet {
  readonly states: LastStates;
  readonly makes: FleetDirectory<Make, MakeOrder>;
  readonly models: FleetDirectory<VehicleModel, ModelOrder>;
  readonly groups: FleetDirectory<VehicleGroup, GroupOrder>;
  readonly tags: FleetDirectory<Tag, TagOrder>;
  readonly drivers: FleetDirectory<Driver, DriverOrder>;
  readonly geozones: FleetDirectory<Geozone, GeozoneOrder>;
  readonly routes: FleetDirectory<PlannedRoute, RouteOrder>;
  readonly sensors: FleetDirectory<Sensor, SensorOrder>;
  readonly icons: FleetDirectory<Icon, IconOrder>;
  readonly fields: FleetDirectory<VehicleField, VehicleFieldOrder>;
  readonly kinds: FleetDirectory<VehicleKind, KindOrder>;
  readonly capabilities: FleetDirectory<VehicleCapability, CapabilityOrder>;
  readonly plans: FleetDirectory<ResponsePlan, PlanOrder>;
  readonly protocols: FleetDirectory<CallProtocol, ProtocolOrder>;
  readonly premiseNotes: FleetDirectory<PremiseNote, PremiseNoteOrder>;
  readonly #vehicles: Records<Vehicle>;
  readonly #roster: Roster;
  readonly #devices = new DevicesInWriting();
  readonly #driverKeys: Holders<string>;
  readonly #organizations: Mirror<Organization>;
  /** Which vehicles to send to a place, and the facts known about it. */
  readonly proposals: Proposals;
  readonly #shiftCrews: ShiftCrews;
  readonly #ignitions: Ignitions;
  readonly #now: () => number;
  /** One change at a time: a device is free only when the change that gives it up is stored. */
  readonly #changes = new Mutex();

  constructor({ store, now, states }: FleetOptions) {
    this.#now = now;
    this.#vehicles = store.records('vehicles');
    this.#roster = new Roster(this.#vehicles);
    this.states = new LastStates(store.records('vehicleStates'), states);
    const known: Known & KnownToRoutes = {
      organization: (id) => this.#organizations.get(id)?.isDeleted === false,
      make: (id) => this.makes.mirror.get(id)?.isDeleted === false,
      modelsOf: (makeId) => this.models.current().some((model) => model.makeId === makeId),
      driverWithKey: (wire) => this.#driverKeys.holderOf(wire),
      organizationOfVehicle: (id) => this.get(id)?.organizationId,
      seesVehicle: (by, id) => {
        const vehicle = this.get(id);
        return vehicle !== undefined && seesOrganization(by, vehicle.organizationId);
      },
    };
    this.makes = new FleetDirectory(store.kind<Make>('fleet', 'make'), makeRules(known));
    this.models = new FleetDirectory(store.kind<VehicleModel>('fleet', 'model'), modelRules(known));
    this.groups = new FleetDirectory(store.kind<VehicleGroup>('fleet', 'group'), groupRules(known));
    this.tags = new FleetDirectory(store.kind<Tag>('fleet', 'tag'), tagRules(known));
    this.drivers = new FleetDirectory(store.kind<Driver>('fleet', 'driver'), driverRules(known));
    this.#driverKeys = driverKeysOf(this.drivers.mirror);
    this.geozones = new FleetDirectory(store.kind<Geozone>('fleet', 'geozone'), geozoneRules(known, now));
    this.routes = new FleetDirectory(store.kind<PlannedRoute>('fleet', 'route'), routeRules(known, now));
    this.sensors = new FleetDirectory(store.kind<Sensor>('fleet', 'sensor'), sensorRules(known, now));
    this.#ignitions = new Ignitions(this.sensors.mirror);
    this.icons = new FleetDirectory(store.kind<Icon>('fleet', 'icon'), iconRules());
    this.fields = new FleetDirectory(
      store.kind<VehicleField>('fleet', 'vehicleField'),
      vehicleFieldRules(() => new Set([...this.fields.mirror.values()].map(({ slug }) => slug))),
    );
    const [types, categories] = [
      store.kind<TaskType>('directories', 'type'),
      store.kind<Category>('directories', 'category'),
    ];
    const knownToPlans: KnownToPlans = {
      organization: known.organization,
      taskType: (id) => types.get(id)?.isDeleted === false,
      category: (id) => categories.get(id)?.isDeleted === false,
      vehicleKind: (id) => this.kinds.mirror.get(id)?.isDeleted === false,
      capability: (id) => this.capabilities.mirror.get(id)?.isDeleted === false,
      seesGeozone: (by, id) => this.geozones.list(by).some((zone) => zone.id === id),
    };
    this.kinds = new FleetDirectory(store.kind<VehicleKind>('fleet', 'vehicleKind'), kindRules(knownToPlans.taskType));
    this.capabilities = new FleetDirectory(store.kind<VehicleCapability>('fleet', 'capability'), capabilityRules());
    this.plans = new FleetDirectory(store.kind<ResponsePlan>('fleet', 'responsePlan'), planRules(knownToPlans));
    this.protocols = new FleetDirectory(store.kind<CallProtocol>('fleet', 'protocol'), protocolRules(knownToPlans));
    this.premiseNotes = new FleetDirectory(
      store.kind<PremiseNote>('fleet', 'premiseNote'),
      premiseNoteRules(knownToPlans),
    );
    this.#shiftCrews = new ShiftCrews(store);
    this.#organizations = new Mirror(store.kind<Organization>('accounts', 'organization'));
    this.proposals = new Proposals(this, { now, isOffShift: () => this.#shiftCrews.isOff() });
  }

  /** The vehicles that the actor may see, ordered by id. */
  list(actor: Actor, filter: VehicleFilter = {}): VehicleView[] {
    const passes = passing(filter);
    return this.#roster
      .current()
      .filter(
        (vehicle) => seesOrganization(actor, vehicle.organizationId) && passes(vehicle, this.states.get(vehicle.id)),
      )
      .map((vehicle) => this.#view(actor, vehicle));
  }

  /** One vehicle. Refuses, as not found, a vehicle that the actor may not see. */
  detail(actor: Actor, id: number): VehicleView {
    return this.#view(actor, this.#requireSeen(actor, id));
  }

  /** @param id taken with `takeId` */
  async create(actor: Actor, order: VehicleOrder, id?: number): Promise<VehicleView> {
    const organizationId = order.organizationId ?? actor.user.organizationId;
    this.#requireAdministers(actor, organizationId);
    const vehicle = await this.#devices.during((keep) =>
      this.#vehicles.insert(
        keep(createVehicle(id ?? this.takeId(), { ...order, organizationId }, this.#surroundings(actor))),
      ),
    );
    return this.#view(actor, vehicle);
  }

  /** An id for a new vehicle. */
  takeId(): number {
    return this.#vehicles.nextId();
  }

  /** Throws what creating (`id` undefined) or changing the vehicle would throw. Writes nothing. */
  check(actor: Actor, id: number | undefined, order: VehicleOrder): void {
    const before = id === undefined ? undefined : this.#requireSeen(actor, id);
    const organizationId = order.organizationId ?? before?.organizationId ?? actor.user.organizationId;
    if (before) this.#requireAdministers(actor, before.organizationId);
    this.#requireAdministers(actor, organizationId);
    if (before) changeVehicle(before, order, this.#surroundings(actor));
    else createVehicle(UNTAKEN_ID, { ...order, organizationId }, this.#surroundings(actor));
  }

  async change(actor: Actor, id: number, order: VehicleOrder): Promise<VehicleView> {
    this.#requireAdministers(actor, this.#requireSeen(actor, id).organizationId);
    if (order.organizationId !== undefined) this.#requireAdministers(actor, order.organizationId);
    return this.#changes.run(async () =>
      this.#view(
        actor,
        await this.#devices.during((keep) =>
          this.#vehicles.change(id, (vehicle) => keep(changeVehicle(vehicle, order, this.#surroundings(actor)))),
        ),
      ),
    );
  }

  /** Deletes logically. History stays, and another vehicle may get the device. */
  async delete(actor: Actor, id: number): Promise<void> {
    this.#requireAdministers(actor, this.#requireSeen(actor, id).organizationId);
    await this.#vehicles.change(id, (vehicle) => ({ ...vehicle, isDeleted: true }));
  }

  /** The vehicle, if the actor may set the status of its crew. */
  requireDirected(actor: Actor, id: number): Vehicle {
    const vehicle = this.#requireSeen(actor, id);
    if (!mayDirectCrews(actor)) throw new Refusal('fleet.statusByTask');
    return vehicle;
  }

  /** Sets the crew's status digit, as a dispatcher enters it. Tasks judge first whether it is possible. */
  async setUnitStatus(actor: Actor, id: number, status: number): Promise<VehicleView> {
    const vehicle = this.requireDirected(actor, id);
    await this.states.setUnitStatus(vehicle.id, status, this.#now());
    return this.#view(actor, vehicle);
  }

  /** The vehicle of a device. */
  withDevice(device: { glonassId?: number | undefined; imei?: string | undefined }): Vehicle | undefined {
    if (device.glonassId !== undefined) return this.#roster.withGlonassId(device.glonassId);
    return device.imei === undefined ? undefined : this.#roster.withImei(device.imei);
  }

  /** The id of the device of a vehicle; undefined: it has none, or the vehicle is deleted. */
  imeiOf(vehicleId: number): string | undefined {
    const vehicle = this.#roster.get(vehicleId);
    return vehicle && !vehicle.isDeleted ? vehicle.imei : undefined;
  }

  /** The organization of a vehicle, including deleted ones. */
  organizationOf(vehicleId: number): number | undefined {
    return this.#roster.get(vehicleId)?.organizationId;
  }

  /** Routing profiles of all vehicles. */
  profiles(): string[] {
    return [...new Set(this.#roster.all().map(({ profile }) => profile))];
  }

  /** Routing profile of a vehicle, including deleted ones. */
  profileOf(vehicleId: number): string | undefined {
    return this.#roster.get(vehicleId)?.profile;
  }

  /** All vehicles as last committed, including deleted ones. */
  all(): readonly Vehicle[] {
    return this.#roster.all();
  }

  /** The vehicles of an organization, including deleted ones, whose history remains. */
  everyVehicleOf(organizationId: number): Vehicle[] {
    return this.#roster.all().filter((vehicle) => vehicle.organizationId === organizationId);
  }

  /** The vehicles that a user sees, including deleted ones, whose history remains. */
  everyVehicleSeenBy(actor: Actor): Vehicle[] {
    return this.#roster.all().filter((vehicle) => seesOrganization(actor, vehicle.organizationId));
  }

  /** The vehicles that a user sees, one after the other and in no order: for work that pauses in between. */
  *eachSeen(actor: Actor): Generator<Vehicle> {
    for (const vehicle of this.#roster.values())
      if (!vehicle.isDeleted && seesOrganization(actor, vehicle.organizationId)) yield vehicle;
  }

  /** A vehicle, including deleted ones. */
  known(id: number): Vehicle | undefined {
    return this.#roster.get(id);
  }

  /** A vehicle that is not deleted, without a check of access; for rules of other rooms. */
  get(id: number): Vehicle | undefined {
    const vehicle = this.#roster.get(id);
    return vehicle?.isDeleted ? undefined : vehicle;
  }

  /** Whether the engine ran, by the ignition sensor of that time; null: no sensor, or not in the record. */
  engineOn(vehicleId: number, fix: Readings & { readonly time: number }): boolean | null {
    return this.#ignitions.on(vehicleId, fix);
  }

  /** Whether a vehicle, a driver or an icon uses these bytes. */
  shows(sha256: string): boolean {
    return (
      this.#roster.shows(sha256) ||
      this.drivers.current().some(({ photo }) => photo === sha256) ||
      this.icons.current().some(({ picture }) => picture === sha256)
    );
  }

  async close(): Promise<void> {
    this.#roster.close();
    for (const list of [
      this.makes,
      this.models,
      this.groups,
      this.tags,
      this.drivers,
      this.geozones,
      this.routes,
      this.sensors,
      this.icons,
      this.fields,
      this.kinds,
      this.capabilities,
      this.plans,
      this.protocols,
      this.premiseNotes,
      this.#organizations,
      this.#shiftCrews,
    ])
      list.close();
    await this.states.close();
  }

  /** The vehicle without references to organizations that the actor does not see. */
  #view(actor: Actor, vehicle: Vehicle): VehicleView {
    const state = this.states.get(vehicle.id);
    const model = this.models.mirror.get(vehicle.modelId);
    return {
      vehicle,
      state: state ?? unknownState(vehicle.id),
      ran: ran(state, model),
      group: seen(actor, this.groups.mirror.get(vehicle.groupId)),
      make: this.makes.mirror.get(vehicle.makeId),
      model,
      kind: this.kinds.mirror.get(vehicle.kindId ?? 0),
      capabilities: (vehicle.capabilityIds ?? [])
        .map((id) => this.capabilities.mirror.get(id))
        .filter((capability) => capability !== undefined),
      tags: vehicle.tagIds.map((id) => seen(actor, this.tags.mirror.get(id))).filter((tag) => tag !== undefined),
      drivers: vehicle.driverIds
        .map((id) => seen(actor, this.drivers.mirror.get(id)))
        .filter((driver) => driver !== undefined),
      customFields: presentVehicleValues([...this.fields.mirror.values()], vehicle.customValues),
    };
  }

  #requireSeen(actor: Actor, id: number): Vehicle {
    const vehicle = this.get(id);
    if (!vehicle || !seesOrganization(actor, vehicle.organizationId)) throw new Refusal('fleet.missing', { id });
    return vehicle;
  }

  #requireAdministers(actor: Actor, organizationId: number): void {
    if (!administers(actor, organizationId)) throw new Refusal('fleet.byAdministrator');
  }

  #surroundings(actor: Actor): Surroundings {
    const kinds = {
      organization: this.#organizations,
      group: this.groups.mirror,
      make: this.makes.mirror,
      model: this.models.mirror,
      driver: this.drivers.mirror,
      tag: this.tags.mirror,
      icon: this.icons.mirror,
      vehicleKind: this.kinds.mirror,
      capability: this.capabilities.mirror,
    };
    return {
      exists: (kind, id) => {
        const entry = kind === 'organization' ? kinds.organization.get(id) : seen(actor, kinds[kind].get(id));
        return entry !== undefined && !entry.isDeleted;
      },
      withGlonassId: (id) => this.#roster.withGlonassId(id) ?? this.#devices.withGlonassId(id),
      withImei: (imei) => this.#roster.withImei(imei) ?? this.#devices.withImei(imei),
      fields: () => [...this.fields.mirror.values()],
      ran: ({ id, modelId }) => ran(this.states.get(id), this.models.mirror.get(modelId)),
    };
  }
}

import { among, containsText } from '../../../shared/filters.ts';
import type { LastState } from '../../../shared/fleet/last-state.ts';
import type {
  Driver,
  Make,
  Tag,
  Vehicle,
  VehicleCapability,
  VehicleGroup,
  VehicleKind,
  VehicleModel,
} from '../../../shared/records/index.ts';
import type { Records } from '../../store/types.ts';
import { Holders } from './holders.ts';
import { Mirror } from './mirror.ts';
import type { Ran } from './running.ts';

/**
 * The vehicles in memory, by id and by device. Deleted vehicles have no device: its number may be used again.
 */
export class Roster {
  readonly #vehicles: Mirror<Vehicle>;
  readonly #byGlonassId = new Holders<number>();
  readonly #byImei = new Holders<string>();

  constructor(records: Records<Vehicle>) {
    this.#vehicles = new Mirror(records);
    for (const vehicle of this.#vehicles.values()) this.#enter(vehicle);
    this.#vehicles.watch((now, before) => {
      if (before && now && isSameDevice(before, now)) return;
      if (before) this.#leave(before);
      if (now) this.#enter(now);
    });
  }

  get(id: number): Vehicle | undefined {
    return this.#vehicles.get(id);
  }

  /** In no order, including deleted ones. */
  values(): IterableIterator<Vehicle> {
    return this.#vehicles.values();
  }

  /** Ordered by id, including deleted ones. */
  all(): Vehicle[] {
    return [...this.#vehicles.values()].sort((a, b) => a.id - b.id);
  }

  /** Those that are not deleted, ordered by id. */
  current(): Vehicle[] {
    return this.all().filter((vehicle) => !vehicle.isDeleted);
  }

  withGlonassId(glonassId: number): Vehicle | undefined {
    return this.#vehicles.get(this.#byGlonassId.holderOf(glonassId) ?? -1);
  }

  withImei(imei: string): Vehicle | undefined {
    return this.#vehicles.get(this.#byImei.holderOf(imei) ?? -1);
  }

  /** Whether a vehicle has this picture. */
  shows(sha256: string): boolean {
    for (const { picture, isDeleted } of this.#vehicles.values()) if (picture === sha256 && !isDeleted) return true;
    return false;
  }

  close(): void {
    this.#vehicles.close();
  }

  #enter(vehicle: Vehicle): void {
    if (vehicle.isDeleted) return;
    this.#byGlonassId.enter(vehicle.glonassId, vehicle.id);
    if (vehicle.imei) this.#byImei.enter(vehicle.imei, vehicle.id);
  }

  #leave(vehicle: Vehicle): void {
    this.#byGlonassId.leave(vehicle.glonassId, vehicle.id);
    this.#byImei.leave(vehicle.imei, vehicle.id);
  }
}

function isSameDevice(before: Vehicle, now: Vehicle): boolean {
  return before.glonassId === now.glonassId && before.imei === now.imei && before.isDeleted === now.isDeleted;
}

/** A vehicle with the records shown with it. */
export interface VehicleView {
  vehicle: Vehicle;
  state: LastState;
  group: VehicleGroup | undefined;
  make: Make | undefined;
  model: VehicleModel | undefined;
  kind: VehicleKind | undefined;
  capabilities: VehicleCapability[];
  tags: Tag[];
  drivers: Driver[];
  /** Keyed by slug of the field; null: no value. */
  customFields: Record<string, unknown>;
  ran: Ran;
}

/** Filters of `GET /cars`, combined with AND. */
export interface VehicleFilter {
  /** Case-insensitive substrings. */
  name?: string | undefined;
  phone?: string | undefined;
  imei?: string | undefined;
  glonassId?: number | undefined;
  onService?: boolean | undefined;
  stopped?: boolean | undefined;
  groupIds?: readonly number[] | undefined;
  kindIds?: readonly number[] | undefined;
  /** Of vehicles that have all of them. */
  capabilityIds?: readonly number[] | undefined;
  organizationIds?: readonly number[] | undefined;
}

/** Whether a vehicle passes a filter. */
export function passing(filter: VehicleFilter): (vehicle: Vehicle, state: LastState | undefined) => boolean {
  const [isOfGroups, isOfOrganizations] = [among(filter.groupIds), among(filter.organizationIds)];
  const isOfKinds = among(filter.kindIds);
  const { capabilityIds: needed = [] } = filter;
  return (vehicle, state) =>
    containsText(vehicle.name, filter.name) &&
    containsText(vehicle.phone, filter.phone) &&
    containsText(vehicle.imei, filter.imei) &&
    (filter.glonassId === undefined || vehicle.glonassId === filter.glonassId) &&
    (filter.onService === undefined || vehicle.onService === filter.onService) &&
    (filter.stopped === undefined || (state?.stopped ?? false) === filter.stopped) &&
    isOfGroups(vehicle.groupId) &&
    isOfKinds(vehicle.kindId ?? 0) &&
    needed.every((id) => vehicle.capabilityIds?.includes(id)) &&
    isOfOrganizations(vehicle.organizationId);
}

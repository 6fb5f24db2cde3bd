import { defaultOf, isAvailable, readValue } from '../../../../shared/custom-fields/custom-fields.ts';
import type { Category, CustomField, Organization, TaskType, User } from '../../../../shared/records/index.ts';
import { FREE, OUT_OF_SERVICE } from '../../../../shared/fleet/unit-status.ts';
import { Refusal } from '../../../../shared/refusal.ts';
import type { DispatchedVehicle } from '../../../../shared/tasks/units.ts';
import type { Fleet } from '../../fleet/index.ts';

/** The records that tasks refer to, looked up by id. */
interface Lookups {
  type(id: number): TaskType | undefined;
  category(id: number): Category | undefined;
  organization(id: number): Organization | undefined;
  user(id: number): User | undefined;
  vehicle(id: number): ReferredVehicle | undefined;
  /** Includes deleted fields: their stored values are kept. */
  customFields(): Iterable<CustomField>;
}

export interface ReferredVehicle {
  name: string;
  onService: boolean;
  outOfService: boolean;
  /** The digit of its crew's status. */
  unitStatus: number;
}

/** Checks references for the task rules. Refuses ids that do not exist. */
export class References {
  readonly #lookups: Lookups;

  constructor(lookups: Lookups) {
    this.#lookups = lookups;
  }

  require(kind: 'type' | 'category' | 'organization' | 'user', field: string, id: number): void {
    const found = this.#lookups[kind](id);
    if (!found || found.isDeleted) throw new Refusal('field.unknown', { field, id });
  }

  /** Refuses users who cannot sign in. */
  requireAssignable(field: string, id: number): void {
    this.require('user', field, id);
    const user = this.#lookups.user(id)!;
    if (!user.enabled) throw new Refusal('tasks.userDisabled', { field, name: user.name });
  }

  /** Refuses vehicles on maintenance or out of service. */
  requireVehicle(field: string, id: number): void {
    const vehicle = this.#lookups.vehicle(id);
    if (!vehicle) throw new Refusal('field.unknown', { field, id });
    if (vehicle.onService) throw new Refusal('tasks.onMaintenance', { field, name: vehicle.name });
    if (vehicle.outOfService) throw new Refusal('tasks.outOfService', { field, name: vehicle.name });
  }

  /** A vehicle with the status of its crew before it is sent. */
  sent(id: number): DispatchedVehicle {
    return { id, status: this.#lookups.vehicle(id)?.unitStatus ?? FREE };
  }

  /**
   * The values of custom fields after an order, by field id. The order is keyed by slug with `{field_id,
   * value}`. Values that it omits stay, including those of deleted fields. A new task (`before` undefined)
   * gets defaults.
   */
  customValues(
    typeId: number,
    sent: unknown,
    before: Readonly<Record<string, unknown>> | undefined,
  ): Record<string, unknown> {
    const fields = [...this.#lookups.customFields()];
    const values: Record<string, unknown> = { ...before };
    const given = sent === undefined || sent === null ? {} : objectOf(sent);
    for (const [slug, entry] of Object.entries(given)) {
      const field = fields.find((one) => one.slug === slug);
      if (!field) throw new Refusal('tasks.noCustomField', { field: 'custom_fields', name: slug.slice(0, 100) });
      const { field_id: id, value } = objectOf(entry);
      if (id !== undefined && Number(id) !== field.id)
        throw new Refusal('tasks.otherCustomField', {
          field: 'custom_fields',
          name: slug,
          id: field.id,
          other: String(id).slice(0, 20),
        });
      if (field.isDeleted) continue; // keeps what is stored
      if (!isAvailable(field, typeId)) throw new Refusal('tasks.notAvailable', { field: 'custom_fields', name: slug });
      // Names may repeat; slugs are unique.
      const read = readValue({ ...field, name: `custom_fields: ${field.name} (${slug})` }, value);
      if (read === null) delete values[field.id];
      else values[field.id] = read;
    }
    for (const field of fields) {
      if (field.isDeleted || !isAvailable(field, typeId) || values[field.id] !== undefined) continue;
      const initial = before === undefined && !Object.hasOwn(given, field.slug) ? defaultOf(field) : null;
      if (initial !== null) {
        values[field.id] = initial;
        continue;
      }
      if (field.required) throw new Refusal('tasks.customFieldMissing', { field: 'custom_fields', name: field.slug });
    }
    return values;
  }
}

function objectOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Refusal('tasks.customFieldsForm', { field: 'custom_fields' });
  return value as Record<string, unknown>;
}

/** A vehicle as tasks refer to it; undefined: there is none. */
export function referredVehicle(fleet: Fleet, id: number): ReferredVehicle | undefined {
  const vehicle = fleet.get(id);
  const state = fleet.states.get(id);
  return (
    vehicle && {
      name: vehicle.name,
      onService: vehicle.onService,
      outOfService: state !== undefined && state.unitStatusSince > 0 && state.unitStatus === OUT_OF_SERVICE,
      unitStatus: state !== undefined && state.unitStatusSince > 0 ? state.unitStatus : FREE,
    }
  );
}

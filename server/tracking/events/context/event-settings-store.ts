import { administers, type Actor } from '../../../../shared/access.ts';
import type { EventSettings, EventSettingsEntry, VehicleEventSettings } from '../../../../shared/records/index.ts';
import { Refusal } from '../../../../shared/refusal.ts';
import type { Fleet } from '../../../dispatch/fleet/index.ts';
import { Mutex } from '../../../platform/mutex.ts';
import type { Records, Store } from '../../../store/types.ts';
import { DEFAULT_SETTINGS } from './vehicle-context.ts';

/** Thresholds to change: null restores the default; missing ones stay. */
export type SettingsChange = { readonly [K in keyof EventSettings]?: EventSettings[K] | null | undefined };

/** Most vehicles named in a refusal; beyond that it gives their number. */
const MAX_NAMED = 5;

/**
 * Event thresholds of organizations and of single vehicles. A change applies from now on and does not rewrite
 * history.
 */
export class EventSettingsStore {
  readonly #organizations: Records<EventSettingsEntry>;
  readonly #vehicles: Records<VehicleEventSettings>;
  readonly #fleet: Pick<Fleet, 'get'>;
  readonly #now: () => number;
  /** Serializes changes: thresholds of an organization are checked against its vehicles', and vice versa. */
  readonly #changes = new Mutex();

  constructor(store: Store, fleet: Pick<Fleet, 'get'>, now: () => number) {
    this.#fleet = fleet;
    this.#organizations = store.kind<EventSettingsEntry>('fleet', 'eventSettings');
    this.#vehicles = store.kind<VehicleEventSettings>('fleet', 'vehicleEventSettings');
    this.#now = now;
  }

  of(organizationId: number): EventSettings {
    return {
      ...DEFAULT_SETTINGS,
      ...this.#organizations.get(organizationId)?.versions.at(-1)?.settings,
    } as EventSettings;
  }

  /** A vehicle's own thresholds. */
  ofVehicle(vehicleId: number): Partial<EventSettings> {
    return (this.#vehicles.get(vehicleId)?.versions.at(-1)?.settings ?? {}) as Partial<EventSettings>;
  }

  /** Vehicles that currently have thresholds of their own, by id. */
  special(): ReadonlyMap<number, Partial<EventSettings>> {
    return new Map(
      this.#vehicles
        .all()
        .map(({ id }) => [id, this.ofVehicle(id)] as const)
        .filter(([, settings]) => Object.keys(settings).length > 0),
    );
  }

  /**
   * Refuses what an organization could not set either. With `ofVehicles`, also tests them combined with the
   * vehicles' own.
   */
  requireSound(organizationId: number, change: SettingsChange, { ofVehicles = false } = {}): void {
    const settings = changed({}, change, this.of(organizationId));
    if (!ofVehicles) this.#requireSoundForVehicles(organizationId, { ...this.of(organizationId), ...settings });
  }

  /** Also refuses thresholds that conflict with those of one of the organization's vehicles. */
  async change(by: Actor, organizationId: number, change: SettingsChange): Promise<EventSettings> {
    requireAdministers(by, organizationId);
    return this.#changes.run(async () => {
      const before = this.#organizations.get(organizationId)?.versions.at(-1)?.settings ?? {};
      this.#requireSoundForVehicles(organizationId, {
        ...DEFAULT_SETTINGS,
        ...changed(before as Partial<EventSettings>, change, DEFAULT_SETTINGS),
      });
      await this.#save(this.#organizations, 'eventSettings', organizationId, organizationId, change, DEFAULT_SETTINGS);
      return this.of(organizationId);
    });
  }

  async changeVehicle(
    by: Actor,
    vehicle: { id: number; organizationId: number },
    change: SettingsChange,
  ): Promise<Partial<EventSettings>> {
    requireAdministers(by, vehicle.organizationId);
    return this.#changes.run(async () => {
      await this.#save(
        this.#vehicles,
        'vehicleEventSettings',
        vehicle.id,
        vehicle.organizationId,
        change,
        this.of(vehicle.organizationId),
      );
      return this.ofVehicle(vehicle.id);
    });
  }

  /**
   * Conflicts that exist already, because a vehicle came from another organization, do not block other
   * changes.
   */
  #requireSoundForVehicles(organizationId: number, settings: EventSettings): void {
    const before = this.of(organizationId);
    const unsound = [...this.special()].flatMap(([id, own]) => {
      const becomesUnsound = !isSound({ ...settings, ...own }) && isSound({ ...before, ...own });
      const vehicle = becomesUnsound ? this.#fleet.get(id) : undefined;
      return vehicle?.organizationId === organizationId ? [vehicle.name] : [];
    });
    if (unsound.length === 0) return;
    const names = [
      ...unsound.slice(0, MAX_NAMED),
      ...(unsound.length > MAX_NAMED ? [`+${unsound.length - MAX_NAMED}`] : []),
    ].join(', ');
    throw new Refusal('events.thresholdsOfVehicles', { field: 'stopAfter', names });
  }

  async #save<K extends 'eventSettings' | 'vehicleEventSettings'>(
    records: Records<Omit<EventSettingsEntry, 'kind'> & { kind: K }>,
    kind: K,
    id: number,
    organizationId: number,
    change: SettingsChange,
    defaults: EventSettings,
  ): Promise<void> {
    const validFrom = this.#now();
    if (!records.get(id)) {
      await records.insert({
        id,
        kind,
        name: 'event settings',
        isDeleted: false,
        organizationId,
        versions: [{ validFrom, settings: changed({}, change, defaults) }],
      } as Parameters<typeof records.insert>[0]);
      return;
    }
    await records.change(id, (entry) => {
      const last = entry.versions.at(-1)!;
      const settings = changed(last.settings as Partial<EventSettings>, change, defaults);
      if (JSON.stringify(settings) === JSON.stringify(last.settings)) return entry;
      return {
        ...entry,
        organizationId,
        versions: [...entry.versions, { validFrom: Math.max(validFrom, last.validFrom + 1), settings }],
      };
    });
  }
}

/** In a fixed order, so that equal settings are equal text. Missing ones are as `defaults`. */
function changed(
  settings: Partial<EventSettings>,
  change: SettingsChange,
  defaults: EventSettings,
): Partial<EventSettings> {
  const next: Partial<EventSettings> = {};
  for (const name of Object.keys(DEFAULT_SETTINGS) as (keyof EventSettings)[]) {
    const value = change[name] === undefined ? settings[name] : change[name];
    if (value !== undefined && value !== null) next[name] = value;
  }
  if (!isSound({ ...defaults, ...next }))
    throw new Refusal('field.shorter', { field: 'parkingAfter', other: 'stopAfter' });
  return next;
}

function isSound({ stopAfter, parkingAfter }: EventSettings): boolean {
  return parkingAfter >= stopAfter;
}

function requireAdministers(by: Actor, organizationId: number): void {
  if (!administers(by, organizationId)) throw new Refusal('events.thresholdsByAdministrator');
}

import { administers, type Actor } from '../../../shared/access.ts';
import type { EventSettings, EventSettingsEntry, VehicleEventSettings } from '../../../shared/records/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import type { Fleet } from '../../fleet/index.ts';
import { Mutex } from '../../platform/mutex.ts';
import type { Records, Store } from '../../store/types.ts';
import { DEFAULT_SETTINGS } from './vehicle-context.ts';

/** What is to be changed: null takes a threshold back to the usual one, what is not named stays. */
export type SettingsChange = { readonly [K in keyof EventSettings]?: EventSettings[K] | null | undefined };

/** Vehicles that a refusal names; of more it says how many. */
const MOST_NAMED = 5;

/**
 * The thresholds of events, of organisations and of single vehicles. A change holds from now on: history is
 * not rewritten.
 */
export class EventSettingsStore {
  readonly #organizations: Records<EventSettingsEntry>;
  readonly #vehicles: Records<VehicleEventSettings>;
  readonly #fleet: Pick<Fleet, 'get'>;
  readonly #now: () => number;
  /**
   * What an organisation sets is held against its vehicles', and the other way round: one change after the
   * other.
   */
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

  /** What is special to a vehicle. */
  ofVehicle(vehicleId: number): Partial<EventSettings> {
    return (this.#vehicles.get(vehicleId)?.versions.at(-1)?.settings ?? {}) as Partial<EventSettings>;
  }

  /** Vehicles that have thresholds of their own now, by id. */
  special(): ReadonlyMap<number, Partial<EventSettings>> {
    return new Map(
      this.#vehicles
        .all()
        .map(({ id }) => [id, this.ofVehicle(id)] as const)
        .filter(([, settings]) => Object.keys(settings).length > 0),
    );
  }

  /**
   * Refuses what an organisation could not set either. With `ofVehicles` they are tried in the place of what
   * vehicles have of their own.
   */
  demandSound(organizationId: number, change: SettingsChange, { ofVehicles = false } = {}): void {
    const settings = changed({}, change, this.of(organizationId));
    if (!ofVehicles) this.#demandSoundForVehicles(organizationId, { ...this.of(organizationId), ...settings });
  }

  /** Refuses also what is unsound with the thresholds that a vehicle of the organisation has of its own. */
  async change(by: Actor, organizationId: number, change: SettingsChange): Promise<EventSettings> {
    demandAdministers(by, organizationId);
    return this.#changes.run(async () => {
      const before = this.#organizations.get(organizationId)?.versions.at(-1)?.settings ?? {};
      this.#demandSoundForVehicles(organizationId, {
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
    demandAdministers(by, vehicle.organizationId);
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
   * What is unsound already, since a vehicle came from another organisation, keeps nobody from changing other
   * thresholds.
   */
  #demandSoundForVehicles(organizationId: number, settings: EventSettings): void {
    const before = this.of(organizationId);
    const unsound = [...this.special()].flatMap(([id, own]) => {
      const becomesUnsound = !isSound({ ...settings, ...own }) && isSound({ ...before, ...own });
      const vehicle = becomesUnsound ? this.#fleet.get(id) : undefined;
      return vehicle?.organizationId === organizationId ? [vehicle.name] : [];
    });
    if (unsound.length === 0) return;
    const names = [
      ...unsound.slice(0, MOST_NAMED),
      ...(unsound.length > MOST_NAMED ? [`+${unsound.length - MOST_NAMED}`] : []),
    ].join(', ');
    throw new Refusal(
      'invalid',
      `stopAfter and parkingAfter do not go with what vehicles have of their own: parkingAfter would be shorter than stopAfter for ${names}. Change theirs first.`,
    );
  }

  async #save<K extends 'eventSettings' | 'vehicleEventSettings'>(
    records: Records<Omit<EventSettingsEntry, 'kind'> & { kind: K }>,
    kind: K,
    id: number,
    organizationId: number,
    change: SettingsChange,
    usual: EventSettings,
  ): Promise<void> {
    const validFrom = this.#now();
    if (!records.get(id)) {
      await records.insert({
        id,
        kind,
        name: 'event settings',
        isDeleted: false,
        organizationId,
        versions: [{ validFrom, settings: changed({}, change, usual) }],
      } as Parameters<typeof records.insert>[0]);
      return;
    }
    await records.change(id, (entry) => {
      const last = entry.versions.at(-1)!;
      const settings = changed(last.settings as Partial<EventSettings>, change, usual);
      if (JSON.stringify(settings) === JSON.stringify(last.settings)) return entry;
      return {
        ...entry,
        organizationId,
        versions: [...entry.versions, { validFrom: Math.max(validFrom, last.validFrom + 1), settings }],
      };
    });
  }
}

/**
 * In the order of the thresholds, so that the same settings are the same text. What is not set is as `usual`.
 */
function changed(
  settings: Partial<EventSettings>,
  change: SettingsChange,
  usual: EventSettings,
): Partial<EventSettings> {
  const next: Partial<EventSettings> = {};
  for (const name of Object.keys(DEFAULT_SETTINGS) as (keyof EventSettings)[]) {
    const value = change[name] === undefined ? settings[name] : change[name];
    if (value !== undefined && value !== null) next[name] = value;
  }
  if (!isSound({ ...usual, ...next })) throw new Refusal('invalid', 'parkingAfter must not be shorter than stopAfter.');
  return next;
}

function isSound({ stopAfter, parkingAfter }: EventSettings): boolean {
  return parkingAfter >= stopAfter;
}

function demandAdministers(by: Actor, organizationId: number): void {
  if (!administers(by, organizationId))
    throw new Refusal(
      'forbidden',
      'Only an administrator of the organisation may change the thresholds of its events.',
    );
}

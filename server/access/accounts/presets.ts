import { administers, maySharePresets, seesOrganization, type Actor } from '../../../shared/access.ts';
import type { SharedPreset } from '../../../shared/records/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import { Mutex } from '../../platform/mutex.ts';
import type { Records, Store } from '../../store/types.ts';

/** Most presets of one organization, so that a program in a loop does not fill every console. */
const MOST = 200;

export type PresetOrder = Pick<SharedPreset, 'name' | 'use' | 'content'> & {
  readonly organizationId?: number | undefined;
};
export type PresetChange = Partial<Pick<SharedPreset, 'name' | 'content'>>;

/** Layouts and views that people share. The station keeps their content and reads none of it. */
export class Presets {
  readonly #records: Records<SharedPreset>;
  readonly #clock: () => number;
  readonly #turns = new Mutex();

  constructor(store: Store, clock: () => number) {
    this.#records = store.kind<SharedPreset>('accounts', 'preset');
    this.#clock = clock;
  }

  /** Those that the actor finds, by id. */
  list(actor: Actor): SharedPreset[] {
    return this.#records
      .all()
      .filter((preset) => !preset.isDeleted && seesPreset(actor, preset))
      .toSorted((one, other) => one.id - other.id);
  }

  get(actor: Actor, id: number): SharedPreset {
    const preset = this.#known(actor, id);
    if (preset.isDeleted) throw new Refusal('accounts.noPreset', { id });
    return preset;
  }

  /** Shares in the actor's organization, unless another is named; 0 is all of them. */
  share(actor: Actor, { name, use, content, organizationId }: PresetOrder): Promise<SharedPreset> {
    const sharedIn = organizationId ?? actor.user.organizationId;
    requireMayShare(actor, sharedIn);
    return this.#turns.run(() => {
      this.#requireRoom(sharedIn);
      return this.#records.insert({
        id: this.#records.nextId(),
        kind: 'preset',
        isDeleted: false,
        ...{ name, use, content },
        organizationId: sharedIn,
        ownerId: actor.user.id,
        changedAt: this.#clock(),
      });
    });
  }

  change(actor: Actor, id: number, change: PresetChange): Promise<SharedPreset> {
    this.#requireMayChange(actor, this.get(actor, id));
    return this.#write(id, (preset) => {
      if (preset.isDeleted) throw new Refusal('accounts.noPreset', { id });
      return { ...preset, ...change };
    });
  }

  /** Followers keep their copy; nobody else finds it any more. */
  async delete(actor: Actor, id: number): Promise<void> {
    this.#requireMayChange(actor, this.get(actor, id));
    await this.#write(id, (preset) => ({ ...preset, isDeleted: true }));
  }

  /** Shares again what was withdrawn, under the same id. */
  restore(actor: Actor, id: number): Promise<SharedPreset> {
    const deleted = this.#known(actor, id);
    this.#requireMayChange(actor, deleted);
    return this.#turns.run(() => {
      if (deleted.isDeleted) this.#requireRoom(deleted.organizationId);
      return this.#write(id, (preset) => ({ ...preset, isDeleted: false }));
    });
  }

  /** Each change is later than the one before, whatever the clock says; otherwise consoles would ignore it. */
  #write(id: number, rule: (preset: SharedPreset) => SharedPreset): Promise<SharedPreset> {
    return this.#records.change(id, (preset) => ({
      ...rule(preset),
      changedAt: Math.max(this.#clock(), preset.changedAt + 1),
    }));
  }

  #known(actor: Actor, id: number): SharedPreset {
    const preset = this.#records.get(id);
    if (!preset || !seesPreset(actor, preset)) throw new Refusal('accounts.noPreset', { id });
    return preset;
  }

  #requireRoom(organizationId: number): void {
    const shared = this.#records.all().filter((one) => !one.isDeleted && one.organizationId === organizationId);
    if (shared.length >= MOST) throw new Refusal('accounts.manyPresets', { most: MOST });
  }

  /** The owner, as long as their right shares, or an administrator: an owner may have left. */
  #requireMayChange(actor: Actor, { name, ownerId, organizationId }: SharedPreset): void {
    if (organizationId !== 0 && administers(actor, organizationId)) return;
    if (ownerId !== actor.user.id && !(actor.role.admin && actor.role.superuser))
      throw new Refusal('accounts.notYourPreset', { name });
    requireMayShare(actor, organizationId);
  }
}

/** Whether the actor finds what is shared in this organization. */
export function seesPreset(actor: Actor, { organizationId }: Pick<SharedPreset, 'organizationId'>): boolean {
  return organizationId === 0 || seesOrganization(actor, organizationId);
}

function requireMayShare(actor: Actor, organizationId: number): void {
  if (!maySharePresets(actor)) throw new Refusal('accounts.mayNotShare');
  if (organizationId === 0 && !actor.role.superuser) throw new Refusal('accounts.shareWithAll');
  if (organizationId !== 0 && !seesOrganization(actor, organizationId))
    throw new Refusal('accounts.noOrganization', { id: organizationId });
}

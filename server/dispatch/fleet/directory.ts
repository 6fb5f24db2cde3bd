import { seesOrganization, type Actor } from '../../../shared/access.ts';
import { isLonger } from '../../../shared/text/characters.ts';
import { UNTAKEN_ID } from '../../../shared/ids.ts';
import { Refusal } from '../../../shared/refusal.ts';
import type { Draft, Records } from '../../store/types.ts';
import { Mirror } from './mirror.ts';

interface DirectoryEntry {
  id: number;
  isDeleted: boolean;
}

/** The rules of one directory of the fleet: plain functions over stored records, which throw Refusals. */
export interface DirectoryRules<T extends DirectoryEntry, Order> {
  /** The name of an entry in refusals, such as `driver`. */
  readonly what: string;
  /** The organization that owns the entry; undefined: shared by all. */
  owner(entry: Draft<T>): number | undefined;
  /** Whether a user who may see it gets it listed; default: yes. */
  shown?(entry: T): boolean;
  /** Whether a user writes entries at all; default: an administrator. */
  mayWrite?(by: Actor): boolean;
  /** Whether who writes may change this entry, such as a shared one; default: yes. */
  mayChange?(entry: Draft<T>, by: Actor): boolean;
  create(id: number, order: Order, by: Actor): Draft<T>;
  change(entry: T, order: Order, by: Actor): T | Draft<T>;
  /** Throws when it may not be deleted. */
  requireFree?(entry: T): void;
  /** Further changes of a deleted entry. */
  delete?(entry: T): T;
}

/** One directory: users see shared entries and those of their organization; administrators write it. */
export class FleetDirectory<T extends DirectoryEntry, Order> {
  /** All entries, including deleted ones. */
  readonly mirror: Mirror<T>;
  readonly #records: Records<T>;
  readonly #rules: DirectoryRules<T, Order>;

  constructor(records: Records<T>, rules: DirectoryRules<T, Order>) {
    this.#records = records;
    this.#rules = rules;
    this.mirror = new Mirror(records);
  }

  /** Entries that are not deleted, without a check of access. */
  current(): T[] {
    return [...this.mirror.values()].filter((entry) => !entry.isDeleted);
  }

  /** The entries that the actor sees, ordered by id. */
  list(actor: Actor): T[] {
    return [...this.eachSeen(actor)].sort((a, b) => a.id - b.id);
  }

  /** The entries that the actor sees, one after the other and in no order: for work that pauses in between. */
  *eachSeen(actor: Actor): Generator<T> {
    for (const entry of this.mirror.values()) if (this.#shows(actor, entry)) yield entry;
  }

  /** Whether the actor sees this entry. */
  shows(actor: Actor, id: number): boolean {
    const entry = this.mirror.get(id);
    return entry !== undefined && this.#shows(actor, entry);
  }

  /** Refuses, as not found, entries that the actor may not see. */
  get(actor: Actor, id: number): T {
    const entry = this.mirror.get(id);
    if (!entry || !this.#shows(actor, entry)) throw this.#unknown(id);
    return entry;
  }

  /** @param id taken with `takeId` */
  async create(actor: Actor, order: Order, id?: number): Promise<T> {
    const draft = this.#rules.create(id ?? this.takeId(), order, actor);
    this.#requireAdministers(actor, draft);
    return await this.#records.insert(draft);
  }

  /** An id for a new entry. */
  takeId(): number {
    return this.#records.nextId();
  }

  /** Throws what creating (`id` undefined) or changing the entry would throw. Writes nothing. */
  check(actor: Actor, id: number | undefined, order: Order): void {
    if (id === undefined) return this.#requireAdministers(actor, this.#rules.create(UNTAKEN_ID, order, actor));
    const entry = this.get(actor, id);
    this.#requireAdministers(actor, entry);
    this.#requireAdministers(actor, this.#rules.change(entry, order, actor));
  }

  async change(actor: Actor, id: number, order: Order): Promise<T> {
    this.#requireAdministers(actor, this.get(actor, id));
    return await this.#records.change(id, (entry) => {
      if (entry.isDeleted) throw this.#unknown(id);
      const changed = this.#rules.change(entry, order, actor);
      this.#requireAdministers(actor, changed);
      return changed;
    });
  }

  /** Deletes logically. References to it stay. */
  async delete(actor: Actor, id: number): Promise<void> {
    this.#requireAdministers(actor, this.get(actor, id));
    await this.#records.change(id, (entry) => {
      if (entry.isDeleted) throw this.#unknown(id);
      this.#rules.requireFree?.(entry);
      return { ...(this.#rules.delete?.(entry) ?? entry), isDeleted: true };
    });
  }

  /** Called with each changed entry, new and old. Returns the unsubscription. */
  watch(listener: (now: T | undefined, before: T | undefined) => void): () => void {
    return this.mirror.watch(listener);
  }

  close(): void {
    this.mirror.close();
  }

  #shows(actor: Actor, entry: T): boolean {
    const owner = this.#rules.owner(entry);
    return (
      !entry.isDeleted &&
      (this.#rules.shown?.(entry) ?? true) &&
      (owner === undefined || seesOrganization(actor, owner))
    );
  }

  mayChange(actor: Actor, entry: Draft<T>): boolean {
    const owner = this.#rules.owner(entry);
    return (
      (this.#rules.mayWrite?.(actor) ?? actor.role.admin) &&
      (owner === undefined || seesOrganization(actor, owner)) &&
      (this.#rules.mayChange?.(entry, actor) ?? true)
    );
  }

  #requireAdministers(actor: Actor, entry: Draft<T>): void {
    const owner = this.#rules.owner(entry);
    if (!this.mayChange(actor, entry))
      throw new Refusal(owner === undefined ? 'record.administratorOnly' : 'record.ownAdministratorOnly', {
        what: this.#rules.what,
      });
  }

  #unknown(id: number): Refusal {
    return new Refusal('record.missing', { what: this.#rules.what, id });
  }
}

const LONGEST_NAME = 100;

/** Cleans and checks a name. `field` is its name in refusals. */
export function named(name: string | undefined, before?: string, field = 'name'): string {
  const trimmed = (name ?? before ?? '').trim();
  if (trimmed === '') throw new Refusal('field.missing', { field });
  if (isLonger(trimmed, LONGEST_NAME)) throw new Refusal('field.longerThan', { field, most: LONGEST_NAME });
  return trimmed;
}

/** The entry if the actor may see it; entries without an organization are visible to all. */
export function seen<T extends object>(actor: Actor, entry: T | undefined): T | undefined {
  const owner = entry && 'organizationId' in entry ? (entry.organizationId as number | undefined) : undefined;
  return !owner || seesOrganization(actor, owner) ? entry : undefined;
}

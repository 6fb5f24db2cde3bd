import { administers, seesOrganization, type Actor } from '../../shared/access.ts';
import { isLonger } from '../../shared/text/characters.ts';
import { Refusal } from '../../shared/refusal.ts';
import type { Draft, Records } from '../store/types.ts';
import { Mirror } from './mirror.ts';

interface Entry {
  id: number;
  isDeleted: boolean;
}

/**
 * What is particular to one of the small lists of the fleet. Rules are plain functions over what is stored;
 * they throw Refusals.
 */
export interface DirectoryRules<T extends Entry, Order> {
  /** What an entry is called in refusals, such as `driver`. */
  readonly what: string;
  /** The organisation whose entry it is; undefined: everybody's. */
  owner(entry: Draft<T>): number | undefined;
  /** Whether whoever may see it is shown it; when it is not given, yes. */
  shown?(entry: T): boolean;
  /** Whether an administrator may change what is everybody's; when it is not given, yes. */
  mayChange?(entry: Draft<T>, by: Actor): boolean;
  create(id: number, order: Order, by: Actor): Draft<T>;
  change(entry: T, order: Order, by: Actor): T | Draft<T>;
  /** Throws when it may not be deleted. */
  demandFree?(entry: T): void;
  /** What else a deletion changes in the entry. */
  delete?(entry: T): T;
}

/**
 * One of the small lists: everybody sees what is everybody's or their organisation's; administrators write
 * it.
 */
export class Directory<T extends Entry, Order> {
  /** All entries, the deleted ones too. */
  readonly mirror: Mirror<T>;
  readonly #records: Records<T>;
  readonly #rules: DirectoryRules<T, Order>;

  constructor(records: Records<T>, rules: DirectoryRules<T, Order>) {
    this.#records = records;
    this.#rules = rules;
    this.mirror = new Mirror(records);
  }

  /** Those that are not deleted, whoever asks. */
  current(): T[] {
    return [...this.mirror.values()].filter((entry) => !entry.isDeleted);
  }

  /** What the actor sees, in the order of the ids. */
  list(actor: Actor): T[] {
    return [...this.mirror.values()].filter((entry) => this.#shows(actor, entry)).sort((a, b) => a.id - b.id);
  }

  /** Refuses, as not found, what the actor may not see. */
  get(actor: Actor, id: number): T {
    const entry = this.mirror.get(id);
    if (!entry || !this.#shows(actor, entry)) throw this.#unknown(id);
    return entry;
  }

  async create(actor: Actor, order: Order): Promise<T> {
    const draft = this.#rules.create(this.#records.nextId(), order, actor);
    this.#demandAdministers(actor, draft);
    return await this.#records.insert(draft);
  }

  async change(actor: Actor, id: number, order: Order): Promise<T> {
    this.#demandAdministers(actor, this.get(actor, id));
    return await this.#records.change(id, (entry) => {
      if (entry.isDeleted) throw this.#unknown(id);
      const changed = this.#rules.change(entry, order, actor);
      this.#demandAdministers(actor, changed);
      return changed;
    });
  }

  /** Hides it. What refers to it keeps it. */
  async delete(actor: Actor, id: number): Promise<void> {
    this.#demandAdministers(actor, this.get(actor, id));
    await this.#records.change(id, (entry) => {
      if (entry.isDeleted) throw this.#unknown(id);
      this.#rules.demandFree?.(entry);
      return { ...(this.#rules.delete?.(entry) ?? entry), isDeleted: true };
    });
  }

  /** Told of each entry as it is now and as it was. Returns the way to stop. */
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
      (owner === undefined ? actor.role.admin : administers(actor, owner)) &&
      (this.#rules.mayChange?.(entry, actor) ?? true)
    );
  }

  #demandAdministers(actor: Actor, entry: Draft<T>): void {
    const owner = this.#rules.owner(entry);
    if (!this.mayChange(actor, entry))
      throw new Refusal(
        'forbidden',
        `Only an administrator ${owner === undefined ? '' : 'of the organisation '}may change this ${this.#rules.what}.`,
      );
  }

  #unknown(id: number): Refusal {
    return new Refusal('not-found', `There is no ${this.#rules.what} ${id}.`);
  }
}

const LONGEST_NAME = 100;

/** A name as it is kept. `field` is how refusals call it. */
export function named(name: string | undefined, before?: string, field = 'name'): string {
  const trimmed = (name ?? before ?? '').trim();
  if (trimmed === '') throw new Refusal('invalid', `${field} is missing.`);
  if (isLonger(trimmed, LONGEST_NAME)) throw new Refusal('invalid', `${field} has at most ${LONGEST_NAME} characters.`);
  return trimmed;
}

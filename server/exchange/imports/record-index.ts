import { fold } from '../../../shared/text/fold.ts';
import { Refusal } from '../../../shared/refusal.ts';
import type { Caller } from '../../access/accounts/index.ts';
import type { RowValues } from './fields.ts';
import type { ImportTarget } from './target.ts';
import type { TurnBudget } from './turn-budget.ts';

/** Spellings of names that are kept: a column names the same few records in most rows. */
const MOST_SPELLINGS = 10_000;

/** A list only where several have the key: lists of one would be half of what an index leaves to be collected. */
type IdsByKey = Map<string, number | number[]>;

/** Relations of the rows of one import to records, and to each other. */
export class RecordIndex {
  readonly #target: ImportTarget;
  readonly #caller: Caller;
  /** By field: a map of all keys at once would grow in steps that hold the event loop for long. */
  readonly #byKey = new Map<string, IdsByKey>();
  readonly #names = new Map<string, NamedRecords>();
  /** Rows by the values that no other row may have, by field. */
  readonly #taken = new Map<string, Map<string, number>>();

  private constructor(target: ImportTarget, caller: Caller) {
    this.#target = target;
    this.#caller = caller;
  }

  /** @param named the kinds of records that columns name */
  static async of(
    target: ImportTarget,
    caller: Caller,
    named: Iterable<string>,
    turns: TurnBudget,
  ): Promise<RecordIndex> {
    const index = new RecordIndex(target, caller);
    for (const id of target.ids(caller)) {
      index.#enter(id);
      await turns.pause();
    }
    for (const of of named) index.#names.set(of, await NamedRecords.of(target.names(caller, of), turns));
    return index;
  }

  /** The ids of the records with this name, in any letter case. */
  readonly idsOf = (of: string, name: string): readonly number[] => this.#names.get(of)!.idsOf(name);

  /** Keys that identify the record of a row, by field. */
  keysOf(values: RowValues): RowKeys {
    const keys = new Map<string, string>();
    for (const field of [...this.#target.keys, ...this.#target.unique]) {
      const key = keys.has(field) ? undefined : keyOf(values[field]);
      if (key !== undefined) keys.set(field, key);
    }
    return keys;
  }

  /** The record that a row is about; undefined: a new one. */
  find(values: RowValues, keys: RowKeys): number | undefined {
    const id = values['id'];
    if (typeof id === 'number') {
      if (!this.#target.sees(this.#caller, id)) throw new Refusal('imports.noRecord', { id });
      return id;
    }
    for (const field of this.#target.keys) {
      const key = keys.get(field);
      const found = key === undefined ? undefined : this.#byKey.get(field)?.get(key);
      if (found === undefined) continue;
      if (typeof found !== 'number') throw new Refusal('imports.severalRecords', { value: String(values[field]) });
      return found;
    }
    return undefined;
  }

  /** Refuses a row about a record, or with a value, that an earlier row has. */
  take(
    row: number,
    id: number | undefined,
    values: RowValues,
    keys: RowKeys,
  ): { field: string; reason: Refusal } | undefined {
    const claims = this.#claimsOf(id, keys);
    for (const { space, key, field } of claims) {
      const other = this.#taken.get(space)?.get(key);
      if (other === undefined) continue;
      const reason = this.#target.unique.includes(field)
        ? new Refusal('imports.sameValue', { row: other, value: String(values[field]) })
        : new Refusal('imports.sameRecord', { row: other });
      return { field, reason };
    }
    for (const { space, key } of claims) entryOf(this.#taken, space).set(key, row);
    return undefined;
  }

  #claimsOf(id: number | undefined, keys: RowKeys): { space: string; key: string; field: string }[] {
    const claims: { space: string; key: string; field: string }[] = [];
    if (id !== undefined) claims.push({ space: 'records', key: String(id), field: 'id' });
    else {
      const field = this.#target.keys.find((each) => keys.has(each));
      if (field !== undefined) claims.push({ space: `new ${field}`, key: keys.get(field)!, field });
    }
    for (const field of this.#target.unique) {
      const key = keys.get(field);
      if (key !== undefined) claims.push({ space: `unique ${field}`, key, field });
    }
    return claims;
  }

  #enter(id: number): void {
    const values = this.#target.valuesOf(id);
    if (!values) return;
    for (const field of this.#target.keys) {
      const key = keyOf(values[field]);
      if (key !== undefined) add(entryOf(this.#byKey, field), key, id);
    }
  }
}

/** By field, folded. */
export type RowKeys = ReadonlyMap<string, string>;

/** Records of one kind by their names. */
class NamedRecords {
  readonly #byName: IdsByKey = new Map();
  readonly #bySpelling = new Map<string, readonly number[]>();

  static async of(
    entries: Iterable<{ readonly id: number; readonly name: string }>,
    turns: TurnBudget,
  ): Promise<NamedRecords> {
    const names = new NamedRecords();
    for (const { id, name } of entries) {
      add(names.#byName, fold(name.trim()), id);
      await turns.pause();
    }
    return names;
  }

  idsOf(name: string): readonly number[] {
    const known = this.#bySpelling.get(name);
    if (known) return known;
    const found = this.#byName.get(fold(name.trim())) ?? [];
    const ids = typeof found === 'number' ? [found] : found;
    if (this.#bySpelling.size < MOST_SPELLINGS) this.#bySpelling.set(name, ids);
    return ids;
  }
}

function add(ids: IdsByKey, key: string, id: number): void {
  const others = ids.get(key);
  if (typeof others === 'object') others.push(id);
  else ids.set(key, others === undefined ? id : [others, id]);
}

function entryOf<V>(maps: Map<string, Map<string, V>>, name: string): Map<string, V> {
  let found = maps.get(name);
  if (!found) maps.set(name, (found = new Map()));
  return found;
}

function keyOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? fold(value.trim()) : undefined;
}

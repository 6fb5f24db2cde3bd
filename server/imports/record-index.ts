import { fold } from '../../shared/text/fold.ts';
import { Refusal } from '../../shared/refusal.ts';
import type { Caller } from '../accounts/index.ts';
import type { RowValues } from './fields.ts';
import type { ImportTarget } from './target.ts';
import type { TurnBudget } from './turn-budget.ts';

/** What the rows of one import have to do with records, and with each other. */
export class RecordIndex {
  readonly #target: ImportTarget;
  readonly #caller: Caller;
  readonly #byKey = new Map<string, number[]>();
  readonly #names = new Map<string, Map<string, number[]>>();
  /** Rows by the values that no other row may have. */
  readonly #taken = new Map<string, number>();

  private constructor(target: ImportTarget, caller: Caller) {
    this.#target = target;
    this.#caller = caller;
  }

  static async of(target: ImportTarget, caller: Caller, turns: TurnBudget): Promise<RecordIndex> {
    const index = new RecordIndex(target, caller);
    for (const id of target.ids(caller)) {
      index.#enter(id);
      await turns.pause();
    }
    return index;
  }

  /** The ids of the records with this name, whatever its letter case. */
  readonly idsOf = (of: string, name: string): readonly number[] => {
    let names = this.#names.get(of);
    if (!names) {
      names = new Map();
      for (const entry of this.#target.names(this.#caller, of)) {
        const folded = fold(entry.name.trim());
        names.set(folded, [...(names.get(folded) ?? []), entry.id]);
      }
      this.#names.set(of, names);
    }
    return names.get(fold(name.trim())) ?? [];
  };

  /** The record that a row is about; undefined: a new one. */
  find(values: RowValues): number | undefined {
    const id = values['id'];
    if (typeof id === 'number') {
      if (!this.#target.sees(this.#caller, id)) throw new Refusal('imports.noRecord', { id });
      return id;
    }
    for (const field of this.#target.keys) {
      const key = keyOf(field, values[field]);
      const found = key === undefined ? undefined : this.#byKey.get(key);
      if (!found) continue;
      if (found.length > 1) throw new Refusal('imports.severalRecords', { value: String(values[field]) });
      return found[0];
    }
    return undefined;
  }

  /** Refuses a row about a record, or with a value, that an earlier row has. */
  take(row: number, id: number | undefined, values: RowValues): { field: string; reason: Refusal } | undefined {
    const claims: { key: string; field: string }[] = [];
    if (id !== undefined) claims.push({ key: `id ${id}`, field: 'id' });
    else {
      const field = this.#target.keys.find((each) => keyOf(each, values[each]) !== undefined);
      if (field !== undefined) claims.push({ key: `new ${keyOf(field, values[field])}`, field });
    }
    for (const field of this.#target.unique) {
      const key = keyOf(field, values[field]);
      if (key !== undefined) claims.push({ key, field });
    }
    for (const { key, field } of claims) {
      const other = this.#taken.get(key);
      if (other === undefined) continue;
      const reason = this.#target.unique.includes(field)
        ? new Refusal('imports.sameValue', { row: other, value: String(values[field]) })
        : new Refusal('imports.sameRecord', { row: other });
      return { field, reason };
    }
    for (const { key } of claims) this.#taken.set(key, row);
    return undefined;
  }

  #enter(id: number): void {
    const values = this.#target.valuesOf(id);
    if (!values) return;
    for (const field of this.#target.keys) {
      const key = keyOf(field, values[field]);
      if (key === undefined) continue;
      const others = this.#byKey.get(key);
      if (others) others.push(id);
      else this.#byKey.set(key, [id]);
    }
  }
}

function keyOf(field: string, value: unknown): string | undefined {
  if (typeof value === 'number') return `${field} ${value}`;
  return typeof value === 'string' && value.trim() !== '' ? `${field} ${fold(value.trim())}` : undefined;
}

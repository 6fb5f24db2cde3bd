import { Growing } from './growing.ts';
import type { PackedTags } from './packed-extract.ts';
import { gatherRanges, shared } from './shared-arrays.ts';

/** Ids and tags of the nodes, the ways or the relations, in input order. */
export class ThingList {
  readonly ids = new Growing(Float64Array);
  readonly pairs = new Growing(Uint32Array);
  readonly #pairEnd = new Growing(Uint32Array);
  /** Where the changes begin. */
  #changesFrom = Infinity;
  readonly #deleted = new Set<number>();
  /** How many were given again in the files. */
  repeated = 0;
  /** How many the changes made, changed or deleted. */
  changed = 0;

  end(id: number): void {
    if (!Number.isSafeInteger(id)) throw new RangeError(`${id} is not an id of OpenStreetMap.`);
    this.ids.push(id);
    this.#pairEnd.push(this.pairs.length);
  }

  /** Drops the tags added since the last item ended. */
  drop(): void {
    this.pairs.length = this.#pairEnd.length === 0 ? 0 : this.#pairEnd.values[this.#pairEnd.length - 1]!;
  }

  beginChanges(): void {
    this.#changesFrom = this.ids.length;
  }

  delete(id: number): void {
    this.#deleted.add(this.ids.length);
    this.end(id);
  }

  /** Whether the one at this position comes from the changes. */
  isChange(position: number): boolean {
    return position >= this.#changesFrom;
  }

  /**
   * Positions in ascending order of id; of equal ids only the last, without deleted things. `made` has those
   * that only the changes have.
   */
  order(): { order: Uint32Array; made: Set<number> } {
    const ids = this.ids.values;
    const count = this.ids.length;
    const made = new Set<number>();
    const order = ascendingOrder(ids, count);
    let kept = 0;
    for (let first = 0, next = 0; first < count; first = next) {
      const id = ids[order[first]!];
      while (next < count && ids[order[next]!] === id) {
        if (next > first && !this.isChange(order[next]!)) this.repeated++;
        next++;
      }
      const last = order[next - 1]!;
      const isNew = this.isChange(order[first]!);
      const isDeleted = this.#deleted.has(last);
      if (this.isChange(last) && !(isNew && isDeleted)) this.changed++;
      if (isDeleted) continue;
      if (isNew) made.add(last);
      order[kept++] = last;
    }
    return { order: order.subarray(0, kept), made };
  }

  /** Takes the tags out in this order. */
  takeTags(order: Uint32Array): PackedTags {
    const { first, from } = gatherRanges(this.#pairEnd, order);
    const pairs = shared(Uint32Array, first[order.length]!);
    for (let i = 0; i < order.length; i++) {
      const start = from[i]!;
      const length = first[i + 1]! - first[i]!;
      // Most nodes have none.
      if (length > 0) pairs.set(this.pairs.values.subarray(start, start + length), first[i]!);
    }
    this.pairs.release();
    this.#pairEnd.release();
    return { first, pairs };
  }
}

/**
 * Positions in ascending order of their values, equal ones in input order. A merge sort that begins with the
 * ascending runs of the input: files are sorted, and a few of them are few runs.
 */
function ascendingOrder(values: Float64Array, count: number): Uint32Array {
  let order = new Uint32Array(count);
  let starts: number[] = count === 0 ? [] : [0];
  for (let i = 1; i < count; i++) {
    order[i] = i;
    if (values[i]! < values[i - 1]!) starts.push(i);
  }
  let spare: Uint32Array<ArrayBuffer> | undefined;
  while (starts.length > 1) {
    spare ??= new Uint32Array(count);
    const merged: number[] = [];
    for (let run = 0; run < starts.length; run += 2) {
      const start = starts[run]!;
      merged.push(start);
      mergeRuns(values, order, spare, start, starts[run + 1] ?? count, starts[run + 2] ?? count);
    }
    [order, spare] = [spare, order];
    starts = merged;
  }
  return order;
}

function mergeRuns(
  values: Float64Array,
  from: Uint32Array,
  into: Uint32Array,
  start: number,
  middle: number,
  end: number,
): void {
  let left = start;
  let right = middle;
  for (let to = start; to < end; to++) {
    const takesLeft = left < middle && (right >= end || values[from[left]!]! <= values[from[right]!]!);
    into[to] = from[takesLeft ? left++ : right++]!;
  }
}

/** Positions of those that have tags. */
export function taggedOf({ first }: PackedTags): Uint32Array {
  let count = 0;
  for (let i = 1; i < first.length; i++) if (first[i]! > first[i - 1]!) count++;
  const tagged = shared(Uint32Array, count);
  for (let i = 1, to = 0; i < first.length; i++) if (first[i]! > first[i - 1]!) tagged[to++] = i - 1;
  return tagged;
}

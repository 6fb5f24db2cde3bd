import type { Roads } from '../territory/roads/reading.ts';

/**
 * Keys of road directions that survive another import: a hash of node positions from beginning to end. A
 * moved or cut road gets a new key (README rule 11).
 */
export class ArcKeys {
  readonly #keys: Float64Array;
  /** Open addressing: arc + 1 by its key; 0 is free. */
  readonly #table: Uint32Array;

  constructor(roads: Roads) {
    this.#keys = new Float64Array(roads.arcs);
    this.#table = new Uint32Array(2 ** Math.ceil(Math.log2(roads.arcs * 2 + 2)));
    for (let arc = 0; arc < roads.arcs; arc++) {
      if (!roads.isOpen(arc)) continue;
      const key = keyOf(arc, roads);
      this.#keys[arc] = key;
      const slot = this.#slot(key);
      if (this.#table[slot] === 0) this.#table[slot] = arc + 1;
    }
  }

  /** A safe integer. */
  key(arc: number): number {
    return this.#keys[arc]!;
  }

  /** The arc with a key, or undefined. */
  arc(key: number): number | undefined {
    const found = this.#table[this.#slot(key)]!;
    return found === 0 ? undefined : found - 1;
  }

  #slot(key: number): number {
    const mask = this.#table.length - 1;
    for (let slot = Math.floor(key % 4294967296) & mask; ; slot = (slot + 1) & mask) {
      const found = this.#table[slot]!;
      if (found === 0 || this.#keys[found - 1] === key) return slot;
    }
  }
}

/**
 * 53 bits: one territory of a million roads in ten thousand has a collision. Mixed as in MurmurHash3
 * (Appleby), in two lanes.
 */
function keyOf(arc: number, roads: Roads): number {
  const { segmentFirst, shape, nodeLat, nodeLon } = roads.columns;
  const first = segmentFirst[arc >> 1]!;
  const last = segmentFirst[(arc >> 1) + 1]! - 1;
  let one = 0x9747b28c;
  let other = 0x3c6ef372;
  const mix = (value: number): void => {
    one = Math.imul(one ^ Math.imul(value, 0xcc9e2d51), 0x1b873593);
    one = (one << 13) | (one >>> 19);
    other = Math.imul(other ^ Math.imul(value, 0x85ebca6b), 0xc2b2ae35);
    other = (other << 17) | (other >>> 15);
  };
  for (let i = 0; i <= last - first; i++) {
    const node = shape[arc & 1 ? last - i : first + i]!;
    mix(nodeLat[node]!);
    mix(nodeLon[node]!);
  }
  return (finished(one) >>> 11) * 4294967296 + (finished(other ^ Math.imul(one, 5)) >>> 0);
}

function finished(hash: number): number {
  let mixed = hash ^ (hash >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

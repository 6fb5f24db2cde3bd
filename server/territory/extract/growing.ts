import { requireMemory } from './memory.ts';

/** A list of numbers that grows like an array and costs as little memory as a typed one. */
export class Growing<T extends Float64Array | Int32Array | Uint32Array | Uint8Array> {
  values: T;
  length = 0;
  readonly #make: new (length: number) => T;

  constructor(make: new (length: number) => T, capacity = 1024) {
    this.#make = make;
    this.values = new make(capacity);
  }

  push(value: number): void {
    if (this.length === this.values.length) this.#grow(this.length + 1);
    this.values[this.length++] = value;
  }

  /**
   * Reserves space for `more` values, so that a decoder may write into `values` directly and add to `length`
   * itself.
   */
  reserve(more: number): void {
    if (this.length + more > this.values.length) this.#grow(this.length + more);
  }

  #grow(least: number): void {
    const length = Math.max(least, Math.ceil(this.values.length * 1.7));
    requireMemory(length * this.values.BYTES_PER_ELEMENT);
    const wider = new this.#make(length);
    wider.set(this.values.subarray(0, this.length));
    this.values = wider;
  }
}

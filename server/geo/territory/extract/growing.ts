import { requireMemory } from './memory.ts';

/**
 * A list of numbers that grows like an array and costs as little memory as a typed one. Growing takes the memory of
 * the old `values` along at once, so none of them may be kept over a `push` or `reserve`.
 */
export class Growing<T extends Float64Array | Int32Array | Uint32Array | Uint8Array> {
  values: T;
  length = 0;
  readonly #make: new (lengthOrBuffer: number | ArrayBuffer) => T;

  constructor(make: new (lengthOrBuffer: number | ArrayBuffer) => T, capacity = 1024) {
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
    this.#resize(length);
  }

  /** Gives the memory back, without waiting for a collection. */
  release(): void {
    this.length = 0;
    this.#resize(0);
  }

  #resize(length: number): void {
    const buffer = (this.values.buffer as ArrayBuffer).transfer(length * this.values.BYTES_PER_ELEMENT);
    this.values = new this.#make(buffer);
  }
}

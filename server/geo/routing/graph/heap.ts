/**
 * A binary min-heap of integers by key. Ties break by the smaller integer, so that answers are deterministic.
 */
export class Heap {
  #keys = new Float64Array(64);
  #values = new Int32Array(64);
  size = 0;

  clear(): void {
    this.size = 0;
  }

  get minKey(): number {
    return this.#keys[0]!;
  }

  push(key: number, value: number): void {
    if (this.size === this.#keys.length) this.#grow();
    const keys = this.#keys;
    const values = this.#values;
    let at = this.size++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (keys[parent]! < key || (keys[parent] === key && values[parent]! <= value)) break;
      keys[at] = keys[parent]!;
      values[at] = values[parent]!;
      at = parent;
    }
    keys[at] = key;
    values[at] = value;
  }

  /** Removes the value with the least key; read `minKey` before. */
  pop(): number {
    const keys = this.#keys;
    const values = this.#values;
    const least = values[0]!;
    const size = --this.size;
    const key = keys[size]!;
    const value = values[size]!;
    let at = 0;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= size) break;
      if (
        child + 1 < size &&
        (keys[child + 1]! < keys[child]! || (keys[child + 1] === keys[child] && values[child + 1]! < values[child]!))
      )
        child++;
      if (key < keys[child]! || (key === keys[child] && value <= values[child]!)) break;
      keys[at] = keys[child]!;
      values[at] = values[child]!;
      at = child;
    }
    keys[at] = key;
    values[at] = value;
    return least;
  }

  #grow(): void {
    const keys = new Float64Array(this.#keys.length * 2);
    keys.set(this.#keys);
    const values = new Int32Array(keys.length);
    values.set(this.#values);
    this.#keys = keys;
    this.#values = values;
  }
}

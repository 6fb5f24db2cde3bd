/**
 * Rows of a block. Columns grow block by block, so that growing copies nothing; what one block is asked of
 * stays in the processor's cache.
 */
export const BLOCK = 65_536;

/** What columns cannot hold. Whoever gets it asks SQL instead. */
export class NotHeld extends Error {}

/** Codes of the rows of a block. */
export type Codes = Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer>;

/**
 * Numbers of a field with few different values, such as ids: a row has a code of one or two bytes, and what
 * it means is said once. Rows that were never set have code 0, the number 0.
 */
export class CodedColumn {
  /** What each code means. */
  readonly values: number[] = [0];
  readonly #codes = new Map<number, number>([[0, 0]]);
  #blocks: Codes[] = [];
  #make: (size: number) => Codes = (size) => new Uint8Array(size);

  block(at: number): Codes {
    return this.#blocks[at]!;
  }

  set(row: number, value: number): void {
    const code = this.#codes.get(value) ?? this.#newCode(value); // first, since a new code may make the blocks anew
    this.#blocks[Math.floor(row / BLOCK)]![row % BLOCK] = code;
  }

  grow(): void {
    this.#blocks.push(this.#make(BLOCK));
  }

  #newCode(value: number): number {
    const code = this.values.length;
    if (code === 2 ** 16) throw new NotHeld('There are too many different values.');
    if (code === 2 ** 8) {
      this.#make = (size) => new Uint16Array(size);
      this.#blocks = this.#blocks.map((block) => Uint16Array.from(block));
    }
    this.values.push(value);
    this.#codes.set(value, code);
    return code;
  }
}

/** Numbers of which hardly any is like another, such as instants. */
export class NumberColumn {
  readonly #blocks: Float64Array[] = [];

  block(at: number): Float64Array {
    return this.#blocks[at]!;
  }

  set(row: number, value: number): void {
    this.#blocks[Math.floor(row / BLOCK)]![row % BLOCK] = value;
  }

  grow(): void {
    this.#blocks.push(new Float64Array(BLOCK));
  }
}

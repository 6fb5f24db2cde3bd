/**
 * Rows per block. Columns grow by blocks, so growing copies nothing. One block fits into the processor's
 * cache during a query.
 */
export const BLOCK = 65_536;

/** A value that columns cannot hold. The caller uses SQL instead. */
export class NotHeld extends Error {}

/** Codes of the rows of a block. */
export type ColumnCodes = Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer>;

/**
 * A column with few distinct values, such as ids: one or two bytes per row index a dictionary. Rows never set
 * have code 0, which means the number 0.
 */
export class CodedColumn {
  /** The dictionary: the value of each code. */
  readonly values: number[] = [0];
  readonly #codes = new Map<number, number>([[0, 0]]);
  #blocks: ColumnCodes[] = [];
  #make: (size: number) => ColumnCodes = (size) => new Uint8Array(size);

  block(at: number): ColumnCodes {
    return this.#blocks[at]!;
  }

  set(row: number, value: number): void {
    const code = this.#codes.get(value) ?? this.#newCode(value); // first, because a new code may rebuild the blocks
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

/** A column of mostly distinct numbers, such as instants. */
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

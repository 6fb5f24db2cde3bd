import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { isDiskFull } from '../../platform/disk/disk-full.ts';

type Value = null | number | bigint | string | Uint8Array;
export type Row = Readonly<Record<string, Value>>;

/** Failed reads in one table after which the rest of its gaps is skipped. Each takes a tenth of a millisecond. */
const MOST_FAILURES = 100_000;
/** Places tried at even distances in a gap. */
const EVEN = 32;
/** Vehicles, the first numbers of a track's key, at which a wide gap is tried. */
const FIRST_NUMBERS = 2_000n;
/** The least and the greatest integer of SQLite. */
const [LOWEST, HIGHEST] = [-(2n ** 63n), 2n ** 63n - 1n];

/**
 * Reads a table of a damaged database row by row, past the pages that cannot be read: from both ends of each
 * gap, then from places in it at doubling distances from its ends. Uses no index, whose pages may be damaged,
 * too. Calls `take` for each row. Returns what cannot be read, as spans of the key.
 */
export function salvageRows(path: string, table: string, take: (row: Row) => void): string[] {
  const reader = new TableReader(path, table);
  try {
    return reader.read(take);
  } finally {
    reader.close();
  }
}

class TableReader {
  readonly #table: string;
  readonly #sql: DatabaseSync;
  readonly #columns: readonly string[];
  /** `rowid`, or the first two columns of a primary key of numbers. */
  readonly #key: readonly string[];
  #failures = 0;
  readonly #statements: Partial<Record<'ASC' | 'DESC', StatementSync>> = {};

  constructor(path: string, table: string) {
    this.#table = quote(table);
    this.#sql = openDamaged(path);
    const columns = this.#sql.prepare(`PRAGMA table_xinfo(${this.#table})`).all() as {
      name: string;
      hidden: number;
      pk: number;
      type: string;
    }[];
    this.#columns = columns.filter(({ hidden }) => hidden === 0).map(({ name }) => quote(name));
    const listed = this.#sql.prepare(`PRAGMA table_list(${this.#table})`).get() as { wr: number } | undefined;
    const key = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
    this.#key =
      listed?.wr === 1
        ? key.filter(({ type }, index) => index < 2 && /^INT/i.test(type)).map(({ name }) => quote(name))
        : ['rowid'];
  }

  close(): void {
    this.#sql.close();
  }

  read(take: (row: Row) => void): string[] {
    if (this.#key.length === 0) return this.#readInOrder(take);
    const gaps: string[] = [];
    const waiting: [bigint, bigint][] = [[this.#place(LOWEST, LOWEST), this.#place(HIGHEST, HIGHEST)]];
    while (waiting.length > 0) {
      let [from, until] = waiting.pop()!;
      const up = this.#scan(from, until, 'ASC', take);
      if (up.isDone) continue;
      const down = this.#scan(up.reached, until, 'DESC', take);
      if (down.isDone) continue;
      [from, until] = [up.reached, down.reached];
      let isSplit = false;
      for (const place of this.#probes(from, until)) {
        if (place <= from || place >= until) continue;
        if (this.#failures > MOST_FAILURES) break;
        const above = this.#scan(place - 1n, until, 'ASC', take);
        const below = this.#scan(from, place, 'DESC', take);
        if (above.isDone && below.isDone) {
          isSplit = true;
          break;
        }
        if (above.rows > 0 || below.rows > 0) {
          if (!below.isDone) waiting.push([from, below.reached]);
          if (!above.isDone) waiting.push([above.reached, until]);
          isSplit = true;
          break;
        }
        // An end without rows.
        if (above.isDone) until = place;
        if (below.isDone) from = place - 1n;
      }
      if (!isSplit) gaps.push(`${this.#words(from)} to ${this.#words(until)}`);
    }
    return gaps;
  }

  /** Places in a gap at which there may be a page that can be read. */
  *#probes(from: bigint, until: bigint): Generator<bigint> {
    const width = until - from;
    for (let step = 1n; step < width; step *= 2n) yield from + step;
    for (let step = 1n; step < width; step *= 2n) yield until - step;
    for (let part = 1n; part < EVEN; part++) yield from + (width * part) / BigInt(EVEN);
    const begin = this.#place(0n, LOWEST);
    for (let number = 1n; number < width; number *= 2n) yield begin + number;
    if (this.#key.length > 1) for (let number = 0n; number < FIRST_NUMBERS; number++) yield this.#place(number, LOWEST);
  }

  /** Without a key of numbers there is no way past the first page that cannot be read. */
  #readInOrder(take: (row: Row) => void): string[] {
    try {
      const rows = this.#sql.prepare(`SELECT ${this.#columns.join(', ')} FROM ${this.#table}`);
      for (const row of rows.iterate()) take(row as Row);
      return [];
    } catch (error) {
      this.#failed(error);
      return ['everything after the first damaged page'];
    }
  }

  /** Reads a span without its ends, up to the first page that cannot be read. */
  #scan(
    from: bigint,
    until: bigint,
    direction: 'ASC' | 'DESC',
    take: (row: Row) => void,
  ): { isDone: boolean; reached: bigint; rows: number } {
    let reached = direction === 'ASC' ? from : until;
    let rows = 0;
    try {
      const statement = this.#statement(direction);
      for (const row of statement.iterate(...this.#numbers(from), ...this.#numbers(until))) {
        const { 'place 0': first, 'place 1': second, ...rest } = row as Record<string, Value>;
        const at = this.#place(BigInt(first as bigint), typeof second === 'bigint' ? second : LOWEST);
        // A changed page can be out of order; rows outside of the span were read, or will be.
        if (at <= from || at >= until) continue;
        take(rest);
        rows++;
        reached = at;
      }
      return { isDone: true, reached, rows };
    } catch (error) {
      this.#failed(error);
      return { isDone: false, reached, rows };
    }
  }

  #statement(direction: 'ASC' | 'DESC'): StatementSync {
    const places = this.#key.join(', ');
    const marks = this.#key.map(() => '?').join(', ');
    const statement = (this.#statements[direction] ??= this.#sql.prepare(
      `SELECT ${this.#key.map((column, index) => `${column} AS "place ${index}"`).join(', ')}, ${this.#columns.join(', ')}
      FROM ${this.#table} NOT INDEXED WHERE (${places}) > (${marks}) AND (${places}) < (${marks})
      ORDER BY ${this.#key.map((column) => `${column} ${direction}`).join(', ')}`,
    ));
    statement.setReadBigInts(true);
    return statement;
  }

  /** Two numbers as one, so that the middle of two places is a place. */
  #place(first: bigint, second: bigint): bigint {
    return this.#key.length < 2 ? first : ((first - LOWEST) << 64n) + (second - LOWEST);
  }

  #numbers(place: bigint): bigint[] {
    if (this.#key.length < 2) return [place < LOWEST ? LOWEST : place];
    const within = place < 0n ? 0n : place;
    return [(within >> 64n) + LOWEST, (within & (2n ** 64n - 1n)) + LOWEST];
  }

  #words(place: bigint): string {
    return this.#numbers(place)
      .map((number) => (number === LOWEST ? 'the first' : number === HIGHEST ? 'the last' : String(number)))
      .join('/');
  }

  /** Whatever SQLite says of a page that it cannot read counts as damage. */
  #failed(error: unknown): void {
    if ((error as { errcode?: number }).errcode === undefined || isDiskFull(error)) throw error;
    this.#failures++;
  }
}

/** Opens a database also where it is shorter than it says. */
export function openDamaged(path: string): DatabaseSync {
  const sql = new DatabaseSync(path, { readOnly: true, timeout: 5000, defensive: false });
  sql.exec('PRAGMA writable_schema = ON');
  return sql;
}

export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

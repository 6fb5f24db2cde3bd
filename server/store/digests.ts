import { hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { joinStamps } from '../../shared/merge/merge.ts';
import type { Stamps } from '../../shared/records/index.ts';
import { Statements } from './storage/statements.ts';
import type { CollectionName } from './types.ts';

/** Sums are of 128 bits, as hex text. */
const BITS = 128;
const NO_RECORDS = '0'.repeat(BITS / 4);
/** Records that are counted in one write. */
const COUNTED_AT_ONCE = 300;

/** The inputs of a digest. */
export interface DigestedRecord {
  readonly key: string;
  readonly hlc: Stamps;
}

/**
 * Hash of a record by its stamps: they fix its values. Two ways of writing the same stamps have one hash.
 */
export function recordHash(collection: CollectionName, { key, hlc }: DigestedRecord): bigint {
  const { base, fields } = joinStamps(hlc, hlc);
  const names = Object.keys(fields).sort();
  let text = `${collection}\n${key}\n${base}`;
  for (const name of names) text += `\n${name}\n${fields[name]}`;
  return BigInt(`0x${hash('sha256', text, 'hex').slice(0, BITS / 4)}`);
}

/**
 * A sum of hashes, to which records are added and removed in any order (Bellare and Micciancio, "A New
 * Paradigm for Collision-Free Hashing", 1997: AdHash).
 */
export class HashSum {
  #sum: bigint;
  records: number;

  constructor(sum = NO_RECORDS, records = 0) {
    this.#sum = BigInt(`0x${sum}`);
    this.records = records;
  }

  add(record: bigint): void {
    this.#sum = BigInt.asUintN(BITS, this.#sum + record);
    this.records++;
  }

  take(record: bigint): void {
    this.#sum = BigInt.asUintN(BITS, this.#sum - record);
    this.records--;
  }

  get text(): string {
    return this.#sum.toString(16).padStart(BITS / 4, '0');
  }
}

/** One digest for the sums of several collections. */
export function digestOf(sums: Iterable<readonly [collection: string, sum: string]>): string {
  const lines = [...sums].map(([collection, sum]) => `${collection} ${sum}`).sort();
  return hash('sha256', lines.join('\n'), 'hex').slice(0, BITS / 4);
}

/** A change of a stored record; a deleted or missing side is undefined. */
export interface DigestedChange {
  readonly before: DigestedRecord | undefined;
  readonly after: DigestedRecord | undefined;
}

/**
 * The sums of the live records of each collection, in a table that is written in the transaction of each
 * write, so that a rollback keeps them correct.
 */
export class Digests {
  readonly #write: Statements;
  readonly #read: Statements;

  constructor(writer: DatabaseSync, reader: DatabaseSync) {
    this.#write = new Statements(writer);
    this.#read = new Statements(reader);
  }

  /**
   * Begins the sum of a collection that has none. Of one with records, which are older than the sums, it is
   * counted afterwards: see `countSome`.
   */
  begin(collection: CollectionName, table: string): void {
    if (this.#write.get('SELECT 1 FROM digests WHERE records = ?').get(collection)) return;
    const isEmpty = !this.#write.get(`SELECT 1 FROM ${table} LIMIT 1`).get();
    this.#write
      .get('INSERT INTO digests (records, sum, count, upto) VALUES (?, ?, 0, ?)')
      .run(collection, NO_RECORDS, isEmpty ? null : '');
  }

  /** Counts the next records of a collection, inside a write. Returns whether all are counted. */
  countSome(collection: CollectionName, table: string): boolean {
    const { sum, upto } = rowOf(this.#write, collection);
    if (upto === null) return true;
    const rows = this.#write
      .get(
        `SELECT key, deleted, json_extract(data, '$.hlc') AS hlc FROM ${table} WHERE key > ? ORDER BY key LIMIT ${COUNTED_AT_ONCE}`,
      )
      .all(upto) as { key: string; deleted: number; hlc: string }[];
    for (const { key, deleted, hlc } of rows)
      if (deleted === 0) sum.add(recordHash(collection, { key, hlc: JSON.parse(hlc) as Stamps }));
    const isDone = rows.length < COUNTED_AT_ONCE;
    this.#save(collection, sum, isDone ? null : rows.at(-1)!.key);
    return isDone;
  }

  /** Inside the transaction of the write. What is not counted yet is left out. */
  note(collection: CollectionName, changes: readonly DigestedChange[]): void {
    const { sum, upto } = rowOf(this.#write, collection);
    const isCounted = (record: DigestedRecord) => upto === null || record.key <= upto;
    for (const { before, after } of changes) {
      if (before && isCounted(before)) sum.take(recordHash(collection, before));
      if (after && isCounted(after)) sum.add(recordHash(collection, after));
    }
    this.#save(collection, sum, upto);
  }

  /** As committed; undefined until all records are counted. */
  of(collection: CollectionName): { readonly sum: string; readonly records: number } | undefined {
    const { sum, upto } = rowOf(this.#read, collection);
    return upto === null ? { sum: sum.text, records: sum.records } : undefined;
  }

  #save(collection: CollectionName, { text, records }: HashSum, upto: string | null): void {
    this.#write
      .get('UPDATE digests SET sum = ?, count = ?, upto = ? WHERE records = ?')
      .run(text, records, upto, collection);
  }
}

function rowOf(statements: Statements, collection: CollectionName): { sum: HashSum; upto: string | null } {
  const row = statements.get('SELECT sum, count, upto FROM digests WHERE records = ?').get(collection);
  return {
    sum: row ? new HashSum(row['sum'] as string, row['count'] as number) : new HashSum(),
    upto: row ? (row['upto'] as string | null) : null,
  };
}

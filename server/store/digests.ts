import { hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { joinStamps } from '../../shared/merge/merge.ts';
import type { Stamps } from '../../shared/records/index.ts';
import { Statements } from './storage/statements.ts';
import type { CollectionName } from './types.ts';

/** Sums are of 128 bits, as hex text. */
const BITS = 128;
const NO_RECORDS = '0'.repeat(BITS / 4);

/** What a digest is made of. */
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
 * A sum of hashes, to which records are added and from which they are taken in any order (Bellare and
 * Micciancio, "A New Paradigm for Collision-Free Hashing", 1997: AdHash).
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

/** A change of a stored record; undefined where there is none that lives. */
export interface DigestedChange {
  readonly before: DigestedRecord | undefined;
  readonly after: DigestedRecord | undefined;
}

/**
 * The sums of the live records of each collection, in a table that is written in the transaction of each
 * write. So they are right whatever is undone.
 */
export class Digests {
  readonly #write: Statements;
  readonly #read: Statements;

  constructor(writer: DatabaseSync, reader: DatabaseSync) {
    this.#write = new Statements(writer);
    this.#read = new Statements(reader);
  }

  /** Counts a collection that has no sum yet: its records are older than digests. */
  begin(collection: CollectionName, table: string): void {
    if (this.#write.get('SELECT 1 FROM digests WHERE records = ?').get(collection)) return;
    const sum = new HashSum();
    const rows = this.#write
      .get(`SELECT key, json_extract(data, '$.hlc') AS hlc FROM ${table} WHERE deleted = 0`)
      .iterate() as Iterable<{ key: string; hlc: string }>;
    for (const { key, hlc } of rows) sum.add(recordHash(collection, { key, hlc: JSON.parse(hlc) as Stamps }));
    this.#write
      .get('INSERT INTO digests (records, sum, count) VALUES (?, ?, ?)')
      .run(collection, sum.text, sum.records);
  }

  /** Inside the transaction of the write. */
  note(collection: CollectionName, changes: readonly DigestedChange[]): void {
    const sum = sumOf(this.#write, collection);
    for (const { before, after } of changes) {
      if (before) sum.take(recordHash(collection, before));
      if (after) sum.add(recordHash(collection, after));
    }
    this.#write.get('UPDATE digests SET sum = ?, count = ? WHERE records = ?').run(sum.text, sum.records, collection);
  }

  /** As committed. */
  of(collection: CollectionName): { readonly sum: string; readonly records: number } {
    const { text, records } = sumOf(this.#read, collection);
    return { sum: text, records };
  }
}

function sumOf(statements: Statements, collection: CollectionName): HashSum {
  const row = statements.get('SELECT sum, count FROM digests WHERE records = ?').get(collection);
  return row ? new HashSum(row['sum'] as string, row['count'] as number) : new HashSum();
}

import type { PreparedQuery, RxDocumentData, RxJsonSchema, RxStorageCountResult, RxStorageQueryResult } from 'rxdb';
import { getQueryMatcher, getSortComparator } from 'rxdb';
import { DOCUMENT_COLUMNS, documentOf, type DocumentRow } from './documents.ts';
import type { Layout } from './layout.ts';
import { orderBy, toSql } from './mango.ts';
import type { Statements } from './statements.ts';

/** Where a reader of changes stands: the sequence number of the last write it has seen. */
export interface SeqCheckpoint {
  seq: number;
}

/** Reads the documents of one collection over one connection. */
export class DocumentReader<T> {
  readonly #layout: Layout;
  readonly #schema: Readonly<RxJsonSchema<RxDocumentData<T>>>;
  readonly #statements: Statements;

  constructor(layout: Layout, schema: Readonly<RxJsonSchema<RxDocumentData<T>>>, statements: Statements) {
    this.#layout = layout;
    this.#schema = schema;
    this.#statements = statements;
  }

  query(prepared: PreparedQuery<T>): RxStorageQueryResult<T> {
    const { query } = prepared;
    const where = toSql(query.selector, this.#layout);
    const order = orderBy(query.sort as unknown as Record<string, 'asc' | 'desc'>[], this.#layout);
    const select = `SELECT ${DOCUMENT_COLUMNS} FROM ${this.#layout.table} WHERE ${where.sql}`;
    const skip = query.skip;
    const limit = query.limit ?? Infinity;

    if (where.exact && order) {
      const rows = this.#statements
        .get(`${select} ORDER BY ${order} LIMIT ? OFFSET ?`)
        .all(...where.values, limit === Infinity ? -1 : limit, skip);
      return { documents: (rows as unknown as DocumentRow[]).map((row) => documentOf<T>(row)) };
    }

    const matches = getQueryMatcher<T>(this.#schema as RxJsonSchema<RxDocumentData<T>>, query);
    const documents: RxDocumentData<T>[] = [];
    if (order) {
      if (limit === 0) return { documents };
      let skipped = 0;
      for (const row of this.#statements.get(`${select} ORDER BY ${order}`).iterate(...where.values)) {
        const document = documentOf<T>(row as unknown as DocumentRow);
        if (!matches(document)) continue;
        if (skipped < skip) skipped++;
        else if (documents.push(document) >= limit) break;
      }
      return { documents };
    }

    for (const row of this.#statements.get(select).iterate(...where.values)) {
      const document = documentOf<T>(row as unknown as DocumentRow);
      if (where.exact || matches(document)) documents.push(document);
    }
    documents.sort(
      getSortComparator<T>(this.#schema as RxJsonSchema<RxDocumentData<T>>, query) as (
        a: RxDocumentData<T>,
        b: RxDocumentData<T>,
      ) => number,
    );
    return { documents: documents.slice(skip, skip + limit) };
  }

  count(prepared: PreparedQuery<T>): RxStorageCountResult {
    const { query } = prepared;
    const where = toSql(query.selector, this.#layout);
    if (!where.exact) return { count: this.query(prepared).documents.length, mode: 'slow' };
    const rows = `FROM ${this.#layout.table} WHERE ${where.sql}`;
    const bounded = query.limit !== undefined || query.skip > 0;
    const row = bounded
      ? this.#statements
          .get(`SELECT count(*) AS count FROM (SELECT 1 ${rows} LIMIT ? OFFSET ?)`)
          .get(...where.values, query.limit ?? -1, query.skip)
      : this.#statements.get(`SELECT count(*) AS count ${rows}`).get(...where.values);
    return { count: row!['count'] as number, mode: 'fast' };
  }

  changedSince(
    limit: number,
    checkpoint?: SeqCheckpoint,
  ): { documents: RxDocumentData<T>[]; checkpoint: SeqCheckpoint } {
    const since = checkpoint?.seq ?? 0;
    const rows = this.#statements
      .get(`SELECT ${DOCUMENT_COLUMNS}, seq FROM ${this.#layout.table} WHERE seq > ? ORDER BY seq LIMIT ?`)
      .all(since, limit) as unknown as (DocumentRow & { seq: number })[];
    return {
      documents: rows.map((row) => documentOf<T>(row)),
      checkpoint: rows.length > 0 ? { seq: rows.at(-1)!.seq } : (checkpoint ?? { seq: 0 }),
    };
  }

  find(keys: string[], withDeleted: boolean): RxDocumentData<T>[] {
    const select = `SELECT ${DOCUMENT_COLUMNS} FROM ${this.#layout.table} WHERE ${withDeleted ? '' : 'deleted = 0 AND '}key `;
    const rows =
      keys.length === 1
        ? this.#statements.get(`${select} = ?`).all(keys[0]!)
        : this.#statements.get(`${select} IN (SELECT value FROM json_each(?))`).all(JSON.stringify(keys));
    return (rows as unknown as DocumentRow[]).map((row) => documentOf<T>(row));
  }
}

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Task } from '../../../../shared/records/index.ts';
import { indexName } from '../../../store/types.ts';
import type { Split } from './list-branches.ts';
import type { Page } from './tasks-sql.ts';
import { beyondSql, candidateSql, columnsOf, TASK_INDEXES, orderSql, splitByCoverage } from './page-sql.ts';
import { PredicateSql } from '../predicates/predicate-sql.ts';
import { all, type Predicate } from '../predicates/predicate.ts';
import type { RecentTasks } from './recent-tasks.ts';

/** How many tasks a walk may examine in its index, and how many of those it may read. */
export interface WalkLimits {
  readonly looked: number;
  readonly read: number;
}

/** A candidate for the page: its row, and its position in the order. */
export interface PageCandidate {
  readonly row: number;
  readonly key: string;
  readonly by: number;
}

const KEPT_STATEMENTS = 200;

/**
 * Reads candidates along one index: first only the index, then the tasks that remain. It takes as long as it
 * takes; `TasksSql` chooses the cheapest index.
 */
export class IndexReader {
  readonly #sql: DatabaseSync;
  readonly #table: string;
  readonly #predicates: PredicateSql;
  readonly #statements = new Map<string, StatementSync>();

  constructor(sql: DatabaseSync, table: string) {
    this.#sql = sql;
    this.#table = table;
    this.#predicates = new PredicateSql(sql);
  }

  /** The matches along the order. Reads a task only if its index columns do not rule it out. */
  along(index: string, parts: Split, page: Page, bounds: WalkLimits): PageCandidate[] {
    const { uncovered } = splitByCoverage(index, parts.rest);
    if (uncovered.kind === 'always')
      return this.#promising(index, parts, page, { ...bounds, read: page.limit }, (text, values) =>
        this.#candidates(text, values),
      );
    return this.#promising(index, parts, page, bounds, (promising, values) =>
      this.#predicates.with(uncovered, (last) => {
        const matches = `EXISTS (SELECT 1 FROM ${this.#table} WHERE rowid=row AND ${last.text})`;
        return this.#candidates(`SELECT row, key, sorted FROM (${promising}) WHERE ${matches} LIMIT ?`, [
          ...values,
          ...last.values,
          page.limit,
        ]);
      }),
    );
  }

  /** Whether there are so many rows along the order that a walk reaches one of its limits. */
  reaches(index: string, parts: Split, page: Page, bounds: WalkLimits): boolean {
    if (this.countUpTo(index, parts.lead, page, bounds.looked) === bounds.looked) return true;
    if (splitByCoverage(index, parts.rest).uncovered.kind === 'always') return false;
    return (
      this.#promising(index, parts, page, bounds, (text, values) =>
        Number(this.#prepare(`SELECT count(*) AS count FROM (${text})`).get(...values)!['count']),
      ) === bounds.read
    );
  }

  /** Passes the SQL for rows along the order that the index does not rule out to `use`. */
  #promising<R>(
    index: string,
    { lead, rest }: Split,
    page: Page,
    { looked, read }: WalkLimits,
    use: (text: string, values: (number | string)[]) => R,
  ): R {
    const { covered } = splitByCoverage(index, rest);
    return this.#predicates.with(lead, (first) =>
      this.#predicates.with(covered, (then) => {
        const beyond = beyondSql(page);
        const inOrder = `SELECT ${candidateSql(page)}${columnsOf(covered)} FROM ${this.#by(index)} WHERE deleted=0 AND ${first.text}${beyond.text} ORDER BY ${orderSql(page)} LIMIT ?`;
        return use(`SELECT row, key, sorted FROM (${inOrder}) WHERE ${then.text} LIMIT ?`, [
          ...first.values,
          ...beyond.values,
          looked,
          ...then.values,
          read,
        ]);
      }),
    );
  }

  /** The first rows of a page, sorted by SQLite. */
  sorted(index: string, { lead, rest }: Split, page: Page): PageCandidate[] {
    return this.#predicates.with(all(lead, rest), ({ text, values }) => {
      const beyond = beyondSql(page);
      return this.#candidates(
        `SELECT ${candidateSql(page)} FROM ${this.#by(index)} WHERE deleted=0 AND ${text}${beyond.text} ORDER BY ${orderSql(page)} LIMIT ?`,
        [...values, ...beyond.values, page.limit],
      );
    });
  }

  /** The rows that match; undefined: `most` or more. */
  matching(index: string, { lead, rest }: Split, most: number): number[] | undefined {
    return this.#predicates.with(all(lead, rest), ({ text, values }) => {
      const rows = this.#prepare(`SELECT rowid AS row FROM ${this.#by(index)} WHERE deleted=0 AND ${text} LIMIT ?`).all(
        ...values,
        most,
      );
      return rows.length < most ? rows.map(({ row }) => Number(row)) : undefined;
    });
  }

  /** The first of these rows in the order of the page. */
  sortedRows(rows: readonly number[], page: Page): PageCandidate[] {
    const beyond = beyondSql(page);
    return this.#candidates(
      `SELECT ${candidateSql(page)} FROM ${this.#table} WHERE rowid IN (SELECT value FROM json_each(?))${beyond.text} ORDER BY ${orderSql(page)} LIMIT ?`,
      [JSON.stringify(rows), ...beyond.values, page.limit],
    );
  }

  /**
   * The best candidates, as tasks.
   * @param recent a cache to read from and to fill
   */
  tasksOf(found: readonly PageCandidate[], { direction, limit }: Page, recent?: RecentTasks): Task[] {
    const sign = direction === 'asc' ? 1 : -1;
    const distinct = [...new Map(found.map((candidate) => [candidate.row, candidate])).values()];
    const best = distinct.sort((a, b) => sign * (a.by - b.by || (a.key < b.key ? -1 : 1))).slice(0, limit);
    const known = best.map(({ key }) => recent?.get(key));
    const unknown = best.flatMap(({ row }, at) => (known[at] ? [] : [row]));
    if (unknown.length === 0) return known as Task[];
    const texts = this.#prepare(
      `SELECT rowid, data FROM ${this.#table} WHERE rowid IN (SELECT value FROM json_each(?))`,
    );
    texts.setReturnArrays(true);
    const byRow = new Map(texts.all(JSON.stringify(unknown)) as unknown as [number, string][]);
    return best.map(({ row }, at) => {
      if (known[at]) return known[at];
      const text = byRow.get(row)!;
      const task = JSON.parse(text) as Task;
      recent?.add(task, text.length);
      return task;
    });
  }

  /** The last of so many rows along the order; undefined if there are fewer. */
  nth(index: string, lead: Predicate, page: Page, number: number): PageCandidate | undefined {
    return this.#predicates.with(lead, ({ text, values }) => {
      const beyond = beyondSql(page);
      return this.#candidates(
        `SELECT ${candidateSql(page)} FROM ${this.#by(index)} WHERE deleted=0 AND ${text}${beyond.text} ORDER BY ${orderSql(page)} LIMIT 1 OFFSET ?`,
        [...values, ...beyond.values, number - 1],
      )[0];
    });
  }

  /** How many rows the index has for these conditions (behind the start of the page), at most `most`. */
  countUpTo(index: string, lead: Predicate, page: Page | undefined, most: number): number {
    return this.#predicates.with(lead, ({ text, values }) => {
      const beyond = page ? beyondSql(page) : { text: '', values: [] };
      const row = this.#prepare(
        `SELECT count(*) AS count FROM (SELECT 1 FROM ${this.#by(index)} WHERE deleted=0 AND ${text}${beyond.text} LIMIT ?)`,
      ).get(...values, ...beyond.values, most)!;
      return Number(row['count']);
    });
  }

  /** All matches at once; for predicates with few matches. */
  all(predicate: Predicate): Task[] {
    return this.#predicates.with(predicate, ({ text, values }) =>
      this.#sql
        .prepare(`SELECT data FROM ${this.#table} WHERE deleted=0 AND ${text}`)
        .all(...values)
        .map((row) => JSON.parse(String(row['data'])) as Task),
    );
  }

  #candidates(text: string, values: (number | string)[]): PageCandidate[] {
    const statement = this.#prepare(text);
    statement.setReturnArrays(true);
    return (statement.all(...values) as unknown as [number, string, number][]).map(([row, key, by]) => ({
      row,
      key,
      by,
    }));
  }

  /** Names the index for SQLite, which does not know how many rows a value has. */
  #by(index: string): string {
    return `${this.#table} INDEXED BY ${indexName(this.#table, TASK_INDEXES.get(index)!)}`;
  }

  /** Prepared statements. There are few: about as many as filters in use. */
  #prepare(text: string): StatementSync {
    const known = this.#statements.get(text);
    if (known) return known;
    if (this.#statements.size >= KEPT_STATEMENTS) this.#statements.clear();
    const statement = this.#sql.prepare(text);
    this.#statements.set(text, statement);
    return statement;
  }
}

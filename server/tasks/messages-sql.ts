import type { StatementSync } from 'node:sqlite';
import type { Message } from '../../shared/records/index.ts';
import type { Store } from '../store/door.ts';
import { PredicateSql } from './predicate-sql.ts';
import type { Predicate, ScalarField } from './predicate.ts';

/** Where a walk goes on. */
export interface WalkPosition {
  date: number;
  key: string;
}

const KEPT_STATEMENTS = 200;
const NO_FIELDS: ReadonlySet<ScalarField> = new Set();

/** Reads messages by SQL, without RxDocuments: what consoles hold. */
export class MessagesSql {
  private readonly store: Store;
  private readonly table: string;
  private readonly predicates: PredicateSql;
  private readonly statements = new Map<string, StatementSync>();

  constructor(store: Store) {
    this.store = store;
    this.table = store.table('messages');
    this.predicates = new PredicateSql(store.sql);
  }

  /**
   * Goes once over the current messages, the newest first, and gives those that satisfy the predicate. It looks at `limit` messages a step, so that a step takes
   * its time whatever is found. What is written after the walk began may be missed by it.
   */
  walk(predicate: Predicate, after: WalkPosition | undefined, limit: number): { messages: Message[]; last: WalkPosition | undefined } {
    return this.predicates.with(
      predicate,
      ({ text, values }) => {
        const beyond = after ? ' AND (date, key)<(?, ?)' : '';
        const rows = this.prepare(
          `SELECT date, key, CASE WHEN ${text} THEN data END AS found FROM ${this.table} WHERE deleted=0 AND withdrawn=0 AND archived=0${beyond} ORDER BY date DESC, key DESC LIMIT ?`,
        ).all(...values, ...(after ? [after.date, after.key] : []), limit);
        const last = rows.length === limit ? { date: Number(rows.at(-1)!['date']), key: String(rows.at(-1)!['key']) } : undefined;
        return { messages: rows.filter((row) => row['found'] !== null).map((row) => JSON.parse(String(row['found'])) as Message), last };
      },
      NO_FIELDS,
    );
  }

  all(predicate: Predicate): Message[] {
    return this.predicates.with(predicate, ({ text, values }) =>
      this.store.sql.prepare(`SELECT data FROM ${this.table} WHERE deleted=0 AND ${text}`).all(...values).map((row) => JSON.parse(String(row['data'])) as Message),
    );
  }

  /** The texts are few: as many as different filters are in use. */
  private prepare(text: string): StatementSync {
    const known = this.statements.get(text);
    if (known) return known;
    if (this.statements.size >= KEPT_STATEMENTS) this.statements.clear();
    const statement = this.store.sql.prepare(text);
    this.statements.set(text, statement);
    return statement;
  }
}

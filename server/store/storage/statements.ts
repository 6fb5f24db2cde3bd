import type { DatabaseSync, StatementSync } from 'node:sqlite';

const MAX_KEPT = 200;

/** Prepared statements of one connection, by their text; the least lately used are dropped. */
export class Statements {
  readonly #sql: DatabaseSync;
  readonly #kept = new Map<string, StatementSync>();

  constructor(sql: DatabaseSync) {
    this.#sql = sql;
  }

  get(text: string): StatementSync {
    let statement = this.#kept.get(text);
    if (statement) this.#kept.delete(text);
    else statement = this.#sql.prepare(text);
    this.#kept.set(text, statement);
    if (this.#kept.size > MAX_KEPT) this.#kept.delete(this.#kept.keys().next().value!);
    return statement;
  }

  drop(): void {
    this.#kept.clear();
  }
}

import type { Message } from '../../shared/records/index.ts';
import type { Store } from '../store/door.ts';
import type { Count } from './counts.ts';
import { column, PredicateSql, type Sql } from './predicate-sql.ts';
import { all, is, type Predicate } from './predicate.ts';

export type SortField = 'date' | 'updatedAt' | 'id' | 'authorId' | 'typeId' | 'categoryId';

export interface Page {
  sortBy: SortField;
  direction: 'asc' | 'desc';
  /** The message after which the page starts; undefined: at the first. */
  after: Message | undefined;
  limit: number;
}

/** Reads messages by SQL, without RxDocuments: lists, counts and what consoles hold. */
export class MessagesSql {
  private readonly store: Store;
  private readonly table: string;
  private readonly predicates: PredicateSql;

  constructor(store: Store) {
    this.store = store;
    this.table = store.table('messages');
    this.predicates = new PredicateSql(store.sql);
  }

  /**
   * One page in the asked order, ties by id in the direction of the sort. It goes on behind the *value* of `after`, so that each message comes once,
   * however many are added or deleted between two pages.
   */
  page(predicate: Predicate, page: Page): Message[] {
    const found = branches(predicate).flatMap((branch) => this.branchPage(branch, page));
    const distinct = [...new Map(found.map((message) => [message.id, message])).values()];
    return distinct.sort(inOrder(page)).slice(0, page.limit);
  }

  /** Numbers by status. */
  countByStatus(predicate: Predicate): Count['byStatus'] {
    const counts = [0, 0, 0, 0, 0];
    this.predicates.with(predicate, ({ text, values }) => {
      for (const row of this.store.sql.prepare(`SELECT status, count(*) AS count FROM ${this.table} WHERE deleted=0 AND ${text} GROUP BY status`).iterate(...values)) {
        counts[Number(row['status'])] = Number(row['count']);
      }
    });
    return counts;
  }

  /** In the order of writing, after the sequence number `after` and up to `till`. */
  bySequence(predicate: Predicate, after: number, till: number, limit: number): { message: Message; seq: number }[] {
    return this.predicates.with(predicate, ({ text, values }) =>
      this.store.sql
        .prepare(`SELECT data, seq FROM ${this.table} WHERE seq>? AND seq<=? AND deleted=0 AND ${text} ORDER BY seq LIMIT ?`)
        .all(after, till, ...values, limit)
        .map((row) => ({ message: JSON.parse(String(row['data'])) as Message, seq: Number(row['seq']) })),
    );
  }

  all(predicate: Predicate): Message[] {
    return this.predicates.with(predicate, ({ text, values }) =>
      this.store.sql.prepare(`SELECT data FROM ${this.table} WHERE deleted=0 AND ${text}`).all(...values).map((row) => JSON.parse(String(row['data'])) as Message),
    );
  }

  private branchPage(predicate: Predicate, page: Page): Message[] {
    return this.predicates.with(predicate, (condition) => {
      const { text, values } = pageSql(this.table, condition, page);
      return this.store.sql.prepare(text).all(...values).map((row) => JSON.parse(String(row['data'])) as Message);
    });
  }
}

/** The key of a message is its id, padded: it sorts as the id does, and every index ends with it. */
function pageSql(table: string, condition: Sql, { sortBy, direction, after, limit }: Page): { text: string; values: (number | string)[] } {
  const sorted = sortBy === 'id' ? 'key' : `${column(sortBy)}`;
  const order = sortBy === 'id' ? `key ${direction}` : `${sorted} ${direction}, key ${direction}`;
  const beyond = direction === 'asc' ? '>' : '<';
  const from = after === undefined ? '' : sortBy === 'id' ? ` AND key${beyond}?` : ` AND (${sorted}, key)${beyond}(?, ?)`;
  const start = after === undefined ? [] : sortBy === 'id' ? [after.key] : [after[sortBy], after.key];
  return { text: `SELECT data FROM ${table} WHERE deleted=0 AND ${condition.text}${from} ORDER BY ${order} LIMIT ?`, values: [...condition.values, ...start, limit] };
}

/**
 * Alternatives are read apart, each along its own index, and the archived apart from the current: an index can give an order only where what stands
 * before it is one value. Together they give what one query would, without sorting all that matches.
 */
function branches(predicate: Predicate): Predicate[] {
  const parts = predicate.kind === 'all' ? predicate.of : [predicate];
  const choice = parts.find((part) => part.kind === 'any');
  const chosen = choice?.kind === 'any' ? choice.of.map((alternative) => all(...parts.map((part) => (part === choice ? alternative : part)))) : [predicate];
  return chosen.flatMap((one) => (mentions(one, 'archived') ? [one] : [all(is('archived', false), one), all(is('archived', true), one)]));
}

function mentions(predicate: Predicate, field: string): boolean {
  if (predicate.kind === 'all') return predicate.of.some((part) => mentions(part, field));
  return predicate.kind === 'in' && predicate.field === field;
}

function inOrder({ sortBy, direction }: Page): (a: Message, b: Message) => number {
  const sign = direction === 'asc' ? 1 : -1;
  return (a, b) => sign * (a[sortBy] - b[sortBy] || a.id - b.id);
}


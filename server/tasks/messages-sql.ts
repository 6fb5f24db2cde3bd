import type { StatementSync } from 'node:sqlite';
import type { Message } from '../../shared/records/index.ts';
import type { Store } from '../store/door.ts';
import type { CountStep } from './counts.ts';
import { column, PredicateSql, type Sql } from './predicate-sql.ts';
import { all, fieldsOf, is, type Predicate, type ScalarField } from './predicate.ts';

export type SortField = 'date' | 'updatedAt' | 'id' | 'authorId' | 'typeId' | 'categoryId';

export interface Page {
  sortBy: SortField;
  direction: 'asc' | 'desc';
  /** The message after which the page starts; undefined: at the first. */
  after: Message | undefined;
  limit: number;
}

/** Where a walk goes on. */
export interface WalkPosition {
  date: number;
  key: string;
}

const OWNERS: ReadonlySet<ScalarField> = new Set(['departmentId', 'assignedDepartmentId', 'assignedUserId']);
const FLAGS: ReadonlySet<ScalarField> = new Set(['withdrawn', 'archived']);
/** The fields that stand before the date in an index. */
const BY_DATE: ReadonlySet<ScalarField> = new Set([...FLAGS, ...OWNERS]);
const NO_FIELDS: ReadonlySet<ScalarField> = new Set();
/** What stands before the field in the index that gives the order, and the field itself. */
const LEADS: Readonly<Record<SortField, ReadonlySet<ScalarField>>> = {
  date: BY_DATE,
  // A list of some types by type starts at them instead of passing all the others.
  authorId: new Set([...FLAGS, 'authorId']),
  typeId: new Set([...FLAGS, 'typeId']),
  categoryId: new Set([...FLAGS, 'categoryId']),
  updatedAt: NO_FIELDS,
  id: NO_FIELDS,
};
const KEPT_STATEMENTS = 200;
/** Fields of one index that holds the status, too. */
const COUNTED_BY_INDEX: ReadonlySet<string> = new Set(['withdrawn', 'archived', 'departmentId', 'status']);
/** Messages that are read in a few milliseconds. */
const COUNTED_AT_ONCE = 1_000;

/** Reads messages by SQL, without RxDocuments: lists, counts and what consoles hold. */
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
   * One page in the asked order, ties by id in the direction of the sort. It goes on behind the *value* of `after`, so that each message comes once,
   * however many are added or deleted between two pages.
   */
  page(predicate: Predicate, page: Page): Message[] {
    const found = branches(predicate).flatMap((branch) => this.branchPage(branch, page));
    const distinct = [...new Map(found.map((message) => [message.id, message])).values()];
    return distinct.sort(inOrder(page)).slice(0, page.limit);
  }

  /** Numbers by status: all at once where an index alone tells, else of the next messages in the order of their keys. */
  countOn(predicate: Predicate, after: string | undefined): CountStep {
    const byStatus = [0, 0, 0, 0, 0];
    const add = (rows: Iterable<Record<string, unknown>>): void => {
      for (const row of rows) byStatus[Number(row['status'])]! += Number(row['count']);
    };
    if (fieldsOf(predicate).every((field) => COUNTED_BY_INDEX.has(field))) {
      this.predicates.with(predicate, ({ text, values }) => add(this.prepare(`SELECT status, count(*) AS count FROM ${this.table} WHERE deleted=0 AND ${text} GROUP BY status`).all(...values)));
      return { byStatus, last: undefined };
    }
    const last = this.prepare(`SELECT key FROM ${this.table} WHERE key>? ORDER BY key LIMIT 1 OFFSET ?`).get(after ?? '', COUNTED_AT_ONCE - 1)?.['key'] as string | undefined;
    this.predicates.with(
      predicate,
      ({ text, values }) => {
        const range = `+deleted=0 AND key>?${last === undefined ? '' : ' AND key<=?'}`;
        add(this.prepare(`SELECT +status AS status, count(*) AS count FROM ${this.table} WHERE ${range} AND ${text} GROUP BY +status`).all(after ?? '', ...(last === undefined ? [] : [last]), ...values));
      },
      NO_FIELDS,
    );
    return { byStatus, last };
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

  private branchPage(predicate: Predicate, page: Page): Message[] {
    return this.predicates.with(
      predicate,
      (condition) => {
        const { text, values } = pageSql(this.table, condition, page);
        return this.prepare(text).all(...values).map((row) => JSON.parse(String(row['data'])) as Message);
      },
      LEADS[page.sortBy],
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

/** The key of a message is its id, padded: it sorts as the id does, and every index ends with it. */
function pageSql(table: string, condition: Sql, { sortBy, direction, after, limit }: Page): { text: string; values: (number | string)[] } {
  const sorted = sortBy === 'id' ? 'key' : `${column(sortBy)}`;
  const order = sortBy === 'id' ? `key ${direction}` : `${sorted} ${direction}, key ${direction}`;
  const beyond = direction === 'asc' ? '>' : '<';
  const from = after === undefined ? '' : sortBy === 'id' ? ` AND key${beyond}?` : ` AND (${sorted}, key)${beyond}(?, ?)`;
  const start = after === undefined ? [] : sortBy === 'id' ? [after.key] : [after[sortBy], after.key];
  const live = sortBy === 'id' ? '+deleted=0' : 'deleted=0'; // the key stands alone in its index
  return { text: `SELECT data FROM ${table} WHERE ${live} AND ${condition.text}${from} ORDER BY ${order} LIMIT ?`, values: [...condition.values, ...start, limit] };
}

/**
 * Alternatives are read apart, each along its own index, and the archived apart from the current: an index can give an order only where what stands
 * before it is one value. Together they give what one query would, without sorting all that matches.
 */
function branches(predicate: Predicate): Predicate[] {
  const parts = predicate.kind === 'all' ? predicate.of : [predicate];
  const choice = parts.find((part) => part.kind === 'any' && part.of.every(leads));
  if (choice?.kind === 'any') return choice.of.flatMap((alternative) => branches(all(...parts.map((part) => (part === choice ? alternative : part)))));
  return mentions(predicate, 'archived') ? [predicate] : [all(is('archived', false), predicate), all(is('archived', true), predicate)];
}

/** Whether the rows of an alternative can be found along an index of their own. */
function leads(alternative: Predicate): boolean {
  if (alternative.kind === 'any') return alternative.of.every(leads);
  return [...OWNERS].some((field) => mentions(alternative, field)) || (alternative.kind === 'all' && alternative.of.some(leads));
}

function mentions(predicate: Predicate, field: string): boolean {
  if (predicate.kind === 'all') return predicate.of.some((part) => mentions(part, field));
  return predicate.kind === 'in' && predicate.field === field;
}

function inOrder({ sortBy, direction }: Page): (a: Message, b: Message) => number {
  const sign = direction === 'asc' ? 1 : -1;
  return (a, b) => sign * (a[sortBy] - b[sortBy] || a.id - b.id);
}


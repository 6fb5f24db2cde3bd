import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Message } from '../../shared/records/index.ts';
import { indexName } from '../store/door.ts';
import { branches, currentAndArchived, equals, narrows, OWNERS, partsOf, split, type Split } from './list-branches.ts';
import { Budget, NARROW, Ways, type NarrowIndex, type Way } from './list-ways.ts';
import { beyondSql, candidateSql, columnsOf, covers, INDEXES, orderSql, toldApart } from './page-sql.ts';
import { PredicateSql } from './predicate-sql.ts';
import type { RecentMessages } from './recent-messages.ts';
import { all, is, keyOf, type Predicate, type ScalarField } from './predicate.ts';

export type SortField = 'date' | 'updatedAt' | 'id' | 'authorId' | 'typeId' | 'categoryId';

export interface Page {
  sortBy: SortField;
  direction: 'asc' | 'desc';
  /** The message after which the page starts; undefined: at the first. */
  after: Place | undefined;
  limit: number;
}

export type Place = Pick<Message, 'key' | SortField>;

/** Where a walk goes on. */
export type WalkPosition = Pick<Place, 'date' | 'key'>;
const NOWHERE = { id: 0, updatedAt: 0, authorId: 0, typeId: 0, categoryId: 0 };

/** Where a message stands in each order. */
export function placeOf({ key, id, date, updatedAt, authorId, typeId, categoryId }: Message): Place {
  return { key, id, date, updatedAt, authorId, typeId, categoryId };
}

/** How many messages may be looked at for a page, in indexes. */
export interface Effort {
  /** Along the order of the page. */
  readonly walk: number;
  /** Of those along the order, so many may be read where the index does not rule them out. */
  readonly read: number;
  /** Of those that a part of the filter leaves; a tenth of that where the messages have to be read. */
  readonly narrow: number;
}

/** A little of each way before much of any. The last is some milliseconds: what the event loop can spare. */
export const ON_THE_EVENT_LOOP: readonly Effort[] = [{ walk: 1_000, read: 100, narrow: 3_000 }, { walk: 4_000, read: 400, narrow: 10_000 }, { walk: 18_000, read: 700, narrow: 30_000 }];
/** What the event loop may spend on a list that it does not know yet, all branches and ways together: some milliseconds. Another thread looks further. */
export const FIRST_LOOK = 20_000;
/** What costs less than to look at everything. */
const IN_A_WORKER: readonly Effort[] = [{ walk: 50_000, read: 5_000, narrow: 400_000 }];
const READING = 10;

/** How many messages a walk may look at in its index, and how many of those it may read. */
interface Bounds {
  readonly looked: number;
  readonly read: number;
}

/** A message that may be on the page: where it lies, and where it stands in the order. */
interface Candidate {
  readonly row: number;
  readonly key: string;
  readonly by: number;
}

/** An index along which a part of the filter leaves few messages. */
interface Few {
  readonly index: NarrowIndex;
  readonly parts: Split;
  /** Whether no message has to be read for the filter or the order. */
  readonly tellsAll: boolean;
}

/** What a branch has, found along an index. */
interface Found {
  readonly index: NarrowIndex;
  readonly candidates: readonly Candidate[];
}

const FLAGS: readonly ScalarField[] = ['withdrawn', 'archived'];
const KEPT_STATEMENTS = 200;
/** A step of a walk looks at so many messages in an index. */
const WALKED = 10_000;

/**
 * Reads messages by SQL, without RxDocuments. Pages come in the asked order, ties by id in the direction of the sort. A page goes on behind the *value* of `after`, so that each message comes once, however
 * many are added or deleted between two pages.
 */
export class MessagesSql {
  private readonly sql: DatabaseSync;
  private readonly table: string;
  private readonly predicates: PredicateSql;
  private readonly recent: RecentMessages | undefined;
  private readonly statements = new Map<string, StatementSync>();
  private readonly ways = new Ways();
  /** While a way is looked for. */
  private budget: Budget | undefined;

  /** @param recent what pages show is taken from there and kept there */
  constructor(sql: DatabaseSync, table: string, recent?: RecentMessages) {
    this.sql = sql;
    this.table = table;
    this.recent = recent;
    this.predicates = new PredicateSql(sql);
  }

  /** The page when it is found with so much effort; otherwise undefined. Looking for a way that is not known yet ends when the budget does. */
  within(efforts: readonly Effort[], predicate: Predicate, page: Page, budget = new Budget(Infinity)): Message[] | undefined {
    const known = this.ways.take(efforts, listOf(predicate, page));
    if (known?.kind === 'none') return undefined;
    const found = (known && this.byWay(known, efforts, predicate, page)) ?? this.find(efforts, predicate, page, budget);
    return found && this.best(found, page, this.recent);
  }

  /** As `read`, with the way that `within` would find, for another thread that may not look for long. */
  readWithWay(efforts: readonly Effort[], predicate: Predicate, page: Page): { messages: Message[]; way: Way } {
    const list = listOf(predicate, page);
    const known = this.ways.take(efforts, list)?.kind === 'none';
    const found = known ? undefined : this.find(efforts, predicate, page, new Budget(Infinity));
    return { messages: found ? this.best(found, page) : this.read(predicate, page), way: (found && this.ways.take(efforts, list)) ?? { kind: 'none' } };
  }

  /** Another thread has found this way to the page. */
  learn(efforts: readonly Effort[], predicate: Predicate, page: Page, way: Way): void {
    this.ways.remember(efforts, listOf(predicate, page), way);
  }

  /** Tries each way, and remembers which it was. */
  private find(efforts: readonly Effort[], predicate: Predicate, page: Page, budget: Budget): Candidate[] | undefined {
    const list = listOf(predicate, page);
    const walkFirst = covers(page.sortBy, predicate);
    this.budget = budget;
    try {
      for (const [level, effort] of efforts.entries()) {
        const walk = () => {
          const found = this.walked(predicate, page, { looked: effort.walk, read: effort.read });
          if (found) this.ways.remember(efforts, list, { kind: 'walk', level });
          return found;
        };
        const narrow = (few: readonly Few[][]) => {
          const found = this.fromFew(few, page, effort.narrow);
          if (found) this.ways.remember(efforts, list, { kind: 'narrow', level, indexes: found.map(({ index }) => index) });
          return found?.flatMap(({ candidates }) => candidates);
        };
        // What is decided in an index alone is tried before messages are read.
        const early = walkFirst ? walk() : undefined;
        if (early) return early;
        const few = this.few(predicate, page, effort.narrow);
        const found = narrow(few.map((indexes) => indexes.filter(({ tellsAll }) => tellsAll))) ?? (walkFirst ? undefined : walk()) ?? narrow(few);
        if (found) return found;
      }
    } catch (error) {
      if (error === SPENT) return undefined;
      throw error;
    } finally {
      this.budget = undefined;
    }
    this.ways.remember(efforts, list, { kind: 'none' });
    return undefined;
  }

  /** Before something is looked at that may be so much. */
  private spend(most: number): void {
    if (this.budget && !this.budget.spend(most)) throw SPENT;
  }

  private byWay(way: Exclude<Way, { kind: 'none' }>, efforts: readonly Effort[], predicate: Predicate, page: Page): Candidate[] | undefined {
    const effort = efforts[way.level]!;
    if (way.kind === 'walk') return this.walked(predicate, page, { looked: effort.walk, read: effort.read });
    return branches(predicate).flatMap((branch, at) => this.sorted(way.indexes[at]!, narrowParts(branch, way.indexes[at]!), page));
  }

  /** The page, whatever it takes: in the end all messages are looked at in the index that holds most of what one can filter by. */
  read(predicate: Predicate, page: Page): Message[] {
    return this.within(IN_A_WORKER, predicate, page) ?? this.best(this.sorted('everything', split(predicate, [...FLAGS, ...NARROW.everything]), page), page);
  }

  /**
   * Goes once over the current messages, the newest first, and gives up to `limit` that satisfy the predicate, and where to go on. A step takes its time whatever is found: it
   * may find nothing. What is written after the walk began may be missed by it.
   */
  walk(predicate: Predicate, after: WalkPosition | undefined, limit: number): { messages: Message[]; last: WalkPosition | undefined } {
    const page: Page = { sortBy: 'date', direction: 'desc', after: after && { ...NOWHERE, ...after }, limit };
    const parts = split(all(is('withdrawn', false), is('archived', false), predicate), FLAGS);
    const looked = covers('date', parts.rest) ? Math.max(WALKED, limit) : limit;
    const found = this.along('date', parts, page, { looked, read: limit });
    const last = found.length === limit ? found.at(-1) : this.nth('date', parts.lead, page, looked);
    return { messages: this.best(found, page), last: last && { date: last.by, key: last.key } };
  }

  /** All at once, for what there are few of. */
  all(predicate: Predicate): Message[] {
    return this.predicates.with(predicate, ({ text, values }) =>
      this.sql.prepare(`SELECT data FROM ${this.table} WHERE deleted=0 AND ${text}`).all(...values).map((row) => JSON.parse(String(row['data'])) as Message),
    );
  }

  /** Looks along the order of the page. Undefined: it has looked at as many messages as it may, and the page is not full. */
  private walked(predicate: Predicate, page: Page, bounds: Bounds): Candidate[] | undefined {
    const found: Candidate[] = [];
    // An index can give an order only where what stands before it is one value.
    for (const branch of page.sortBy === 'date' ? branches(predicate) : currentAndArchived(predicate)) {
      const owner = page.sortBy === 'date' ? OWNERS.find((field) => equals(branch, field)) : undefined;
      const index = owner ?? page.sortBy;
      const parts = split(branch, owner ? [...FLAGS, owner, 'date'] : page.sortBy === 'id' ? FLAGS : [...FLAGS, page.sortBy]);
      this.spend(bounds.looked + (covers(index, parts.rest) ? 0 : READING * bounds.read));
      const candidates = this.along(index, parts, page, bounds);
      if (candidates.length >= page.limit) {
        found.push(...candidates);
        continue;
      }
      this.spend(2 * bounds.looked);
      if (this.reaches(index, parts, page, bounds)) return undefined;
      found.push(...candidates);
    }
    return found;
  }

  /** Indexes along which parts of the filter leave few messages, for each branch; one that tells all that the page needs comes last. Nothing where a branch has none. */
  private few(predicate: Predicate, page: Page, effort: number): Few[][] {
    const found: Few[][] = [];
    for (const branch of branches(predicate)) {
      const indexes = this.fewOf(branch, page, effort);
      if (indexes.length === 0) return [];
      found.push(indexes);
    }
    return found;
  }

  private fewOf(branch: Predicate, page: Page, effort: number): Few[] {
    const found: Few[] = [];
    for (const [index, fields] of Object.entries(NARROW) as [NarrowIndex, readonly ScalarField[]][]) {
      if (!partsOf(branch).some((part) => narrows(part, fields[0]!))) continue;
      const parts = narrowParts(branch, index);
      const most = covers(index, parts.rest) ? effort : Math.ceil(effort / READING);
      this.spend(most);
      if (this.countUpTo(index, parts.lead, undefined, most) === most) continue;
      const tellsAll = covers(index, all(parts.rest, is(page.sortBy, 0)));
      found.push({ index, parts, tellsAll });
      if (tellsAll) break;
    }
    return found;
  }

  /** Looks at those few and sorts them, branch by branch. Undefined: for one of the branches there is no such index, or too many match. */
  private fromFew(few: readonly (readonly Few[])[], page: Page, effort: number): Found[] | undefined {
    if (few.length === 0 || few.some((indexes) => indexes.length === 0)) return undefined;
    const found: Found[] = [];
    for (const indexes of few) {
      const ofBranch = this.firstOf(indexes, page, effort);
      if (!ofBranch) return undefined;
      found.push(ofBranch);
    }
    return found;
  }

  private firstOf(indexes: readonly Few[], page: Page, effort: number): Found | undefined {
    for (const { index, parts, tellsAll } of indexes) {
      this.spend(effort);
      if (tellsAll) return { index, candidates: this.sorted(index, parts, page) };
      // The messages that match have to be read to be sorted: those had better be few, too.
      const rows = this.matching(index, parts, Math.ceil(effort / READING));
      if (rows) return { index, candidates: this.sortedRows(rows, page) };
    }
    return undefined;
  }

  /** What matches along the order. A message is read only where what the index tells of it does not rule it out. */
  private along(index: string, parts: Split, page: Page, bounds: Bounds): Candidate[] {
    const { untold } = toldApart(index, parts.rest);
    if (untold.kind === 'always') return this.promising(index, parts, page, { ...bounds, read: page.limit }, (text, values) => this.candidates(text, values));
    return this.promising(index, parts, page, bounds, (promising, values) =>
      this.predicates.with(untold, (last) => {
        const matches = `EXISTS (SELECT 1 FROM ${this.table} WHERE rowid=row AND ${last.text})`;
        return this.candidates(`SELECT row, key, sorted FROM (${promising}) WHERE ${matches} LIMIT ?`, [...values, ...last.values, page.limit]);
      }),
    );
  }

  /** Whether there is so much along the order that a walk ends at one of its bounds. */
  private reaches(index: string, parts: Split, page: Page, bounds: Bounds): boolean {
    if (this.countUpTo(index, parts.lead, page, bounds.looked) === bounds.looked) return true;
    if (toldApart(index, parts.rest).untold.kind === 'always') return false;
    return this.promising(index, parts, page, bounds, (text, values) => Number(this.prepare(`SELECT count(*) AS count FROM (${text})`).get(...values)!['count'])) === bounds.read;
  }

  /** Gives to `use` the SQL for those along the order that the index does not rule out. */
  private promising<R>(index: string, { lead, rest }: Split, page: Page, { looked, read }: Bounds, use: (text: string, values: (number | string)[]) => R): R {
    const { told } = toldApart(index, rest);
    return this.predicates.with(lead, (first) =>
      this.predicates.with(told, (then) => {
        const beyond = beyondSql(page);
        const inOrder = `SELECT ${candidateSql(page)}${columnsOf(told)} FROM ${this.by(index)} WHERE deleted=0 AND ${first.text}${beyond.text} ORDER BY ${orderSql(page)} LIMIT ?`;
        return use(`SELECT row, key, sorted FROM (${inOrder}) WHERE ${then.text} LIMIT ?`, [...first.values, ...beyond.values, looked, ...then.values, read]);
      }),
    );
  }

  private sorted(index: string, { lead, rest }: Split, page: Page): Candidate[] {
    return this.predicates.with(all(lead, rest), ({ text, values }) => {
      const beyond = beyondSql(page);
      return this.candidates(`SELECT ${candidateSql(page)} FROM ${this.by(index)} WHERE deleted=0 AND ${text}${beyond.text} ORDER BY ${orderSql(page)} LIMIT ?`, [...values, ...beyond.values, page.limit]);
    });
  }

  /** Undefined: there are as many as `most`. */
  private matching(index: string, { lead, rest }: Split, most: number): number[] | undefined {
    return this.predicates.with(all(lead, rest), ({ text, values }) => {
      const rows = this.prepare(`SELECT rowid AS row FROM ${this.by(index)} WHERE deleted=0 AND ${text} LIMIT ?`).all(...values, most);
      return rows.length < most ? rows.map(({ row }) => Number(row)) : undefined;
    });
  }

  private sortedRows(rows: readonly number[], page: Page): Candidate[] {
    const beyond = beyondSql(page);
    return this.candidates(`SELECT ${candidateSql(page)} FROM ${this.table} WHERE rowid IN (SELECT value FROM json_each(?))${beyond.text} ORDER BY ${orderSql(page)} LIMIT ?`, [JSON.stringify(rows), ...beyond.values, page.limit]);
  }

  private candidates(text: string, values: (number | string)[]): Candidate[] {
    const statement = this.prepare(text);
    statement.setReturnArrays(true);
    return (statement.all(...values) as unknown as [number, string, number][]).map(([row, key, by]) => ({ row, key, by }));
  }

  /** The messages themselves are read when all else is decided. */
  private best(found: readonly Candidate[], { direction, limit }: Page, recent?: RecentMessages): Message[] {
    const sign = direction === 'asc' ? 1 : -1;
    const distinct = [...new Map(found.map((candidate) => [candidate.row, candidate])).values()];
    const best = distinct.sort((a, b) => sign * (a.by - b.by || (a.key < b.key ? -1 : 1))).slice(0, limit);
    const known = best.map(({ key }) => recent?.get(key));
    const unknown = best.flatMap(({ row }, at) => (known[at] ? [] : [row]));
    if (unknown.length === 0) return known as Message[];
    const texts = this.prepare(`SELECT rowid, data FROM ${this.table} WHERE rowid IN (SELECT value FROM json_each(?))`);
    texts.setReturnArrays(true);
    const byRow = new Map(texts.all(JSON.stringify(unknown)) as unknown as [number, string][]);
    return best.map(({ row }, at) => {
      if (known[at]) return known[at];
      const text = byRow.get(row)!;
      const message = JSON.parse(text) as Message;
      recent?.add(message, text.length);
      return message;
    });
  }

  /** The last of so many along the order; undefined when there are fewer. */
  private nth(index: string, lead: Predicate, page: Page, number: number): Candidate | undefined {
    return this.predicates.with(lead, ({ text, values }) => {
      const beyond = beyondSql(page);
      return this.candidates(`SELECT ${candidateSql(page)} FROM ${this.by(index)} WHERE deleted=0 AND ${text}${beyond.text} ORDER BY ${orderSql(page)} LIMIT 1 OFFSET ?`, [...values, ...beyond.values, number - 1])[0];
    });
  }

  /** How many rows the index has for these conditions (behind where the page starts), or `most` when there are more. */
  private countUpTo(index: string, lead: Predicate, page: Page | undefined, most: number): number {
    return this.predicates.with(lead, ({ text, values }) => {
      const beyond = page ? beyondSql(page) : { text: '', values: [] };
      const row = this.prepare(`SELECT count(*) AS count FROM (SELECT 1 FROM ${this.by(index)} WHERE deleted=0 AND ${text}${beyond.text} LIMIT ?)`).get(...values, ...beyond.values, most)!;
      return Number(row['count']);
    });
  }

  /** SQLite is told which index to take, since it does not know how many rows a value has. */
  private by(index: string): string {
    return `${this.table} INDEXED BY ${indexName(this.table, INDEXES.get(index)!)}`;
  }

  /** The texts are few: as many as different filters are in use. */
  private prepare(text: string): StatementSync {
    const known = this.statements.get(text);
    if (known) return known;
    if (this.statements.size >= KEPT_STATEMENTS) this.statements.clear();
    const statement = this.sql.prepare(text);
    this.statements.set(text, statement);
    return statement;
  }
}

/** Where a list begins, its messages may lie closer together than further on. */
function listOf(predicate: Predicate, page: Page): string {
  return `${page.after ? 'on' : 'first'} ${page.sortBy} ${page.direction} ${keyOf(predicate)}`;
}

const SPENT = new Error('Looking for a way would take longer than there is time for.');

function narrowParts(branch: Predicate, index: NarrowIndex): Split {
  return split(branch, [...FLAGS, ...NARROW[index]]);
}

import type { DatabaseSync } from 'node:sqlite';
import type { Task } from '../../../shared/records/index.ts';
import { IndexReader, type Bounds, type Candidate } from './index-reader.ts';
import { branches, currentAndArchived, equals, narrows, OWNERS, partsOf, split, type Split } from './list-branches.ts';
import { Budget, NARROW, QueryPlans, type NarrowIndex, type QueryPlan } from './query-plans.ts';
import { covers } from './page-sql.ts';
import type { RecentTasks } from './recent-tasks.ts';
import { all, is, keyOf, type Predicate, type ScalarField } from '../predicates/predicate.ts';

export type SortField = 'date' | 'updatedAt' | 'id' | 'authorId' | 'typeId' | 'categoryId';

export interface Page {
  sortBy: SortField;
  direction: 'asc' | 'desc';
  /** The message after which the page starts; undefined: at the first. */
  after: Place | undefined;
  limit: number;
}

export type Place = Pick<Task, 'key' | SortField>;

/** Where a walk goes on. */
export type WalkPosition = Pick<Place, 'date' | 'key'>;
/** What else a place says: a walk goes by dates. */
const NOWHERE = { id: 0, updatedAt: 0, authorId: 0, typeId: 0, categoryId: 0 };

/** Where a message stands in each order. */
export function placeOf({ key, id, date, updatedAt, authorId, typeId, categoryId }: Task): Place {
  return { key, id, date, updatedAt, authorId, typeId, categoryId };
}

/** How many messages may be looked at for a page, in indexes. */
export interface ScanBudget {
  /** Along the order of the page. */
  readonly walk: number;
  /** Of those along the order, so many may be read where the index does not rule them out. */
  readonly read: number;
  /** Of those that a part of the filter leaves; a tenth of that where the messages have to be read. */
  readonly narrow: number;
}

/** A little of each way before much of any. The last is some milliseconds: what the event loop can spare. */
export const ON_THE_EVENT_LOOP: readonly ScanBudget[] = [
  { walk: 1_000, read: 100, narrow: 3_000 },
  { walk: 4_000, read: 400, narrow: 10_000 },
  { walk: 18_000, read: 700, narrow: 30_000 },
];
/**
 * What the event loop may spend on a list that it does not know yet, all branches and ways together: some
 * milliseconds. Another thread looks further.
 */
export const FIRST_LOOK = 20_000;
/** What costs less than to look at everything. */
const IN_A_WORKER: readonly ScanBudget[] = [{ walk: 50_000, read: 5_000, narrow: 400_000 }];
/** To read a message costs as much as to look at so many in an index. */
const READING = 10;

/** An index along which a part of the filter leaves few messages. */
interface IndexScan {
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

const FLAGS: readonly ScalarField[] = ['isDeleted', 'archived'];
/** A step of a walk looks at so many messages in an index. */
const WALKED = 10_000;

/**
 * Reads messages by SQL, without RxDocuments. Pages come in the asked order, ties by id in the direction of
 * the sort. A page goes on behind the *value* of `after`, so that each message comes once, however many are
 * added or deleted between two pages.
 */
export class TasksSql {
  readonly #reader: IndexReader;
  readonly #recent: RecentTasks | undefined;
  readonly #ways = new QueryPlans();
  /** While a way is looked for. */
  #budget: Budget | undefined;

  /** @param recent what pages show is taken from there and kept there */
  constructor(sql: DatabaseSync, table: string, recent?: RecentTasks) {
    this.#reader = new IndexReader(sql, table);
    this.#recent = recent;
  }

  /**
   * The page when it is found with so much effort; otherwise undefined. Looking for a way that is not known
   * yet ends when the budget does.
   */
  within(
    efforts: readonly ScanBudget[],
    predicate: Predicate,
    page: Page,
    budget = new Budget(Infinity),
  ): Task[] | undefined {
    const known = this.#ways.take(efforts, listOf(predicate, page));
    if (known?.kind === 'none') return undefined;
    const found =
      (known && this.#byWay(known, efforts, predicate, page)) ?? this.#find(efforts, predicate, page, budget);
    return found && this.#reader.tasksOf(found, page, this.#recent);
  }

  /** As `read`, with the way that `within` would find, for another thread that may not look for long. */
  readWithPlan(efforts: readonly ScanBudget[], predicate: Predicate, page: Page): { tasks: Task[]; way: QueryPlan } {
    const list = listOf(predicate, page);
    const known = this.#ways.take(efforts, list)?.kind === 'none';
    const found = known ? undefined : this.#find(efforts, predicate, page, new Budget(Infinity));
    return {
      tasks: found ? this.#reader.tasksOf(found, page) : this.read(predicate, page),
      way: (found && this.#ways.take(efforts, list)) ?? { kind: 'none' },
    };
  }

  /** Another thread has found this way to the page. */
  learn(efforts: readonly ScanBudget[], predicate: Predicate, page: Page, way: QueryPlan): void {
    this.#ways.remember(efforts, listOf(predicate, page), way);
  }

  /** Tries each way, and remembers which it was. */
  #find(efforts: readonly ScanBudget[], predicate: Predicate, page: Page, budget: Budget): Candidate[] | undefined {
    const list = listOf(predicate, page);
    const walkFirst = covers(page.sortBy, predicate);
    this.#budget = budget;
    try {
      for (const [level, effort] of efforts.entries()) {
        const walk = () => {
          const found = this.#walked(predicate, page, { looked: effort.walk, read: effort.read });
          if (found) this.#ways.remember(efforts, list, { kind: 'walk', level });
          return found;
        };
        const narrow = (few: readonly IndexScan[][]) => {
          const found = this.#fromFew(few, page, effort.narrow);
          if (found)
            this.#ways.remember(efforts, list, { kind: 'narrow', level, indexes: found.map(({ index }) => index) });
          return found?.flatMap(({ candidates }) => candidates);
        };
        // What is decided in an index alone is tried before messages are read.
        const early = walkFirst ? walk() : undefined;
        if (early) return early;
        const few = this.#few(predicate, page, effort.narrow);
        const found =
          narrow(few.map((indexes) => indexes.filter(({ tellsAll }) => tellsAll))) ??
          (walkFirst ? undefined : walk()) ??
          narrow(few);
        if (found) return found;
      }
    } catch (error) {
      if (error === SPENT) return undefined;
      throw error;
    } finally {
      this.#budget = undefined;
    }
    this.#ways.remember(efforts, list, { kind: 'none' });
    return undefined;
  }

  /** Before something is looked at that may be so much. */
  #spend(most: number): void {
    if (this.#budget && !this.#budget.spend(most)) throw SPENT;
  }

  #byWay(
    way: Exclude<QueryPlan, { kind: 'none' }>,
    efforts: readonly ScanBudget[],
    predicate: Predicate,
    page: Page,
  ): Candidate[] | undefined {
    const effort = efforts[way.level]!;
    if (way.kind === 'walk') return this.#walked(predicate, page, { looked: effort.walk, read: effort.read });
    return branches(predicate).flatMap((branch, at) =>
      this.#reader.sorted(way.indexes[at]!, narrowParts(branch, way.indexes[at]!), page),
    );
  }

  /**
   * The page, whatever it takes: in the end all messages are looked at in the index that holds most of what
   * one can filter by.
   */
  read(predicate: Predicate, page: Page): Task[] {
    return (
      this.within(IN_A_WORKER, predicate, page) ??
      this.#reader.tasksOf(
        this.#reader.sorted('everything', split(predicate, [...FLAGS, ...NARROW.everything]), page),
        page,
      )
    );
  }

  /**
   * Goes once over the current messages, the newest first, and gives up to `limit` that satisfy the
   * predicate, and where to go on. A step takes its time whatever is found: it may find nothing. What is
   * written after the walk began may be missed by it.
   */
  walk(
    predicate: Predicate,
    after: WalkPosition | undefined,
    limit: number,
  ): { tasks: Task[]; last: WalkPosition | undefined } {
    const page: Page = { sortBy: 'date', direction: 'desc', after: after && { ...NOWHERE, ...after }, limit };
    const parts = split(all(is('isDeleted', false), is('archived', false), predicate), FLAGS);
    const looked = covers('date', parts.rest) ? Math.max(WALKED, limit) : limit;
    const found = this.#reader.along('date', parts, page, { looked, read: limit });
    const last = found.length === limit ? found.at(-1) : this.#reader.nth('date', parts.lead, page, looked);
    return { tasks: this.#reader.tasksOf(found, page), last: last && { date: last.by, key: last.key } };
  }

  /** All at once, for what there are few of. */
  all(predicate: Predicate): Task[] {
    return this.#reader.all(predicate);
  }

  /**
   * Looks along the order of the page. Undefined: it has looked at as many messages as it may, and the page
   * is not full.
   */
  #walked(predicate: Predicate, page: Page, bounds: Bounds): Candidate[] | undefined {
    const found: Candidate[] = [];
    // An index can give an order only where what stands before it is one value.
    for (const branch of page.sortBy === 'date' ? branches(predicate) : currentAndArchived(predicate)) {
      const owner = page.sortBy === 'date' ? OWNERS.find((field) => equals(branch, field)) : undefined;
      const index = owner ?? page.sortBy;
      const parts = split(
        branch,
        owner ? [...FLAGS, owner, 'date'] : page.sortBy === 'id' ? FLAGS : [...FLAGS, page.sortBy],
      );
      this.#spend(bounds.looked + (covers(index, parts.rest) ? 0 : READING * bounds.read));
      const candidates = this.#reader.along(index, parts, page, bounds);
      if (candidates.length >= page.limit) {
        found.push(...candidates);
        continue;
      }
      this.#spend(2 * bounds.looked);
      if (this.#reader.reaches(index, parts, page, bounds)) return undefined;
      found.push(...candidates);
    }
    return found;
  }

  /**
   * Indexes along which parts of the filter leave few messages, for each branch; one that tells all that the
   * page needs comes last. Nothing where a branch has none.
   */
  #few(predicate: Predicate, page: Page, effort: number): IndexScan[][] {
    const found: IndexScan[][] = [];
    for (const branch of branches(predicate)) {
      const indexes = this.#fewOf(branch, page, effort);
      if (indexes.length === 0) return [];
      found.push(indexes);
    }
    return found;
  }

  #fewOf(branch: Predicate, page: Page, effort: number): IndexScan[] {
    const found: IndexScan[] = [];
    for (const [index, fields] of Object.entries(NARROW) as [NarrowIndex, readonly ScalarField[]][]) {
      if (!partsOf(branch).some((part) => narrows(part, fields[0]!))) continue;
      const parts = narrowParts(branch, index);
      const most = covers(index, parts.rest) ? effort : Math.ceil(effort / READING);
      this.#spend(most);
      if (this.#reader.countUpTo(index, parts.lead, undefined, most) === most) continue;
      const tellsAll = covers(index, all(parts.rest, is(page.sortBy, 0)));
      found.push({ index, parts, tellsAll });
      if (tellsAll) break;
    }
    return found;
  }

  /**
   * Looks at those few and sorts them, branch by branch. Undefined: for one of the branches there is no such
   * index, or too many match.
   */
  #fromFew(few: readonly (readonly IndexScan[])[], page: Page, effort: number): Found[] | undefined {
    if (few.length === 0 || few.some((indexes) => indexes.length === 0)) return undefined;
    const found: Found[] = [];
    for (const indexes of few) {
      const ofBranch = this.#firstOf(indexes, page, effort);
      if (!ofBranch) return undefined;
      found.push(ofBranch);
    }
    return found;
  }

  #firstOf(indexes: readonly IndexScan[], page: Page, effort: number): Found | undefined {
    for (const { index, parts, tellsAll } of indexes) {
      this.#spend(effort);
      if (tellsAll) return { index, candidates: this.#reader.sorted(index, parts, page) };
      // The messages that match have to be read to be sorted: those had better be few, too.
      const rows = this.#reader.matching(index, parts, Math.ceil(effort / READING));
      if (rows) return { index, candidates: this.#reader.sortedRows(rows, page) };
    }
    return undefined;
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

import type { DatabaseSync } from 'node:sqlite';
import type { Task } from '../../../../shared/records/index.ts';
import { IndexReader, type WalkLimits, type PageCandidate } from './index-reader.ts';
import {
  branches,
  currentAndArchived,
  equals,
  narrows,
  OWNERS,
  conjunctsOf,
  split,
  type Split,
} from './list-branches.ts';
import { Budget, NARROW, QueryPlans, type NarrowIndex, type QueryPlan } from './query-plans.ts';
import { indexCovers } from './page-sql.ts';
import type { RecentTasks } from './recent-tasks.ts';
import { all, is, predicateKey, type Predicate, type ScalarField } from '../predicates/predicate.ts';

export type SortField = 'date' | 'updatedAt' | 'id' | 'authorId' | 'typeId' | 'categoryId';

export interface Page {
  sortBy: SortField;
  direction: 'asc' | 'desc';
  /** The task before the page; undefined: the first page. */
  after: PagePosition | undefined;
  limit: number;
}

export type PagePosition = Pick<Task, 'key' | SortField>;

/** Where a walk continues. */
export type WalkPosition = Pick<PagePosition, 'date' | 'key'>;
/** Further fields of a place: a walk goes by dates. */
const NOWHERE = { id: 0, updatedAt: 0, authorId: 0, typeId: 0, categoryId: 0 };

/** The position of a task in each order. */
export function placeOf({ key, id, date, updatedAt, authorId, typeId, categoryId }: Task): PagePosition {
  return { key, id, date, updatedAt, authorId, typeId, categoryId };
}

/** How many tasks a page may examine in indexes. */
export interface ScanBudget {
  /** Along the order of the page. */
  readonly walk: number;
  /** How many tasks along the order may be read when the index does not rule them out. */
  readonly read: number;
  /** How many matches of a part of the filter may be examined; a tenth if the tasks must be read. */
  readonly narrow: number;
}

/**
 * Tries each plan with a small limit before any with a large one. The last takes some milliseconds, the most
 * for the event loop.
 */
export const ON_THE_EVENT_LOOP: readonly ScanBudget[] = [
  { walk: 1_000, read: 100, narrow: 3_000 },
  { walk: 4_000, read: 400, narrow: 10_000 },
  { walk: 18_000, read: 700, narrow: 30_000 },
];
/**
 * Steps that the event loop may spend on a list without a plan, over all branches and plans: some
 * milliseconds. Beyond it a thread takes over.
 */
export const FIRST_LOOK = 20_000;
/** Cheaper than a full scan. */
const IN_A_WORKER: readonly ScanBudget[] = [{ walk: 50_000, read: 5_000, narrow: 400_000 }];
/** Reading a task costs as much as examining so many in an index. */
const READING = 10;

/** An index along which a part of the filter is selective. */
interface IndexScan {
  readonly index: NarrowIndex;
  readonly parts: Split;
  /** Whether filter and order need no task to be read. */
  readonly tellsAll: boolean;
}

/** The matches of a branch, found along an index. */
interface IndexMatches {
  readonly index: NarrowIndex;
  readonly candidates: readonly PageCandidate[];
}

const FLAGS: readonly ScalarField[] = ['isDeleted', 'archived'];
/** Tasks that one step of a walk examines in an index. */
const WALKED = 10_000;

/**
 * Reads tasks by SQL, without RxDocuments. Pages are ordered; ties go by id in the direction of the sort. A
 * page continues after the *value* of `after`, so each task appears once, whatever is added or deleted
 * between pages.
 */
export class TasksSql {
  readonly #reader: IndexReader;
  readonly #recent: RecentTasks | undefined;
  readonly #ways = new QueryPlans();
  /** Set while planning. */
  #budget: Budget | undefined;

  /** @param recent a cache to read from and to fill */
  constructor(sql: DatabaseSync, table: string, recent?: RecentTasks) {
    this.#reader = new IndexReader(sql, table);
    this.#recent = recent;
  }

  /** The page, if this effort finds it; otherwise undefined. Planning ends with the budget. */
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

  /** Like `read`, but with the plan that `within` would find; for a thread that may not plan for long. */
  readWithPlan(efforts: readonly ScanBudget[], predicate: Predicate, page: Page): { tasks: Task[]; way: QueryPlan } {
    const list = listOf(predicate, page);
    const known = this.#ways.take(efforts, list)?.kind === 'none';
    const found = known ? undefined : this.#find(efforts, predicate, page, new Budget(Infinity));
    return {
      tasks: found ? this.#reader.tasksOf(found, page) : this.read(predicate, page),
      way: (found && this.#ways.take(efforts, list)) ?? { kind: 'none' },
    };
  }

  /** Takes over the plan that another thread found. */
  learn(efforts: readonly ScanBudget[], predicate: Predicate, page: Page, way: QueryPlan): void {
    this.#ways.remember(efforts, listOf(predicate, page), way);
  }

  /** Tries each plan and remembers the one that worked. */
  #find(efforts: readonly ScanBudget[], predicate: Predicate, page: Page, budget: Budget): PageCandidate[] | undefined {
    const list = listOf(predicate, page);
    const walkFirst = indexCovers(page.sortBy, predicate);
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
        // Plans that need only the index come before plans that read tasks.
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

  /** Called before a step that may examine so many tasks. */
  #spend(most: number): void {
    if (this.#budget && !this.#budget.spend(most)) throw SPENT;
  }

  #byWay(
    way: Exclude<QueryPlan, { kind: 'none' }>,
    efforts: readonly ScanBudget[],
    predicate: Predicate,
    page: Page,
  ): PageCandidate[] | undefined {
    const effort = efforts[way.level]!;
    if (way.kind === 'walk') return this.#walked(predicate, page, { looked: effort.walk, read: effort.read });
    return branches(predicate).flatMap((branch, at) =>
      this.#reader.sorted(way.indexes[at]!, narrowParts(branch, way.indexes[at]!), page),
    );
  }

  /** The page at any cost: at worst, all tasks are examined in the widest index. */
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
   * Walks once over the current tasks, newest first. Returns up to `limit` matches and where to continue. A
   * step takes a bounded time, even if it finds nothing. A walk may miss tasks written after it began.
   */
  walk(
    predicate: Predicate,
    after: WalkPosition | undefined,
    limit: number,
  ): { tasks: Task[]; last: WalkPosition | undefined } {
    const page: Page = { sortBy: 'date', direction: 'desc', after: after && { ...NOWHERE, ...after }, limit };
    const parts = split(all(is('isDeleted', false), is('archived', false), predicate), FLAGS);
    const looked = indexCovers('date', parts.rest) ? Math.max(WALKED, limit) : limit;
    const found = this.#reader.along('date', parts, page, { looked, read: limit });
    const last = found.length === limit ? found.at(-1) : this.#reader.nth('date', parts.lead, page, looked);
    return { tasks: this.#reader.tasksOf(found, page), last: last && { date: last.by, key: last.key } };
  }

  /** All at once; for predicates with few matches. */
  all(predicate: Predicate): Task[] {
    return this.#reader.all(predicate);
  }

  /** Looks along the order of the page. Undefined: the limit was reached before the page was full. */
  #walked(predicate: Predicate, page: Page, bounds: WalkLimits): PageCandidate[] | undefined {
    const found: PageCandidate[] = [];
    // An index gives an order only if the columns before it are fixed.
    for (const branch of page.sortBy === 'date' ? branches(predicate) : currentAndArchived(predicate)) {
      const owner = page.sortBy === 'date' ? OWNERS.find((field) => equals(branch, field)) : undefined;
      const index = owner ?? page.sortBy;
      const parts = split(
        branch,
        owner ? [...FLAGS, owner, 'date'] : page.sortBy === 'id' ? FLAGS : [...FLAGS, page.sortBy],
      );
      this.#spend(bounds.looked + (indexCovers(index, parts.rest) ? 0 : READING * bounds.read));
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

  /** Selective indexes for each branch; a covering one comes last. Empty if a branch has none. */
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
      if (!conjunctsOf(branch).some((part) => narrows(part, fields[0]!))) continue;
      const parts = narrowParts(branch, index);
      const most = indexCovers(index, parts.rest) ? effort : Math.ceil(effort / READING);
      this.#spend(most);
      if (this.#reader.countUpTo(index, parts.lead, undefined, most) === most) continue;
      const tellsAll = indexCovers(index, all(parts.rest, is(page.sortBy, 0)));
      found.push({ index, parts, tellsAll });
      if (tellsAll) break;
    }
    return found;
  }

  /**
   * Examines the few matches and sorts them, branch by branch. Undefined: a branch has no such index, or too
   * many match.
   */
  #fromFew(few: readonly (readonly IndexScan[])[], page: Page, effort: number): IndexMatches[] | undefined {
    if (few.length === 0 || few.some((indexes) => indexes.length === 0)) return undefined;
    const found: IndexMatches[] = [];
    for (const indexes of few) {
      const ofBranch = this.#firstOf(indexes, page, effort);
      if (!ofBranch) return undefined;
      found.push(ofBranch);
    }
    return found;
  }

  #firstOf(indexes: readonly IndexScan[], page: Page, effort: number): IndexMatches | undefined {
    for (const { index, parts, tellsAll } of indexes) {
      this.#spend(effort);
      if (tellsAll) return { index, candidates: this.#reader.sorted(index, parts, page) };
      // The matches must be read to be sorted, so their number is limited, too.
      const rows = this.#reader.matching(index, parts, Math.ceil(effort / READING));
      if (rows) return { index, candidates: this.#reader.sortedRows(rows, page) };
    }
    return undefined;
  }
}

/** Matches may be denser at the start of a list than later. */
function listOf(predicate: Predicate, page: Page): string {
  return `${page.after ? 'on' : 'first'} ${page.sortBy} ${page.direction} ${predicateKey(predicate)}`;
}

const SPENT = new Error('Looking for a way would take longer than there is time for.');

function narrowParts(branch: Predicate, index: NarrowIndex): Split {
  return split(branch, [...FLAGS, ...NARROW[index]]);
}

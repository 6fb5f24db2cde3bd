import { concerns, type Actor } from '../../../shared/access.ts';
import type { HistoryEntry, Task, StateRule } from '../../../shared/records/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import { wordMatcher } from '../../../shared/text/search-words.ts';
import type { Records, Store } from '../../store/types.ts';
import { followCommits, LiveCounts, type TaskCount } from './counts/counts.ts';
import { countPredicate, listPredicate, type CountFilter, type ListFilter } from './predicates/filter.ts';
import type { FoundTask } from './lists/find-tasks.ts';
import { Budget } from './lists/query-plans.ts';
import {
  FIRST_LOOK,
  TasksSql,
  ON_THE_EVENT_LOOP,
  placeOf,
  type SortField,
  type WalkPosition,
} from './lists/tasks-sql.ts';
import type { Predicate } from './predicates/predicate.ts';
import { ReadingThread, type ResponseRowsAsked, type Which } from './threads/reading-thread.ts';
import { RecentTasks } from './lists/recent-tasks.ts';
import { rowsOfTask } from './rows-of-task.ts';
import type { Stats } from './counts/stats-sql.ts';
import type { PastQuestion, PastTasks } from './past/read-past.ts';
import type { ResponsePage, ResponseQuestion } from './responses/read-responses.ts';
import type { ResponseSummary } from './responses/summary.ts';

export interface ListQuery extends ListFilter {
  /** The id of the task before the list; 0: start at the first. */
  after?: number | undefined;
  /** 0: the default of 50; at most 500. */
  limit?: number | undefined;
  sortBy?: SortField | undefined;
  direction?: 'asc' | 'desc' | undefined;
}

export type ResponseFilter = Pick<CountFilter, 'typeIds' | 'organizationIds'>;

interface TaskListsOptions {
  readonly store: Store;
  /** The state rules in force. */
  rules(): readonly StateRule[];
  /** Logs faults of the counting and reading threads. */
  warn?: ((message: string) => void) | undefined;
}

const DEFAULT_PAGE = 50;
const LONGEST_PAGE = 500;

/**
 * The tasks that a user sees, and their numbers. Two threads answer what takes too long for the event loop.
 */
export class TaskLists {
  readonly #store: Store;
  readonly #tasks: Records<Task>;
  readonly #rules: () => readonly StateRule[];
  readonly #sql: TasksSql;
  readonly #counts = new LiveCounts();
  readonly #counting: ReadingThread;
  /** Reads slow pages, so that they never wait for statistics. */
  readonly #reading: ReadingThread;
  /** Reads entire periods, so that neither counts nor pages wait for them. */
  readonly #periods: ReadingThread;
  readonly #stopFollowing: () => void;

  constructor({ store, rules, warn }: TaskListsOptions) {
    this.#store = store;
    this.#tasks = store.records('tasks');
    this.#rules = rules;
    const recent = new RecentTasks();
    this.#sql = new TasksSql(store.sql, store.table('tasks'), recent);
    this.#counting = new ReadingThread(store, { counts: true, warn });
    this.#reading = new ReadingThread(store, { warn });
    this.#periods = new ReadingThread(store, { warn });
    this.#stopFollowing = followCommits(store, (changes, seq) => {
      for (const { record } of changes) recent.forget(record.key);
      this.#counts.follow(changes, seq);
    });
  }

  /** One page of the list, and the number of tasks on all pages. */
  async list(actor: Actor, query: ListQuery): Promise<{ tasks: Task[]; count: number }> {
    const which: Which = { actor, rules: this.#rules(), list: query };
    const [tasks, { total }] = await Promise.all([
      this.page(actor, query),
      this.#counts.count(listPredicate(actor, query, which.rules), () => this.#counting.count(which)),
    ]);
    return { tasks, count: total };
  }

  /** One page of the list. */
  async page(actor: Actor, query: ListQuery): Promise<Task[]> {
    const rules = this.#rules();
    const after = query.after ? this.#cursor(actor, query.after) : undefined;
    const limit = query.limit ? Math.min(query.limit, LONGEST_PAGE) : DEFAULT_PAGE;
    const page = {
      sortBy: query.sortBy ?? 'date',
      direction: query.direction ?? 'desc',
      after: after && placeOf(after),
      limit,
    };
    const predicate = listPredicate(actor, query, rules);
    const found = this.#sql.within(ON_THE_EVENT_LOOP, predicate, page, new Budget(FIRST_LOOK));
    if (found) return found;
    const { tasks, way } = await this.#reading.page({ actor, rules, list: query }, page);
    this.#sql.learn(ON_THE_EVENT_LOOP, predicate, page, way);
    return tasks;
  }

  /**
   * The task after which a list continues, even if the reader no longer sees it. Tasks that were never theirs
   * are refused: their position would reveal when they were written.
   */
  #cursor(actor: Actor, id: number): Task {
    const task = this.#tasks.get(id);
    if (!task || !(concerns(actor, task) || this.#concernedOnce(actor, task)))
      throw new Refusal('tasks.missingBefore', { field: 'newsAfterId', id });
    return task;
  }

  #concernedOnce({ user }: Actor, task: Task): boolean {
    const assignees: Readonly<Record<string, number>> = {
      assignedOrganizationId: user.organizationId,
      assignedUserId: user.id,
    };
    return rowsOfTask<HistoryEntry>(this.#store, 'history', task.id).some(
      ({ field, from }) => Object.hasOwn(assignees, field) && from === assignees[field],
    );
  }

  /**
   * Current tasks with a point, newest first, by words of their number, title or address. A worker searches,
   * because users search with every letter that they type.
   */
  async find(actor: Actor, query: string, limit: number): Promise<FoundTask[]> {
    if (!wordMatcher(query)) return [];
    return this.#reading.find(
      { actor, rules: this.#rules(), list: { hasPoint: true, withAssigned: true } },
      query,
      limit,
    );
  }

  async count(actor: Actor, filter: CountFilter): Promise<TaskCount> {
    const which: Which = { actor, rules: this.#rules(), count: filter };
    if (filter.from === undefined && filter.until === undefined)
      return this.#counts.count(countPredicate(actor, filter, which.rules), () => this.#counting.count(which));
    // Bounds of time rarely repeat, so their counts are not kept.
    const { byStatus } = await this.#counting.count(which);
    return { total: byStatus.reduce((sum, count) => sum + count, 0), byStatus };
  }

  /** Numbers by status: in total, and for each category, type, organization and assigned organization. */
  stats(actor: Actor, filter: CountFilter): Promise<Stats> {
    return this.#counting.stats({ actor, rules: this.#rules(), count: filter });
  }

  /** Response times and load of a period; the filter is of its tasks, archived ones too. */
  responses(actor: Actor, filter: ResponseFilter, question: ResponseQuestion): Promise<ResponseSummary> {
    return this.#periods.responses(this.#ofPeriod(actor, filter), question);
  }

  /** A page of the tasks behind a figure of `responses`. */
  responseRows(
    actor: Actor,
    filter: ResponseFilter,
    question: ResponseQuestion,
    rows: ResponseRowsAsked,
  ): Promise<ResponsePage> {
    return this.#periods.responseRows(this.#ofPeriod(actor, filter), question, rows);
  }

  /** The tasks that were open at a time, of those that the actor may see now (rules P1 to P4). */
  past(actor: Actor, question: PastQuestion): Promise<PastTasks> {
    return this.#periods.past(this.#ofPeriod(actor, {}), question);
  }

  #ofPeriod(actor: Actor, filter: ResponseFilter): Which {
    return { actor, rules: this.#rules(), count: { ...filter, withArchive: true } };
  }

  /**
   * One step over the current tasks, for replicas: at most `limit` that satisfy the predicate, and where to
   * continue.
   */
  walk(
    predicate: Predicate,
    after: WalkPosition | undefined,
    limit: number,
  ): { tasks: Task[]; last: WalkPosition | undefined } {
    return this.#sql.walk(predicate, after, limit);
  }

  async close(): Promise<void> {
    this.#stopFollowing();
    await Promise.all([this.#counting.close(), this.#reading.close(), this.#periods.close()]);
  }
}

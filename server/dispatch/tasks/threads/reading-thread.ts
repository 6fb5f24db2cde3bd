import type { Actor } from '../../../../shared/access.ts';
import type { Task, StateRule } from '../../../../shared/records/index.ts';
import { WorkerClient } from '../../../platform/threads/worker-client.ts';
import type { Store } from '../../../store/types.ts';
import { siblingUrl } from '../../../platform/threads/worker-url.ts';
import type { CountFilter, ListFilter } from '../predicates/filter.ts';
import type { FoundTask } from '../lists/find-tasks.ts';
import type { QueryPlan } from '../lists/query-plans.ts';
import type { Page } from '../lists/tasks-sql.ts';
import type { CountedAt } from '../counts/counts.ts';
import type { Stats } from '../counts/stats-sql.ts';
import type { ResponsePage, ResponsePick, ResponsePlace, ResponseQuestion } from '../responses/read-responses.ts';
import type { ResponseSummary } from '../responses/summary.ts';
import type { PastQuestion, PastTasks } from '../past/read-past.ts';

/** Most waiting queries; further ones would be answered too late to be useful. */
const QUEUE = 100;

/** The thread ends after this many ms without a query. */
const IDLE = 60_000;

/** The tasks of a user's list or count. */
export type Which = { readonly actor: Actor; readonly rules: readonly StateRule[] } & (
  { readonly list: ListFilter } | { readonly count: CountFilter }
);
export type ReadingRequest = { readonly which: Which } & (
  | { readonly kind: 'stats' | 'count' }
  | { readonly kind: 'page'; readonly page: Page }
  | { readonly kind: 'find'; readonly query: string; readonly limit: number }
  | { readonly kind: 'responses'; readonly question: ResponseQuestion }
  | { readonly kind: 'past'; readonly question: PastQuestion }
  | { readonly kind: 'response-rows'; readonly question: ResponseQuestion; readonly rows: ResponseRowsAsked }
);

export interface ResponseRowsAsked {
  readonly pick: ResponsePick;
  readonly after?: ResponsePlace | undefined;
  readonly limit: number;
}

interface ReadingThreadOptions {
  /**
   * Keeps the columns for counts in memory. On Linux the thread runs at a lower priority than the event loop.
   */
  readonly counts?: boolean;
  /** Logs faults of the thread. */
  readonly warn?: ((message: string) => void) | undefined;
}

/**
 * Runs slow queries in a worker thread, on committed data (see `WorkerClient` for start, crash and restart).
 * Identical queries share one answer, unless something was written between them.
 */
export class ReadingThread {
  readonly #thread: WorkerClient<ReadingRequest>;
  readonly #feed: Store['feed'];
  /** Queries without an answer yet. `head`: the last write that each of them sees for certain. */
  readonly #asked = new Set<{ readonly key: string; readonly head: number; readonly answer: Promise<unknown> }>();

  constructor(store: Pick<Store, 'file' | 'table' | 'feed'>, { counts = false, warn }: ReadingThreadOptions = {}) {
    this.#feed = store.feed;
    this.#thread = new WorkerClient({
      script: siblingUrl(import.meta.url, './reading.worker'),
      name: counts ? 'The counting of messages' : 'The reading of messages',
      maxWaiting: QUEUE,
      warn,
      // Reading the columns again takes seconds.
      idle: () => (counts ? Infinity : IDLE),
      worker: {
        workerData: { file: store.file, table: store.table('tasks'), history: store.table('history'), counts },
        resourceLimits: { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 128 },
      },
    });
  }

  stats(which: Which): Promise<Stats> {
    return this.#ask({ kind: 'stats', which });
  }

  count(which: Which): Promise<CountedAt> {
    return this.#ask({ kind: 'count', which });
  }

  /** The page, and the plan with which the event loop finds it the next time. */
  page(which: Which, page: Page): Promise<{ tasks: Task[]; way: QueryPlan }> {
    return this.#ask({ kind: 'page', which, page });
  }

  /** See `findTasks`. */
  find(which: Which, query: string, limit: number): Promise<FoundTask[]> {
    return this.#ask({ kind: 'find', which, query, limit });
  }

  /** See `readResponses`. */
  responses(which: Which, question: ResponseQuestion): Promise<ResponseSummary> {
    return this.#ask({ kind: 'responses', which, question });
  }

  /** See `readResponseRows`. */
  responseRows(which: Which, question: ResponseQuestion, rows: ResponseRowsAsked): Promise<ResponsePage> {
    return this.#ask({ kind: 'response-rows', which, question, rows });
  }

  /** See `readPast`. */
  past(which: Which, question: PastQuestion): Promise<PastTasks> {
    return this.#ask({ kind: 'past', which, question });
  }

  /** Ends the thread as a crash would, for tests. */
  kill(): Promise<void> {
    return this.#thread.kill();
  }

  close(): Promise<void> {
    return this.#thread.close();
  }

  #ask<R>(request: ReadingRequest): Promise<R> {
    const { user, role } = request.which.actor; // callers have further fields, such as a token
    const plain = { ...request, which: { ...request.which, actor: { user, role } } };
    const key = JSON.stringify(plain);
    const head = this.#feed.head();
    const same = [...this.#asked].find((one) => one.key === key && one.head === head);
    if (same) return same.answer as Promise<R>;
    const answer = this.#thread.request<R>(plain);
    const one = { key, head, answer };
    this.#asked.add(one);
    const settled = (): void => void this.#asked.delete(one);
    answer.then(settled, settled);
    return answer;
  }
}

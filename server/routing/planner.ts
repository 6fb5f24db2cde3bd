import { Worker } from 'node:worker_threads';
import type { Feature } from 'geojson';
import { Refusal } from '../../shared/refusal.ts';
import { siblingUrl } from '../worker-url.ts';
import type { Planner, Point, RouteAnswer, RouteRequest, Snapped, Table, TableRequest } from './door.ts';
import type { Prepared, Question } from './messages.ts';
import { SearchThread } from './search-thread.ts';

export interface PlannerOptions {
  /** Directory of the territory; undefined: none yet. */
  directory?: string | undefined;
  /** Threads that search. One answers thousands of questions a second. */
  threads?: number;
  /** Hears what went wrong in a thread. */
  warn?: (message: string) => void;
}

/** Starts a planner over its own threads. Fails when the territory's roads cannot be read. */
export async function startPlanner(options: PlannerOptions = {}): Promise<Planner> {
  const planner = new ThreadPlanner(options.threads ?? 1, options.warn ?? (() => {}));
  await planner.open(options.directory);
  return planner;
}

class ThreadPlanner implements Planner {
  readonly #count: number;
  readonly #warn: (message: string) => void;
  #threads: SearchThread[] = [];
  #opening: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(count: number, warn: (message: string) => void) {
    this.#count = count;
    this.#warn = warn;
  }

  async locate(point: Point): Promise<Point | undefined> {
    return (await this.#ask({ method: 'locate', args: [point] })) as Point | undefined;
  }

  async nearest(point: Point, options: { z?: number; count?: number; profile?: string } = {}): Promise<Snapped[]> {
    return (await this.#ask({ method: 'nearest', args: [point, options.count ?? 1, options.profile] })) as Snapped[];
  }

  async route(request: RouteRequest): Promise<RouteAnswer> {
    return (await this.#ask({ method: 'route', args: [request] })) as RouteAnswer;
  }

  async table(request: TableRequest): Promise<Table> {
    return (await this.#ask({ method: 'table', args: [request] })) as Table;
  }

  async roads(bounds: [number, number, number, number], limit: number): Promise<Feature[]> {
    return (await this.#ask({ method: 'roads', args: [bounds, limit] })) as Feature[];
  }

  /** One change of territory after the other; each leaves the old threads to finish what they were asked. */
  open(directory: string | undefined): Promise<void> {
    const opened = this.#opening.then(() => this.#open(directory));
    this.#opening = opened.catch(() => {});
    return opened;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#opening;
    const threads = this.#threads;
    this.#threads = [];
    await Promise.all(threads.map((thread) => thread.close()));
  }

  async #open(directory: string | undefined): Promise<void> {
    const old = this.#threads;
    let fresh: SearchThread[] = [];
    if (directory !== undefined && !this.#closed) {
      const prepared = await prepare(directory);
      fresh = Array.from({ length: this.#count }, () => new SearchThread(prepared, this.#warn));
      await Promise.all(fresh.map((thread) => thread.ready));
    }
    this.#threads = fresh;
    for (const thread of old) void thread.finish();
  }

  async #ask(question: Question): Promise<unknown> {
    const [first, ...others] = this.#threads;
    if (!first) throw new Refusal('no-territory', 'No territory is loaded, so there are no roads to route on.');
    const idlest = others.reduce((best, thread) => (thread.waiting < best.waiting ? thread : best), first);
    return idlest.ask(question);
  }
}

/** Reads a territory's roads in a thread of its own. */
function prepare(directory: string): Promise<Prepared> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(siblingUrl(import.meta.url, './prepare.worker'), { workerData: { directory } });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('The thread that reads the roads ended without an answer.')));
  });
}

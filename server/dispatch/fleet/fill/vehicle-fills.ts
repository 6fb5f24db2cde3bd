import type { Actor } from '../../../../shared/access.ts';
import { siblingUrl } from '../../../platform/threads/worker-url.ts';
import { WorkerClient } from '../../../platform/threads/worker-client.ts';
import type { CollectionName, Store } from '../../../store/index.ts';

/** Asks for the vehicles that such a caller sees, as they were at `head` at the latest. */
export interface FillQuestion {
  readonly head: number;
  readonly organizationId: number;
  readonly superuser: boolean;
}

/** All vehicles that a caller sees, as compressed lines of JSON arrays. Changes since `head` follow from the feed. */
export interface Fill {
  readonly head: number;
  readonly bytes: Uint8Array;
}

interface KeptFill {
  readonly fill: Promise<Fill>;
  readonly madeAt: number;
  usedAt: number;
}

/** ms for which a fill serves although vehicles have changed since: a console fetches those few by pages. */
const FRESH = 30_000;
/** ms without a console after which a fill is dropped, and fills that are kept at once. */
const UNUSED = 5 * 60_000;
const MOST_KEPT = 20;

/**
 * The first fill of consoles with vehicles. One is made in a thread and serves all who see the same vehicles:
 * after a break all consoles of a station come back at once.
 */
export class VehicleFills {
  readonly #store: Pick<Store, 'feed'>;
  readonly #now: () => number;
  readonly #thread: WorkerClient<FillQuestion>;
  readonly #kept = new Map<string, KeptFill>();
  readonly #unwatch: () => void;
  /** When vehicles were last written; ms of `now`. */
  #changedAt = -Infinity;

  /** @param now monotonic ms */
  constructor(store: Pick<Store, 'feed' | 'file' | 'table'>, now: () => number = () => performance.now()) {
    this.#store = store;
    this.#now = now;
    this.#thread = new WorkerClient({
      script: siblingUrl(import.meta.url, './vehicle-fill.worker'),
      name: 'The list of vehicles for consoles',
      maxWaiting: MOST_KEPT,
      worker: { workerData: { file: store.file, table: store.table('vehicles') } },
    });
    this.#unwatch = store.feed.watch((changed: ReadonlySet<CollectionName>) => {
      if (changed.has('vehicles')) this.#changedAt = this.#now();
    });
  }

  /** Rejects with `busy` when the thread cannot answer now. */
  fillOf({ user, role }: Actor): Promise<Fill> {
    const now = this.#now();
    for (const [key, kept] of this.#kept) if (now - kept.usedAt > UNUSED) this.#kept.delete(key);
    const key = role.superuser ? 'all' : String(user.organizationId);
    const found = this.#kept.get(key);
    if (found && (found.madeAt > this.#changedAt || now - found.madeAt < FRESH)) {
      found.usedAt = now;
      return found.fill;
    }
    const fill = this.#make(user.organizationId, role.superuser);
    const kept = { fill, madeAt: now, usedAt: now };
    this.#kept.delete(key);
    if (this.#kept.size >= MOST_KEPT) this.#kept.delete(this.#kept.keys().next().value!);
    this.#kept.set(key, kept);
    fill.catch(() => this.#kept.get(key) === kept && this.#kept.delete(key));
    return fill;
  }

  async close(): Promise<void> {
    this.#unwatch();
    await this.#thread.close();
  }

  async #make(organizationId: number, superuser: boolean): Promise<Fill> {
    // Read before the thread starts: later writes come again by pages.
    const head = this.#store.feed.head();
    return { head, bytes: await this.#thread.request<Uint8Array>({ head, organizationId, superuser }) };
  }
}

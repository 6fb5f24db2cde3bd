import type { AnyStored, CollectionName, Change, Store } from '../../../store/index.ts';
import { Mutex } from '../../../platform/mutex.ts';

/** A record that a merge changed, as it is now, and before. */
export type MergedChange = Change<AnyStored>;

/**
 * A rule over several records that every station upholds in its own edits. After a merge it may be broken;
 * `restore` repairs it with ordinary edits, the same at every station. It may run again at any time.
 */
export interface SpanningRule {
  readonly collections: readonly CollectionName[];
  restore(collection: CollectionName, changes: readonly MergedChange[]): Promise<void>;
}

interface RuleRunnerOptions {
  readonly store: Store;
  readonly rules: readonly SpanningRule[];
  report(error: unknown): void;
}

/** Records examined at once. The event loop runs in between. */
const AT_ONCE = 100;

/**
 * Runs the rules after merges. What came in before a crash is examined at the next start: `merged_changes`
 * holds the sequence number up to which the rules have seen everything.
 */
export class RuleRunner {
  readonly #store: Store;
  readonly #rules: readonly SpanningRule[];
  readonly #report: (error: unknown) => void;
  readonly #turns = new Mutex();
  readonly #stop: () => void;
  #pending = new Map<CollectionName, MergedChange[]>();
  #draining: Promise<void> | undefined;
  #merged = false;
  #isCatchingUp = false;
  #closed = false;

  private constructor({ store, rules, report }: RuleRunnerOptions) {
    this.#store = store;
    this.#rules = rules;
    this.#report = report;
    const watched = new Set(rules.flatMap(({ collections }) => collections));
    const stops = [
      store.onMerged((collection, changes) => {
        // A standby takes over the repairs of the station that it follows. A start and a promotion catch up.
        if (watched.has(collection) && store.readOnly === undefined) this.#note(collection, changes);
      }),
      store.onReadOnly(() => {
        if (store.readOnly === undefined) this.#catchUpAll().catch((error: unknown) => report(error));
      }),
    ];
    this.#stop = () => stops.forEach((stop) => stop());
  }

  static async open(options: RuleRunnerOptions): Promise<RuleRunner> {
    const runner = new RuleRunner(options);
    if (options.store.readOnly === undefined) await runner.#catchUpAll();
    return runner;
  }

  /** Resolves when the rules have seen all merges so far. */
  async idle(): Promise<void> {
    while (this.#draining) await this.#draining;
  }

  async close(): Promise<void> {
    this.#stop();
    await this.idle();
    this.#closed = true;
    if (this.#merged && this.#store.readOnly === undefined) await this.#remember();
  }

  async #catchUpAll(): Promise<void> {
    const known = this.#store.sql.prepare('SELECT seq FROM merged_changes').get()?.['seq'] as number | undefined;
    if (known === undefined) return this.#remember();
    const head = this.#store.feed.head();
    this.#isCatchingUp = true;
    for (const name of new Set(this.#rules.flatMap(({ collections }) => collections))) await this.#catchUp(name, known);
    this.#isCatchingUp = false;
    if (!this.#isPaused) await this.#remember(head);
  }

  async #catchUp(collection: CollectionName, after: number): Promise<void> {
    for (let seq = after; ;) {
      const { records, checkpoint } = this.#store.feed.since(collection, seq, AT_ONCE);
      if (records.length === 0 || this.#isPaused) return;
      seq = checkpoint;
      this.#note(
        collection,
        records.map(({ record, deleted }) => ({ record: record as unknown as AnyStored, before: undefined, deleted })),
      );
      await this.idle();
    }
  }

  #note(collection: CollectionName, changes: readonly MergedChange[]): void {
    const pending = this.#pending.get(collection) ?? [];
    this.#pending.set(collection, pending);
    pending.push(...changes);
    this.#merged = true;
    this.#draining ??= this.#turns.run(() => this.#drain()).finally(() => (this.#draining = undefined));
  }

  get #isPaused(): boolean {
    return this.#closed || this.#store.readOnly !== undefined;
  }

  async #drain(): Promise<void> {
    while (this.#pending.size > 0 && !this.#isPaused) {
      const head = this.#store.feed.head();
      const pending = this.#pending;
      this.#pending = new Map();
      for (const [collection, changes] of pending) {
        for (let at = 0; at < changes.length; at += AT_ONCE) {
          await this.#examine(collection, changes.slice(at, at + AT_ONCE));
          await new Promise((resolve) => setImmediate(resolve));
        }
      }
      // While it catches up, other collections have not been examined that far.
      if (this.#pending.size === 0 && !this.#isCatchingUp && !this.#isPaused) await this.#remember(head);
    }
    if (this.#isPaused) this.#pending.clear();
  }

  async #examine(collection: CollectionName, changes: readonly MergedChange[]): Promise<void> {
    for (const rule of this.#rules) {
      if (!rule.collections.includes(collection)) continue;
      // One rule that fails must not keep the others from running.
      await rule.restore(collection, changes).catch((error: unknown) => this.#report(error));
    }
  }

  async #remember(seq = this.#store.feed.head()): Promise<void> {
    await this.#store.writePlain((sql) =>
      sql
        .prepare('INSERT INTO merged_changes VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET seq = excluded.seq')
        .run(seq),
    );
  }
}

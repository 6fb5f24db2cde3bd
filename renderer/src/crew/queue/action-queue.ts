import type { Reason } from '../../../../shared/refusals/reason.ts';

/** Actions of a crew, as the station takes them. */
export type PhoneAction =
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'accept'; readonly taskId: number }
  | { readonly kind: 'giveBack'; readonly taskId: number; readonly reason: string }
  | { readonly kind: 'comment'; readonly taskId: number; readonly text: string }
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'receipt'; readonly mark: 'delivered' | 'read' | 'answered'; readonly ids: readonly number[] }
  | { readonly kind: 'file'; readonly taskId: number; readonly name: string; readonly bytes: Blob };

/** Something that was done and is not at the station yet. */
export interface Kept {
  /** Its place in the order; it goes up by one with each. */
  readonly no: number;
  /** The vehicle whose crew did it: another crew may have the telephone since. */
  readonly carId: number;
  /** The same for every try to send it, and never used again. */
  readonly key: string;
  /** When it was done, by the clock of the telephone. */
  readonly at: number;
  readonly action: PhoneAction;
  /** Why the station refused it: it waits until the crew discards it, and holds up nothing. */
  readonly refused?: Refused;
}

export interface Refused {
  readonly sentence: string;
  readonly reason?: Reason | undefined;
}

/** Where the queue lies, so that it outlives the page. */
export interface QueueStorage {
  all(): Promise<readonly Kept[]>;
  put(kept: Kept): Promise<void>;
  delete(no: number): Promise<void>;
}

/** `later`: there is no coverage, or the station is busy. */
export type Outcome = 'done' | 'later' | Refused;

interface ActionQueueOptions {
  readonly storage: QueueStorage;
  send(kept: Kept): Promise<Outcome>;
  now(): number;
  carId(): number;
  newKey(): string;
  /**
   * Called with all that waits or was refused, in order, after each change; `done`: what the known state may not show
   * yet.
   */
  changed(all: readonly Kept[], done: readonly Kept[]): void;
}

/**
 * Actions of the crew, stored until the station confirms them. An action is stored before it counts as done;
 * actions are sent in order, one at a time. A retry uses the same key, which the station executes once.
 */
export class ActionQueue {
  readonly #options: ActionQueueOptions;
  #all: readonly Kept[] = [];
  #done: readonly Kept[] = [];
  #last = 0;
  #running: Promise<void> | undefined;
  #adding: Promise<unknown> = Promise.resolve();

  private constructor(options: ActionQueueOptions) {
    this.#options = options;
  }

  static async open(options: ActionQueueOptions): Promise<ActionQueue> {
    const queue = new ActionQueue(options);
    queue.#set([...(await options.storage.all())].sort((a, b) => a.no - b.no));
    queue.#last = queue.#all.at(-1)?.no ?? 0;
    return queue;
  }

  get all(): readonly Kept[] {
    return this.#all;
  }

  /** Resolves when it is stored. */
  add(action: PhoneAction): Promise<void> {
    const { storage, now, newKey, carId } = this.#options;
    const by = { carId: carId(), at: now() };
    const added = this.#adding.then(async () => {
      const kept: Kept = { no: ++this.#last, key: newKey(), ...by, action };
      await storage.put(kept);
      this.#set([...this.#all, kept]);
    });
    this.#adding = added.catch(() => undefined);
    return added;
  }

  /** The crew has seen why it was refused. */
  async discard(no: number): Promise<void> {
    if (this.#all.find((kept) => kept.no === no)?.refused) await this.#remove(no);
  }

  /** There is a newer state of the station. */
  learned(): void {
    if (this.#done.length === 0) return;
    this.#done = [];
    this.#set(this.#all);
  }

  /** Sends what waits, until all is sent or there is no way to the station. */
  run(): Promise<void> {
    this.#running ??= this.#send().finally(() => (this.#running = undefined));
    return this.#running;
  }

  async #send(): Promise<void> {
    for (;;) {
      const next = this.#all.find(({ refused }) => !refused);
      if (!next) return;
      const outcome = await this.#options.send(next);
      if (outcome === 'later') return;
      if (outcome === 'done') {
        this.#done = [...this.#done, next];
        await this.#remove(next.no);
      } else await this.#refuse(next, outcome);
    }
  }

  async #refuse(kept: Kept, refused: Refused): Promise<void> {
    const marked = { ...kept, refused };
    await this.#options.storage.put(marked);
    this.#set(this.#all.map((one) => (one.no === kept.no ? marked : one)));
  }

  async #remove(no: number): Promise<void> {
    await this.#options.storage.delete(no);
    this.#set(this.#all.filter((kept) => kept.no !== no));
  }

  #set(all: readonly Kept[]): void {
    this.#all = all;
    this.#options.changed(all, this.#done);
  }
}

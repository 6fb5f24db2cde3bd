import { once } from 'node:events';
import { Refusal } from '../../../../shared/refusal.ts';
import { SupervisedWorker, type WorkerEnd } from '../../../platform/threads/supervised-worker.ts';
import { siblingUrl } from '../../../platform/threads/worker-url.ts';
import { YOUNG_OF_BUSY_THREAD } from '../../../platform/young-generation.ts';
import type { ValidRecord } from '../records/fix.ts';
import { IncomingBatch } from '../tracks/incoming-fixes.ts';
import { writeOutcome, type OrderResult, type WriteGroup, type WriteOrder, type WrittenGroup } from './write-orders.ts';
import type { WriterData, WriterMessage } from './writer.worker.ts';

/**
 * Groups in the thread at once: it writes one while the next is ready. Later records form the group after
 * that.
 */
const MAX_UNDER_WAY = 2;
/** Records per group: some tens of milliseconds of writing, for which the next group waits. */
const MAX_RECORDS = 8_000;

interface WriterThreadOptions extends WriterData {
  now(): number;
  /** Called in commit order, before the sender gets its answer. */
  written(written: WrittenGroup, pack: IncomingBatch): void;
  /** The disk failed to store a commit. Nothing is written until the station restarts. */
  diskFailed(reason: string): void;
  /** The database is damaged. The group is refused. */
  damaged(reason: string): void;
  /** The file of a month is damaged, which is noted. The group is refused; sent again, it does without. */
  monthDamaged(): void;
  /**
   * The thread died; which of the last groups are on disk is unknown. The next group starts another thread,
   * after a backoff if this one had written nothing.
   */
  died(error: Error): { stamp: number };
  readonly script?: URL;
}

/** A record in its group. Its outcome is `outcomes[index]` of the result. */
export interface QueuedRecord {
  readonly index: number;
  readonly written: Promise<WrittenGroup>;
}

/** Waits for one record of a group. */
export interface WriteCallback {
  /** On disk. @param outcome one of `OUTCOME` */
  written(outcome: number): void;
  failed(error: unknown): void;
}

interface Group {
  readonly pack: IncomingBatch;
  /** Callers that wait for one record each, and its index in the pack. */
  readonly waits: WriteCallback[];
  readonly places: number[];
  readonly orders: WriteOrder[];
  readonly written: Promise<WrittenGroup>;
  readonly resolve: (written: WrittenGroup) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The thread that writes `tracks.db`. Records that come in one turn of the event loop, or while the thread
 * has two groups, form one group: one transaction and one sync. The busier the thread, the larger the groups
 * and the cheaper each record.
 */
export class WriterThread {
  readonly #options: WriterThreadOptions;
  readonly #thread: SupervisedWorker<WriterMessage>;
  #stamp: number;
  #filling: Group | undefined;
  #full: Group[] = [];
  #underWay: Group[] = [];
  #scheduled = false;
  #closing = false;
  /** Why nothing can be written any more. */
  #broken: Refusal | undefined;

  constructor(options: WriterThreadOptions) {
    this.#options = options;
    this.#stamp = options.stamp;
    const { directory, futureLimit, quarantineLimit, quarantine } = options;
    this.#thread = new SupervisedWorker({
      script: options.script ?? siblingUrl(import.meta.url, './writer.worker'),
      workerOptions: () => ({
        workerData: { directory, futureLimit, quarantineLimit, quarantine, stamp: this.#stamp } satisfies WriterData,
        resourceLimits: { maxYoungGenerationSizeMb: YOUNG_OF_BUSY_THREAD },
      }),
      onMessage: (said) => this.#onMessage(said),
      onEnd: (end) => this.#ended(end),
      idleLimit: () => Infinity,
    });
    this.#thread.start();
  }

  /** Whether nothing is written any more until the station is restarted. */
  get broken(): boolean {
    return this.#broken !== undefined;
  }

  /** Its result comes when the record is on disk. */
  send(vehicle: number, record: ValidRecord, engineOn: boolean | null): QueuedRecord {
    const group = this.#add(vehicle, record, engineOn);
    return { index: group.pack.count - 1, written: group.written };
  }

  /** The same for a caller that waits for this record alone. */
  sendOne(vehicle: number, record: ValidRecord, engineOn: boolean | null, waits: WriteCallback): void {
    const group = this.#add(vehicle, record, engineOn);
    group.waits.push(waits);
    group.places.push(group.pack.count - 1);
  }

  /** Whether the thread has its maximum of groups, and more records wait. */
  get isBacklogged(): boolean {
    return this.#underWay.length >= MAX_UNDER_WAY && (this.#filling !== undefined || this.#full.length > 0);
  }

  /** Resolves when the order is executed and on disk. */
  async order<Result extends OrderResult>(order: WriteOrder): Promise<Result> {
    const { orders, written } = this.#group();
    const index = orders.push(order) - 1;
    return (await written).results[index] as Result;
  }

  /** As `order`, when no caller waits. Ignored after `close`. */
  orderWithoutReply(order: WriteOrder): void {
    if (!this.#refusal()) this.#group().orders.push(order);
  }

  /** Writes everything sent so far, and ends. */
  async close(): Promise<void> {
    while (this.#filling || this.#full.length > 0 || this.#underWay.length > 0) {
      await (this.#underWay.at(-1) ?? this.#full.at(-1) ?? this.#filling)!.written.catch(() => undefined);
    }
    this.#closing = true;
    if (!this.#thread.isRunning) return;
    const worker = this.#thread.start()!;
    worker.ref();
    const ended = once(worker, 'exit');
    worker.postMessage('close');
    await ended;
  }

  #add(vehicle: number, record: ValidRecord, engineOn: boolean | null): Group {
    let group = this.#group();
    if (group.pack.count >= MAX_RECORDS) {
      this.#full.push(group);
      this.#filling = undefined;
      group = this.#group();
    }
    group.pack.add(vehicle, record, engineOn);
    return group;
  }

  #group(): Group {
    if (this.#filling) return this.#filling;
    const refusal = this.#refusal();
    if (refusal) throw refusal;
    this.#schedule();
    const { promise: written, resolve, reject } = Promise.withResolvers<WrittenGroup>();
    written.catch(() => undefined); // each waiter learns it in turn
    return (this.#filling = { pack: new IncomingBatch(), waits: [], places: [], orders: [], written, resolve, reject });
  }

  /** Why no record is accepted now. */
  #refusal(): Refusal | undefined {
    if (this.#broken) return this.#broken;
    if (this.#closing) return new Refusal('telemetry.closing');
    const paused = this.#thread.unavailableReason;
    return paused === undefined ? undefined : new Refusal('telemetry.paused', { reason: paused });
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#post();
    });
  }

  #post(): void {
    while (this.#underWay.length < MAX_UNDER_WAY) {
      const group = this.#full.shift() ?? this.#filling;
      if (!group) return;
      if (group === this.#filling) this.#filling = undefined;
      const worker = this.#thread.start();
      if (!worker) return rejectGroup(group, this.#refusal()!);
      const fixes = group.pack.packed();
      if (this.#underWay.push(group) === 1) this.#thread.setBusy(true);
      worker.postMessage({ now: this.#options.now(), fixes, orders: group.orders } satisfies WriteGroup, [
        fixes.numbers.buffer,
      ]);
    }
  }

  #onMessage(said: WriterMessage): void {
    const group = this.#underWay.shift()!;
    if (this.#underWay.length === 0 && !this.#closing) this.#thread.setBusy(false);
    if ('failed' in said && said.disk === 'failed') return this.#failForever(group, said.failed);
    this.#thread.markWorking();
    this.#post();
    if ('failed' in said && said.disk === 'damaged') {
      this.#options.damaged(said.failed);
      return rejectGroup(group, new Refusal('telemetry.damaged'));
    }
    if ('failed' in said && said.disk === 'month') {
      this.#options.monthDamaged();
      return rejectGroup(group, new Refusal('telemetry.paused', { reason: said.failed }));
    }
    if ('failed' in said)
      return rejectGroup(
        group,
        Object.assign(
          new Error(`What came in could not be stored: ${said.failed}`),
          said.disk === 'full' ? { code: 'ENOSPC' } : {},
        ),
      );
    this.#options.written(said, group.pack);
    group.resolve(said);
    group.waits.forEach((waits, one) => waits.written(writeOutcome(said.outcomes[group.places[one]!]!)));
  }

  /** From here on nothing is acknowledged, whatever the disk reports later. */
  #failForever(group: Group, reason: string): void {
    if (!this.#broken) {
      this.#broken = new Refusal('telemetry.notStored');
      this.#options.diskFailed(reason);
    }
    rejectGroup(group, this.#broken);
    for (const waiting of this.#takeWaiting()) rejectGroup(waiting, this.#broken);
  }

  #ended({ error, hadWorked }: WorkerEnd): void {
    if (this.#closing) return;
    const lost = this.#underWay.splice(0);
    this.#stamp = this.#options.died(error).stamp;
    if (!hadWorked) lost.push(...this.#takeWaiting());
    for (const group of lost) rejectGroup(group, new Refusal('telemetry.restarted', { reason: error.message }));
    if (this.#filling || this.#full.length > 0) this.#schedule();
  }

  /** Groups that the thread does not have yet. */
  #takeWaiting(): Group[] {
    const waiting = this.#full.splice(0);
    if (this.#filling) waiting.push(this.#filling);
    this.#filling = undefined;
    return waiting;
  }
}

function rejectGroup(group: Group, error: Error): void {
  group.reject(error);
  for (const waits of group.waits) waits.failed(error);
}

import { keyOf } from '../../../shared/ids.ts';
import { stampDeletion } from '../../../shared/merge/merge.ts';
import { isStamp, stampClock, type Stamp } from '../../../shared/merge/stamps.ts';
import type { EventRecord, Stamps } from '../../../shared/records/index.ts';
import {
  eventDraft,
  pieceOf,
  type ComputedRevision,
  type FoldCheckpoint,
  type FoldResult,
  type RevisionPiece,
  type RevisionSink,
  type VehicleEvent,
} from '../events/index.ts';
import { partitionOf } from '../../replication/nats/index.ts';
import type { Records } from '../../store/types.ts';
import { WORKERS } from './author.ts';
import type { LogStep, RevisionLog } from './revision-log.ts';

interface LogWriterOptions {
  readonly log: Pick<RevisionLog, 'append' | 'head'>;
  readonly records: Pick<Records<EventRecord>, 'get'>;
  /** Whether the events of the vehicle were computed in the ownership of now. */
  mayWrite(vehicleId: number): boolean;
  /** A step was not stored. What was not stored is computed by the next owner. */
  failed(partition: number, error: unknown): void;
  now(): number;
}

/** Characters of one step. Compressed, it is far below what servers take at once. */
const LARGEST_STEP = 500_000;

type ReadRevision = ComputedRevision & { readonly difference: RevisionPiece };

/** Stores revisions as steps of the logs of their partitions. A checkpoint comes after the events before it. */
export class LogWriter implements RevisionSink {
  readonly #options: LogWriterOptions;
  /** States inside spans that are being computed, by vehicle and time. */
  readonly #held = new Map<number, Map<number, string>>();

  constructor(options: LogWriterOptions) {
    this.#options = options;
  }

  async save(found: readonly ComputedRevision[], at: number): Promise<RevisionPiece[]> {
    const { mayWrite, failed } = this.#options;
    const revisions = found.map((revision) => ({
      ...revision,
      difference: joined(revision.folded.pieces.map(pieceOf)),
    }));
    const byPartition = Map.groupBy(revisions, ({ folded }) => partitionOf(folded.vehicleId));
    const saved = [...byPartition].map(async ([partition, its]) => {
      if (!its.every(({ folded }) => mayWrite(folded.vehicleId)))
        throw new Error(`The partition ${partition} was given back meanwhile.`);
      await this.#savePartition(partition, its, at).catch((error: unknown) => {
        failed(partition, error);
        throw error;
      });
    });
    // One partition that fails keeps no other from being stored.
    for (const result of await Promise.allSettled(saved)) if (result.status === 'rejected') throw result.reason;
    return revisions.map(({ difference }) => difference);
  }

  /**
   * They are stored with the events of their span. The next owner may compute a part of the span alone, which would end
   * at such a state and leave older events behind it.
   */
  saveCheckpoints(vehicleId: number, checkpoints: readonly FoldCheckpoint[], isNew: boolean): Promise<void> {
    if (isNew) this.#held.delete(vehicleId);
    const held = this.#held.get(vehicleId) ?? new Map<number, string>();
    for (const { time, states } of checkpoints) held.set(time, states);
    this.#held.set(vehicleId, held);
    return Promise.resolve();
  }

  /** A worker computes the events of all that it reads. */
  dropCheckpoints(): Promise<void> {
    return Promise.resolve();
  }

  async #savePartition(partition: number, revisions: readonly ReadRevision[], at: number): Promise<void> {
    const stamps = this.#clock(partition);
    const step = new StepDraft((content) => this.#options.log.append(partition, { ...content, stamp: stamps.latest }));
    for (const { folded, reason, difference, isPart } of revisions) {
      const { vehicleId } = folded;
      for (const event of [...difference.created, ...difference.changed])
        await step.add('events', JSON.stringify(this.#record(event, stamps, at, reason)));
      for (const { id } of difference.withdrawn) {
        const record = this.#options.records.get(id);
        if (record) await step.add('withdrawn', JSON.stringify({ ...record, hlc: stampDeletion(record.hlc) }));
      }
      if (isPart) continue;
      for (const [time, states] of this.#heldOf(folded)) await step.checkpoint([vehicleId, time, states]);
      for (const { time, states } of folded.addCheckpoints) await step.checkpoint([vehicleId, time, states]);
      for (const time of folded.dropCheckpoints) await step.checkpoint([vehicleId, time, null]);
    }
    await step.flush();
  }

  #heldOf({ vehicleId, isNew }: FoldResult): ReadonlyMap<number, string> {
    const held = isNew ? undefined : this.#held.get(vehicleId);
    this.#held.delete(vehicleId);
    return held ?? new Map();
  }

  #clock(partition: number) {
    return stampClock(WORKERS, this.#options.now, this.#options.log.head(partition)?.stamp ?? '');
  }

  /** The whole record again: its stamp is later than those of every version known here. */
  #record(event: VehicleEvent, stamps: ReturnType<typeof stampClock>, at: number, reason: string): EventRecord {
    const before = this.#options.records.get(event.id);
    for (const stamp of before ? stampsOf(before.hlc) : []) stamps.receive(stamp);
    return { ...eventDraft(event, at, reason), key: keyOf(event.id), hlc: { base: stamps.next(), fields: {} } };
  }
}

/** Collects a step, and stores it when it is large. */
class StepDraft {
  readonly #store: (step: LogStep) => Promise<void>;
  #step = emptyStep();
  #size = 0;

  constructor(store: (step: LogStep) => Promise<void>) {
    this.#store = store;
  }

  add(kind: 'events' | 'withdrawn', text: string): Promise<void> {
    this.#step[kind].push(text);
    return this.#added(text.length);
  }

  checkpoint(checkpoint: LogStep['checkpoints'][number]): Promise<void> {
    this.#step.checkpoints.push(checkpoint);
    return this.#added(checkpoint[2]?.length ?? 0);
  }

  async flush(): Promise<void> {
    if (this.#size === 0) return;
    const step = this.#step;
    [this.#step, this.#size] = [emptyStep(), 0];
    await this.#store(step);
  }

  async #added(characters: number): Promise<void> {
    this.#size += characters + 20;
    if (this.#size >= LARGEST_STEP) await this.flush();
  }
}

function emptyStep() {
  return { events: [] as string[], withdrawn: [] as string[], checkpoints: [] as LogStep['checkpoints'][number][] };
}

function joined(pieces: readonly RevisionPiece[]): RevisionPiece {
  return {
    created: pieces.flatMap(({ created }) => created),
    changed: pieces.flatMap(({ changed }) => changed),
    withdrawn: pieces.flatMap(({ withdrawn }) => withdrawn),
  };
}

function stampsOf({ base, fields }: Stamps): Stamp[] {
  return [base, ...Object.values(fields)].filter(isStamp);
}

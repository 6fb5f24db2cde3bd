import type { DatabaseSync } from 'node:sqlite';
import type { EventRecord } from '../../../../shared/records/index.ts';
import type { Draft, Records, Store } from '../../../store/index.ts';
import type { FoldCheckpoint, VehicleEvent } from '../fold/engine.ts';
import { pieceOf, type FoldResult, type RevisionPiece } from '../fold/fold.ts';

/** Events per write. */
const EVENTS_PER_WRITE = 12;
/** Checkpoints written at once. */
const CHECKPOINTS = 50;
/** ms of writing before the event loop runs other work */
const SLICE = 1;
const KINDS = ['created', 'changed', 'withdrawn'] as const;

/** The revision of a vehicle, and why it was computed. */
export interface ComputedRevision {
  readonly folded: FoldResult;
  readonly reason: string;
  /** More of it is saved later. */
  readonly isPart?: true;
}

export interface Revised {
  readonly vehicleId: number;
  /**
   * Why it was revised: `live`, `late record`, `silence`, `changed` (zones, sensors, routes, settings),
   * `task`.
   */
  readonly reason: string;
  readonly created: readonly VehicleEvent[];
  readonly changed: readonly VehicleEvent[];
  readonly withdrawn: readonly VehicleEvent[];
}

/** Where revisions are stored. What it resolves is on disk, all of a revision or nothing of it. */
export interface RevisionSink {
  /** Resolves with the difference of each. @param at epoch ms, noted as the time of the revision */
  save(found: readonly ComputedRevision[], at: number): Promise<RevisionPiece[]>;
  /**
   * Of an unfinished span: they may be stored before its events.
   * @param isNew the span was begun: what it gave before does not count
   */
  saveCheckpoints(vehicleId: number, checkpoints: readonly FoldCheckpoint[], isNew: boolean): Promise<unknown>;
  /** Of tracks that changed and whose events another program computes: `from` is the first change. */
  dropCheckpoints(changed: readonly { readonly vehicleId: number; readonly from: number }[]): Promise<unknown>;
}

/**
 * Writes revisions: events into their collection, checkpoints into a plain table of the same database,
 * together.
 */
export class RevisionWriter implements RevisionSink {
  readonly #store: Store;
  readonly #records: Records<EventRecord>;

  constructor(store: Store) {
    this.#store = store;
    this.#records = store.records('events');
  }

  /**
   * Resolves with the difference of each when all are on disk. They share one commit, since each waits for
   * the disk, but are written in pieces, between which the event loop runs.
   * @param at epoch ms, noted as the time of the revision
   */
  async save(found: readonly ComputedRevision[], at: number): Promise<RevisionPiece[]> {
    const differences = found.map(() => ({
      created: [] as VehicleEvent[],
      changed: [] as VehicleEvent[],
      withdrawn: [] as VehicleEvent[],
    }));
    if (found.every(({ folded }) => isEmpty(folded))) return differences;
    await this.#store.transaction(async () => {
      let batch = new WriteBatch();
      let began = performance.now();
      const writePortion = async () => {
        await this.#write(batch);
        batch = new WriteBatch();
        if (performance.now() - began < SLICE) return;
        await new Promise((turn) => setImmediate(turn));
        began = performance.now();
      };
      for (const [i, { folded, reason }] of found.entries()) {
        for (const text of folded.pieces) {
          const piece = pieceOf(text);
          for (const kind of KINDS) differences[i]![kind].push(...piece[kind]);
          batch.add(piece, at, reason);
          if (batch.count >= EVENTS_PER_WRITE) await writePortion();
        }
        for (const change of changesOf(folded)) {
          batch.checkpoints.push(change);
          if (batch.checkpoints.length >= CHECKPOINTS) await writePortion();
        }
      }
      await this.#write(batch);
    });
    return differences;
  }

  saveCheckpoints(vehicleId: number, checkpoints: readonly FoldCheckpoint[]): Promise<unknown> {
    if (checkpoints.length === 0) return Promise.resolve();
    return this.#store.writePlain((sql) =>
      writeCheckpoints(
        sql,
        checkpoints.map(({ time, states }) => ({ vehicleId, time, states })),
      ),
    );
  }

  dropCheckpoints(changed: readonly { readonly vehicleId: number; readonly from: number }[]): Promise<unknown> {
    return this.#store.writePlain((sql) => {
      const drop = sql.prepare('DELETE FROM event_checkpoints WHERE vehicle = ? AND time >= ?');
      for (const { vehicleId, from } of changed) drop.run(vehicleId, from);
    });
  }

  async #write({ created, changed, withdrawn, checkpoints }: WriteBatch): Promise<void> {
    const writes: Promise<unknown>[] = [];
    if (created.length > 0) writes.push(this.#records.insertMany(created));
    if (changed.size > 0)
      writes.push(
        this.#records.changeMany([...changed.keys()], (record) => ({ ...record, ...changed.get(record.id)! })),
      );
    for (const id of withdrawn) writes.push(this.#records.remove(id));
    if (checkpoints.length > 0) writes.push(this.#store.writePlain((sql) => writeCheckpoints(sql, checkpoints)));
    await Promise.all(writes);
  }
}

/** The unit of one write. */
class WriteBatch {
  readonly created: Draft<EventRecord>[] = [];
  readonly changed = new Map<number, Draft<EventRecord>>();
  readonly withdrawn: number[] = [];
  readonly checkpoints: CheckpointChange[] = [];

  add({ created, changed, withdrawn }: RevisionPiece, at: number, reason: string): void {
    for (const event of created) this.created.push(eventDraft(event, at, reason));
    for (const event of changed) this.changed.set(event.id, eventDraft(event, at, reason));
    for (const { id } of withdrawn) this.withdrawn.push(id);
  }

  get count(): number {
    return this.created.length + this.changed.size + this.withdrawn.length;
  }
}

function isEmpty({ pieces, addCheckpoints, dropCheckpoints }: FoldResult): boolean {
  return pieces.length + addCheckpoints.length + dropCheckpoints.length === 0;
}

/** Removed if there are no `states`. */
interface CheckpointChange {
  readonly vehicleId: number;
  readonly time: number;
  readonly states?: string;
}

function changesOf({ vehicleId, addCheckpoints, dropCheckpoints }: FoldResult): CheckpointChange[] {
  return [
    ...addCheckpoints.map(({ time, states }) => ({ vehicleId, time, states })),
    ...dropCheckpoints.map((time) => ({ vehicleId, time })),
  ];
}

function writeCheckpoints(sql: DatabaseSync, changes: readonly CheckpointChange[]): void {
  const put = sql.prepare(
    'INSERT INTO event_checkpoints (vehicle, time, states) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET states = excluded.states',
  );
  const take = sql.prepare('DELETE FROM event_checkpoints WHERE vehicle = ? AND time = ?');
  for (const { vehicleId, time, states } of changes) {
    if (states === undefined) take.run(vehicleId, time);
    else put.run(vehicleId, time, states);
  }
}

export function eventDraft(event: VehicleEvent, revisedAt: number, reason: string): Draft<EventRecord> {
  return { ...event, until: event.until ?? 0, revisedAt, reason };
}

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { EventRecord } from '../../shared/records/index.ts';
import type { Draft, Records, Store } from '../store/index.ts';
import type { Checkpoint, Memory, Revision, VehicleEvent } from './engine.ts';

/** Vehicles whose revisions are written in one go. */
const PORTION = 5;
/** ms of writing before the event loop gets its turn. */
const SLICE = 1;

/** Events in their collection, checkpoints in a plain table of the same database: a revision is on disk whole or not at all. */
export class StoredMemory implements Memory {
  readonly #store: Store;
  readonly #records: Records<EventRecord>;
  readonly #before: StatementSync;
  readonly #after: StatementSync;
  readonly #seen: StatementSync;

  constructor(store: Store) {
    this.#store = store;
    this.#records = store.records('events');
    this.#before = store.sql.prepare('SELECT time, states FROM event_checkpoints WHERE vehicle = ? AND time <= ? ORDER BY time DESC LIMIT 1');
    this.#after = store.sql.prepare('SELECT time, states FROM event_checkpoints WHERE vehicle = ? AND time > ? ORDER BY time');
    this.#seen = store.sql.prepare(`SELECT data FROM ${store.table('events')} WHERE deleted = 0 AND vehicleId = ? AND seenAt > ? AND seenAt <= ?`);
  }

  checkpointBefore(vehicleId: number, time: number): Checkpoint | undefined {
    return this.#before.get(vehicleId, time) as Checkpoint | undefined;
  }

  checkpointsAfter(vehicleId: number, time: number): readonly Checkpoint[] {
    return this.#after.all(vehicleId, time) as unknown as Checkpoint[];
  }

  eventsSeen(vehicleId: number, after: number, till: number): readonly VehicleEvent[] {
    return this.#seen.all(vehicleId, after, till).map((row) => eventOf(JSON.parse(row['data'] as string) as EventRecord)).filter(({ type }) => !isOfTask(type));
  }

  event(vehicleId: number, id: number): VehicleEvent | undefined {
    const record = this.#records.get(id);
    return record?.vehicleId === vehicleId ? eventOf(record) : undefined;
  }

  /** Resolves when all revisions are on disk: together, since each commit waits for the disk; but in portions, between which the event loop turns. */
  async save(revisions: readonly SavedRevision[], at: number): Promise<void> {
    const telling = revisions.filter(({ revision }) => Object.values(revision).some((part: readonly unknown[]) => part.length > 0));
    if (telling.length === 0) return;
    await this.#store.together(async () => {
      let began = performance.now();
      for (let first = 0; first < telling.length; first += PORTION) {
        await this.#savePortion(telling.slice(first, first + PORTION), at);
        if (performance.now() - began < SLICE) continue;
        await new Promise((turn) => setImmediate(turn));
        began = performance.now();
      }
    });
  }

  async #savePortion(revisions: readonly SavedRevision[], at: number): Promise<void> {
    const writes: Promise<unknown>[] = [];
    const created = revisions.flatMap(({ revision, reason }) => revision.created.map((event) => draftOf(event, at, reason)));
    if (created.length > 0) writes.push(this.#records.insertMany(created));
    for (const { revision, reason } of revisions) {
      for (const event of revision.changed) writes.push(this.#records.change(event.id, (record) => ({ ...record, ...draftOf(event, at, reason) })));
      for (const event of revision.withdrawn) writes.push(this.#records.remove(event.id));
    }
    const checkpoints = revisions.filter(({ revision }) => revision.addCheckpoints.length + revision.dropCheckpoints.length > 0);
    if (checkpoints.length > 0) {
      writes.push(this.#store.writePlain((sql) => {
        for (const { vehicleId, revision } of checkpoints) saveCheckpoints(sql, vehicleId, revision.addCheckpoints, revision.dropCheckpoints);
      }));
    }
    await Promise.all(writes);
  }
}

/** A revision of the events of one vehicle, and why it was made. */
export interface SavedRevision {
  readonly vehicleId: number;
  readonly revision: Revision;
  readonly reason: string;
}

/** Types 18 to 23 are worked out from the lives of tasks, and not from a track. */
function isOfTask(type: number): boolean {
  return type >= 18 && type <= 23;
}

function saveCheckpoints(sql: DatabaseSync, vehicleId: number, add: readonly Checkpoint[], drop: readonly number[]): void {
  const put = sql.prepare('INSERT INTO event_checkpoints (vehicle, time, states) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET states = excluded.states');
  for (const { time, states } of add) put.run(vehicleId, time, states);
  const take = sql.prepare('DELETE FROM event_checkpoints WHERE vehicle = ? AND time = ?');
  for (const time of drop) take.run(vehicleId, time);
}

export function eventOf(record: EventRecord): VehicleEvent {
  const { id, vehicleId, type, subject, from, till, seenAt, bySilence, lat, lon, info, data } = record;
  return { id, vehicleId, type, subject, from, till: till === 0 ? null : till, seenAt, bySilence, lat, lon, info, data };
}

export function draftOf(event: VehicleEvent, revisedAt: number, reason: string): Draft<EventRecord> {
  return { ...event, till: event.till ?? 0, revisedAt, reason };
}

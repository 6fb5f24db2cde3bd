import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { keyOf } from '../../../../shared/ids.ts';
import type { EventRecord } from '../../../../shared/records/index.ts';
import type { FoldCheckpoint, Memory, VehicleEvent } from './engine.ts';

/** Events read at once: less than a millisecond. */
const EVENT_PAGE = 50;

/**
 * Reads the stored past of a vehicle: events of their collection, checkpoints of a plain table of the same
 * database.
 */
export class StoredMemory implements Memory {
  readonly #before: StatementSync;
  readonly #after: StatementSync;
  readonly #seen: StatementSync;
  readonly #event: StatementSync;

  /** @param table SQL for the table of events */
  constructor(sql: DatabaseSync, table: string) {
    this.#before = sql.prepare(
      'SELECT time, states FROM event_checkpoints WHERE vehicle = ? AND time <= ? ORDER BY time DESC LIMIT 1',
    );
    this.#after = sql.prepare(
      'SELECT time, states FROM event_checkpoints WHERE vehicle = ? AND time > ? ORDER BY time LIMIT ?',
    );
    const seen = `FROM ${table} WHERE deleted = 0 AND vehicleId = ?1 AND seenAt > ?2 AND seenAt <= ?3`;
    // A page ends with all events first seen at the same time.
    this.#seen = sql.prepare(
      `SELECT data ${seen} AND seenAt <= coalesce((SELECT seenAt ${seen} ORDER BY seenAt LIMIT 1 OFFSET ?4), ?3) ORDER BY seenAt`,
    );
    this.#event = sql.prepare(`SELECT data FROM ${table} WHERE deleted = 0 AND key = ?`);
  }

  checkpointBefore(vehicleId: number, time: number): FoldCheckpoint | undefined {
    return this.#before.get(vehicleId, time) as FoldCheckpoint | undefined;
  }

  checkpointsAfter(vehicleId: number, time: number, limit: number): readonly FoldCheckpoint[] {
    return this.#after.all(vehicleId, time, limit) as unknown as FoldCheckpoint[];
  }

  *eventsSeen(vehicleId: number, after: number, until: number): Iterable<VehicleEvent> {
    for (let last: number | undefined = after; last !== undefined;) {
      const page: EventRecord[] = this.#seen.all(vehicleId, last, until, EVENT_PAGE - 1).map(recordOf);
      for (const record of page) if (!isOfTask(record.type)) yield eventOf(record);
      last = page.at(-1)?.seenAt;
    }
  }

  event(vehicleId: number, id: number): VehicleEvent | undefined {
    const row = this.#event.get(keyOf(id));
    const record = row && recordOf(row);
    return record?.vehicleId === vehicleId ? eventOf(record) : undefined;
  }
}

/** Types 18 to 23 are computed from tasks, not from a track. */
function isOfTask(type: number): boolean {
  return type >= 18 && type <= 23;
}

function recordOf(row: Record<string, unknown>): EventRecord {
  return JSON.parse(row['data'] as string) as EventRecord;
}

export function eventOf(record: EventRecord): VehicleEvent {
  const { id, vehicleId, type, subject, from, until, seenAt, bySilence, lat, lon, info, data } = record;
  return {
    id,
    vehicleId,
    type,
    subject,
    from,
    until: until === 0 ? null : until,
    seenAt,
    bySilence,
    lat,
    lon,
    info,
    data,
  };
}

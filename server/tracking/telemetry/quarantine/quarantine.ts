import { createHash } from 'node:crypto';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { QUARANTINE_LIMIT, QuarantineQuota, type QuotaSubject } from './quarantine-quota.ts';

/** Input that could not be stored, kept so that nothing is lost silently. */
export interface QuarantineEntry {
  id: number;
  /** Time of arrival. */
  time: number;
  /** The source: `http`, or a protocol. */
  source: string;
  device: string;
  reason: string;
  raw: Uint8Array;
}

/** A new entry. Without a subject it comes from the station itself, without a limit. */
export type NewQuarantineEntry = Omit<QuarantineEntry, 'id'> & { readonly subject?: QuotaSubject | undefined };

export interface QuarantineBounds {
  entries: number;
  /** milliseconds */
  age: number;
  /** Of all entries together; approximate within a hundredth. */
  bytes: number;
}

/** A broken device that sends each second fills this in a day; then the oldest entries are removed. */
const QUARANTINE_BOUNDS: QuarantineBounds = { entries: 100_000, age: 30 * 86_400_000, bytes: 256_000_000 };

const LONGEST_RAW = 64 * 1024;
/** The bytes are counted after this share of the limit has arrived. */
const COUNTED_EVERY = 0.01;
/** Entries removed at once when there are too many bytes. */
const GIVE_WAY = 20;

/** Unreadable and unbelieved input, bounded by count, age and bytes. */
export class Quarantine {
  readonly #bounds: QuarantineBounds;
  readonly #quota: QuarantineQuota;
  readonly #insertOne: StatementSync;
  readonly #isThere: StatementSync;
  readonly #removeOne: StatementSync;
  readonly #removeOldest: StatementSync;
  readonly #removeSome: StatementSync;
  readonly #allBytes: StatementSync;
  /** Since the last count. */
  #bytesCame = Infinity;
  readonly #newest: StatementSync;
  readonly #oldest: StatementSync;
  readonly #byId: StatementSync;

  constructor(db: DatabaseSync, bounds: QuarantineBounds = QUARANTINE_BOUNDS, limit = QUARANTINE_LIMIT) {
    this.#bounds = bounds;
    this.#quota = new QuarantineQuota(limit);
    this.#isThere = db.prepare('SELECT 1 FROM quarantine WHERE digest=?');
    this.#insertOne = db.prepare(
      'INSERT INTO quarantine (time, source, device, reason, raw, digest) VALUES (?,?,?,?,?,?) ON CONFLICT DO NOTHING',
    );
    this.#removeOne = db.prepare('DELETE FROM quarantine WHERE id=?');
    // Ids ascend and are removed mostly from the front, so the span of ids approximates the count.
    this.#removeOldest = db.prepare(
      'DELETE FROM quarantine WHERE id <= (SELECT max(id) FROM quarantine) - ? OR time < ?',
    );
    this.#removeSome = db.prepare(
      'DELETE FROM quarantine WHERE id IN (SELECT id FROM quarantine ORDER BY id LIMIT ?) RETURNING length(raw) AS bytes',
    );
    this.#allBytes = db.prepare('SELECT coalesce(sum(length(raw)), 0) AS bytes FROM quarantine');
    this.#newest = db.prepare(
      'SELECT id, time, source, device, reason, raw FROM quarantine WHERE id < ? ORDER BY id DESC LIMIT ?',
    );
    this.#oldest = db.prepare(
      'SELECT id, time, source, device, reason, raw FROM quarantine WHERE id > ? ORDER BY id LIMIT ?',
    );
    this.#byId = db.prepare('SELECT id, time, source, device, reason, raw FROM quarantine WHERE id=?');
  }

  /**
   * Stores the same bytes once: a device without a confirmation keeps sending them. @returns false if they
   * are not stored because the subject sent too many within the hour
   */
  add(entry: NewQuarantineEntry, now: number): boolean {
    const digest = createHash('sha256').update(`${entry.source}\n${entry.device}\n`).update(entry.raw).digest();
    if (entry.subject && !this.#quota.hasRoom(entry.subject, now)) return this.#isThere.get(digest) !== undefined;
    const raw = entry.raw.subarray(0, LONGEST_RAW);
    const { changes } = this.#insertOne.run(
      entry.time,
      entry.source,
      entry.device.slice(0, 100),
      entry.reason,
      raw,
      digest,
    );
    if (changes === 0) return true;
    this.#bytesCame += raw.length;
    if (entry.subject) this.#quota.count(entry.subject, now);
    return true;
  }

  remove(id: number): void {
    this.#removeOne.run(id);
  }

  trim(now: number): void {
    this.#removeOldest.run(this.#bounds.entries, now - this.#bounds.age);
    if (this.#bytesCame < this.#bounds.bytes * COUNTED_EVERY) return;
    this.#bytesCame = 0;
    let { bytes } = this.#allBytes.get() as { bytes: number };
    while (bytes > this.#bounds.bytes)
      for (const row of this.#removeSome.all(GIVE_WAY)) bytes -= row['bytes'] as number;
  }

  /** Newest first, older than the entry `before`. */
  list(before: number, limit: number): QuarantineEntry[] {
    return this.#newest.all(before, limit) as unknown as QuarantineEntry[];
  }

  /** Oldest first, after the entry `after`. */
  after(after: number, limit: number): QuarantineEntry[] {
    return this.#oldest.all(after, limit) as unknown as QuarantineEntry[];
  }

  get(id: number): QuarantineEntry | undefined {
    return this.#byId.get(id) as QuarantineEntry | undefined;
  }
}

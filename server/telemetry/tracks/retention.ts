import type { DatabaseSync } from 'node:sqlite';
import { Mutex } from '../../platform/mutex.ts';

const DAY = 86_400_000;
/** ms for which a new rule waits before it deletes: somebody may have mistyped it. */
const GRACE = 3_600_000;
/**
 * Points are kept a day longer than late ones are taken in, so that the events at the edge have what they are
 * worked out from.
 */
const EDGE = DAY;
/** Points that are deleted before others get a turn: a millisecond or two. */
const AT_ONCE = 500;

/** How long tracks are kept. */
export interface RetentionRule {
  readonly organizationId: number;
  /** null: for ever. */
  readonly days: number | null;
  /** When the rule was set, epoch ms. */
  readonly since: number;
}

interface RetentionOptions {
  /** Time (epoch ms) before which records are refused, whatever the rules say. */
  readonly beginning?: number;
  now(): number;
  /** Also of vehicles that were deleted. */
  organizationOf(vehicleId: number): number | undefined;
  /** Resolves when it is on disk. */
  setRule(rule: RetentionRule): Promise<unknown>;
  /** Deletes some points of a vehicle that are older; resolves with how many, 0: there are none. */
  deleteOlder(vehicleId: number, before: number): Promise<number>;
}

/**
 * Deletes what is older than its organisation wants, a little at a time. Rules are this station's own: others
 * may have larger disks.
 */
export class Retention {
  readonly #options: RetentionOptions;
  readonly #rules = new Map<number, RetentionRule>();
  #sweeping: Promise<number> | undefined;
  readonly #setting = new Mutex();
  #closed = false;

  constructor(db: DatabaseSync, options: RetentionOptions) {
    this.#options = options;
    for (const rule of db
      .prepare('SELECT organizationId, days, since FROM retention')
      .all() as unknown as RetentionRule[])
      this.#rules.set(rule.organizationId, rule);
  }

  rule(organizationId: number): RetentionRule {
    return this.#rules.get(organizationId) ?? { organizationId, days: null, since: 0 };
  }

  /**
   * Sets a rule; the one that is there already stays as it is, with the time at which it was set.
   * @param days null: for ever
   */
  set(organizationId: number, days: number | null): Promise<RetentionRule> {
    // In turn: what is there already is known when what was set before is on disk.
    return this.#setting.run(() => this.#set(organizationId, days));
  }

  async #set(organizationId: number, days: number | null): Promise<RetentionRule> {
    const known = this.rule(organizationId);
    if (known.days === days) return known;
    const rule = { organizationId, days, since: this.#options.now() };
    await this.#options.setRule(rule);
    if (days === null) this.#rules.delete(organizationId);
    else this.#rules.set(organizationId, rule);
    return rule;
  }

  /** The oldest time (epoch ms) of which records of a vehicle are taken in. */
  keptSince(vehicleId: number): number {
    if (this.#rules.size === 0) return this.beginning;
    const rule = this.#rules.get(this.#options.organizationOf(vehicleId) ?? -1);
    const kept = rule?.days == null || !this.#inForce(rule) ? -Infinity : this.#options.now() - rule.days * DAY;
    return Math.max(kept, this.beginning);
  }

  /** The time (epoch ms) with which `tracks.db` begins, when a damaged one was set aside. */
  get beginning(): number {
    return this.#options.beginning ?? -Infinity;
  }

  /** Up to when (epoch ms) a rule of so many days deletes. */
  deletesBefore(days: number): number {
    return this.#options.now() - days * DAY - EDGE;
  }

  /** Deletes what is over. Resolves with how many points went. */
  sweep(vehicleIds: Iterable<number>): Promise<number> {
    return (this.#sweeping ??= this.#sweep([...vehicleIds]).finally(() => (this.#sweeping = undefined)));
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#sweeping;
  }

  async #sweep(vehicleIds: readonly number[]): Promise<number> {
    let deleted = 0;
    for (const vehicleId of vehicleIds) {
      const rule = this.#rules.get(this.#options.organizationOf(vehicleId) ?? -1);
      if (rule?.days == null || !this.#inForce(rule)) continue;
      const before = this.deletesBefore(rule.days);
      for (let changes = 1; changes > 0 && !this.#closed;) {
        changes = await this.#options.deleteOlder(vehicleId, before);
        deleted += changes;
      }
    }
    return deleted;
  }

  #inForce({ since }: RetentionRule): boolean {
    return this.#options.now() - since >= GRACE;
  }
}

/** @param db a connection that writes */
export function writeRule(db: DatabaseSync, { organizationId, days, since }: RetentionRule): void {
  if (days === null) db.prepare('DELETE FROM retention WHERE organizationId=?').run(organizationId);
  else db.prepare('INSERT OR REPLACE INTO retention VALUES (?,?,?)').run(organizationId, days, since);
}

/** Deletes some of the points of a vehicle that are older; returns how many. */
export function deleteOlder(db: DatabaseSync, vehicleId: number, before: number): number {
  return Number(
    db
      .prepare(
        `DELETE FROM tracks WHERE vehicle=? AND time<? AND time<=(SELECT max(time) FROM (SELECT time FROM tracks WHERE vehicle=? ORDER BY time LIMIT ${AT_ONCE}))`,
      )
      .run(vehicleId, before, vehicleId).changes,
  );
}

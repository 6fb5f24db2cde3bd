import type { DatabaseSync } from 'node:sqlite';
import { Mutex } from '../../../platform/mutex.ts';
import { isInGap, type TrackGap } from '../months/damaged-months.ts';
import type { Expired } from '../months/months.ts';
import { HEAD_TABLES } from './point-reader.ts';

const DAY = 86_400_000;
/** ms before a new rule deletes anything, in case of a typing error. */
const GRACE = 3_600_000;
/** Points stay a day longer than late ones are accepted, so that events at the edge have their input. */
const EDGE = DAY;
/** Points deleted before other work runs: a millisecond or two. */
const AT_ONCE = 500;

/** How long tracks are kept. */
export interface RetentionRule {
  readonly organizationId: number;
  /** null: without limit. */
  readonly days: number | null;
  /** When the rule was set, epoch ms. */
  readonly since: number;
}

interface RetentionOptions {
  /** Records before this time (epoch ms) are refused under every rule. */
  readonly beginning?: number;
  now(): number;
  /** Including deleted vehicles. */
  organizationOf(vehicleId: number): number | undefined;
  /** Resolves when it is on disk. */
  setRule(rule: RetentionRule): Promise<unknown>;
  /** Times whose positions are in a damaged file that was set aside. */
  gaps?(): readonly TrackGap[];
  /** Up to this time (epoch ms) points may be in the historian. */
  movedUntil?(): number;
  /** Deletes expired points that are in their months; resolves with their number, without those of whole months. */
  expireMonths(expired: Expired): Promise<number>;
  /** Deletes some older points of a vehicle that are in no month yet; resolves with their number, 0: there are none. */
  deleteOlder(vehicleId: number, before: number): Promise<number>;
}

/**
 * Deletes expired points, by the rules of their organizations, in small steps. Rules are local to this
 * station: others may have larger disks.
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

  /** Sets a rule; an equal rule stays, with its time. @param days null: without limit */
  set(organizationId: number, days: number | null): Promise<RetentionRule> {
    // In turn: the current rule is known only when the last change is on disk.
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

  /** The oldest time (epoch ms) of accepted records of a vehicle. */
  keptSince(vehicleId: number): number {
    if (this.#rules.size === 0) return this.beginning;
    const rule = this.#rules.get(this.#options.organizationOf(vehicleId) ?? -1);
    const kept = rule?.days == null || !this.#inForce(rule) ? -Infinity : this.#options.now() - rule.days * DAY;
    return Math.max(kept, this.beginning);
  }

  /** The time (epoch ms) with which `tracks.db` begins, if a damaged one was set aside. */
  get beginning(): number {
    return this.#options.beginning ?? -Infinity;
  }

  /** Why a record of that time cannot be distinguished from a repeated one, or undefined. */
  closedBecause(time: number): string | undefined {
    if (time <= (this.#options.movedUntil?.() ?? -1))
      return 'The tracks of that time were moved to the historian, which takes no late records.';
    return time < this.beginning || isInGap(this.#options.gaps?.() ?? [], time)
      ? 'The tracks of that time are in a damaged file that was set aside.'
      : undefined;
  }

  /** The time (epoch ms) up to which a rule of so many days deletes. */
  deletesBefore(days: number): number {
    return this.#options.now() - days * DAY - EDGE;
  }

  /** The time (epoch ms) up to which what an organization keeps expires now; -Infinity: nothing does. */
  expiredBefore(organizationId: number): number {
    const rule = this.rule(organizationId);
    return rule.days === null || !this.#inForce(rule) ? -Infinity : this.deletesBefore(rule.days);
  }

  /** Deletes expired points. Resolves with their number, without those of whole months. */
  sweep(vehicleIds: Iterable<number>): Promise<number> {
    return (this.#sweeping ??= this.#sweep([...vehicleIds]).finally(() => (this.#sweeping = undefined)));
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#sweeping;
  }

  async #sweep(vehicleIds: readonly number[]): Promise<number> {
    let deleted = 0;
    const expired = new Map<number, number>();
    for (const vehicleId of vehicleIds) {
      const rule = this.#rules.get(this.#options.organizationOf(vehicleId) ?? -1);
      if (rule?.days == null || !this.#inForce(rule)) continue;
      const before = this.deletesBefore(rule.days);
      expired.set(vehicleId, before);
      for (let changes = 1; changes > 0 && !this.#closed;) {
        changes = await this.#options.deleteOlder(vehicleId, before);
        deleted += changes;
      }
    }
    return expired.size === 0 || this.#closed ? deleted : deleted + (await this.#options.expireMonths(expired));
  }

  #inForce({ since }: RetentionRule): boolean {
    return this.#options.now() - since >= GRACE;
  }
}

/** @param db a writable connection */
export function writeRule(db: DatabaseSync, { organizationId, days, since }: RetentionRule): void {
  if (days === null) db.prepare('DELETE FROM retention WHERE organizationId=?').run(organizationId);
  else db.prepare('INSERT OR REPLACE INTO retention VALUES (?,?,?)').run(organizationId, days, since);
}

/** Deletes some older points of a vehicle that are in no month yet; returns their number. */
export function deleteOlder(db: DatabaseSync, vehicleId: number, before: number): number {
  let deleted = 0;
  for (const table of HEAD_TABLES)
    deleted += Number(
      db
        .prepare(
          `DELETE FROM ${table} WHERE vehicle=? AND time<? AND time<=(SELECT max(time) FROM (SELECT time FROM ${table} WHERE vehicle=? ORDER BY time LIMIT ${AT_ONCE}))`,
        )
        .run(vehicleId, before, vehicleId).changes,
    );
  return deleted;
}

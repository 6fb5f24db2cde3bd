import { join } from 'node:path';
import { maySwitchSpeeds, type Actor } from '../../../shared/access.ts';
import { Refusal } from '../../../shared/refusal.ts';
import type { SpeedsStatus } from '../../../shared/roads/speeds-status.ts';
import { ZonedTime } from '../../../shared/zoned-time.ts';
import type { LearnedSpeeds } from '../routing/index.ts';
import type { Store } from '../../store/types.ts';
import { tracksFile, type TrackSpan } from '../../tracking/telemetry/tracks/index.ts';
import { hourOfWeek, nextHour } from './hours.ts';
import { ENOUGH } from './learned-roads.ts';
import type { Coverage, EstimateErrors, TrackUpdate, Learner } from './learner.ts';
import { SpeedsThread } from './speeds-thread.ts';

export interface SpeedsOptions {
  readonly store: Store;
  /** Directory of `tracks.db`; `speeds.db` goes beside it. */
  readonly directory: string;
  readonly now: () => number;
  /** Replaces the router's learned speeds, or removes them. Resolves when the next query uses them. */
  readonly applySpeeds: (speeds: LearnedSpeeds | undefined) => Promise<void>;
  /** Whether a vehicle drives with the profile `car`. */
  readonly drivesAsCar: (vehicleId: number) => boolean;
  /** Time of each vehicle's last position, epoch ms. */
  readonly lastTimes: () => Iterable<readonly [vehicleId: number, time: number]>;
  /** Receives errors of learning and of the router. */
  readonly report: (error: unknown) => void;
  readonly zone?: ZonedTime;
  /** ms from another territory, also the first one, to its first round, unless somebody asks before. Default: 0. */
  readonly firstRound?: number;
}

/** Interval of learning, ms. */
const ROUND = 60_000;
/** Maximum ms until the router gets what was learned; it also does every hour. */
const LONGEST_UNAPPLIED = 15 * 60_000;
/** Age of the drives that the effect counts, ms. */
const JUDGED = 30 * 86_400_000;
/** Maximum roads returned for drawing. */
const MAX_ROADS = 5_000;

interface SpeedsSwitch {
  readonly on: boolean;
  readonly by: number | null;
  readonly at: number | null;
}

/**
 * Travel times learned from the fleet's own tracks. Learning always runs, so that users see coverage before
 * they enable the speeds; the switch is per station and off at first (README rule 1).
 */
export class Speeds {
  readonly #options: SpeedsOptions;
  readonly #zone: ZonedTime;
  readonly #thread: SpeedsThread;
  /** Time of the oldest new point of each vehicle. */
  readonly #pending = new Map<number, number>();
  #switch: SpeedsSwitch;
  /** The speeds that the router uses now. */
  #applied: { hour: number; revision: number; at: number; roads: number } | undefined;
  #applying: Promise<void> = Promise.resolve();
  #version = 0;
  #learning: Promise<void> | undefined;
  #waiting = 0;
  /** The next round covers complete tracks, not only new points. */
  #isCatchingUp = false;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  private constructor(options: SpeedsOptions) {
    this.#options = options;
    this.#zone = options.zone ?? ZonedTime.here();
    this.#thread = new SpeedsThread(
      {
        tracks: tracksFile(options.directory),
        book: join(options.directory, 'speeds.db'),
        zone: this.#zone.zone,
      },
      (message) => options.report(new Error(message)),
    );
    const row = options.store.sql.prepare('SELECT "on", "by", at FROM speeds_switch').get() as
      { on: number; by: number | null; at: number | null } | undefined;
    this.#switch = row ? { on: row.on === 1, by: row.by, at: row.at } : { on: false, by: null, at: null };
  }

  /** Learning starts with the first territory. */
  static async open(options: SpeedsOptions): Promise<Speeds> {
    await options.store.writePlain((sql) =>
      sql.exec(
        'CREATE TABLE IF NOT EXISTS speeds_switch (id INTEGER PRIMARY KEY CHECK (id = 1), "on" INTEGER NOT NULL, "by" INTEGER, at INTEGER)',
      ),
    );
    return new Speeds(options);
  }

  /** Switches to the roads of a territory; resolves when the router uses its learned speeds, if enabled. */
  async switchTo(directory: string | undefined): Promise<void> {
    try {
      await this.#thread.open(directory);
    } catch (error) {
      this.#options.report(error);
    }
    this.#applied = undefined;
    this.#enqueueAll();
    if (this.#switch.on) await this.#applyCurrent();
    this.#schedule(this.#options.firstRound ?? 0);
  }

  /** Notes that points were added to tracks. */
  notice(spans: readonly TrackSpan[]): void {
    for (const { vehicleId, from } of spans)
      this.#pending.set(vehicleId, Math.min(from, this.#pending.get(vehicleId) ?? Infinity));
  }

  /** Time zone of the hours, an IANA name. */
  get zone(): string {
    return this.#zone.zone;
  }

  async status(): Promise<SpeedsStatus> {
    if (this.#isCatchingUp && this.#thread.hasRoads) this.#schedule(0);
    const { until, ...facts } = await this.#thread.ask('facts');
    const { on, by, at } = this.#switch;
    return {
      on,
      switchedBy: by,
      switchedAt: at,
      zone: this.#zone.zone,
      hour: this.#hour,
      ...facts,
      till: until,
      roadsInUse: on ? (this.#applied?.roads ?? 0) : 0,
      waiting: this.#waiting + (this.#isCatchingUp && this.#thread.hasRoads ? this.#pending.size : 0),
      enough: ENOUGH,
    };
  }

  get isEnabled(): boolean {
    return this.#switch.on;
  }

  /** Turns the learned speeds on or off. Resolves when stored and used by the next query. */
  async setEnabled(by: Actor, on: boolean): Promise<SpeedsStatus> {
    requireMayChange(by);
    const at = this.#options.now();
    await this.#options.store.writePlain((sql) =>
      sql.prepare('INSERT OR REPLACE INTO speeds_switch VALUES (1,?,?,?)').run(on ? 1 : 0, by.user.id, at),
    );
    this.#switch = { on, by: by.user.id, at };
    await this.#applyCurrent();
    return this.status();
  }

  /** Deletes everything learned and starts over with the stored tracks. */
  async rebuild(by: Actor): Promise<SpeedsStatus> {
    requireMayChange(by);
    await this.#thread.ask('forgetAll');
    this.#enqueueAll();
    await this.#applyCurrent();
    this.#schedule(0);
    return this.status();
  }

  coverage(): Promise<Coverage> {
    return this.#thread.ask('coverage');
  }

  async effect(): Promise<EstimateErrors & { since: number }> {
    const since = this.#options.now() - JUDGED;
    return { ...(await this.#thread.ask('effect', since)), since };
  }

  /** @param hour of the week; undefined: now */
  async roads(
    bounds: readonly [number, number, number, number],
    hour = this.#hour,
    limit = MAX_ROADS,
  ): Promise<ReturnType<Learner['roads']> & { hour: number }> {
    return { ...(await this.#thread.ask('roads', bounds, hour, Math.min(limit, MAX_ROADS))), hour };
  }

  /** Learns from new points now instead of in the next round. */
  async learnNow(): Promise<void> {
    await this.#learning;
    await this.#learn();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#thread.close();
    await this.#learning;
    await this.#applying;
  }

  get #hour(): number {
    return hourOfWeek(this.#options.now(), this.#zone);
  }

  #enqueueAll(): void {
    this.#isCatchingUp = true;
    for (const [vehicleId, time] of this.#options.lastTimes())
      this.#pending.set(vehicleId, Math.min(time, this.#pending.get(vehicleId) ?? Infinity));
  }

  #schedule(wait: number): void {
    clearTimeout(this.#timer);
    if (this.#closed) return;
    this.#timer = setTimeout(() => void this.#round(), wait);
    this.#timer.unref();
  }

  async #round(): Promise<void> {
    await this.#learn();
    const { now } = this.#options;
    const applied = this.#applied;
    const isStale =
      applied?.hour !== this.#hour ||
      (applied.revision !== this.#thread.revision && now() - applied.at >= LONGEST_UNAPPLIED);
    if (this.#switch.on && isStale) await this.#applyCurrent();
    // At the latest when the hour begins, so that the last hour's times are not used for long.
    this.#schedule(Math.min(ROUND, nextHour(now(), this.#zone) - now() + 50));
  }

  #learn(): Promise<void> {
    return (this.#learning ??= this.#learnPending().finally(() => (this.#learning = undefined)));
  }

  async #learnPending(): Promise<void> {
    // Without roads, new points wait for a territory.
    if (!this.#thread.hasRoads) return;
    const heard = [...this.#pending]
      .filter(([vehicle]) => this.#options.drivesAsCar(vehicle))
      .map(([vehicle, from]): TrackUpdate => ({ vehicle, from }));
    this.#pending.clear();
    this.#isCatchingUp = false;
    this.#waiting = heard.length;
    try {
      for (const one of heard) {
        await this.#thread.ask('learn', [one], this.#options.now());
        this.#waiting--;
      }
      if (this.#thread.isAwake) await this.#thread.ask('tidy', this.#options.now());
    } catch (error) {
      // The next round continues from there.
      for (const { vehicle, from } of heard)
        this.#pending.set(vehicle, Math.min(from, this.#pending.get(vehicle) ?? Infinity));
      if (!this.#closed) this.#options.report(error);
    } finally {
      this.#waiting = 0;
    }
  }

  /** Gives the router the speeds of the current hour. */
  #applyCurrent(): Promise<void> {
    this.#applying = this.#applying.then(async () => {
      try {
        const hour = this.#hour;
        const speeds = this.#switch.on ? await this.#thread.ask('speeds', hour) : undefined;
        await this.#options.applySpeeds(speeds && { ...speeds, version: ++this.#version });
        this.#applied = {
          hour,
          revision: this.#thread.revision,
          at: this.#options.now(),
          roads: speeds?.arcs.length ?? 0,
        };
      } catch (error) {
        this.#applied = undefined;
        if (!this.#closed) this.#options.report(error);
      }
    });
    return this.#applying;
  }
}

function requireMayChange(actor: Actor): void {
  if (maySwitchSpeeds(actor)) return;
  throw new Refusal('routing.speedsByEditor');
}

import { join } from 'node:path';
import { maySwitchSpeeds, type Actor } from '../../shared/access.ts';
import { Refusal } from '../../shared/refusal.ts';
import type { SpeedsStatus } from '../../shared/roads/speeds-status.ts';
import { ZonedTime } from '../../shared/zoned-time.ts';
import type { LearnedSpeeds } from '../routing/index.ts';
import type { Store } from '../store/types.ts';
import type { TrackSpan } from '../telemetry/index.ts';
import { hourOfWeek, nextHour } from './hours.ts';
import { ENOUGH } from './learned-roads.ts';
import type { Coverage, Effect, TrackUpdate, Learner } from './learner.ts';
import { SpeedsThread } from './speeds-thread.ts';

export interface SpeedsOptions {
  readonly store: Store;
  /** Where `tracks.db` is; `speeds.db` goes beside it. */
  readonly directory: string;
  readonly now: () => number;
  /** Makes the router go by these speeds, and by none for undefined; resolves when the next question does. */
  readonly applySpeeds: (speeds: LearnedSpeeds | undefined) => Promise<void>;
  /** Vehicles that drive as the car of the router does; those of the emergency profile do not. */
  readonly drivesAsCar: (vehicleId: number) => boolean;
  /** When each vehicle was last heard of, epoch ms. */
  readonly lastTimes: () => Iterable<readonly [vehicleId: number, time: number]>;
  /** Hears that something could not be learned, or the router could not be told. */
  readonly report: (error: unknown) => void;
  readonly zone?: ZonedTime;
}

/** How often tracks are looked through, ms. */
const ROUND = 60_000;
/** What is learned reaches the router with the next hour, and at least so often, ms. */
const LONGEST_UNTOLD = 15 * 60_000;
/** Estimates are judged by the drives of so long, ms. */
const JUDGED = 30 * 86_400_000;
/** Roads that are drawn at most. */
const MOST_ROADS = 5_000;

interface Switch {
  readonly on: boolean;
  readonly by: number | null;
  readonly at: number | null;
}

/**
 * Travel times learned from the fleet's own tracks. Learning goes on all the time, so that one sees what
 * there is before the router is told to go by it; that is a switch of this station, off until somebody turns
 * it on.
 */
export class Speeds {
  readonly #options: SpeedsOptions;
  readonly #zone: ZonedTime;
  readonly #thread: SpeedsThread;
  /** Oldest new point of each vehicle that was not looked at. */
  readonly #pending = new Map<number, number>();
  #switch: Switch;
  /** What the router goes by. */
  #applied: { hour: number; revision: number; at: number; roads: number } | undefined;
  #applying: Promise<void> = Promise.resolve();
  #version = 0;
  #learning: Promise<void> | undefined;
  #waiting = 0;
  /** Whole tracks are to be looked through with the next round, not only what has come since the last one. */
  #isCatchingUp = false;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  private constructor(options: SpeedsOptions) {
    this.#options = options;
    this.#zone = options.zone ?? ZonedTime.here();
    this.#thread = new SpeedsThread(
      {
        tracks: join(options.directory, 'tracks.db'),
        book: join(options.directory, 'speeds.db'),
        zone: this.#zone.zone,
      },
      (message) => options.report(new Error(message)),
    );
    const row = options.store.sql.prepare('SELECT "on", "by", at FROM speeds_switch').get() as
      { on: number; by: number | null; at: number | null } | undefined;
    this.#switch = row ? { on: row.on === 1, by: row.by, at: row.at } : { on: false, by: null, at: null };
  }

  /** It begins to learn when it is told of a territory. */
  static async open(options: SpeedsOptions): Promise<Speeds> {
    await options.store.writePlain((sql) =>
      sql.exec(
        'CREATE TABLE IF NOT EXISTS speeds_switch (id INTEGER PRIMARY KEY CHECK (id = 1), "on" INTEGER NOT NULL, "by" INTEGER, at INTEGER)',
      ),
    );
    return new Speeds(options);
  }

  /**
   * Goes over to the roads of a territory; resolves when the router goes by what is known of them, if it is
   * to.
   */
  async switchTo(directory: string | undefined): Promise<void> {
    try {
      await this.#thread.open(directory);
    } catch (error) {
      this.#options.report(error);
    }
    this.#applied = undefined;
    this.#enqueueAll();
    if (this.#switch.on) await this.#applyCurrent();
    this.#schedule(0);
  }

  /** Points of tracks have come. */
  notice(spans: readonly TrackSpan[]): void {
    for (const { vehicleId, from } of spans)
      this.#pending.set(vehicleId, Math.min(from, this.#pending.get(vehicleId) ?? Infinity));
  }

  /** Time zone by whose clock the hours are, an IANA name. */
  get zone(): string {
    return this.#zone.zone;
  }

  async status(): Promise<SpeedsStatus> {
    const facts = await this.#thread.ask('facts');
    const { on, by, at } = this.#switch;
    return {
      on,
      switchedBy: by,
      switchedAt: at,
      zone: this.#zone.zone,
      hour: this.#hour,
      ...facts,
      roadsInUse: on ? (this.#applied?.roads ?? 0) : 0,
      waiting: this.#waiting + (this.#isCatchingUp && this.#thread.hasRoads ? this.#pending.size : 0),
      enough: ENOUGH,
    };
  }

  /** Resolves when it is on disk and the next question to the router obeys it. */
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

  /** Forgets all that was learned, and begins with the tracks that are kept. */
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

  async effect(): Promise<Effect & { since: number }> {
    const since = this.#options.now() - JUDGED;
    return { ...(await this.#thread.ask('effect', since)), since };
  }

  /** @param hour of the week; undefined: now */
  async roads(
    bounds: readonly [number, number, number, number],
    hour = this.#hour,
    limit = MOST_ROADS,
  ): Promise<ReturnType<Learner['roads']> & { hour: number }> {
    return { ...(await this.#thread.ask('roads', bounds, hour, Math.min(limit, MOST_ROADS))), hour };
  }

  /** Looks through what has come until now; for who cannot wait for the next round. */
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
    const told = this.#applied;
    const isStale =
      told?.hour !== this.#hour || (told.revision !== this.#thread.revision && now() - told.at >= LONGEST_UNTOLD);
    if (this.#switch.on && isStale) await this.#applyCurrent();
    // Not later than the hour begins, so that nobody is told the times of the last one for long.
    this.#schedule(Math.min(ROUND, nextHour(now(), this.#zone) - now() + 50));
  }

  #learn(): Promise<void> {
    return (this.#learning ??= this.#learnPending().finally(() => (this.#learning = undefined)));
  }

  async #learnPending(): Promise<void> {
    // Without roads, what is heard waits for a territory.
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
      // It is looked at again with the next round, from where it was left.
      for (const { vehicle, from } of heard)
        this.#pending.set(vehicle, Math.min(from, this.#pending.get(vehicle) ?? Infinity));
      if (!this.#closed) this.#options.report(error);
    } finally {
      this.#waiting = 0;
    }
  }

  /** Tells the router what it is to go by now. */
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
  throw new Refusal(
    'forbidden',
    'You may not change by which speeds routes are reckoned: it takes the right to edit, and to see every organisation.',
  );
}

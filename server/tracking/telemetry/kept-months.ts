import type { DatabaseSync } from 'node:sqlite';
import { Historian, movedMonths, movedUntil } from './historian/index.ts';
import { gapsOf, type TrackGap } from './months/damaged-months.ts';
import type { Expired } from './months/months.ts';
import type { TelemetryOptions } from './telemetry-options.ts';
import { MonthKeeper } from './writing/month-keeper.ts';
import type { OrderResult, WriteOrder } from './writing/write-orders.ts';

interface KeptMonthsOptions extends Pick<TelemetryOptions, 'historian' | 'monthLimits' | 'now' | 'log'> {
  /** `tracks.db` */
  readonly file: string;
  /** A reading connection to it. */
  readonly db: DatabaseSync;
  order<Result extends OrderResult>(order: WriteOrder): Promise<Result>;
  /** `tracks.db` is damaged. */
  damaged(reason: string): void;
}

/** The historian as an operator sees it. */
export interface HistorianState {
  readonly isUp: boolean;
  /** Months that it has, and those that wait for it. */
  readonly months: number;
  readonly waiting: number;
}

/** Months of positions: the files, and the historian for old ones. */
export class KeptMonths {
  readonly #options: KeptMonthsOptions;
  readonly #keeper: MonthKeeper;
  readonly #historian: Historian | undefined;
  /** Times whose positions are in a damaged file that was set aside. */
  gaps: readonly TrackGap[];

  constructor(options: KeptMonthsOptions) {
    this.#options = options;
    const { file, db, order, historian } = options;
    const now = () => options.now();
    const log = (level: 'WARN' | 'ERROR', message: string) => options.log?.(level, message);
    this.gaps = gapsOf(db);
    this.#keeper = new MonthKeeper({
      file,
      isMoving: db.prepare('SELECT 1 FROM moving LIMIT 1').get() !== undefined,
      limits: options.monthLimits,
      now,
      order,
      lost: () => (this.gaps = gapsOf(db)),
      damaged: (reason) => options.damaged(reason),
      log,
    });
    if (historian)
      this.#historian = new Historian({
        file,
        db,
        server: historian.server,
        keepMonths: historian.keepMonths,
        every: historian.every,
        files: this.#keeper,
        now,
        order,
        log,
      });
  }

  /** Up to this time (epoch ms) points may be in the historian, which takes no late ones; -1: none are. */
  get movedUntil(): number {
    return movedUntil(this.#options.db);
  }

  /** Undefined: there is none. */
  get historian(): HistorianState | undefined {
    if (!this.#historian) return undefined;
    const { isUp, waiting } = this.#historian;
    return { isUp, months: movedMonths(this.#options.db).length, waiting };
  }

  /** Why old months cannot be read or moved, or undefined. */
  get historianProblem(): string | undefined {
    if (this.#historian) return this.#historian.problem;
    return this.movedUntil < 0
      ? undefined
      : 'Old months are in a historian whose address is not set any more: their tracks cannot be read.';
  }

  /** Why positions are not moved into the files of their months, or undefined. */
  get noRoom(): string | undefined {
    return this.#keeper.problem;
  }

  /** So many points were stored. */
  added(points: number): void {
    this.#keeper.added(points);
  }

  move(): Promise<void> {
    return this.#keeper.move();
  }

  /** Moves to the historian what is due. */
  async moveOldMonths(): Promise<void> {
    await this.#historian?.look();
  }

  async expire(expired: Expired): Promise<number> {
    const inFiles = await this.#keeper.expire(expired);
    return inFiles + ((await this.#historian?.expire(expired)) ?? 0);
  }

  setDamagedAside(): Promise<void> {
    return this.#keeper.setDamagedAside();
  }

  async close(): Promise<void> {
    await this.#historian?.close();
    await this.#keeper.close();
  }
}

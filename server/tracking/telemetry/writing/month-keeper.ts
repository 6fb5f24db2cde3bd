import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { Mutex } from '../../../platform/mutex.ts';
import { WorkerClient } from '../../../platform/threads/worker-client.ts';
import { siblingUrl } from '../../../platform/threads/worker-url.ts';
import type { OrderResult, WriteOrder } from './write-orders.ts';
import { AT_ONCE } from '../moving/copy-points.ts';
import { moveAside } from '../months/damaged-months.ts';
import { monthsIn, notedMonths, notePath, startOf, type Expired, type Month } from '../months/months.ts';
import type { CopyAnswer, DamageFound, ExpireAnswer, MonthRequest } from './months.worker.ts';

/** When points leave `tracks.db`. */
export interface MonthLimits {
  /** So many new points, */
  readonly points: number;
  /** or so many ms after the first of them. */
  readonly age: number;
  /** Points copied at once. */
  readonly atOnce: number;
}

/** A larger batch has more points of each vehicle side by side, and so writes fewer pages. */
const LIMITS: MonthLimits = { points: 100_000, age: 15 * 60_000, atOnce: AT_ONCE };
/** ms between two looks. */
const EVERY = 5_000;
/** ms after a failure. */
const PAUSE = 60_000;
/** ms without work after which the thread ends. */
const IDLE = 10_000;

interface MonthKeeperOptions {
  /** `tracks.db` */
  readonly file: string;
  /** Whether points were on their way when the last run ended. */
  readonly isMoving: boolean;
  readonly limits?: MonthLimits | undefined;
  now(): number;
  order<Result extends OrderResult>(order: WriteOrder): Promise<Result>;
  /** The months on the list have changed because of damage. */
  lost(): void;
  /** `tracks.db` is damaged. */
  damaged(reason: string): void;
  log(level: 'WARN' | 'ERROR', message: string): void;
}

/**
 * Moves points from `tracks.db` into one file a month, in steps that may be interrupted anywhere: the writer
 * sets the new ones apart, a thread copies them and syncs the copy, then the writer deletes them. So a
 * transaction of the writer touches one file, and retention removes whole files.
 */
export class MonthKeeper {
  readonly #options: MonthKeeperOptions;
  readonly #limits: MonthLimits;
  readonly #thread: WorkerClient<MonthRequest>;
  readonly #timer: NodeJS.Timeout;
  /** Moving and deleting alternate: deleted points are not copied again. */
  readonly #turn = new Mutex();
  /** Points in `tracks`, and since when; at a start it is not known how many. */
  #points = 1;
  #since: number;
  /** Whether points are on their way. */
  #isMoving: boolean;
  #isLooking = false;
  #isClosed = false;
  /** No more points are moved until the station is restarted. */
  #isStopped = false;
  #pausedUntil = 0;
  #problem: string | undefined;
  /** Months whose file was written to since `watch`. */
  readonly #written = new Set<Month>();

  constructor(options: MonthKeeperOptions) {
    this.#options = options;
    this.#limits = options.limits ?? LIMITS;
    this.#since = options.now();
    this.#isMoving = options.isMoving;
    this.#thread = new WorkerClient({
      script: siblingUrl(import.meta.url, './months.worker'),
      name: 'The keeper of months',
      maxWaiting: 2,
      warn: (message) => options.log('WARN', message),
      idle: () => IDLE,
      worker: { workerData: { file: options.file } },
    });
    this.#timer = setInterval(() => void this.#look(), EVERY);
    this.#timer.unref();
  }

  /** Why points stay in `tracks.db`, or undefined. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** So many points were stored. */
  added(points: number): void {
    if (this.#points === 0 && points > 0) this.#since = this.#options.now();
    this.#points += points;
  }

  /** Moves all points into their months now. */
  move(): Promise<void> {
    return this.#turn.run(async () => {
      await this.#setAside();
      while (!this.#isClosed && (await this.#copySome()));
      if (!this.#isClosed && (await this.#setApart())) while (!this.#isClosed && (await this.#copySome()));
    });
  }

  /** Deletes expired points; of months in which nothing else is, the file. Resolves with those deleted singly. */
  expire(expired: Expired): Promise<number> {
    return this.#turn.run(async () => {
      let points = 0;
      for (const month of monthsIn(dirname(this.#options.file))) {
        if (this.#isClosed || startOf(month) >= Math.max(...expired.values())) break;
        const found = await this.#thread.request<ExpireAnswer>({ kind: 'expire', month, expired });
        if (!found) continue;
        this.#written.add(month);
        if ('damaged' in found) await this.#handleDamage(found);
        else if (found.isOver) await this.#remove(month);
        else points += found.points;
      }
      return points;
    });
  }

  /** From now on `handOver` knows whether the file of a month was written to. */
  watch(month: Month): void {
    this.#written.delete(month);
  }

  /** Runs `take` while no file changes; false if that of the month has changed since `watch`, or `take` said so. */
  handOver(month: Month, take: () => Promise<boolean>): Promise<boolean> {
    return this.#turn.run(async () => !this.#isClosed && !this.#written.has(month) && (await take()));
  }

  /** Removes the file of a month that is elsewhere. */
  forgetFile(month: Month): Promise<void> {
    return this.#turn.run(async () => {
      if (!this.#isClosed) await this.#thread.request({ kind: 'remove', month });
    });
  }

  /** Sets months aside that any reader found damaged. */
  setDamagedAside(): Promise<void> {
    return this.#turn.run(() => this.#setAside());
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#turn.run(() => Promise.resolve());
    await this.#thread.close();
  }

  async #look(): Promise<void> {
    if (this.#isLooking || this.#isClosed) return;
    this.#isLooking = true;
    try {
      const { file, now } = this.#options;
      if (this.#isStopped) return;
      if (notedMonths(dirname(file)).length > 0) await this.setDamagedAside();
      if (now() < this.#pausedUntil) return;
      if (this.#isMoving) await this.#turn.run(() => this.#copySome());
      else if (this.#points >= this.#limits.points || (this.#points > 0 && now() - this.#since >= this.#limits.age))
        await this.move();
    } catch (error) {
      this.#pausedUntil = this.#options.now() + PAUSE;
      if (!this.#isClosed)
        this.#options.log('WARN', `Positions stay in tracks.db for the time being: ${(error as Error).message}`);
    } finally {
      this.#isLooking = false;
    }
  }

  /** Whether points are on their way now. */
  async #setApart(): Promise<boolean> {
    const points = this.#points;
    this.#isMoving = (await this.#options.order<number>({ kind: 'set-apart' })) === 1;
    this.#points -= points;
    this.#since = this.#options.now();
    return this.#isMoving;
  }

  /** One batch; returns whether there is more to do. */
  async #copySome(): Promise<boolean> {
    if (this.#isStopped) return false;
    const copied = await this.#thread.request<CopyAnswer>({ kind: 'copy', atOnce: this.#limits.atOnce });
    if (copied === undefined) {
      this.#pausedUntil = this.#options.now() + PAUSE;
      if (this.#problem === undefined)
        this.#options.log('WARN', 'The disk is too full to move positions into the files of their months.');
      this.#problem = 'The disk is too full to move positions into the files of their months.';
      return false;
    }
    this.#problem = undefined;
    if ('damaged' in copied) {
      await this.#handleDamage(copied);
      return copied.damaged === 'month' && !this.#isStopped;
    }
    const { months, last } = copied;
    for (const month of months) this.#written.add(month);
    if (months.length > 0) await this.#options.order({ kind: 'moved', months, last });
    // In small steps, between which new records are stored.
    if (last) while ((await this.#options.order<number>({ kind: 'forget-moved', last })) > 0);
    this.#isMoving = last !== undefined;
    return this.#isMoving;
  }

  async #handleDamage({ damaged, reason }: DamageFound): Promise<void> {
    if (damaged === 'month') return this.#setAside();
    this.#isStopped = true;
    this.#options.damaged(reason);
  }

  async #setAside(): Promise<void> {
    const { file, now, order, log } = this.#options;
    const directory = dirname(file);
    for (const { month, reason } of notedMonths(directory)) {
      const wasListed = (await order<number>({ kind: 'month-damaged', month })) === 1;
      if (!wasListed && !monthsIn(directory).includes(month)) {
        rmSync(notePath(directory, month), { force: true }); // it had expired
        continue;
      }
      try {
        const name = moveAside(directory, month, now());
        log('ERROR', monthSetAside({ reason, name }));
      } catch (error) {
        this.#isStopped = true;
        log(
          'ERROR',
          `The damaged file of a month (${reason}) cannot be set aside before a restart: ${(error as Error).message}`,
        );
      }
      this.#options.lost();
    }
  }

  async #remove(month: Month): Promise<void> {
    await this.#options.order({ kind: 'drop-month', month });
    await this.#thread.request({ kind: 'remove', month });
  }
}

/** For the log. */
export function monthSetAside({ reason, name }: { reason: string; name: string | undefined }): string {
  return name === undefined
    ? `Positions of a month are lost (${reason}); those of other months are not concerned.`
    : `Positions of a month are damaged (${reason}). Their file was set aside as ${name}; other months are not concerned.`;
}

import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { Mutex } from '../../../platform/mutex.ts';
import { WorkerClient } from '../../../platform/threads/worker-client.ts';
import { siblingUrl } from '../../../platform/threads/worker-url.ts';
import { fileOf, monthOf, monthsIn, startOf, type Expired, type Month } from '../months/months.ts';
import { movedMonths, movedUntil, movedPartsOf, type ChangeOfMoved, type MovedPart } from './catalogue.ts';
import type { HistorianOptions } from './connection.ts';
import type { ExpiredParts } from './expire-moved.ts';
import type { HistorianRequest } from './historian.worker.ts';

/** The files of months, in the hands of their keeper. */
export interface KeptFiles {
  watch(month: Month): void;
  handOver(month: Month, take: () => Promise<boolean>): Promise<boolean>;
  forgetFile(month: Month): Promise<void>;
  /** Moves points of `tracks.db` into the files. */
  move(): Promise<void>;
}

interface HistorianSetup {
  /** `tracks.db` */
  readonly file: string;
  /** A reading connection to it. */
  readonly db: DatabaseSync;
  readonly server: HistorianOptions;
  /** Whole months that stay in files besides the current one. */
  readonly keepMonths: number;
  readonly files: KeptFiles;
  /** ms between two looks. */
  readonly every?: number | undefined;
  now(): number;
  order<Result extends number | undefined>(order: ChangeOfMoved): Promise<Result>;
  log(level: 'WARN' | 'ERROR', message: string): void;
}

/** ms between two looks: so long a server that is away is not missed. */
const EVERY = 30_000;
/** Late points may come between copy and hand-over; after this many attempts the next check continues. */
const TRIES = 3;

/**
 * Moves old months from their files to PostgreSQL, and lets them expire there. A file is deleted only after
 * the server has confirmed all its points and the catalogue says so on disk; each step may be interrupted and
 * repeated.
 */
export class Historian {
  readonly #setup: HistorianSetup;
  readonly #thread: WorkerClient<HistorianRequest>;
  readonly #timer: NodeJS.Timeout;
  /** Moving and expiring by turns. */
  readonly #turn = new Mutex();
  #isLooking = false;
  #isClosed = false;
  #away: string | undefined;
  #missing: readonly Month[] = [];

  constructor(setup: HistorianSetup) {
    this.#setup = setup;
    const { file, server, every = EVERY, log } = setup;
    this.#thread = new WorkerClient({
      script: siblingUrl(import.meta.url, './historian.worker'),
      name: 'The historian',
      maxWaiting: 2,
      warn: (message) => log('WARN', message),
      idle: () => 2 * every,
      worker: { workerData: { file, options: server } },
    });
    this.#timer = setInterval(() => void this.look(), every);
    this.#timer.unref();
    void this.look();
  }

  /** Whether the server answered last time. */
  get isUp(): boolean {
    return this.#away === undefined;
  }

  /** Months in files that belong to the historian by their age. */
  get waiting(): number {
    return this.#due().length;
  }

  /** Why it cannot do its work, or undefined. */
  get problem(): string | undefined {
    const until = movedUntil(this.#setup.db);
    if (this.#away !== undefined)
      return `The historian is away (${this.#away}). ${until < 0 ? '' : `Tracks up to ${new Date(until).toISOString().slice(0, 10)} cannot be read, and `}old months stay in their files until it is back.`;
    if (this.#missing.length === 0) return undefined;
    return `The historian lacks months that were moved to it: ${this.#missing.map(nameOf).join(', ')}. Restore its database from a backup.`;
  }

  /** Looks whether the server answers, and moves what is due. */
  async look(): Promise<void> {
    if (this.#isLooking || this.#isClosed) return;
    this.#isLooking = true;
    try {
      await this.#turn.run(() => this.#work());
      if (this.#away !== undefined) this.#setup.log('WARN', 'The historian is back.');
      this.#away = undefined;
    } catch (error) {
      const { message } = error as Error;
      if (!this.#isClosed && this.#away === undefined) this.#setup.log('ERROR', `The historian is away: ${message}`);
      this.#away = message;
    } finally {
      this.#isLooking = false;
    }
  }

  /** Deletes expired points there, and the partitions of expired months. Resolves with those deleted singly. */
  expire(expired: Expired): Promise<number> {
    return this.#turn.run(async () => {
      const { db, order } = this.#setup;
      const isOver = ({ vehicle, last }: Pick<MovedPart, 'vehicle' | 'last'>) =>
        (expired.get(vehicle) ?? -Infinity) > last;
      let points = 0;
      for (const month of movedMonths(db)) {
        if (this.#isClosed || startOf(month) >= Math.max(...expired.values())) break;
        const parts = movedPartsOf(db, month);
        if (parts.every(isOver)) {
          await this.#thread.request({ kind: 'drop', month });
          await order({ kind: 'moved-dropped', month });
          continue;
        }
        const vehicles = parts.flatMap(({ vehicle, first }) =>
          (expired.get(vehicle) ?? -Infinity) > first ? [vehicle] : [],
        );
        if (vehicles.length === 0) continue;
        const due = new Map(vehicles.map((vehicle) => [vehicle, expired.get(vehicle)!]));
        const done = await this.#thread.request<ExpiredParts>({ kind: 'expire', month, expired: due });
        await order({ kind: 'parts-expired', month, vehicles, left: done.left });
        points += done.points;
      }
      return points;
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    // A running step is interrupted, and repeated after the next start.
    await this.#thread.close();
    await this.#turn.run(() => Promise.resolve());
  }

  async #work(): Promise<void> {
    const { file, db, order, files } = this.#setup;
    const there = await this.#thread.request<Month[]>({ kind: 'months' });
    const inFiles = new Set(monthsIn(dirname(file)));
    const listed = new Set(movedMonths(db));
    this.#missing = [...listed].filter((month) => !there.includes(month));
    // After `tracks.db` was created again, or came from a backup.
    for (const month of there.filter((one) => !listed.has(one) && !inFiles.has(one))) {
      const parts = await this.#thread.request<MovedPart[]>({ kind: 'parts', month });
      await order({ kind: 'month-moved', month, parts });
    }
    for (const month of listed) if (inFiles.has(month) && there.includes(month)) await files.forgetFile(month);
    for (const month of this.#due()) if (!this.#isClosed) await this.#move(month);
  }

  #due(): Month[] {
    const { file, db, now, keepMonths } = this.#setup;
    const listed = new Set(movedMonths(db));
    const first = monthOf(now()) - keepMonths;
    return monthsIn(dirname(file)).filter((month) => month < first && !listed.has(month));
  }

  /** The file stays until the next look: a reading may have begun that still needs it. */
  async #move(month: Month): Promise<void> {
    const { files, order } = this.#setup;
    for (let left = TRIES; left > 0 && !this.#isClosed; left--) {
      files.watch(month);
      const parts = await this.#thread.request<MovedPart[]>({ kind: 'move', month });
      const take = async () => (await order<number>({ kind: 'month-moved', month, parts })) === 1;
      if (await files.handOver(month, take)) return;
      await files.move();
    }
  }
}

function nameOf(month: Month): string {
  return fileOf(month).replace('.db', '');
}

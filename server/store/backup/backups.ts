import { access } from 'node:fs/promises';
import { Refusal } from '../../../shared/refusal.ts';
import { reason, sentenceOf, type Reason } from '../../../shared/refusals/reason.ts';
import { startBackupJob, type BackupJob, type RunningJob } from './backup-thread.ts';
import { isStale, nextBackup } from './schedule.ts';
import { readNotes, writeNotes } from './places.ts';
import type { BackupReport, BackupSettings } from './run-backup.ts';
import type { BackupSummary } from './upkeep.ts';

export interface BackupsOptions extends BackupSettings {
  /** `HH:MM` of the automatic backup, local time; null: there is none. */
  readonly time: string | null;
  readonly now: () => number;
  /** Hears of every attempt. What it throws is logged. */
  readonly attempted?: (outcome: BackupOutcome) => Promise<void>;
  readonly info: (message: string) => void;
  readonly error: (message: string, error?: unknown) => void;
}

/** Outcome of an attempt to make a backup. */
export type BackupOutcome =
  | { readonly kind: 'made'; readonly id: string; readonly folder: string; readonly encrypted: boolean }
  | { readonly kind: 'failed'; readonly folder: string; readonly problem: string };

export interface BackupsState {
  readonly time: string | null;
  /** When the next one is made by itself, epoch ms. */
  readonly next: number | null;
  /** The part that is being copied; null: no backup is being made. */
  readonly running: string | null;
  /** The newest one that can be restored completely. */
  readonly lastGood: BackupSummary | undefined;
  readonly lastAttempt: number | undefined;
  readonly encrypted: boolean;
  readonly folder: string;
  readonly backups: readonly BackupSummary[];
  readonly second:
    | { readonly folder: string; readonly backups: readonly BackupSummary[]; readonly upToDateAt: number | undefined }
    | undefined;
  readonly problems: readonly Reason[];
}

/** ms between two checks of the clock; after the start the first one comes after `FIRST_LOOK`. */
const LOOK = 60_000;
/** ms after the start: a missed backup does not slow the start. */
const FIRST_LOOK = 120_000;

/** The backups of a running station: made by themselves, and listed. The work runs in threads. */
export class Backups {
  readonly #options: BackupsOptions;
  #report: BackupReport;
  readonly #since: number;
  readonly #jobs = new Set<RunningJob<unknown>>();
  #step = '';
  #making: Promise<void> | undefined;
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  private constructor(options: BackupsOptions, report: BackupReport, since: number) {
    this.#options = options;
    this.#report = report;
    this.#since = since;
  }

  /** Reads the existing backups. Makes none yet: see `start`. */
  static async open(options: BackupsOptions): Promise<Backups> {
    const notes = await readNotes(options.directory);
    const since = notes.since ?? options.now();
    if (notes.since === undefined)
      await writeNotes(options.directory, { ...notes, since }).catch((error: unknown) =>
        options.error('The record of backups could not be saved.', error),
      );
    const { folder } = options;
    const unknown: BackupReport = {
      notes: { ...notes, since },
      first: { folder, backups: [], problems: [] },
      second: undefined,
    };
    const backups = new Backups(options, unknown, since);
    // A disk that hangs must not keep the station from starting.
    void backups.#look();
    return backups;
  }

  /** Makes backups by themselves from now on. One that was missed is made two minutes after. */
  start(): void {
    if (this.#options.time === null || this.#isClosed) return;
    const look = () => {
      if (this.#making === undefined && this.#options.now() >= this.#next()!) void this.#make();
      this.#timer = setTimeout(look, LOOK).unref();
    };
    this.#timer = setTimeout(look, FIRST_LOOK).unref();
  }

  /** Begins a backup now. Refuses when one is being made. */
  begin(): void {
    if (this.#making !== undefined) throw new Refusal('backup.running');
    void this.#make();
  }

  /** Resolves when no backup is being made. */
  async settled(): Promise<void> {
    await this.#making;
  }

  state(): BackupsState {
    const { first, second, notes } = this.#report;
    const { time } = this.#options;
    return {
      time,
      next: this.#next() ?? null,
      running: this.#making === undefined ? null : this.#step,
      lastGood: this.lastGood,
      lastAttempt: notes.lastAttempt,
      encrypted: this.#options.passphrase !== null,
      folder: first.folder,
      backups: first.backups,
      second: second && { folder: second.folder, backups: second.backups, upToDateAt: notes.secondAt },
      problems: this.reasons(),
    };
  }

  get lastGood(): BackupSummary | undefined {
    return this.#report.first.backups.find(({ problems }) => problems.length === 0);
  }

  /** Backups that failed since the start. */
  get failures(): number {
    return this.#failures;
  }

  /** Problems that need an administrator. */
  reasons(): Reason[] {
    const { first, second, notes } = this.#report;
    const { time, now } = this.#options;
    const found: Reason[] = [];
    const last = this.lastGood?.madeAt;
    if (time !== null && isStale(now(), this.#since, last))
      found.push(
        last === undefined ? reason('backup.noneYet') : reason('backup.stale', { at: new Date(last).toISOString() }),
      );
    if (notes.failure) found.push(notes.failure);
    // The newest one says what is damaged now; older ones are history.
    found.push(...(first.backups[0]?.problems ?? []), ...first.problems);
    if (notes.secondFailure) found.push(notes.secondFailure);
    found.push(...(second?.problems ?? []));
    const seen = new Set<string>();
    return found.filter((each) => !seen.has(sentenceOf(each)) && seen.add(sentenceOf(each)));
  }

  /** Where a backup of this station lies, for a restore. Refuses an id that is not in the lists. */
  folderOf(id: string): string {
    const { first, second } = this.#report;
    for (const place of [first, second])
      if (place?.backups.some((backup) => backup.id === id && !backup.damaged)) return place.folder;
    throw new Refusal('backup.noSuch', { id, folder: first.folder });
  }

  /** Ends what is being made, as a power failure would: nothing half-made stays. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await Promise.all([...this.#jobs].map((job) => job.end()));
    await this.#making;
  }

  #next(): number | undefined {
    const { time } = this.#options;
    if (time === null) return undefined;
    const { lastAttempt, failure } = this.#report.notes;
    // A backup from which something was left out is not made again every hour.
    const done = failure === undefined ? lastAttempt : undefined;
    const last = Math.max(done ?? -Infinity, this.lastGood?.madeAt ?? -Infinity);
    return nextBackup({ time, since: this.#since, lastGood: Number.isFinite(last) ? last : undefined, lastAttempt });
  }

  async #look(): Promise<void> {
    const { folder, second } = this.#options;
    try {
      // Nothing was ever copied to the folder, and nothing is there: that needs no thread.
      if (second === null && this.#report.notes.places[folder] === undefined && (await isMissing(folder))) return;
      this.#report = await this.#run<BackupReport>({ kind: 'report', settings: this.#settings() });
    } catch (error) {
      if (!this.#isClosed) this.#options.error('The backups could not be listed.', error);
    }
  }

  #make(): Promise<void> {
    this.#step = '';
    return (this.#making ??= this.#makeNow().finally(() => (this.#making = undefined)));
  }

  async #makeNow(): Promise<void> {
    const { now, info, error } = this.#options;
    const at = now();
    try {
      this.#report = await this.#run<BackupReport>({ kind: 'make', settings: this.#settings(), now: at });
      const { notes, first } = this.#report;
      const [newest] = first.backups;
      if (notes.failure) {
        this.#failures++;
        error(`No backup was made: ${sentenceOf(notes.failure)}`);
        await this.#tell({ kind: 'failed', folder: first.folder, problem: sentenceOf(notes.failure) });
      } else if (newest) {
        info(
          `Backup ${newest.id} was made in ${first.folder}: ${megabytes(newest.size)}, ${megabytes(newest.added)} new.`,
        );
        const encrypted = this.#options.passphrase !== null;
        await this.#tell({ kind: 'made', id: newest.id, folder: first.folder, encrypted });
      }
      for (const problem of notes.failure ? [] : this.reasons()) error(`Backup: ${sentenceOf(problem)}`);
    } catch (problem) {
      if (this.#isClosed) return;
      this.#failures++;
      const failure = reason('backup.failed', { problem: (problem as Error).message });
      this.#report = { ...this.#report, notes: { ...this.#report.notes, lastAttempt: at, failure } };
      error('No backup was made.', problem);
      await this.#tell({ kind: 'failed', folder: this.#options.folder, problem: (problem as Error).message });
    }
  }

  async #tell(outcome: BackupOutcome): Promise<void> {
    const { attempted, error } = this.#options;
    await attempted?.(outcome).catch((problem: unknown) => error('A backup could not be reported.', problem));
  }

  async #run<Result>(job: BackupJob): Promise<Result> {
    const running = startBackupJob<Result>(job, (step) => (this.#step = step));
    this.#jobs.add(running);
    try {
      return await running.result;
    } finally {
      this.#jobs.delete(running);
    }
  }

  #settings(): BackupSettings {
    const { directory, folder, second, passphrase, territory, version, workFactor } = this.#options;
    return { directory, folder, second, passphrase, territory, version, workFactor };
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

function isMissing(path: string): Promise<boolean> {
  return access(path).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
  );
}

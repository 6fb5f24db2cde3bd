import type { DatabaseSync } from 'node:sqlite';
import { Refusal } from '../../../../shared/refusal.ts';
import { isDiskFull } from '../../../platform/disk/disk-full.ts';
import type { Store } from '../../../store/types.ts';

/** Failures after which a login or an address must wait. */
export const FAILURES = 10;
/** ms for which a failure counts. */
export const WINDOW = 15 * 60_000;
/** Most logins and addresses remembered; an attacker with many addresses must not fill the memory. */
const SUBJECTS = 20_000;

/** Too many wrong passwords for a login or from an address. */
export class TooManyAttempts extends Refusal<'accounts.tooManyAttempts'> {
  /** Seconds until the next attempt is accepted. */
  readonly retryAfter: number;

  constructor(retryAfter: number) {
    super('accounts.tooManyAttempts', { minutes: Math.ceil(retryAfter / 60) });
    this.retryAfter = retryAfter;
  }
}

/**
 * A failed sign-in. It records the login with the address, so that a new password can also reset the
 * address's count.
 */
interface Failure {
  readonly login: string;
  /** Epoch ms. */
  readonly at: number;
}

/**
 * Milliseconds to wait before the next attempt, given the times of earlier failures, oldest first, or 0.
 * Times in the future (the clock was set back) do not count.
 */
export function waitAfter(failures: readonly number[], now: number): number {
  const recent = failures.filter((at) => counts(at, now));
  return recent.length < FAILURES ? 0 : recent[recent.length - FAILURES]! + WINDOW - now;
}

function counts(at: number, now: number): boolean {
  return at > now - WINDOW && at <= now;
}

/**
 * Counts failed sign-ins by login and by address, over restarts too. An attempt in progress reserves one of
 * the remaining failures, and further attempts wait for its outcome: at most ten guesses pass, and no valid
 * sign-in is refused.
 */
export class Attempts {
  readonly #failures = new Map<string, Failure[]>();
  /** Attempts in progress, by login or address. */
  readonly #running = new Map<string, number>();
  /** Wakes the attempts that wait for another one's outcome, by login or address. */
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #store: Store;
  readonly #clock: () => number;

  private constructor(store: Store, clock: () => number) {
    this.#store = store;
    this.#clock = clock;
  }

  static async open(store: Store, clock: () => number): Promise<Attempts> {
    const now = clock();
    await store.writePlain((sql) => {
      sql.exec(`DROP TABLE IF EXISTS login_failures;
        CREATE TABLE IF NOT EXISTS sign_in_failures (subject TEXT NOT NULL, login TEXT NOT NULL, at INTEGER NOT NULL);
        CREATE INDEX IF NOT EXISTS sign_in_failures_at ON sign_in_failures (at)`);
      sql.prepare('DELETE FROM sign_in_failures WHERE at <= ? OR at > ?').run(now - WINDOW, now);
    });
    const attempts = new Attempts(store, clock);
    for (const row of store.sql.prepare('SELECT subject, login, at FROM sign_in_failures ORDER BY at').all()) {
      attempts.#remember(String(row['subject']), { login: String(row['login']), at: Number(row['at']) });
    }
    return attempts;
  }

  /**
   * Attempts to sign in; returns the answer of `verify`. `unfinished` is neither a failure nor a success.
   * Throws TooManyAttempts when the login or the address must wait.
   */
  async try<Outcome extends boolean | 'unfinished'>(
    login: string,
    address: string,
    verify: () => Promise<Outcome>,
  ): Promise<Outcome> {
    const subjects = [`login:${login}`, `address:${address}`];
    await this.#enter(subjects);
    let right: Outcome;
    const failure = { login, at: 0 };
    try {
      right = await verify();
      failure.at = this.#clock();
      if (!right) for (const subject of subjects) this.#remember(subject, failure);
    } finally {
      this.#leave(subjects);
    }
    if (right === 'unfinished') return right;
    if (right) await this.#forget([subjects[0]!], login);
    else await this.#write(subjects, failure);
    return right;
  }

  /** Which of the two must wait now. */
  waiting(login: string, address: string): ('login' | 'address')[] {
    const now = this.#clock();
    const subjects = [
      ['login', `login:${login}`],
      ['address', `address:${address}`],
    ] as const;
    return subjects.filter(([, subject]) => waitAfter(this.#times(subject), now) > 0).map(([what]) => what);
  }

  /**
   * The login has a new password: removes its failures, from the counts of addresses too. Resolves with whether it
   * had to wait.
   */
  async lift(login: string): Promise<boolean> {
    const waited = waitAfter(this.#times(`login:${login}`), this.#clock()) > 0;
    await this.#forget([...this.#failures.keys()], login);
    return waited;
  }

  /** Resolves when the failures so far and the attempts in progress leave room for one more failure. */
  async #enter(subjects: readonly string[]): Promise<void> {
    for (;;) {
      const now = this.#clock();
      const wait = Math.max(...subjects.map((subject) => waitAfter(this.#times(subject), now)));
      if (wait > 0) throw new TooManyAttempts(Math.ceil(wait / 1000));
      const full = subjects.find(
        (subject) =>
          this.#times(subject).filter((at) => counts(at, now)).length + (this.#running.get(subject) ?? 0) >= FAILURES,
      );
      if (full === undefined) break;
      await new Promise<void>((resume) => {
        const waiting = this.#waiting.get(full);
        if (waiting) waiting.push(resume);
        else this.#waiting.set(full, [resume]);
      });
    }
    for (const subject of subjects) this.#running.set(subject, (this.#running.get(subject) ?? 0) + 1);
  }

  #leave(subjects: readonly string[]): void {
    for (const subject of subjects) {
      const left = this.#running.get(subject)! - 1;
      if (left > 0) this.#running.set(subject, left);
      else this.#running.delete(subject);
      const waiting = this.#waiting.get(subject) ?? [];
      this.#waiting.delete(subject);
      for (const resume of waiting) resume();
    }
  }

  #times(subject: string): number[] {
    return (this.#failures.get(subject) ?? []).map(({ at }) => at);
  }

  async #write(subjects: readonly string[], { login, at }: Failure): Promise<void> {
    await this.#save((sql) => {
      const insert = sql.prepare('INSERT INTO sign_in_failures (subject, login, at) VALUES (?, ?, ?)');
      for (const subject of subjects) insert.run(subject, login, at);
      sql.prepare('DELETE FROM sign_in_failures WHERE at <= ? OR at > ?').run(at - WINDOW, at);
    });
  }

  async #forget(subjects: readonly string[], login: string): Promise<void> {
    const touched: string[] = [];
    for (const subject of subjects) {
      const failures = this.#failures.get(subject) ?? [];
      const left = failures.filter((failure) => failure.login !== login);
      if (left.length === failures.length) continue;
      touched.push(subject);
      if (left.length > 0) this.#failures.set(subject, left);
      else this.#failures.delete(subject);
    }
    if (touched.length === 0) return;
    await this.#save((sql) => {
      const forget = sql.prepare('DELETE FROM sign_in_failures WHERE subject = ? AND login = ?');
      for (const subject of touched) forget.run(subject, login);
    });
  }

  /** On a full disk failures count in memory, and sign-ins continue. */
  async #save(work: (sql: DatabaseSync) => void): Promise<void> {
    await this.#store.writePlain(work).catch((error: unknown) => {
      if (!isDiskFull(error)) throw error;
    });
  }

  #remember(subject: string, failure: Failure): void {
    const failures = (this.#failures.get(subject) ?? []).filter(({ at }) => counts(at, failure.at));
    failures.push(failure);
    // Inserted last, so that the first entry of the map is the least recently used.
    this.#failures.delete(subject);
    this.#failures.set(subject, failures);
    if (this.#failures.size > SUBJECTS) this.#failures.delete(this.#failures.keys().next().value!);
  }
}

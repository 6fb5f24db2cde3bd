import { Refusal } from '../../shared/refusal.ts';
import type { Store } from '../store/door.ts';

/** Failures after which a login or an address has to wait. */
export const FAILURES = 10;
/** ms in which they count */
export const WINDOW = 15 * 60_000;
/** Subjects that are remembered; an attacker with endless addresses must not fill the memory. */
const SUBJECTS = 20_000;

/** Too many wrong passwords for a login or from an address. */
export class TooManyAttempts extends Refusal {
  /** seconds until the next try is taken */
  readonly retryAfter: number;

  constructor(retryAfter: number) {
    super('too-many-attempts', `Too many failed sign-ins. Try again in ${Math.ceil(retryAfter / 60)} min.`);
    this.retryAfter = retryAfter;
  }
}

/** Milliseconds to wait before the next try, given the times of earlier failures, oldest first; 0: none. */
export function waitAfter(failures: readonly number[], now: number): number {
  const recent = failures.filter((at) => at > now - WINDOW);
  return recent.length < FAILURES ? 0 : recent[recent.length - FAILURES]! + WINDOW - now;
}

/**
 * Remembers failed sign-ins by login and by address, over restarts too. A try counts as failed from its beginning, so that a hundred at once
 * are not all let through; success takes it back.
 */
export class Attempts {
  readonly #failures = new Map<string, number[]>();
  readonly #store: Store;

  private constructor(store: Store) {
    this.#store = store;
  }

  static async open(store: Store, now: number): Promise<Attempts> {
    await store.writePlain((sql) => {
      sql.exec('CREATE TABLE IF NOT EXISTS login_failures (subject TEXT NOT NULL, at INTEGER NOT NULL); CREATE INDEX IF NOT EXISTS login_failures_at ON login_failures (at)');
      sql.prepare('DELETE FROM login_failures WHERE at <= ?').run(now - WINDOW);
    });
    const attempts = new Attempts(store);
    for (const row of store.sql.prepare('SELECT subject, at FROM login_failures ORDER BY at').all()) attempts.#remember(String(row['subject']), Number(row['at']));
    return attempts;
  }

  /** Throws when one of the subjects has to wait; else counts a failure for each. */
  begin(subjects: readonly string[], now: number): void {
    const wait = Math.max(...subjects.map((subject) => waitAfter(this.#failures.get(subject) ?? [], now)));
    if (wait > 0) throw new TooManyAttempts(Math.ceil(wait / 1000));
    for (const subject of subjects) this.#remember(subject, now);
  }

  /** The failures stand: they go to the disk. */
  async failed(subjects: readonly string[], at: number): Promise<void> {
    await this.#store.writePlain((sql) => {
      const insert = sql.prepare('INSERT INTO login_failures (subject, at) VALUES (?, ?)');
      for (const subject of subjects) insert.run(subject, at);
      sql.prepare('DELETE FROM login_failures WHERE at <= ?').run(at - WINDOW);
    });
  }

  /** It was the right password: what `begin` counted is taken back, and the login starts anew. */
  async succeeded(login: string, subjects: readonly string[], at: number): Promise<void> {
    for (const subject of subjects) {
      const times = this.#failures.get(subject);
      const index = times?.lastIndexOf(at) ?? -1;
      if (index >= 0) times!.splice(index, 1);
      if (times?.length === 0) this.#failures.delete(subject);
    }
    if (!this.#failures.delete(login)) return;
    await this.#store.writePlain((sql) => sql.prepare('DELETE FROM login_failures WHERE subject = ?').run(login));
  }

  #remember(subject: string, at: number): void {
    const times = (this.#failures.get(subject) ?? []).filter((time) => time > at - WINDOW);
    times.push(at);
    // Put last, so that the first of the map is the one not heard of for longest.
    this.#failures.delete(subject);
    this.#failures.set(subject, times);
    if (this.#failures.size > SUBJECTS) this.#failures.delete(this.#failures.keys().next().value!);
  }
}

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** ms to wait for another process that is removing old territories. */
const PATIENCE = 10_000;

/**
 * Tells the processes that share a territory whether anybody reads it. A reader holds the shared lock of an
 * empty SQLite database; the operating system releases it however the process ends.
 */
export class Readers {
  readonly #lock: DatabaseSync;
  #isReader = false;

  constructor(root: string) {
    this.#lock = new DatabaseSync(join(root, 'readers.lock'), { timeout: PATIENCE });
    this.#lock.exec('PRAGMA journal_mode = DELETE');
  }

  /** From now on this process counts as a reader. */
  join(): void {
    this.#isReader = true;
    this.#lock.exec(`PRAGMA busy_timeout = ${PATIENCE}; BEGIN; SELECT count(*) FROM sqlite_master`);
  }

  /** Runs this while nobody else reads, and blocks new readers meanwhile; does nothing if somebody reads. */
  async whenUnused(work: () => Promise<void>): Promise<void> {
    if (!this.#lock.isOpen) return;
    const wasReader = this.#isReader;
    if (wasReader) this.#lock.exec('COMMIT');
    try {
      if (!this.#isAlone()) return;
      await work().finally(() => this.#lock.isOpen && this.#lock.exec('COMMIT'));
    } finally {
      if (wasReader && this.#lock.isOpen) this.join();
    }
  }

  close(): void {
    this.#lock.close();
  }

  #isAlone(): boolean {
    try {
      this.#lock.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
      return true;
    } catch (error) {
      if (/locked|busy/i.test((error as Error).message)) return false;
      throw error;
    }
  }
}

import { noteDamage } from './damaged-tracks.ts';

/** The damage found in `tracks.db` since the start: logged once, and noted for the next start. */
export class FoundDamage {
  readonly #directory: string;
  readonly #log: (message: string) => void;
  #reason: string | undefined;

  constructor(directory: string, log: (message: string) => void) {
    this.#directory = directory;
    this.#log = log;
  }

  get reason(): string | undefined {
    return this.#reason;
  }

  found(reason: string): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    try {
      noteDamage(this.#directory, reason);
    } catch (error) {
      this.#log(
        `tracks.db is damaged (${reason}). That could not be noted for the next start: ${(error as Error).message}`,
      );
    }
    this.#log(
      `tracks.db is damaged (${reason}). Restart the station: it sets the file aside and goes on with a new one.`,
    );
  }
}

import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { readLook, type ShellLook } from '../shared/bridge.ts';

/** The look that the console had last, so that menus and pages of the program have it before the console opens. */
export class LookMemory {
  readonly #file: string;
  #look: ShellLook;
  /** False: nobody has chosen a look here yet. */
  readonly isStored: boolean;

  /** `fallback`: the language of the system, and whether its theme is dark. */
  constructor(file: string, fallback: ShellLook) {
    this.#file = file;
    const stored = read(file);
    this.isStored = stored !== undefined;
    this.#look = stored ?? fallback;
  }

  get look(): ShellLook {
    return this.#look;
  }

  /** Stores another look. False: it is the same. */
  change(look: ShellLook): boolean {
    if (look.language === this.#look.language && look.palette === this.#look.palette) return false;
    this.#look = look;
    try {
      mkdirSync(dirname(this.#file), { recursive: true });
      writeFileSync(`${this.#file}.new`, JSON.stringify(look));
      renameSync(`${this.#file}.new`, this.#file);
    } catch {
      // On a full disk the next start has the old look.
    }
    return true;
  }
}

function read(file: string): ShellLook | undefined {
  try {
    return readLook(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

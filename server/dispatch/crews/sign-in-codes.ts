import { randomInt } from 'node:crypto';

/** Decimal digits of a code: quick to type with one thumb. */
export const CODE_DIGITS = 8;
/** ms for which a code opens a session. */
export const CREW_CODE_LIFE = 10 * 60_000;
/** Wrong codes, from wherever, after which every code made before is void. */
export const WRONG_CODES = 50;

interface Code {
  readonly vehicleId: number;
  readonly userId: number;
  /** Epoch ms. */
  readonly expiresAt: number;
  wrong: number;
}

/**
 * Codes that open a crew's session, README rule 1. They are in memory only: a restart ends them. The chance to guess
 * one in time is `WRONG_CODES` in 10 to the power of `CODE_DIGITS`.
 */
export class SignInCodes {
  readonly #codes = new Map<string, Code>();
  readonly #random: (below: number) => number;

  constructor(random: (below: number) => number = randomInt) {
    this.#random = random;
  }

  /** A new code for a vehicle; its earlier one is void. */
  make(vehicleId: number, userId: number, now: number): { code: string; expiresAt: number } {
    for (const [code, known] of this.#codes)
      if (known.vehicleId === vehicleId || known.expiresAt <= now) this.#codes.delete(code);
    let code: string;
    do code = String(this.#random(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
    while (this.#codes.has(code));
    const expiresAt = now + CREW_CODE_LIFE;
    this.#codes.set(code, { vehicleId, userId, expiresAt, wrong: 0 });
    return { code, expiresAt };
  }

  /** The vehicle of a code, once; undefined: the code is wrong, was used or has expired. */
  use(code: string, now: number): { vehicleId: number; userId: number } | undefined {
    const known = this.#codes.get(code);
    if (known && known.expiresAt > now) {
      this.#codes.delete(code);
      return { vehicleId: known.vehicleId, userId: known.userId };
    }
    for (const [other, one] of this.#codes) if (++one.wrong >= WRONG_CODES) this.#codes.delete(other);
    return undefined;
  }
}

import { WORLD } from '../mercator.ts';

/** A house, its entrances and its shops often carry the same number within so many metres. */
const SAME_HOUSE = 12;
const EQUATOR_METRES = 40_075_016.7;

/** The house numbers drawn so far; the first of several on one house is drawn, and areas come before points. */
export class DrawnNumbers {
  readonly #near: number;
  readonly #drawn = new Map<string, number[]>();

  /** @param lat degrees, about where the houses are */
  constructor(lat: number) {
    this.#near = ((WORLD / EQUATOR_METRES) * SAME_HOUSE) / Math.max(0.01, Math.cos((lat * Math.PI) / 180));
  }

  /** Whether this number is drawn on the same house; notes it if not. */
  has(number: string, x: number, y: number): boolean {
    const cell = (dx: number, dy: number) =>
      `${number} ${Math.floor(x / this.#near) + dx} ${Math.floor(y / this.#near) + dy}`;
    for (let dx = -1; dx <= 1; dx++)
      for (let dy = -1; dy <= 1; dy++) {
        const there = this.#drawn.get(cell(dx, dy)) ?? [];
        for (let i = 0; i < there.length; i += 2)
          if (Math.hypot(there[i]! - x, there[i + 1]! - y) < this.#near) return true;
      }
    const own = this.#drawn.get(cell(0, 0));
    if (own) own.push(x, y);
    else this.#drawn.set(cell(0, 0), [x, y]);
    return false;
  }
}

import type { Chance } from '../chance.ts';
import { movedByMetres, type GroundPosition } from './position.ts';

/** Standard deviation of a receiver's error in each direction, metres. */
const DEVIATION = 3;
/** Share of the error that remains after a second: it wanders and does not jump. */
const KEPT = 0.92;

/** The error of one receiver (first-order autoregressive noise). */
export class GpsError {
  readonly #chance: Chance;
  #east: number;
  #north: number;

  constructor(chance: Chance) {
    this.#chance = chance;
    this.#east = DEVIATION * this.#normal();
    this.#north = DEVIATION * this.#normal();
  }

  /** The measured position. While standing, the receiver holds its position, as trackers do. */
  seen(position: GroundPosition, moving: boolean): GroundPosition {
    if (moving) {
      const fresh = DEVIATION * Math.sqrt(1 - KEPT * KEPT);
      this.#east = KEPT * this.#east + fresh * this.#normal();
      this.#north = KEPT * this.#north + fresh * this.#normal();
    }
    return movedByMetres(position, this.#east, this.#north);
  }

  /** Box and Muller (1958). */
  #normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.#chance.next())) * Math.cos(2 * Math.PI * this.#chance.next());
  }
}

/**
 * Stamps of a hybrid logical clock: text of one width that says when an edit was made, and that sorts as the
 * edits did.
 *
 *     0199c2d4a0f8 002a -017.k3j9d0x2 .7fq2        (written without the spaces)
 *     milliseconds  │    station: its number, then the epoch of its store; then the run of its program
 *     in hex     counter in hex, for edits of one millisecond
 *
 * The run makes stamps unique if a data directory is copied back (a snapshot of a virtual machine): while a clock is
 * behind the latest stamp, two runs from the same state count the same milliseconds.
 *
 * Source: Kulkarni, Demirbas, Madappa, Avva, Leone, "Logical Physical Clocks and Consistent Snapshots in
 * Globally Distributed Databases" (2014). Two edits of the same moment go to the station with the higher
 * number.
 */
import { Refusal } from '../refusal.ts';

export type Stamp = string;

/**
 * A received stamp may be this many milliseconds ahead of our clock; beyond that the sender's clock is wrong.
 */
export const MAX_AHEAD = 5 * 60_000;

const LAST_COUNTER = 0xffff;
const SHAPE = /^[0-9a-f]{16}-[0-9a-z.]{1,23}$/;

export interface StampClock {
  /** The part of its stamps that names the station. */
  readonly station: string;
  /** A stamp later than all that this clock issued or received. */
  next(): Stamp;
  /** Moves the clock past `stamp`. Throws a Refusal when it is malformed or more than MAX_AHEAD ahead. */
  receive(stamp: Stamp): void;
  /**
   * The latest stamp issued or received. Store it with the data and start from it, so that a clock set back
   * does no harm.
   */
  readonly latest: Stamp;
}

/**
 * The part of a stamp that names the station. The number comes first, so it decides between simultaneous
 * edits. `epoch`: renewed when the store is wiped or restored.
 */
export function stationPart(stationNumber: number, epoch: string): string {
  return `${String(stationNumber).padStart(3, '0')}.${epoch}`;
}

/**
 * `station` is its part of a stamp, or a function if it may change; `now` is wall time in milliseconds;
 * `from` the latest stamp of an earlier run, which is trusted; `run` a random word of `[0-9a-z]`, another one for each
 * run.
 */
export function stampClock(
  station: string | (() => string),
  now: () => number,
  from: Stamp = '',
  run = '',
): StampClock {
  const part = typeof station === 'string' ? () => station : station;
  const author = run === '' ? part : () => `${part()}.${run}`;
  let milliseconds = from ? millisecondsOf(from) : 0;
  let counter = from ? counterOf(from) : 0;

  return {
    get station() {
      return part();
    },
    next() {
      const wall = Math.floor(now());
      if (wall > milliseconds) {
        milliseconds = wall;
        counter = 0;
      } else if (counter < LAST_COUNTER) {
        counter++;
      } else {
        milliseconds++;
        counter = 0;
      }
      return write(milliseconds, counter, author());
    },
    receive(stamp) {
      if (!isStamp(stamp)) throw new Refusal('store.notStamp', { stamp: String(stamp).slice(0, 60) });
      const theirs = millisecondsOf(stamp);
      const ahead = theirs - now();
      if (ahead > MAX_AHEAD) {
        throw new Refusal('store.stampAhead', { stamp, seconds: Math.round(ahead / 1000) });
      }
      if (theirs > milliseconds || (theirs === milliseconds && counterOf(stamp) > counter)) {
        milliseconds = theirs;
        counter = counterOf(stamp);
      }
    },
    get latest() {
      return write(milliseconds, counter, author());
    },
  };
}

export function isStamp(text: unknown): text is Stamp {
  return typeof text === 'string' && SHAPE.test(text);
}

/** When the edit was made, in milliseconds since 1970 by the clock of its station. */
export function millisecondsOf(stamp: Stamp): number {
  return parseInt(stamp.slice(0, 12), 16);
}

/** The part of a stamp that names the station and its store, whatever its run: see `stationPart`. */
export function stationPartOf(stamp: Stamp): string {
  const run = stamp.indexOf('.', 21);
  return run < 0 ? stamp.slice(17) : stamp.slice(17, run);
}

/** Stamp of the seed records that every station has. It is earlier than every edit. */
export const SEED: Stamp = '0000000000000000-000.seed';

/**
 * Stamp of a record that each station computes under the same key. It is earlier than every edit, so that a
 * late computation does not undo edits of other stations.
 */
export function computedStamp(station: string): Stamp {
  return write(0, 0, station);
}

/** Whether a person or program made this edit; false for the stamp of a seed or of a computed record. */
export function isEdit(stamp: Stamp): boolean {
  return millisecondsOf(stamp) > 0;
}

/** The number of the station that made the edit. */
export function stationOf(stamp: Stamp): number {
  return parseInt(stamp.slice(17, 20), 10);
}

function counterOf(stamp: Stamp): number {
  return parseInt(stamp.slice(12, 16), 16);
}

function write(milliseconds: number, counter: number, station: string): Stamp {
  return `${milliseconds.toString(16).padStart(12, '0')}${counter.toString(16).padStart(4, '0')}-${station}`;
}

import { createHash } from 'node:crypto';
import { believe, NOTHING_KNOWN, type Known } from './believe.ts';
import type { Detector, Interval, Point } from './detector.ts';
import type { World } from './world.ts';

/** An event of a vehicle, as it is kept. */
export interface VehicleEvent extends Interval {
  /** The same on every station, whatever order the records came in. */
  readonly id: number;
  readonly vehicleId: number;
  /** Time of the record at which it was first seen; for what silence shows, of the last record before. */
  readonly seenAt: number;
  /** It lasts because nothing has come since: the next record may withdraw it. */
  readonly bySilence: boolean;
}

/** What a vehicle's engine remembers of its past: states after some of the points, and its events. Kept by the room; in memory in tests. */
export interface Memory {
  /** The latest checkpoint at or before a time. */
  checkpointBefore(vehicleId: number, time: number): Checkpoint | undefined;
  /** Checkpoints after a time, oldest first. */
  checkpointsAfter(vehicleId: number, time: number): readonly Checkpoint[];
  save(vehicleId: number, revision: Revision): void;
  /** Events first seen after `after` and not after `till`. */
  eventsSeen(vehicleId: number, after: number, till: number): readonly VehicleEvent[];
  event(vehicleId: number, id: number): VehicleEvent | undefined;
}

/** JSON of the whole state of the fold after the point of this time. */
export interface Checkpoint {
  readonly time: number;
  readonly states: string;
}

interface Folded {
  readonly known: Known;
  readonly detectors: readonly unknown[];
}

/** Where the fold of a vehicle stands after the last point of its track. */
interface Head {
  readonly time: number;
  readonly folded: Folded;
  readonly sinceCheckpoint: number;
}

/** The difference that some records made. */
export interface Revision {
  readonly created: readonly VehicleEvent[];
  readonly changed: readonly VehicleEvent[];
  readonly withdrawn: readonly VehicleEvent[];
  readonly addCheckpoints: readonly Checkpoint[];
  readonly dropCheckpoints: readonly number[];
}

/** Points of a vehicle after a time, in the order of their times. */
export type ReadTrack = (vehicleId: number, after: number) => Iterable<Point>;

/** A late record goes back to the checkpoint before it: this many points at most, beside those that it takes for the states to agree again. */
const CHECKPOINT_EVERY = 200;

/**
 * Keeps the events of vehicles equal to what their ordered tracks say.
 *
 * A late record is put into its place: the fold goes on from the checkpoint before it, and ends where all states are again what they were, at a
 * checkpoint behind it. Events in between are compared with those that were there; what differs is the revision. The cost does not depend on
 * how long the track is.
 */
export class EventEngine {
  readonly #detectors: readonly Detector<unknown>[];
  readonly #memory: Memory;
  readonly #track: ReadTrack;
  /** Only to save work: without them (after a start) the fold goes on from the last checkpoint, and comes to the same. */
  readonly #heads = new Map<number, Head>();

  readonly #checkpointEvery: number;

  constructor(detectors: readonly Detector<never>[], memory: Memory, track: ReadTrack, checkpointEvery = CHECKPOINT_EVERY) {
    this.#checkpointEvery = checkpointEvery;
    this.#detectors = detectors as readonly Detector<unknown>[];
    this.#memory = memory;
    this.#track = track;
  }

  /** Takes note that the track has new points from `from` to `till`. Returns what changed, and has it saved. */
  revise(vehicleId: number, span: { from: number; till: number }, world: World, now: number): Revision {
    const start = this.#startFor(vehicleId, span.from);
    const known = new Map(this.#memory.checkpointsAfter(vehicleId, start.time).map((checkpoint) => [checkpoint.time, checkpoint.states]));
    let folded = start.folded;

    const found = new Map<number, { interval: Interval; seenAt: number; bySilence: boolean }>();
    const note = (interval: Interval, seenAt: number, bySilence = false) => {
      const id = eventId(vehicleId, interval);
      found.set(id, { interval, seenAt: found.get(id)?.seenAt ?? seenAt, bySilence });
    };
    // What lasts at the checkpoint may end differently now; it was seen before.
    const lastingAtStart = new Map<number, Interval>();
    for (const interval of this.#lasting(folded)) lastingAtStart.set(eventId(vehicleId, interval), interval);

    const addCheckpoints: Checkpoint[] = [];
    const dropCheckpoints: number[] = [];
    let last = start.time;
    let sinceCheckpoint = start.sinceCheckpoint;
    let agreed = false;
    for (const point of this.#track(vehicleId, last)) {
      folded = this.#step(folded, point, world, (interval) => note(interval, point.time));
      last = point.time;
      sinceCheckpoint++;
      const before = known.get(point.time);
      if (before === undefined && sinceCheckpoint < this.#checkpointEvery) continue;
      const after = JSON.stringify(folded);
      known.delete(point.time);
      sinceCheckpoint = 0;
      if (before === after) {
        if (point.time < span.till) continue;
        agreed = true;
        break;
      }
      addCheckpoints.push({ time: point.time, states: after });
    }

    const stillLasting = new Set<number>();
    if (agreed) for (const interval of this.#lasting(folded)) stillLasting.add(eventId(vehicleId, interval));
    else {
      this.#detectors.forEach((detector, i) => {
        for (const interval of detector.silence?.(folded.detectors[i], now, world) ?? []) note(interval, last, true);
      });
      // A checkpoint whose point is no longer there (retention) tells of a past that is gone.
      dropCheckpoints.push(...known.keys());
      this.#heads.set(vehicleId, { time: last, folded, sinceCheckpoint });
    }
    const revision = { ...this.#compare(vehicleId, start.time, agreed ? last : Infinity, found, lastingAtStart, stillLasting), addCheckpoints, dropCheckpoints };
    this.#memory.save(vehicleId, revision);
    return revision;
  }

  /** Nothing has come: what does that mean at `now`? */
  watch(vehicleId: number, lastTime: number, world: World, now: number): Revision {
    return this.revise(vehicleId, { from: lastTime + 1, till: lastTime + 1 }, world, now);
  }

  #startFor(vehicleId: number, from: number): Head {
    const head = this.#heads.get(vehicleId);
    if (head && head.time < from) return head;
    const checkpoint = this.#memory.checkpointBefore(vehicleId, from - 1);
    if (checkpoint) return { time: checkpoint.time, folded: JSON.parse(checkpoint.states) as Folded, sinceCheckpoint: 0 };
    return { time: -1, folded: { known: NOTHING_KNOWN, detectors: this.#detectors.map((detector) => detector.start) }, sinceCheckpoint: 0 };
  }

  #step(folded: Folded, given: Point, world: World, report: (interval: Interval) => void): Folded {
    const { point, previous, known } = believe(folded.known, given);
    return { known, detectors: this.#detectors.map((detector, i) => detector.step(folded.detectors[i], point, previous, world, report)) };
  }

  *#lasting(folded: Folded): Iterable<Interval> {
    for (const [i, detector] of this.#detectors.entries()) yield* detector.lasting(folded.detectors[i]);
  }

  #compare(
    vehicleId: number,
    after: number,
    till: number,
    found: ReadonlyMap<number, { interval: Interval; seenAt: number; bySilence: boolean }>,
    lastingAtStart: ReadonlyMap<number, Interval>,
    stillLasting: ReadonlySet<number>,
  ): Pick<Revision, 'created' | 'changed' | 'withdrawn'> {
    const created: VehicleEvent[] = [];
    const changed: VehicleEvent[] = [];
    const put = (event: VehicleEvent, before: VehicleEvent | undefined) => {
      if (!before) created.push(event);
      else if (!sameEvent(event, before)) changed.push(event);
    };
    for (const [id, { interval, seenAt, bySilence }] of found) {
      const before = this.#memory.event(vehicleId, id);
      // It lasts beyond the span, where nothing differs: how it went on is known already.
      if (before && stillLasting.has(id) && !before.bySilence) {
        const seen = lastingAtStart.has(id) ? before.seenAt : seenAt;
        if (seen !== before.seenAt) changed.push({ ...before, seenAt: seen });
        continue;
      }
      put({ ...interval, id, vehicleId, seenAt: lastingAtStart.has(id) && before ? before.seenAt : seenAt, bySilence }, before);
    }
    // It lasted at the beginning of the span and was not heard of again: then it lasts on.
    for (const [id, interval] of lastingAtStart) {
      const before = this.#memory.event(vehicleId, id);
      if (before && !found.has(id) && !stillLasting.has(id)) put({ ...before, ...interval, bySilence: false }, before);
    }
    const withdrawn = this.#memory.eventsSeen(vehicleId, after, till).filter((event) => !found.has(event.id));
    // What silence showed belongs to the last point before it, which may be the one at the checkpoint itself.
    const atStart = this.#memory.eventsSeen(vehicleId, after - 1, after).filter((event) => event.bySilence && !found.has(event.id));
    return { created, changed, withdrawn: [...withdrawn, ...atStart] };
  }
}

/** Names an event by what it is: 52 bits of SHA-256 over vehicle, type, subject and beginning. */
export function eventId(vehicleId: number, { type, subject, from }: Pick<Interval, 'type' | 'subject' | 'from'>): number {
  const digest = createHash('sha256').update(`${vehicleId}|${type}|${subject}|${from}`).digest();
  return digest.readUIntBE(0, 6) * 16 + (digest[6]! >> 4);
}

function sameEvent(a: VehicleEvent, b: VehicleEvent): boolean {
  return (
    a.till === b.till && a.lat === b.lat && a.lon === b.lon && a.info === b.info && a.seenAt === b.seenAt && a.bySilence === b.bySilence &&
    JSON.stringify(a.data) === JSON.stringify(b.data)
  );
}

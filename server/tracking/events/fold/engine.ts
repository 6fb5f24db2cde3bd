import { filterOutliers, INITIAL_FILTER_STATE, type OutlierFilterState } from './filter-outliers.ts';
import type { Detector, Interval, RawPoint } from '../detectors/detector.ts';
import { DigestIds } from '../../../platform/digest-id.ts';
import { contextAt, type VehicleContext } from '../context/vehicle-context.ts';

/** A stored event of a vehicle. */
export interface VehicleEvent extends Interval {
  /** The same on every station, in any order of arrival. */
  readonly id: number;
  readonly vehicleId: number;
  /** Time of the record that first showed it; for silence, of the last record before. */
  readonly seenAt: number;
  /** It lasts because no record has come since: the next one may delete it. */
  readonly bySilence: boolean;
}

/**
 * The stored past of a vehicle: states of the fold after some points, and its events. The room keeps it;
 * tests keep it in memory.
 */
export interface Memory {
  /** The latest checkpoint at or before a time. */
  checkpointBefore(vehicleId: number, time: number): FoldCheckpoint | undefined;
  /** Checkpoints after a time, oldest first, at most `limit`. */
  checkpointsAfter(vehicleId: number, time: number, limit: number): readonly FoldCheckpoint[];
  /** Events first seen after `after` and not after `until`, read lazily: a long span has thousands. */
  eventsSeen(vehicleId: number, after: number, until: number): Iterable<VehicleEvent>;
  event(vehicleId: number, id: number): VehicleEvent | undefined;
}

/** JSON of the complete state of the fold after the point of this time. */
export interface FoldCheckpoint {
  readonly time: number;
  readonly states: string;
}

/** The difference that some records made. */
export interface Revision {
  readonly created: readonly VehicleEvent[];
  readonly changed: readonly VehicleEvent[];
  readonly withdrawn: readonly VehicleEvent[];
  readonly addCheckpoints: readonly FoldCheckpoint[];
  readonly dropCheckpoints: readonly number[];
}

/** The context of a vehicle with all versions valid at a time or later. */
export type ContextSource = VehicleContext | ((from: number) => VehicleContext);

/** Points of a vehicle after a time, ordered by time. */
export type ReadTrack = (vehicleId: number, after: number) => Iterable<RawPoint>;

/** A span of a track; `points` are all its new ones, in order, and without them the track is read. */
export interface NewTrackSpan {
  readonly from: number;
  readonly until: number;
  readonly points?: readonly RawPoint[] | undefined;
  /** Events seen after this time are of points that are not here, or undefined. */
  readonly knownUntil?: number | undefined;
}

interface FoldState {
  readonly known: OutlierFilterState;
  readonly detectors: readonly unknown[];
}

/** The state of a vehicle's fold after the last point of its track. */
interface FoldHead {
  readonly time: number;
  readonly folded: FoldState;
  readonly sinceCheckpoint: number;
  /** Events that last only because no record has come since. */
  readonly silent: readonly VehicleEvent[];
}

interface FoundInterval {
  readonly interval: Interval;
  readonly seenAt: number;
  readonly bySilence: boolean;
}

/** One pass of the fold over a span of a track. */
interface Pass {
  readonly start: FoldHead;
  /** Whether it continued from the head, so that nothing after `start` is known yet. */
  readonly onwards: boolean;
  /** Time before the first known point: nothing before it is evaluated. */
  readonly after: number;
  /** Time until which events are judged. */
  readonly judgedUntil: number;
  /** Whether it ended where all states are unchanged: nothing differs after that. */
  readonly agreed: boolean;
  readonly folded: FoldState;
  readonly found: ReadonlyMap<number, FoundInterval>;
}

/** Points between checkpoints: a late record goes back at most this far. */
const CHECKPOINT_EVERY = 200;
/** Checkpoints read at once: a long track has thousands, and most late records need two. */
const CHECKPOINT_PAGE = 50;
/** Lasting events are reported with each point. */
const IDS = new DigestIds(20_000);

/**
 * Keeps the events of vehicles equal to what their ordered tracks give.
 *
 * A late record is inserted in order: the fold restarts at the checkpoint before it and ends at a later
 * checkpoint where all states are unchanged. Events in between are compared with the stored ones; the
 * difference is the revision. The cost does not depend on the length of the track.
 *
 * A caller saves the revision of a vehicle before requesting the next one, or calls `forget`.
 */
export class EventEngine {
  readonly #detectors: readonly Detector<unknown>[];
  readonly #memory: Memory;
  readonly #track: ReadTrack;
  readonly #checkpointEvery: number;
  /**
   * Only a cache: without it (after a start) the fold continues from the last checkpoint, with the same
   * result.
   */
  readonly #heads = new Map<number, FoldHead>();

  constructor(
    detectors: readonly Detector<never>[],
    memory: Memory,
    track: ReadTrack,
    checkpointEvery = CHECKPOINT_EVERY,
  ) {
    this.#detectors = detectors as readonly Detector<unknown>[];
    this.#memory = memory;
    this.#track = track;
    this.#checkpointEvery = checkpointEvery;
  }

  /**
   * The difference because the track has new points from `from` to `until`, or because the context changed
   * then.
   * @param surroundings the context of the vehicle from a time on; called once, for the time at which the
   * fold begins
   */
  revise(vehicleId: number, span: NewTrackSpan, surroundings: ContextSource, now: number): Revision {
    const { value } = this.reviseInPieces(vehicleId, span, surroundings, now, () => false).next();
    return value as Revision; // it never rests
  }

  /**
   * The same with pauses, in which other vehicles may be revised, but not this one. Each pause yields the
   * checkpoints reached since the last one; the final revision omits them. They may be saved at once, if the
   * span is computed again after a crash.
   * @param isEnough called after every point and while comparing: whether to pause
   */
  *reviseInPieces(
    vehicleId: number,
    span: NewTrackSpan,
    surroundings: ContextSource,
    now: number,
    isEnough: () => boolean,
  ): Generator<readonly FoldCheckpoint[], Revision> {
    const head = this.#heads.get(vehicleId);
    const onwards = head !== undefined && head.time < span.from;
    const start = onwards ? head : this.#checkpoint(vehicleId, span.from - 1);
    const context = typeof surroundings === 'function' ? surroundings(start.time) : surroundings;
    const known = new KnownCheckpoints(start.time, (after) =>
      onwards ? [] : this.#memory.checkpointsAfter(vehicleId, after, CHECKPOINT_PAGE),
    );
    const found = new Map<number, FoundInterval>();
    const note = (interval: Interval, seenAt: number, bySilence: boolean) => {
      const id = eventId(vehicleId, interval);
      found.set(id, { interval, seenAt: found.get(id)?.seenAt ?? seenAt, bySilence });
    };

    let addCheckpoints: FoldCheckpoint[] = [];
    // After the span, the first checkpoint on disk ends the fold: it must not be there before its events.
    const rest = () => {
      const { within = [], behind = [] } = Object.groupBy(addCheckpoints, ({ time }) =>
        time < span.until ? 'within' : 'behind',
      );
      addCheckpoints = behind;
      return within;
    };
    let { folded, time: last, sinceCheckpoint } = start;
    let after = start.time < 0 ? Infinity : start.time;
    let agreed = false;
    for (const point of (onwards && span.points) || this.#track(vehicleId, last)) {
      // Later points were stored meanwhile and are announced next.
      if (onwards && point.time > span.until) break;
      folded = this.#step(folded, point, context, (interval) => note(interval, point.time, false));
      last = point.time;
      after = Math.min(after, point.time - 1);
      sinceCheckpoint++;
      const before = known.after(point.time);
      if (before !== undefined || sinceCheckpoint >= this.#checkpointEvery) {
        const states = JSON.stringify(folded);
        sinceCheckpoint = 0;
        if (before !== states) addCheckpoints.push({ time: point.time, states });
        else if (point.time >= span.until) {
          agreed = true;
          break;
        }
      }
      if (isEnough()) yield rest();
    }
    if (!agreed) {
      this.#detectors.forEach((detector, i) => {
        for (const interval of detector.silence?.(folded.detectors[i], now, contextAt(context, now)) ?? [])
          note(interval, last, true);
      });
    }

    const comparing = this.#compare(vehicleId, {
      start,
      onwards,
      after,
      judgedUntil: agreed ? last : (span.knownUntil ?? Number.MAX_SAFE_INTEGER),
      agreed,
      folded,
      found,
    });
    let compared = comparing.next();
    for (; !compared.done; compared = comparing.next()) if (isEnough()) yield rest();
    if (!agreed) {
      const silent = [...found.entries()].flatMap(([id, { interval, seenAt, bySilence }]) =>
        bySilence ? [{ ...interval, id, vehicleId, seenAt, bySilence }] : [],
      );
      this.#heads.set(vehicleId, { time: last, folded, sinceCheckpoint, silent });
    }
    // A checkpoint without its point (deleted by retention) is of a past that is gone.
    return { ...compared.value, addCheckpoints, dropCheckpoints: agreed ? [] : known.withoutPoints() };
  }

  /** Checks at `now` what the silence since the last record means. */
  watch(vehicleId: number, lastTime: number, surroundings: ContextSource, now: number): Revision {
    return this.revise(vehicleId, { from: lastTime + 1, until: lastTime + 1 }, surroundings, now);
  }

  /** A revision could not be saved, or the past changed: the next one begins at a checkpoint. */
  forget(vehicleId: number): void {
    this.#heads.delete(vehicleId);
  }

  #checkpoint(vehicleId: number, time: number): FoldHead {
    const checkpoint = this.#memory.checkpointBefore(vehicleId, time);
    if (!checkpoint)
      return {
        time: -1,
        folded: { known: INITIAL_FILTER_STATE, detectors: this.#detectors.map((detector) => detector.start) },
        sinceCheckpoint: 0,
        silent: [],
      };
    // Events of silence belong to the last point before it, which may be that of the checkpoint.
    const silent = [...this.#memory.eventsSeen(vehicleId, checkpoint.time - 1, checkpoint.time)].filter(
      ({ bySilence }) => bySilence,
    );
    const { known, detectors } = JSON.parse(checkpoint.states) as FoldState;
    // A detector added since the checkpoint starts here.
    const states = this.#detectors.map(({ start }, i) => (i < detectors.length ? detectors[i] : start));
    return { time: checkpoint.time, folded: { known, detectors: states }, sinceCheckpoint: 0, silent };
  }

  #step(folded: FoldState, given: RawPoint, context: VehicleContext, report: (interval: Interval) => void): FoldState {
    const { point, previous, known } = filterOutliers(folded.known, given);
    const current = contextAt(context, point.time);
    return {
      known,
      detectors: this.#detectors.map((detector, i) =>
        detector.step(folded.detectors[i], point, previous, current, report),
      ),
    };
  }

  /** The lasting events of a state, by id. */
  #lasting(vehicleId: number, folded: FoldState): Map<number, Interval> {
    const lasting = new Map<number, Interval>();
    this.#detectors.forEach((detector, i) => {
      for (const interval of detector.lasting(folded.detectors[i])) lasting.set(eventId(vehicleId, interval), interval);
    });
    return lasting;
  }

  /** Yields after every event that it looked up. */
  *#compare(
    vehicleId: number,
    { start, onwards, after, judgedUntil, agreed, folded, found }: Pass,
  ): Generator<void, Pick<Revision, 'created' | 'changed' | 'withdrawn'>> {
    const created: VehicleEvent[] = [];
    const changed: VehicleEvent[] = [];
    const silentGone = start.silent.filter(({ id }) => !found.has(id));
    if (onwards && found.size === 0) return { created, changed, withdrawn: silentGone };

    const put = (event: VehicleEvent, before: VehicleEvent | undefined) => {
      if (!before) created.push(event);
      else if (!sameEvent(event, before)) changed.push(event);
    };
    const lastingAtStart = this.#lasting(vehicleId, start.folded);
    const stillLasting = agreed ? this.#lasting(vehicleId, folded) : new Map<number, Interval>();
    for (const [id, { interval, seenAt, bySilence }] of found) {
      const before = this.#memory.event(vehicleId, id);
      const seen = before && lastingAtStart.has(id) ? before.seenAt : seenAt;
      // It lasts beyond the span if nothing differs: its continuation is known.
      if (before && !before.bySilence && stillLasting.has(id)) put({ ...before, seenAt: seen }, before);
      else put({ ...interval, id, vehicleId, seenAt: seen, bySilence }, before);
      yield;
    }
    if (onwards) return { created, changed, withdrawn: silentGone };

    // It lasted at the start of the span and was not reported again: its former end no longer exists.
    for (const [id, interval] of lastingAtStart) {
      const before = found.has(id) || stillLasting.has(id) ? undefined : this.#memory.event(vehicleId, id);
      if (before) put({ ...before, ...interval, bySilence: false }, before);
    }
    const withdrawn: VehicleEvent[] = [];
    // Another station may have seen events before the first point here, and after the last one.
    for (const event of after < judgedUntil ? this.#memory.eventsSeen(vehicleId, after, judgedUntil) : []) {
      if (!found.has(event.id)) withdrawn.push(event);
      yield;
    }
    return { created, changed, withdrawn: [...withdrawn, ...silentGone] };
  }
}

/** The checkpoints after a time, in step with the points, read page by page. */
class KnownCheckpoints {
  readonly #read: (after: number) => readonly FoldCheckpoint[];
  #page: readonly FoldCheckpoint[] | undefined;
  #next = 0;
  #last: number;
  /** Those whose point is missing. */
  readonly #passed: number[] = [];

  constructor(after: number, read: (after: number) => readonly FoldCheckpoint[]) {
    this.#last = after;
    this.#read = read;
  }

  /** The known states after the point of a time; times ascend from call to call. */
  after(time: number): string | undefined {
    for (let known = this.#peek(); known && known.time <= time; known = this.#peek()) {
      this.#next++;
      if (known.time === time) return known.states;
      this.#passed.push(known.time);
    }
    return undefined;
  }

  /** After all points: the times of checkpoints whose points are missing. */
  withoutPoints(): number[] {
    this.after(Infinity);
    return this.#passed;
  }

  #peek(): FoldCheckpoint | undefined {
    if (!this.#page || (this.#next === this.#page.length && this.#page.length > 0)) {
      this.#page = this.#read(this.#last);
      this.#last = this.#page.at(-1)?.time ?? this.#last;
      this.#next = 0;
    }
    return this.#page[this.#next];
  }
}

/** The id of an event: vehicle, type, subject and start. */
export function eventId(
  vehicleId: number,
  { type, subject, from }: Pick<Interval, 'type' | 'subject' | 'from'>,
): number {
  return IDS.of(`${vehicleId}|${type}|${subject}|${from}`);
}

/** Whether two forms of an event are equal. */
export function sameEvent(a: VehicleEvent, b: VehicleEvent): boolean {
  return (
    a.until === b.until &&
    a.lat === b.lat &&
    a.lon === b.lon &&
    a.info === b.info &&
    a.seenAt === b.seenAt &&
    a.bySilence === b.bySilence &&
    JSON.stringify(a.data) === JSON.stringify(b.data)
  );
}

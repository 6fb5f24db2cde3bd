import type { Detector, RawPoint } from '../detectors/detector.ts';
import {
  EventEngine,
  type FoldCheckpoint,
  type Memory,
  type ReadTrack,
  type Revision,
  type VehicleEvent,
} from './engine.ts';
import type { VehicleContext } from '../context/vehicle-context.ts';

/** A span of a track whose events are to be computed. */
export interface FoldJob {
  readonly vehicleId: number;
  readonly from: number;
  readonly until: number;
  /** All new points, in order; undefined: read them. */
  readonly points: readonly RawPoint[] | undefined;
  /** A later point of the track is at another station, and so are later events, or undefined. */
  readonly knownUntil?: number | undefined;
  /** Until when the vehicle sent nothing but these records. */
  readonly silentUntil: number;
}

/** The outcome of a job so far. */
export type FoldOutcome = FoldResult | FoldFailed | FoldUnfinished;

/** The revision, ready for another thread: JSON in pieces, so that no single parse takes long. */
export interface FoldResult {
  readonly vehicleId: number;
  /** The job began with this request: checkpoints that it gave before, to a thread that died, do not count. */
  readonly isNew: boolean;
  readonly pieces: readonly string[];
  readonly addCheckpoints: readonly FoldCheckpoint[];
  readonly dropCheckpoints: readonly number[];
}

export interface FoldFailed {
  readonly vehicleId: number;
  readonly error: unknown;
}

/** The job used up its budget. It continues when it is resumed. */
export interface FoldUnfinished {
  readonly vehicleId: number;
  readonly isNew: boolean;
  readonly unfinished: true;
  /**
   * Checkpoints reached since the job was ordered or resumed. They may be stored at once: a repeated span
   * gives the same.
   */
  readonly addCheckpoints: readonly FoldCheckpoint[];
}

/** Tells the fold to continue an unfinished job. */
export interface Resume {
  readonly vehicleId: number;
  readonly resume: true;
}

/** Some of the events of a revision. */
export type RevisionPiece = Pick<Revision, 'created' | 'changed' | 'withdrawn'>;

/**
 * Computes the events of vehicles. A vehicle gets its next job when its last outcome is on disk or forgotten.
 * One request takes some ten milliseconds at most: longer jobs, and those behind them, are unfinished.
 */
export interface Fold {
  /**
   * One outcome for each order, in the same order. Rejects when the fold is closed or its context cannot be
   * sent; then no order has an outcome.
   */
  revise(orders: readonly FoldJob[]): Promise<readonly FoldOutcome[]>;
  /** Continues unfinished jobs, like `revise`. */
  resume(vehicleIds: readonly number[]): Promise<readonly FoldOutcome[]>;
  /** The outcomes of their last jobs are not on disk. */
  forget(vehicleIds: Iterable<number>): void;
  close(): Promise<void>;
}

export interface FoldSources {
  readonly detectors: readonly Detector<never>[];
  readonly memory: Memory;
  readonly track: ReadTrack;
  /** The context of a vehicle, with all versions valid at a time or later. */
  context(vehicleId: number, from: number): VehicleContext;
  /** Points of one request; default `POINT_BUDGET`. */
  readonly budget?: number | undefined;
}

/**
 * Points of one request, of all vehicles together: 10 to 20 ms. Recent spans wait for at most two such
 * requests.
 */
const POINT_BUDGET = 1_000;
/** Events of a piece: about a millisecond of writing. */
const PIECE = 12;

/** Runs the fold in the calling thread. */
export class InlineFold implements Fold {
  readonly #sources: FoldSources;
  readonly #engine: EventEngine;
  readonly #budget: number;
  /** The remaining budget of this request. */
  #left = 0;
  readonly #unfinished = new Map<number, Generator<readonly FoldCheckpoint[], Omit<FoldResult, 'isNew'>>>();

  constructor(sources: FoldSources) {
    this.#sources = sources;
    this.#engine = new EventEngine(sources.detectors, sources.memory, sources.track);
    this.#budget = sources.budget ?? POINT_BUDGET;
  }

  /** One outcome for each, in the same order. */
  work(orders: readonly (FoldJob | Resume)[]): readonly FoldOutcome[] {
    this.#left = this.#budget;
    return orders.map((order) => {
      try {
        if (!('resume' in order)) this.#unfinished.set(order.vehicleId, this.#working(order));
        return this.#resume(order.vehicleId, !('resume' in order));
      } catch (error) {
        this.#unfinished.delete(order.vehicleId);
        return { vehicleId: order.vehicleId, error };
      }
    });
  }

  revise(orders: readonly FoldJob[]): Promise<readonly FoldOutcome[]> {
    return Promise.resolve(this.work(orders));
  }

  resume(vehicleIds: readonly number[]): Promise<readonly FoldOutcome[]> {
    return Promise.resolve(this.work(vehicleIds.map((vehicleId) => ({ vehicleId, resume: true }))));
  }

  forget(vehicleIds: Iterable<number>): void {
    for (const vehicleId of vehicleIds) {
      this.#engine.forget(vehicleId);
      this.#unfinished.delete(vehicleId);
    }
  }

  #resume(vehicleId: number, isNew: boolean): FoldResult | FoldUnfinished {
    const working = this.#unfinished.get(vehicleId);
    if (!working) throw new Error(`Nothing of vehicle ${vehicleId} is unfinished.`);
    if (this.#left <= 0) return { vehicleId, isNew, unfinished: true, addCheckpoints: [] };
    const { value, done } = working.next();
    if (!done) return { vehicleId, isNew, unfinished: true, addCheckpoints: value };
    this.#unfinished.delete(vehicleId);
    return { ...value, isNew };
  }

  /** Pauses when the budget is used up. Requests the context, which may throw, when its turn comes. */
  *#working({
    vehicleId,
    silentUntil,
    ...stretch
  }: FoldJob): Generator<readonly FoldCheckpoint[], Omit<FoldResult, 'isNew'>> {
    const isEnough = () => --this.#left <= 0;
    const { addCheckpoints, dropCheckpoints, ...difference } = yield* this.#engine.reviseInPieces(
      vehicleId,
      stretch,
      (start) => this.#sources.context(vehicleId, start),
      silentUntil,
      isEnough,
    );
    const pieces: string[] = [];
    for (const piece of piecesOf(difference)) {
      pieces.push(piece);
      if (isEnough()) yield [];
    }
    return { vehicleId, pieces, addCheckpoints, dropCheckpoints };
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

export function pieceOf(text: string): RevisionPiece {
  return JSON.parse(text) as RevisionPiece;
}

function* piecesOf({ created, changed, withdrawn }: RevisionPiece): Generator<string> {
  const of = (kind: keyof RevisionPiece, events: readonly VehicleEvent[]) => events.map((event) => ({ kind, event }));
  const all = [...of('created', created), ...of('changed', changed), ...of('withdrawn', withdrawn)];
  for (let at = 0; at < all.length; at += PIECE) {
    const piece: Record<keyof RevisionPiece, VehicleEvent[]> = { created: [], changed: [], withdrawn: [] };
    for (const { kind, event } of all.slice(at, at + PIECE)) piece[kind].push(event);
    yield JSON.stringify(piece);
  }
}

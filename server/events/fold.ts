import type { Detector, RawPoint } from './detector.ts';
import { EventEngine, type Checkpoint, type Memory, type ReadTrack, type Revision, type VehicleEvent } from './engine.ts';
import type { World } from './world.ts';

/** A stretch of a vehicle's track whose events are to be worked out. */
export interface FoldOrder {
  readonly vehicleId: number;
  readonly from: number;
  readonly till: number;
  /** All that is new in it, in order; undefined: it is to be read. */
  readonly points: readonly RawPoint[] | undefined;
  /** Until when nothing but its records has come. */
  readonly silentUntil: number;
}

/** What came of an order. */
export type FoldOutcome = Folded | FoldFailed;

/** The difference that the stretch makes, ready for a thread: JSON in pieces, so that nobody has to take a long one apart in one go. */
export interface Folded {
  readonly vehicleId: number;
  readonly pieces: readonly string[];
  readonly addCheckpoints: readonly Checkpoint[];
  readonly dropCheckpoints: readonly number[];
}

export interface FoldFailed {
  readonly vehicleId: number;
  readonly error: unknown;
}

/** Some of the events of a revision. */
export type RevisionPiece = Pick<Revision, 'created' | 'changed' | 'withdrawn'>;

/** Works the events of vehicles out, wherever it runs. A vehicle is ordered again when its outcome is on disk, or forgotten. */
export interface Fold {
  /** One outcome for each order, in their order. Rejects only when it is closed. */
  revise(orders: readonly FoldOrder[]): Promise<readonly FoldOutcome[]>;
  /** What came of their last orders is not on disk. */
  forget(vehicleIds: Iterable<number>): void;
  close(): Promise<void>;
}

export interface FoldSources {
  readonly detectors: readonly Detector<never>[];
  readonly memory: Memory;
  readonly track: ReadTrack;
  /** What surrounds a vehicle, with all versions that hold at a time or later. */
  world(vehicleId: number, from: number): World;
}

/** Events of a piece: about a millisecond of writing. */
const PIECE = 12;

/** The fold on the spot. */
export class FoldHere implements Fold {
  readonly #sources: FoldSources;
  readonly #engine: EventEngine;

  constructor(sources: FoldSources) {
    this.#sources = sources;
    this.#engine = new EventEngine(sources.detectors, sources.memory, sources.track);
  }

  /** Throws what `world` throws; then nothing has happened. */
  reviseOne({ vehicleId, silentUntil, ...stretch }: FoldOrder): Folded {
    const { addCheckpoints, dropCheckpoints, ...difference } = this.#engine.revise(vehicleId, stretch, (start) => this.#sources.world(vehicleId, start), silentUntil);
    return { vehicleId, pieces: piecesOf(difference), addCheckpoints, dropCheckpoints };
  }

  revise(orders: readonly FoldOrder[]): Promise<readonly FoldOutcome[]> {
    return Promise.resolve(orders.map((order) => {
      try {
        return this.reviseOne(order);
      } catch (error) {
        return { vehicleId: order.vehicleId, error };
      }
    }));
  }

  forget(vehicleIds: Iterable<number>): void {
    for (const vehicleId of vehicleIds) this.#engine.forget(vehicleId);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

export function pieceOf(text: string): RevisionPiece {
  return JSON.parse(text) as RevisionPiece;
}

function piecesOf({ created, changed, withdrawn }: RevisionPiece): string[] {
  const pieces: string[] = [];
  let piece: Record<keyof RevisionPiece, VehicleEvent[]> | undefined;
  let count = 0;
  const put = (events: readonly VehicleEvent[], kind: keyof RevisionPiece) => {
    for (const event of events) {
      (piece ??= { created: [], changed: [], withdrawn: [] })[kind].push(event);
      if (++count % PIECE === 0) end();
    }
  };
  const end = () => {
    if (piece) pieces.push(JSON.stringify(piece));
    piece = undefined;
  };
  put(created, 'created');
  put(changed, 'changed');
  put(withdrawn, 'withdrawn');
  end();
  return pieces;
}

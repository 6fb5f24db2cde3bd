import type { RecordedPoint } from './tracks.ts';

/** New points of a vehicle's track whose events are not computed yet. */
export interface TrackSpan {
  readonly vehicleId: number;
  /** Times of its first and its last new point. */
  readonly from: number;
  readonly until: number;
  /** A later span of the same vehicle has a greater stamp. */
  readonly stamp: number;
}

/** A span as it is announced when it is on disk. */
export interface NewPoints extends TrackSpan {
  /** Makes all its new points, in the order of arrival; undefined: read them from the track. */
  readonly points?: (() => readonly RecordedPoint[]) | undefined;
  /** How many they are. */
  readonly count?: number;
}

/** A stretch that one transaction made or made longer, by so many points. */
export interface FreshSpan extends TrackSpan {
  readonly count: number;
}

/**
 * Remembers which spans of which tracks wait for their events. They are written with the points, so that a
 * crash loses none.
 */
export class UnprocessedSpans {
  readonly #spans = new Map<number, TrackSpan>();
  /** Spans that the open transaction made or made longer. */
  #fresh = new Map<number, FreshSpan>();
  readonly #toClear = new Set<number>();
  #stamp = 0;

  /**
   * What is on disk: after a start, or when what was written since the last commit is gone. @param stamp what
   * these spans get; later ones get greater ones
   */
  restore(spans: Iterable<Omit<TrackSpan, 'stamp'>>, stamp = this.#stamp): void {
    this.#spans.clear();
    this.#fresh.clear();
    this.#stamp = stamp;
    for (const span of spans) this.#spans.set(span.vehicleId, { ...span, stamp });
  }

  /** A point was put into a track, in the open transaction. */
  add(vehicleId: number, time: number): void {
    const stamp = ++this.#stamp;
    this.#spans.set(vehicleId, longer(this.#spans.get(vehicleId), vehicleId, time, stamp));
    const fresh = this.#fresh.get(vehicleId);
    this.#fresh.set(vehicleId, { ...longer(fresh, vehicleId, time, stamp), count: (fresh?.count ?? 0) + 1 });
    this.#toClear.delete(vehicleId);
  }

  of(vehicleId: number): TrackSpan | undefined {
    return this.#spans.get(vehicleId);
  }

  /** The spans of the transaction that was just committed. */
  takeFresh(): readonly FreshSpan[] {
    const fresh = [...this.#fresh.values()];
    this.#fresh = new Map();
    return fresh;
  }

  /** The events of these spans are on disk. Points that came since keep their vehicle waiting. */
  markProcessed(spans: readonly { vehicleId: number; stamp: number }[]): void {
    for (const { vehicleId, stamp } of spans) {
      const span = this.#spans.get(vehicleId);
      if (!span || span.stamp > stamp) continue;
      this.#spans.delete(vehicleId);
      this.#toClear.add(vehicleId);
    }
  }

  /** Vehicles whose mark on disk can go; called inside a transaction. */
  takeProcessed(): readonly number[] {
    const vehicles = [...this.#toClear];
    this.#toClear.clear();
    return vehicles;
  }

  get hasProcessed(): boolean {
    return this.#toClear.size > 0;
  }
}

function longer(span: TrackSpan | undefined, vehicleId: number, time: number, stamp: number): TrackSpan {
  return { vehicleId, from: Math.min(span?.from ?? time, time), until: Math.max(span?.until ?? time, time), stamp };
}

import type { RecordedPoint } from './stored-point.ts';

/** New points of a vehicle's track whose events are not computed yet. */
export interface TrackSpan {
  readonly vehicleId: number;
  /** Times of its first and its last new point. */
  readonly from: number;
  readonly until: number;
  /** A later span of the same vehicle has a greater stamp. */
  readonly stamp: number;
  /** The vehicle reports to another station, which computes the events of these points. */
  readonly isOfPeer?: boolean;
}

/** A span as announced when it is on disk. */
export interface NewPoints extends TrackSpan {
  /** Yields all its new points, in the order of arrival; undefined: read them from the track. */
  readonly points?: (() => readonly RecordedPoint[]) | undefined;
  /** Their number. */
  readonly count?: number;
}

/** A span that one transaction created or extended, by so many points. */
export interface FreshSpan extends TrackSpan {
  readonly count: number;
  /** The link that brought all of its points; undefined: a device, or several links. */
  readonly link?: number | undefined;
  /** Time of the newest point that a device sent to this station; undefined: all points came so. */
  readonly ownUntil?: number | undefined;
}

/** Where a point of a track with points of other stations came from. */
export interface PointOfPeer {
  readonly link: number | undefined;
  readonly ownUntil: number;
  /** See `TrackSpan`. */
  readonly isOfPeer: boolean;
}

/** Tracks which spans have no events yet. They are written with the points, so that a crash loses none. */
export class UnprocessedSpans {
  readonly #spans = new Map<number, TrackSpan>();
  /** Spans that the open transaction created or extended. */
  #fresh = new Map<number, FreshSpan>();
  readonly #toClear = new Set<number>();
  #stamp = 0;

  /**
   * Reads the state on disk: after a start, or after a rollback.
   * @param stamp the stamp of these spans; later ones get greater stamps
   */
  restore(spans: Iterable<Omit<TrackSpan, 'stamp'>>, stamp = this.#stamp): void {
    this.#spans.clear();
    this.#fresh.clear();
    this.#stamp = stamp;
    for (const span of spans) this.#spans.set(span.vehicleId, { ...span, stamp });
  }

  /** A point was added to a track in the open transaction, or changed. */
  add(vehicleId: number, time: number, peer?: PointOfPeer): void {
    const stamp = ++this.#stamp;
    const isOfPeer = peer?.isOfPeer ?? false;
    this.#spans.set(vehicleId, longer(this.#spans.get(vehicleId), vehicleId, time, stamp, isOfPeer));
    const fresh = this.#fresh.get(vehicleId);
    this.#fresh.set(vehicleId, {
      ...longer(fresh, vehicleId, time, stamp, isOfPeer),
      count: (fresh?.count ?? 0) + 1,
      link: !fresh || fresh.link === peer?.link ? peer?.link : undefined,
      ownUntil: peer?.ownUntil,
    });
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

  /** The events of these spans are on disk. Newer points keep their vehicle waiting. */
  markProcessed(spans: readonly { vehicleId: number; stamp: number }[]): void {
    for (const { vehicleId, stamp } of spans) {
      const span = this.#spans.get(vehicleId);
      if (!span || span.stamp > stamp) continue;
      this.#spans.delete(vehicleId);
      this.#toClear.add(vehicleId);
    }
  }

  /** Vehicles whose mark on disk can be removed; called inside a transaction. */
  takeProcessed(): readonly number[] {
    const vehicles = [...this.#toClear];
    this.#toClear.clear();
    return vehicles;
  }

  get hasProcessed(): boolean {
    return this.#toClear.size > 0;
  }
}

function longer(
  span: TrackSpan | undefined,
  vehicleId: number,
  time: number,
  stamp: number,
  isOfPeer: boolean,
): TrackSpan {
  return {
    vehicleId,
    from: Math.min(span?.from ?? time, time),
    until: Math.max(span?.until ?? time, time),
    stamp,
    isOfPeer: isOfPeer && (span?.isOfPeer ?? true),
  };
}

/** The lowest data rate of a request body. */
export interface MinBodyRate {
  /** Bytes that have to arrive within each `span` of milliseconds. */
  readonly bytes: number;
  readonly span: number;
  /**
   * ms for which the rest of a body is still read after the answer: many clients read the answer only after
   * they have sent everything.
   */
  readonly drainTimeout: number;
}

/**
 * 1 kB/s on average over a minute, an eighth of a 64 kbit/s line: mobile lines may stall for half a minute.
 */
export const MIN_BODY_RATE: MinBodyRate = { bytes: 60_000, span: 60_000, drainTimeout: 300_000 };

/** A request body that is being received. */
export interface IncomingBody {
  /** Bytes received over its connection so far. */
  readonly received: number;
  /** False while received data has not been read yet: then the sender is not to blame. */
  readonly isAwaited: boolean;
  /** The body is complete, or its connection is closed. */
  readonly isOver: boolean;
  /** The request has already been answered. */
  readonly isAnswered: boolean;
  cutOff(): void;
}

interface BodyProgress {
  /** Start of the current span, and the bytes received by then. */
  since: number;
  received: number;
  answeredAt: number | undefined;
}

/**
 * Cuts off bodies below the minimum data rate. The total size and time do not matter. Times are in ms of any
 * monotonic clock.
 */
export class BodyRateMonitor {
  readonly #pace: MinBodyRate;
  readonly #watched = new Map<IncomingBody, BodyProgress>();

  constructor(pace: MinBodyRate) {
    this.#pace = pace;
  }

  watch(coming: IncomingBody, now: number): void {
    this.#watched.set(coming, { since: now, received: coming.received, answeredAt: undefined });
  }

  unwatch(coming: IncomingBody): void {
    this.#watched.delete(coming);
  }

  /** Call it several times within each span. */
  check(now: number): void {
    for (const [coming, watched] of this.#watched) {
      if (coming.isOver) this.unwatch(coming);
      else if (this.#isTooSlow(coming, watched, now)) {
        this.unwatch(coming);
        coming.cutOff();
      }
    }
  }

  #isTooSlow(coming: IncomingBody, watched: BodyProgress, now: number): boolean {
    if (coming.isAnswered) watched.answeredAt ??= now;
    if (watched.answeredAt !== undefined && now - watched.answeredAt >= this.#pace.drainTimeout) return true;
    if (coming.isAwaited && coming.received - watched.received < this.#pace.bytes)
      return now - watched.since >= this.#pace.span;
    watched.since = now;
    watched.received = coming.received;
    return false;
  }
}

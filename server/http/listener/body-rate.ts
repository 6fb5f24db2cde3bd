/** How slowly a body may come. */
export interface MinBodyRate {
  /** So many bytes are to come within `span` ms. */
  readonly bytes: number;
  readonly span: number;
  /**
   * ms for which the rest of a body is still read when the request has been answered: a client hears the
   * answer only after it has sent what it wants to.
   */
  readonly drainTimeout: number;
}

/** 1 kB/s, an eighth of a line of 64 kbit/s, over a minute: mobile lines may stand still for half of one. */
export const MIN_BODY_RATE: MinBodyRate = { bytes: 60_000, span: 60_000, drainTimeout: 300_000 };

/** A body that is coming. */
export interface IncomingBody {
  /** Bytes that came over its connection so far. */
  readonly received: number;
  /** Whether more is waited for: false while what came has not been read, which is not its sender's fault. */
  readonly isAwaited: boolean;
  /** Nothing more will come of it. */
  readonly isOver: boolean;
  /** Its request has its answer already. */
  readonly isAnswered: boolean;
  cutOff(): void;
}

interface BodyProgress {
  /** When the present span began, and how much had come by then. */
  since: number;
  received: number;
  answeredAt: number | undefined;
}

/**
 * Cuts off bodies that come more slowly than a lowest pace, whatever their size: who sends at an honest pace
 * may take as long as it takes. Times are in ms of any one clock.
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

  /** To be called several times within a span. */
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

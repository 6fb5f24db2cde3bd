/** How slowly a body may come. */
export interface LowestPace {
  /** So many bytes are to come within `span` ms. */
  readonly bytes: number;
  readonly span: number;
  /**
   * ms for which the rest of a body is still read when the request has been answered: a client hears the
   * answer only after it has sent what it wants to.
   */
  readonly afterAnswer: number;
}

/** 1 kB/s, an eighth of a line of 64 kbit/s, over a minute: mobile lines may stand still for half of one. */
export const LOWEST_PACE: LowestPace = { bytes: 60_000, span: 60_000, afterAnswer: 300_000 };

/** A body that is coming. */
export interface Coming {
  /** Bytes that came over its connection so far. */
  readonly received: number;
  /** Whether more is waited for: false while what came has not been read, which is not its sender's fault. */
  readonly awaited: boolean;
  /** Nothing more will come of it. */
  readonly over: boolean;
  /** Its request has its answer already. */
  readonly answered: boolean;
  cut(): void;
}

interface Watched {
  /** When the present span began, and how much had come by then. */
  since: number;
  received: number;
  answeredAt: number | undefined;
}

/**
 * Cuts off bodies that come more slowly than a lowest pace, whatever their size: who sends at an honest pace
 * may take as long as it takes. Times are in ms of any one clock.
 */
export class SlowSenders {
  readonly #pace: LowestPace;
  readonly #watched = new Map<Coming, Watched>();

  constructor(pace: LowestPace) {
    this.#pace = pace;
  }

  watch(coming: Coming, now: number): void {
    this.#watched.set(coming, { since: now, received: coming.received, answeredAt: undefined });
  }

  leave(coming: Coming): void {
    this.#watched.delete(coming);
  }

  /** To be called several times within a span. */
  look(now: number): void {
    for (const [coming, watched] of this.#watched) {
      if (coming.over) this.leave(coming);
      else if (this.#isTooSlow(coming, watched, now)) {
        this.leave(coming);
        coming.cut();
      }
    }
  }

  #isTooSlow(coming: Coming, watched: Watched, now: number): boolean {
    if (coming.answered) watched.answeredAt ??= now;
    if (watched.answeredAt !== undefined && now - watched.answeredAt >= this.#pace.afterAnswer) return true;
    if (coming.awaited && coming.received - watched.received < this.#pace.bytes)
      return now - watched.since >= this.#pace.span;
    watched.since = now;
    watched.received = coming.received;
    return false;
  }
}

import type { Tracks } from './tracks.ts';
import type { NewPoints, TrackSpan } from './unprocessed-spans.ts';

/** Announces spans with new points, and keeps the greatest stamp of them. */
export class AnnouncedSpans {
  readonly #tracks: Pick<Tracks, 'unprocessed'>;
  readonly #announce: (spans: readonly NewPoints[]) => void;
  #stamp = 0;

  constructor(tracks: Pick<Tracks, 'unprocessed'>, announce: (spans: readonly NewPoints[]) => void) {
    this.#tracks = tracks;
    this.#announce = announce;
  }

  /** Spans on disk whose events are not computed yet. To a new writer they are newer than all announced ones. */
  onDisk(): TrackSpan[] {
    return this.#tracks.unprocessed().map((span) => ({ ...span, stamp: this.#stamp }));
  }

  add(spans: readonly NewPoints[]): void {
    if (spans.length === 0) return;
    for (const { stamp } of spans) this.#stamp = Math.max(this.#stamp, stamp);
    this.#announce(spans);
  }

  /** A new writer begins with the stamp that this returns: its spans on disk are newer than all announced ones. */
  nextStamp(): number {
    return ++this.#stamp;
  }
}

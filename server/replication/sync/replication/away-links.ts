import type { Store } from '../../../store/types.ts';
import type { Link } from '../types.ts';
import { unread, type ReadPositions } from './read-positions.ts';

interface AwayLinksOptions {
  readonly store: Store;
  readonly positions: ReadPositions;
  /** Links that have no connection now. */
  links(): readonly Link[];
  /** The epoch of the feed of a link. */
  epochOf(link: Link): string;
}

/** ms between two counts. */
const INTERVAL = 500;

/** Counts pending records for stations that are offline or paused, while records change. SPEC 64. */
export class AwayLinks {
  readonly #options: AwayLinksOptions;
  readonly #stop: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: AwayLinksOptions) {
    this.#options = options;
    this.#stop = options.store.feed.watch(() => this.countSoon());
    this.countSoon();
  }

  countSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#count();
    }, INTERVAL);
  }

  close(): void {
    this.#stop();
    clearTimeout(this.#timer);
  }

  #count(): void {
    const { store, positions, links, epochOf } = this.#options;
    for (const link of links()) link.report(unread(store, positions.of(link.id), epochOf(link)));
  }
}

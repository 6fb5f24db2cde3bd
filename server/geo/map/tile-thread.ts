import { statSync } from 'node:fs';
import { join } from 'node:path';
import { WorkerClient } from '../../platform/threads/worker-client.ts';
import { siblingUrl } from '../../platform/threads/worker-url.ts';
import { MapFile } from '../territory/tiles/index.ts';
import { TERRITORY_FILES } from '../territory/types.ts';

export type TileQuestion =
  | { readonly kind: 'open'; readonly directory: string | undefined }
  | { readonly kind: 'tile'; readonly z: number; readonly x: number; readonly y: number };

/** Most waiting tiles; a client that requests more has moved on. */
const QUEUE = 1000;

/** Bytes of a map up to which the thread opens it in a tenth of a second: it starts with the first tile. */
const SMALL = 16 * 1024 * 1024;

/** ms without a request after which the thread may end; and how many for each ms of opening. */
const MIN_IDLE = 60_000;
const IDLE_FOR_OPENING = 200;

/**
 * The thread that cuts tiles. When it dies it is replaced, on the same territory; its requests are refused
 * with `busy` (see `WorkerClient`).
 */
export class TileThread {
  readonly #thread: WorkerClient<TileQuestion>;
  #directory: string | undefined;
  /** ms that opening the territory took. */
  #opening = 0;

  /** @param warn logs faults of the thread */
  constructor(warn: (message: string) => void, script = siblingUrl(import.meta.url, './tiles.worker')) {
    this.#thread = new WorkerClient({
      script,
      warn,
      name: 'The map',
      maxWaiting: QUEUE,
      // A territory that opens slowly stays open longer.
      idle: () => Math.max(MIN_IDLE, IDLE_FOR_OPENING * this.#opening),
      first: () => (this.#directory === undefined ? undefined : { kind: 'open', directory: this.#directory }),
    });
  }

  tile(z: number, x: number, y: number): Promise<Uint8Array | undefined> {
    return this.#thread.request({ kind: 'tile', z, x, y });
  }

  async open(directory: string | undefined): Promise<void> {
    const begun = performance.now();
    // A thread that starts later knows no territory by itself.
    const waits = directory !== undefined && !this.#thread.isRunning && isSmall(directory);
    if (waits) MapFile.open(join(directory, TERRITORY_FILES.tiles)).close();
    else if (directory !== undefined || this.#thread.isRunning) await this.#thread.request({ kind: 'open', directory });
    this.#thread.defer(waits ? { kind: 'open', directory } : undefined);
    this.#opening = performance.now() - begun;
    this.#directory = directory;
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}

/** Of a map that cannot be read the thread says why. */
function isSmall(directory: string): boolean {
  const found = statSync(join(directory, TERRITORY_FILES.tiles), { throwIfNoEntry: false });
  return found !== undefined && found.size <= SMALL;
}

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from '../../../shared/refusal.ts';
import { WorkerClient } from '../../platform/threads/worker-client.ts';
import { siblingUrl } from '../../platform/threads/worker-url.ts';
import { TERRITORY_FILES } from '../territory/types.ts';
import { PlacesFile } from './search/places-file.ts';
import type { Geocoder, SearchQuery } from './types.ts';

/** A request to the geocoding worker. */
export type GeocodeRequest =
  | { kind: 'open'; directory: string | undefined }
  | { kind: 'search'; query: SearchQuery; budget: number }
  | { kind: 'reverse'; point: { lon: number; lat: number }; language: string | undefined };

/** ms of processor time after which a search answers with its results so far: users wait while typing. */
const BUDGET = 250;
/**
 * ms without any answer after which the worker counts as hung. Opening a country's words from a slow disk
 * takes seconds.
 */
const HUNG = 20_000;
/** Bytes of places up to which the worker opens them in a tenth of a second: it starts with the first query. */
const SMALL = 16 * 1024 * 1024;
/** Most waiting queries; further ones would be answered too late to be useful. */
const QUEUE = 200;

/** ms without a query after which the worker may end; and how many for each ms of opening. */
const MIN_IDLE = 60_000;
const IDLE_FOR_OPENING = 200;

export interface GeocoderOptions {
  /** ms */
  budget?: number;
  /** ms */
  hangTimeout?: number;
  /** The worker's file, for tests. */
  worker?: URL;
  /** Logs faults of the worker. */
  warn?: (message: string) => void;
}

/**
 * Until a territory is open, every query finds nothing; if opening failed and there is no earlier one,
 * queries are refused.
 */
export function startGeocoder({
  budget = BUDGET,
  hangTimeout = HUNG,
  worker = siblingUrl(import.meta.url, './geocoder.worker'),
  warn,
}: GeocoderOptions = {}): Geocoder {
  let directory: string | undefined;
  /** An empty answer would mean that there is no such street. */
  let unusable = false;
  const requireUsable = (): void => {
    if (unusable) throw new Refusal('territory.placesUnreadable');
  };
  /** ms that opening the territory took. */
  let opening = 0;
  const thread = new WorkerClient<GeocodeRequest>({
    script: worker,
    name: 'The search',
    maxWaiting: QUEUE,
    hangTimeout,
    warn,
    // A territory that opens slowly stays open longer.
    idle: () => Math.max(MIN_IDLE, IDLE_FOR_OPENING * opening),
    first: () => (directory === undefined ? undefined : { kind: 'open', directory }),
  });
  return {
    async search(query) {
      requireUsable();
      return thread.request({ kind: 'search', query, budget });
    },
    async reverse(point, language) {
      requireUsable();
      return thread.request({ kind: 'reverse', point, language });
    },
    async open(opened) {
      try {
        const begun = performance.now();
        // A thread that starts later knows no territory by itself.
        const waits = opened !== undefined && !thread.isRunning && isSmall(opened);
        if (waits) PlacesFile.open(opened).close();
        else if (opened !== undefined || thread.isRunning) await thread.request({ kind: 'open', directory: opened });
        thread.defer(waits ? { kind: 'open', directory: opened } : undefined);
        opening = performance.now() - begun;
        directory = opened;
        unusable = false;
      } catch (error) {
        unusable = directory === undefined;
        throw error;
      }
    },
    close: () => thread.close(),
  };
}

/** Of a territory that cannot be read the thread says why. */
function isSmall(directory: string): boolean {
  const found = statSync(join(directory, TERRITORY_FILES.places), { throwIfNoEntry: false });
  return found !== undefined && found.size <= SMALL;
}

import { Refusal } from '../../shared/refusal.ts';
import { WorkerClient } from '../platform/worker-client.ts';
import { siblingUrl } from '../platform/worker-url.ts';
import type { Geocoder } from './types.ts';
import type { SearchQuery } from './search/search.ts';

/** A request to the geocoding worker. */
export type GeocodeRequest =
  | { kind: 'open'; directory: string | undefined }
  | { kind: 'search'; query: SearchQuery; budget: number }
  | { kind: 'reverse'; point: { lon: number; lat: number } };

/** ms of work after which a search answers with what it has found: typing waits for it. */
const BUDGET = 250;
/**
 * ms without any answer after which the worker is taken for hung. Opening a country's words from a slow disk
 * takes seconds.
 */
const HUNG = 20_000;
/** Questions that may wait; more would be answered too late to be of use. */
const QUEUE = 200;

/** ms without a question after which the worker may end; and how many for each ms that opening took. */
const LEAST_IDLE = 60_000;
const IDLE_FOR_OPENING = 200;

export interface GeocoderOptions {
  /** ms */
  budget?: number;
  /** ms */
  hung?: number;
  /** The worker's file; tests have one that dies on demand. */
  worker?: URL;
  /** Hears, for the log, of what goes wrong with the worker. */
  warn?: (message: string) => void;
}

/**
 * Until a territory is opened every question finds nothing; when it could not be, and there is none from
 * before, questions are refused.
 */
export function startGeocoder({
  budget = BUDGET,
  hung = HUNG,
  worker = siblingUrl(import.meta.url, './geocoder.worker'),
  warn,
}: GeocoderOptions = {}): Geocoder {
  let directory: string | undefined;
  /** Somebody who is told of no hit believes that there is no such street. */
  let unusable = false;
  const demandUsable = (): void => {
    if (unusable) throw new Refusal('no-territory', 'The places of the territory cannot be read: import it again.');
  };
  /** ms that opening the territory took. */
  let opening = 0;
  const thread = new WorkerClient<GeocodeRequest>({
    script: worker,
    name: 'The search',
    mostWaiting: QUEUE,
    hung,
    warn,
    // What takes long to open stays open longer.
    idle: () => Math.max(LEAST_IDLE, IDLE_FOR_OPENING * opening),
    first: () => (directory === undefined ? undefined : { kind: 'open', directory }),
  });
  return {
    async search(query) {
      demandUsable();
      return thread.request({ kind: 'search', query, budget });
    },
    async reverse(point) {
      demandUsable();
      return thread.request({ kind: 'reverse', point });
    },
    async open(opened) {
      try {
        const begun = performance.now();
        await thread.request({ kind: 'open', directory: opened });
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

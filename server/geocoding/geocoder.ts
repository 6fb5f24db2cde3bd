import { QuestionThread } from '../question-thread.ts';
import { siblingUrl } from '../worker-url.ts';
import type { Geocoder } from './door.ts';
import type { Question } from './search.ts';

/** What the worker is asked. */
export type Asked =
  | { kind: 'open'; directory: string | undefined }
  | { kind: 'search'; question: Question; budget: number }
  | { kind: 'reverse'; point: { lon: number; lat: number } };

/** ms of work after which a search answers with what it has found: typing waits for it. */
const BUDGET = 250;
/** ms without any answer after which the worker is taken for hung. Opening a country's words from a slow disk takes seconds. */
const HUNG = 20_000;
/** Questions that may wait; more would be answered too late to be of use. */
const QUEUE = 200;

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

/** Until a territory is opened every question finds nothing. */
export function startGeocoder({ budget = BUDGET, hung = HUNG, worker = siblingUrl(import.meta.url, './geocoder.worker'), warn }: GeocoderOptions = {}): Geocoder {
  let directory: string | undefined;
  const thread = new QuestionThread<Asked>({
    script: worker, name: 'The search', mostWaiting: QUEUE, hung, warn,
    first: () => directory === undefined ? undefined : { kind: 'open', directory },
  });
  return {
    search: (question) => thread.ask({ kind: 'search', question, budget }),
    reverse: (point) => thread.ask({ kind: 'reverse', point }),
    async open(opened) {
      await thread.ask({ kind: 'open', directory: opened });
      directory = opened;
    },
    close: () => thread.close(),
  };
}

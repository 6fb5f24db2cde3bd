import type { Delivery } from '../deliveries.ts';

/** ms that a receiver has for its answer. */
export const TIMEOUT = 15_000;

export type AttemptOutcome =
  | { readonly kind: 'taken'; readonly status: number }
  | { readonly kind: 'gone'; readonly status: number; readonly error: string }
  | {
      readonly kind: 'failed';
      /** 0: no answer came, or the protocol has no status. */
      readonly status: number;
      readonly error: string;
      /** ms after which the receiver wants the next attempt. */
      readonly waitAtLeast: number;
    };

export interface Attempt extends Pick<Delivery, 'publicId' | 'body' | 'type'> {
  readonly at: number;
  /** Ends the attempt, when the station stops. */
  readonly signal: AbortSignal;
}

/** Sends deliveries to one receiver, by the protocol of its address. */
export interface DeliverySender {
  /** Never rejects: a failure is an outcome. */
  send(attempt: Attempt): Promise<AttemptOutcome>;
  close(): Promise<void>;
}

export interface DeliverySenderOptions {
  readonly url: string;
  readonly secret: string;
  readonly userAgent: string;
  readonly timeout?: number | undefined;
}

export function failed(error: unknown): AttemptOutcome {
  return { kind: 'failed', status: 0, error: String((error as Error).message).slice(0, 300), waitAtLeast: 0 };
}

/** Resolves with the work, or rejects when its time is over or the station stops. */
export async function inTime<T>(work: Promise<T>, timeout: number, signal: AbortSignal): Promise<T> {
  const ending = AbortSignal.any([AbortSignal.timeout(timeout), signal]);
  const { promise, reject } = Promise.withResolvers<never>();
  const end = () => reject(new Error('The receiver did not answer in time.'));
  ending.addEventListener('abort', end, { once: true });
  if (ending.aborted) end();
  work.catch(() => undefined); // It may fail after the time is over.
  try {
    return await Promise.race([work, promise]);
  } finally {
    ending.removeEventListener('abort', end);
  }
}

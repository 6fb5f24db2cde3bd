import { answerFault, beginningOf, fetchFault, retryAfter } from '../platform/http-answer.ts';
import { signedHeaders, type Webhook } from './webhook.ts';
import type { Delivery } from './deliveries.ts';

/** ms that a receiver has for its answer. */
const TIMEOUT = 15_000;

export type AttemptOutcome =
  | { readonly kind: 'taken'; readonly status: number }
  | { readonly kind: 'gone'; readonly status: number; readonly error: string }
  | {
      readonly kind: 'failed';
      /** 0: no answer came. */
      readonly status: number;
      readonly error: string;
      /** ms after which the receiver wants the next attempt. */
      readonly waitAtLeast: number;
    };

interface AttemptOptions {
  readonly at: number;
  readonly userAgent: string;
  readonly timeout?: number | undefined;
  /** Ends the attempt, when the station stops. */
  readonly signal: AbortSignal;
}

/** Posts a delivery once. A redirect counts as a failure: the new address was not chosen by an administrator. */
export async function attemptDelivery(
  { url, secret }: Pick<Webhook, 'url' | 'secret'>,
  { publicId, body }: Pick<Delivery, 'publicId' | 'body'>,
  { at, userAgent, timeout = TIMEOUT, signal }: AttemptOptions,
): Promise<AttemptOutcome> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      redirect: 'manual',
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': userAgent,
        ...signedHeaders(secret, publicId, at, body),
      },
      signal: AbortSignal.any([AbortSignal.timeout(timeout), signal]),
    });
    const { status } = response;
    const answer = await beginningOf(response);
    if (response.ok) return { kind: 'taken', status };
    const error = answerFault(status, answer);
    if (status === 410) return { kind: 'gone', status, error };
    return { kind: 'failed', status, error, waitAtLeast: retryAfter(response) };
  } catch (error) {
    return {
      kind: 'failed',
      status: 0,
      error: fetchFault(error, 'The receiver did not answer in time.'),
      waitAtLeast: 0,
    };
  }
}

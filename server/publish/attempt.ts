import { signedHeaders, type Webhook } from './webhook.ts';
import type { Delivery } from './deliveries.ts';

/** ms that a receiver has for its answer. */
const TIMEOUT = 15_000;
/** Bytes of an answer that are read, and characters of it that are kept. */
const READ = 65_536;
const KEPT = 300;
/** Seconds that a receiver may ask us to wait. */
const LONGEST_WAIT = 3_600;

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
    const text = await beginningOf(response);
    if (response.ok) return { kind: 'taken', status };
    const error = text === '' ? `HTTP ${status}` : `HTTP ${status}: ${text}`;
    if (status === 410) return { kind: 'gone', status, error };
    return { kind: 'failed', status, error, waitAtLeast: waitOf(response) };
  } catch (error) {
    return { kind: 'failed', status: 0, error: reasonOf(error), waitAtLeast: 0 };
  }
}

/** Reads a short answer whole, so that its connection serves the next request. */
async function beginningOf({ body }: Response): Promise<string> {
  if (!body) return '';
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop cancels the rest.
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= READ) break;
  }
  return Buffer.concat(chunks).toString('utf8').replace(/\s+/g, ' ').trim().slice(0, KEPT);
}

/** The header `Retry-After` in ms, where it is a number of seconds. */
function waitOf({ headers }: Response): number {
  const seconds = Number(headers.get('retry-after'));
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, LONGEST_WAIT) * 1_000 : 0;
}

function reasonOf(error: unknown): string {
  const { name, message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  if (name === 'TimeoutError') return 'The receiver did not answer in time.';
  return String(cause?.message || cause?.code || message).slice(0, KEPT);
}

/** Bytes of an answer that are read, and characters of it that are kept. */
const READ = 65_536;
const KEPT = 300;
/** Seconds that another server may ask us to wait. */
const LONGEST_WAIT = 3_600;

/**
 * Reads a short answer completely, so that its connection serves the next request. The rest of a long one is
 * dropped.
 */
export async function beginningOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop cancels the rest.
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= READ) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** An answer that is no success, as one short line. */
export function answerFault(status: number, answer: string): string {
  const text = answer.replace(/\s+/g, ' ').trim().slice(0, KEPT);
  return text === '' ? `HTTP ${status}` : `HTTP ${status}: ${text}`;
}

/** The header `Retry-After` in ms, if it is a number of seconds. */
export function retryAfter({ headers }: Response): number {
  const seconds = Number(headers.get('retry-after'));
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, LONGEST_WAIT) * 1_000 : 0;
}

/** Why `fetch` had no answer. `timedOut` is the sentence for an answer that took too long. */
export function fetchFault(error: unknown, timedOut: string): string {
  const { name, message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  if (name === 'TimeoutError') return timedOut;
  return String(cause?.message || cause?.code || message).slice(0, KEPT);
}

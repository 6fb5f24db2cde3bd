import { CODE_HEADER, PARAMS_HEADER } from '../../../shared/refusals/headers.ts';
import type { Reason } from '../../../shared/refusals/reason.ts';
import type { Outcome } from './queue/action-queue.ts';

/** The station's answer to the telephone. `status` 0: it could not be reached. */
export interface StationAnswer<T = unknown> {
  readonly status: number;
  readonly value?: T;
  readonly sentence: string;
  readonly reason?: Reason | undefined;
}

/** ms to wait for an answer. The question for news of the state waits 25 s by itself. */
const PATIENCE = 40_000;

/** Asks the station. The cookie says whose telephone it is. Never rejects. */
export async function ask<T>(
  method: 'GET' | 'POST',
  path: string,
  body?: object | Blob,
  { signal, patience = PATIENCE }: { readonly signal?: AbortSignal; readonly patience?: number } = {},
): Promise<StationAnswer<T>> {
  const isFile = body instanceof Blob;
  try {
    const response = await fetch(path, {
      method,
      signal: AbortSignal.any([AbortSignal.timeout(patience), ...(signal ? [signal] : [])]),
      ...(body && {
        headers: { 'content-type': isFile ? 'application/octet-stream' : 'application/json' },
        body: isFile ? body : JSON.stringify(body),
      }),
    });
    const text = await response.text();
    if (!response.ok)
      return {
        status: response.status,
        sentence: text || response.statusText,
        reason: reasonOf(response.headers),
      };
    return { status: response.status, sentence: '', ...(text !== '' && { value: JSON.parse(text) as T }) };
  } catch {
    return { status: 0, sentence: '' };
  }
}

/** As `reasonOfHeaders`, without the sentences of all refusals, which a telephone loads for Russian alone. */
function reasonOf(headers: Headers): Reason | undefined {
  const code = headers.get(CODE_HEADER);
  if (code === null) return undefined;
  const params = JSON.parse(decodeURIComponent(headers.get(PARAMS_HEADER) ?? '{}')) as Reason['params'];
  return { code, params } as Reason;
}

/** Statuses after which the same may succeed: signed out, too many, a full or failing station. */
const LATER = [0, 401, 408, 429, 500, 502, 503, 504, 507];
/** Refusals of 409 by which a station says: not now. */
const NOT_NOW = ['platform.', 'sync.'];

/** The meaning of an answer for a waiting action. */
export function outcomeOf({ status, sentence, reason }: StationAnswer): Outcome {
  if (status >= 200 && status < 300) return 'done';
  if (LATER.includes(status) || NOT_NOW.some((code) => reason?.code.startsWith(code))) return 'later';
  return { sentence, reason };
}

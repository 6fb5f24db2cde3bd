import type { StationAnswer } from '../lib/api/request-station.ts';
import type { Outcome } from './queue/action-queue.ts';

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

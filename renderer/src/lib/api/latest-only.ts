import { ApiError } from './client.ts';

/** ms until a request is repeated after no answer, or after 503. */
const AGAIN_MS = 3_000;
/** Would the same question be answered a little later? The line was cut, or the router is being replaced. */
export const passes = (error: ApiError): boolean => error.status === 0 || error.status === 503;

/**
 * Sends one request at a time and the newest next, so that dragging is answered continuously and never out of
 * order. A request that was overtaken is not sent. One that failed to reach the station, or found its router
 * busy, is repeated after 3 s, until a newer one comes. Undefined: nothing is wanted, and the pending answer
 * is dropped.
 */
export function latestOnly<Question, Answer>(
  ask: (question: Question) => Promise<Answer>,
  take: (answer: Answer, question: Question) => void,
  fail: (error: ApiError, question: Question) => void,
): (question: Question | undefined) => void {
  let next: Question | undefined;
  let working = false;
  let wanted = 0;
  let again: ReturnType<typeof setTimeout> | undefined;

  async function work(): Promise<void> {
    working = true;
    try {
      while (next !== undefined) {
        const question = next;
        const number = wanted;
        next = undefined;
        try {
          const answer = await ask(question);
          if (number >= wanted || next !== undefined) take(answer, question);
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
          if (number < wanted) continue;
          fail(error, question);
          if (passes(error)) again = setTimeout(put, AGAIN_MS, question);
        }
      }
    } finally {
      working = false;
    }
  }

  function put(question: Question | undefined): void {
    clearTimeout(again);
    next = question;
    wanted++;
    if (question !== undefined && !working) void work();
  }
  return put;
}

import { parentPort } from 'node:worker_threads';
import { Refusal } from '../../shared/refusal.ts';
import { giveBackWhenIdle } from './idle-collection.ts';
import type { Answered, Asked, Warned } from './worker-client.ts';

/**
 * The side of a `QuestionThread` that answers: its script calls this once, with what answers a question, at
 * once or with a promise. What it throws is the answer to that question, and ends nothing.
 * @param afterwards is done after each answer, when nobody waits for it
 */
export function answerQuestions<Question>(answer: (question: Question) => unknown, afterwards?: () => void): void {
  parentPort!.on('message', async ({ id, question }: Asked<Question>) => {
    parentPort!.postMessage(await settle(id, () => answer(question)));
    afterwards?.();
  });
  giveBackWhenIdle();
}

/**
 * Says something for the log of the station, from the same script: nobody asked for it, and somebody may have
 * to know.
 */
export function warn(message: string): void {
  parentPort!.postMessage({ warning: message } satisfies Warned);
}

async function settle(id: number, answer: () => unknown): Promise<Answered> {
  try {
    return { id, answer: await answer() };
  } catch (error) {
    return {
      id,
      error: error instanceof Error ? error.message : String(error),
      refused: error instanceof Refusal ? error.code : undefined,
    };
  }
}

import { parentPort } from 'node:worker_threads';
import { Refusal } from '../../shared/refusal.ts';
import { collectWhenIdle } from './idle-collection.ts';
import type { WorkerResponse, WorkerRequest, WorkerWarning } from './worker-client.ts';

/**
 * The side of a `WorkerClient` that answers: its script calls this once, with what answers a question, at
 * once or with a promise. What it throws is the answer to that question, and ends nothing.
 * @param afterwards is done after each answer, when nobody waits for it
 */
export function answerRequests<Question>(answer: (question: Question) => unknown, afterwards?: () => void): void {
  parentPort!.on('message', async ({ id, question }: WorkerRequest<Question>) => {
    parentPort!.postMessage(await settle(id, () => answer(question)));
    afterwards?.();
  });
  collectWhenIdle();
}

/**
 * Says something for the log of the station, from the same script: nobody asked for it, and somebody may have
 * to know.
 */
export function warn(message: string): void {
  parentPort!.postMessage({ warning: message } satisfies WorkerWarning);
}

async function settle(id: number, answer: () => unknown): Promise<WorkerResponse> {
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

import { parentPort } from 'node:worker_threads';
import { Refusal } from '../../../shared/refusal.ts';
import { collectWhenIdle } from '../idle-collection.ts';
import type { WorkerResponse, WorkerRequest, WorkerWarning } from './worker-client.ts';

/**
 * The thread's side of a `WorkerClient`; its script calls this once. An error that `answer` throws goes to the
 * caller of that request and does not end the thread.
 * @param afterwards called after each response, when the caller no longer waits
 */
export function answerRequests<Request>(answer: (request: Request) => unknown, afterwards?: () => void): void {
  parentPort!.on('message', async ({ id, request }: WorkerRequest<Request>) => {
    parentPort!.postMessage(await settle(id, () => answer(request)));
    afterwards?.();
  });
  collectWhenIdle();
}

/** Sends a warning to the log of the station, from the same script. */
export function warn(message: string): void {
  parentPort!.postMessage({ warning: message } satisfies WorkerWarning);
}

async function settle(id: number, answer: () => unknown): Promise<WorkerResponse> {
  try {
    return { id, answer: await answer() };
  } catch (error) {
    return error instanceof Refusal
      ? { id, refused: { code: error.code, params: error.params } }
      : { id, error: error instanceof Error ? error.message : String(error) };
  }
}

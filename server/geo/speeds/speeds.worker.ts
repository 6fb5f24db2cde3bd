/** Learning worker: has its own database connections, so the event loop never waits for it. */
import { setPriority } from 'node:os';
import { platform } from 'node:process';
import { setImmediate } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';
import { ZonedTime } from '../../../shared/zoned-time.ts';
import { answerRequests } from '../../platform/threads/answer-requests.ts';
import { Learner } from './learner.ts';

/** Requests by the learner's method; long ones run in steps, others in between. */
export type SpeedsRequest = { [M in SpeedsMethod]: { method: M; args: Parameters<Learner[M]> } }[SpeedsMethod];
type SpeedsMethod = 'open' | 'learn' | 'tidy' | 'forgetAll' | 'speeds' | 'facts' | 'coverage' | 'roads' | 'effect';

export interface SpeedsResponse {
  readonly value: unknown;
  readonly revision: number;
  /** ms that opening the roads took. */
  readonly opening: number;
}

const { tracks, book, zone } = workerData as { tracks: string; book: string; zone: string };
const learner = new Learner({ tracks, book, zone: new ZonedTime(zone) });
// Queries come first where cores are few. The priority is per thread on Linux only; elsewhere it would be the
// process's.
if (platform === 'linux') setPriority(10);

/** Long requests run one after the other. Opening other roads or deleting everything cancels them. */
let long: Promise<unknown> = Promise.resolve();
let age = 0;
let opening = 0;

answerRequests(async (request: SpeedsRequest): Promise<SpeedsResponse> => {
  const value = request.method === 'learn' || request.method === 'tidy' ? await runInSteps(request) : runNow(request);
  return { value, revision: learner.revision, opening };
});

function runInSteps(request: Extract<SpeedsRequest, { method: 'learn' | 'tidy' }>): Promise<void> {
  const done = long.then(async () => {
    const began = age;
    const steps = request.method === 'learn' ? learner.learn(...request.args) : learner.tidy(...request.args);
    while (age === began && !steps.next().done) await setImmediate();
  });
  long = done.catch(() => {});
  return done;
}

function runNow(request: Exclude<SpeedsRequest, { method: 'learn' | 'tidy' }>): unknown {
  switch (request.method) {
    case 'open': {
      age++;
      const begun = performance.now();
      learner.open(...request.args);
      opening = performance.now() - begun;
      return undefined;
    }
    case 'forgetAll':
      age++;
      return learner.forgetAll();
    case 'speeds':
      return learner.speeds(...request.args);
    case 'facts':
      return learner.facts();
    case 'coverage':
      return learner.coverage();
    case 'roads':
      return learner.roads(...request.args);
    case 'effect':
      return learner.effect(...request.args);
  }
}

import { answerRequests } from '../../../../server/platform/threads/answer-requests.ts';
import type { SpeedsResponse, SpeedsRequest } from '../../../../server/geo/speeds/speeds.worker.ts';

/** Tells, when it is asked for facts, which roads were opened; dies of being asked to forget. */
const opened: unknown[] = [];
answerRequests((question: SpeedsRequest): SpeedsResponse => {
  if (question.method === 'forgetAll') process.exit(1);
  if (question.method === 'open') opened.push(...question.args);
  return { value: opened, revision: 7, opening: opened.at(-1) === '/roads/country' ? 3000 : 1 };
});

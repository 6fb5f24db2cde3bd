import { answerFault, beginningOf, fetchFault, retryAfter } from '../../../platform/web/http-answer.ts';
import { fetchWeb } from '../../../platform/web/fetch-web.ts';
import { signedHeaders } from '../webhook.ts';
import {
  TIMEOUT,
  type Attempt,
  type AttemptOutcome,
  type DeliverySender,
  type DeliverySenderOptions,
} from './sender.ts';

/** Posts deliveries. */
export function httpSender(options: DeliverySenderOptions): DeliverySender {
  return {
    send: (attempt) => post(options, attempt),
    close: () => Promise.resolve(),
  };
}

/** Posts a delivery once. A redirect counts as a failure: the new address was not chosen by an administrator. */
async function post(
  { url, secret, userAgent, timeout = TIMEOUT }: DeliverySenderOptions,
  { publicId, body, at, signal }: Attempt,
): Promise<AttemptOutcome> {
  try {
    const response = await fetchWeb(url, {
      reach: 'anywhere',
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
    const answer = await beginningOf(response);
    if (response.ok) return { kind: 'taken', status };
    const error = answerFault(status, answer);
    if (status === 410) return { kind: 'gone', status, error };
    return { kind: 'failed', status, error, waitAtLeast: retryAfter(response) };
  } catch (error) {
    return {
      kind: 'failed',
      status: 0,
      error: fetchFault(error, 'The receiver did not answer in time.'),
      waitAtLeast: 0,
    };
  }
}

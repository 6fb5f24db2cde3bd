import { Refusal } from '../../../../../shared/refusal.ts';
import { reason, sentenceOf, type Reason } from '../../../../../shared/refusals/reason.ts';
import type { LinkConnection } from './connection.ts';
import { whyRefused } from './hello.ts';
import { Hello } from './wire.ts';

/** ms for the handshake after the WebSocket is open. */
const HELLO_TIMEOUT = 10_000;

/** One of the two stations refuses the other after the handshake. */
export class HelloRefused extends Error {
  readonly reason: Reason;

  constructor(reason: Reason) {
    super(sentenceOf(reason));
    this.reason = { code: reason.code, params: reason.params };
  }
}

/**
 * Sends `mine`, and resolves with the hello of the other station. Rejects with HelloRefused if one of the two
 * refuses the other.
 */
export async function exchangeHellos(connection: LinkConnection, mine: Hello, now: () => number): Promise<Hello> {
  const theirs = new Promise<Hello>((resolve, reject) => {
    connection.handle('hello', (body) => {
      const { data, error } = Hello.safeParse(body);
      const refusal = error ? reason('sync.unlinkable') : whyRefused({ ...mine, clock: now() }, data);
      if (refusal !== undefined) {
        reject(new HelloRefused(refusal));
        throw new Refusal('sync.helloRefused', { fault: refusal });
      }
      resolve(data!);
      return { body: {} };
    });
    void connection.closed.then(() => reject(new Error(connection.closeReason || sentenceOf(reason('sync.itClosed')))));
  });
  theirs.catch(() => undefined);
  const refused = theirs.then(
    () => new Promise<never>(() => undefined),
    (error: unknown) => Promise.reject(error as Error),
  );
  const asked = connection.request('hello', mine, { urgent: true, timeout: HELLO_TIMEOUT }).catch((error: unknown) => {
    throw error instanceof Refusal && !connection.isClosed ? new HelloRefused(error) : error;
  });
  await Promise.race([asked, refused]);
  return theirs;
}

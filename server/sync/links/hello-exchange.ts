import { Refusal } from '../../../shared/refusal.ts';
import type { LinkConnection } from './connection.ts';
import { whyRefused } from './hello.ts';
import { Hello } from './wire.ts';

/** ms for the handshake after the WebSocket is open. */
const HELLO_TIMEOUT = 10_000;

/** One of the two stations refuses the other after the handshake. */
export class HelloRefused extends Error {}

/**
 * Tells `mine`, and resolves with what the other station tells. Rejects with HelloRefused when one of the two
 * refuses the other.
 */
export async function exchangeHellos(connection: LinkConnection, mine: Hello, now: () => number): Promise<Hello> {
  const theirs = new Promise<Hello>((resolve, reject) => {
    connection.handle('hello', (body) => {
      const { data, error } = Hello.safeParse(body);
      const refusal = error
        ? 'The two stations have versions of Waypost that cannot be linked. Update the older one.'
        : whyRefused({ ...mine, clock: now() }, data);
      if (refusal !== undefined) {
        reject(new HelloRefused(refusal));
        throw new Refusal('conflict', refusal);
      }
      resolve(data!);
      return { body: {} };
    });
    void connection.closed.then(() => reject(new Error(connection.closeReason || 'It closed the connection.')));
  });
  theirs.catch(() => undefined);
  const refused = theirs.then(
    () => new Promise<never>(() => undefined),
    (error: unknown) => Promise.reject(error as Error),
  );
  const asked = connection.request('hello', mine, { urgent: true, timeout: HELLO_TIMEOUT }).catch((error: unknown) => {
    throw error instanceof Refusal && !connection.isClosed ? new HelloRefused(error.message) : error;
  });
  await Promise.race([asked, refused]);
  return theirs;
}

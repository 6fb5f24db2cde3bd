import type { IncomingMessage } from 'node:http';
import type { Tokens } from '../../access/accounts/index.ts';
import { tokenOf } from './authenticate.ts';

/** Sessions that began elsewhere in the region. */
export interface LearnedSessions {
  /** Asks the region for the session of a token; resolves when it is known, or none. */
  learn(token: string): Promise<void>;
}

/** Longer texts cannot be our tokens. */
const LONGEST_TOKEN = 200;

/**
 * Before a request with an unknown token, asks the region for its session: a balancer may send the first request after
 * a sign-in here before the session has come.
 */
export function withSessionsOf(sessions: LearnedSessions | undefined, tokens: Pick<Tokens, 'knows'>) {
  return <Rest extends unknown[]>(handle: (request: IncomingMessage, ...rest: Rest) => void) =>
    (request: IncomingMessage, ...rest: Rest): void => {
      const token = sessions && tokenOf(request)?.token;
      if (!token || token.length > LONGEST_TOKEN || tokens.knows(token)) return handle(request, ...rest);
      void sessions.learn(token).then(() => handle(request, ...rest));
    };
}

import type { Request, Response } from 'express';
import { hashOf, LONGEST_SESSION } from '../../access/accounts/index.ts';
import type { SignInFrom } from '../../access/accounts/index.ts';
import { clientAddress } from '../app/client.ts';
import { readCookie, SESSION_COOKIE, writeCookie } from '../app/cookies.ts';

/** Where a request to sign in comes from. The session that the browser has already will end. */
export function fromOf(request: Request): SignInFrom {
  const former = readCookie(request, SESSION_COOKIE);
  return {
    address: clientAddress(request),
    device: request.headers['user-agent'] ?? '',
    replaces: former === undefined ? undefined : hashOf(former),
  };
}

/** Signs the browser in with a token; undefined signs it out. */
export function setCookie(request: Request, response: Response, token: string | undefined): void {
  writeCookie(request, response, SESSION_COOKIE, token, LONGEST_SESSION / 1000);
}

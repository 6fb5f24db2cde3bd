import type { Request, Response } from 'express';
import { LONGEST_SESSION } from '../../accounts/index.ts';
import type { SignInFrom } from '../../accounts/index.ts';
import { COOKIE } from '../app/authenticate.ts';
import { clientAddress, usesTls } from '../app/client.ts';

/** Where a request to sign in comes from. */
export function fromOf(request: Request): SignInFrom {
  return { address: clientAddress(request), device: request.headers['user-agent'] ?? '' };
}

/** HttpOnly: no script sees the token. Strict: links and forms of other sites do not send it. */
export function setCookie(request: Request, response: Response, token: string | undefined): void {
  const secure = usesTls(request) ? '; Secure' : '';
  const age = token === undefined ? 0 : LONGEST_SESSION / 1000; // seconds
  response.append('Set-Cookie', `${COOKIE}=${token ?? ''}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${age}${secure}`);
}

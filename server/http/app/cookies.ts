import type { Response } from 'express';
import { usesTls, type RequestWithSocket } from './client.ts';

interface Cookie {
  /** Its name over plain HTTP, which only this machine may use. */
  readonly name: string;
  readonly path: string;
  readonly sameSite: 'Strict' | 'Lax';
}

/** Of a person who is signed in. Strict: links and forms of other sites do not send it. */
export const SESSION_COOKIE: Cookie = { name: 'waypost_token', path: '/', sameSite: 'Strict' };
/** Of a crew's telephone. */
export const CREW_COOKIE: Cookie = { name: 'waypost_crew', path: '/crew', sameSite: 'Strict' };
/**
 * Binds a sign-in at the provider to the browser that began it. Lax: the provider's page leads back here, and Strict
 * would withhold it.
 */
export const BEGUN_COOKIE: Cookie = { name: 'waypost_sign_in', path: '/auth/oidc', sameSite: 'Lax' };

/**
 * The name over TLS. A browser takes a cookie with such a prefix over TLS alone, and with `__Host-` from this name
 * alone: nothing else that it visits can plant one.
 */
export function nameOverTls({ name, path }: Cookie): string {
  return `${path === '/' ? '__Host-' : '__Secure-'}${name}`;
}

/** Sets the cookie; undefined removes it. HttpOnly: no script reads it. */
export function writeCookie(
  request: RequestWithSocket,
  response: Response,
  cookie: Cookie,
  value: string | undefined,
  seconds: number,
): void {
  const { path, sameSite } = cookie;
  const isSecure = usesTls(request);
  const age = value === undefined ? 0 : Math.floor(seconds);
  const rest = `Path=${path}; HttpOnly; SameSite=${sameSite}; Max-Age=${age}${isSecure ? '; Secure' : ''}`;
  response.append('Set-Cookie', `${isSecure ? nameOverTls(cookie) : cookie.name}=${value ?? ''}; ${rest}`);
}

/** The cookie's value. Over TLS only the name with the prefix counts. */
export function readCookie(request: RequestWithSocket, cookie: Cookie): string | undefined {
  const header = request.headers.cookie ?? '';
  return valueOf(header, nameOverTls(cookie)) ?? (usesTls(request) ? undefined : valueOf(header, cookie.name));
}

function valueOf(header: string, name: string): string | undefined {
  for (const part of header.split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return undefined;
}

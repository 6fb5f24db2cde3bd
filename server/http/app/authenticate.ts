import type { Request } from 'express';
import { requireAdmin, requireSuperuser } from '../../access/accounts/index.ts';
import type { Caller } from '../../access/accounts/index.ts';
import type { CrewCaller } from '../../dispatch/crews/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import { hostOf, type RequestWithSocket } from './client.ts';
import { CREW_COOKIE, readCookie, SESSION_COOKIE } from './cookies.ts';
import type { Access, DeclaredRoute, Family } from './route.ts';

/** Looks up a token; undefined when it is not valid. */
export type Authenticate = (token: string) => Caller | undefined;

/** The head of a request or of a WebSocket upgrade. */
export interface RequestHead {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: Request['headers'];
}

/**
 * The token of a request: query parameter `token`, `Authorization: Bearer`, or the console's cookie, in this
 * order.
 */
export function tokenOf(
  request: RequestWithSocket,
): { token: string; from: 'query' | 'header' | 'cookie' } | undefined {
  const url = request.url ?? '';
  const mark = url.indexOf('?');
  if (mark >= 0 && url.includes('token=', mark)) {
    const token = new URLSearchParams(url.slice(mark + 1)).get('token');
    if (token !== null) return { token, from: 'query' };
  }
  const bearer = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
  if (bearer !== undefined) return { token: bearer, from: 'header' };
  const cookie = readCookie(request, SESSION_COOKIE);
  return cookie === undefined ? undefined : { token: cookie, from: 'cookie' };
}

/** Throws when the token stands in the address, which proxies log. */
export function refuseQueryToken(request: RequestWithSocket): void {
  if (tokenOf(request)?.from === 'query') throw new Refusal('request.tokenInQuery');
}

/**
 * The caller, when the token is valid. A cookie counts for writing only when the request comes from our own
 * pages.
 */
export function callerOf(request: RequestWithSocket, authenticate: Authenticate): Caller | undefined {
  const credentials = tokenOf(request);
  if (!credentials) return undefined;
  // A link from another site may read: SameSite=Strict withholds the cookie anyway. Writing is checked here
  // too.
  if (credentials.from === 'cookie' && request.method !== 'GET' && request.method !== 'HEAD' && !isSameOrigin(request))
    return undefined;
  return authenticate(credentials.token);
}

/** The crew of a request, by its cookie. It counts for writing only when the request comes from our own pages. */
export function crewOf(
  request: RequestWithSocket,
  authenticate: (token: string) => CrewCaller | undefined,
): CrewCaller | undefined {
  const token = readCookie(request, CREW_COOKIE);
  if (token === undefined) return undefined;
  if (request.method !== 'GET' && request.method !== 'HEAD' && !isSameOrigin(request)) return undefined;
  return authenticate(token);
}

/** Whether a page of this station sent the request, or a program that is not a browser. */
export function isSameOrigin(request: RequestWithSocket): boolean {
  const { headers } = request;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  const { origin } = headers;
  if (origin === undefined) return true;
  return URL.canParse(origin) && new URL(origin).host === hostOf(request);
}

/** Throws `unauthorized` or `forbidden` when the caller may not use the route. */
export function requireAccess(
  route: Pick<DeclaredRoute, 'access' | 'method'> &
    Partial<Pick<DeclaredRoute, 'family' | 'beforeNewPassword' | 'beforeSecondFactor'>>,
  caller: Caller | undefined,
  crew?: CrewCaller,
): void {
  const { access } = route;
  if (access === 'open') return;
  if (access === 'crew') {
    if (!crew) throw new Refusal('crews.signInRequired');
    return;
  }
  if (!caller) throw new Refusal('accounts.signInRequired');
  if (
    caller.user.signIn?.mustChange &&
    caller.token.kind === 'session' &&
    caller.token.id !== 0 &&
    !route.beforeNewPassword
  )
    throw new Refusal('accounts.passwordMustChange');
  if (caller.token.needsFactor && !route.beforeNewPassword && !route.beforeSecondFactor)
    throw new Refusal('accounts.factorMissing');
  if (!scopeAllows(access, route, caller)) throw new Refusal('accounts.keyNotMeant');
  if (access === 'admin') requireAdmin(caller);
  if (access === 'superuser' || (typeof access === 'object' && access.others === 'superuser')) requireSuperuser(caller);
  if (typeof access === 'object' && caller.token.scopes === null && access.others === 'admin') requireAdmin(caller);
}

function scopeAllows(
  access: Access,
  { method, family }: { readonly method: string; readonly family?: Family | undefined },
  { token }: Caller,
): boolean {
  if (token.scopes === null) return true;
  if (family === 'A' && token.scopes.includes('tasks')) return true;
  if (typeof access === 'object' && token.scopes.includes(access.scope)) return true;
  return method === 'GET' && token.scopes.includes('read') && (typeof access !== 'object' || access.scope !== 'sync');
}

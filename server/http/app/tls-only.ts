import type { Request, RequestHandler } from 'express';
import { Refusal } from '../../../shared/refusal.ts';
import { tokenOf, type RequestHead } from './authenticate.ts';
import { exposureOf, hostOf, type RequestWithSocket } from './client.ts';
import type { DeclaredRoute } from './route.ts';

/** The port on which this station serves TLS, or undefined, since it listens on its own machine alone. */
export type TlsPort = () => number | undefined;

/** Methods whose requests have no body, which could hold a password. */
const WITHOUT_BODY: readonly (string | undefined)[] = ['GET', 'HEAD', 'OPTIONS'];

/**
 * The refusal of a request that carries a password, cookie or token where others can read it: over plain HTTP from
 * another machine. README rule 15.
 */
export function refusalOfExposed(
  request: RequestHead & RequestWithSocket,
  tlsPort: TlsPort,
  access?: DeclaredRoute['access'],
): Refusal | undefined {
  const exposure = exposureOf(request);
  if (!exposure) return undefined;
  if (WITHOUT_BODY.includes(request.method) && tokenOf(request) === undefined && access === 'open') return undefined;
  if (exposure.proxy !== undefined && exposure.scheme === 'unknown')
    return new Refusal('request.proxyScheme', { proxy: exposure.proxy });
  const address = secureAddress(request, tlsPort);
  return address === undefined
    ? new Refusal('request.tlsOnly')
    : new Refusal('request.tlsOnlyAt', { address: new URL(address).origin });
}

/** Sends browsers of other machines from plain HTTP to the same page over TLS. */
export function redirectPages(tlsPort: TlsPort): RequestHandler {
  return (request: Request, response, next) => {
    const exposure = exposureOf(request);
    if (!exposure || (request.method !== 'GET' && request.method !== 'HEAD')) return next();
    // A proxy that does not say how it was asked may have been asked over TLS: the redirect would have no end.
    if (exposure.scheme === 'unknown') throw new Refusal('request.proxyScheme', { proxy: exposure.proxy! });
    const address = secureAddress(request, tlsPort);
    if (address === undefined) throw new Refusal('request.tlsOnly');
    response.set('Cache-Control', 'no-store').redirect(307, address);
  };
}

/** The same address over TLS: at the proxy's usual port, or at ours. */
function secureAddress(request: RequestHead & RequestWithSocket, tlsPort: TlsPort): string | undefined {
  const name = /^([\w.-]+|\[[\da-f:.]+\])(:\d+)?$/i.exec(hostOf(request))?.[1];
  const port = exposureOf(request)?.proxy === undefined ? tlsPort() : 443;
  if (name === undefined || port === undefined) return undefined;
  const url = request.url ?? '/';
  return `https://${name}${port === 443 ? '' : `:${port}`}${url.startsWith('/') ? url : '/'}`;
}

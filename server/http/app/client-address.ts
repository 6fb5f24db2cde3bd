import type { RequestHead } from './authenticate.ts';

interface RequestWithSocket extends RequestHead {
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/**
 * The address that a request comes from; IPv4 in IPv6 clothing is IPv4. No forwarding headers are believed:
 * anybody can write them.
 */
export function addressOf(request: RequestWithSocket): string {
  return (request.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
}

/**
 * Headers by which a proxy tells for whom it asks. Any of them, even an empty one, means that another machine
 * may be asking.
 */
const FORWARDING_HEADER =
  /^(x-(original-)?forwarded(-.*)?|forwarded|via|x-(real|client|cluster-client)-ip|true-client-ip|cf-connecting-ip)$/;

/**
 * Does the request come from this machine, without a proxy, and mean this machine? `Host` counts too: a page
 * of another site can point its own name to 127.0.0.1. A forwarding header is never believed, but it always
 * ends the trust.
 */
export function isLoopback(request: RequestWithSocket): boolean {
  const address = addressOf(request);
  if (!(address === '::1' || address.startsWith('127.'))) return false;
  if (Object.keys(request.headers).some((name) => FORWARDING_HEADER.test(name))) return false;
  const host = (request.headers.host ?? '').replace(/:\d+$/, '').toLowerCase();
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

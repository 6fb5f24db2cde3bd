import type { Presenting } from './authenticate.ts';

interface Connected extends Presenting {
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/** The address that a request comes from; IPv4 in IPv6 clothing is IPv4. No forwarding headers are believed: anybody can write them. */
export function addressOf(request: Connected): string {
  return (request.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
}

/**
 * Does the request come from this machine, and mean this machine? The name in `Host` is looked at too, since a page of another site can have
 * its own name lead to 127.0.0.1.
 */
export function isLoopback(request: Connected): boolean {
  const address = addressOf(request);
  if (!(address === '::1' || address.startsWith('127.'))) return false;
  const host = (request.headers.host ?? '').replace(/:\d+$/, '').toLowerCase();
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

import type { RequestHead } from './authenticate.ts';

interface RequestWithSocket extends RequestHead {
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/**
 * The client's IP address; IPv4-mapped IPv6 becomes IPv4. Forwarding headers are ignored: anybody can write
 * them.
 */
export function addressOf(request: RequestWithSocket): string {
  return (request.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
}

/**
 * Headers that proxies add. Any of them, even empty, means that the request may come from another machine.
 */
const FORWARDING_HEADER =
  /^(x-(original-)?forwarded(-.*)?|forwarded|via|x-(real|client|cluster-client)-ip|true-client-ip|cf-connecting-ip)$/;

/**
 * Whether the request comes from this machine, without a proxy, and names this machine in `Host`. Another
 * site can point its own name to 127.0.0.1, so `Host` counts. Any forwarding header makes the answer false.
 */
export function isLoopback(request: RequestWithSocket): boolean {
  const address = addressOf(request);
  if (!(address === '::1' || address.startsWith('127.'))) return false;
  if (Object.keys(request.headers).some((name) => FORWARDING_HEADER.test(name))) return false;
  const host = (request.headers.host ?? '').replace(/:\d+$/, '').toLowerCase();
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

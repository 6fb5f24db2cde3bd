import { hostname, networkInterfaces } from 'node:os';

const DEFAULT_TLS_PORT = 8443;

/** The TLS port. A station that listens beyond its own machine always serves TLS too. */
export function tlsPortOf({
  host,
  port,
  tlsPort,
}: {
  host: string;
  port: number;
  tlsPort: number | null;
}): number | null {
  if (tlsPort !== null) return tlsPort;
  if (isLoopbackHost(host)) return null;
  return port === 0 ? 0 : DEFAULT_TLS_PORT;
}

/** The names and addresses of this machine, for its certificate. */
export function hostNames(host: string): string[] {
  const addresses = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .map((each) => each.address.replace(/%.*$/, ''));
  const named = isWildcard(host) ? [] : [host];
  const ownName = /^[\w.-]+$/.test(hostname()) ? [hostname()] : [];
  return [...new Set(['localhost', ...ownName, ...named, '127.0.0.1', '::1', ...addresses])];
}

/** Whether only this machine can reach the address. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}

function isWildcard(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

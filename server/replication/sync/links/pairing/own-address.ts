import { isLoopbackAddress } from '../../../../platform/networks.ts';

/** Where this station listens. */
export interface Listening {
  /** Host of the settings, which may be a wildcard. */
  readonly host: string;
  /** Address without TLS. */
  readonly plain: string;
  readonly secure: { readonly port: number; readonly fingerprint: string } | undefined;
  /** Whether stations on the local network may find this one. */
  readonly discovers: boolean;
}

/**
 * The address under which the other end of a connection reaches this station, or null. `localAddress` is this
 * end of the connection.
 */
export function ownAddress(
  { host, plain, secure }: Listening,
  localAddress: string | undefined,
  isLoopback: boolean,
): string | null {
  const isWildcard = host === '0.0.0.0' || host === '::';
  const name = isWildcard ? (localAddress ?? '').replace(/^::ffff:/, '') : host;
  if (isLoopbackAddress(name) || name === 'localhost') {
    if (!isLoopback) return null;
    return secure ? `https://${bracketed(name)}:${secure.port}` : plain;
  }
  return secure && name !== '' ? `https://${bracketed(name)}:${secure.port}` : null;
}

function bracketed(name: string): string {
  return name.includes(':') ? `[${name}]` : name;
}

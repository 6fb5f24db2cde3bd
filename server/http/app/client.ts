import type { IncomingMessage } from 'node:http';
import { isIP, type BlockList } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { contains, isLoopbackAddress } from '../../platform/networks.ts';
import type { RequestHead } from './authenticate.ts';

/** Sender of a request, as far as this station can trust it. */
export interface HttpClient {
  /** IP address; IPv4-mapped IPv6 is IPv4. Lock-outs and limits count by it. */
  readonly address: string;
  /** How the client talked to us or to the trusted proxy. `unknown`: the trusted proxy does not say. */
  readonly scheme: 'http' | 'https' | 'unknown';
  /** `Host` as the client sent it. */
  readonly host: string;
  /** The trusted proxy that passed the request on. */
  readonly proxy: string | undefined;
  /** For the log; the trusted proxy's, or one of ours. */
  readonly requestId: string;
}

const CLIENT = Symbol('client');

/** The parts of an `IncomingMessage` that these rules need. */
export interface RequestWithSocket extends RequestHead {
  readonly httpVersion?: string;
  readonly socket: Partial<Pick<TLSSocket, 'remoteAddress' | 'remotePort' | 'localPort' | 'encrypted'>>;
  [CLIENT]?: HttpClient;
}

/**
 * Records on each request who its client is. `X-Forwarded-*` and `Forwarded` count only from trusted proxies:
 * anybody can write them. `onUnknownProxy` gets the address of a proxy on this machine that is not
 * configured.
 */
export function clientFinder(
  trusted: BlockList,
  onUnknownProxy?: (address: string) => void,
): (request: IncomingMessage) => HttpClient {
  return (request: IncomingMessage & RequestWithSocket) => {
    const peer = plainAddress(request.socket.remoteAddress);
    const isTrusted = contains(trusted, peer);
    if (!isTrusted && isLoopbackAddress(peer) && isForwarded(request)) onUnknownProxy?.(peer);
    return (request[CLIENT] = isTrusted ? behindProxy(request, peer, trusted) : direct(request));
  };
}

function clientOf(request: RequestWithSocket): HttpClient {
  return request[CLIENT] ?? direct(request);
}

function direct({ socket, headers }: RequestWithSocket): HttpClient {
  return {
    address: plainAddress(socket.remoteAddress),
    scheme: socket.encrypted ? 'https' : 'http',
    host: headers.host ?? '',
    proxy: undefined,
    requestId: newRequestId(),
  };
}

/** The client's IP address, such as `203.0.113.7`. */
export function clientAddress(request: RequestWithSocket): string {
  return clientOf(request).address;
}

/** The id of the request in the log and in `X-Request-Id`. */
export function requestIdOf(request: RequestWithSocket): string {
  return clientOf(request).requestId;
}

/** 40 random bits: enough to find a request in the log. */
function newRequestId(): string {
  return Math.floor(Math.random() * 2 ** 40).toString(36);
}

/** `Host` as the client sent it to us or to the trusted proxy. */
export function hostOf(request: RequestWithSocket): string {
  return clientOf(request).host;
}

/** Whether the client uses TLS: then its cookies may be limited to TLS. */
export function usesTls(request: RequestWithSocket): boolean {
  return clientOf(request).scheme === 'https';
}

/** Whether the client is on this machine, or behind a proxy here that nobody has named: limits do not hold for it. */
export function isOfThisMachine(request: RequestWithSocket): boolean {
  return isLoopbackAddress(clientOf(request).address);
}

/** Why others on the way can read the request; undefined: they cannot. */
export function exposureOf(
  request: RequestWithSocket,
): { proxy: string | undefined; scheme: HttpClient['scheme'] } | undefined {
  const { address, scheme, proxy } = clientOf(request);
  if (scheme === 'https' || isLoopbackAddress(address)) return undefined;
  return { proxy, scheme };
}

/** Headers that proxies add. Any of them, even empty, means that the request may come from another machine. */
const FORWARDING_HEADER =
  /^(x-(original-)?forwarded(-.*)?|forwarded|via|x-(real|client|cluster-client)-ip|true-client-ip|cf-connecting-ip)$/;

function isForwarded({ headers }: RequestHead): boolean {
  return Object.keys(headers).some((name) => FORWARDING_HEADER.test(name));
}

/**
 * Whether nothing in the request speaks against a client on this machine. A site can point its own name to
 * 127.0.0.1, so `Host` must name this machine and this port. A proxy may leave no trace: `here.ts` looks closer.
 */
export function looksLocal(request: RequestWithSocket): boolean {
  const { address, host, proxy } = clientOf(request);
  if (proxy !== undefined || !isLoopbackAddress(address) || isForwarded(request)) return false;
  // nginx before 1.29.7 speaks HTTP/1.0 to stations unless told otherwise; no browser and no common program does.
  if (request.httpVersion === '1.0') return false;
  const [, name = '', port] = /^(.*?)(?::(\d+))?$/.exec(host.toLowerCase()) ?? [];
  const { localPort, encrypted } = request.socket;
  if (localPort !== undefined && Number(port ?? (encrypted ? 443 : 80)) !== localPort) return false;
  return name === 'localhost' || name === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(name);
}

function plainAddress(address = ''): string {
  return address.replace(/^::ffff:(?=\d+\.)/, '');
}

function behindProxy(request: RequestWithSocket, proxy: string, trusted: BlockList): HttpClient {
  const told = [toldByForwarded(request), toldByXForwarded(request)].filter((one) => one !== undefined);
  // A proxy writes one kind and passes the client's own headers of the other kind on. If they differ, trust
  // none.
  const agreed = <K extends keyof Told>(key: K): Told[K] | undefined => {
    const values = told.map((one) => one[key]).filter((value) => value !== undefined);
    return values.every((value) => String(value) === String(values[0])) ? values[0] : undefined;
  };
  const scheme = agreed('scheme');
  return {
    address: clientBefore(agreed('addresses') ?? [], proxy, trusted),
    scheme: scheme === 'https' || scheme === 'http' ? scheme : 'unknown',
    host: agreed('host') ?? request.headers.host ?? '',
    proxy,
    requestId: /^[\w-]{1,64}$/.exec(textOf(request.headers['x-request-id']) ?? '')?.[0] ?? newRequestId(),
  };
}

/** The address that the last trusted proxy saw. What stands before it was written by the client. */
function clientBefore(addresses: readonly string[], proxy: string, trusted: BlockList): string {
  let client = proxy;
  for (const address of addresses.toReversed()) {
    if (isIP(address) === 0) break;
    client = address;
    if (!contains(trusted, address)) break;
  }
  return client;
}

/** Entries of the forwarding headers, the nearest proxy last. */
interface Told {
  readonly addresses: readonly string[] | undefined;
  readonly scheme: string | undefined;
  readonly host: string | undefined;
}

function toldByXForwarded({ headers }: RequestHead): Told | undefined {
  const list = (name: string) =>
    textOf(headers[name])
      ?.split(',')
      .map((part) => part.trim());
  const addresses = list('x-forwarded-for')?.map(withoutPort);
  const scheme = list('x-forwarded-proto')?.at(-1)?.toLowerCase();
  const host = list('x-forwarded-host')?.at(-1);
  return addresses || scheme || host ? { addresses, scheme, host } : undefined;
}

/** RFC 7239: `for=192.0.2.1;proto=https;host=example.org, for="[2001:db8::1]:4711"`. */
function toldByForwarded({ headers }: RequestHead): Told | undefined {
  const text = textOf(headers['forwarded']);
  if (text === undefined) return undefined;
  const hops = text.split(',').map((hop) => {
    const pairs = hop.split(';').map((pair) => /^\s*([a-z]+)\s*=\s*"?([^"]*)"?\s*$/i.exec(pair));
    return new Map(pairs.flatMap((pair) => (pair ? [[pair[1]!.toLowerCase(), pair[2]!.trim()]] : [])));
  });
  return {
    addresses: hops.map((hop) => withoutPort(hop.get('for') ?? '')),
    scheme: hops.at(-1)?.get('proto')?.toLowerCase(),
    host: hops.at(-1)?.get('host'),
  };
}

function withoutPort(address: string): string {
  const found = /^\[([^\]]*)\](?::\d+)?$/.exec(address) ?? /^([^:]*):\d+$/.exec(address);
  return plainAddress(found?.[1] ?? address);
}

function textOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(',') : header;
}

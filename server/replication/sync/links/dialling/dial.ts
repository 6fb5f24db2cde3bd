import { request, type IncomingMessage } from 'node:http';
import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectSecure, type TLSSocket } from 'node:tls';
import { WebSocket } from 'ws';
import type { z } from 'zod';
import { Refusal } from '../../../../../shared/refusal.ts';
import { reasonOfHeaders } from '../../../../../shared/refusals/headers.ts';
import { reason, sentenceOf, type Reason } from '../../../../../shared/refusals/reason.ts';
import { randomToken, signDial, isSignedBy, type StationKeys } from '../connection/handshake.ts';
import { LARGEST_MESSAGE } from '../connection/frames.ts';
import { ChallengeAnswer } from '../connection/wire.ts';

/** ms for connecting, and for each answer before the WebSocket is open. */
const TIMEOUT = 10_000;
const LARGEST_ANSWER = 100_000;

export const SOCKET_PATH = '/links/socket';
/** Header of a refused dial: why, for programs. */
export const REFUSAL_HEADER = 'waypost-refusal';
/** Header of an accepted dial: the signature of the listener. */
export const PROOF_HEADER = 'waypost-proof';

export type DialRefusal = 'forged' | 'unknown' | 'cut' | 'paused';

/** The other station answered, and does not want the connection. */
export class DialRefused extends Error {
  override readonly name = 'DialRefused';
  readonly refusal: DialRefusal | 'certificate' | 'proof';
  /** Undefined: the other station has said it in its own words. */
  readonly reason: Reason | undefined;

  constructor(refusal: DialRefused['refusal'], why: Reason | string) {
    super(typeof why === 'string' ? why : sentenceOf(why));
    this.refusal = refusal;
    this.reason = typeof why === 'string' ? undefined : why;
  }
}

export interface Reached {
  readonly socket: Socket;
  /** SHA-256 of its certificate; empty without TLS. */
  readonly fingerprint: string;
}

/**
 * The address of another station, as entered. Throws a Refusal if it is not an address, or is plain HTTP to
 * another machine.
 */
export function stationAddress(text: string): URL {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.hostname === '')
    throw new Refusal('sync.address');
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') throw new Refusal('sync.addressEnd');
  if (url.protocol === 'http:' && !isLoopbackName(url.hostname)) throw new Refusal('sync.addressTls');
  return url;
}

export function isLoopbackName(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** Connects, without a demand on the certificate: the caller compares its fingerprint. */
export function reach(address: URL): Promise<Reached> {
  const host = address.hostname.replace(/^\[|\]$/g, '');
  const secure = address.protocol === 'https:';
  const port = Number(address.port || (secure ? 443 : 80));
  return new Promise((resolve, reject) => {
    const socket = secure
      ? connectSecure({ host, port, rejectUnauthorized: false, ...(isIP(host) === 0 && { servername: host }) })
      : connectPlain({ host, port });
    const fail = (error: Error): void => {
      clearTimeout(timer);
      socket.destroy();
      reject(new Refusal('sync.unreachable', { address: address.origin, fault: faultOf(error) }, { cause: error }));
    };
    const timer = setTimeout(() => fail(new Refusal('sync.noAnswer')), TIMEOUT);
    socket.once('error', fail);
    socket.once(secure ? 'secureConnect' : 'connect', () => {
      clearTimeout(timer);
      socket.off('error', fail);
      socket.on('error', () => socket.destroy());
      socket.setNoDelay(true);
      resolve({ socket, fingerprint: secure ? (socket as TLSSocket).getPeerCertificate().fingerprint256 : '' });
    });
  });
}

/** Like `reach`. Throws when the certificate is not the pinned one. */
export async function reachPinned(address: URL, fingerprint: string): Promise<Reached> {
  const reached = await reach(address);
  if (reached.fingerprint === fingerprint || address.protocol === 'http:') return reached;
  reached.socket.destroy();
  throw new DialRefused('certificate', reason('sync.certificateChanged', { address: address.origin }));
}

/** Sends JSON over a connection of its own, and returns the answer. A Refusal holds the other station's words. */
export async function askStation<T extends z.ZodType>(
  { socket }: Reached,
  address: URL,
  path: string,
  body: unknown,
  answer: T,
): Promise<z.output<T>> {
  const { status, text, refusal } = await post(socket, address, path, body);
  if (status === 404) throw new Refusal('sync.notPairable', { address: address.origin });
  if (status !== 200)
    throw text === ''
      ? new Refusal('sync.answeredAt', { address: address.origin, status })
      : new Refusal('sync.saidNo', { fault: refusal ?? text.slice(0, 500) });
  try {
    return answer.parse(JSON.parse(text));
  } catch (error) {
    throw new Refusal('sync.notFitting', { address: address.origin }, { cause: error });
  }
}

interface Posted {
  readonly status: number;
  readonly text: string;
  readonly refusal: Reason | undefined;
}

function post(socket: Socket, address: URL, path: string, body: unknown): Promise<Posted> {
  return new Promise((resolve, reject) => {
    const json = JSON.stringify(body);
    const fail = (error: Error): void => {
      clearTimeout(timer);
      socket.destroy();
      reject(new Refusal('sync.unreachable', { address: address.origin, fault: faultOf(error) }, { cause: error }));
    };
    const timer = setTimeout(() => fail(new Refusal('sync.noAnswer')), TIMEOUT);
    const asked = request({
      method: 'POST',
      path,
      headers: { 'host': address.host, 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) },
      createConnection: () => socket,
    });
    asked.on('error', fail);
    asked.on('response', (response) =>
      readText(response).then((text) => {
        clearTimeout(timer);
        const refusal = reasonOfHeaders((name) => response.headers[name.toLowerCase()]?.toString());
        resolve({ status: response.statusCode ?? 0, text, refusal });
      }, fail),
    );
    asked.end(json);
  });
}

async function readText(response: IncomingMessage): Promise<string> {
  let text = '';
  response.setEncoding('utf8');
  for await (const chunk of response) {
    text += String(chunk);
    if (text.length > LARGEST_ANSWER) throw new Refusal('sync.longAnswer');
  }
  return text;
}

interface Dialled {
  readonly socket: WebSocket;
  readonly raw: Socket;
  /** Its certificate, when it is another one than the pinned one. The station has proved that it is its own. */
  readonly renewed: string | undefined;
}

/** Facts about the two stations that a dial needs. */
export interface DialParties {
  readonly ownId: string;
  readonly keys: StationKeys;
  readonly station: { readonly id: string; readonly publicKey: string; readonly fingerprint: string };
}

/**
 * Connects to a linked station; both have proved who they are. README, *Handshake*. Certificates are renewed, so
 * another one than the pinned one is fine when the station signs it. A machine in between cannot have it signed.
 */
export async function dial(address: URL, parties: DialParties): Promise<Dialled> {
  const first = await reach(address);
  const isPinned = address.protocol === 'http:' || first.fingerprint === parties.station.fingerprint;
  try {
    const { socket, raw } = await dialOver(first, address, parties);
    return { socket, raw, renewed: isPinned ? undefined : first.fingerprint };
  } catch (error) {
    if (isPinned || (error instanceof DialRefused && error.refusal === 'certificate')) throw error;
    throw new DialRefused('certificate', reason('sync.certificateChanged', { address: address.origin }));
  }
}

async function dialOver(
  first: Reached,
  address: URL,
  { ownId, keys, station }: DialParties,
): Promise<Pick<Dialled, 'socket' | 'raw'>> {
  const { challenge } = await askStation(first, address, '/links/challenges', {}, ChallengeAnswer).finally(() =>
    first.socket.destroy(),
  );
  const reached = await reachPinned(address, first.fingerprint);
  const shown = {
    from: ownId,
    to: station.id,
    challenge,
    nonce: randomToken(),
    certificate: reached.fingerprint,
  };
  const header = Buffer.from(JSON.stringify({ ...shown, signature: signDial(keys, 'dialler', shown) }));
  const socket = new WebSocket(`ws://${address.host}${SOCKET_PATH}`, {
    createConnection: () => reached.socket,
    headers: { authorization: `Waypost ${header.toString('base64url')}` },
    handshakeTimeout: TIMEOUT,
    perMessageDeflate: { threshold: 256 },
    maxPayload: LARGEST_MESSAGE,
  });
  await new Promise<void>((resolve, reject) => {
    let isProven = false;
    const fail = (error: Error): void => {
      reached.socket.destroy();
      reject(error);
    };
    socket.on('upgrade', (response) => {
      isProven = isSignedBy(station.publicKey, 'listener', shown, String(response.headers[PROOF_HEADER] ?? ''));
    });
    socket.on('unexpected-response', (_request, response) => {
      readText(response).then((text) => fail(refusalOf(response, text)), fail);
    });
    socket.on('error', (error) =>
      fail(new Refusal('sync.unreachable', { address: address.origin, fault: faultOf(error) }, { cause: error })),
    );
    socket.on('open', () => {
      if (isProven) return resolve();
      socket.terminate();
      fail(new DialRefused('proof', reason('sync.noKey', { address: address.origin })));
    });
  });
  return { socket, raw: reached.socket };
}

function refusalOf(response: IncomingMessage, text: string): Error {
  const refusal = String(response.headers[REFUSAL_HEADER] ?? '');
  return ['forged', 'unknown', 'cut', 'paused'].includes(refusal)
    ? new DialRefused(refusal as DialRefusal, text.slice(0, 500))
    : new Refusal('sync.answered', { status: response.statusCode ?? 0 });
}

/** The fault of a connection. Errors of the system that have no code of ours keep their words. */
function faultOf(error: Error): Reason | string {
  if (error instanceof Refusal) return { code: error.code, params: error.params };
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ECONNREFUSED':
      return reason('sync.noProgram');
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return reason('sync.noMachine');
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return reason('sync.noWay');
    case 'ECONNRESET':
    case 'EPIPE':
      return reason('sync.hungUp');
    case 'EPROTO':
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
    case 'ERR_SSL_PACKET_LENGTH_TOO_LONG':
      return reason('sync.noTls');
    default:
      return error.message;
  }
}

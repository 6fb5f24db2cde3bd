import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { z } from 'zod';
import { REFUSAL_HEADER, type DialRefusal } from './dialling/dial.ts';
import { isSignedBy } from './connection/handshake.ts';
import { isLoopbackAddress } from '../../platform/networks.ts';
import type { Arrival } from './pairing/pairings.ts';
import { DialHeader } from './connection/wire.ts';

type ParsedDial = z.output<typeof DialHeader>;

/** What a dial is checked against. */
interface Expected {
  readonly arrival: Arrival;
  /** The challenge was given by this station, lately, and not used before. */
  readonly isFresh: boolean;
  readonly ownId: string;
  /** Of the linked station that it names, or undefined. */
  readonly publicKey: string | undefined;
}

/** Why a connection of another station is not genuine; undefined: it is. */
export function dialFault(dial: ParsedDial | undefined, expected: Expected): string | undefined {
  const { arrival, isFresh, ownId, publicKey } = expected;
  if (!dial) return 'it has no signature';
  if (!isFresh) return 'its challenge was used before, or is too old';
  if (dial.to !== ownId) return 'it is meant for another station';
  if (publicKey === undefined) return 'its station is not linked';
  if (!isSignedBy(publicKey, 'dialler', dial, dial.signature)) return 'its signature is not valid';
  const isUnprotected = arrival.certificate === '' && !arrival.isLoopback;
  if (dial.certificate !== arrival.certificate || isUnprotected)
    return 'the certificate that it saw is not the one of this station';
  return undefined;
}

/** The signed header of a connection of another station; undefined: it has none that can be read. */
export function dialOf(request: IncomingMessage): ParsedDial | undefined {
  const encoded = /^Waypost ([\w-]{1,4000})$/.exec(request.headers.authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  try {
    return DialHeader.safeParse(JSON.parse(Buffer.from(encoded, 'base64url').toString())).data;
  } catch {
    return undefined;
  }
}

/** Where a request comes from, and the certificate that it saw. */
export function arrivalOf({ socket }: IncomingMessage): Arrival {
  const certificate =
    'getCertificate' in socket
      ? ((socket as TLSSocket).getCertificate() as { fingerprint256?: string } | null)?.fingerprint256
      : undefined;
  return {
    certificate: certificate ?? '',
    isLoopback: isLoopbackAddress(socket.remoteAddress),
    from: (socket.remoteAddress ?? '').replace(/^::ffff:/, ''),
  };
}

/** Refuses a connection over HTTP, with a word for the program and a sentence. */
export function refuse(socket: Duplex, status: 401 | 409, refusal: DialRefusal, body: string): void {
  socket.end(
    `HTTP/1.1 ${status} ${status === 401 ? 'Unauthorized' : 'Conflict'}\r\nConnection: close\r\n${REFUSAL_HEADER}: ${refusal}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

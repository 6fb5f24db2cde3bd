import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { WebSocketServer, type WebSocket } from 'ws';
import type { z } from 'zod';
import { isLoopbackAddress } from '../../../platform/networks.ts';
import type { LinkedStation } from '../types.ts';
import { CUT, PAUSED } from './close-reasons.ts';
import { LARGEST_MESSAGE } from './connection/frames.ts';
import { Challenges, isSignedBy, signDial } from './connection/handshake.ts';
import { DialHeader } from './connection/wire.ts';
import { PROOF_HEADER, REFUSAL_HEADER, type DialRefusal } from './dialling/dial.ts';
import type { LinkTable } from './link-table.ts';
import type { LiveLink } from './live-link.ts';
import type { Arrival } from './pairing/pairings.ts';

interface ArrivingDialsOptions {
  readonly table: Pick<LinkTable, 'keys'>;
  /** This station. */
  own(): LinkedStation;
  linkTo(stationId: string): LiveLink | undefined;
  /** Called with the address of a dial that is not genuine. */
  refused(address: string, why: string): void;
  connected(link: LiveLink, webSocket: WebSocket, socket: Socket): void;
}

/** The connections that other stations begin. */
export class ArrivingDials {
  readonly #options: ArrivingDialsOptions;
  readonly #challenges = new Challenges();
  readonly #server = new WebSocketServer({
    noServer: true,
    maxPayload: LARGEST_MESSAGE,
    perMessageDeflate: { threshold: 256 },
  });

  constructor(options: ArrivingDialsOptions) {
    this.#options = options;
  }

  /** A challenge for another station that wants to connect. */
  challenge(): string {
    return this.#challenges.give();
  }

  /** Takes the connection of another station, or refuses it over HTTP. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { table, own, linkTo, refused, connected } = this.#options;
    const ownId = own().id;
    const asked = dialOf(request);
    const arrival = arrivalOf(request);
    // The challenge is used up in any case.
    const isFresh = asked !== undefined && this.#challenges.use(asked.challenge);
    const link = asked && linkTo(asked.from);
    const fault = dialFault(asked, { arrival, isFresh, ownId, publicKey: link?.row.publicKey });
    if (!asked || !link || fault !== undefined) {
      refused(arrival.from, fault!);
      const isUnknown = isFresh && asked.to === ownId && !link;
      return refuse(socket, 401, isUnknown ? 'unknown' : 'forged', `The connection was refused: ${fault}.`);
    }
    if (link.row.cut !== 'no') return refuse(socket, 401, 'cut', CUT);
    if (link.settings.paused) return refuse(socket, 409, 'paused', PAUSED);
    const proof = signDial(table.keys, 'listener', asked);
    const addProof = (headers: string[]) => void headers.push(`${PROOF_HEADER}: ${proof}`);
    this.#server.on('headers', addProof);
    this.#server.handleUpgrade(request, socket, head, (webSocket) => {
      connected(link, webSocket, socket as Socket);
    });
    this.#server.off('headers', addProof);
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}

type ParsedDial = z.output<typeof DialHeader>;

/** The expected values of a dial. */
interface Expected {
  readonly arrival: Arrival;
  /** The challenge was given by this station, lately, and not used before. */
  readonly isFresh: boolean;
  readonly ownId: string;
  /** Of the linked station that it names, or undefined. */
  readonly publicKey: string | undefined;
}

/** Why a connection of another station is not genuine; undefined: it is. */
function dialFault(dial: ParsedDial | undefined, expected: Expected): string | undefined {
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
function dialOf(request: IncomingMessage): ParsedDial | undefined {
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
function refuse(socket: Duplex, status: 401 | 409, refusal: DialRefusal, body: string): void {
  socket.end(
    `HTTP/1.1 ${status} ${status === 401 ? 'Unauthorized' : 'Conflict'}\r\nConnection: close\r\n${REFUSAL_HEADER}: ${refusal}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

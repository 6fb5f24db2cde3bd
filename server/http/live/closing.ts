import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Refusal } from '../../../shared/refusal.ts';
import { refusalHeaders } from '../../../shared/refusals/headers.ts';

export const TRY_AGAIN_LATER = 1013;
export const GOING_AWAY = 1001;
/** ms that a client gets to answer the close frame. */
const CLOSE_TIMEOUT = 2_000;
/** The same for a slow client: the close frame waits behind its unread data. */
export const SLOW_CLOSE_TIMEOUT = 5_000;

/** Closes with a reason. Terminates the connection when the client does not answer within `patience` ms. */
export function closeWith(socket: WebSocket, code: number, reason: string, patience = CLOSE_TIMEOUT): void {
  socket.close(code, reason);
  terminateLater(socket, patience);
}

export function terminateLater(socket: WebSocket, patience = CLOSE_TIMEOUT): void {
  setTimeout(() => socket.terminate(), patience).unref();
}

/** Answers a request for a WebSocket over HTTP, and closes the connection. */
export function refuseUpgrade(socket: Duplex, status: number, words: string, refusal: Refusal): void {
  const headers = Object.entries({
    'Connection': 'close',
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(refusal.message)),
    ...refusalHeaders(refusal),
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${words}\r\n${headers.join('')}\r\n${refusal.message}`);
}

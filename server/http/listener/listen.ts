import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerOptions, ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Server as TlsServer } from 'node:tls';
import type { Certificate } from './certificate.ts';
import { MIN_BODY_RATE, BodyRateMonitor, type IncomingBody, type MinBodyRate } from './body-rate.ts';

export interface HttpListener {
  readonly port: number;
  /** Such as `http://127.0.0.1:8480`. */
  readonly address: string;
  /** The address for clients on this machine: nothing can connect to a wildcard address. */
  readonly addressHere: string;
  /** ms after which an incomplete request is cut off, at any data rate. */
  readonly longestRequest: number;
  /** Shows this certificate to clients that connect from now on. */
  show(certificate: Certificate): void;
  /** Accepts no more requests, waits a few seconds for running ones, and closes every connection. */
  stop(): Promise<void>;
}

/** The port cannot be opened; the message says why. */
export class CannotListen extends Error {
  override readonly name = 'CannotListen';
}

/** ms that running requests get when the station stops. */
const STOP_TIMEOUT = 5_000;

/** ms. The largest upload at the minimum data rate may take longer, which raises the limit. */
const MIN_REQUEST_TIMEOUT = 3_600_000;
/** ms. Node keeps the timeout in 32 bits (50 days) and wraps larger values around. */
const MAX_REQUEST_TIMEOUT = 2 ** 32 - 1;
/** Checks of the data rate within each span. */
const CHECKS_PER_SPAN = 12;

type OnUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** Listens over TLS. */
  readonly certificate?: Certificate | undefined;
  readonly onUpgrade?: OnUpgrade | undefined;
  /** Largest accepted upload, in bytes. */
  readonly largestUpload?: number;
  /** Overrides for tests. */
  readonly limits?: ServerOptions;
  readonly minBodyRate?: MinBodyRate;
}

/** Limits against slow or endless requests. Bodies also have to keep `MIN_BODY_RATE`. */
const SERVER_LIMITS: ServerOptions = {
  maxHeaderSize: 64 * 1024, // a /table of 500 points with hints has a long URL
  headersTimeout: 20_000,
  keepAliveTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
};

/** Suites with forward secrecy and authenticated encryption: those of TLS 1.3, and the same ones of TLS 1.2. */
const SUITES = [
  ...['TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256', 'TLS_AES_128_GCM_SHA256'],
  ...['ECDHE-ECDSA-AES256-GCM-SHA384', 'ECDHE-RSA-AES256-GCM-SHA384'],
  ...['ECDHE-ECDSA-CHACHA20-POLY1305', 'ECDHE-RSA-CHACHA20-POLY1305'],
  ...['ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-RSA-AES128-GCM-SHA256'],
].join(':');
const TLS = { minVersion: 'TLSv1.2', ciphers: SUITES, honorCipherOrder: true } as const;

/** Listens for HTTP, or for HTTPS where there is a certificate. Rejects with CannotListen. */
export async function listen(
  handler: RequestListener,
  { host, port, certificate, onUpgrade, largestUpload = 0, limits, minBodyRate = MIN_BODY_RATE }: ListenOptions,
): Promise<HttpListener> {
  const requestTimeout = Math.min(
    MAX_REQUEST_TIMEOUT,
    Math.max(MIN_REQUEST_TIMEOUT, Math.ceil((largestUpload / minBodyRate.bytes) * minBodyRate.span)),
  );
  const options = { ...SERVER_LIMITS, requestTimeout, ...limits };
  const server = certificate
    ? createSecureServer({ ...options, ...certificate, ...TLS, handshakeTimeout: 20_000 }, handler)
    : createServer(options, handler);
  server.maxRequestsPerSocket = 0;
  server.on('clientError', answerMalformed);
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => socket.destroy());
    socket.end('HTTP/1.1 405 Method Not Allowed\r\nConnection: close\r\nContent-Length: 0\r\n\r\n', () =>
      socket.destroy(),
    );
  });
  const sockets = new Set<Duplex>();
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    if (onUpgrade) onUpgrade(request, socket, head);
    else socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
  });
  await start(server, host, port);
  const stopLooking = limitBodyRate(server, minBodyRate);
  const at = server.address() as AddressInfo;
  const addressOf = (name: string) =>
    `${certificate ? 'https' : 'http'}://${name.includes(':') ? `[${name}]` : name}:${at.port}`;
  return {
    port: at.port,
    address: addressOf(host),
    addressHere: addressOf({ '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host),
    longestRequest: server.requestTimeout,
    show: (shown) => (server as Partial<TlsServer>).setSecureContext?.({ ...shown, ...TLS }),
    stop: () => stop(server, sockets).finally(stopLooking),
  };
}

/** Returns the function that stops it. */
function limitBodyRate(server: Server, pace: MinBodyRate): () => void {
  const slow = new BodyRateMonitor(pace);
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!('content-length' in request.headers) && !('transfer-encoding' in request.headers)) return;
    const { socket } = request;
    const coming: IncomingBody = {
      get received() {
        return socket.bytesRead;
      },
      get isAwaited() {
        return request.readableLength < request.readableHighWaterMark;
      },
      get isOver() {
        return request.complete || socket.destroyed;
      },
      get isAnswered() {
        return response.writableFinished;
      },
      cutOff: () =>
        response.headersSent
          ? void socket.destroy()
          : answerMalformed(
              Object.assign(new Error('The body comes too slowly.'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }),
              socket,
            ),
    };
    slow.watch(coming, performance.now());
    request.once('close', () => slow.unwatch(coming));
  });
  const timer = setInterval(() => slow.check(performance.now()), pace.span / CHECKS_PER_SPAN);
  timer.unref();
  return () => clearInterval(timer);
}

function start(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new CannotListen(reasonOf(error, host, port), { cause: error })),
    );
    server.listen(port, host, () => {
      server.removeAllListeners('error');
      // Later errors concern one connection that could not be accepted. The other connections continue.
      server.on('error', () => undefined);
      resolve();
    });
  });
}

function reasonOf(error: NodeJS.ErrnoException, host: string, port: number): string {
  switch (error.code) {
    case 'EADDRINUSE':
      return `Port ${port} of ${host} is taken by another program. Choose another with --port, or 0 for a free one.`;
    case 'EACCES':
      return `This user may not listen on port ${port}. Ports below 1024 need more rights.`;
    case 'EADDRNOTAVAIL':
      return `This machine has no address ${host}.`;
    case 'ENOTFOUND':
      return `There is no machine called ${host}.`;
    default:
      return `Cannot listen on ${host}:${port}: ${error.message}`;
  }
}

/**
 * Answers a request that is not HTTP or too slow, and closes the connection even if the client keeps sending.
 */
function answerMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
  const status =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? '431 Request Header Fields Too Large'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? '408 Request Timeout'
        : '400 Bad Request';
  const body = `${status.slice(4)}.`;
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}

async function stop(server: Server, sockets: ReadonlySet<Duplex>): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  for (const socket of sockets) socket.destroy();
  const timer = setTimeout(() => server.closeAllConnections(), STOP_TIMEOUT);
  await closed;
  clearTimeout(timer);
}

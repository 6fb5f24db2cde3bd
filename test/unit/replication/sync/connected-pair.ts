import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import {
  CONNECTION_TIMINGS,
  LinkConnection,
  type ConnectionTimings,
} from '../../../../server/replication/sync/links/connection/connection.ts';
import type { Link } from '../../../../server/replication/sync/index.ts';

export interface ConnectedPair {
  readonly near: LinkConnection;
  readonly far: LinkConnection;
  /** Errors of handlers that are no refusals. */
  readonly reported: unknown[];
  close(): void;
}

/** Two ends of one connection over loopback, after the handshake. */
export async function connectedPair(timings: Partial<ConnectionTimings> = {}): Promise<ConnectedPair> {
  const reported: unknown[] = [];
  const options = {
    link: {} as Link,
    timings: { ...CONNECTION_TIMINGS, ...timings },
    report: (error: unknown) => void reported.push(error),
  };
  const http = createServer();
  const server = new WebSocketServer({ server: http, perMessageDeflate: { threshold: 256 } });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const far = new Promise<LinkConnection>((resolve) =>
    server.on('connection', (socket, request) => resolve(new LinkConnection(socket, request.socket, options))),
  );
  const socket = new WebSocket(`ws://127.0.0.1:${(http.address() as AddressInfo).port}`);
  const raw = new Promise<Socket>((resolve) => socket.on('upgrade', (response) => resolve(response.socket)));
  const opened = once(socket, 'open');
  const near = new LinkConnection(socket, await raw, options);
  await opened;
  const ends = { near, far: await far };
  return {
    ...ends,
    reported,
    close() {
      ends.near.terminate('over');
      ends.far.terminate('over');
      server.close();
      http.close();
    },
  };
}

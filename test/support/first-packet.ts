import { createServer, type AddressInfo, type Socket } from 'node:net';

/** A server that answers nothing and keeps the first packet of a client. */
export async function firstPacketServer() {
  const { promise: packet, resolve } = Promise.withResolvers<Buffer>();
  const { promise: connected, resolve: connect } = Promise.withResolvers<void>();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    connect();
    socket.on('error', () => undefined).once('data', resolve);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { port: (server.address() as AddressInfo).port, connected, packet, close };
}

/** A text as MQTT writes it, behind its length. */
export function mqttText(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.of(bytes.length >> 8, bytes.length & 0xff), bytes]);
}

import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { RegionConnection } from '../../../../server/replication/nats/index.ts';

const INFO = { server_id: 'S', version: '2.10.0', proto: 1, headers: true, max_payload: 1_048_576, jetstream: true };

test('a connection that opens while it is closed is closed, too', async () => {
  const greets = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const server = createServer((socket) => {
    asked.resolve();
    void greets.promise.then(() => socket.write(`INFO ${JSON.stringify(INFO)}\r\n`));
    socket.on('data', (text) => String(text).includes('PING') && socket.write('PONG\r\n')).on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const connection = new RegionConnection({
    ...{ servers: [`nats://127.0.0.1:${(server.address() as AddressInfo).port}`], region: 'r', name: 'test' },
    ...{ credentials: undefined, authority: undefined, replicas: 1 },
    log: { info: () => undefined, warn: () => undefined },
  });
  await asked.promise;
  const closed = connection.close();
  greets.resolve();
  await closed;
  expect(connection.connection).toBeUndefined();
  server.close();
  await once(server, 'close'); // no socket is left
});

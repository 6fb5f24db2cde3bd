import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Audit, Forwarder, syslogTarget } from '../../../../server/access/audit/index.ts';
import { makeCertificate } from '../../../../server/http/listener/make-certificate.ts';
import { openStore } from '../../../../server/store/index.ts';
import type { Store } from '../../../../server/store/index.ts';
import { eventually } from '../../../support/eventually.ts';

let directory: string;
let store: Store;
let audit: Audit;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'waypost-syslog-'));
  store = await openStore({ directory });
  audit = await Audit.open({ store });
});
afterAll(async () => {
  await store.close();
  rmSync(directory, { recursive: true });
});

const record = (name: string) => audit.record({ kind: 'setting', action: 'changed', subject: { name } });
const start = (address: string, authority?: string) =>
  Forwarder.start({ store, audit, target: syslogTarget(address), authority, report: () => undefined, retry: 20 });

/** Takes RFC 6587 frames apart, as a receiver does. */
function frames(socket: Socket, into: string[]): void {
  let waiting = Buffer.alloc(0);
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    waiting = Buffer.concat([waiting, chunk]);
    for (;;) {
      const space = waiting.indexOf(' ');
      const length = Number(waiting.subarray(0, space).toString());
      if (space < 0 || waiting.length < space + 1 + length) return;
      into.push(waiting.subarray(space + 1, space + 1 + length).toString());
      waiting = waiting.subarray(space + 1 + length);
    }
  });
}

test('entries reach a receiver over TCP in counted frames, and those of its absence come later', async () => {
  const got: string[] = [];
  const sockets: Socket[] = [];
  const listen = async (port: number) => {
    const server = createServer((socket) => {
      sockets.push(socket);
      frames(socket, got);
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return server;
  };
  let server = await listen(0);
  const { port } = server.address() as AddressInfo;
  const forwarder = start(`tcp://127.0.0.1:${port}`);
  await record('dose "A" ] \\ \n Ж');
  await eventually(() => expect(got).toHaveLength(2));
  expect(got[1]).toMatch(/^<109>1 \S+Z \S+ waypost \d+ setting \[waypost@32473 id="2" kind="setting" action="changed"/);
  expect(got[1]).toContain('subject="dose \\"A\\" \\] \\\\   Ж"');
  expect(got[1]).toContain('] \uFEFFstation: setting changed dose');

  server.close();
  for (const socket of sockets) socket.destroy();
  await once(server, 'close');
  await eventually(async () => {
    await record('nobody listens');
    expect(forwarder.waiting).toBeGreaterThan(0);
  });
  server = await listen(port);
  await eventually(() => expect(got.at(-1)).toContain('nobody listens'));
  await eventually(() => expect(forwarder.waiting).toBe(0));
  await forwarder.close();
  server.close();
  for (const socket of sockets) socket.destroy();
});

test('what was sent is not sent again after a restart; over UDP, one message a datagram', async () => {
  const receiver = createSocket('udp4');
  const got: string[] = [];
  receiver.on('message', (message) => got.push(message.toString()));
  receiver.bind(0, '127.0.0.1');
  await once(receiver, 'listening');
  await record('first');
  const forwarder = start(`udp://127.0.0.1:${receiver.address().port}`);
  await record('second');
  await eventually(() => expect(got.filter((each) => /first|second/.test(each))).toHaveLength(2));
  expect(got).toHaveLength(2);
  await forwarder.close();
  receiver.close();
});

test('over TLS a receiver with a certificate of nobody known gets nothing', async () => {
  const { key, cert } = makeCertificate(['localhost'], Date.now());
  const got: string[] = [];
  const server = createTlsServer({ key, cert }, (socket) => frames(socket, got));
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `tls://localhost:${(server.address() as AddressInfo).port}`;
  const refused: string[] = [];
  const target = syslogTarget(address);
  const wary = Forwarder.start({ store, audit, target, report: (message) => refused.push(message), retry: 20 });
  await record('secret');
  await eventually(() => expect(refused).toHaveLength(1));
  await wary.close();
  expect(got).toEqual([]);
  const forwarder = start(address, cert);
  await eventually(() => expect(got.at(-1)).toContain('secret'));
  await forwarder.close();
  server.close();
});

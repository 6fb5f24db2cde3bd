import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../../../server/http/listen.ts';

test.each([
  ['a body that never ends', 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n', '1\r\nx\r\n'],
  ['a body that is long in coming', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000000\r\n\r\n', 'x'],
])('%s is cut off when its time is over, also when its sender neither listens nor stops', async (_what, head, more) => {
  const { promise: cut, resolve } = Promise.withResolvers<boolean>();
  const listening = await listen((request) => void request.on('error', () => undefined).on('close', () => resolve(request.complete)).resume(), { host: '127.0.0.1', port: 0, limits: { requestTimeout: 200, headersTimeout: 100, connectionsCheckingInterval: 20 } });
  onTestFinished(() => listening.stop());
  // It does not hang up when it is told to, either.
  const sender = connect({ port: listening.port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => undefined);
  sender.write(head);
  const going = setInterval(() => sender.write(more), 5);
  onTestFinished(() => clearInterval(going));
  expect(await cut).toBe(false);
  if (!sender.closed) await new Promise((closed) => sender.on('close', closed));
}, 20_000);

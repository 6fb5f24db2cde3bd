import { connect } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { listen } from '../../../server/http/listen.ts';
import { LOWEST_PACE } from '../../../server/http/slow-senders.ts';

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

/** Sends a body in pieces to a server that reads it, and says what it was told: nothing, as long as all goes well. */
async function sending(head: string, piece: string, answer: (said: string) => boolean, pace = { bytes: 1000, span: 300, afterAnswer: 300 }) {
  const listening = await listen((request, response) => {
    request.on('error', () => undefined).resume();
    if (request.url === '/refused') response.end('no');
    else request.on('end', () => response.end('whole'));
  }, { host: '127.0.0.1', port: 0, pace });
  onTestFinished(() => listening.stop());
  const sender = connect({ port: listening.port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => undefined).setEncoding('latin1');
  let said = '';
  sender.on('data', (text: string) => (said += text));
  sender.write(head);
  const going = setInterval(() => sender.write(piece), 10);
  onTestFinished(() => clearInterval(going));
  await vi.waitFor(() => expect(answer(said) || sender.closed).toBe(true), { timeout: 20_000, interval: 10 });
  return { said, sender };
}

test('a body that comes too slowly is cut off with 408, however long it was to be; at the lowest pace it may take its time', async () => {
  const slow = await sending('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000000\r\n\r\n', 'x', (said) => said.includes('408'));
  expect(slow.said).toMatch(/^HTTP\/1\.1 408 /);
  const chunked = await sending('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n', '1\r\nx\r\n', (said) => said.includes('408'));
  expect(chunked.said).toMatch(/^HTTP\/1\.1 408 /);
  // 200 kB in pieces of 2 kB: for much longer than the span that a slow one is given.
  const began = performance.now();
  const steady = await sending('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 200000\r\n\r\n', 'x'.repeat(2000), (said) => said.includes('whole'));
  expect(performance.now() - began).toBeGreaterThan(600);
  expect(steady.said).toMatch(/^HTTP\/1\.1 200 /);
}, 60_000);

test('who goes on sending when there is an answer already is cut off after a while, however fast', async () => {
  const { said, sender } = await sending('POST /refused HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n', `3e8\r\n${'x'.repeat(1000)}\r\n`, () => false);
  expect(said).toMatch(/^HTTP\/1\.1 200 /);
  expect(sender.closed).toBe(true);
}, 60_000);

test('the longest time of a request lets the largest upload through at the lowest pace', async () => {
  expect((LOWEST_PACE.bytes / LOWEST_PACE.span) * 1000).toBe(1000);
  const timeOf = async (more: object) => {
    const listening = await listen(() => undefined, { host: '127.0.0.1', port: 0, ...more });
    onTestFinished(() => listening.stop());
    return listening.longestRequest;
  };
  expect(await timeOf({})).toBe(3_600_000);
  expect(await timeOf({ largestUpload: 200_000_000 })).toBe(200_000_000); // 200 MB, 200,000 seconds
});

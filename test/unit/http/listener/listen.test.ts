import { connect } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { CannotListen, listen } from '../../../../server/http/listener/listen.ts';
import { MIN_BODY_RATE } from '../../../../server/http/listener/body-rate.ts';
import { eventually } from '../../../support/eventually.ts';

test.each([
  ['a body that never ends', 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n', '1\r\nx\r\n'],
  ['a body that is long in coming', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000000\r\n\r\n', 'x'],
])(
  '%s is cut off when its time is over, also when its sender neither listens nor stops',
  async (_what, head, more) => {
    const { promise: cut, resolve } = Promise.withResolvers<boolean>();
    const listening = await listen(
      (request) =>
        void request
          .on('error', () => undefined)
          .on('close', () => resolve(request.complete))
          .resume(),
      {
        host: '127.0.0.1',
        port: 0,
        limits: { requestTimeout: 2_000, headersTimeout: 2_000, connectionsCheckingInterval: 20 },
      },
    );
    onTestFinished(() => listening.stop());
    // It does not hang up on request, either.
    const sender = connect({ port: listening.port, host: '127.0.0.1', allowHalfOpen: true }).on(
      'error',
      () => undefined,
    );
    sender.write(head);
    const going = setInterval(() => sender.write(more), 5);
    onTestFinished(() => clearInterval(going));
    expect(await cut).toBe(false);
    if (!sender.closed) await new Promise((closed) => sender.on('close', closed));
  },
  60_000,
);

/**
 * Sends a body in pieces to a server that reads it, and says what it was told: nothing, as long as all goes
 * well.
 */
async function sending(
  head: string,
  piece: string,
  answer: (said: string) => boolean,
  pace = { bytes: 1000, span: 300, drainTimeout: 300 },
) {
  const listening = await listen(
    (request, response) => {
      request.on('error', () => undefined).resume();
      if (request.url === '/refused') response.end('no');
      else request.on('end', () => response.end('whole'));
    },
    { host: '127.0.0.1', port: 0, minBodyRate: pace },
  );
  onTestFinished(() => listening.stop());
  const sender = connect({ port: listening.port, host: '127.0.0.1', allowHalfOpen: true })
    .on('error', () => undefined)
    .setEncoding('latin1');
  let said = '';
  sender.on('data', (text: string) => (said += text));
  sender.write(head);
  const going = setInterval(() => sender.write(piece), 10);
  onTestFinished(() => clearInterval(going));
  await eventually(() => expect(answer(said) || sender.closed).toBe(true));
  return { said, sender };
}

test('a body that comes too slowly is cut off with 408, however long it was to be', async () => {
  const slow = await sending('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000000\r\n\r\n', 'x', (said) =>
    said.includes('408'),
  );
  expect(slow.said).toMatch(/^HTTP\/1\.1 408 /);
  const chunked = await sending(
    'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n',
    '1\r\nx\r\n',
    (said) => said.includes('408'),
  );
  expect(chunked.said).toMatch(/^HTTP\/1\.1 408 /);
}, 60_000);

test('a body at the minimum data rate is accepted, one below it is cut off', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { bytes, span } = MIN_BODY_RATE;
  let received = -1;
  let cameIn = () => {};
  const listening = await listen(
    (request, response) => {
      received = 0;
      cameIn();
      request
        .on('data', (chunk: Buffer) => ((received += chunk.length), cameIn()))
        .on('error', () => undefined)
        .on('end', () => response.end('whole'));
    },
    { host: '127.0.0.1', port: 0 },
  );
  onTestFinished(() => listening.stop());
  const came = (most: number) =>
    new Promise<void>((resolve) => ((cameIn = () => received >= most && resolve()), cameIn()));
  /** Begins a body of ten spans with one piece in each, and says how it is answered. */
  const answered = async (pieces: number, piece: string) => {
    received = -1;
    const sender = connect({ port: listening.port, host: '127.0.0.1' })
      .on('error', () => undefined)
      .setEncoding('latin1');
    let said = '';
    const heard = new Promise<string>(
      (resolve) => void sender.on('data', (text: string) => (said += text)).on('close', () => resolve(said)),
    );
    sender.write(`POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${10 * bytes}\r\n\r\n`);
    await came(0);
    for (let sent = 1; sent <= pieces; sent++) {
      sender.write(piece);
      await came(sent * piece.length);
      vi.advanceTimersByTime(span);
    }
    return await heard;
  };
  expect(await answered(10, 'x'.repeat(bytes))).toMatch(/^HTTP\/1\.1 200 /);
  expect(await answered(1, 'x'.repeat(bytes - 1))).toMatch(/^HTTP\/1\.1 408 /);
}, 60_000);

test('after a failed listen no timer is left', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const first = await listen(() => undefined, { host: '127.0.0.1', port: 0 });
  await expect(listen(() => undefined, { host: '127.0.0.1', port: first.port })).rejects.toThrow(CannotListen);
  expect(vi.getTimerCount()).toBe(1);
  await first.stop();
  expect(vi.getTimerCount()).toBe(0);
});

test('a client that keeps sending after the answer is cut off after a while, at any data rate', async () => {
  const { said, sender } = await sending(
    'POST /refused HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n',
    `3e8\r\n${'x'.repeat(1000)}\r\n`,
    () => false,
  );
  expect(said).toMatch(/^HTTP\/1\.1 200 /);
  expect(sender.closed).toBe(true);
}, 60_000);

test('the longest time of a request lets the largest upload through at the lowest pace', async () => {
  expect((MIN_BODY_RATE.bytes / MIN_BODY_RATE.span) * 1000).toBe(1000);
  const timeOf = async (more: object) => {
    const listening = await listen(() => undefined, { host: '127.0.0.1', port: 0, ...more });
    onTestFinished(() => listening.stop());
    return listening.longestRequest;
  };
  expect(await timeOf({})).toBe(3_600_000);
  expect(await timeOf({ largestUpload: 200_000_000 })).toBe(200_000_000); // 200 MB, 200,000 seconds
  // Node cuts off after what is left over 2^32
  expect(await timeOf({ largestUpload: 5_000_000_000 })).toBe(4_294_967_295);
});

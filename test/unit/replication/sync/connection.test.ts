import { afterEach, expect, test } from 'vitest';
import { Refusal } from '../../../../shared/refusal.ts';
import { connectedPair, type ConnectedPair } from './connected-pair.ts';

let pair: ConnectedPair | undefined;
afterEach(() => pair?.close());

test('[sync 16] both ends ask, tell and answer over one connection', async () => {
  pair = await connectedPair();
  const { near, far } = pair;
  const heard: unknown[] = [];
  near.handle('sum', (body) => ({ body: (body as number[]).reduce((sum, one) => sum + one, 0) }));
  far.handle('bytes', (body) => ({ body, bytes: Buffer.alloc(300_000, 7) }));
  far.onNotify('news', (body) => heard.push(body));
  near.notify('news', { seq: 1 });
  expect(await far.request('sum', [1, 2, 3])).toEqual({ body: 6 });
  const { body, bytes } = await near.request('bytes', { offset: 5 });
  expect(body).toEqual({ offset: 5 });
  expect(bytes?.equals(Buffer.alloc(300_000, 7))).toBe(true);
  expect(heard).toEqual([{ seq: 1 }]);
});

test('[sync 17] a refusal arrives in its words; a bug is reported there and arrives without its words', async () => {
  pair = await connectedPair();
  const { near, far, reported } = pair;
  far.handle('refused', () => {
    throw new Refusal('fleet.sent', { name: 'Van 12', id: 7 });
  });
  far.handle('broken', () => {
    throw new TypeError('secret');
  });
  await expect(near.request('refused', {})).rejects.toThrow(
    'Van 12 was sent to 7 and has not arrived there. Release it there first.',
  );
  await expect(near.request('refused', {})).rejects.toMatchObject({
    params: { fault: { code: 'fleet.sent', params: { name: 'Van 12', id: 7 } } },
  });
  await expect(near.request('broken', {})).rejects.toThrow('Something went wrong in the other station.');
  expect(reported).toHaveLength(1);
});

test('[sync 18] an urgent request passes a long answer that is on its way', async () => {
  pair = await connectedPair();
  const { near, far } = pair;
  const order: string[] = [];
  far.handle('long', () => ({ body: {}, bytes: Buffer.alloc(3_500_000, 1) }));
  far.handle('short', () => ({ body: {} }));
  const long = near.request('long', {}).then(() => order.push('long'));
  await near.request('short', {}, { urgent: true });
  order.push('short');
  await long;
  expect(order).toEqual(['short', 'long']);
});

test('[sync 18] a message of more than 4 MB is refused where it is made', async () => {
  pair = await connectedPair();
  const { near, far } = pair;
  far.handle('huge', () => ({ body: {}, bytes: Buffer.alloc(5_000_000) }));
  await expect(near.request('huge', {})).rejects.toThrow('too large for a link');
  await expect(near.request('sum', 'x'.repeat(4_300_000))).rejects.toThrow('too large for a link');
});

test('a request waits for a handler that is added a little later, and is refused without one', async () => {
  pair = await connectedPair({ handler: 100 });
  const { near, far } = pair;
  const asked = near.request('late', {});
  far.handle('late', () => ({ body: 'here' }));
  expect(await asked).toEqual({ body: 'here' });
  await expect(near.request('never', {})).rejects.toThrow('does not know the request "never"');
});

test('a cancelled request aborts its handler', async () => {
  pair = await connectedPair();
  const { near, far } = pair;
  const stop = new AbortController();
  const aborted = new Promise<void>((resolve) => {
    far.handle('slow', (_body, signal) => {
      setImmediate(() => stop.abort(new Error('no longer needed')));
      return new Promise(() => signal.addEventListener('abort', () => resolve()));
    });
  });
  await expect(near.request('slow', {}, { signal: stop.signal })).rejects.toThrow('no longer needed');
  await aborted;
});

test('what waits when the connection closes is rejected, on both ends, and so is what comes later', async () => {
  pair = await connectedPair();
  const { near, far } = pair;
  far.handle('slow', () => new Promise(() => undefined));
  const waiting = near.request('slow', {});
  far.close('Paused by the other station.');
  await expect(waiting).rejects.toThrow('Paused by the other station.');
  await Promise.all([near.closed, far.closed]);
  await expect(near.request('slow', {})).rejects.toThrow('Paused by the other station.');
});

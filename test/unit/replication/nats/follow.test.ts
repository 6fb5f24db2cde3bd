import { expect, onTestFinished, test, vi } from 'vitest';
import { followStream, type RegionStream } from '../../../../server/replication/nats/index.ts';

/** A stream whose readers count and send what the test says: no real server does so on demand. */
function countingStream(
  readers: readonly { readonly counted: number; readonly sent: readonly number[]; readonly later?: number }[],
) {
  const begun: unknown[] = [];
  const client = {
    consumers: {
      get: async (_name: string, options: { opt_start_seq?: number }) => {
        const { counted, sent, later = 0 } = readers[Math.min(begun.length, readers.length - 1)]!;
        begun.push(options.opt_start_seq);
        let infos = 0;
        return {
          info: async () => ({
            num_pending: infos++ === 0 ? counted : later,
            delivered: { stream_seq: sent.at(-1) ?? 0 },
          }),
          consume: async () => {
            const stopped = Promise.withResolvers<void>();
            return {
              stop: () => stopped.resolve(),
              async *[Symbol.asyncIterator]() {
                for (const seq of sent) yield { seq, info: { pending: counted - sent.indexOf(seq) - 1 } };
                await stopped.promise;
              },
            };
          },
        };
      },
    },
  };
  return { begun, stream: { name: 'r', last: 9, client } as unknown as RegionStream };
}

test('entries that a server counts and does not send are asked for by a new reader', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { begun, stream } = countingStream([
    { counted: 3, sent: [5, 6] },
    { counted: 1, sent: [8] },
  ]);
  const taken: number[] = [];
  const take = async (entries: readonly { seq: number }[]) => void taken.push(...entries.map(({ seq }) => seq));
  const followed = await followStream({ stream, filter: '>', after: 4, take });
  await vi.waitFor(() => expect(taken).toEqual([5, 6]));
  expect(followed.waiting).toBe(1);
  await vi.advanceTimersByTimeAsync(4_000);
  expect(begun).toEqual([5]);
  await vi.advanceTimersByTimeAsync(2_000);
  await followed.caughtUp;
  expect(taken).toEqual([5, 6, 8]);
  expect(begun).toEqual([5, 7]);
  expect(followed.waiting).toBe(0);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(begun).toHaveLength(2);
  await followed.close();
  await followed.ended;
});

test('entries that wait after a reader lost its place are asked for by a new reader', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { begun, stream } = countingStream([
    { counted: 1, sent: [5], later: 2 },
    { counted: 2, sent: [7, 8] },
  ]);
  const taken: number[] = [];
  const take = async (entries: readonly { seq: number }[]) => void taken.push(...entries.map(({ seq }) => seq));
  const followed = await followStream({ stream, filter: '>', after: 4, take });
  await vi.waitFor(() => expect(taken).toEqual([5]));
  expect(followed.waiting).toBe(0);
  await vi.advanceTimersByTimeAsync(9_000);
  expect(begun).toEqual([5]);
  await vi.advanceTimersByTimeAsync(3_000);
  await vi.waitFor(() => expect(taken).toEqual([5, 7, 8]));
  expect(begun).toEqual([5, 6]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(begun).toHaveLength(2);
  await followed.close();
  await followed.ended;
});

import { expect, test } from 'vitest';
import { TokenBucket } from '../../../../server/platform/token-bucket.ts';
import { followMessages, LIVE_LIMITS } from '../../../../shared/live-limits.ts';

test('20 messages a second with a burst of 100, 100 kB, 50,000 ids, 50 open tasks, 50 sockets a user, 500 of an address', () => {
  expect(LIVE_LIMITS).toEqual({
    messagesPerSecond: 20,
    burst: 100,
    longestMessage: 102_400,
    followed: 50_000,
    openTasks: 50,
    sockets: 50,
    socketsOfAddress: 500,
  });
});

test('a bucket gives its burst at once, then so many a second, and never saves up more than the burst', () => {
  const bucket = new TokenBucket(20, 100, 5_000);
  const taken = (now: number) => {
    let count = 0;
    while (bucket.take(now)) count++;
    return count;
  };
  expect(taken(5_000)).toBe(100);
  expect(taken(5_049)).toBe(0);
  expect(taken(5_050)).toBe(1);
  expect(taken(6_050)).toBe(20);
  expect(taken(7_000_000)).toBe(100);
  // Twenty a second go on forever.
  for (let message = 0; message < 10_000; message++) expect(bucket.take(7_000_000 + (message + 1) * 50)).toBe(true);
});

test('a list of any length goes out in messages that the station takes', () => {
  for (const count of [0, 1, 5_000, 5_001, 50_000, 60_000]) {
    const ids = Array.from({ length: count }, (_, index) => Number.MAX_SAFE_INTEGER - index);
    const messages = followMessages(ids);
    expect(messages.map(({ command }) => command)).toEqual([
      'SET_OBSERVABLE_CARS',
      ...Array<string>(messages.length - 1).fill('ADD_OBSERVABLE_CARS'),
    ]);
    expect(messages.flatMap(({ data }) => data)).toEqual(ids.slice(0, 50_000));
    for (const message of messages)
      expect(Buffer.byteLength(JSON.stringify(message))).toBeLessThanOrEqual(LIVE_LIMITS.longestMessage);
  }
});

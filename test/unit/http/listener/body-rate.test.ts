import { expect, test } from 'vitest';
import { MIN_BODY_RATE, BodyRateMonitor, type IncomingBody } from '../../../../server/http/listener/body-rate.ts';

const SECOND = 1000;

/** A body and a clock: looked at every five seconds, as a station does. */
function body() {
  const slow = new BodyRateMonitor(MIN_BODY_RATE);
  const coming = {
    received: 0,
    isAwaited: true,
    isOver: false,
    isAnswered: false,
    cutAt: undefined as number | undefined,
    cutOff: () => (coming.cutAt = now),
  };
  let now = 7;
  slow.watch(coming satisfies IncomingBody, now);
  /** Goes on for some seconds with so many bytes in each. */
  const go = (seconds: number, bytes: number) => {
    for (let second = 1; second <= seconds && coming.cutAt === undefined; second++) {
      now += SECOND;
      coming.received += bytes;
      if (second % 5 === 0) slow.check(now);
    }
    return coming.cutAt;
  };
  return { coming, go, slow, since: now };
}

test('a 64 kbit/s line can send the largest file in seven hours, also with stalls', () => {
  expect(body().go(200_000_000 / 8_000, 8_000)).toBeUndefined();
  const mobile = body();
  for (let minute = 0; minute < 600; minute++) {
    expect(mobile.go(10, 8_000)).toBeUndefined();
    expect(mobile.go(45, 0)).toBeUndefined();
  }
});

test('a body below 1 kB/s over a minute is cut off once, also after a fast start', () => {
  expect(body().go(600, 1_000)).toBeUndefined();
  const slow = body();
  expect(slow.go(600, 999)! - slow.since).toBe(60 * SECOND);
  const late = body();
  expect(late.go(300, 50_000)).toBeUndefined();
  expect(late.go(600, 0)! - late.since).toBe(360 * SECOND);
  late.coming.cutAt = undefined;
  expect(late.go(600, 0)).toBeUndefined();
});

test('time during which the station does not read does not count against the sender', () => {
  const { coming, go } = body();
  coming.isAwaited = false;
  expect(go(600, 0)).toBeUndefined();
  coming.isAwaited = true;
  expect(go(55, 0)).toBeUndefined();
  expect(go(5, 0)).toBeDefined();
});

test('the rest of a body whose request is answered is read for five minutes, however fast it comes', () => {
  const { coming, go, since } = body();
  expect(go(1_000, 1_000_000)).toBeUndefined();
  coming.isAnswered = true;
  expect(go(1_000, 1_000_000)! - since).toBe(1_305 * SECOND);
});

test('a completed body is no longer checked', () => {
  const { coming, go, slow } = body();
  coming.isOver = true;
  expect(go(600, 0)).toBeUndefined();
  const gone = body();
  gone.slow.unwatch(gone.coming);
  expect(gone.go(600, 0)).toBeUndefined();
  slow.check(0);
});

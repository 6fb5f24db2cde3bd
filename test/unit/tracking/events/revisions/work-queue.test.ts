import { beforeEach, expect, test, vi } from 'vitest';
import { BACKLOG_PAUSE, WorkQueue, type Batch } from '../../../../../server/tracking/events/revisions/work-queue.ts';

const HOUR = 3_600_000;
const NOW = 100 * HOUR;

let queue: WorkQueue;
let isBacklogged: boolean;
let uptime: number;
beforeEach(() => {
  [isBacklogged, uptime] = [false, 0];
  queue = new WorkQueue({ now: () => NOW, isBacklogged: () => isBacklogged, uptime: () => uptime });
});

const old = (...ids: number[]) =>
  ids.forEach((vehicleId) => queue.put({ vehicleId, from: 0, until: NOW - HOUR, stamp: 1 }));
const young = (...ids: number[]) =>
  ids.forEach((vehicleId) => queue.put({ vehicleId, from: NOW - 1, until: NOW, stamp: 1 }));
const endingYoung = (...ids: number[]) =>
  ids.forEach((vehicleId) => queue.put({ vehicleId, from: 0, until: NOW, stamp: 1 }));
const told = (batch: Batch | undefined) => batch && [batch.kind, ...batch.spans.map(({ vehicleId }) => vehicleId)];
const numbers = (from: number, until: number) => Array.from({ length: until - from + 1 }, (_, i) => from + i);
/** Takes the next batch and says which of its vehicles are not finished; the others are. */
function next(...unfinished: number[]) {
  const batch = queue.take();
  if (batch) {
    queue.over(
      batch,
      batch.spans.filter(({ vehicleId }) => unfinished.includes(vehicleId)),
    );
    queue.release(batch.spans.map(({ vehicleId }) => vehicleId).filter((id) => !unfinished.includes(id)));
  }
  return told(batch);
}

test('what is young goes first, and is not kept waiting by two batches of what is older', () => {
  old(1, 2);
  young(3);
  expect(next()).toEqual(['begin', 3]);
  expect(told(queue.take())).toEqual(['begin', 1, 2]);
  old(4);
  expect(told(queue.take())).toEqual(['begin', 4]);
  old(5);
  expect(queue.take()).toBeUndefined();
  young(6);
  expect(told(queue.take())).toEqual(['begin', 6]);
  young(7);
  expect(told(queue.take())).toEqual(['begin', 7]);
  young(8);
  expect(queue.take()).toBeUndefined();
});

test('of a vehicle one stretch is under way, until it is on disk; what comes meanwhile waits behind it', () => {
  young(1);
  const batch = queue.take()!;
  young(1);
  expect(queue.take()).toBeUndefined();
  queue.over(batch, []);
  expect(queue.take()).toBeUndefined();
  queue.release([1]);
  expect(next()).toEqual(['begin', 1]);
  expect(queue.size).toBe(0);
});

test('whose stretch is long goes on in turns with all others: with those who wait, and with those whose stretches are long, too', () => {
  old(1, 2, 3);
  // The first one took all the time; the two behind it were not come to.
  expect(next(1, 2, 3)).toEqual(['begin', 1, 2, 3]);
  expect(next(3, 1)).toEqual(['resume', 2, 3, 1]);
  old(4);
  expect(queue.size).toBe(3);
  expect(next(4)).toEqual(['begin', 4]);
  expect(next(1, 3, 4)).toEqual(['resume', 1, 3, 4]);
  expect(next()).toEqual(['resume', 3, 4, 1]);
  expect([next(), queue.size]).toEqual([undefined, 0]);
});

test('others are begun while few are unfinished, and young ones always', () => {
  old(...numbers(1, 50));
  expect(next(...numbers(1, 50))).toHaveLength(51);
  old(...numbers(51, 60));
  expect(next(...numbers(1, 50))![0]).toBe('resume');
  expect(next(...numbers(2, 50))![0]).toBe('resume');
  expect(next()).toEqual(['begin', ...numbers(51, 60)]);
  young(70);
  expect(next()).toEqual(['begin', 70]);
});

test('an edit of yesterday, by which the stretches of all vehicles end young, keeps no live record waiting', () => {
  old(60);
  endingYoung(...numbers(1, 49));
  expect(next(...numbers(1, 49))).toEqual(['begin', ...numbers(1, 49), 60]);
  young(70);
  expect(next(...numbers(1, 49))).toEqual(['begin', 70]);
  expect(next(...numbers(1, 49))).toEqual(['resume', ...numbers(2, 49), 1]);
  young(1, 71);
  expect(next()).toEqual(['begin', 71]);
});

test('a young stretch that was not come to, or not to its end, stays young', () => {
  old(60, 61);
  young(1, 2, 3);
  expect(next(2, 3)).toEqual(['begin', 1, 2, 3]);
  young(4);
  expect(next(4)).toEqual(['resume', 3, 2]);
  expect(next(4)).toEqual(['begin', 4]);
  isBacklogged = true;
  expect(next(60)).toEqual(['resume', 4]);
  expect(next()).toEqual(['begin', 60, 61]);
});

test('a stretch of which something went wrong waits for what comes next of its vehicle, and is done with it', () => {
  const done = vi.fn();
  const fails = (meanwhile: () => void = () => undefined) => {
    const batch = queue.take()!;
    meanwhile();
    for (const span of batch.spans) queue.failed(span);
    queue.release(batch.spans.map(({ vehicleId }) => vehicleId));
    queue.over(batch, []);
  };
  queue.put({ vehicleId: 1, from: 100, until: 200, stamp: 5, count: 3, done: [done] });
  fails();
  expect([queue.take(), queue.size]).toEqual([undefined, 0]);
  queue.put({ vehicleId: 1, from: 300, until: 300, stamp: 0, silent: true });
  expect(next()).toEqual(['begin', 1]);
  expect(queue.known(1)).toMatchObject({ from: 100, until: 200, stamp: 5, count: 3, done: [done] });

  // What came while it was under way is put to it, too.
  queue.put({ vehicleId: 2, from: 100, until: 200, stamp: 5, count: 3, done: [done] });
  fails(() => queue.put({ vehicleId: 2, from: 50, until: 60, stamp: 6, count: 2, points: [] }));
  expect(queue.take()!.spans).toEqual([
    { vehicleId: 2, from: 50, until: 200, stamp: 6, count: 5, points: undefined, isOfPeer: false, done: [done] },
  ]);
});

test('while records wait for the disk what is older goes on now and then, a little at a time', () => {
  isBacklogged = true;
  old(...numbers(1, 12));
  expect(next(1)).toEqual(['begin', 1, 2, 3, 4, 5]);
  expect(queue.take()).toBeUndefined();
  young(20);
  expect(next()).toEqual(['begin', 20]);
  uptime += BACKLOG_PAUSE - 1;
  expect(queue.take()).toBeUndefined();
  uptime++;
  expect(next()).toEqual(['resume', 1]);
});

test('vehicles of one batch are 50, or such as have 500 points', () => {
  old(...numbers(1, 60));
  expect(next()).toEqual(['begin', ...numbers(1, 50)]);
  next();
  for (const vehicleId of [1, 2, 3]) queue.put({ vehicleId, from: 0, until: 1, stamp: 1, count: 250 });
  expect(next()).toEqual(['begin', 1, 2]);
});

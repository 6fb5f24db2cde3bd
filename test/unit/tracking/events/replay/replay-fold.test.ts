import { expect, test } from 'vitest';
import { EMPTY_CONTEXT } from '../../../../../server/tracking/events/index.ts';
import { replay } from '../../../../../server/tracking/events/replay/replay-fold.ts';
import { NOON, wildDay } from '../drive.ts';

test('a trial tells how far it is, within a long track too', () => {
  const [long, short] = [wildDay(1, 40_000), wildDay(2, 100)];
  const from = NOON + 24 * 3_600_000;
  const till = long.at(-1)!.time;
  const told: number[] = [];
  const answer = replay(
    {
      vehicles: [
        { id: 1, context: EMPTY_CONTEXT },
        { id: 2, context: EMPTY_CONTEXT },
      ],
      from,
      until: till,
      change: {},
      of: 'organization',
    },
    [],
    (id) => (id === 1 ? long : short),
    (done) => told.push(done),
  );
  expect(answer.records).toBe(40_100);
  expect(told.length).toBe(4);
  expect([told[0], told[3]]).toEqual([0, 0.5]);
  expect(told[1]).toBeCloseTo((0.25 * (long[19_999]!.time - NOON)) / (till - NOON), 9);
  expect(told[2]).toBeCloseTo(0.25, 9);
});

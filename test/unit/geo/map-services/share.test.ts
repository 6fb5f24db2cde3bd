import { expect, test } from 'vitest';
import { sharePlanner } from '../../../../server/geo/map-services/share.ts';
import type { LearnedSpeeds, Planner, Table } from '../../../../server/geo/routing/index.ts';

const POINT = { lat: 47.1, lon: 9.5 };
const REQUEST = { sources: [POINT], targets: [POINT] };
const SPEEDS: LearnedSpeeds = { checksum: 1, version: 1, arcs: new Uint32Array(), tenths: new Uint32Array() };
const named = (checksum: number) => ({ checksum }) as Table;

/** A planner with threads of its own that answers 1; services answer 2 unless they are silent. */
function share({ isSilent = false, largestAnswer = 1_000_000 } = {}) {
  const asked: unknown[] = [];
  const own = {
    snapLimit: 5_000,
    closuresInForce: [],
    onConditions: () => () => undefined,
    setSpeeds: async () => undefined,
    table: async () => named(1),
  } as unknown as Planner;
  const planner = sharePlanner(own, {
    largestAnswer,
    setClosures: () => undefined,
    ask: async (_, args) => {
      asked.push(args[0]);
      return isSilent ? undefined : { answer: named(2) };
    },
  });
  return { planner, asked };
}

test('a service is asked under the limit of the station; a silent one leaves the question to it', async () => {
  const { planner, asked } = share();
  expect(await planner.table(REQUEST)).toEqual(named(2));
  expect(asked).toEqual([{ ...REQUEST, snapLimit: 5_000 }]);
  expect(planner.snapLimit).toBe(5_000);
  expect(await share({ isSilent: true }).planner.table(REQUEST)).toEqual(named(1));
});

test('no service is asked while learned speeds are on, nor for a table that is larger than a message', async () => {
  const { planner, asked } = share();
  await planner.setSpeeds(SPEEDS);
  expect(await planner.table(REQUEST)).toEqual(named(1));
  await planner.setSpeeds(undefined);
  expect(await planner.table(REQUEST)).toEqual(named(2));
  const many = Array.from({ length: 400 }, () => POINT);
  expect(await planner.table({ sources: many, targets: many })).toEqual(named(1));
  expect(asked).toHaveLength(1);
});

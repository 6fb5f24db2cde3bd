import { expect, test } from 'vitest';
import {
  updateParts,
  ReceivedContexts,
  SentContexts,
  ContextMissing,
} from '../../../../../server/tracking/events/fold/context-copies.ts';
import type { VehicleContext } from '../../../../../server/tracking/events/index.ts';
import { randomContext, zonesInARow } from '../random-context.ts';

test('a thread is sent of contexts what differs: lists that vehicles share once, and the word when nobody has one any more', () => {
  const sent = new SentContexts();
  const received = new ReceivedContexts();
  const [one, other] = [randomContext(1, 1000), randomContext(2, 1000)];
  const beside: VehicleContext = { ...other, zones: one.zones };
  const told = (...tell: (readonly [number, VehicleContext, number])[]) => {
    for (const [vehicleId, context, from] of tell) sent.add(vehicleId, context, from);
    const news = sent.takeUpdate();
    for (const part of updateParts(news)) received.apply(structuredClone(part));
    return news;
  };

  const first = told([1, one, 500], [2, beside, 500], [1, one, 600]);
  expect(first.contexts.map(({ vehicleId }) => vehicleId)).toEqual([1, 2]);
  expect(first.lists.filter(([, list]) => list === one.zones)).toHaveLength(1);
  expect(received.context(1, 500)).toEqual(one);
  expect(received.context(2, 700)).toEqual(beside);
  expect(received.context(2, 700).zones).toBe(received.context(1, 500).zones);
  expect(() => received.context(1, 499)).toThrow(ContextMissing);
  expect(() => received.context(3, 700)).toThrow(ContextMissing);

  expect(told([1, one, 700], [2, beside, 500])).toEqual({ lists: [], contexts: [], dropped: [] });
  expect(told([1, one, 400])).toMatchObject({ lists: [], contexts: [{ vehicleId: 1, from: 400 }], dropped: [] });
  expect(received.context(1, 499)).toEqual(one);

  const zones = first.lists.find(([, list]) => list === one.zones)![0];
  expect(told([1, other, 400]).dropped).not.toContain(zones);
  expect(received.context(2, 700)).toEqual(beside);
  expect(told([2, other, 400]).dropped).toEqual([zones]);
  expect(received.context(1, 400)).toEqual(other);
  expect(received.context(2, 400)).toEqual(other);
});

test('long lists are sent in parts, each of which takes little; positions of long lines as numbers', () => {
  for (const [count, corners, least] of [
    [3_000, 20, 30],
    [30, 20_000, 5],
    [1, 100_000, 1],
    [0, 0, 1],
  ] as const) {
    const sent = new SentContexts();
    const received = new ReceivedContexts();
    const context: VehicleContext = { ...randomContext(1, 1000), zones: zonesInARow(count, corners) };
    sent.add(1, context, 500);
    sent.add(2, { ...context, tankLitres: 1 }, 500);
    const parts = [...updateParts(sent.takeUpdate())];
    expect(parts.length).toBeGreaterThanOrEqual(least);
    for (const [i, part] of parts.entries()) {
      const copied = structuredClone(part);
      // Contexts come when all of their lists are there.
      expect(copied.contexts.length > 0).toBe(i === parts.length - 1);
      let arrays = 0;
      JSON.stringify(copied, (_key, value: unknown) =>
        ArrayBuffer.isView(value) ? 0 : (Array.isArray(value) && arrays++, value),
      );
      expect(arrays).toBeLessThan(2_500);
      received.apply(copied);
    }
    expect(received.context(1, 500)).toEqual(context);
    expect(received.context(2, 500).zones).toBe(received.context(1, 500).zones);
  }
});

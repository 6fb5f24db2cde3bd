import { expect, test } from 'vitest';
import { obstacleTo, nextStep } from '../../../../renderer/src/crew/next-step.ts';
import { chatLines } from '../../../../renderer/src/crew/tabs/chat-lines.ts';
import type { ShownState, ShownTask } from '../../../../renderer/src/crew/queue/shown-state.ts';
import { progressOn } from '../../../../renderer/src/crew/way/way-progress.ts';

const task = (acknowledgedAt: number | null, onSceneAt: number | null = null) =>
  ({ id: 181, acknowledgedAt, onSceneAt, comments: [] }) as unknown as ShownTask;
const state = (status: number | null, tasks: ShownTask[], service = 'fire') =>
  ({ status, tasks, messages: [], car: { name: 'Engine 1', service } }) as unknown as ShownState;

test('the next step follows from the task and the status', () => {
  expect([
    nextStep(undefined, 1),
    nextStep(task(null), 3),
    nextStep(task(5), 9),
    nextStep(task(5), 3),
    nextStep(task(5, 6), 4),
    nextStep(task(5), 4),
    nextStep(task(5, 6), 7),
    nextStep(task(5, 6), 8),
    nextStep(task(5, 6), 5),
  ]).toEqual([undefined, 'accept', 'enRoute', 'onScene', 'free', 'free', 'atHospital', 'free', 'free']);
});

test('what cannot be has its reason', () => {
  const of = (shown: ShownState) => [1, 2, 3, 4, 5, 6, 7, 8, 9].map((digit) => obstacleTo(shown, digit));
  const [can, sick] = [undefined, 'ambulances'];
  expect(of(state(1, []))).toEqual([can, can, can, can, can, can, sick, sick, 'nothingToAccept']);
  expect(of(state(3, [task(null)], 'medical'))).toEqual([
    'notThere',
    'notThere',
    can,
    can,
    can,
    'onTask',
    can,
    can,
    can,
  ]);
  expect(obstacleTo(state(4, [task(5)]), 1), 'it is there, though the station does not know yet').toBeUndefined();
});

test('a crew’s own comments are distinguished from others, and what waits comes last', () => {
  const said = [
    { id: 1, at: 1, author: 'Vetanova', text: 'Keep the yard free' },
    { id: 2, at: 2, author: '', text: 'Engine 1: Yard is free' },
    { id: 3, at: 3, author: '', text: 'Engine 10: We are late' },
  ];
  const lines = chatLines(state(4, []), { ...task(1), comments: said }, [
    { no: 1, carId: 1, key: '', at: 4, action: { kind: 'comment', taskId: 181, text: 'All out' } },
    { no: 2, carId: 1, key: '', at: 5, action: { kind: 'comment', taskId: 182, text: 'Elsewhere' } },
  ]);
  expect(lines.map(({ text, isOwn, waits }) => [text, isOwn, waits])).toEqual([
    ['Keep the yard free', false, false],
    ['Yard is free', true, false],
    ['Engine 10: We are late', false, false],
    ['All out', true, true],
  ]);
});

test('on a way of two legs the turn comes nearer, then the end', () => {
  // 0.01 degrees of latitude are 1,112 m.
  const way = {
    distance: 2000,
    time: 200,
    geometry: [
      [47, 9],
      [47.01, 9],
      [47.02, 9],
    ] as [number, number][],
    steps: [{ position: 0 }, { position: 1 }, { position: 2 }],
  };
  expect(progressOn(way, undefined)).toMatchObject({ step: 1, distance: 2000, time: 200, off: 0 });
  expect(progressOn(way, [47.005, 9])).toMatchObject({ step: 1, time: expect.closeTo(150, 0) });
  expect(progressOn(way, [47.005, 9]).toStep).toBeCloseTo(556, 0);
  expect(progressOn(way, [47.015, 9.001])).toMatchObject({ step: 2, off: expect.closeTo(76, 0) });
  expect(progressOn(way, [47.03, 9])).toMatchObject({ step: 2, toStep: 0, distance: 0 });
});

import { expect, test } from 'vitest';
import { asksFirst, sendStep, type SendableUnit } from '../../../../renderer/src/features/carry/send-step.ts';
import type { StoredUnit } from '../../../../shared/records/index.ts';
import { activeUnits, withUnits } from '../../../../shared/tasks/units.ts';
import { makeTask } from '../task.ts';

const NOW = 1_000_000;
const free: SendableUnit = { id: 7, status: 1, serving: undefined };
const fire = makeTask({ id: 181 });
const other = withUnits(makeTask({ id: 179, status: 2 }), [{ id: 7, status: 1 }], '', NOW);
const [onWay] = activeUnits(other) as [StoredUnit];
const stepFor = (over: Partial<SendableUnit>) => sendStep(fire, [], { ...free, ...over });

test('a free unit goes to an open task', () => {
  expect(stepFor({})).toEqual({ kind: 'send' });
});

test('a closed task takes nobody, and a unit is not sent where it is', () => {
  expect(sendStep(makeTask({ id: 1, status: 4 }), [], free)).toEqual({ kind: 'closed' });
  expect(sendStep(other, activeUnits(other), free)).toEqual({ kind: 'thereAlready' });
});

test('a unit that serves another task is asked about, with where it is on its run', () => {
  expect(stepFor({ status: 3, serving: { task: other, unit: onWay } })).toEqual({
    kind: 'busy',
    with: other,
    onScene: false,
  });
  const there = { ...onWay, onSceneAt: NOW };
  expect(stepFor({ status: 4, serving: { task: other, unit: there } })).toMatchObject({ kind: 'busy', onScene: true });
  const free = { ...there, status: 1, statusSince: NOW + 1 };
  expect(stepFor({ status: 1, serving: { task: other, unit: free } }), 'its crew is free').toEqual({ kind: 'send' });
});

test('out of service and a call for help are asked about; the call comes before all else', () => {
  expect(stepFor({ status: 6 })).toEqual({ kind: 'outOfService' });
  expect(stepFor({ status: 0, serving: { task: other, unit: onWay } })).toEqual({ kind: 'callsForHelp' });
});

test('only what somebody may decide is asked', () => {
  expect(
    (['send', 'closed', 'thereAlready', 'outOfService', 'callsForHelp'] as const).filter((kind) => asksFirst({ kind })),
  ).toEqual(['outOfService', 'callsForHelp']);
});

import { expect, test } from 'vitest';
import { runSteps, bulkSteps } from '../../../../../renderer/src/features/queue/bulk.ts';
import {
  everything,
  keptOf,
  EMPTY_SELECTION,
  rangeTo,
  toggled,
} from '../../../../../renderer/src/features/queue/selection.ts';
import { makeTask } from '../../task.ts';

const shown = [5, 3, 8, 1, 9];

test('a range goes from the anchor in the order shown, and is drawn again from there', () => {
  const one = toggled(EMPTY_SELECTION, 3);
  expect([...rangeTo(one, 1, shown, undefined).ids]).toEqual([3, 8, 1]);
  expect([...rangeTo(rangeTo(one, 1, shown, undefined), 5, shown, undefined).ids]).toEqual([5, 3]);
  expect([...rangeTo(EMPTY_SELECTION, 8, shown, 5).ids]).toEqual([5, 3, 8]);
  expect([...rangeTo(EMPTY_SELECTION, 8, shown, undefined).ids]).toEqual([8]);
});

test('rows are added and taken away one by one; what is gone is not selected', () => {
  const two = toggled(toggled(EMPTY_SELECTION, 3), 9);
  expect([...two.ids]).toEqual([3, 9]);
  expect([...toggled(two, 3).ids]).toEqual([9]);
  expect([...everything(shown).ids]).toEqual(shown);
  expect([...keptOf(two, (id) => id !== 9).ids]).toEqual([3]);
  expect(keptOf(two, () => true)).toBe(two);
});

test('only tasks that are not so already are changed, and each step knows its way back', () => {
  const steps = bulkSteps({ kind: 'status', value: 3 }, [
    makeTask({ id: 1, status: 2 }),
    makeTask({ id: 2, status: 3 }),
  ]);
  expect(steps.map(({ path, body, backBody }) => ({ path, body, backBody }))).toEqual([
    { path: '/news/1/update', body: { assigned_status: 3 }, backBody: { assigned_status: 2 } },
  ]);
  expect(steps[0]!.stillSo(makeTask({ id: 1, status: 3 }))).toBe(true);
  expect(steps[0]!.stillSo(makeTask({ id: 1, status: 4 }))).toBe(false);
  expect(steps[0]!.stillSo(undefined)).toBe(true);
});

test('assigning a new task makes it assigned, so the way back makes it new again', () => {
  const [fresh, busy] = bulkSteps({ kind: 'vehicle', value: 7 }, [
    makeTask({ id: 1, status: 1 }),
    makeTask({ id: 2, status: 2, assignedVehicleId: 4 }),
  ]);
  expect(fresh!.backBody).toEqual({ assigned_car_id: 0, assigned_status: 1 });
  expect(busy!.backBody).toEqual({ assigned_car_id: 4 });
});

test('archiving and deleting have their own ways back', () => {
  expect(bulkSteps({ kind: 'archive' }, [makeTask({ id: 1 })])[0]).toMatchObject({
    body: { archive: true },
    backBody: { archive: false },
  });
  expect(bulkSteps({ kind: 'delete' }, [makeTask({ id: 1 })])[0]).toMatchObject({
    path: '/news/1/',
    body: { action: 'delete' },
    backBody: { action: 'restore' },
  });
});

test('a refused step is kept with its error, the others go on, a few at a time', async () => {
  const steps = bulkSteps(
    { kind: 'archive' },
    Array.from({ length: 40 }, (_, index) => makeTask({ id: index + 1 })),
  );
  let under = 0;
  let most = 0;
  const progress: number[] = [];
  const outcome = await runSteps(
    steps,
    async ({ task }) => {
      most = Math.max(most, ++under);
      await Promise.resolve();
      under--;
      if (task.id % 10 === 0) throw new Error(`not ${task.id}`);
    },
    (finished) => progress.push(finished),
  );
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(4);
  expect(outcome.done.length).toBe(36);
  expect(outcome.failed.map(({ step, error }) => [step.task.id, error])).toEqual([
    [10, new Error('not 10')],
    [20, new Error('not 20')],
    [30, new Error('not 30')],
    [40, new Error('not 40')],
  ]);
  expect(outcome.left).toBe(0);
  expect(progress.at(-1)).toBe(40);
});

test('stopping leaves the rest untried, and says how many', async () => {
  const steps = bulkSteps(
    { kind: 'archive' },
    Array.from({ length: 40 }, (_, index) => makeTask({ id: index + 1 })),
  );
  const ending = new AbortController();
  const outcome = await runSteps(
    steps,
    async () => void (await Promise.resolve()),
    (finished) => finished === 8 && ending.abort(),
    ending.signal,
  );
  expect(outcome.done.length).toBeGreaterThanOrEqual(8);
  expect(outcome.done.length).toBeLessThan(16);
  expect(outcome.left).toBe(40 - outcome.done.length);
});

import { DEFAULT_WAITING_RULES } from '../../../../shared/tasks/response-targets.ts';
import { expect, test } from 'vitest';
import { urgencyOf, type TaskDirectory } from '../../../../renderer/src/lib/tasks/urgency.ts';
import { makeTask } from '../task.ts';

const NEW = 1;
const FEEDBACK = 2;
const DONE = 4;
const directory = {
  typeOf: () => undefined,
  categoryOf: (id: number) => ({ importance: id }),
  rulesOf: () => DEFAULT_WAITING_RULES,
} as unknown as TaskDirectory;

/** The level of a task with this status, in a category of this significance. */
const level = (status: number, significance: number) =>
  urgencyOf(makeTask({ id: 1, status, categoryId: significance }), directory, 0).level;

test('only a new task is an emergency or an alarm', () => {
  expect([NEW, FEEDBACK, DONE].map((status) => level(status, 1))).toEqual(['emergency', 'open', 'done']);
  expect([NEW, FEEDBACK, DONE].map((status) => level(status, 2))).toEqual(['alarm', 'open', 'done']);
});

test('significance 1 is an emergency, 2 an alarm, 3 and 0 are neither', () => {
  expect([0, 1, 2, 3].map((significance) => level(NEW, significance))).toEqual(['new', 'emergency', 'alarm', 'new']);
});

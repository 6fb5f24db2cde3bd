import { expect, test } from 'vitest';
import { findTasks } from '../../../../server/dispatch/tasks/lists/find-tasks.ts';
import type { Page } from '../../../../server/dispatch/tasks/lists/tasks-sql.ts';
import { NOON, newTask } from './town-hall.ts';

const POINT = { lon: 10, lat: 45, zoom: 16 };
/** Messages of which each is an hour older than the one before. */
const archive = (length: number, titleOf: (index: number) => string) =>
  Array.from({ length }, (_, index) =>
    newTask({ id: length - index, title: titleOf(index), date: NOON - index * 3_600_000, point: POINT }),
  );

/** Gives pages of them as a table would, and keeps what it was asked for. */
function pagesOf(tasks: ReturnType<typeof archive>) {
  const asked: Page[] = [];
  const read = (page: Page) => {
    asked.push(page);
    const begin = page.after ? tasks.findIndex(({ key }) => key === page.after!.key) + 1 : 0;
    return tasks.slice(begin, begin + page.limit);
  };
  return { asked, read, looked: () => asked.reduce((sum, { limit }) => sum + limit, 0) };
}

test('a search goes through the newest 2,000 messages and no further', () => {
  const { read, looked, asked } = pagesOf(
    archive(2_100, (index) =>
      index === 1_999 ? 'the last that is looked at' : index === 2_000 ? 'one too old' : 'Routine',
    ),
  );
  expect(findTasks(read, 'looked at', 9).map(({ title }) => title)).toEqual(['the last that is looked at']);
  expect(asked.every(({ sortBy, direction }) => sortBy === 'date' && direction === 'desc')).toBe(true);
  expect(findTasks(read, 'too old', 9)).toEqual([]);
  expect(looked()).toBe(2 * 2_000);
});

test('it ends when it has found as many as are asked for, or there are no more', () => {
  const many = pagesOf(archive(1_000, () => 'Lantern'));
  expect(findTasks(many.read, 'lantern', 3).map(({ id }) => id)).toEqual([1_000, 999, 998]);
  expect(many.asked).toHaveLength(1);
  const few = pagesOf(archive(5, () => 'Lantern'));
  expect([findTasks(few.read, 'lantern', 9).length, few.asked.length]).toEqual([5, 1]);
  expect([findTasks(few.read, ' x ', 9), few.asked.length]).toEqual([[], 1]); // no word, no search
});

test('what is found says what a search shows, and no more', () => {
  const [task] = archive(1, () => 'Lantern');
  expect(findTasks(() => [{ ...task!, address: 'Mill Road 1', text: 'secret', systemData: 'x' }], 'mill', 9)).toEqual([
    { id: 1, title: 'Lantern', address: 'Mill Road 1', lon: 10, lat: 45 },
  ]);
  expect(findTasks(() => [{ ...task!, point: null }], 'lantern', 9)).toEqual([]);
});

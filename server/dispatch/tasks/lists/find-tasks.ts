import type { Task } from '../../../../shared/records/index.ts';
import { wordMatcher } from '../../../../shared/text/search-words.ts';
import { placeOf, type Page } from './tasks-sql.ts';

/** The fields of a task with a point that a search returns. */
export interface FoundTask extends Pick<Task, 'id' | 'title' | 'address'> {
  readonly lon: number;
  readonly lat: number;
}

/** Most tasks searched, newest first: users search for tasks of recent weeks. */
const LOOKED_THROUGH = 2_000;
const STEP = 200;

/**
 * The newest tasks whose number, title or address contain every word of the query, at most `limit`. `read`
 * returns a page of searchable tasks with a point.
 */
export function findTasks(read: (page: Page) => readonly Task[], query: string, limit: number): FoundTask[] {
  const says = wordMatcher(query);
  const found: FoundTask[] = [];
  let after: Page['after'];
  for (let looked = 0; says && looked < LOOKED_THROUGH && found.length < limit; looked += STEP) {
    const tasks = read({ sortBy: 'date', direction: 'desc', after, limit: STEP });
    for (const task of tasks)
      if (task.point && says([task.title, task.address, `#${task.id}`])) found.push(shown(task, task.point));
    const last = tasks.at(-1);
    if (!last || tasks.length < STEP) break;
    after = placeOf(last);
  }
  return found.slice(0, limit);
}

function shown({ id, title, address }: Task, { lon, lat }: { lon: number; lat: number }): FoundTask {
  return { id, title, address, lon, lat };
}

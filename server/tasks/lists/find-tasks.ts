import type { Task } from '../../../shared/records/index.ts';
import { wordMatcher } from '../../../shared/text/search-words.ts';
import { placeOf, type Page } from './tasks-sql.ts';

/** What a search shows of a message that has a point. */
export interface FoundTask extends Pick<Task, 'id' | 'title' | 'address'> {
  readonly lon: number;
  readonly lat: number;
}

/** Newest messages that are looked through: whoever types in a search box means one of these weeks. */
const LOOKED_THROUGH = 2_000;
const STEP = 200;

/**
 * The newest messages whose number, title or address hold each word of the query, at most `limit`. `read`
 * gives a page of those with a point that may be found.
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

import { DatabaseSync } from 'node:sqlite';
import process from 'node:process';
import { listPredicate, type ListFilter } from '../../../server/dispatch/tasks/predicates/filter.ts';
import { Budget } from '../../../server/dispatch/tasks/lists/query-plans.ts';
import {
  FIRST_LOOK,
  TasksSql,
  ON_THE_EVENT_LOOP,
  type SortField,
} from '../../../server/dispatch/tasks/lists/tasks-sql.ts';
import type { Actor } from '../../../shared/access.ts';
import type { TasksFacts } from './tasks-data.ts';

const SORTS: readonly SortField[] = ['date', 'updatedAt', 'id', 'authorId', 'typeId', 'categoryId'];
const DAY = 86_400_000;
const TABLE = '"station.tasks.3"';

export interface FirstLook {
  /** ms of processor time */
  readonly time: number;
  readonly list: string;
}

/**
 * What each list costs the event loop when it is asked for for the first time: filters of every kind, alone
 * and together, in every order, by a member of an organization and by somebody who sees everything. The longest
 * first.
 */
export function firstLooks(file: string, { organization, member, types, now }: TasksFacts): FirstLook[] {
  const sql = new DatabaseSync(file, { readOnly: true });
  sql.exec('PRAGMA cache_size = -32768');
  const view = [{ id: 1, capability: 'view', stateIds: null }];
  const people = [
    {
      user: { id: member, organizationId: organization, roleId: 1 },
      role: { superuser: false, admin: false, accesses: view },
    },
    { user: { id: 1, organizationId: 1, roleId: 1 }, role: { superuser: true, admin: true, accesses: view } },
  ] as unknown as Actor[];
  const scopes: ListFilter[] = [
    {},
    { withAssigned: true, withClosed: true },
    { withAssigned: true, withClosed: true, withArchive: true },
    { onlyMy: true, withArchive: true },
  ];
  const filters: ListFilter[] = [
    {},
    { onlyStatus: [1, 2, 3] },
    { onlyAssigned: true },
    { typeIds: [types[1]!, types[4]!], categoryIds: [3], updatedAfter: now - 40 * DAY, updatedBefore: now - 10 * DAY },
    { hasPhoto: true },
    { hasVideo: true },
    { hasPoint: true, confirmed: 1 },
    { from: now - 400 * DAY, until: now - 390 * DAY },
    { organizationIds: [organization], categoryIds: [1, 2] },
    { assignedOrganizationIds: [organization], hasPhoto: true, typeIds: [types[0]!] },
    { confirmed: 2, onlyStatus: [1], hasFile: true, updatedBefore: now - 500 * DAY },
  ];
  const looks: FirstLook[] = [];
  for (const actor of people) {
    for (const scope of scopes) {
      for (const filter of filters) {
        for (const sortBy of SORTS) {
          for (const direction of ['desc', 'asc'] as const) {
            const pages = new TasksSql(sql, TABLE); // knows no way, and has no statements
            const begun = process.threadCpuUsage();
            const found = pages.within(
              ON_THE_EVENT_LOOP,
              listPredicate(actor, { ...scope, ...filter }, []),
              { sortBy, direction, after: undefined, limit: 50 },
              new Budget(FIRST_LOOK),
            );
            const { user, system } = process.threadCpuUsage(begun);
            looks.push({
              time: (user + system) / 1000,
              list: `${JSON.stringify({ ...scope, ...filter })} of ${actor.role.superuser ? 'superuser' : 'member'} by ${sortBy} ${direction}${found ? '' : ', left to a worker'}`,
            });
          }
        }
      }
    }
  }
  sql.close();
  return looks.sort((a, b) => b.time - a.time);
}

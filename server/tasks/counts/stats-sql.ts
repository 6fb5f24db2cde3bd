import type { DatabaseSync } from 'node:sqlite';
import { tasks } from '../../../shared/records/index.ts';
import { indexName } from '../../store/types.ts';
import { PredicateSql } from '../predicates/predicate-sql.ts';
import type { Predicate, ScalarField } from '../predicates/predicate.ts';

/** How many messages have each status: `[1]` new … `[4]` done. */
export type ByStatus = number[];

/**
 * Numbers of messages by status, and the same for each category, type, department and assigned department
 * that has any; in the order of their ids.
 */
export interface Stats {
  total: ByStatus;
  categories: [id: number, byStatus: ByStatus][];
  types: [id: number, byStatus: ByStatus][];
  organizations: [id: number, byStatus: ByStatus][];
  assignedOrganizations: [id: number, byStatus: ByStatus][];
}

const KINDS = {
  categories: 'categoryId',
  types: 'typeId',
  organizations: 'organizationId',
  assignedOrganizations: 'assignedOrganizationId',
} as const;
/** By which the index of statistics begins; by the others SQLite would look up rows one by one. */
const LEAD: ReadonlySet<ScalarField> = new Set(['isDeleted', 'archived', 'organizationId', 'status']);

/**
 * Counts all at once, along an index that holds whatever is counted; of a million messages it takes a good
 * part of a second, so it is asked in a worker.
 */
export function readStats(sql: DatabaseSync, table: string, predicate: Predicate): Stats {
  const total = [0, 0, 0, 0, 0];
  const found = {
    categories: new Map<number, ByStatus>(),
    types: new Map<number, ByStatus>(),
    organizations: new Map<number, ByStatus>(),
    assignedOrganizations: new Map<number, ByStatus>(),
  };
  new PredicateSql(sql).with(
    predicate,
    ({ text, values }) => {
      const rows = sql.prepare(
        `SELECT organizationId, assignedOrganizationId, status, typeId, categoryId, count(*) AS count FROM ${everything(table)} WHERE deleted=0 AND ${text} GROUP BY organizationId, status, assignedOrganizationId, typeId, categoryId`,
      );
      for (const row of rows.iterate(...values)) {
        const [status, count] = [Number(row['status']), Number(row['count'])];
        total[status]! += count;
        for (const kind of Object.keys(KINDS) as (keyof typeof KINDS)[]) {
          const id = Number(row[KINDS[kind]]);
          if (id === 0) continue;
          const byStatus = found[kind].get(id) ?? [0, 0, 0, 0, 0];
          byStatus[status]! += count;
          found[kind].set(id, byStatus);
        }
      }
    },
    LEAD,
  );
  const inOrder = (map: Map<number, ByStatus>) => [...map].sort(([a], [b]) => a - b);
  return {
    total,
    categories: inOrder(found.categories),
    types: inOrder(found.types),
    organizations: inOrder(found.organizations),
    assignedOrganizations: inOrder(found.assignedOrganizations),
  };
}

/** SQLite would take a shorter index now and then, and read each message for what that has not. */
function everything(table: string): string {
  return `${table} INDEXED BY ${indexName(
    table,
    tasks.tableIndexes!.find(({ name }) => name === 'everything')!,
  )}`;
}

/** How many messages there are by status. */
export function countByStatus(sql: DatabaseSync, table: string, predicate: Predicate): ByStatus {
  const byStatus = [0, 0, 0, 0, 0];
  new PredicateSql(sql).with(
    predicate,
    ({ text, values }) => {
      for (const row of sql
        .prepare(
          `SELECT status, count(*) AS count FROM ${everything(table)} WHERE deleted=0 AND ${text} GROUP BY status`,
        )
        .iterate(...values))
        byStatus[Number(row['status'])] = Number(row['count']);
    },
    LEAD,
  );
  return byStatus;
}

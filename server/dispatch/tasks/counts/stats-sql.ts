import type { DatabaseSync } from 'node:sqlite';
import { tasks } from '../../../../shared/records/index.ts';
import { indexName } from '../../../store/types.ts';
import { PredicateSql } from '../predicates/predicate-sql.ts';
import type { Predicate, ScalarField } from '../predicates/predicate.ts';

/** How many tasks have each status: `[1]` new … `[4]` done. */
export type ByStatus = number[];

/**
 * Numbers of tasks by status, in total and for each category, type, organization and assigned organization
 * that has any; ordered by id.
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
/** The first fields of the statistics index; with conditions on others SQLite would look up single rows. */
const LEAD: ReadonlySet<ScalarField> = new Set(['isDeleted', 'archived', 'organizationId', 'status']);

/**
 * Counts everything in one pass over a covering index. A million tasks take most of a second, so call it in a
 * worker.
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

/** Without this SQLite sometimes takes a shorter index and reads each task for the missing columns. */
function everything(table: string): string {
  return `${table} INDEXED BY ${indexName(
    table,
    tasks.tableIndexes!.find(({ name }) => name === 'everything')!,
  )}`;
}

/** How many tasks there are by status. */
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

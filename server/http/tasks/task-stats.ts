import { z } from 'zod';
import type { Stats } from '../../dispatch/tasks/index.ts';

export const StatusCount = z.object({ status_id: z.int(), count: z.int() }).meta({ id: 'StatusCount' });
const statuses = z.array(StatusCount);

export const StatsAnswer = z.object({
  statuses,
  categories: z.array(z.object({ category_id: z.int(), statuses })),
  types: z.array(z.object({ type_id: z.int(), statuses })),
  departments: z.array(z.object({ department_id: z.int(), statuses })),
  assignedDepartments: z.array(z.object({ assigned_department_id: z.int(), statuses })),
});

export function presentStats(stats: Stats): z.input<typeof StatsAnswer> {
  return {
    statuses: presentStatuses(stats.total),
    categories: stats.categories.map(([id, byStatus]) => ({ category_id: id, statuses: presentStatuses(byStatus) })),
    types: stats.types.map(([id, byStatus]) => ({ type_id: id, statuses: presentStatuses(byStatus) })),
    departments: stats.organizations.map(([id, byStatus]) => ({
      department_id: id,
      statuses: presentStatuses(byStatus),
    })),
    assignedDepartments: stats.assignedOrganizations.map(([id, byStatus]) => ({
      assigned_department_id: id,
      statuses: presentStatuses(byStatus),
    })),
  };
}

/** All four statuses, including those without tasks. */
export function presentStatuses(byStatus: readonly number[]): z.input<typeof statuses> {
  return [1, 2, 3, 4].map((status) => ({ status_id: status, count: byStatus[status] ?? 0 }));
}

import { readMarks, type KeptPreset } from '../presets/follow-presets.ts';
import { EVERYTHING, type TaskFilter } from './task-filter.ts';
import { ORDERS, type TaskOrder } from './task-orders.ts';

/** A saved query with a name of its own. */
export interface SavedView extends KeptPreset {
  readonly filter: TaskFilter;
  readonly order: TaskOrder;
}

/** Views that everybody has; their names are words of the console. */
export const STANDING_VIEWS = ['open', 'me', 'new', 'assigned', 'done'] as const;
type StandingView = (typeof STANDING_VIEWS)[number];
export const STANDING_FILTERS: Readonly<Record<StandingView, TaskFilter>> = {
  open: { ...EVERYTHING, statuses: [1, 2, 3] },
  me: { ...EVERYTHING, statuses: [1, 2, 3], forMe: true },
  new: { ...EVERYTHING, statuses: [1] },
  assigned: { ...EVERYTHING, statuses: [2, 3] },
  done: { ...EVERYTHING, statuses: [4] },
};

export const isStanding = (id: string): id is StandingView => (STANDING_VIEWS as readonly string[]).includes(id);

/** Filters whose names in stored views were others. */
const FORMER_PARTS: Readonly<Record<string, string>> = {
  organizationIds: 'departmentIds',
  assignedOrganizationIds: 'assignedDepartmentIds',
};

/** A view of an earlier version lacks newer filters; invalid views are dropped. */
export function readView(stored: unknown): SavedView[] {
  const { id, name, filter, order } = (stored ?? {}) as Partial<SavedView>;
  if (typeof id !== 'string' || typeof name !== 'string' || typeof filter !== 'object' || filter === null) return [];
  const parts = Object.entries(EVERYTHING).map(([part, none]) => {
    const parts = filter as unknown as Record<string, unknown> | null;
    const value = parts?.[part] ?? parts?.[FORMER_PARTS[part] ?? ''];
    return [part, typeof value === typeof none && Array.isArray(value) === Array.isArray(none) ? value : none];
  });
  return [
    {
      id,
      name,
      filter: Object.fromEntries(parts) as unknown as SavedView['filter'],
      order: ORDERS.includes(order as TaskOrder) ? (order as TaskOrder) : 'urgency',
      ...readMarks(stored),
    },
  ];
}

import { EVERYTHING, type TaskFilter } from './task-filter.ts';
import type { TaskOrder } from './task-orders.ts';

/** A saved query with a name of its own. */
export interface SavedView {
  readonly id: string;
  readonly name: string;
  readonly filter: TaskFilter;
  readonly order: TaskOrder;
}

/** Views that everybody has; their names are words of the console. */
export const STANDING_VIEWS = ['open', 'new', 'assigned', 'done'] as const;
type StandingView = (typeof STANDING_VIEWS)[number];
export const STANDING_FILTERS: Readonly<Record<StandingView, TaskFilter>> = {
  open: { ...EVERYTHING, statuses: [1, 2, 3] },
  new: { ...EVERYTHING, statuses: [1] },
  assigned: { ...EVERYTHING, statuses: [2, 3] },
  done: { ...EVERYTHING, statuses: [4] },
};

export const isStanding = (id: string): id is StandingView => (STANDING_VIEWS as readonly string[]).includes(id);

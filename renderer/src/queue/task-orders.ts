import type { QueueRow } from '../board/ordered-queue.ts';

/** `urgency` is the order of the queue itself; the others are for looking something up. */
export const ORDERS = ['urgency', 'newest', 'oldest', 'changed', 'longest', 'type', 'category', 'department'] as const;
export type TaskOrder = (typeof ORDERS)[number];

const BY: Readonly<Record<Exclude<TaskOrder, 'urgency'>, (row: QueueRow) => number>> = {
  newest: ({ task }) => -task.date,
  oldest: ({ task }) => task.date,
  changed: ({ task }) => -task.updatedAt,
  longest: ({ task }) => task.statusSince,
  type: ({ task }) => task.typeId,
  category: ({ task }) => task.categoryId || Infinity,
  department: ({ task }) => task.departmentId,
};

/** Rows that come in the order of the queue; within equals they keep it. */
export function inOrder(rows: readonly QueueRow[], order: TaskOrder): readonly QueueRow[] {
  if (order === 'urgency') return rows;
  const by = BY[order];
  // Infinity - Infinity is no number, so nothing is subtracted.
  return rows.toSorted((one, other) => (by(one) < by(other) ? -1 : by(one) > by(other) ? 1 : 0));
}

import type { QueueRow } from './ordered-queue.ts';

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
  department: ({ task }) => task.organizationId,
};

/** Rows that come in the order of the queue; within equals they keep it. */
export function inOrder(rows: readonly QueueRow[], order: TaskOrder): readonly QueueRow[] {
  if (order === 'urgency') return rows;
  const keys = Float64Array.from(rows, BY[order]);
  // Places are sorted, not rows: a comparison looks at two numbers. Infinity - Infinity is NaN, so nothing
  // is subtracted.
  const places = Uint32Array.from(rows, (_row, place) => place);
  places.sort((a, b) => (keys[a]! < keys[b]! ? -1 : keys[a]! > keys[b]! ? 1 : a - b));
  return Array.from(places, (place) => rows[place]!);
}

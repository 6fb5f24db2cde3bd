import { QUEUE_GROUPS, type QueueGroup } from '../../../lib/tasks/urgency.ts';

/** The facts of a row that place it in the queue. */
export interface PlacedRow {
  readonly group: QueueGroup;
  /** It has a third line, for units. */
  readonly hasThree: boolean;
  /** epoch ms */
  readonly date: number;
}

/** A line of the queue: the head of a group, or a task by its id. */
export interface GroupHead {
  readonly group: QueueGroup;
  readonly count: number;
  /** The earliest date in the group, epoch ms. */
  readonly oldest: number;
}
export type QueueLine = GroupHead | number;

export const isHead = (line: QueueLine): line is GroupHead => typeof line !== 'number';

/**
 * The rows under the heads of their groups. Rows that are held keep the group that they had, so `placeOf` must
 * not change while they are; a row that it does not know stays where it is.
 */
export function linesOf(
  ids: readonly number[],
  placeOf: (id: number) => PlacedRow | undefined,
  folded: ReadonlySet<QueueGroup>,
): readonly QueueLine[] {
  const groups = new Map<QueueGroup, { ids: number[]; oldest: number }>();
  let last: QueueGroup = QUEUE_GROUPS[0];
  for (const id of ids) {
    const place = placeOf(id);
    last = place?.group ?? last;
    const group = groups.get(last) ?? { ids: [], oldest: Infinity };
    groups.set(last, group);
    group.ids.push(id);
    group.oldest = Math.min(group.oldest, place?.date ?? Infinity);
  }
  return QUEUE_GROUPS.flatMap((name): QueueLine[] => {
    const group = groups.get(name);
    if (!group) return [];
    const head = { group: name, count: group.ids.length, oldest: group.oldest };
    return folded.has(name) ? [head] : [head, ...group.ids];
  });
}

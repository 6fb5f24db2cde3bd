import type { Task } from '../../../../shared/records/index.ts';
import type { TaskPriority } from '../../../../shared/tasks/priority.ts';
import { DONE, NEW } from '../../../../shared/tasks/status.ts';
import { HIGHEST_LEVEL } from '../../../../shared/tasks/waiting.ts';
import {
  dueFrom,
  queueGroupOf,
  laterUntil,
  nextRise,
  taskPriority,
  QUEUE_GROUPS,
  urgencyOf,
  type QueueGroup,
  type TaskDirectory,
  type UrgencyLevel,
} from './urgency.ts';

export interface QueueRow {
  readonly task: Task;
  readonly level: UrgencyLevel;
  readonly group: QueueGroup;
  readonly priority: TaskPriority;
  /** Rows are in the order of this number; ties by id. */
  readonly place: number;
  /** After this instant only time changes its place, or removes it; Infinity: never. */
  readonly until: number;
}

/** More than any time in ms. */
const STEP = 1e13;
/** More than there are places within a group. */
const GROUP_STEP = 16 * STEP;

/**
 * The tasks of the queue in order. A single change costs two binary searches instead of a sort; many changes
 * are sorted apart and merged. The groups are its order; within them an emergency that nobody was sent to comes
 * first, then what is due, then the priority, then the longest wait. Done tasks come latest first.
 */
export class OrderedQueue {
  private rows: QueueRow[] = [];
  private readonly byId = new Map<number, QueueRow>();
  private readonly directory: TaskDirectory;

  constructor(directory: TaskDirectory) {
    this.directory = directory;
  }

  /** The rows in order; a new array after each change, so it can be compared. */
  get ordered(): readonly QueueRow[] {
    return this.rows;
  }

  get(id: number): QueueRow | undefined {
    return this.byId.get(id);
  }

  /** Applies the changed tasks; undefined: deleted. */
  apply(changes: readonly { readonly id: number; readonly task: Task | undefined }[], now: number): void {
    if (changes.length > 200) return this.merge(changes, now);
    const rows = [...this.rows];
    for (const { id, task } of changes) {
      const old = this.byId.get(id);
      if (old) rows.splice(find(rows, old), 1);
      this.byId.delete(id);
      if (!task || !belongs(task, now)) continue;
      const row = this.rowOf(task, now);
      rows.splice(find(rows, row), 0, row);
      this.byId.set(id, row);
    }
    this.rows = rows;
  }

  /** As time goes by tasks become due, and done ones old. Tells whether the order has changed. */
  passTime(now: number): boolean {
    const moved = this.rows.filter((row) => now > row.until);
    if (moved.length > 0)
      this.apply(
        moved.map(({ task }) => ({ id: task.id, task })),
        now,
      );
    return moved.length > 0;
  }

  /** Evaluates all tasks again, after types or categories have changed. */
  refresh(now: number): void {
    this.merge(
      [...this.byId].map(([id, { task }]) => ({ id, task })),
      now,
    );
  }

  /** Judges and sorts changed tasks; the others keep their order. The last change of a task counts. */
  private merge(changes: readonly { readonly id: number; readonly task: Task | undefined }[], now: number): void {
    const latest = new Map(changes.map(({ id, task }) => [id, task]));
    const kept = this.rows.filter((row) => !latest.has(row.task.id));
    const fresh: QueueRow[] = [];
    for (const [id, task] of latest) {
      this.byId.delete(id);
      if (!task || !belongs(task, now)) continue;
      const row = this.rowOf(task, now);
      this.byId.set(id, row);
      fresh.push(row);
    }
    fresh.sort(compare);
    const rows: QueueRow[] = [];
    let at = 0;
    for (const row of fresh) {
      while (at < kept.length && compare(kept[at]!, row) < 0) rows.push(kept[at++]!);
      rows.push(row);
    }
    while (at < kept.length) rows.push(kept[at++]!);
    this.rows = rows;
  }

  private rowOf(task: Task, now: number): QueueRow {
    const urgency = urgencyOf(task, this.directory, now);
    const { level, deadline, rise } = urgency;
    const priority = taskPriority(task, this.directory);
    const group = queueGroupOf(task, priority, urgency);
    const risen = rise && !rise.isSeen ? rise.level : 0;
    const rank = group === 'emergency' ? (task.status === NEW ? 0 : 1) : (level === 'due' ? 0 : 4) + priority - 1;
    // The higher a task has risen, the further in front.
    const within = risen > 0 ? HIGHEST_LEVEL - risen : rank + HIGHEST_LEVEL;
    return {
      task,
      level,
      group,
      priority,
      until: group === 'done' ? task.statusSince + DONE_MS : this.nextChange(task, group, deadline, now),
      place:
        QUEUE_GROUPS.indexOf(group) * GROUP_STEP +
        (group === 'done' ? STEP - task.statusSince : within * STEP + task.date),
    };
  }

  /** When only time moves an open task: it begins, rises, is due, or is overdue. */
  private nextChange(task: Task, group: QueueGroup, deadline: number | undefined, now: number): number {
    if (group === 'later') return laterUntil(task, this.directory);
    const rises = nextRise(task, this.directory, now);
    if (deadline === undefined || now > deadline) return rises;
    const due = dueFrom(task, deadline);
    return Math.min(rises, now > due ? deadline : due);
  }
}

/** Done tasks stay in sight for a day. */
const DONE_MS = 24 * 3_600_000;
const belongs = (task: Task, now: number) =>
  !task.isDeleted && !task.archived && !(task.status === DONE && now - task.statusSince > DONE_MS);
const compare = (one: QueueRow, other: QueueRow) => one.place - other.place || one.task.id - other.task.id;

/** Where `row` is, or has to be. */
function find(rows: readonly QueueRow[], row: QueueRow): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(rows[middle]!, row) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

import type { Attachment, Task } from '../../../../shared/records/index.ts';
import { COUNTED } from '../../../dispatch/files/index.ts';
import type { Store } from '../../../store/index.ts';
import { byAge } from './by-age.ts';
import type { MergedChange, SpanningRule } from './rule-runner.ts';

/**
 * Ordinals of attachments name their files: of two equal ones the later attachment gets the next that was never
 * used. And the counts that tasks keep of their attachments follow.
 */
export function attachmentsOfTasks(store: Store): SpanningRule {
  const attachments = store.records('attachments');
  const tasks = store.records('tasks');
  const ofTask = store.sql.prepare(`SELECT data FROM ${store.table('attachments')} WHERE deleted = 0 AND taskId = ?`);
  return {
    collections: ['attachments'],
    async restore(_collection, changes) {
      const merged = new Map<number, { removed: boolean }>();
      for (const change of changes) {
        const { taskId } = change.record as unknown as Attachment;
        merged.set(taskId, { removed: merged.get(taskId)?.removed === true || tookAway(change) });
      }
      for (const [taskId, { removed }] of merged) {
        const all = ofTask.all(taskId).map((row) => JSON.parse(row['data'] as string) as Attachment);
        for (const [id, num] of ordinalsToChange(all)) await attachments.change(id, (now) => ({ ...now, num }));
        if (tasks.get(taskId)) await tasks.change(taskId, (task) => withCounts(task, all, removed));
      }
    },
  };
}

function tookAway({ record, before }: MergedChange): boolean {
  const was = before as unknown as Attachment | undefined;
  return was !== undefined && !was.removed && (record as unknown as Attachment).removed;
}

/** The new ordinal of each attachment that has that of an earlier one. */
export function ordinalsToChange(all: readonly Attachment[]): Map<number, number> {
  const changed = new Map<number, number>();
  for (const kind of Object.keys(COUNTED)) {
    const ofKind = all.filter((attachment) => attachment.kind === kind).sort(byAge);
    const used = new Set<number>();
    let next = Math.max(-1, ...ofKind.map(({ num }) => num)) + 1;
    for (const { id, num } of ofKind) {
      if (used.has(num)) changed.set(id, next++);
      else used.add(num);
    }
  }
  return changed;
}

/**
 * Attachments come after their task, so a count that is too high may only be early: it is lowered when an
 * attachment was taken away.
 */
function withCounts(task: Task, all: readonly Attachment[], removed: boolean): Task {
  const present = all.filter((attachment) => !attachment.removed);
  let next = task;
  for (const [kind, field] of Object.entries(COUNTED)) {
    const count = present.filter((attachment) => attachment.kind === kind).length;
    if (count > task[field] || (removed && count < task[field])) next = { ...next, [field]: count };
  }
  const photos = present.filter(({ kind }) => kind === 'photo');
  if (next !== task && task.mainPhoto === null && photos.length > 0)
    next = { ...next, mainPhoto: Math.min(...photos.map(({ num }) => num)) };
  return next;
}

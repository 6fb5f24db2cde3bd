import { stationPart, stationPartOf } from '../../../../shared/merge/stamps.ts';
import { stampOf } from '../../../../shared/merge/merge.ts';
import type { Comment, Task } from '../../../../shared/records/index.ts';
import type { Store } from '../../../store/index.ts';
import { report } from './reported.ts';
import type { SpanningRule } from './rule-runner.ts';

/**
 * A comment or an attachment that the deletion of its task had not seen brings the task back. The station
 * that deleted it knows: it had seen nothing that arrives later. Others know only edits written later.
 */
export function deletedTasks(store: Store): SpanningRule {
  const tasks = store.records('tasks');
  return {
    collections: ['comments', 'attachments'],
    async restore(_collection, changes) {
      const here = stationPart(store.stationNumber, store.feed.epoch);
      for (const { record, before, deleted } of changes) {
        if (before || deleted || (record as { removed?: boolean }).removed) continue;
        const task = tasks.get((record as unknown as Comment).taskId) as Task | undefined;
        if (!task?.isDeleted) continue;
        const deletion = stampOf(task.hlc, 'isDeleted');
        if (stationPartOf(deletion) !== here && record.hlc.base < deletion) continue;
        // The record of the deletion that lost, as the merge of the task itself would make it.
        await report(store, `messages|${task.key}|isDeleted|${deletion}`, {
          recordCollection: 'tasks',
          recordKey: task.key,
          recordId: task.id,
          taskId: task.id,
          field: 'isDeleted',
          rule: '',
          otherId: 0,
          kept: { value: false, stamp: record.hlc.base },
          lost: { value: true, stamp: deletion },
        });
        await tasks.change(task.id, (now) =>
          stampOf(now.hlc, 'isDeleted') === deletion ? { ...now, isDeleted: false } : now,
        );
      }
    },
  };
}

import { stampOf } from '../../../../shared/merge/merge.ts';
import type { Category, Task, TaskType } from '../../../../shared/records/index.ts';
import type { Store } from '../../../store/index.ts';
import { report } from './reported.ts';
import type { SpanningRule } from './rule-runner.ts';

const FIELDS = { type: 'typeId', category: 'categoryId' } as const;
type Kind = keyof typeof FIELDS;

/**
 * A type or category that one station deleted while another one used it stays deleted, and operators see it.
 * A type in use cannot be deleted knowingly; a category can, so only later uses of it count.
 */
export function deletedInUse(store: Store): SpanningRule {
  const lists = {
    type: store.kind<TaskType>('directories', 'type'),
    category: store.kind<Category>('directories', 'category'),
  };
  const tasksWith = (field: string) =>
    store.sql.prepare(
      `SELECT data FROM ${store.table('tasks')} WHERE deleted = 0 AND isDeleted = 0 AND archived IN (0, 1) AND ${field} = ?`,
    );
  const using = { type: tasksWith(FIELDS.type), category: tasksWith(FIELDS.category) };

  const reportUse = async (kind: Kind, entry: TaskType | Category, task: Task) => {
    const deletion = stampOf(entry.hlc, 'isDeleted');
    const use = stampOf(task.hlc, FIELDS[kind]);
    if (kind === 'category' && use < deletion) return false;
    await report(store, `deleted-in-use|${entry.key}|${deletion}`, {
      recordCollection: 'directories',
      recordKey: entry.key,
      recordId: entry.id,
      taskId: 0,
      field: 'isDeleted',
      rule: 'deleted-in-use',
      otherId: task.id,
      kept: { value: true, stamp: deletion },
      lost: { value: false, stamp: use },
    });
    return true;
  };

  return {
    collections: ['directories', 'tasks'],
    async restore(collection, changes) {
      for (const { record, deleted } of changes) {
        if (deleted) continue;
        if (collection === 'tasks') {
          const task = record as unknown as Task;
          if (task.isDeleted) continue;
          for (const kind of ['type', 'category'] as const) {
            const entry = lists[kind].get(task[FIELDS[kind]]);
            if (entry?.isDeleted) await reportUse(kind, entry, task);
          }
        } else if (record.kind === 'type' || record.kind === 'category') {
          const entry = lists[record.kind].get(record.id);
          if (!entry?.isDeleted) continue;
          for (const row of using[record.kind].iterate(record.id))
            if (await reportUse(record.kind, entry, JSON.parse(row['data'] as string) as Task)) break;
        }
      }
    },
  };
}

import { keyOf } from '../../../../shared/ids.ts';
import { stationPartOf } from '../../../../shared/merge/stamps.ts';
import type { MergeRecord } from '../../../../shared/records/index.ts';
import { FIRST_RENUMBERED, type AnyStored, type CollectionName, type Store } from '../../../store/index.ts';
import type { SpanningRule } from './rule-runner.ts';

type Owner = 'tasks' | 'comments';

/** Records that name a task or a comment, and the field in which they do. */
const REFERENCES: readonly { readonly from: CollectionName; readonly field: string; readonly to: Owner }[] = [
  { from: 'comments', field: 'taskId', to: 'tasks' },
  { from: 'attachments', field: 'taskId', to: 'tasks' },
  { from: 'history', field: 'taskId', to: 'tasks' },
  { from: 'comments', field: 'parentId', to: 'comments' },
];

interface Renumbered {
  readonly id: number;
  /** The id that it had, which belongs to another record. */
  readonly before: number;
  /** Stamp of its creation. */
  readonly madeAt: string;
}

/**
 * Two tasks had one id, and the later one got another (`merging/made-twice.ts`): later records of its station
 * about it follow it.
 */
export function renumbered(store: Store): SpanningRule {
  const lowest = keyOf(FIRST_RENUMBERED);
  const selects = Object.fromEntries(
    (['tasks', 'comments'] as const).map((name) => [
      name,
      store.sql.prepare(`SELECT data FROM ${store.table(name)} WHERE deleted = 0 AND key >= ? AND length(key) = 10`),
    ]),
  );
  const said = store.sql.prepare(
    `SELECT data FROM ${store.table('merges')} WHERE deleted = 0 AND taskId = ? AND json_extract(data, '$.field') = 'id'`,
  );

  function all(to: Owner): Renumbered[] {
    return selects[to]!.all(lowest).flatMap(({ data }) => {
      const record = JSON.parse(data as string) as AnyStored & { readonly taskId?: number };
      const merge = said
        .all(to === 'tasks' ? record.id : record.taskId!)
        .map((row) => JSON.parse(row['data'] as string) as MergeRecord)
        .find(({ recordCollection, recordId }) => recordCollection === to && recordId === record.id);
      return merge ? [{ id: record.id, before: merge.lost.value as number, madeAt: record.hlc.base }] : [];
    });
  }

  async function follow(from: CollectionName, field: string, moved: Renumbered): Promise<void> {
    const naming = store.sql
      .prepare(`SELECT data FROM ${store.table(from)} WHERE deleted = 0 AND json_extract(data, '$.${field}') = ?`)
      .all(moved.before)
      .map(({ data }) => JSON.parse(data as string) as AnyStored)
      .filter(({ hlc }) => stationPartOf(hlc.base) === stationPartOf(moved.madeAt) && hlc.base >= moved.madeAt);
    const records = store.records(from as 'comments');
    for (const { id } of naming)
      await records.change(id, (now) =>
        (now as unknown as Record<string, unknown>)[field] === moved.before ? { ...now, [field]: moved.id } : now,
      );
  }

  return {
    collections: ['tasks', 'comments', 'attachments', 'history', 'merges'],
    async restore(collection, changes) {
      // Usually the list is empty.
      for (const to of ['tasks', 'comments'] as const) {
        for (const moved of all(to)) {
          const isAbout = changes.some(
            ({ record }) =>
              record.id === moved.id ||
              (record as AnyStored & { taskId?: number; parentId?: number }).taskId === moved.before ||
              (record as AnyStored & { parentId?: number }).parentId === moved.before ||
              (collection === 'merges' && (record as unknown as MergeRecord).recordId === moved.id),
          );
          if (!isAbout) continue;
          for (const { from, field, to: named } of REFERENCES) if (named === to) await follow(from, field, moved);
        }
      }
    },
  };
}

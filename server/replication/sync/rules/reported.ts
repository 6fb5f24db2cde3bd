import { digestId } from '../../../platform/digest-id.ts';
import type { MergeRecord } from '../../../../shared/records/index.ts';
import type { Draft, Records, Store } from '../../../store/index.ts';

type ReportedStatus = Pick<
  MergeRecord,
  'recordCollection' | 'recordKey' | 'recordId' | 'taskId' | 'field' | 'rule' | 'otherId' | 'kept' | 'lost'
>;

export function mergeRecords(store: Store): Records<MergeRecord> {
  return store.records('merges') as unknown as Records<MergeRecord>;
}

/** Makes the merge record of a rule, once; `about` names the case, the same at every station. */
export async function report(store: Store, about: string, reported: ReportedStatus): Promise<void> {
  const id = digestId(`merge|${about}`);
  const records = mergeRecords(store);
  if (records.get(id)) return;
  const draft: Draft<MergeRecord> = { id, ...reported, resolved: '', resolvedAt: 0, resolvedBy: 0 };
  await records.insert(draft, 'computed').catch((error: { code?: string }) => {
    // It came from another station meanwhile.
    if (error.code !== 'conflict') throw error;
  });
}

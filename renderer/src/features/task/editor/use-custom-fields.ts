import { computed } from 'vue';
import { byOrder } from '../../../../../shared/custom-fields/custom-fields.ts';
import type { CustomField } from '../../../../../shared/records/index.ts';
import { useLive } from '../../../lib/stores/live.ts';

/** The custom fields that are not deleted, in their order. */
export function useCustomFields() {
  const { records } = useLive();
  return computed(() => {
    void records.directories.version.value;
    const fields = [...records.directories.values()] as unknown as { kind: string; isDeleted: boolean }[];
    return (
      fields.filter(({ kind, isDeleted }) => kind === 'customField' && !isDeleted) as unknown as CustomField[]
    ).sort(byOrder);
  });
}

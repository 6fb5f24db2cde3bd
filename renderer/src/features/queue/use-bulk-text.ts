import { useLocale } from '../../lib/i18n/index.ts';
import type { BulkAction } from './bulk.ts';
import { useFilterChoices } from './use-filter-choices.ts';

/** An action on many tasks as a text: "Status: Done". */
export function useBulkText(): (action: BulkAction) => string {
  const { t } = useLocale();
  const choices = useFilterChoices();
  return (action) => {
    const kind = t(`queue.bulk.kinds.${action.kind}`);
    if (!('value' in action)) return kind;
    const lists = {
      status: choices.statuses,
      vehicle: choices.vehicles,
      person: choices.people,
      department: choices.organizations,
      type: choices.types,
      category: choices.categories,
    };
    const value =
      lists[action.kind].value.find((choice) => choice.value === action.value)?.text ??
      t(action.kind === 'category' ? 'directories.none' : 'queue.bulk.nobody');
    return t('queue.bulk.to', { kind, value });
  };
}

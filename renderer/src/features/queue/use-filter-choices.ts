import { computed } from 'vue';
import { useAccountRecords, useDirectoryRecords } from '../../lib/replica/use-records.ts';
import { useVehicles } from '../../lib/stores/vehicles.ts';
import { useLocale } from '../../lib/i18n/index.ts';

export interface NamedChoice {
  readonly value: number;
  readonly text: string;
}

/** Choices for a task, by its lists: for filters and for changes of many at once. */
export function useFilterChoices() {
  const { t } = useLocale();
  const vehicles = useVehicles();
  const named = (rows: readonly { readonly id: number; readonly name: string }[]): readonly NamedChoice[] =>
    rows.map(({ id, name }) => ({ value: id, text: name }));
  const types = useDirectoryRecords('type');
  const groups = useDirectoryRecords('typeGroup');
  const categories = useDirectoryRecords('category');
  const organizations = useAccountRecords('organization');
  const states = useDirectoryRecords('stateRule');
  const people = useAccountRecords('user');
  return {
    statuses: computed(() => [1, 2, 3, 4].map((value) => ({ value, text: t(`taskStatus.${value}`) }))),
    types: computed(() => named(types.current.value)),
    groups: computed(() => named(groups.current.value)),
    categories: computed(() => named(categories.current.value)),
    organizations: computed(() => named(organizations.current.value)),
    states: computed(() => named(states.current.value)),
    people: computed(() => named(people.current.value)),
    vehicles: computed(() => named(vehicles.all)),
    confirmations: computed(() => [0, 1, 2].map((value) => ({ value, text: t(`task.confirmed.${value}`) }))),
  };
}

import { computed } from 'vue';
import { useTasks } from '../../../lib/stores/tasks.ts';
import { useVehicles } from '../../../lib/stores/vehicles.ts';
import { useLocale } from '../../../lib/i18n/index.ts';
import type { TaskForm } from './task-form.ts';

/** The choices of the task form. */
export function useTaskChoices(form: TaskForm) {
  const tasks = useTasks();
  const vehicles = useVehicles();
  const { t } = useLocale();

  /** The current value can be chosen even if it has left the list. */
  function withNone(
    list: readonly { readonly id: number; readonly name: string }[],
    chosen: number,
    nameOf: (id: number) => string | undefined,
  ) {
    const known =
      chosen === 0 || list.some(({ id }) => id === chosen)
        ? list
        : [{ id: chosen, name: nameOf(chosen) ?? `#${chosen}` }, ...list];
    return [{ value: 0, text: t('task.fields.none') }, ...known.map(({ id, name }) => ({ value: id, text: name }))];
  }

  return {
    types: computed(() => tasks.types.map(({ id, name }) => ({ value: id, text: name }))),
    categories: computed(() => [
      { value: 0, text: t('task.fields.none') },
      ...tasks.categories.map(({ id, name }) => ({ value: id, text: name })),
    ]),
    organizations: computed(() => withNone(tasks.organizations, form.assignedOrganizationId, tasks.organizationName)),
    users: computed(() => withNone(tasks.people, form.assignedUserId, tasks.personName)),
    vehicles: computed(() => withNone(vehicles.all, form.assignedVehicleId, vehicles.nameOf)),
    confirmations: computed(() => [0, 1, 2].map((value) => ({ value, text: t(`task.confirmed.${value}`) }))),
    notices: computed(() => [0, 1, 2].map((value) => ({ value, text: t(`task.notice.${value}`) }))),
  };
}

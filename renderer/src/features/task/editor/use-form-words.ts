import { useValueWords } from '../use-value-words.ts';
import type { FormKey, TaskForm } from './task-form.ts';

/** Fields of the form that the interface calls otherwise. */
const NAMES: Partial<Record<FormKey, string>> = {
  typeId: 'news_type_id',
  categoryId: 'category_id',
  assignedOrganizationId: 'assigned_organization_id',
  assignedUserId: 'assigned_user_id',
  assignedVehicleId: 'assigned_car_id',
  date: 'news_date',
  place: 'address',
  confirmedComment: 'confirmed_comment',
};

/** The fields of the task form and their values, in words. */
export function useFormWords() {
  const { fieldName, valueWords } = useValueWords();
  const nameOf = (key: FormKey) => fieldName(NAMES[key] ?? key);

  function saidIn(form: TaskForm, key: FormKey): string {
    if (key === 'place') return form.place.address || valueWords('point', form.place.point);
    if (key === 'date') return form.date.replace('T', ' ');
    return valueWords(NAMES[key] ?? key, form[key]);
  }

  return { nameOf, saidIn };
}

import { computed, ref } from 'vue';
import { isAvailable } from '../../../../../shared/custom-fields/custom-fields.ts';
import type { CustomField } from '../../../../../shared/records/index.ts';
import { useDraft } from '../../task/editor/draft.ts';
import {
  customFaults,
  customKey,
  customOrder,
  dateOrder,
  isDate,
  newValues,
  type FieldText,
  type FormKey,
} from '../../task/editor/task-form.ts';
import { useCustomFields } from '../../task/editor/use-custom-fields.ts';
import { useSession } from '../../../lib/stores/session.ts';
import { useLocale } from '../../../lib/i18n/index.ts';

/** Custom fields and the date of the new task. Required ones are shown at once, the others on request. */
export function useIntakeFields() {
  const { draft } = useDraft();
  const session = useSession();
  const fields = useCustomFields();
  const { t } = useLocale();

  const values = computed(() => newValues(fields.value, draft.custom));
  const available = computed(() => fields.value.filter((field) => isAvailable(field, draft.typeId)));
  const needed = computed(() => available.value.filter((field) => field.required));
  const further = computed(() => available.value.filter((field) => !field.required));
  const take = (field: CustomField, value: FieldText) => (draft.custom[customKey(field)] = value);

  /** Faults are shown when it was tried to save. */
  const tried = ref(false);
  const faults = computed(() => {
    const found = customFaults({ typeId: draft.typeId, ...values.value }, fields.value);
    return draft.date === '' || isDate(draft.date) ? found : found.set('date', { rule: 'date' });
  });
  function problemOf(key: FormKey): string | undefined {
    const fault = tried.value ? faults.value.get(key) : undefined;
    return fault && t(`task.faults.${fault.rule}`, fault as unknown as Record<string, unknown>);
  }
  const isFaulty = (field: CustomField) => faults.value.has(customKey(field));

  return {
    values,
    needed,
    further,
    take,
    tried,
    faults,
    problemOf,
    isFaulty,
    order: () => customOrder(values.value, available.value),
    date: () => (draft.date === '' ? undefined : dateOrder(draft.date, session.stationTime)),
  };
}

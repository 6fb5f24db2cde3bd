import { computed, ref, shallowRef, watch } from 'vue';
import type { CustomField, Task } from '../../../../../shared/records/index.ts';
import { useDraft } from './draft.ts';
import { useLocale } from '../../../lib/i18n/index.ts';
import { changedKeys, conflictsOf, faultsOf, followOthers, taskForm, set, type FormKey } from './task-form.ts';

/**
 * The edit of a task, kept with the task until it is saved or discarded. Changes by others update fields that
 * were not edited here; a field that both edited is a conflict until one value is chosen.
 */
export function useTaskEdit(task: () => Task, fields: () => readonly CustomField[]) {
  const drafts = useDraft();
  const { t } = useLocale();

  const { id } = task();
  if (!drafts.edits.has(id))
    drafts.edits.set(id, {
      base: taskForm(task(), fields()),
      form: taskForm(task(), fields()),
      comment: '',
      audience: { all: true, author: false, assignedOrganization: false, assignedUser: false },
    });
  const edit = drafts.edits.get(id)!;
  const { base, form } = edit;

  const current = computed(() => taskForm(task(), fields()));
  /** Fields that came in from others since the form was opened. */
  const followed = shallowRef<readonly FormKey[]>([]);
  watch(
    current,
    (now) => {
      const taken = followOthers(base, form, now);
      if (taken.length > 0) followed.value = [...new Set([...followed.value, ...taken])];
    },
    { immediate: true },
  );

  const changed = computed(() => changedKeys(base, form));
  const unsaved = computed(() => changed.value.length > 0 || edit.comment.trim() !== '');
  const conflicts = computed(() => new Set(conflictsOf(base, form, current.value)));
  const isConflict = (key: FormKey) => conflicts.value.has(key);
  function settle(key: FormKey, take: 'theirs' | 'mine') {
    set(base, key, current.value[key]);
    if (take === 'theirs') set(form, key, current.value[key]);
  }

  /** Faults are shown when it was tried to save. */
  const tried = ref(false);
  const faults = computed(() => (tried.value ? faultsOf(base, form, fields()) : new Map<FormKey, never>()));
  function problemOf(key: FormKey): string | undefined {
    const fault = faults.value.get(key);
    return fault && t(`task.faults.${fault.rule}`, fault as unknown as Record<string, unknown>);
  }

  return { edit, current, followed, unsaved, conflicts, isConflict, settle, tried, faults, problemOf };
}

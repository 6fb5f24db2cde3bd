import { computed, watch } from 'vue';
import { courseOf, protocolFor } from '../../../../../shared/calls/protocol.ts';
import type { GivenAnswer } from '../../../../../shared/records/index.ts';
import { priorityOf, type TaskPriority } from '../../../../../shared/tasks/priority.ts';
import { useFleetRecords } from '../../../lib/replica/use-records.ts';
import { useTasks } from '../../../lib/stores/tasks.ts';
import { useDraft } from '../../task/editor/draft.ts';

/** The questions for the task that is being written, and the result of the answers. */
export function useProtocol() {
  const { draft } = useDraft();
  const tasks = useTasks();
  const protocols = useFleetRecords('protocol');

  /** Once answered it stays, also where an answer changes the type. */
  const protocol = computed(
    () =>
      protocols.current.value.find(({ id }) => id === draft.protocolId) ??
      protocolFor(protocols.current.value, draft.typeId),
  );
  const course = computed(() => protocol.value && courseOf(protocol.value, draft.answers));
  const category = computed(() => tasks.categories.find(({ id }) => id === draft.categoryId));
  const set = computed(() => draft.priority || (course.value?.priority ?? 0));
  const priority = computed<TaskPriority>(() => priorityOf({ priority: set.value }, category.value));

  /** Answers the current question, or changes the answer of another one. */
  function answer(index: number, questionId = course.value?.next?.id): void {
    if (!protocol.value || questionId === undefined) return;
    const question = protocol.value.questions.find(({ id }) => id === questionId);
    if (!question?.answers[index]) return;
    draft.protocolId = protocol.value.id;
    draft.answers = { ...draft.answers, [questionId]: index };
    if (course.value?.typeId) draft.typeId = course.value.typeId;
  }
  function back(): void {
    const last = course.value?.given.at(-1);
    if (last)
      draft.answers = Object.fromEntries(
        Object.entries(draft.answers).filter(([id]) => Number(id) !== last.question.id),
      );
  }
  // A person who chooses another type wants its questions.
  watch(
    () => draft.typeId,
    (typeId) => {
      if (draft.protocolId === 0 || typeId === course.value?.typeId || protocol.value?.typeIds.includes(typeId)) return;
      draft.protocolId = 0;
      draft.answers = {};
    },
  );

  const given = computed<GivenAnswer[]>(() =>
    (course.value?.given ?? []).map(({ question, answer: { text, priority: sets } }) => ({
      question: question.text,
      answer: text,
      priority: sets,
    })),
  );
  return { protocol, course, category, set, priority, given, answer, back };
}

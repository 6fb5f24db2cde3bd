import { defineStore } from 'pinia';
import { reactive, ref } from 'vue';
import type { Audience } from '../../../lib/stores/dispatch.ts';
import type { FieldText, TaskForm } from './task-form.ts';

interface DraftPlace {
  readonly lat: number;
  readonly lon: number;
  readonly zoom: number;
  readonly label: string;
}

const empty = () => ({
  /** The telephone call that it is about; 0: none. */
  callId: 0,
  place: undefined as DraftPlace | undefined,
  placeText: '',
  title: '',
  text: '',
  typeId: 0,
  categoryId: 0,
  /** When it begins, as a `datetime-local` control has it; empty: now. */
  date: '',
  /** 1 to 4 as the person set it; 0: as answers and category say. */
  priority: 0,
  /** The call protocol that was begun, and the index of the answer by the id of its question. */
  protocolId: 0,
  answers: {} as Record<number, number>,
  custom: {} as Record<`custom:${number}`, FieldText>,
});

type TaskDraft = ReturnType<typeof empty>;

/** Input of a person or a call. A type alone is the default one. */
function isWritten({ callId, place, placeText, title, text, date, custom }: TaskDraft): boolean {
  return [callId, place, placeText, title, text, date, ...Object.values(custom)].some(Boolean);
}

/** The task that is being written. It stays unchanged while something else is open. */
export const useDraft = defineStore('draft', () => {
  const draft = reactive(empty());
  /** Gives the way back. */
  function clear(): () => void {
    const dropped = { ...draft };
    Object.assign(draft, empty());
    return () => void Object.assign(draft, dropped);
  }
  /** Drafts that gave way to a call, the oldest first. */
  const aside = ref<TaskDraft[]>([]);
  /** Makes room for another call. */
  function putAside(): void {
    if (isWritten(draft)) aside.value.push({ ...draft });
    Object.assign(draft, empty());
  }
  /** Continues the draft that was stored last; the current input takes its place. */
  function takeUp(): void {
    const next = aside.value.pop();
    if (!next) return;
    if (isWritten(draft)) aside.value.unshift({ ...draft });
    Object.assign(draft, next);
  }
  /** Unsent comments, by task id. */
  const comments = reactive(new Map<number, string>());
  /** Unsaved edits by task id: the base, the form, and the comment with its audience. */
  const edits = reactive(new Map<number, { base: TaskForm; form: TaskForm; comment: string; audience: Audience }>());
  return { draft, clear, aside, putAside, takeUp, written: () => isWritten(draft), comments, edits };
});

import { defineStore } from 'pinia';
import { reactive } from 'vue';
import type { Audience } from '../../../lib/stores/dispatch.ts';
import type { FieldText, TaskForm } from './task-form.ts';

interface DraftPlace {
  readonly lat: number;
  readonly lon: number;
  readonly zoom: number;
  readonly label: string;
}

const empty = () => ({
  place: undefined as DraftPlace | undefined,
  placeText: '',
  title: '',
  text: '',
  typeId: 0,
  categoryId: 0,
  custom: {} as Record<`custom:${number}`, FieldText>,
});

/** The task that is being written. It stays as it is when something else is looked at in between. */
export const useDraft = defineStore('draft', () => {
  const draft = reactive(empty());
  /** Gives the way back. */
  function clear(): () => void {
    const dropped = { ...draft };
    Object.assign(draft, empty());
    return () => void Object.assign(draft, dropped);
  }
  /** Unsent comments, by task id. */
  const comments = reactive(new Map<number, string>());
  /** Unsaved edits by task id: the base, the form, and the comment with its audience. */
  const edits = reactive(new Map<number, { base: TaskForm; form: TaskForm; comment: string; audience: Audience }>());
  return { draft, clear, comments, edits };
});

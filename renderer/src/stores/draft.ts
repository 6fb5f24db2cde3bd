import { defineStore } from 'pinia';
import { reactive } from 'vue';
import type { FieldText, TaskForm } from '../task/task-form.ts';

export interface DraftPlace {
  readonly lat: number;
  readonly lon: number;
  readonly zoom: number;
  readonly label: string;
}

const empty = () => ({ place: undefined as DraftPlace | undefined, placeText: '', title: '', text: '', typeId: 0, categoryId: 0, custom: {} as Record<`custom:${number}`, FieldText> });

/** The task that is being written. It stays as it is when something else is looked at in between. */
export const useDraft = defineStore('draft', () => {
  const draft = reactive(empty());
  const clear = () => Object.assign(draft, empty());
  /** What is half said about tasks, by task id. */
  const comments = reactive(new Map<number, string>());
  /** Edits that are not saved yet, by task id: what stood there, and what it is to be. */
  const edits = reactive(new Map<number, { base: TaskForm; form: TaskForm }>());
  return { draft, clear, comments, edits };
});

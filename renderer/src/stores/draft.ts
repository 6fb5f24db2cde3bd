import { defineStore } from 'pinia';
import { reactive } from 'vue';

export interface DraftPlace {
  readonly lat: number;
  readonly lon: number;
  readonly zoom: number;
  readonly label: string;
}

const empty = () => ({ place: undefined as DraftPlace | undefined, placeText: '', title: '', text: '', typeId: 0, categoryId: 0 });

/** The task that is being written. It stays as it is when something else is looked at in between. */
export const useDraft = defineStore('draft', () => {
  const draft = reactive(empty());
  const clear = () => Object.assign(draft, empty());
  /** What is half said about tasks, by task id. */
  const comments = reactive(new Map<number, string>());
  return { draft, clear, comments };
});

import { defineStore } from 'pinia';
import { shallowRef } from 'vue';

/** Unsaved changes by directory, then by record; `new` is the record that does not exist yet. */
type DraftChanges = Readonly<Record<string, unknown>>;
/**
 * The id of a record, which is a text where a row is no record of its own; `new` is the one that is not there
 * yet.
 */
export type DraftKey = number | string;

/**
 * Unsaved changes of every directory, so that leaving a record or a page loses nothing. Only changed fields
 * are held, so that changes by others are shown and not overwritten.
 */
export const useDrafts = defineStore('drafts', () => {
  const drafts = shallowRef<ReadonlyMap<string, ReadonlyMap<DraftKey, DraftChanges>>>(new Map());
  /** The open record of each directory, to return to. */
  const chosen = shallowRef<ReadonlyMap<string, DraftKey>>(new Map());

  function of(directory: string, key: DraftKey): DraftChanges | undefined {
    return drafts.value.get(directory)?.get(key);
  }

  /** The records of a directory that wait to be saved. */
  function waitingIn(directory: string): ReadonlySet<DraftKey> {
    return new Set(drafts.value.get(directory)?.keys());
  }

  /** Without changes nothing waits any more. A new record waits also while nothing is typed. */
  function put(directory: string, key: DraftKey, changes: DraftChanges | undefined): void {
    const records = new Map(drafts.value.get(directory));
    if (changes && (key === 'new' || Object.keys(changes).length > 0)) records.set(key, changes);
    else records.delete(key);
    const all = new Map(drafts.value);
    if (records.size > 0) all.set(directory, records);
    else all.delete(directory);
    drafts.value = all;
  }

  function choose(directory: string, key: DraftKey | undefined): void {
    const all = new Map(chosen.value);
    if (key === undefined) all.delete(directory);
    else all.set(directory, key);
    chosen.value = all;
  }

  return { drafts, chosen, of, waitingIn, put, choose };
});

import { defineStore } from 'pinia';
import { shallowRef } from 'vue';

/** What was typed and not saved: by directory, then by record; `new` is the one that is not there yet. */
type Changes = Readonly<Record<string, unknown>>;
/**
 * The id of a record, which is a text where a row is no record of its own; `new` is the one that is not there
 * yet.
 */
export type DraftKey = number | string;

/**
 * Unsaved changes of every directory, so that leaving a record or a page loses nothing. Only what was changed
 * is held, not the record: what others change meanwhile comes through, and is not written over.
 */
export const useDrafts = defineStore('drafts', () => {
  const drafts = shallowRef<ReadonlyMap<string, ReadonlyMap<DraftKey, Changes>>>(new Map());
  /** What was open in each directory, to come back to. */
  const chosen = shallowRef<ReadonlyMap<string, DraftKey>>(new Map());

  function of(directory: string, key: DraftKey): Changes | undefined {
    return drafts.value.get(directory)?.get(key);
  }

  /** The records of a directory that wait to be saved. */
  function waitingIn(directory: string): ReadonlySet<DraftKey> {
    return new Set(drafts.value.get(directory)?.keys());
  }

  /** Without changes nothing waits any more. A new record waits also while nothing is typed. */
  function put(directory: string, key: DraftKey, changes: Changes | undefined): void {
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

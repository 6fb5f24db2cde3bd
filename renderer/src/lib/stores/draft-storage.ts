/** A change of the stored form changes the number, so that drafts of an older console are ignored. */
const KEY = 'waypost:kept:3';

/** Unsaved input, stored in this tab across a reload, with its author and the page they were on. */
export interface StoredDrafts {
  readonly login: string;
  /** Path of the page, as the router has it. */
  readonly page: string;
  readonly typed: unknown;
}

export function storeDrafts(drafts: StoredDrafts): void {
  sessionStorage.setItem(KEY, JSON.stringify(drafts));
}

/** Undefined: nothing is stored. */
export function storedDrafts(): StoredDrafts | undefined {
  const text = sessionStorage.getItem(KEY);
  return text === null ? undefined : (JSON.parse(text) as StoredDrafts);
}

export function clearStoredDrafts(): void {
  sessionStorage.removeItem(KEY);
}

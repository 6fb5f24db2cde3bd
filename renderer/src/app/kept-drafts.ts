import { useDrafts, type DraftKey } from '../lib/stores/record-drafts.ts';
import { useClosures } from '../features/routes/closures/closures-store.ts';
import { useBoard } from '../lib/stores/board.ts';
import { clearStoredDrafts, storeDrafts, storedDrafts, type StoredDrafts } from '../lib/stores/draft-storage.ts';
import { useDraft } from '../features/task/editor/draft.ts';

/**
 * Unsaved input, kept in this tab over a reload, whether the session ended or the user reloaded. Only the
 * same login gets it back; another user who signs in deletes it unseen.
 */
export function useKeptDrafts() {
  const draft = useDraft();
  const directories = useDrafts();
  const closures = useClosures();
  const board = useBoard();

  const typed = () => ({
    call: { ...draft.draft },
    aside: draft.aside,
    comments: [...draft.comments],
    edits: [...draft.edits],
    directories: [...directories.drafts].flatMap(([directory, records]) =>
      [...records].map(([key, changes]) => ({ directory, key, changes })),
    ),
    chosen: [...directories.chosen],
    closures: [...closures.drafts],
    closure: closures.chosen,
    task: board.chosenTaskId,
    writing: board.writing,
  });
  type Typed = ReturnType<typeof typed>;

  function keep(author: Omit<StoredDrafts, 'typed'>): void {
    storeDrafts({ ...author, typed: typed() });
  }

  function takeUp(login: string): void {
    const kept = storedDrafts();
    clearStoredDrafts();
    if (kept?.login !== login) return;
    const {
      call,
      aside,
      comments,
      edits,
      directories: changes,
      chosen,
      closures: drawn,
      closure,
      task,
      writing,
    } = kept.typed as Typed;
    Object.assign(draft.draft, call);
    draft.aside = aside ?? []; // a console before this one kept none
    for (const [id, text] of comments) draft.comments.set(id, text);
    for (const [id, edit] of edits) draft.edits.set(id, edit);
    for (const { directory, key, changes: of } of changes) directories.put(directory, key as DraftKey, of);
    for (const [directory, key] of chosen) directories.choose(directory, key);
    for (const [key, closureEdit] of drawn) closures.drafts.set(key, closureEdit);
    closures.chosen = closure;
    board.openTask(task);
    board.writing = writing;
  }

  /** Number of unsaved changes, for the question before a user signs out. */
  function waiting(): number {
    const isEdit = ({ base, form, comment }: typeof draft.edits extends Map<number, infer E> ? E : never) =>
      comment.trim() !== '' || JSON.stringify(base) !== JSON.stringify(form);
    const records = [...directories.drafts.values()]
      .flatMap((changes) => [...changes.values()])
      .filter((changes) => Object.keys(changes).length > 0);
    return (
      (draft.written() ? 1 : 0) +
      draft.aside.length +
      [...draft.edits.values()].filter(isEdit).length +
      draft.comments.size +
      records.length +
      closures.drafts.size
    );
  }

  return { keep, takeUp, waiting };
}

import { ref } from 'vue';
import { ApiError } from '../../lib/api/client.ts';
import { waitUntil } from '../../lib/replica/wait-until.ts';
import { useDispatch } from '../../lib/stores/dispatch.ts';
import { useNotices } from '../../lib/stores/notices.ts';
import { useLocale } from '../../lib/i18n/index.ts';
import { actionProblem, refusalOf } from '../../lib/i18n/problem-words.ts';
import type { LocalizedText } from '../../lib/i18n/localized-text.ts';
import type { DirectoryDefinition, DirectoryRow } from './directory.ts';
import { useDrafts } from '../../lib/stores/record-drafts.ts';
import { changesSince, placeRefusal, type FormDraft } from './fields.ts';
import type { RecordDraft } from './use-record-draft.ts';
import { isUnchangedSince, inverseChanges } from './inverse-changes.ts';

/** Facts that only the list knows. */
interface Listing<R extends DirectoryRow> {
  /** The row that is chosen in place of one that goes. */
  readonly neighbourOf: (row: R) => R | undefined;
  /** Goes from the deleted ones to those that are in use. */
  readonly showCurrent: () => void;
}

/**
 * Actions on the records of a directory: each is sent to the station, awaited in the replica, reported, and
 * undone where possible. A refusal goes to its field, or else to the whole form.
 */
export function useRecordActions<R extends DirectoryRow, D extends FormDraft>(
  directory: DirectoryDefinition<R, D>,
  record: RecordDraft<R, D>,
  { neighbourOf, showCurrent }: Listing<R>,
) {
  const drafts = useDrafts();
  const notices = useNotices();
  const dispatch = useDispatch();
  const { t } = useLocale();
  const busy = ref(false);

  const rowNow = (id: R['id']) => directory.rows?.find((one) => one.id === id);
  const nameNow = (id: R['id']) => {
    const found = rowNow(id);
    return found ? directory.nameOf(found) : '';
  };

  /** Says that the record was saved, by its new name. */
  function savedWords(id: R['id']): LocalizedText {
    const name = nameNow(id);
    return () => t('directories.saved', { name });
  }

  /** The form of a refused action may be closed, so a notice says it too. */
  function sayRefused(): void {
    const refused = record.formProblem.value;
    if (refused) notices.show('refused', () => refused);
  }

  /** Runs `work`, and puts a refusal where it belongs. */
  async function attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    busy.value = true;
    record.formProblem.value = '';
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const place = () =>
        error.status === 0 ? { text: actionProblem(error) } : placeRefusal(refusalOf(error), directory.fields);
      const { key } = place();
      if (key) record.problems.value = { [key]: () => place().text };
      else record.formProblem.value = () => place().text;
      return undefined;
    } finally {
      busy.value = false;
    }
  }

  /** Whether it was saved; undefined where nothing can be saved now. */
  async function save(): Promise<boolean | undefined> {
    const key = record.chosen.value;
    if (busy.value || key === undefined || !record.draft.value) return undefined;
    if (record.findFaults()) return false;
    const [from, before, changed, typed] = [
      record.row.value,
      record.base.value!,
      record.changes.value ?? {},
      record.draft.value,
    ];
    const plan = from && directory.plan?.(from, changed);
    const known = new Set(directory.rows?.map((one) => one.id));
    const saved = plan
      ? await make(() => plan)
      : from
        ? await saveChanges(from, typed)
        : await make(() => directory.create!(typed));
    if (saved === undefined) return false;
    const later = changesSince(typed, drafts.of(directory.name, key) as Partial<D> | undefined);
    drafts.put(directory.name, key, undefined);
    if (record.chosen.value === key) record.choose(saved);
    drafts.put(directory.name, saved, later);
    if (plan && known.has(saved)) notices.show('done', savedWords(saved));
    else if (from && !plan) offerChangeBack(from.id, changed, before, typed);
    else offerNewBack(saved);
    return true;
  }

  async function make(work: () => Promise<R['id']>): Promise<R['id'] | undefined> {
    return attempt(async () => {
      const id = await work();
      await waitUntil(() => rowNow(id) !== undefined);
      return id;
    });
  }

  async function saveChanges(from: R, to: D): Promise<R['id'] | undefined> {
    return attempt(async () => {
      await directory.change!(from, record.changes.value ?? {}, to);
      await waitUntil(() => (rowNow(from.id) ?? from) !== from);
      return from.id;
    });
  }

  /** Deletes a record that was just created or restored. */
  async function takeBack(made: R): Promise<void> {
    await directory.remove!(made);
    await waitUntil(() => rowNow(made.id) === undefined);
    if (record.chosen.value === made.id) record.choose(undefined);
  }

  /** A new record is not used anywhere yet, so its deletion does not ask. */
  function offerNewBack(id: R['id']): void {
    const said = savedWords(id);
    const made = rowNow(id);
    if (!made || !directory.remove) return notices.show('done', said);
    dispatch.offerBack(said, () => takeBack(made));
  }

  function offerChangeBack(id: R['id'], changed: Partial<D>, before: D, typed: D): void {
    const said = savedWords(id);
    const [back, saved] = [inverseChanges(changed, before, directory.fields), rowNow(id)];
    if (!back || !saved) return notices.show('done', said);
    const after = directory.draftOf(saved);
    dispatch.offerBack(
      said,
      async () => {
        const now = rowNow(id)!;
        await directory.change!(now, back, { ...directory.draftOf(now), ...back });
        await waitUntil(() => rowNow(id) !== now);
      },
      () => {
        const now = rowNow(id);
        return now !== undefined && isUnchangedSince(changed, directory.draftOf(now), before, typed, after);
      },
    );
  }

  /** Whether the chosen record was deleted. */
  async function remove(): Promise<boolean> {
    const gone = record.row.value;
    if (!gone || !directory.remove) return false;
    const name = directory.nameOf(gone);
    const after = neighbourOf(gone);
    const removed = await attempt(
      async () => (await directory.remove!(gone), await waitUntil(() => rowNow(gone.id) === undefined), true),
    );
    if (!removed) return false;
    drafts.put(directory.name, gone.id, undefined);
    if (record.chosen.value === gone.id) record.choose(after?.id);
    notices.show('done', () => t('directories.removed', { name }), directory.restore && (() => bringBack(gone)));
    return true;
  }

  async function bringBack(gone: R): Promise<void> {
    if (
      !(await attempt(
        async () => (await directory.restore!(gone), await waitUntil(() => rowNow(gone.id) !== undefined), true),
      ))
    ) {
      sayRefused();
      return;
    }
    showCurrent();
    record.choose(gone.id);
    dispatch.offerBack(
      () => t('directories.restored', { name: directory.nameOf(gone) }),
      () => takeBack(gone),
    );
  }

  async function putInOrder(ids: readonly R['id'][]): Promise<void> {
    const before = (directory.rows ?? []).map((one) => one.id);
    if (!(await attempt(async () => (await directory.reorder!(ids), true)))) return sayRefused();
    dispatch.offerBack(
      () => t('directories.reordered'),
      () => directory.reorder!(before),
    );
  }

  return { busy, save, remove, bringBack, putInOrder };
}

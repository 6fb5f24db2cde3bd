import { computed, shallowRef } from 'vue';
import { useNotices } from '../../lib/stores/notices.ts';
import { useLocale } from '../../lib/i18n/index.ts';
import { useLocalizedText, type LocalizedText } from '../../lib/i18n/localized-text.ts';
import type { DirectoryDefinition, DirectoryRow } from './directory.ts';
import { useDrafts, type DraftKey } from '../../lib/stores/record-drafts.ts';
import { faultOf, same, type FormDraft, type Field } from './fields.ts';

export type RecordDraft<R extends DirectoryRow, D extends FormDraft> = ReturnType<typeof useRecordDraft<R, D>>;

/**
 * The selected one of the `listed` records: its values, unsaved changes and errors. Changes stay when another
 * record or page is opened.
 */
export function useRecordDraft<R extends DirectoryRow, D extends FormDraft>(
  directory: DirectoryDefinition<R, D>,
  listed: () => readonly R[],
) {
  const drafts = useDrafts();
  const notices = useNotices();
  const { t } = useLocale();

  const chosen = computed(() => drafts.chosen.get(directory.name));
  const row = computed(() => listed().find((one) => one.id === chosen.value));
  const isNew = computed(() => chosen.value === 'new');
  const changes = computed(
    () => (chosen.value === undefined ? undefined : drafts.of(directory.name, chosen.value)) as Partial<D> | undefined,
  );
  const base = computed<D | undefined>(() =>
    row.value ? directory.draftOf(row.value) : isNew.value ? directory.blank?.() : undefined,
  );
  const draft = computed<D | undefined>(() => base.value && { ...base.value, ...changes.value });

  /** By field. */
  const problems = shallowRef<Readonly<Record<string, LocalizedText>>>({});
  const problemTexts = computed(() =>
    Object.fromEntries(Object.entries(problems.value).map(([key, say]) => [key, say()])),
  );
  /** A problem that concerns no field. */
  const formProblem = useLocalizedText();

  function clearProblems(): void {
    problems.value = {};
    formProblem.value = '';
  }

  function choose(key: DraftKey | undefined): void {
    if (key !== chosen.value) clearProblems();
    drafts.choose(directory.name, key);
  }

  /** One new record at a time: an unfinished one is continued. */
  function beginNew(): void {
    if (!drafts.of(directory.name, 'new')) drafts.put(directory.name, 'new', {});
    choose('new');
  }

  function edit(key: keyof D & string, value: unknown): void {
    if (!base.value || chosen.value === undefined) return;
    const next: Partial<D> = { ...changes.value, [key]: value };
    if (!isNew.value && same(base.value[key], value)) delete next[key];
    drafts.put(directory.name, chosen.value, next);
    const { [key]: _mended, ...others } = problems.value;
    problems.value = others;
    formProblem.value = '';
  }

  /** Discards the changes; this can be undone. */
  function revert(): void {
    const [key, dropped] = [chosen.value, changes.value];
    if (key === undefined) return;
    drafts.put(directory.name, key, undefined);
    clearProblems();
    if (dropped && Object.keys(dropped).length > 0) {
      const name = row.value ? directory.nameOf(row.value) : isNew.value ? t('directories.newRecord') : '';
      notices.show(
        'note',
        () => t('directories.dropped', { name }),
        async () => (drafts.put(directory.name, key, dropped), choose(key)),
      );
    }
    if (isNew.value) choose(undefined);
  }

  const openFault = (field: Field<D>) =>
    (field.shown?.(draft.value!) ?? true) && !field.fixed?.(draft.value!, isNew.value)
      ? faultOf(field, draft.value!)
      : undefined;
  const sayFault =
    (field: Field<D>, fault: NonNullable<ReturnType<typeof openFault>>): LocalizedText =>
    () =>
      t(
        `directories.faults.${fault}`,
        field.kind === 'number'
          ? { least: field.least ?? '', most: field.most ?? '' }
          : field.kind === 'text'
            ? { most: field.longest ?? '' }
            : {},
      );
  /** Checks that need no station show their errors at once, in the console's language. */
  function findFaults(): boolean {
    const found = directory.fields.flatMap((field): [string, LocalizedText][] => {
      const fault = openFault(field);
      return fault ? [[field.key, sayFault(field, fault)]] : [];
    });
    problems.value = Object.fromEntries(found);
    return found.length > 0;
  }
  /** The same for one edited field. A required field that is still empty is no error before saving. */
  function check(key: keyof D & string): void {
    const field = directory.fields.find((one) => one.key === key);
    const fault = field && draft.value && changes.value?.[key] !== undefined ? openFault(field) : undefined;
    if (field && fault && fault !== 'needed') problems.value = { ...problems.value, [key]: sayFault(field, fault) };
  }

  return {
    chosen,
    row,
    isNew,
    changes,
    base,
    draft,
    problems,
    problemTexts,
    formProblem,
    choose,
    beginNew,
    edit,
    revert,
    findFaults,
    check,
  };
}

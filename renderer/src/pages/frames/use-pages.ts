import { onScopeDispose, ref, shallowRef } from 'vue';
import { ApiError } from '../../lib/api/client.ts';
import { useReturn } from '../../lib/live/use-return.ts';
import { questionProblem } from '../../lib/i18n/problem-words.ts';
import { useLocalizedText } from '../../lib/i18n/localized-text.ts';

/**
 * A list in pages, newest first, each page starting before a given entry. It can follow: the newest page is
 * asked again and again, and new entries appear at the top.
 */
export function usePages<T extends { readonly id: string | number }>(
  ask: (before: T['id'] | undefined, signal: AbortSignal) => Promise<readonly T[]>,
  pageSize: number,
) {
  const rows = shallowRef<readonly T[]>([]);
  const loading = ref(false);
  /** Undefined until it was asked. */
  const loaded = ref(false);
  const atEnd = ref(false);
  const problem = useLocalizedText();
  let controller = new AbortController();

  async function attempt(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const { signal } = controller;
    loading.value = true;
    try {
      await work(signal);
      problem.value = '';
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      problem.value = () => questionProblem(error);
    }
    loading.value = false;
  }

  /** From the newest on. */
  function reload(): Promise<void> {
    controller.abort();
    controller = new AbortController();
    return attempt(async (signal) => {
      rows.value = await ask(undefined, signal);
      loaded.value = true;
      atEnd.value = rows.value.length < pageSize;
    });
  }

  async function older(): Promise<void> {
    const last = rows.value.at(-1);
    if (loading.value || atEnd.value || !last) return;
    await attempt(async (signal) => {
      const page = await ask(last.id, signal);
      rows.value = [...rows.value, ...page];
      atEnd.value = page.length < pageSize;
    });
  }

  /**
   * Adds new entries and updates the newest page. If more than a page is new, everything is read again, so
   * that there is no gap.
   */
  async function newer(): Promise<void> {
    if (loading.value) return;
    await attempt(async (signal) => {
      const page = await ask(undefined, signal);
      const known = new Set(rows.value.map((row) => row.id));
      const oldest = page.at(-1);
      if (oldest && !known.has(oldest.id)) {
        rows.value = page;
        atEnd.value = page.length < pageSize;
        return;
      }
      const fresh = new Set(page.map((row) => row.id));
      const kept = rows.value.filter((row) => !fresh.has(row.id));
      if (
        page.some((row) => !known.has(row.id)) ||
        page.some((row, index) => JSON.stringify(row) !== JSON.stringify(rows.value[index]))
      )
        rows.value = [...page, ...kept];
    });
  }

  useReturn(() => problem.value && void reload());
  onScopeDispose(() => controller.abort());
  return { rows, loading, loaded, atEnd, problem, reload, older, newer };
}

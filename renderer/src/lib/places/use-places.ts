import { computed, onScopeDispose, ref, shallowRef, watch, type Ref } from 'vue';
import { ApiError, type Client } from '../api/client.ts';
import type { PlaceGroup } from '../api/types.ts';
import { useReturn } from '../live/use-return.ts';
import { questionProblem } from '../i18n/problem-words.ts';
import { useLocalizedText } from '../i18n/localized-text.ts';
import { useLocale } from '../i18n/index.ts';

const TYPING_MS = 120;
const MIN_LETTERS = 2;
const MOST = 12;

/**
 * Suggestions while typing, asked when typing pauses; answers to older texts are dropped. `working` from the
 * first letter to the answer.
 */
export function usePlaces(
  client: Client,
  text: Ref<string>,
  near: () => { lat: number; lon: number } | undefined,
  skip: (text: string) => boolean,
) {
  const { t, has, locale } = useLocale();
  const groups = shallowRef<readonly PlaceGroup[]>([]);
  const working = ref(false);
  const problem = useLocalizedText();
  /** The last answered query. */
  const answered = ref('');
  const nothing = computed(
    () => answered.value !== '' && answered.value === text.value.trim() && groups.value.length === 0,
  );
  let timer: ReturnType<typeof setTimeout> | undefined;
  let controller: AbortController | undefined;

  watch(text, (typed) => {
    clearTimeout(timer);
    controller?.abort();
    const query = typed.trim();
    if (query.length < MIN_LETTERS || skip(typed)) {
      groups.value = [];
      problem.value = '';
      answered.value = '';
      working.value = false;
      return;
    }
    working.value = true;
    timer = setTimeout(() => void search(query), TYPING_MS);
  });
  useReturn(() => problem.value && void search(text.value.trim()));
  onScopeDispose(() => {
    clearTimeout(timer);
    controller?.abort();
  });

  async function search(query: string): Promise<void> {
    controller = new AbortController();
    const { signal } = controller;
    working.value = true;
    try {
      const found = await client.request('get', '/geocoding', {
        params: { query: { query, limit: MOST, details: true, lang: locale.value, ...near() } },
        signal,
      });
      if (!signal.aborted)
        [groups.value, problem.value, answered.value] = [found.map((group) => withSorts(withUnits(group))), '', query];
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      [groups.value, problem.value] = [[], () => questionProblem(error)];
    } finally {
      if (!signal.aborted) working.value = false;
    }
  }

  /** A hydrant that is called "12" says that it is one. */
  function withSorts(group: PlaceGroup): PlaceGroup {
    if (group.groupName !== 'OwnPlaces') return group;
    const items = group.items.map((item) => {
      const sort = `ownPlaces.sorts.${item.kind}`;
      return /\p{L}{2}/u.test(item.label) || !has(sort) ? item : { ...item, label: `${t(sort)} ${item.label}` };
    });
    return { ...group, items };
  }

  return { groups, working, problem, /** There is no place of that name. */ nothing, search };
}

/** The flat and the country that were typed stay in the address: they find nothing, but the crew needs them. */
function withUnits(group: PlaceGroup): PlaceGroup {
  const items = group.items.map((item) => {
    const typed = [item.address?.unit, item.address?.country].filter((part) => part !== undefined);
    return { ...item, label: [item.label, ...typed].join(', ') };
  });
  return { ...group, items };
}

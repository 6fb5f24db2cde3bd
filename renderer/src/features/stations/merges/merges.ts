import { defineStore } from 'pinia';
import { computed, ref, watch } from 'vue';
import { useNotices } from '../../../lib/stores/notices.ts';
import { useDispatch } from '../../../lib/stores/dispatch.ts';
import { useLive } from '../../../lib/stores/live.ts';
import { useSession } from '../../../lib/stores/session.ts';
import type { LocalizedText } from '../../../lib/i18n/localized-text.ts';
import { i18n } from '../../../lib/i18n/index.ts';
import type { MergeItem } from '../answers.ts';
import { useRepeated } from '../use-repeated.ts';

const PAGE = 100;

/** Merges to review, newest first, and the decisions about them. */
export const useMerges = defineStore('merges', () => {
  const session = useSession();
  const live = useLive();
  const dispatch = useDispatch();
  const notices = useNotices();
  const { client } = session;
  const { t } = i18n.global;

  const which = ref<'open' | 'all'>('open');
  const pages = ref(1);
  watch(which, () => (pages.value = 1));

  const asked = useRepeated(
    undefined,
    () => session.user !== undefined,
    () => ask(which.value),
  );
  watch(
    () => live.mergesVersion,
    () => void asked.again(),
  );
  /** The interface lists them upwards, and the newest ones matter: every page up to the last is read. */
  async function ask(of: 'open' | 'all'): Promise<{ readonly of: typeof of; readonly merges: readonly MergeItem[] }> {
    const merges: MergeItem[] = [];
    for (let after: number | undefined; ; after = merges.at(-1)!.id) {
      const page = await client.request('get', '/merges', {
        params: {
          query: {
            limit: PAGE,
            ...(after !== undefined && { after: String(after) }),
            ...(of === 'open' && { open: true }),
          },
        },
      });
      merges.push(...page);
      if (page.length < PAGE) break;
    }
    return { of, merges };
  }

  /** Undefined until they are known. */
  const list = computed(() =>
    asked.answer.value?.of === which.value
      ? asked.answer.value.merges.toSorted((one, other) => lastTime(other) - lastTime(one))
      : undefined,
  );
  const openCount = computed(() => asked.answer.value?.merges.filter(({ resolved }) => !resolved).length ?? 0);
  watch(which, () => void asked.again());

  function follow(): void {
    void asked.again();
  }

  async function put(merge: MergeItem, take: 'kept' | 'lost'): Promise<boolean> {
    const done = await dispatch.attempt(() =>
      client.request('post', '/merges/{id}', { params: { path: { id: String(merge.id) } }, body: { take } }),
    );
    if (done) await asked.again();
    return done !== undefined;
  }
  const underWay = new Set<number>();
  async function resolve(merge: MergeItem, take: 'kept' | 'lost', said: LocalizedText): Promise<void> {
    if (underWay.has(merge.id)) return;
    underWay.add(merge.id);
    const done = await put(merge, take).finally(() => underWay.delete(merge.id));
    if (!done) return;
    notices.show(
      'done',
      () => t(`stations.merges.${take === 'lost' ? 'taken' : 'kept'}`, { what: said() }),
      take === 'lost' ? async () => void (await put(merge, 'kept')) : undefined,
    );
  }

  return { list, which, openCount, problem: asked.problem, follow, resolve };
});

/** When the later of the two values was written. */
export function lastTime({ kept, lost }: MergeItem): number {
  return Math.max(kept.time, lost.time);
}

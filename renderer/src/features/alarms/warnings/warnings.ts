import { defineStore } from 'pinia';
import { computed, ref, shallowRef, watch } from 'vue';
import { ApiError } from '../../../lib/api/client.ts';
import type { Schema } from '../../../lib/api/operations.ts';
import { actionProblem } from '../../../lib/i18n/problem-words.ts';
import { useClock } from '../../../lib/stores/clock.ts';
import { useLive } from '../../../lib/stores/live.ts';
import { useNotices } from '../../../lib/stores/notices.ts';
import { usePreferences } from '../../../lib/stores/preferences.ts';
import { useSession } from '../../../lib/stores/session.ts';
import type { AlarmPriority } from '../../../../../shared/records/index.ts';

export type WarningItem = Schema<'Warning'>;

/** Severities look like alarms of these priorities. */
export const PRIORITY_OF_SEVERITY: Readonly<Record<WarningItem['severity'], AlarmPriority>> = {
  extreme: 1,
  severe: 2,
  moderate: 3,
  minor: 4,
  unknown: 4,
};

/** Warnings and road messages of other authorities, and the decisions about their roads. */
export const useWarnings = defineStore('warnings', () => {
  const session = useSession();
  const live = useLive();
  const clock = useClock();
  const notices = useNotices();
  const preferences = usePreferences();
  /** undefined until the station has answered. */
  const all = shallowRef<readonly WarningItem[]>();
  /** Decisions under way, by warning. */
  const deciding = ref(new Set<number>());
  let isLoading = false;
  let isOutdated = false;

  /** Reads the warnings again. If the request fails, the known ones stay. One request at a time. */
  async function load(): Promise<void> {
    isOutdated = true;
    if (isLoading) return;
    isLoading = true;
    while (isOutdated) {
      isOutdated = false;
      all.value = await session.client.ask<WarningItem[]>('/warnings').catch(() => all.value);
    }
    isLoading = false;
  }
  watch([() => session.user?.id, () => live.warningsVersion], ([user]) => user !== undefined && void load(), {
    immediate: true,
  });

  /** Those that have neither ended nor passed their end. */
  const current = computed(() =>
    (all.value ?? []).filter(({ endedAt, till }) => endedAt === null && (till === null || till > clock.now)),
  );
  /** Warnings with a pending decision about roads, and those whose closures should be reviewed. */
  const proposals = computed(() =>
    (all.value ?? []).filter(
      ({ proposal }) => proposal && (proposal.state === 'open' || proposal.over || proposal.changed),
    ),
  );

  /** The text in the language of the console, else in English, else the first. */
  function textOf({ texts }: Pick<WarningItem, 'texts'>): WarningItem['texts'][number] | undefined {
    const inLanguage = (wanted: string) =>
      texts.find(({ language }) => language.toLowerCase().split(/[-_]/)[0] === wanted);
    return inLanguage(preferences.language) ?? inLanguage('en') ?? texts[0];
  }

  async function decide({ id }: WarningItem, method: 'POST' | 'DELETE', done?: () => string): Promise<void> {
    if (deciding.value.has(id)) return;
    deciding.value.add(id);
    try {
      await session.client.ask(`/warnings/${id}/closures`, { method, ...(method === 'POST' && { body: {} }) });
      if (done) notices.show('done', done);
      await load();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      notices.show('refused', () => actionProblem(error));
    } finally {
      deciding.value.delete(id);
    }
  }
  const accept = (warning: WarningItem, done?: () => string) => decide(warning, 'POST', done);
  const decline = (warning: WarningItem) => decide(warning, 'DELETE');

  return { all, current, proposals, deciding, textOf, accept, decline, load };
});

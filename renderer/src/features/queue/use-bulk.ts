import { defineStore } from 'pinia';
import { ref, shallowRef } from 'vue';
import { ApiError } from '../../lib/api/client.ts';
import { useNotices } from '../../lib/stores/notices.ts';
import { useSession } from '../../lib/stores/session.ts';
import { useTasks } from '../../lib/stores/tasks.ts';
import { i18n } from '../../lib/i18n/index.ts';
import { actionProblem } from '../../lib/i18n/problem-words.ts';
import type { LocalizedText } from '../../lib/i18n/localized-text.ts';
import { runSteps, type BulkOutcome, type BulkStep } from './bulk.ts';

/** Why a task was not changed, in the current language. */
export function bulkRefusal(error: unknown): string {
  return error instanceof ApiError ? actionProblem(error) : error instanceof Error ? error.message : String(error);
}

/** Changes many tasks at once. It continues while other pages are open, and can be undone for ten seconds. */
export const useBulk = defineStore('bulk', () => {
  const { client } = useSession();
  const notices = useNotices();
  const tasks = useTasks();
  const { t } = i18n.global;
  const running = ref(false);
  const finished = ref(0);
  const total = ref(0);
  /** Of the last run; undefined before it, and while one runs. */
  const outcome = shallowRef<BulkOutcome>();
  let ending: AbortController | undefined;

  const ask = (path: string, body: unknown) => client.ask(path, { method: 'POST', body });

  async function all(steps: readonly BulkStep[], bodyOf: (step: BulkStep) => unknown): Promise<BulkOutcome> {
    ending = new AbortController();
    running.value = true;
    finished.value = 0;
    total.value = steps.length;
    try {
      return await runSteps(
        steps,
        (step) => ask(step.path, bodyOf(step)),
        (count) => (finished.value = count),
        ending.signal,
      );
    } finally {
      running.value = false;
    }
  }

  /** `what` says it in words, for the notice. */
  async function run(steps: readonly BulkStep[], what: LocalizedText, undoable: boolean): Promise<void> {
    if (running.value) return;
    outcome.value = undefined;
    const result = await all(steps, (step) => step.body);
    outcome.value = result;
    if (result.done.length > 0)
      notices.show(
        'done',
        () => t('queue.bulk.done', { what: what(), count: result.done.length }),
        undoable ? () => undo(result.done, what) : undefined,
      );
    if (result.failed.length > 0)
      notices.show('refused', () =>
        t('queue.bulk.failed', { count: result.failed.length, reason: bulkRefusal(result.failed[0]!.error) }),
      );
  }

  /** Tasks that somebody has changed since stay unchanged. */
  async function undo(done: readonly BulkStep[], what: LocalizedText): Promise<void> {
    const back = done.filter((step) => step.stillSo(tasks.byId(step.task.id)));
    const result = await all(back, (step) => step.backBody);
    const kept = done.length - result.done.length;
    notices.show(kept > 0 ? 'refused' : 'done', () =>
      kept > 0
        ? t('queue.bulk.partlyUndone', { what: what(), count: result.done.length, kept })
        : t('notices.undone', { what: what() }),
    );
  }

  function stop(): void {
    ending?.abort();
  }

  /** For the next question. */
  function forget(): void {
    outcome.value = undefined;
  }

  return { running, finished, total, outcome, run, stop, forget };
});

import { watch } from 'vue';
import type { Router } from 'vue-router';
import { CARD } from '../lib/desktop/chosen-task.ts';
import { useBoard } from '../lib/stores/board.ts';

/** Between the windows of one person's console. */
const CHANNEL = 'waypost:chosen-task';

/** Somebody fills in a field of this window. */
const isWriting = () => document.hasFocus() && document.activeElement?.matches('main :is(input, textarea, select)');

/**
 * The window of the card shows the task that a person chooses in another window. It stays as it is while the person
 * writes in it: nothing changes under the hand.
 */
export function useChosenTask(router: Router): void {
  const board = useBoard();
  const channel = new BroadcastChannel(CHANNEL);
  const isCard = () => router.currentRoute.value.path === CARD;
  watch(
    () => board.chosenTaskId,
    (id) => {
      if (id !== undefined && !isCard()) channel.postMessage(id);
    },
  );
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (isCard() && !isWriting() && Number.isSafeInteger(data))
      void router.replace({ path: CARD, query: { task: String(data) } });
  });
}

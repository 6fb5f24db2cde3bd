import { defineStore } from 'pinia';
import { useLive, type OpenTask } from '../../lib/stores/live.ts';

/** ms after which a change is sent: keys that pass over many tasks would exceed the station's limit. */
const TELL_AFTER = 250;

/** The tasks whose cards this window shows, and whether something unsaved is in them. */
export const useOpenTasks = defineStore('openTasks', () => {
  const live = useLive();
  /** By card. */
  const cards = new Map<symbol, OpenTask>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function tellSoon(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      live.tellOpenTasks([...cards.values()]);
    }, TELL_AFTER);
  }

  function show(card: symbol, newsId: number, writing: boolean): void {
    cards.set(card, { newsId, writing });
    tellSoon();
  }

  function close(card: symbol): void {
    cards.delete(card);
    tellSoon();
  }

  return { show, close };
});

import { defineStore } from 'pinia';
import { shallowRef } from 'vue';
import type { LocalizedText } from '../i18n/localized-text.ts';
import { play } from './notice-sound.ts';
import { usePreferences } from './preferences.ts';

export interface Remedy {
  readonly say: LocalizedText;
  readonly run: () => Promise<unknown>;
}

export interface ConsoleNotice {
  readonly id: number;
  /** A `note` only tells, and makes no sound. */
  readonly kind: 'done' | 'refused' | 'note';
  /** Asked whenever it is drawn, so that a notice follows when the language is switched. */
  readonly say: LocalizedText;
  /** The action that the notice of a refusal offers. */
  readonly remedy?: Remedy;
  /** Undoes the action, while the notice is shown. */
  readonly undo?: () => Promise<void>;
  /** epoch ms */
  readonly until: number;
}

/** Every dispatch action can be taken back for this long. */
const UNDO_MS = 10_000;
const REFUSAL_MS = 8_000;
const PLAIN_MS = 4_000;

/** Short notices of success or failure, with a sound and an undo. */
export const useNotices = defineStore('notices', () => {
  const preferences = usePreferences();
  const notices = shallowRef<readonly ConsoleNotice[]>([]);
  let nextId = 1;

  function show(kind: ConsoleNotice['kind'], say: LocalizedText, undo?: () => Promise<void>, remedy?: Remedy): void {
    const lasts = undo || remedy ? UNDO_MS : kind === 'refused' ? REFUSAL_MS : PLAIN_MS;
    const notice: ConsoleNotice = { id: nextId++, kind, say, undo, remedy, until: Date.now() + lasts };
    notices.value = [...notices.value.slice(-2), notice];
    if (preferences.sounds && kind !== 'note') play(kind);
    setTimeout(() => dismiss(notice.id), lasts);
  }

  function dismiss(id: number): void {
    notices.value = notices.value.filter((notice) => notice.id !== id);
  }

  /** Takes back the latest thing that still can be, or the given one. */
  async function undo(id?: number): Promise<void> {
    const notice = notices.value.findLast((one) => one.undo && (id === undefined || one.id === id));
    if (!notice?.undo) return;
    dismiss(notice.id);
    await notice.undo();
  }

  /** Does what the notice offers. */
  async function mend({ id, remedy }: ConsoleNotice): Promise<void> {
    dismiss(id);
    await remedy?.run();
  }

  return { notices, show, dismiss, undo, mend };
});

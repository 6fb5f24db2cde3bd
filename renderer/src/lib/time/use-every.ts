import { onScopeDispose } from 'vue';

/** Repeats `work` while the window is visible, until the scope ends. */
export function useEvery(milliseconds: number, work: () => void): void {
  const timer = setInterval(() => document.visibilityState === 'visible' && work(), milliseconds);
  onScopeDispose(() => clearInterval(timer));
}

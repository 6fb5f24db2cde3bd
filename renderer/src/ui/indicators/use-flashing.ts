import { onScopeDispose } from 'vue';

/** ms: 1.6 Hz is the usual rate of alarm marks, and far below a harmful one. */
const HALF_MS = 312;

/**
 * Dims all flashing marks of the page and lights them again, in step. An animation of CSS would draw sixty frames a
 * second for the two that differ.
 */
export function useFlashing(): void {
  const root = document.documentElement;
  const timer = setInterval(() => root.toggleAttribute('data-dims'), HALF_MS);
  onScopeDispose(() => {
    clearInterval(timer);
    root.removeAttribute('data-dims');
  });
}

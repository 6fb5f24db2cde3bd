import { ref, watch, type Ref } from 'vue';
import { afterPaint } from '../../../lib/time/after-paint.ts';
import { keyName } from '../../../ui/keyboard/use-keys.ts';

/** Keys that open another card: this one need not be complete for them. */
const STEPS: ReadonlySet<string> = new Set(['ArrowDown', 'ArrowUp', 'j', 'k']);

/**
 * Becomes true in the second frame: then the parts of a card render that are below the one that answers the
 * key. A key press renders them before any other handler runs, so that none of their keys is lost. `hidden`:
 * something else covers all of them.
 */
export function useWhole(hidden: () => boolean): Readonly<Ref<boolean>> {
  const whole = ref(false);
  const complete = () => void (whole.value = true);
  const onKey = (event: KeyboardEvent) => STEPS.has(keyName(event)) || complete();
  watch(
    hidden,
    (now, _before, atEnd) => {
      whole.value = false;
      if (now) return;
      const callOff = afterPaint(complete);
      window.addEventListener('keydown', onKey, { capture: true });
      atEnd(() => {
        callOff();
        window.removeEventListener('keydown', onKey, { capture: true });
      });
    },
    { immediate: true },
  );
  return whole;
}

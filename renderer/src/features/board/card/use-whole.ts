import { ref, watch, type Ref } from 'vue';
import { afterPaint } from '../../../lib/time/after-paint.ts';
import { keyName } from '../../../ui/keyboard/use-keys.ts';

/** Keys that lead to another card: this one need not be whole for them. */
const STEPS: ReadonlySet<string> = new Set(['ArrowDown', 'ArrowUp', 'j', 'k']);

/**
 * Becomes true in the frame after the first: then the parts of a card come that lie below what answers the key which
 * opened it. A key brings them before anything else hears of it, so that none of theirs is lost. `hidden`: something
 * else stands in place of all of them.
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

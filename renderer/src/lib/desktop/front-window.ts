import { onScopeDispose, ref, type Ref } from 'vue';

/**
 * The browser gives it to one window of this station's console at a time, and takes it from one that has
 * gone.
 */
const LOCK = 'waypost:in-front';

/** Says to the other windows and tabs of this console that this one is in front, as long as it is. */
export function claimFront(): void {
  let release: (() => void) | undefined;
  const claim = () => {
    if (release || !document.hasFocus()) return;
    const until = new Promise<void>((resolve) => (release = resolve));
    void navigator.locks?.request(LOCK, () => until);
  };
  window.addEventListener('focus', claim);
  window.addEventListener('blur', () => {
    release?.();
    release = undefined;
  });
  claim();
}

/** Whether this window has the focus, as something to watch. */
export function useFocused(): Readonly<Ref<boolean>> {
  const focused = ref(document.hasFocus());
  const look = () => (focused.value = document.hasFocus());
  window.addEventListener('focus', look);
  window.addEventListener('blur', look);
  onScopeDispose(() => {
    window.removeEventListener('focus', look);
    window.removeEventListener('blur', look);
  });
  return focused;
}

/** Whether an operator looks at this console, in whichever of its windows. */
export async function consoleInFront(): Promise<boolean> {
  if (document.hasFocus()) return true;
  return (await navigator.locks?.query())?.held?.some(({ name }) => name === LOCK) ?? false;
}

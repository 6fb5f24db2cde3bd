import { onScopeDispose, watch } from 'vue';
import { useAccount } from '../lib/stores/account.ts';
import { useSession } from '../lib/stores/session.ts';

/** Input in one window counts for all windows of this browser. */
const TOUCHED = 'waypost.touched';
const INPUT = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;
/** ms between two looks, and between two notes of input. */
const LOOK = 5_000;

/** Locks the screen when nobody has touched any window for as long as the station says. */
export function useIdleLock(): void {
  const session = useSession();
  const account = useAccount();
  let touched = Date.now();
  const note = () => {
    const now = Date.now();
    if (now - touched < LOOK) return;
    touched = now;
    localStorage.setItem(TOUCHED, String(now));
  };
  for (const name of INPUT) window.addEventListener(name, note, { passive: true, capture: true });
  const timer = setInterval(() => {
    const minutes = account.account?.lockMinutes;
    if (!session.user || minutes == null || account.isLocked) return;
    const last = Math.max(touched, Number(localStorage.getItem(TOUCHED) ?? 0));
    if (Date.now() - last >= minutes * 60_000) account.lock();
  }, LOOK);
  watch(
    () => session.user?.login,
    (login, before) => {
      if (login === undefined) return;
      touched = Date.now();
      void account.load();
      // A reload keeps the lock; a new sign-in opens it.
      if (before === undefined && session.hasSignedIn) account.release();
    },
    { immediate: true },
  );
  onScopeDispose(() => {
    clearInterval(timer);
    for (const name of INPUT) window.removeEventListener(name, note, { capture: true });
  });
}

import { vi } from 'vitest';

/**
 * Waits until a check passes, for as long as a busy machine may take for it: it is the condition that is
 * tested, and not the time.
 */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 60_000, interval: 20 });
}

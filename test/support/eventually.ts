import { vi } from 'vitest';
import { PATIENCE } from './patience.ts';

/** Repeats a check until it passes; fails after `PATIENCE`. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: PATIENCE, interval: 20 });
}

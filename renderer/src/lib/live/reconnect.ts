const FIRST_MS = 500;
const LONGEST_MS = 10_000;

/**
 * How long to wait before try `attempt` (from 0) to reach the station again: the first within a second, then
 * twice as long each time, at most ten seconds; spread by `chance` (0 to 1) so that consoles do not all come
 * back at the same moment.
 */
export function delayBefore(attempt: number, chance: number): number {
  const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** attempt);
  return full * (0.7 + 0.3 * chance);
}

const FIRST_MS = 500;
const LONGEST_MS = 10_000;

/**
 * The delay before try `attempt` (from 0) to reconnect: within a second at first, then doubled, at most ten
 * seconds; `chance` (0 to 1) spreads it, so that consoles do not return at the same moment.
 */
export function delayBefore(attempt: number, chance: number): number {
  const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** attempt);
  return full * (0.7 + 0.3 * chance);
}

/**
 * The shortest of several times, in ms: `measure` is repeated until one is below `limit`, at most five times. Other
 * work on the machine makes a single time long, but not each of them.
 */
export async function shortest(limit: number, measure: (attempt: number) => Promise<number>): Promise<number> {
  let best = Infinity;
  for (let attempt = 0; attempt < 5 && best >= limit; attempt++) best = Math.min(best, await measure(attempt));
  return best;
}

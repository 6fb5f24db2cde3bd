/** Times this budget may pass by the clock, on a machine whose other work holds the thread up. */
const LONGEST_WAIT = 4;

/** Clocks, in ms. */
interface Clocks {
  readonly wall: () => number;
  /** Processor time of this thread. */
  readonly work: () => number;
}

const OWN: Clocks = {
  wall: () => performance.now(),
  work: () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  },
};

/**
 * Begins a budget of `ms` of work; the result says whether it is used up. On a busy machine the clock runs while the
 * thread waits: a search that ended by the clock would say that there is no such street.
 */
export function beginBudget(ms: number, { wall, work }: Clocks = OWN): () => boolean {
  const [since, workedBefore] = [wall(), work()];
  return () => {
    const passed = wall() - since;
    return passed > ms && (passed > LONGEST_WAIT * ms || work() - workedBefore > ms);
  };
}

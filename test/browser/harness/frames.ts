import type { Page } from 'playwright';

export interface Frames {
  /** Frames in one second. */
  readonly perSecond: number;
  /** Milliseconds between frames: half of them are below the first, 95 of 100 below the second. */
  readonly median: number;
  readonly p95: number;
  readonly longest: number;
  /** Share of the time in which a script held the page for more than 50 ms. */
  readonly blocked: number;
}

/**
 * Counts the frames that the browser itself gives to the page for `milliseconds`, while `meanwhile` goes on.
 */
export async function measureFrames(
  page: Page,
  milliseconds: number,
  meanwhile: () => Promise<unknown> = () => Promise.resolve(),
): Promise<Frames> {
  const counting = page.evaluate(async (lasts) => {
    let blocked = 0;
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) blocked += entry.duration;
    });
    observer.observe({ type: 'longtask' });
    const times: number[] = [];
    const began = performance.now();
    await new Promise<void>((resolve) => {
      const frame = (now: number) => {
        times.push(now);
        if (now - began < lasts) requestAnimationFrame(frame);
        else resolve();
      };
      requestAnimationFrame(frame);
    });
    observer.disconnect();
    return { times, blocked: blocked / lasts };
  }, milliseconds);
  const [{ times, blocked }] = await Promise.all([counting, meanwhile()]);
  const gaps = times
    .slice(1)
    .map((time, index) => time - times[index]!)
    .sort((one, other) => one - other);
  const at = (share: number) => gaps[Math.min(gaps.length - 1, Math.floor(gaps.length * share))] ?? Infinity;
  return {
    perSecond: (gaps.length * 1_000) / (times.at(-1)! - times[0]!),
    median: at(0.5),
    p95: at(0.95),
    longest: gaps.at(-1) ?? Infinity,
    blocked,
  };
}

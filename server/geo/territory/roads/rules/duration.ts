const CLOCK = /^(?:(?:(\d{1,2}):)?(\d{1,2}):)?(\d{1,2})$/;
const ISO = /^PT(?:(\d{1,2})H)?(?:(\d{1,3})M)?(?:(\d{1,3})S)?$/;

/**
 * Seconds of a `duration` tag: `H:MM:SS`, `H:MM`, `M` (a bare number is minutes), `PT#H#M#S` with any subset
 * of parts and hours below 24. Undefined when it is none of these; at least 1.
 */
export function durationSeconds(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const iso = ISO.exec(value);
  if (iso) {
    const [, hours, minutes, seconds] = iso;
    if (hours === undefined && minutes === undefined && seconds === undefined) return undefined;
    if (+(hours ?? 0) >= 24) return undefined;
    return Math.max(1, +(hours ?? 0) * 3600 + +(minutes ?? 0) * 60 + +(seconds ?? 0));
  }
  const clock = CLOCK.exec(value);
  if (!clock) return undefined;
  const [, first, second, third] = clock;
  if (first !== undefined) return Math.max(1, +first * 3600 + +second! * 60 + +third!);
  if (second !== undefined) return Math.max(1, +second * 3600 + +third! * 60);
  return Math.max(1, +third! * 60);
}

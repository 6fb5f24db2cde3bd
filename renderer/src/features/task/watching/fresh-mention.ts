/** A task as far as the notice asks: when a comment last named each person. */
interface Mentioning {
  readonly mentions?: Readonly<Record<string, number>> | undefined;
}

/** Older mentions arrived while this console was away: they are in the list *For me* and make no notice. */
export const FRESH_MS = 10 * 60_000;

/** Whether a change of a task newly mentions the person, since the console began to watch. */
export function isFreshMention(
  { now, before }: { now?: Mentioning | undefined; before?: Mentioning | undefined },
  userId: number,
  { beganAt, present }: { beganAt: number; present: number },
): boolean {
  const at = now?.mentions?.[userId] ?? 0;
  // A task may have entered the working set with the comment that names somebody.
  const known = before ? (before.mentions?.[userId] ?? 0) : beganAt;
  return at > known && present - at <= FRESH_MS;
}

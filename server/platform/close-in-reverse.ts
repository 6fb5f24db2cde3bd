/**
 * Closes what was opened, the last first, and empties the list. What cannot be closed does not keep the rest
 * open, a database or a lock; the first such error is thrown when all have had their turn.
 */
export async function closeInReverse(closers: (() => unknown)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const close of closers.splice(0).toReversed()) {
    try {
      await close();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}

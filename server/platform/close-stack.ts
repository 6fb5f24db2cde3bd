/** Collects what was opened, and closes it in reverse order. */
export class CloseStack {
  readonly #closers: (() => unknown)[] = [];

  /** Adds something that has a `close`, and returns it. */
  use<T extends { close(): unknown }>(opened: T): T {
    this.#closers.push(() => opened.close());
    return opened;
  }

  /** Adds a function that `close` calls. */
  defer(close: () => unknown): void {
    this.#closers.push(close);
  }

  /**
   * Closes everything, the last first, and forgets it. One that fails does not keep the others open; the
   * first error is thrown at the end.
   */
  async close(): Promise<void> {
    const errors: unknown[] = [];
    for (const close of this.#closers.splice(0).toReversed()) {
      try {
        await close();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }
}

/**
 * Adds a `close` to what `open` returns, for all that it put on the stack. When `open` fails, what is on the
 * stack is closed again.
 */
export async function openOrClose<T extends object>(
  open: (stack: CloseStack) => Promise<T>,
): Promise<T & { close(): Promise<void> }> {
  const stack = new CloseStack();
  try {
    return { ...(await open(stack)), close: () => stack.close() };
  } catch (error) {
    await stack.close();
    throw error;
  }
}

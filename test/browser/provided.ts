import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the Chromium that all browser tests share. */
    readonly chromium: string;
    /** A data directory with the demo in it, for stations to start from a copy. */
    readonly demo: string;
  }
}

/** What `global-setup.ts` prepared, or undefined in a program that runs outside of the test runner. */
export function provided(name: 'chromium' | 'demo'): string | undefined {
  try {
    return inject(name);
  } catch {
    return undefined;
  }
}

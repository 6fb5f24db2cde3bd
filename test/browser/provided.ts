import { inject, type ProvidedContext } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** The addresses of the Chromiums, one for each worker. */
    readonly chromium: readonly string[];
  }
}

/** What `global-setup.ts` prepared, or undefined in a program that runs outside of the test runner. */
export function provided<K extends keyof ProvidedContext>(name: K): ProvidedContext[K] | undefined {
  try {
    return inject(name);
  } catch {
    return undefined;
  }
}

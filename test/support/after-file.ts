const waiting: (() => void)[] = [];

/**
 * Does some work when the tests of the current file have run. For modules that several files share: these are
 * loaded once, so their own `afterAll` runs after the first file only.
 */
export function afterFile(work: () => void): void {
  waiting.push(work);
}

/** Does what `afterFile` was given; `each-file.ts` calls it. */
export function finishFile(): void {
  for (const work of waiting.splice(0)) work();
}

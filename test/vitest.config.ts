import { defineConfig } from 'vitest/config';

/** Unit and interface tests. Browser tests and several-process tests have their own project, since they share the two cores badly. */
export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    projects: [
      { test: { name: 'unit', include: ['test/unit/**/*.test.ts', 'test/contracts/**/*.test.ts', 'test/http/**/*.test.ts'], pool: 'forks', testTimeout: 120_000, hookTimeout: 120_000 } },
      { test: { name: 'stations', include: ['test/stations/**/*.test.ts'], pool: 'forks', maxWorkers: 1, testTimeout: 180_000, hookTimeout: 180_000 } },
      { test: { name: 'browser', include: ['test/browser/**/*.test.ts'], pool: 'forks', maxWorkers: 1, testTimeout: 120_000, hookTimeout: 180_000 } },
    ],
  },
});

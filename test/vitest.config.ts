import { defineConfig } from 'vitest/config';

/**
 * What a test polls for comes when it comes: on a machine that does ten other things, a second is nothing.
 */
const patient = { poll: { timeout: 60_000 } };

/**
 * Unit and interface tests. Browser tests and several-process tests have their own project, since they share
 * the two cores badly.
 */
export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts', 'test/contracts/**/*.test.ts', 'test/http/**/*.test.ts'],
          pool: 'forks',
          expect: patient,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'stations',
          include: ['test/stations/**/*.test.ts'],
          pool: 'forks',
          expect: patient,
          maxWorkers: 1,
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          pool: 'forks',
          expect: patient,
          maxWorkers: 1,
          testTimeout: 120_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});

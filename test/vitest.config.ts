import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { projectOf, tiersOf } from '../.ci/tiers.mjs';
import { filledDemos } from './runner/filled-demos.ts';
import { keepTemporaryFilesInMemory } from './runner/in-memory.ts';
import { PATIENCE } from './support/patience.ts';
import { WORKERS } from './runner/workers.ts';
import { pureFiles } from './runner/pure-files.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
// Node keeps what it compiled, for the forks and for the threads that stations start in them.
process.env['NODE_COMPILE_CACHE'] ??= join(root, 'node_modules', '.cache', 'compile');

keepTemporaryFilesInMemory();
filledDemos();

// One seed for all files of a run, also when Vitest is started by hand.
process.env['WAYPOST_SEED'] ??= String(Math.floor(Math.random() * 2 ** 31));

const pure = pureFiles(join(root, 'test', 'unit')).map((file) => file.slice(root.length));

/**
 * These files have a process to themselves: RxDB's development mode stays on and refuses our storage; the others
 * measure CPU time or memory of their process.
 */
const ALONE = [
  'test/unit/access/accounts/tokens.test.ts',
  'test/unit/tracking/events/task-events/task-events.test.ts',
  'test/unit/geo/geocoding/hostile.test.ts',
  'test/unit/geo/geocoding/places.test.ts',
  'test/unit/store/bulk.test.ts',
  'test/unit/store/schema.test.ts',
];

/** Which project runs first. The longest files start first, and short ones fill the end. */
const ORDER = ['pure', 'browser', 'looks', 'stations', 'alone', 'http', 'unit'];

/** Keeps the files of a project together: only neighbours in the queue share a process. */
class ByProject extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const longestFirst = await super.sort(files);
    return longestFirst.sort((a, b) => ORDER.indexOf(a.project.name) - ORDER.indexOf(b.project.name));
  }
}

/** The files of a slow project: all of them, or those of a short run, which `npm test` asks for. */
const slow = (project: string, all: string): string[] =>
  process.env['WAYPOST_SHORT'] ? tiersOf(root).taken.filter((file) => projectOf(file) === project) : [all];

/** Files of the other projects that a short run leaves out. */
const left = process.env['WAYPOST_SHORT'] ? tiersOf(root).left : [];

const shared = {
  setupFiles: ['test/runner/each-file.ts'],
  expect: { poll: { timeout: PATIENCE } },
  testTimeout: 120_000,
  hookTimeout: 180_000,
};

// Processes start and pages load within these tests, which takes longer on a busy machine.
const severalProcesses = { ...shared, expect: { poll: { timeout: Math.max(PATIENCE, 30_000) } } };
const inChromium = { ...severalProcesses, pool: 'forks' as const, isolate: false };

/** `test/README.md` says what belongs in which project. */
export default defineConfig({
  root,
  test: {
    maxWorkers: WORKERS,
    // Projects, and later runs, take what was compiled for another one.
    experimental: { fsModuleCache: true, fsModuleCachePath: join(root, 'node_modules', '.cache', 'vitest') },
    sequence: process.argv.some((word) => word.startsWith('--sequence.shuffle')) ? {} : { sequencer: ByProject },
    projects: [
      { test: { ...shared, name: 'pure', include: pure, pool: 'threads', isolate: false } },
      {
        test: {
          ...shared,
          name: 'unit',
          include: ['test/unit/**/*.test.ts', 'test/contracts/**/*.test.ts'],
          exclude: [...pure, ...ALONE, ...left],
          pool: 'forks',
          isolate: false,
        },
      },
      {
        test: {
          ...shared,
          name: 'http',
          include: ['test/http/**/*.test.ts'],
          exclude: left,
          pool: 'forks',
          isolate: false,
        },
      },
      {
        test: {
          ...severalProcesses,
          name: 'stations',
          include: slow('stations', 'test/stations/**/*.test.ts'),
          pool: 'forks',
          isolate: false,
        },
      },
      { test: { ...shared, name: 'alone', include: ALONE, pool: 'forks' } },
      { test: { ...inChromium, name: 'browser', include: slow('browser', 'test/browser/!(looks)/**/*.test.ts') } },
      { test: { ...inChromium, name: 'looks', include: slow('looks', 'test/browser/looks/*.test.ts') } },
    ],
  },
});

import process from 'node:process';

/**
 * The station's program, from the checkout's root: as it is built and shipped when a whole run or a benchmark
 * has built it (`.ci/test.mjs`, `test/bench/run.ts`), else from its sources.
 */
export const PROGRAM = process.env['WAYPOST_PROGRAM'] ?? 'server/cli.ts';

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const WIDTH = 120;
const LINES = 400;

/**
 * Longer files, each with its length in tens of lines, so that it does not grow. Take a row out when its file has 400
 * lines; add none.
 */
const LONG_FILES: Readonly<Record<string, number>> = {
  'server/http/events/events.ts': 430,
  // Tests that share one station, town or table.
  'test/bench/tasks/tasks.bench.ts': 430,
  'test/browser/board/queue.test.ts': 450,
  'test/browser/board/task.test.ts': 900,
  'test/browser/console/directories.test.ts': 470,
  'test/browser/desktop/connect.test.ts': 420,
  'test/browser/roads/closures.test.ts': 680,
  'test/browser/roads/routes.test.ts': 440,
  'test/contracts/rx-storage.ts': 460,
  'test/http/app/errors.test.ts': 440,
  'test/http/events/alarms.test.ts': 410,
  'test/http/events/notify.test.ts': 460,
  'test/http/events/routes-and-zones.test.ts': 660,
  'test/http/files/files.test.ts': 490,
  'test/http/live/live.test.ts': 470,
  'test/http/routing/routing.test.ts': 500,
  'test/http/tasks/attachments.test.ts': 440,
  'test/http/tasks/directories.test.ts': 450,
  'test/http/tasks/tasks.test.ts': 560,
  'test/stations/torture/torture.ts': 570,
  'test/unit/tracking/events/alarms/alarms.test.ts': 420,
  'test/unit/tracking/events/events.test.ts': 440,
  'test/unit/tracking/events/history/history-store.test.ts': 560,
  'test/unit/tracking/events/task-events/task-events.test.ts': 470,
  'test/unit/tracking/events/task-events/task-life.test.ts': 410,
  'test/unit/geo/geocoding/search.test.ts': 500,
  'test/unit/renderer/features/routes/routes.test.ts': 580,
  'test/unit/geo/routing/answer/instructions.test.ts': 530,
  'test/unit/geo/routing/rules/scenarios.test.ts': 570,
  'test/unit/geo/routing/search/closed-ends.test.ts': 620,
  'test/unit/geo/routing/threads/planner.test.ts': 560,
  'test/unit/store/backups.test.ts': 500,
  'test/unit/store/opening.test.ts': 470,
  'test/unit/dispatch/tasks/list.test.ts': 810,
  'test/unit/tracking/telemetry/telemetry.test.ts': 500,
  'test/unit/geo/territory/import.test.ts': 450,
};

/** Files without a limit, and why. */
const UNLIMITED: readonly RegExp[] = [
  /^renderer\/src\/lib\/api\/schema\.d\.ts$/, // generated
  /^test\/unit\/geo\/geocoding\/operator-questions\.ts$/, // a table of questions
  /^server\/geo\/territory\/places\/sorts\.ts$/, // a table of tags
];

const files = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && existsSync(join(ROOT, file)));
const linesOf = (file: string): string[] => readFileSync(join(ROOT, file), 'utf8').split('\n');

test('no source file has more than 400 lines, and the longer ones do not grow', () => {
  const lengths = files
    .filter((file) => /\.(ts|vue|mjs|css)$/.test(file) && !UNLIMITED.some((pattern) => pattern.test(file)))
    .map((file) => ({ file, lines: linesOf(file).length - 1 }));
  const tooLong = lengths.filter(({ file, lines }) => lines > (LONG_FILES[file] ?? LINES));
  expect(tooLong).toEqual([]);
  const shortEnough = Object.keys(LONG_FILES).filter(
    (file) => !lengths.some((one) => one.file === file && one.lines > LINES),
  );
  expect(shortEnough).toEqual([]);
});

test('no line of a document is longer than 120 characters, outside of tables, code and pictures', () => {
  const documents = files.filter((file) => file.endsWith('.md') && file !== 'test/bench/results.md');
  const long = documents.flatMap((file) => {
    let isCode = false;
    return linesOf(file).flatMap((line, index) => {
      if (/^\s*```/.test(line)) isCode = !isCode;
      return isCode || line.length <= WIDTH || /^\s*(\||!\[)/.test(line) ? [] : [`${file}:${index + 1}`];
    });
  });
  expect(long).toEqual([]);
});

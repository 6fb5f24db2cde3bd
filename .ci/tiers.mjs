// Which files of the slow projects each `npm test` runs. `npm run test:all` runs all of them.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Folders of the projects that need most of the time: a console in Chromium, stations in processes. */
const SLOW = ['test/browser', 'test/stations'];

/** Where the looks are: they run when the console differs. */
const LOOKS = 'test/browser/looks/';

/**
 * The files of `SLOW` that each run takes: at least one of each folder, and together what nobody may break for a day.
 * A file costs 5 to 30 s of processor time, and all of a run 1,200 at most: add one here, take one away.
 */
export const ESSENTIAL = [
  'test/browser/board/intake.test.ts',
  'test/browser/board/run-board.test.ts',
  'test/browser/board/night-shift.test.ts',
  'test/browser/citizens/citizens.test.ts',
  'test/browser/console/first-data.test.ts',
  'test/browser/desktop/shell.test.ts',
  'test/browser/fleet/fleet.test.ts',
  'test/browser/looks/every-page.test.ts',
  'test/browser/map/text-only.test.ts',
  'test/browser/roads/warnings.test.ts',
  'test/browser/stations/station-lists.test.ts',
  'test/stations/kills/command-kill.test.ts',
  'test/stations/kills/full-disk.test.ts',
  'test/stations/kills/kill.test.ts',
  'test/stations/links/two-stations.test.ts',
  'test/stations/mailbox/mailbox-kill.test.ts',
  'test/stations/program/maps.test.ts',
  'test/stations/program/owner-alone.test.ts',
  'test/stations/region/consoles.test.ts',
  'test/stations/region/region.test.ts',
  'test/stations/torture/torture.test.ts',
];

/** Files of the other projects that take 15 to 40 s each. A short run leaves them out unless they differ. */
export const LONG = [
  'test/http/crews/sms-hostile-centre.test.ts',
  'test/http/station/mailbox.test.ts',
  'test/unit/geo/routing/threads/planner.test.ts',
  'test/unit/store/opening.test.ts',
  'test/unit/tracking/telemetry/historian/dying-historian.test.ts',
  'test/unit/geo/territory/import.test.ts',
];

const git = (root, ...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' });

/** The commit to compare with: where the branch left main, and on main the commit before. */
export function comparedCommit(root) {
  const head = git(root, 'rev-parse', 'HEAD').stdout.trim();
  const onMain =
    git(root, 'merge-base', 'HEAD', 'origin/main').stdout.trim() ||
    git(root, 'merge-base', 'HEAD', 'main').stdout.trim();
  return onMain !== '' && onMain !== head ? onMain : 'HEAD~1';
}

/** Lines of imports: a moved module changes them in many tests, and what each tests in none. */
const IMPORT_LINE = "^import |^} from '";

/** Files below `folders` that differ from `comparedCommit` in more than imports, and those that git does not know. */
export function changedFiles(root, folders) {
  const differing = git(
    ...[root, 'diff', '--numstat', '-z', '--no-renames', '--diff-filter=d', '-I', IMPORT_LINE],
    ...[comparedCommit(root), '--', ...folders],
  );
  const unknown = git(root, 'ls-files', '-z', '--others', '--exclude-standard', '--', ...folders);
  return [differing, unknown]
    .flatMap(({ stdout }) => (stdout ?? '').split('\0'))
    .map((row) => row.split('\t').at(-1))
    .filter((file) => file !== '');
}

const testFiles = (root, folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`);

/** The slow and long files that a short run takes, and those that it leaves out: paths from `root`. */
export function tiersOf(root) {
  const slow = SLOW.filter((folder) => existsSync(join(root, folder))).flatMap((folder) => testFiles(root, folder));
  const all = [...slow, ...LONG];
  const chosen = new Set([...ESSENTIAL, ...changedFiles(root, ['test'])]);
  return { taken: all.filter((file) => chosen.has(file)), left: all.filter((file) => !chosen.has(file)) };
}

/** Which project a slow file belongs to. */
export const projectOf = (file) => (file.startsWith(LOOKS) ? 'looks' : file.split('/')[1]);

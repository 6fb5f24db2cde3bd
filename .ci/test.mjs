// npm test: installs what is missing and runs every check and every test but the slow ones that `tiers.mjs` leaves
// out. The last line says `N passed, N failed`.
//   npm run test:all        every test
//   npm test -- WORD …      only the checks, builds and projects whose name contains one of the words, these whole
//   npm run check           only format, lint and types
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { isWorthAnotherRun, mergeOutcomes, outcomesOf } from './outcomes.mjs';
import {
  installPackages,
  needChromium,
  ourEnvironment,
  ourNode,
  root,
  wantDovecot,
  wantGdal,
  wantMosquitto,
  wantNginx,
  wantNats,
  wantPostgres,
  wantPebble,
  wantSlapd,
} from './prepare.mjs';
import { comparedCommit, projectOf, tiersOf } from './tiers.mjs';

const started = Date.now();
installPackages();
const { buildConsole, buildProgram, program } = await import('./build.mjs');

const out = join(root, 'test', 'out');
const cache = join('node_modules', '.cache');
mkdirSync(out, { recursive: true });
let passed = 0;
let failed = 0;
/** One seed for all tests that draw random numbers: `WAYPOST_SEED=… npm test` repeats a run. */
const seed = process.env.WAYPOST_SEED ?? String(Math.floor(Math.random() * 2 ** 31));
const failures = [];
/** Tests that failed, and passed when they ran again. */
const unstable = [];
const skipped = [];

const incremental = (room) => ['--incremental', '--tsBuildInfoFile', join(cache, `tsc-${room}.json`)];
// TypeScript 7 compiles to machine code and checks in a quarter of the time; vue-tsc still needs version 6.
const tsc = (room) => ['node_modules/typescript-native/bin/tsc', '--noEmit', '-p', room, ...incremental(room)];
const cached = ['--cache', '--cache-strategy', 'content'];
/** Both make garbage fast: collecting it less often takes a tenth of their time. */
const roomy = '--max-semi-space-size=64';
/** Each check passes or fails as a whole. The longest come first. */
const checks = {
  'lint': ['.ci/lint.mjs'],
  'lint of the console': [
    roomy,
    'node_modules/eslint/bin/eslint.js',
    ...['--config', 'test/eslint.config.js', '--max-warnings', '0', ...cached],
    ...['--cache-location', join(cache, 'eslint'), 'renderer'],
  ],
  'format': ['node_modules/prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', ...cached, '.'],
  'types of the tests and the Electron shell': tsc('test'), // the same options, mostly the same files
  'types of the console': [
    roomy,
    'node_modules/vue-tsc/bin/vue-tsc.js',
    ...['--noEmit', '-p', 'renderer', ...incremental('renderer')],
  ],
  'types of the server': tsc('server'),
  'types of shared': tsc('shared'),
};
const builds = { 'console builds': ['.ci/build.mjs', 'console'], 'program builds': ['.ci/build.mjs', 'program'] };
const words = process.argv.slice(2).filter((word) => word !== '--all');
/** The slow projects run in short when nobody names a project or asks for all. */
const isShort = words.length === 0 && !process.argv.includes('--all');
const wanted = (name) => words.length === 0 || words.some((word) => name.includes(word));

const projects = ['unit', 'alone', 'http', 'browser'].filter(wanted);
if (words.length > 0 ? wanted('looks') : looksMayDiffer()) projects.push('looks');
/** They wait for their processes more than half of the time, so they run beside the others, one file at a time. */
const waiting = ['stations'].filter(wanted);
/** Checks run beside tests, while these wait, and give way a little; more would starve them under load. */
const NICE = 3;
const inBackground = projects.length + waiting.length > 0;
const commands = (list, options) => {
  const names = Object.keys(list).filter(wanted);
  return names.map((name) => () => check(name, list[name], options));
};
const checking = commands(checks, { inBackground });
const first = [...commands(builds), ...(wanted('pure') ? [() => suites(['pure'], { quiet: true })] : [])];
if (!inBackground) await inTwos([...first, ...checking]);
else {
  let testing = true;
  let built = () => {};
  const whenBuilt = new Promise((resolve) => (built = resolve));
  const beside = [
    ...checking.splice(0, 1), // while programs are built and fetched
    () => whenBuilt,
    ...(waiting.length > 0 ? [() => suites(waiting, { quiet: true, options: ['--maxWorkers=1'] })] : []),
    ...checking,
  ];
  const besides = inTurn(beside, () => testing);
  const inBrowser = projects.includes('browser') || projects.includes('looks');
  const fetching = async () => {
    if (inBrowser) await needChromium();
    if (projects.includes('http')) await wantNginx();
    if (waiting.length > 0 || projects.includes('unit')) await wantPostgres();
    if (waiting.length > 0) {
      await wantNats();
      await wantDovecot();
    }
    if (projects.includes('http')) {
      await wantSlapd();
      await wantPebble();
      await wantMosquitto();
      await wantDovecot();
      await wantGdal();
      await wantNats();
    }
  };
  await Promise.all([inTwos(first), fetching()]);
  // When only projects are named; else both are up to date.
  await buildProgram();
  if (inBrowser || waiting.length > 0) await buildConsole();
  built();
  if (projects.length > 0) await suites(projects);
  testing = false;
  await Promise.all([besides, inTurn(beside)]);
}

for (const { file, test, message } of unstable)
  console.log(`\n? failed, and passed when it ran again alone: ${file}: ${test ?? 'the file'}\n${message}`);
for (const { name, text } of failures) console.log(`\n✗ ${name}\n${text}`);
if (isShort) tellWhatIsLeft();
for (const name of skipped) console.log(`\n↓ skipped on this machine: ${name}`);
console.log(`\n${Math.round((Date.now() - started) / 1000)} s; random numbers of WAYPOST_SEED=${seed}`);
console.log(`${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`);
process.exit(failed === 0 ? 0 : 1);

/** The looks are tested after a change of the console, and in CI's full run where git cannot tell. */
function looksMayDiffer() {
  if (process.env.WAYPOST_LOOKS) return process.env.WAYPOST_LOOKS === '1';
  const base = comparedCommit(root);
  const git = spawnSync('git', ['diff', '--quiet', base, '--', 'renderer', 'test/browser'], { cwd: root });
  const differs = git.status !== 0;
  if (!differs) console.log(`looks: not run, since renderer/ is as it was (${base}); WAYPOST_LOOKS=1 runs them`);
  return differs;
}

/** Says how many slow files this run leaves to `npm run test:all`. */
function tellWhatIsLeft() {
  const { left } = tiersOf(root);
  const projects = left.map(projectOf);
  const perProject = [...new Set(projects)].map((name) => `${projects.filter((of) => of === name).length} ${name}`);
  console.log(`\nnot run: ${left.length} slow test files (${perProject.join(', ')}); npm run test:all runs them`);
}

function count(ok, name, text = '') {
  console.log(`${ok ? '✓' : '✗'} ${name}`);
  if (ok) passed++;
  else {
    failed++;
    failures.push({ name, text });
  }
}

async function check(name, command, { inBackground = false } = {}) {
  const { code, text } = await runNode(command, { quiet: true, inBackground });
  count(code === 0, name, text);
}

/**
 * Runs projects of the test runner and counts their tests one by one. `quiet` prints only how it ended. A few files
 * that fail run once more, alone and with the same seed: a test that passes then depends on chance. It counts as
 * passed, and the end names it with its failure.
 */
async function suites(names, { quiet = false, options = [] } = {}) {
  const title = names.join(', ');
  const { result, code, text } = await runProjects(names, { quiet, options });
  if (result === undefined) return count(false, `tests: ${title} gave no report`, text);
  const first = outcomesOf(result, root);
  const files = first.failed.map(({ file }) => file);
  const again = isWorthAnotherRun(files) ? await runProjects(names, { quiet, files: [...new Set(files)] }) : {};
  const { merged, depending } = mergeOutcomes(first, outcomesOf(again.result, root));
  passed += merged.passed.length;
  if (quiet) console.log(`${merged.failed.length === 0 ? '✓' : '✗'} ${title}: ${merged.passed.length} tests`);
  skipped.push(...merged.skipped.map(({ test }) => test));
  unstable.push(...depending);
  // Failures are repeated at the end: CI often keeps only the last part of a long log.
  for (const { file, test, message } of merged.failed) count(false, test ? `${file}: ${test}` : file, message);
  // An error outside of any test fails the run without failing a test or a file.
  if (code !== 0 && files.length === 0) count(false, `tests: ${title} ended with ${code}`, text);
  if (result.numTotalTests === 0) count(false, `tests: ${title} has no test`);
}

/** `files` run alone, one by one; else all of the projects run. */
async function runProjects(names, { quiet, options = [], files }) {
  const report = join(out, `${names.join('-')}${files ? '-again' : ''}.json`);
  rmSync(report, { force: true });
  const { code, text } = await runNode(
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      ...(files ?? []),
      ...['--config', 'test/vitest.config.ts', '--allowOnly=false'],
      ...names.flatMap((name) => ['--project', name]),
      ...(files ? ['--maxWorkers=1'] : options),
      ...['--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    ],
    { quiet, env: { WAYPOST_PROGRAM: program, WAYPOST_SEED: seed, ...(isShort ? { WAYPOST_SHORT: '1' } : {}) } },
  );
  try {
    return { code, text, result: JSON.parse(readFileSync(report, 'utf8')) };
  } catch {
    return { code, text };
  }
}

function runNode(args, { quiet = false, inBackground = false, env = {} } = {}) {
  return new Promise((resolve) => {
    let text = '';
    const child = spawn(ourNode, args, {
      cwd: root,
      stdio: ['ignore', quiet ? 'pipe' : 'inherit', quiet ? 'pipe' : 'inherit'],
      env: ourEnvironment(env),
    });
    if (inBackground && child.pid !== undefined) setPriority(child.pid, NICE);
    child.stdout?.on('data', (bytes) => (text += bytes));
    child.stderr?.on('data', (bytes) => (text += bytes));
    child.on('close', (code) => resolve({ code: code ?? 1, text }));
  });
}

/** Does two things at a time: as many as the smallest machine has cores. */
async function inTwos(work) {
  await Promise.all([inTurn(work), inTurn(work)]);
}

/** Takes one after the other off the list `work` and does it, while `goesOn`. */
async function inTurn(work, goesOn = () => true) {
  while (work.length > 0 && goesOn()) await work.shift()();
}

// npm test: installs what is missing and runs every check. The last line says `N passed, N failed`.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { chromium, installPackages, ourEnvironment, ourNode, root } from './prepare.mjs';

const started = Date.now();
installPackages();
const browser = chromium();
const { buildConsole, buildProgram, program } = await import('./build.mjs');

const out = join(root, 'test', 'out');
mkdirSync(out, { recursive: true });
let passed = 0;
let failed = 0;
/** Of all tests that draw numbers, so that a run that failed can be repeated. */
const seed = process.env.WAYPOST_SEED ?? String(Math.floor(Math.random() * 2 ** 31));
const failures = [];
const skipped = [];

const tsc = (room) => ['node_modules/typescript/bin/tsc', '--noEmit', '-p', room];
/** Checks that are one thing each: they pass or fail as a whole. */
const checks = {
  'lint': ['node_modules/eslint/bin/eslint.js', '--config', 'test/eslint.config.js', '--max-warnings', '0', '.'],
  'types of shared': tsc('shared'),
  'types of the server': tsc('server'),
  'types of the Electron shell': tsc('electron'),
  'types of the tests': tsc('test'),
  'types of the console': ['node_modules/vue-tsc/bin/vue-tsc.js', '--noEmit', '-p', 'renderer'],
};
const only = process.argv.slice(2);
const wanted = (name) => only.length === 0 || only.some((word) => name.includes(word));

await inTwos(
  Object.entries(checks).filter(([name]) => wanted(name)),
  async ([name, words]) => {
    const { code, text } = await runQuietly(words);
    count(code === 0, name, text);
  },
);
await step('console builds', () => buildConsole());
await step('program builds', () => buildProgram());
for (const project of ['unit', 'stations', 'browser']) if (wanted(project)) await suite(project);

for (const { name, text } of failures) console.log(`\n✗ ${name}\n${text}`);
for (const name of skipped) console.log(`\n↓ skipped on this machine: ${name}`);
console.log(`\n${Math.round((Date.now() - started) / 1000)} s; random numbers of WAYPOST_SEED=${seed}`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

function count(ok, name, text = '') {
  console.log(`${ok ? '✓' : '✗'} ${name}`);
  if (ok) passed++;
  else {
    failed++;
    failures.push({ name, text });
  }
}

async function step(name, work) {
  try {
    await work();
    count(true, name);
  } catch (error) {
    count(false, name, String(error));
  }
}

/** One project of the test runner; its tests are counted one by one. */
async function suite(project) {
  const report = join(out, `${project}.json`);
  rmSync(report, { force: true });
  const { code } = await runLoudly([
    'node_modules/vitest/vitest.mjs',
    'run',
    '--config',
    'test/vitest.config.ts',
    '--project',
    project,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ]);
  try {
    const result = JSON.parse(readFileSync(report, 'utf8'));
    passed += result.numPassedTests;
    for (const file of result.testResults) {
      for (const test of file.assertionResults) {
        if (test.status === 'pending' || test.status === 'skipped') skipped.push(test.fullName);
        // Told once more at the end: of a long run's print often the last part alone is kept.
        if (test.status === 'failed')
          count(false, `${project}: ${relative(root, file.name)}: ${test.fullName}`, test.failureMessages.join('\n'));
      }
    }
    for (const file of result.testResults)
      if (file.status === 'failed' && file.assertionResults.every((test) => test.status !== 'failed'))
        count(false, `${project}: ${relative(root, file.name)}`, file.message);
    // An error outside of any test fails the run without failing a test or a file.
    if (code !== 0 && result.testResults.every((file) => file.status !== 'failed'))
      count(false, `tests: ${project} ended with ${code}`);
    if (result.numTotalTests === 0) count(false, `tests: ${project} has no test`);
  } catch {
    count(false, `tests: ${project} gave no report`);
  }
}

function runLoudly(words) {
  return new Promise((resolve) => {
    spawn(ourNode, words, {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: ourEnvironment({ WAYPOST_CHROMIUM: browser, WAYPOST_PROGRAM: program, WAYPOST_SEED: seed, CI: '1' }),
    }).on('exit', (code) => resolve({ code: code ?? 1 }));
  });
}

function runQuietly(words) {
  return new Promise((resolve) => {
    let text = '';
    const child = spawn(ourNode, words, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env: ourEnvironment() });
    child.stdout.on('data', (bytes) => (text += bytes));
    child.stderr.on('data', (bytes) => (text += bytes));
    child.on('close', (code) => resolve({ code: code ?? 1, text }));
  });
}

/** Two at a time: as many as the smallest machine has cores. */
async function inTwos(items, work) {
  const queue = [...items];
  const next = async () => {
    for (let item = queue.shift(); item; item = queue.shift()) await work(item);
  };
  await Promise.all([next(), next()]);
}

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { changedFiles, ESSENTIAL, LONG, projectOf, tiersOf } from '../../../.ci/tiers.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));

test('each file that the tiers name exists', () => {
  expect([...ESSENTIAL, ...LONG].filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

test('a short run takes an essential file of each folder of browser and station tests', () => {
  const folders = ['test/browser', 'test/stations'].flatMap((project) =>
    readdirSync(join(root, project), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== 'harness')
      .map((entry) => `${project}/${entry.name}`),
  );
  const taken = new Set(ESSENTIAL.map((file) => dirname(file)));
  expect(folders.filter((folder) => !taken.has(folder))).toEqual([]);
});

test('a short run and what it leaves are all of the slow files, each once', () => {
  const { taken, left } = tiersOf(root);
  expect(new Set([...taken, ...left]).size).toBe(taken.length + left.length);
  expect(taken).toEqual(expect.arrayContaining([...ESSENTIAL]));
  expect(left.length).toBeGreaterThan(0);
});

test('the looks are a project of their own', () => {
  expect(projectOf('test/browser/looks/contrast.test.ts')).toBe('looks');
  expect(projectOf('test/browser/board/intake.test.ts')).toBe('browser');
  expect(projectOf('test/stations/kills/kill.test.ts')).toBe('stations');
});

test('a file has changed when more than its imports differ, or when git does not know it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tiers-'));
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@waypost.example', ...words], { cwd: folder });
  const write = (name: string, from: string, body: string) =>
    writeFileSync(join(folder, 'test', name), `import { one } from '${from}';\n${body}\n`);
  try {
    mkdirSync(join(folder, 'test'));
    git('init', '-q');
    for (const name of ['same', 'moved', 'changed', 'gone']) write(name, './a.ts', 'one();');
    git('add', '-A');
    git('commit', '-q', '-m', 'one');
    write('moved', '../b/a.ts', 'one();');
    write('changed', '../b/a.ts', 'one(2);');
    rmSync(join(folder, 'test', 'gone'));
    git('add', '-A');
    git('commit', '-q', '-m', 'two');
    write('unknown', './a.ts', 'one();');
    expect(changedFiles(folder, ['test'])).toEqual(['test/changed', 'test/unknown']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

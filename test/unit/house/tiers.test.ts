import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { ESSENTIAL, LONG, projectOf, tiersOf } from '../../../.ci/tiers.mjs';

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

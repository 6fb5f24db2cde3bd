import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tryStation, type TryStation } from '../try-station.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const GENERATOR = join(ROOT, 'node_modules/openapi-typescript/bin/cli.js');
const COMPILER = join(ROOT, 'node_modules/typescript-native/bin/tsc');
let at: TryStation;
let directory: string;
let example: string;
let key: string;

beforeAll(async () => {
  // Within the checkout: the example imports a package.
  mkdirSync(join(ROOT, 'test/out'), { recursive: true });
  directory = mkdtempSync(join(ROOT, 'test/out/typed-client-'));
  at = await tryStation();
  const admin = await at.signIn();
  await at.ok('POST', '/cars', { as: admin, body: { name: 'Van 7', glonassId: 7 } });
  const body = { name: 'client', scopes: ['read', 'telemetry'], expiresAt: null };
  key = (await at.ok('POST', '/auth/keys', { as: admin, body })).token;
  const [english, russian] = ['en', 'ru'].map(
    (language) =>
      /```ts\n([\s\S]*?)```/.exec(readFileSync(join(ROOT, `resources/manual/${language}/programs.md`), 'utf8'))![1]!,
  );
  expect(russian).toBe(english);
  example = english!;
  const made = await run(GENERATOR, `${at.station.address}/openapi.json`, '--output', join(directory, 'waypost.d.ts'));
  expect(made.code, made.said).toBe(0);
});
afterAll(async () => {
  await at.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** The station answers in this process, so it must not block. */
async function run(...words: string[]): Promise<{ said: string; code: number }> {
  const child = spawn(process.execPath, words, {
    cwd: directory,
    env: { ...process.env, STATION: at.station.address, KEY: key },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (said += bytes));
  const [code] = (await once(child, 'close')) as [number];
  return { said, code };
}

function compile(name: string, text: string) {
  const file = join(directory, name);
  writeFileSync(file, text);
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--allowImportingTsExtensions', '--types', 'node'];
  const target = ['--module', 'nodenext', '--target', 'es2024', '--ignoreConfig'];
  return run(COMPILER, ...options, ...target, file);
}

test('the example of the manual compiles with the types of the station, and runs', async () => {
  const compiled = await compile('example.ts', example);
  expect(compiled.code, compiled.said).toBe(0);
  const { said, code } = await run(join(directory, 'example.ts'));
  expect(code, said).toBe(0);
  expect(said).toContain('accepted: 1');
  expect(said).toContain('Van 7: 47.14, 9.52');
});

test.each([
  ['a path that is not there', "'/cars'", "'/lorries'"],
  ['a parameter of another type', "name: 'Van'", 'name: 7'],
  ['a field that no answer has', '{ name, lat, lon }', '{ title: name, lat, lon }'],
])('the compiler names %s', async (_what, right, wrong) => {
  expect(example).toContain(right);
  const { said, code } = await compile('wrong.ts', example.replace(right, wrong));
  expect([code === 0, said]).toEqual([false, expect.stringContaining('wrong.ts')]);
});

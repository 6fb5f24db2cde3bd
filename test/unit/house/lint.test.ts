import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { lint, lintComponents } from '../../../.ci/lint.mjs';
import { temporaryDirectory } from '../store/open-store.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Breaks each rule about promises and states once, below the first line. */
const WRONG = `
async function work(): Promise<number> { return 1; }
export function wrong(state: { kind: 'a' } | { kind: 'b' }): number {
  work();
  if (work()) return 3;
  void (async () => { await 3; })();
  switch (state.kind) { case 'a': return 1; }
  return 2;
}`;
const FOUND = [
  'no-floating-promises, line 4',
  'no-misused-promises, line 5',
  'await-thenable, line 6',
  'switch-exhaustiveness-check, line 7',
];

test.each(['server', 'electron', 'shared', 'renderer'])(
  'the linter finds promises left alone and states left out in %s',
  async (folder) => {
    const home = homeWith(`${folder}/wrong.ts`, WRONG);
    expect(found(await lint(home, folder))).toEqual(FOUND);
  },
);

test('the linter finds them in a component, where the types of its imports are known', async () => {
  const home = homeWith(
    'renderer/src/ui/Wrong.vue',
    `<template><p>{{ used }}</p></template>
<script setup lang="ts">
import { ref } from 'vue';
import { save } from '../lib/save.ts';
const used = ref(1);
save();
</script>
`,
  );
  write(home, 'renderer/src/lib/save.ts', 'export async function save(): Promise<void> {}\n');
  expect(found(await lintComponents(home))).toEqual(['no-floating-promises, line 6']);
});

function homeWith(path: string, text: string): string {
  const home = temporaryDirectory();
  symlinkSync(join(ROOT, 'node_modules'), join(home, 'node_modules'), 'junction');
  write(home, 'tsconfig.json', JSON.stringify({ extends: join(ROOT, 'tsconfig.json') }));
  write(home, path, text);
  return home;
}

function write(home: string, path: string, text: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), text);
}

/** Each finding of a rule with types: its rule and its line, from the top. */
const found = (report: string): string[] =>
  [...report.matchAll(/:(\d+):\d+: .*\((.+)\)\]/g)]
    .sort(([, a], [, b]) => Number(a) - Number(b))
    .map(([, line, rule]) => `${rule}, line ${line}`);

import { fileURLToPath } from 'node:url';
import { ESLint } from 'eslint';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const lint = new ESLint({ cwd: ROOT, overrideConfigFile: `${ROOT}test/eslint.config.js` });

async function isRefused(watched: string): Promise<boolean> {
  const lines = ["import { ref, watch } from 'vue';", 'const a = ref(1);', 'const b = ref(2);', watched];
  const sources = [
    ['renderer/src/app/use-desktop.ts', lines.join('\n')],
    [
      'renderer/src/map/MapFrame.vue',
      `<script setup lang="ts">\n${lines.join('\n')}\n</script>\n<template><p /></template>`,
    ],
  ] as const;
  const found = await Promise.all(
    sources.map(async ([file, text]) => {
      const [result] = await lint.lintText(text, { filePath: `${ROOT}${file}` });
      return result!.messages.some(({ ruleId }) => ruleId === 'no-restricted-syntax');
    }),
  );
  expect(new Set(found).size, 'in scripts as in components').toBe(1);
  return found[0]!;
}

test.each([
  'watch(() => [a.value, b.value], () => {});',
  'watch(() => [a.value, b.value] as const, () => {});',
  'watch(() => ({ a: a.value }), () => {}, { immediate: true });',
])('the lint refuses to watch what differs each time: %s', async (watched) => {
  expect(await isRefused(watched)).toBe(true);
});

test.each([
  'watch([a, () => b.value], () => {});',
  'watch(a, () => [b.value]);',
  'watch(() => `${a.value} ${b.value}`, () => {});',
])('it has nothing against %s', async (watched) => {
  expect(await isRefused(watched)).toBe(false);
});

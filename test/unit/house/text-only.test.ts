import { fileURLToPath } from 'node:url';
import { ESLint } from 'eslint';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const lint = new ESLint({ cwd: ROOT, overrideConfigFile: `${ROOT}test/eslint.config.js` });

async function faultsOf(source: string, file = 'renderer/src/map/MapFrame.vue'): Promise<string[]> {
  const [result] = await lint.lintText(source, { filePath: `${ROOT}${file}` });
  return result!.messages.filter(({ severity }) => severity === 2).map(({ message }) => message);
}

const inScript = (line: string) =>
  `<script setup lang="ts">\nimport L from 'leaflet';\nconst name = '<b>';\nconst element = document.body;\nconst zone = L.circle([0, 0]);\n${line}\n</script>\n<template><p>{{ name }} {{ element }} {{ zone }} {{ L }}</p></template>\n`;

test.each([
  'element.innerHTML = name;',
  "element['innerHTML'] = name;",
  'Object.assign(element, { outerHTML: name });',
  "element.insertAdjacentHTML('beforeend', name);",
  'document.write(name);',
  'document.createRange().createContextualFragment(name);',
  "new DOMParser().parseFromString(name, 'text/html');",
  'element.setHTMLUnsafe(name);',
  'zone.bindTooltip(name);',
  'zone.bindPopup(name);',
  'zone.setTooltipContent(name);',
  'zone.setPopupContent(name);',
  'L.divIcon({ html: name });',
  'L.popup();',
  'L.tooltip();',
  'L.control.attribution({ prefix: name });',
])('the lint refuses %s', async (line) => {
  expect(await faultsOf(inScript(line))).not.toEqual([]);
  expect(
    await faultsOf(
      inScript(line)
        .replace(/[^\n]*<template>.*/, '')
        .replace(/<[^\n]*script[^\n]*>/g, ''),
      'renderer/src/map/layers/zone-layer.ts',
    ),
  ).not.toEqual([]);
});

test.each([
  '<p v-html="name" />',
  '<p :innerHTML="name" />',
  '<p :inner-html.prop="name" />',
  '<iframe :srcdoc="name" />',
  '<p @click="$event.target.innerHTML = name" />',
])('the lint refuses %s in a template', async (tag) => {
  expect(
    await faultsOf(
      `<script setup lang="ts">\ndefineProps<{ name: string }>();\n</script>\n<template>\n  ${tag}\n</template>\n`,
    ),
  ).not.toEqual([]);
});

test('it has nothing against texts', async () => {
  expect(await faultsOf(inScript('element.textContent = name;'))).toEqual([]);
  expect(
    await faultsOf(
      "import { nameOn } from './text-marks.ts';\nexport const named = nameOn;\n",
      'renderer/src/map/layers/zone-layer.ts',
    ),
  ).toEqual([]);
});

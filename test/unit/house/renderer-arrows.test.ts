import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

/** The layers of the console, after the pages of telephones. A file imports from its own layer and those after it. */
const LAYERS = ['citizens', 'crew', 'app', 'pages', 'features', 'map', 'ui', 'lib'];

const root = new URL('../../../renderer/src/', import.meta.url).pathname;
const sources = readdirSync(root, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.(ts|vue|css)$/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name).slice(root.length));

const IMPORT = /(?:from|import|@import)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g;

function* imports(): Generator<{ from: string; to: string }> {
  for (const from of sources)
    for (const match of readFileSync(join(root, from), 'utf8').matchAll(IMPORT)) {
      const to = normalize(join(dirname(from), match[1]!));
      if (!to.startsWith('..')) yield { from, to };
    }
}

const layerOf = (path: string) => LAYERS.indexOf(path.split('/')[0]!);

test('every file of the console is in a layer', () => {
  expect(sources.filter((path) => layerOf(path) < 0)).toEqual(['env.d.ts']);
});

test('imports of the console go to their own layer or to a lower one', () => {
  const upward = [...imports()].filter(({ from, to }) => layerOf(to) < layerOf(from));
  expect(upward).toEqual([]);
});

test('no two features import each other, directly or through others', () => {
  const uses = new Map<string, Set<string>>();
  for (const { from, to } of imports()) {
    const [layer, feature] = from.split('/');
    const [otherLayer, other] = to.split('/');
    if (layer !== 'features' || otherLayer !== 'features' || feature === other) continue;
    uses.set(feature!, (uses.get(feature!) ?? new Set()).add(other!));
  }
  const reaches = (start: string, goal: string, seen = new Set<string>()): boolean =>
    [...(uses.get(start) ?? [])].some(
      (next) => next === goal || (!seen.has(next) && reaches(next, goal, seen.add(next))),
    );
  expect([...uses.keys()].filter((feature) => reaches(feature, feature))).toEqual([]);
});

test('no folder of the console holds more than twenty entries', () => {
  const folders = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isDirectory());
  const full = folders
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readdirSync(path).length > 20);
  expect(full).toEqual([]);
});

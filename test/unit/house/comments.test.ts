import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = new URL('../../..', import.meta.url).pathname;

/** A comment, or a line of one, that has a clause as its subject: "What comes …", "Who has …". */
const CLAUSE_AS_SUBJECT = /(?:\/\*\*?|\/\/|^\s*\*) *(?:What|Who)\b/;

function* sources(folder: string): Generator<string> {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* sources(path);
    else if (/\.(ts|vue|cts|mjs)$/.test(entry.name)) yield path;
  }
}

test('no comment begins with "What" or "Who": it names the thing', () => {
  const found = ['shared', 'server', 'renderer/src', 'electron'].flatMap((folder) =>
    [...sources(folder)].flatMap((path) =>
      readFileSync(join(root, path), 'utf8')
        .split('\n')
        .flatMap((line, index) => (CLAUSE_AS_SUBJECT.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
    ),
  );
  expect(found).toEqual([]);
});

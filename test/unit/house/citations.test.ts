import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const OWN = 'test/unit/house/citations.test.ts';
/** Documents that are not in the repository. A reader cannot look them up: the rule belongs in a room's README. */
const OUTSIDE = /(^|[^a-z/])spec\/[a-z]+\.md|\bissue [0-9]+\b|the project['’]s notes|\b(design|style)\.md/;
const GENERATED = /^renderer\/src\/lib\/api\/schema\.d\.ts$|^package-lock\.json$/;
const WIDTH = 120;

const files = execFileSync('git', ['ls-files', '*.ts', '*.mjs', '*.js', '*.vue', '*.css', '*.md'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && file !== OWN && file !== 'CHANGELOG.md' && !GENERATED.test(file));

const linesOf = (file: string): string[] => {
  try {
    return readFileSync(join(ROOT, file), 'utf8').split('\n');
  } catch {
    return []; // deleted, and not committed yet
  }
};

test('no source, test or README cites a document that is not in the repository', () => {
  const citing = files.flatMap((file) =>
    linesOf(file).flatMap((line, index) => (OUTSIDE.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
  );
  expect(citing).toEqual([]);
});

/** The lines that a string, a template or a regular expression is on: those may be longer. */
function linesWithLiterals(text: string): Set<number> {
  const source = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest);
  const lines = new Set<number>();
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) || ts.isTemplateLiteral(node) || ts.isRegularExpressionLiteral(node)) {
      const lineAt = (position: number) => source.getLineAndCharacterOfPosition(position).line;
      for (let line = lineAt(node.getStart(source)); line <= lineAt(node.end); line++) lines.add(line);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return lines;
}

test('no line of code is longer than 120 characters, unless a string or a regular expression makes it so', () => {
  const long = files
    .filter((file) => /\.(ts|mjs|js)$/.test(file))
    .flatMap((file) => {
      const lines = linesOf(file);
      if (lines.every((line) => line.length <= WIDTH)) return [];
      const literal = linesWithLiterals(lines.join('\n'));
      return lines.flatMap((line, index) =>
        line.length > WIDTH && !literal.has(index) ? [`${file}:${index + 1} (${line.length})`] : [],
      );
    });
  expect(long).toEqual([]);
});

test('each sentence about stations has a number of its own, and tests cite sentences that exist', () => {
  const numbers = linesOf('server/replication/sync/SPEC.md').flatMap((line) => /^(\d+)\. /.exec(line)?.[1] ?? []);
  expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([]);
  const known = new Set(numbers);
  const unknown = files.flatMap((file) =>
    linesOf(file)
      .flatMap((line) => [...line.matchAll(/\[sync (\d+)\]/g)])
      .filter(([, number]) => !known.has(number!))
      .map(([citation]) => `${file}: ${citation}`),
  );
  expect(unknown).toEqual([]);
});

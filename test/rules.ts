import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/**
 * Prints the rules that tests hold, as a Markdown table: `npm run rules -- tasks`. A rule is the title of a test.
 * The table covers `test/unit/ROOM`, `test/http/ROOM`, and other interface and contract tests named after the room.
 */
const root = fileURLToPath(new URL('..', import.meta.url));

const testsIn = (folder: string): string[] =>
  existsSync(join(root, folder))
    ? readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.test.ts'))
        .sort()
        .map((file) => join(folder, file))
    : [];

/** `test`, `test.each([…])` and `describe.skipIf(…)` alike: the name at the very left. */
function calledName(call: ts.Expression): string {
  if (ts.isIdentifier(call)) return call.text;
  if (ts.isPropertyAccessExpression(call) || ts.isCallExpression(call) || ts.isTaggedTemplateExpression(call))
    return calledName(ts.isTaggedTemplateExpression(call) ? call.tag : call.expression);
  return '';
}

const titleOf = (node: ts.Expression): string =>
  ts.isStringLiteralLike(node) ? node.text : node.getText().replace(/^`|`$/g, '');

function rulesOf(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true);
  const rules: string[] = [];
  const visit = (node: ts.Node, within: readonly string[]): void => {
    let inner = within;
    if (ts.isCallExpression(node) && node.arguments.length > 1) {
      const name = calledName(node.expression);
      if (name === 'describe') inner = [...within, titleOf(node.arguments[0]!)];
      if (name === 'test' || name === 'it') rules.push([...within, titleOf(node.arguments[0]!)].join(': '));
    }
    ts.forEachChild(node, (child) => visit(child, inner));
  };
  visit(source, []);
  return rules;
}

const [room] = process.argv.slice(2);
if (room === undefined) {
  console.log(`npm run rules -- ROOM, where ROOM is one of ${readdirSync(join(root, 'test/unit')).sort().join(', ')}.`);
  process.exit(2);
}
const named = [...testsIn('test/http'), ...testsIn('test/contracts')].filter((file) => basename(file).startsWith(room));
const files = [...new Set([...testsIn(`test/unit/${room}`), ...testsIn(`test/http/${room}`), ...named])];
console.log('| Rule | Test file |\n| --- | --- |');
for (const file of files)
  for (const rule of rulesOf(file))
    console.log(`| ${rule.replaceAll('|', '\\|').replaceAll('\n', ' ')} | ${relative('test', file)} |`);

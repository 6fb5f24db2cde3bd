import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isCommand, runCommand } from '../../../electron/command.ts';

test.each([
  [['serve', '--data', 'x'], true],
  [['backup', 'to.zip'], true],
  [['--data', 'serve'], false],
  [[], false],
  [['https://example.invalid/serve'], false],
])('%j is the command: %s', (words, command) => {
  expect(isCommand(words)).toBe(command);
});

test('the command runs as plain Node, with its words, and its exit code is ours', async () => {
  const script = join(mkdtempSync(join(tmpdir(), 'waypost-command-')), 'cli.mjs');
  writeFileSync(
    script,
    "process.exit(process.env.ELECTRON_RUN_AS_NODE === '1' && process.argv[2] === 'serve' ? 7 : 1)",
  );
  expect(await runCommand(script, ['serve'])).toBe(7);
});

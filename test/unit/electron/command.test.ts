import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isCommand } from '../../../electron/command.ts';

const root = new URL('../../..', import.meta.url).pathname;

test.each([
  [['serve', '--data', 'x'], true],
  [['backup', 'to.zip'], true],
  [['--help'], true],
  [['version'], true],
  [['--data', 'serve'], false],
  [['--connect', 'https://station.example'], false],
  [[], false],
  [['constructor'], false],
  [['https://example.invalid/serve'], false],
])('%j is the command: %s', (words, command) => {
  expect(isCommand(words)).toBe(command);
});

test('every command of the station is a command of the program', () => {
  const files = readdirSync(join(root, 'server/commands')).filter((name) => !/^(index|words)\.ts$/.test(name));
  const help = spawnSync(process.execPath, [join(root, 'server/cli.ts'), 'help'], { encoding: 'utf8' }).stdout;
  const named = [...help.matchAll(/^ {2}waypost (\w+)/gm)].map((match) => match[1]!);
  expect(named.length).toBeGreaterThan(8);
  expect(named.filter((name) => !isCommand([name]))).toEqual([]);
  expect(files.length).toBeGreaterThan(8);
});

test('a command runs in the main process without a window: its exit code is the program’s, its data the desktop’s', () => {
  const folder = mkdtempSync(join(tmpdir(), 'waypost-command-'));
  const run = (...words: string[]) =>
    spawnSync(
      process.execPath,
      ['--import', join(root, 'test/unit/electron/main-without-windows.ts'), join(root, 'electron/main.ts'), ...words],
      {
        encoding: 'utf8',
        cwd: folder,
        input: '',
        env: { ...process.env, WAYPOST_DATA: '', WAYPOST_TEST_USER_DATA: folder },
      },
    );
  try {
    expect(run('version')).toMatchObject({ status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
    expect(run('user', 'nonsense')).toMatchObject({ status: 2, stderr: expect.stringContaining('waypost user add') });
    const missing = run('user', 'password', 'nobody', '--password', 'a long enough one');
    expect(missing.stderr).toContain('nobody');
    expect(missing.status).toBe(1);
    expect(readdirSync(folder)).toEqual(['userData']);
    expect(readdirSync(join(folder, 'userData/station'))).toContain('station.db');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

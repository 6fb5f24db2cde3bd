import { spawnSync } from 'node:child_process';
import { readFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { accountId } from '../../../server/commands/serve/service.ts';

const root = new URL('../../..', import.meta.url).pathname;

test('the account of a service of Windows is known by the number that Windows makes of its name', () => {
  // Every Windows has this account under this number.
  expect(accountId('TrustedInstaller')).toBe('S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464');
});

test('elsewhere the command for services of Windows says so, and changes nothing', () => {
  const run = (...words: string[]) =>
    spawnSync(process.execPath, [join(root, 'server/cli.ts'), 'service', ...words], { encoding: 'utf8' });
  expect(run('install')).toMatchObject({ status: 1, stderr: expect.stringMatching(/^waypost: .*services of Windows/) });
  expect(run('reinstall')).toMatchObject({ status: 2, stderr: expect.stringContaining('Usage: waypost service') });
});

test('what a service prints is in a file with the time, also the error that ended it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'waypost-output-'));
  const file = join(folder, 'service.log');
  const program = `
    import { writeFileSync } from 'node:fs';
    import { writeOutputTo } from ${JSON.stringify(join(root, 'server/commands/serve/output-file.ts'))};
    writeFileSync(process.argv[1], 'x'.repeat(1_000_001));
    writeOutputTo(process.argv[1]);
    console.log('It listens.');
    console.error('First.\\nSecond.');
    throw new Error('It broke.');`;
  const words = ['--input-type=module', '--eval', program, file];
  try {
    expect(spawnSync(process.execPath, words, { encoding: 'utf8' })).toMatchObject({ status: 1, stdout: '' });
    const lines = readFileSync(file, 'utf8').split('\n');
    const time = String.raw`\d{4}-\d\d-\d\dT[\d:.]+Z`;
    for (const [at, says] of ['It listens.', 'First.', 'Second.', 'Error: It broke.'].entries())
      expect(lines[at]).toMatch(new RegExp(`^${time} ${says}`));
    expect(readFileSync(`${file}.1`, 'utf8')).toHaveLength(1_000_001);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

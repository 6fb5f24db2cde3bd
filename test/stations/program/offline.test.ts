import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const harness = new URL('../harness/', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'waypost-offline-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Linux can give a process a network of its own with nothing in it but loopback; the rest of this file is
 * without it.
 */
const canCutTheCable =
  spawnSync('unshare', ['--net', 'sh', '-c', 'ip link set lo up'], { stdio: 'ignore' }).status === 0;

test.skipIf(!canCutTheCable)(
  'with the cable out the main job works whole, and nothing looks for a network',
  async () => {
    const attempts = join(folder, 'attempts');
    const script = `ip link set lo up && exec '${process.execPath}' --import '${harness}loopback-only.ts' '${harness}main-job.ts'`;
    const child = spawn('unshare', ['--net', 'sh', '-c', script], {
      // No test itself, so its Chromium ends with it.
      env: { ...process.env, VITEST: undefined, WAYPOST_ATTEMPTS: attempts, WAYPOST_DATA: join(folder, 'data') },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    child.stdout.on('data', (bytes) => (said += bytes));
    child.stderr.on('data', (bytes) => (said += bytes));
    const code = await new Promise((done) => child.on('close', done));
    expect(code, said).toBe(0);
    expect(said).toContain('the address is found');
    expect(said).toContain('the vehicle arrived');
    expect(said).toContain('the console asked nobody but its station');
    expect(existsSync(attempts) ? readFileSync(attempts, 'utf8') : '').toBe('');
  },
);

test('a program under the guard cannot reach beyond loopback, and is seen to try', () => {
  const attempts = join(folder, 'tries');
  const program =
    "import('node:net').then((net) => net.connect(80, '192.0.2.1')).catch((error) => console.log(error.code))";
  const ran = spawnSync(process.execPath, ['--import', `${harness}loopback-only.ts`, '-e', program], {
    env: { ...process.env, WAYPOST_ATTEMPTS: attempts },
    encoding: 'utf8',
  });
  expect(ran.stdout.trim()).toBe('ENETUNREACH');
  expect(readFileSync(attempts, 'utf8')).toBe('connect 192.0.2.1:80\n');
});

// npm run test:telephony: tries the station with a real Asterisk. Debian's stable releases have none, so it makes a
// root of Debian sid with Asterisk and SIPp (some 700 MB, five minutes, once) and runs the tests against it by chroot.
// Linux, as root; needs debootstrap. WAYPOST_ASTERISK_ROOT names a root that exists.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const home = fileURLToPath(new URL('../..', import.meta.url));
if (process.platform !== 'linux' || process.getuid?.() !== 0)
  throw new Error('Asterisk runs by chroot: that takes Linux and root.');

function madeRoot(): string {
  const root = join(tmpdir(), 'waypost-asterisk-root');
  const complete = join(root, '.complete');
  if (existsSync(complete)) return root;
  console.log('Making a Debian with Asterisk (some minutes) …');
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
  const sources = '/etc/apt/sources.list.d/debian.sources';
  const mirror = existsSync(sources) ? /^URIs: (\S+)/m.exec(readFileSync(sources, 'utf8'))?.[1] : undefined;
  const inherit: { stdio: ('ignore' | 'inherit')[] } = { stdio: ['ignore', 'ignore', 'inherit'] };
  execFileSync('debootstrap', ['--variant=minbase', 'sid', root, ...(mirror ? [mirror] : [])], inherit);
  // A frozen mirror may be older than its signature allows.
  const apt = (...words: string[]) =>
    execFileSync('chroot', [root, 'apt-get', '-q', '-o', 'Acquire::Check-Valid-Until=false', ...words], {
      ...inherit,
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', DEBIAN_FRONTEND: 'noninteractive' },
    });
  apt('update');
  apt('install', '-y', '--no-install-recommends', 'asterisk', 'sip-tester');
  writeFileSync(complete, '');
  return root;
}

const root = process.env['WAYPOST_ASTERISK_ROOT'] ?? madeRoot();
const vitest = join(home, 'node_modules/vitest/vitest.mjs');
const words = [vitest, 'run', '--config', 'test/vitest.config.ts', 'test/http/telephony'];
const { status } = spawnSync(process.execPath, words, {
  ...{ cwd: home, stdio: 'inherit' },
  env: { ...process.env, WAYPOST_ASTERISK_ROOT: root },
});
process.exitCode = status ?? 1;

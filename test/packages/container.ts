// The image of the station: built by podman from the Containerfile that `npm run dist` makes, on a bare Debian, and run
// without a network. As root.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Check } from './windows.ts';

/** What is missing to build and run an image. */
export const containerMissing = () =>
  [
    ['podman', '--version'],
    ['runc', '--version'],
  ].find(([program, flag]) => spawnSync(program!, [flag!]).status !== 0)?.[0];

const VOLUME = 'waypost-data';

interface Image {
  /** Folder with the Containerfile and the archive of this version. */
  readonly folder: string;
  readonly version: string;
}

/**
 * Follows the words at the head of the Containerfile, with the bare Debian as its base. `ask` asks a station over HTTP
 * from inside.
 */
export async function tryContainer(options: {
  bare: string;
  work: string;
  old: Image;
  new: Image;
  check: Check;
  versionOf: (machine: Inside) => string;
  addVehicle: (machine: Inside) => void;
  hasVehicle: (machine: Inside) => boolean;
}): Promise<void> {
  const { bare, work, check, versionOf, addVehicle, hasVehicle } = options;
  const store = join(work, 'images');
  // Nothing of this machine: a store of its own, in plain folders, by a runtime that takes every kind of cgroup.
  const own = [
    ...['--root', store, '--runroot', join(work, 'running'), '--storage-driver', 'vfs'],
    ...['--runtime', '/usr/sbin/runc', '--cgroup-manager', 'cgroupfs', '--log-level', 'fatal'],
  ];
  /** Returns what it printed on both streams; throws with that when it fails. */
  const podman = (words: readonly string[], input = '') => {
    const { status, stdout, stderr } = spawnSync('podman', [...own, ...words], {
      ...{ input, encoding: 'utf8', maxBuffer: 2 ** 26 },
    });
    if (status !== 0) throw new Error(`podman ${words.join(' ')} failed: ${stdout}${stderr}`);
    return stdout + stderr;
  };
  const build = ({ folder, version }: Image) =>
    podman([
      ...['build', '--format', 'docker', '--isolation', 'chroot', '--layers=false', '--pull=never'],
      ...['--build-arg', 'BASE=localhost/bare-debian', '-t', `localhost/waypost:${version}`, folder],
    ]);
  const inside: Inside = {
    run: (command, input) => podman(['exec', '-i', 'waypost', 'sh', '-c', command], input),
  };
  const start = async (version: string) => {
    podman([
      ...['run', '-d', '--name', 'waypost', '--network', 'none', '--read-only', '--health-interval', 'disable'],
      ...['--ulimit', 'nofile=4096:4096', '--ulimit', 'nproc=4096:4096', '--cap-drop', 'all'],
      ...['-v', `${VOLUME}:/var/lib/waypost`, `localhost/waypost:${version}`],
    ]);
    for (let second = 0; second < 120; second++) {
      if (spawnSync('podman', [...own, 'healthcheck', 'run', 'waypost']).status === 0) return;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
    throw new Error(`The station did not start: ${podman(['logs', 'waypost'])}`);
  };
  /** The exit code; 137 where it had to be killed. */
  const stop = () => {
    podman(['stop', '--time', '120', 'waypost']);
    const code = podman(['inspect', 'waypost', '--format', '{{.State.ExitCode}}']).trim();
    podman(['rm', 'waypost']);
    return code;
  };

  try {
    const base = join(work, 'base.tar');
    execFileSync('tar', ['-C', bare, '-cf', base, '--exclude=./.complete', '.']);
    podman(['import', base, 'localhost/bare-debian']);
    rmSync(base);
    build(options.old);
    await start(options.old.version);
    check('the image is built and starts; its health check passes', versionOf(inside) === options.old.version);
    const first = podman(['logs', 'waypost']);
    check('its log has the password, once', (first.match(/The administrator is admin/g) ?? []).length === 1, first);
    check(
      'it runs as its own user, without a right, on a root that nobody can write',
      /^10480$/.test(inside.run('id -u').trim()) &&
        /^CapEff:\s*0000000000000000$/m.test(inside.run('cat /proc/1/status')) &&
        /not writable|Read-only/.test(inside.run('touch /opt/x 2>&1 || true')),
    );
    const overTls = inside.run(
      '/opt/waypost/bin/node -',
      `process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
       fetch('https://127.0.0.1:8443/health').then(async (answer) => console.log(answer.status, (await answer.json()).version));`,
    );
    check('the port that it exposes answers over TLS', overTls.includes(`200 ${options.old.version}`), overTls);
    addVehicle(inside);
    const code = stop();
    check('it stops by itself when asked, and loses nothing', code === '0', code);

    build(options.new);
    await start(options.new.version);
    check(
      'a newer image goes on with the data of the volume',
      versionOf(inside) === options.new.version && hasVehicle(inside),
    );
    check('and tells no new password', !podman(['logs', 'waypost']).includes('The administrator is'));
    stop();
    podman(['rmi', '--all', '--force']);
    check(
      'without the images the volume is still there',
      existsSync(join(store, 'volumes', VOLUME, '_data/station.db')),
    );
  } finally {
    spawnSync('podman', [...own, 'rm', '--all', '--force']);
  }
}

/** The container that runs. */
export interface Inside {
  run(command: string, input?: string): string;
}

import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A bare Debian without Node, npm or a network, in which commands run as root. */
export interface Machine {
  readonly root: string;
  /** A process inside: a program of this machine joins its network by it. */
  readonly leader: string;
  /** Runs a command of the shell; returns what it printed. Throws with its output when it fails. */
  run(command: string, input?: string): string;
  /** Starts what the unit describes. */
  start(unit: string): Promise<void>;
  stop(unit: string): Promise<void>;
  close(): Promise<void>;
}

/** Debian with systemd and nothing else, made once. `WAYPOST_BARE_ROOT` names one that exists. */
export function bareRoot(cache: string): string {
  const given = process.env['WAYPOST_BARE_ROOT'];
  if (given) return given;
  const root = join(cache, 'bare-debian');
  if (existsSync(join(root, '.complete'))) return root;
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
  console.log('Making a bare Debian (some minutes) …');
  const mirror = /^URIs: (\S+)/m.exec(readIfThere('/etc/apt/sources.list.d/debian.sources'))?.[1];
  const words = ['--variant=minbase', '--include=systemd,systemd-sysv', 'bookworm', root, ...(mirror ? [mirror] : [])];
  execFileSync('debootstrap', words, { stdio: ['ignore', 'ignore', 'inherit'] });
  // It leaves /proc mounted when somebody looks into it at that moment.
  for (const line of readIfThere('/proc/self/mounts').split('\n').toReversed())
    if (line.split(' ')[1]?.startsWith(`${root}/`)) execFileSync('umount', [line.split(' ')[1]!]);
  execFileSync('touch', [join(root, '.complete')]);
  return root;
}

const readIfThere = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : '');

function copyOf(root: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'waypost-machine-'));
  // Of its own file system alone: the files of a mounted /proc have no end.
  execFileSync('cp', ['-ax', `${root}/.`, copy]);
  return copy;
}

function runWith(words: readonly string[], command: string, input = ''): string {
  try {
    return execFileSync(words[0]!, [...words.slice(1), 'sh', '-c', command], {
      input,
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', DEBIAN_FRONTEND: 'noninteractive' },
    });
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    throw new Error(`${command} failed:\n${stdout ?? ''}${stderr ?? ''}`, { cause: error });
  }
}

async function until<T>(what: string, seconds: number, ask: () => T | undefined): Promise<T> {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const found = ask();
    if (found !== undefined) return found;
    if (Date.now() > end) throw new Error(`${what}: not within ${seconds} s.`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

/** A machine that systemd has booted, in namespaces of its own, with a network that has only the loopback. */
export async function bootedMachine(bare: string): Promise<Machine> {
  const root = copyOf(bare);
  const nspawn = spawn(
    'systemd-nspawn',
    ['--quiet', '--register=no', '--keep-unit', '--boot', '--private-network', '--directory', root],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let said = '';
  nspawn.stderr.on('data', (bytes) => (said += String(bytes)));
  const leader = await until('systemd', 300, () => {
    if (nspawn.exitCode !== null) throw new Error(`systemd-nspawn ended: ${said}`);
    const children = readIfThere(`/proc/${nspawn.pid}/task/${nspawn.pid}/children`).trim().split(' ');
    // Not the helper of nspawn, which ends at once and is called systemd-nspawn.
    return children.find((pid) => /^(systemd|init)$/m.test(readIfThere(`/proc/${pid}/comm`)));
  });
  const inside = ['nsenter', '--target', leader, '--mount', '--uts', '--ipc', '--net', '--pid'];
  const run = (command: string, input?: string) => runWith(inside, command, input);
  try {
    await until('the boot', 600, () => {
      try {
        return /running|degraded/.test(run('systemctl is-system-running || true')) || undefined;
      } catch {
        return undefined;
      }
    });
  } catch (error) {
    nspawn.kill('SIGKILL');
    throw error;
  }
  return {
    root,
    leader,
    run,
    start: async (unit) => void run(`systemctl start ${unit}`),
    stop: async (unit) => void run(`systemctl stop ${unit}`),
    async close() {
      const ended = new Promise((resolve) => nspawn.once('exit', resolve));
      run('systemctl poweroff --force --force 2>/dev/null & sleep 0');
      const timer = setTimeout(() => nspawn.kill('SIGKILL'), 60_000);
      await ended;
      clearTimeout(timer);
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** A machine without systemd: a changed root and a network of its own. Units are started by their own command. */
export async function chrootMachine(bare: string): Promise<Machine> {
  const root = copyOf(bare);
  // One process keeps the namespaces; the others join them.
  const keeper = spawn(
    'unshare',
    [
      '--net',
      '--mount',
      '--pid',
      '--fork',
      '--kill-child',
      'sh',
      '-c',
      `ip link set lo up; mount -t proc proc ${root}/proc; mount --bind /dev/null ${root}/dev/null; exec sleep infinity`,
    ],
    { stdio: 'ignore' },
  );
  const leader = await until('the namespaces', 120, () => {
    const child = readIfThere(`/proc/${keeper.pid}/task/${keeper.pid}/children`).trim().split(' ')[0];
    return child && readIfThere(`/proc/${child}/comm`).startsWith('sleep') ? child : undefined;
  });
  const inside = ['nsenter', '--target', leader, '--mount', '--net', '--pid', 'chroot', root];
  let process_: ChildProcess | undefined;
  const stop = async () => {
    const ended = new Promise((resolve) => process_?.once('exit', resolve));
    if (process_?.exitCode === null && process_.signalCode === null) {
      // nsenter passes no signals on; the control file says which process is the station.
      runWith(inside, 'kill -TERM $(cat /run/station.pid)');
      await ended;
    }
    process_ = undefined;
  };
  return {
    root,
    leader,
    run: (command, input) => runWith(inside, command, input),
    async start(unit) {
      const text = unitIn(root, unit);
      const value = (name: string) => new RegExp(`^${name}=(.+)$`, 'm').exec(text)?.[1] ?? '';
      const user = value('User');
      const variables = value('Environment');
      const limits = `setpriv --reuid=${user} --regid=${user} --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all`;
      const command = `umask ${value('UMask')}; echo $$ > /run/station.pid; exec env - PATH=/usr/bin:/bin ${variables} ${limits} ${value('ExecStart')}`;
      process_ = spawn(inside[0]!, [...inside.slice(1), 'sh', '-c', command], { stdio: ['ignore', 'pipe', 'pipe'] });
      let said = '';
      process_.stderr!.on('data', (bytes) => (said += String(bytes)));
      process_.stdout!.on('data', (bytes) => (said += String(bytes)));
      await until('the station', 300, () => {
        if (process_!.exitCode !== null) throw new Error(`The station ended: ${said}`);
        return said.includes('listening on') ? true : undefined;
      });
    },
    stop,
    async close() {
      await stop();
      keeper.kill('SIGKILL');
      await new Promise((resolve) => keeper.once('exit', resolve));
      rmSync(root, { recursive: true, force: true });
    },
  };
}

function unitIn(root: string, unit: string): string {
  const folder = ['etc/systemd/system', 'usr/lib/systemd/system'].find((path) =>
    existsSync(join(root, path, `${unit}.service`)),
  );
  if (!folder) throw new Error(`There is no unit ${unit} in ${readdirSync(root).join(' ')}.`);
  return readFileSync(join(root, folder, `${unit}.service`), 'utf8');
}

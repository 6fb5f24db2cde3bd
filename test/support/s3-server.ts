import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { AwsClient } from 'aws4fetch';
import { freePorts } from './free-ports.ts';

/** Whether the machine has Ceph's object gateway (Debian: radosgw, ceph-mon, ceph-osd), a real S3 server. */
export const HAS_S3 = ['ceph-mon', 'ceph-osd', 'radosgw', 'radosgw-admin'].every((name) =>
  existsSync(`/usr/bin/${name}`),
);

export const KEY_ID = 'WAYPOSTTESTKEY';
export const SECRET = 'a-secret-of-the-tests';

/** ms until a program of Ceph must have answered. */
const PATIENCE = 60_000;
const BETWEEN_TRIES = 200;

/** One monitor, one store in memory and one gateway of Ceph, with an empty bucket. */
export class S3Server {
  readonly #directory = mkdtempSync(join(tmpdir(), 'waypost-s3-'));
  readonly #processes: ChildProcess[] = [];
  readonly #port: number;

  private constructor(port: number) {
    this.#port = port;
  }

  static async start(): Promise<S3Server> {
    const [monitor, gateway] = (await freePorts(2)) as [number, number];
    const server = new S3Server(gateway);
    try {
      await server.#start(monitor);
    } catch (error) {
      await server.close();
      throw error;
    }
    return server;
  }

  /** The address of the bucket. */
  get bucket(): string {
    return `http://127.0.0.1:${this.#port}/waypost`;
  }

  async close(): Promise<void> {
    for (const child of this.#processes.toReversed()) await ended(child);
    rmSync(this.#directory, { recursive: true, force: true });
  }

  async #start(monitor: number): Promise<void> {
    const at = (name: string) => join(this.#directory, name);
    const fsid = randomUUID();
    const osd = randomUUID();
    for (const name of ['mon', 'osd', 'rgw']) mkdirSync(at(name));
    writeFileSync(at('ceph.conf'), configOf(this.#directory, fsid, monitor, this.#port));
    const address = `[v2:127.0.0.1:${monitor}]`;
    const keyring = (name: string, caps: readonly string[]) =>
      run('ceph-authtool', ['-C', at(`${name}.keyring`), '--gen-key', '-n', name, ...caps]);
    keyring('mon.', ['--cap', 'mon', 'allow *']);
    keyring('client.admin', ['--cap', 'mon', 'allow *', '--cap', 'osd', 'allow *']);
    run('ceph-authtool', [at('mon..keyring'), '--import-keyring', at('client.admin.keyring')]);
    run('monmaptool', ['--create', '--fsid', fsid, '--addv', 'a', address, at('monmap')]);
    const conf = ['-c', at('ceph.conf')];
    run('ceph-mon', [...conf, '-i', 'a', '--mkfs', '--monmap', at('monmap'), '--keyring', at('mon..keyring')]);
    this.#spawn('ceph-mon', [...conf, '-f', '-i', 'a', '--keyring', at('mon..keyring')]);
    const ceph = (...words: string[]) => eventually('ceph', [...conf, '--connect-timeout', '5', ...words]);
    await ceph('osd', 'new', osd, '0');
    const allow = ['mon', 'allow profile osd', 'osd', 'allow *'];
    await ceph('auth', 'get-or-create', 'osd.0', ...allow, '-o', at('osd.0.keyring'));
    run('ceph-osd', [...conf, '-i', '0', '--mkfs', '--osd-uuid', osd]);
    this.#spawn('ceph-osd', [...conf, '-f', '-i', '0']);
    await ceph('osd', 'crush', 'add', 'osd.0', '1.0', 'root=default', 'host=localhost');
    const gateway = ['mon', 'allow rw', 'osd', 'allow rwx'];
    await ceph('auth', 'get-or-create', 'client.rgw', ...gateway, '-o', at('client.rgw.keyring'));
    this.#spawn('radosgw', [...conf, '-f', '-n', 'client.rgw', '--keyring', at('client.rgw.keyring')]);
    const user = ['--uid=waypost', '--display-name=Waypost', `--access-key=${KEY_ID}`, `--secret-key=${SECRET}`];
    await eventually('radosgw-admin', [...conf, 'user', 'create', ...user]);
    const client = new AwsClient({ accessKeyId: KEY_ID, secretAccessKey: SECRET, service: 's3', region: 'us-east-1' });
    await until(async () => (await client.fetch(this.bucket, { method: 'PUT' })).ok);
  }

  #spawn(program: string, words: readonly string[]): void {
    this.#processes.push(spawn(program, words, { stdio: 'ignore' }));
  }
}

function configOf(directory: string, fsid: string, monitor: number, gateway: number): string {
  return `[global]
keyring = ${directory}/$name.keyring
fsid = ${fsid}
mon host = [v2:127.0.0.1:${monitor}]
mon initial members = a
auth cluster required = cephx
auth service required = cephx
auth client required = cephx
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 8
osd crush chooseleaf type = 0
mon allow pool size one = true
mon data avail crit = 0
osd objectstore = memstore
memstore device bytes = 1073741824
enable experimental unrecoverable data corrupting features = *
run dir = ${directory}
admin socket = ${directory}/$name.asok
log file = ${directory}/$name.log
pid file = ${directory}/$name.pid
public addr = 127.0.0.1
cluster addr = 127.0.0.1
ms bind ipv6 = false
ms bind msgr1 = false
[mon.a]
mon data = ${directory}/mon
[osd.0]
osd data = ${directory}/osd
[client.rgw]
rgw frontends = beast endpoint=127.0.0.1:${gateway}
rgw data = ${directory}/rgw
rgw thread pool size = 16
`;
}

function run(program: string, words: readonly string[]): void {
  const { status, stderr, error } = spawnSync(program, words, { encoding: 'utf8', timeout: PATIENCE });
  if (status !== 0) throw new Error(`${program} ${words.join(' ')}: ${error?.message ?? stderr}`);
}

/** Runs a program beside this one, again until it succeeds. */
async function eventually(program: string, words: readonly string[]): Promise<void> {
  await until(() => {
    const child = spawn(program, words, { stdio: 'ignore', timeout: PATIENCE });
    return new Promise((resolve) => child.once('exit', (code) => resolve(code === 0)));
  });
}

async function until(succeeds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + PATIENCE;
  while (!(await succeeds().catch(() => false))) {
    if (performance.now() > end) throw new Error('Ceph does not answer.');
    await pause(BETWEEN_TRIES);
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await exit;
}

import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { eventually } from './eventually.ts';
import { freePorts } from './free-ports.ts';

const HOME = globSync('/usr/lib/postgresql/*/bin').find((folder) => existsSync(join(folder, 'postgres')));

/** PostgreSQL does not run as root: the account that Debian makes for it, or the account that runs the tests. */
const USER = process.getuid?.() === 0 ? idsOf('postgres') : undefined;

/** Whether the machine has PostgreSQL with PostGIS: `.ci/prepare.mjs` tries to get it. */
export const HAS_POSTGRES =
  HOME !== undefined &&
  (process.getuid?.() !== 0 || USER !== undefined) &&
  globSync('/usr/share/postgresql/*/extension/postgis.control').length > 0;

/** A PostgreSQL server in a process of its own, which a test kills and starts again. */
export class Postgres {
  /** The folder for temporary files of a test run is closed to other accounts. */
  readonly #directory = mkdtempSync(join(USER ? '/tmp' : tmpdir(), 'waypost-postgres-'));
  readonly port: number;
  #process: ChildProcess | undefined;
  #tls: readonly string[] = [];

  private constructor(port: number) {
    this.port = port;
    chmodSync(this.#directory, 0o700);
    if (USER) chownSync(this.#directory, USER.uid, USER.gid);
    const made = spawnSync(
      join(HOME!, 'initdb'),
      ['-D', this.#data, '-U', 'station', '--auth=trust', '-E', 'UTF8', '--no-locale'],
      { ...USER, stdio: 'ignore', cwd: this.#directory },
    );
    if (made.status !== 0) throw new Error('initdb failed.');
  }

  static async start(): Promise<Postgres> {
    const [port] = await freePorts(1);
    const server = new Postgres(port!);
    await server.start();
    return server;
  }

  /** The server answers over TLS with this certificate, and over TLS alone, from its next start on. */
  useTls({ cert, key }: { readonly cert: string; readonly key: string }): void {
    const files = { 'server.crt': cert, 'server.key': key, 'only-tls.conf': 'hostssl all all 127.0.0.1/32 trust\n' };
    for (const [name, text] of Object.entries(files)) {
      const path = join(this.#directory, name);
      writeFileSync(path, text);
      chmodSync(path, 0o600);
      if (USER) chownSync(path, USER.uid, USER.gid);
    }
    const at = (name: string) => join(this.#directory, name);
    const settings = {
      ssl: 'on',
      ssl_cert_file: at('server.crt'),
      ssl_key_file: at('server.key'),
      hba_file: at('only-tls.conf'),
    };
    this.#tls = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  }

  /** @param database another one than the first, which `create` made */
  url(database = 'postgres'): string {
    const own = this.#tls.length > 0 ? '?sslmode=no-verify' : '';
    return `postgres://station@127.0.0.1:${this.port}/${database}${own}`;
  }

  /** Resolves when the server answers. Processes of a killed one may keep it from starting for a moment. */
  async start(): Promise<void> {
    await eventually(async () => {
      if (this.#process?.exitCode !== null || this.#process.signalCode !== null) this.#process = this.#spawn();
      await this.query('SELECT 1');
    });
  }

  get pid(): number {
    return this.#process!.pid!;
  }

  /** Resolves when somebody else has killed it. */
  async ended(): Promise<void> {
    const running = this.#process!;
    if (running.exitCode === null && running.signalCode === null) await once(running, 'exit');
  }

  /** Ends the server. SIGKILL ends the process that started the others; those end when they see that. */
  async stop(signal: NodeJS.Signals = 'SIGINT'): Promise<void> {
    const running = this.#process;
    this.#process = undefined;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    const ended = once(running, 'exit');
    running.kill(signal);
    await ended;
  }

  /** Makes an empty database, and returns its address. */
  async create(name: string): Promise<string> {
    await this.query(`CREATE DATABASE ${name}`);
    return this.url(name);
  }

  async query<Row extends pg.QueryResultRow>(text: string, url = this.url()): Promise<Row[]> {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  async close(): Promise<void> {
    await this.stop();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  #spawn(): ChildProcess {
    return spawn(
      join(HOME!, 'postgres'),
      [
        ...['-D', this.#data, '-p', String(this.port), '-h', '127.0.0.1', '-k', this.#directory],
        ...['-c', 'max_connections=40', ...this.#tls],
      ],
      { ...USER, stdio: 'ignore', cwd: this.#directory },
    );
  }

  get #data(): string {
    return join(this.#directory, 'data');
  }
}

function idsOf(name: string): { uid: number; gid: number } | undefined {
  const number = (flag: string) => Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout.trim() || NaN);
  const [uid, gid] = [number('-u'), number('-g')];
  return Number.isNaN(uid) || Number.isNaN(gid) ? undefined : { uid, gid };
}

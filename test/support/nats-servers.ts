import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { freePorts } from './free-ports.ts';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

export const NATS_PROGRAM = ['/usr/sbin/nats-server', '/usr/local/bin/nats-server', '/usr/bin/nats-server'].find(
  (path) => existsSync(path),
);

/** Whether the machine has a NATS server: `.ci/prepare.mjs` tries to get it. */
export const HAS_NATS = NATS_PROGRAM !== undefined;

/** Tries to connect to a server that starts, and ms between two. */
const TRIES = 300;
const BETWEEN_TRIES = 50;

/** One server, or several as a cluster, in processes that a test kills and starts again. */
export class NatsServers {
  readonly #directory = mkdtempSync(join(tmpdir(), 'waypost-nats-'));
  readonly #ports: readonly number[];
  readonly #processes: (ChildProcess | undefined)[] = [];

  private constructor(ports: readonly number[], routes: readonly number[]) {
    this.#ports = ports;
    ports.forEach((port, at) => {
      writeFileSync(this.#config(at), configOf(port, at, join(this.#directory, `data-${at}`), routes));
    });
  }

  static async start(count = 1): Promise<NatsServers> {
    const ports = await freePorts(2 * count);
    const servers = new NatsServers(ports.slice(0, count), count > 1 ? ports.slice(count) : []);
    await Promise.all(Array.from({ length: count }, (_, at) => servers.start(at)));
    return servers;
  }

  /** A centre with the JetStream domain `centre`, and the leaf node of a depot with the domain `depot`. */
  static async withDepot(): Promise<NatsServers> {
    const [centre, depot, leaves] = (await freePorts(3)) as [number, number, number];
    const servers = new NatsServers([centre, depot], []);
    const extra = [
      `leafnodes { listen: "127.0.0.1:${leaves}" }`,
      `leafnodes { reconnect: 1, remotes: [{ url: "nats://127.0.0.1:${leaves}" }] }`,
    ];
    for (const [at, domain] of ['centre', 'depot'].entries()) {
      const text = readFileSync(servers.#config(at), 'utf8');
      writeFileSync(servers.#config(at), text.replace('jetstream {', `jetstream { domain: ${domain},`) + extra[at]!);
      await servers.start(at);
    }
    return servers;
  }

  /** One server that knows the accounts of this text, as `waypost region keys` writes it. */
  static async withAccounts(accounts: string): Promise<NatsServers> {
    const servers = new NatsServers(await freePorts(1), []);
    servers.#writeAccounts(accounts);
    writeFileSync(servers.#config(0), `${readFileSync(servers.#config(0), 'utf8')}\ninclude accounts.conf\n`);
    await servers.start();
    return servers;
  }

  /** Has the server of `withAccounts` read others, as an administrator does. */
  reloadAccounts(accounts: string): void {
    this.#writeAccounts(accounts);
    this.#processes[0]!.kill('SIGHUP');
  }

  get addresses(): readonly string[] {
    return this.#ports.map((port) => `nats://127.0.0.1:${port}`);
  }

  /** Of those that run. */
  get pids(): readonly number[] {
    return this.#processes.flatMap((process) => process?.pid ?? []);
  }

  /** Bytes of all their files. */
  storedBytes(): number {
    return readdirSync(this.#directory, { recursive: true, withFileTypes: true }).reduce(
      (sum, entry) => sum + (entry.isFile() ? statSync(join(entry.parentPath, entry.name)).size : 0),
      0,
    );
  }

  /** Resolves when the server answers. */
  async start(at = 0): Promise<void> {
    this.#processes[at] = spawn(NATS_PROGRAM!, ['--config', this.#config(at)], { stdio: 'ignore' });
    await untilItGreets(this.#ports[at]!);
  }

  /** Resolves when the process is gone. */
  async kill(at = 0, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const running = this.#processes[at];
    this.#processes[at] = undefined;
    if (!running) return;
    const ended = once(running, 'exit');
    running.kill(signal);
    await ended;
  }

  /** Such as SIGSTOP: it hangs until SIGCONT. */
  signal(at: number, signal: NodeJS.Signals): void {
    this.#processes[at]!.kill(signal);
  }

  /** Kills a server whose disk is lost with it. */
  async lose(at = 0): Promise<void> {
    await this.kill(at);
    rmSync(join(this.#directory, `data-${at}`), { recursive: true, force: true });
  }

  async close(): Promise<void> {
    await Promise.all(this.#ports.map((_, at) => this.kill(at)));
    rmSync(this.#directory, { recursive: true, force: true });
  }

  #writeAccounts(accounts: string): void {
    writeFileSync(join(this.#directory, 'accounts.conf'), accounts);
  }

  #config(at: number): string {
    return join(this.#directory, `server-${at}.conf`);
  }
}

function configOf(port: number, at: number, store: string, routes: readonly number[]): string {
  const cluster =
    routes.length === 0
      ? ''
      : `cluster { name: test, no_advertise: true, listen: "127.0.0.1:${routes[at]}", routes: [${routes
          .map((route) => `"nats://127.0.0.1:${route}"`)
          .join(', ')}] }`;
  return `
    listen: "127.0.0.1:${port}"
    server_name: server-${at}
    jetstream { store_dir: "${store}", max_memory_store: 64MB, max_file_store: 2GB }
    ${cluster}
  `;
}

/** Benchmarks wait here, too: outside of vitest there is no `eventually`. */
async function untilItGreets(port: number): Promise<void> {
  for (let left = TRIES; ; left--) {
    try {
      return await greets(port);
    } catch (error) {
      if (left === 0) throw error;
      await pause(BETWEEN_TRIES);
    }
  }
}

/** A server says `INFO` to each client that connects. */
async function greets(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  try {
    const [said] = (await once(socket, 'data')) as [Buffer];
    if (!said.toString().startsWith('INFO')) throw new Error('It is no NATS server.');
  } finally {
    socket.destroy();
  }
}

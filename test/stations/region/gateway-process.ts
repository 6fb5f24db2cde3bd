import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROGRAM } from '../../support/program.ts';

const ROOT = new URL('../../..', import.meta.url).pathname;

/** A gateway for wialon devices, as an operator starts it, on the same port each time. */
export class GatewayProcess {
  readonly port: number;
  readonly #environment: NodeJS.ProcessEnv;
  #process: ChildProcess | undefined;

  constructor(port: number, environment: NodeJS.ProcessEnv) {
    this.port = port;
    this.#environment = environment;
  }

  get pid(): number {
    return this.#process!.pid!;
  }

  /** Resolves when its port is open. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, [PROGRAM, 'gateway'], {
      cwd: ROOT,
      env: {
        ...process.env,
        WAYPOST_DATA: join(tmpdir(), 'waypost-no-such-directory'),
        WAYPOST_WIALON_PORT: String(this.port),
        ...this.#environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#process = child;
    let said = '';
    child.stderr.on('data', (bytes) => (said += bytes));
    const listening = new Promise<void>((resolve) => {
      child.stdout.on('data', (bytes: Buffer) => {
        if (bytes.toString().includes('The gateway is listening')) resolve();
      });
    });
    const ended = once(child, 'close').then(() => {
      throw new Error(`The gateway ended: ${said}`);
    });
    await Promise.race([listening, ended]);
    ended.catch(() => undefined);
  }

  async end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#process;
    this.#process = undefined;
    if (!child || child.exitCode !== null) return null;
    const ended = once(child, 'exit');
    child.kill(signal);
    const [code] = (await ended) as [number | null];
    return code;
  }
}

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROGRAM } from '../../support/program.ts';

const ROOT = new URL('../../..', import.meta.url).pathname;

/** ms in which a worker gets its first partition; a busy machine starts it slowly. */
const PATIENCE = 240_000;

/** `waypost worker events`, as an operator starts it. */
export class WorkerProcess {
  readonly #directory = mkdtempSync(join(tmpdir(), 'waypost-worker-'));
  readonly #environment: NodeJS.ProcessEnv;
  #process: ChildProcess | undefined;
  /** Its log since the last start. */
  said = '';

  constructor(environment: NodeJS.ProcessEnv) {
    this.#environment = environment;
  }

  /** Those that it took since its last start; it may have given some back. */
  get partitions(): readonly number[] {
    return [...this.said.matchAll(/Processing partition (\d+)/g)].map(([, partition]) => Number(partition));
  }

  /** Resolves when it works at a partition. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, [PROGRAM, 'worker', 'events'], {
      cwd: ROOT,
      env: { ...process.env, WAYPOST_DATA: this.#directory, WAYPOST_LOG_FORMAT: 'text', ...this.#environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#process = child;
    const ended = once(child, 'close').then(() => {
      throw new Error(`The worker ended: ${this.said}`);
    });
    ended.catch(() => undefined);
    this.said = '';
    const works = new Promise<void>((resolve) => {
      const hear = (bytes: Buffer) => {
        this.said += bytes.toString();
        if (this.said.includes('Processing partition')) resolve();
      };
      child.stdout.on('data', hear);
      child.stderr.on('data', hear);
    });
    const late = AbortSignal.timeout(PATIENCE);
    await Promise.race([works, ended, once(late, 'abort')]);
    if (late.aborted) throw new Error(`The worker got no partition: ${this.said}`);
  }

  async end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#process;
    this.#process = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return null;
    const ended = once(child, 'exit');
    child.kill(signal);
    const [code] = (await ended) as [number | null];
    return code;
  }

  /** Its data are lost with it. */
  async lose(): Promise<void> {
    await this.end('SIGKILL');
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

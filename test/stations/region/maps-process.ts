import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { PROGRAM } from '../../support/program.ts';

const ROOT = new URL('../../..', import.meta.url).pathname;

/** `waypost serve --role maps`: a process with a territory and nothing else. */
export class MapsProcess {
  readonly #environment: NodeJS.ProcessEnv;
  #process: ChildProcess | undefined;
  address = '';

  constructor(directory: string, environment: NodeJS.ProcessEnv) {
    this.#environment = { ...process.env, WAYPOST_DATA: directory, ...environment };
  }

  async start(): Promise<this> {
    const child = spawn(process.execPath, [PROGRAM, 'serve', '--role', 'maps', '--port', '0'], {
      cwd: ROOT,
      env: this.#environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#process = child;
    let said = '';
    this.address = await new Promise<string>((resolve, reject) => {
      child.stdout.on('data', (bytes) => {
        said += bytes;
        const found = /^Waypost is listening on (http:\/\/\S+)$/m.exec(said)?.[1];
        if (found) resolve(found);
      });
      child.stderr.on('data', (bytes) => (said += bytes));
      child.once('exit', () => reject(new Error(said)));
    });
    return this;
  }

  /** Questions of stations that it answered. */
  async answered(): Promise<number> {
    return figureAt(this.address, 'waypost_maps_answers_total{result="answered"}');
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    const running = this.#process;
    this.#process = undefined;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    const ended = once(running, 'exit');
    running.kill(signal);
    await ended;
  }
}

/** A number among the metrics of a program; NaN: it has none of this name. */
export async function figureAt(address: string, name: string, headers: Record<string, string> = {}): Promise<number> {
  const text = await (await fetch(`${address}/metrics`, { headers })).text();
  const line = text.split('\n').find((one) => one.startsWith(`${name} `));
  return Number(line?.slice(name.length) ?? NaN);
}
